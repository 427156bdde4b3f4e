"""Which clauses are about tasks: things one person must do (product section 3, "Routing by rules").

任务, 待办 and 提醒我, things I do, and any other order with a time; in a private conversation everything with
a time, unless 日程 is said.
"""

from __future__ import annotations

import re
from typing import Final

from ..clause import Clause, Match
from ..lexicon import table
from ..orders import (
    DELETE,
    EDIT,
    changed,
    corrects,
    deletes,
    edits,
    finishes,
    nameless,
    puts_off,
    snoozes,
    unneeded,
)
from ..wording import Wording, hear, tells, upcoming
from .queries import listing

NAMED: Final = re.compile(
    rf"(?:{table('tasks.noun')})(?!繁重|艰巨|栏|管理器)|(?:我的|个|条|的"
    r"|所有|全部|哪些|什么|几个|有没有|新建|添加|设置|(?:取消|删除|删掉|关掉)[^,我]{0,10})"
    r"提醒(?!我|他|她|你|一下)"
    rf"|优先级"
)
_SCHEDULE: Final = re.compile(table("schedule.noun"))
_REMIND: Final = re.compile(rf"(?:{table('tasks.remind')})(?!起来|了我|过|功能)")
_REMIND_ME: Final = re.compile(
    "提醒(?!过|了|大家|所有人|全体|各位|全员)|叫我|喊我|叫醒我|催我|通知我|叫一下我|催一下我|喊一下我"
)
_NOT_REMIND: Final = re.compile(
    "(?:不用|不要|别|不必|无需|不需要)再?(?:提醒|叫我|喊我|催我|叫醒我)"
    "|(?:谢谢|感谢|多谢|谢)[^,]{0,6}提醒(?!我明|我后|我下)|提醒(?:你|他|她)|忘了提醒(?!我)|(?:你|您)?记得(?:我|你|吗|不"
    "|上次|以前|小时候|那|当年|清|当时|昨天|他|她|好像|之前说)|记得[吗不么]"
    "|不记得|都记得|还记得|叫我(?:小|老|[a-z]|什么|爸|哥|姐)|通知我的|总是提醒"
    "|一直提醒|提醒我的话|(?:没有?|要不是|多亏|幸亏|幸好|还好)有?(?:你|人|他|她)?提醒|记住了|记着呢|提醒(?:一下)?自己(?=要?[^,]{0,4}$)"
)
ACTION: Final = re.compile(table("tasks.action"))
_MEETING: Final = re.compile(table("schedule.meeting", "schedule.meal", "schedule.activity"))
_PERSONAL: Final = re.compile(
    "面试|考试|体检|复诊|手术|答辩|值班|出差|加班|上课|补课|课程|[一二三四\u4e00-\u9fff]课$"
    "|ddl|deadline|截止|到期|生日|纪念日|牙医|医院|快递|航班|飞机|高铁"
    "|火车|闹钟|健身|瑜伽|普拉提|笔试|期末|期中|作业|论文|报告|周报|日报"
    "|汇报|述职|培训|家访|相亲|复查|产检|疫苗|驾照|科目[一二三四]"
)
_NOTES: Final = re.compile(
    r"(?:给|为|在|把|将)?[^,:]{1,20}?(?:加|添加?|补|写|记|改|更新)(?:个|上|一个|一下|一条)?(?:备注|描述|说明)(?!本)"
    r"|[^,:]{1,16}?(?:这个|那个|的)?(?:任务|待办|提醒)(?:的?备注|备注一下)"
    r"|[^,:]{1,20}?(?:备注|描述|说明)(?:改|换|更新|设|写)[成为]"
)
_REMINDER_OF: Final = re.compile(
    r"(?:把|将)(?:提醒|叫)我?[^,]{0,14}?(?:改|推迟|挪|调|换|提前|延|往[前后])|提醒我?[^,]{1,14}?的(?:时间|提醒)(?:改|推迟|挪|调|换|提前|延|往[前后])"
    r"|^(?:那个|这个)?提醒(?:时间)?(?:改|推迟|挪|调|换|提前|延|往[前后])"
)
_MAKE: Final = re.compile("添加|新增|新建|创建|建立|加|建|设|定|记|排|来|弄|写|:|布置|分配")
_MY: Final = re.compile(
    "我(?:们)?(?:明天|后天|今晚|今天|下午|晚上|周|下|还|也)?[^,]{0,6}?(?:要|得|需要|必须|该)"
)


def rules(clause: Clause) -> Match | None:
    """Whether the clause is about the speaker's tasks, and what it asks for."""
    heard = hear(clause)
    if _SCHEDULE.search(heard.text) and not NAMED.search(heard.text):
        return None
    named = NAMED.search(heard.text) is not None
    weight = 3 if named else 2
    return (
        _done(clause, heard, named, weight)
        or _query(clause, heard, named, weight)
        or _change(clause, heard, named, weight)
        or _creation(clause, heard, named, weight)
    )


def _done(clause: Clause, heard: Wording, named: bool, weight: int) -> Match | None:
    sure = finishes(clause, heard, named, _is_meeting(heard))
    return None if sure is None else Match("complete_task", weight, sure)


def _query(clause: Clause, heard: Wording, named: bool, weight: int) -> Match | None:
    asked = listing(clause, heard, named, _REMIND_ME.search(heard.text) is not None)
    return Match("query_tasks", weight) if asked else None


def _change(clause: Clause, heard: Wording, named: bool, weight: int) -> Match | None:
    if heard.asks or heard.reported or heard.wished:
        return None
    if _NO_REMINDER.search(heard.text):
        return Match("delete_task", 2)
    if unneeded(heard) and not heard.felt:
        return Match("delete_task", 2, sure=clause.situation.open_tasks)
    if _REMINDER_OF.search(heard.text):
        return Match("update_task", 2)
    if _NOTES.match(heard.rest) and not _MAKE_ONE.search(heard.text):
        return Match("update_task", weight, sure=clause.situation.open_tasks or named)
    if _SETS_PRIORITY.search(heard.text) and not _CHANGED_PRIORITY.search(heard.text):
        return None
    if named or (clause.situation.private and _is_meeting(heard)):
        if (edits(heard) and not _MAKE_ONE.search(heard.text)) or _RERANKS.search(heard.text):
            return Match("update_task", weight)
        if deletes(heard):
            return Match("delete_task", weight)
        return None
    if snoozes(heard):
        return Match("update_task", 2)
    if _REMIND_ME.search(heard.text) and not edits(heard):
        return None
    change = nameless(clause, heard)
    intents = {"edit": "update_task", "delete": "delete_task"}
    if change is not None:
        mine = clause.situation.open_tasks or clause.situation.private
        return Match(intents[change], 2 if mine else 1, sure=mine)
    if heard.felt or (heard.told and not heard.ordered):
        return None
    if not _names_action(heard) or _BOOKS.search(heard.text):
        return None
    if edits(heard) and _becomes(heard) and (clause.times or not clause.amounts):
        return (
            None
            if _MEETING.search(changed(heard)) or _OURS.search(changed(heard))
            else Match("update_task", 2)
        )
    if deletes(heard) and not _is_meeting(heard):
        return Match("delete_task", 2)
    return None


_NO_REMINDER: Final = re.compile("(?:不用|不要|别|不必|无需|不需要|用不着)再?(?:提醒|叫我|喊我|催我|叫醒我)")
_LEVEL: Final = "(?:最高|很高|较高|高|中等?|普通|一般|最低|低|较低)"
_SETS_PRIORITY: Final = re.compile(
    rf"[^,;。 ][,;。 ]+优先级?(?:别)?(?:是|为|:|设为|定为|设成)?{_LEVEL}(?:的|级)?[!~。]*$"
    rf"|[^,;。 ][,;。 ]+{_LEVEL}优先级[!~。]*$"
)
"""写周报，优先级高: said of what is to be made, behind it."""
_CHANGED_PRIORITY: Final = re.compile(
    "^(?:把|将|给)|改|调|升|降|提[到高升]|换|变|推迟|延|取消|删|第[一二三四五六七八九十0-9]+个"
)
_MAKE_ONE: Final = re.compile(
    "(?:加|建|设|定|新建|添加|创建|新增|记)(?:个|一个|一条|条|一项)?(?:任务|待办|提醒)"
)
_RERANKS: Final = re.compile(
    "优先级.{0,3}(?:改|调|设|提|升|降|变|换|[高中低])|(?:改|调|设|换|升|降|提|标)(?:.{0,6}|.{0,12}的)优先级"
)
_BOOKS: Final = re.compile("[一二两三四五六七八九十0-9那这上]一?笔|账|记录")
_OURS: Final = re.compile("(?:的|个|场|次|有|开|例|周|晨|组|班)会(?![员计费场馆所合长心说])")
_EDITED: Final = re.compile(
    "改到|改约|改订|改成|改为|改至|改在|推迟|延后|延期|延到|顺延|提前|往前提|往后推"
    "|推到|挪到|调到|换到|移到|改期|改时间|换成|延长|缩短|延迟|改名|重命名|更名|往[前后][推挪调移延改拖放赶]"
)
_EDITED_FIRST: Final = re.compile(
    "^(?:修改|更改|变更|调整|更新|改一?下|改|调|换|挪)[^,]{1,16}?(?:的?(?:时间|日期|期限|截止|优先级|标题|名字|名称|备注|描述|内容)"
    "|[到成为至]$|[到成为至](?=[^,]))"
)
"""更改买菜到后天, 改一下买菜的时间: the verb stands before the thing."""
_OBJECT: Final = re.compile(
    "^(?:把|将|取消|删掉|删除|取消掉|推迟|提前|延后|延期|顺延|修改|更改|变更|调整|更新|改一?下|不要|刚才|那个|这个|去掉|的)*"
)


def _is_meeting(heard: Wording) -> bool:
    return _MEETING.search(heard.text) is not None or _OURS.search(heard.text) is not None


def _becomes(heard: Wording) -> bool:
    return (
        puts_off(heard)
        or _EDITED.search(heard.text) is not None
        or _EDITED_FIRST.match(heard.rest) is not None
    )


def _names_action(heard: Wording) -> bool:
    rest = _OBJECT.sub("", heard.rest, 1)
    return any(one.search(rest) for one in (_ACTION_FIRST, _PERSONAL, _THAT_MATTER, _CORRECTING))


_ACTION_FIRST: Final = re.compile(f"^(?:{table('tasks.action')})")
_CORRECTING: Final = re.compile("^(?:把)?改[^到成为至,改]{1,6}(?=改|挪|推|延|提前|往)")
_THAT_MATTER: Final = re.compile("[那这]件?事(?:情|儿)?(?=[先改推挪延提放删取不,]|$)")


def _creation(clause: Clause, heard: Wording, named: bool, weight: int) -> Match | None:
    situation = clause.situation
    if heard.asks or (heard.weather and not heard.ordered):
        return None
    if (
        named
        and (_MAKE.search(heard.text) or clause.times)
        and not (heard.told or heard.felt or heard.reported or heard.past)
    ):
        return Match("create_task", 3)
    if _REMIND.search(heard.text) and not _NOT_REMIND.search(heard.text):
        if (heard.reported and not _REMIND_ME.search(heard.text)) or (heard.past and heard.told):
            return None
        me = _REMIND_ME.search(heard.text) is not None
        if me:
            return Match("create_task", 2, sure=bool(heard.rest) or bool(clause.times))
        if clause.times and not heard.past and not _TELLS_ALL.search(heard.text):
            return Match("create_task", 1 if _is_meeting(heard) else 2)
        return _note_to_self(clause, heard)
    if situation.quoted and re.search("^(?:帮我|请|麻烦)?(?:记一?下来?|记住)", heard.text):
        return Match("create_task", 1, sure=False)
    if _LABELLED.match(heard.text) and not (heard.told or heard.felt or heard.reported):
        return Match("create_task", 3)
    if _SETS_PRIORITY.search(heard.text) and not (heard.told or heard.felt or heard.reported):
        return Match("create_task", 3)
    return _plan(clause, heard) or _note_to_self(clause, heard)


_LABELLED: Final = re.compile(
    "(?:todo|to-do|待办(?:事项)?|新?任务|备忘)[ :,]+(?!列表|清单|有|完|做|删|取消|改|还|呢|list)[^ ,:]{2}"
)
"""todo 买牛奶: what follows the label is the thing."""
_AGAIN: Final = re.compile("又(?:要|得)(?!买)")
"""哎今天又要加班: a sigh, no order."""
_URGENT: Final = re.compile("^(?:(?:非常|很)?(?:紧急|重要|加急)|[最高中低]+优先级)[:, !]+")
_TO_CARRY: Final = re.compile(
    "^(?:记得|记着|别忘了?|别忘记|不要忘了?|记住)(?:要)?(?:给我|帮我)?(?P<what>.+)$"
)
_AFTER: Final = re.compile(
    "^(?:等)?(?:下班|放学|下课|散会|吃完饭|午饭|晚饭|早饭|饭|睡|睡觉|出门|开完会|回家|到家|上班|起床|考完试?)(?:后|以后|之后|前|之前|以前|的时候|时|路上)(?:要|得|记得|去|先|再)*(?P<what>.+)$"
)


def _note_to_self(clause: Clause, heard: Wording) -> Match | None:
    """记得带伞, 下班后去健身: said to us, a thing to do without a time of the clock."""
    line = heard.body.strip(" ,!~。")
    unfit = heard.past or heard.talk or tells(heard.text) or (heard.told and not _AFTER.match(line))
    if not clause.situation.addressed or unfit:
        return None
    for pattern in (_TO_CARRY, _AFTER, _TO_FINISH):
        found = pattern.match(line)
        if found is None or len(line) > 24:
            continue
        what = found["what"] or line
        if ACTION.match(what) or _FINISH.match(what):
            return Match("create_task", 1, sure=pattern is _TO_CARRY)
    return None


_TO_FINISH: Final = re.compile(
    "^(?:我?(?:得|需要|必须|应该|该)|争取|尽快|尽早|赶紧|抓紧|务必|有空|抽空)(?:要|去|来)?(?P<what>.+[^了吗呢])$"
    "|^(?:把|将)[^,]{1,12}?(?:完|好|掉)$"
)
"""得把作业写完, 尽快交报告, 把作业写完: an order without a time."""


_GRUMBLES: Final = re.compile(
    "^(?:生日|纪念日)$|[是在为]$|多到|很|太|超|爆|好难|好多|完蛋|还没|没|成绩|真|挂了|延误|晚点"
)


def _is_personal(rest: str) -> bool:
    return len(rest) <= 12 and _PERSONAL.search(rest) is not None and _GRUMBLES.search(rest) is None


_TELLS_ALL: Final = re.compile("(?:提醒|通知|告诉)(?:一下)?(?:大家|所有人|全体|各位|全员)|大家|各位")
_STRESSED: Final = re.compile("^(?:一定|务必|千万)(?:得|要)?(?=[把将])")
_MUST: Final = re.compile("(?:必须|务必|一定得?要?|得|需要|记得|要)(?:先|给我|都)?(?:把|将)")
"""今天必须把简历投了: an order, though it is put as done."""
_FINISH: Final = re.compile(
    rf"(?:把|将)[^,]{{1,12}}?(?:{table('tasks.action')}|完|好|掉|[一-鿿]了$)[了完好掉]*"
)


def _takes_away(clause: Clause, heard: Wording) -> bool:
    """Whether it ends or moves what is there, and makes nothing; 明天取消会员 is to be done tomorrow."""
    later = bool(clause.times) and clause.times[0].span[0] <= 1
    if deletes(heard):
        return not (later and DELETE.match(heard.rest))
    return edits(heard) and _becomes(heard) and not (later and EDIT.match(heard.rest))


_SOMEWHERE: Final = re.compile(f"^在[^,]{{1,6}}?(?=(?:{table('tasks.action')}))")
"""在家等师傅: where it is done stands before it."""


def _plan(clause: Clause, heard: Wording) -> Match | None:
    """Things I do, and any other order with a time."""
    if tells(heard.text) or _takes_away(clause, heard):
        return None
    if not clause.times or heard.past or (heard.talk and not heard.ordered) or not heard.rest:
        return None
    rest = _STRESSED.sub("", _URGENT.sub("", heard.rest, 1), 1)
    finished = _FINISH.match(rest) is not None and (
        heard.ahead
        or not heard.told
        or _MUST.search(heard.text) is not None
        or upcoming(clause)
        or any(one.kind == "deadline" for one in clause.times)
    )
    if heard.told and not heard.ordered and not finished:
        return None
    if _AGAIN.search(heard.text) and not heard.ordered:
        return None
    if not clause.situation.addressed and not heard.ordered:
        return None
    rest = _SOMEWHERE.sub("", rest, 1)
    acts = finished or corrects(heard) or ACTION.match(rest) is not None or _is_personal(rest)
    if clause.situation.private and _is_meeting(heard):
        return Match("create_task", 1)
    if acts:
        return Match("create_task", 1)
    stretch = any(one.start is not None and one.end is not None for one in clause.times)
    if heard.ordered or _MY.search(heard.text) or (stretch and len(rest) > 1):
        return Match("create_task", 1, sure=False)
    if clause.situation.private and len(heard.rest) > 1:
        return Match("create_task", 1, sure=False)
    return None
