"""Orders about what is already kept: to delete it, to edit it, that it is done; and what they name.

Tasks and schedules share them: 改到后天 names neither, so both look here (product section 3, routing).
"""

from __future__ import annotations

import re
from typing import Final

from ..language import LENGTH
from .ahead import CALLS_AHEAD
from .clause import Clause
from .clause_features import OPENING, ClauseFeatures, bare, upcoming
from .lexicon import table

DELETE: Final = re.compile(table("change.delete"))
EDIT: Final = re.compile(table("change.edit"))
_NOT_DELETE: Final = re.compile("不要取消|别取消|不取消|没取消|别删|不要删|取消了[吗没]")
_NEWS: Final = re.compile("(?:航班|飞机|高铁|火车|动车|车次)(?:被|都)?取消了")
"""What others called off is told, and is no order of ours."""
_SWITCHES_OFF: Final = re.compile("关掉|停掉|拿掉")
_SWITCHED: Final = re.compile(table("tasks.noun", "schedule.noun") + "|提醒")
"""What is switched off and is ours (关掉闹钟); everything else is a thing one does (关掉热水器)."""
_NOT_EDIT: Final = re.compile(
    "改天|改革|改善|改变(?!时间|地点)|改进|修改意见|改论文|改作业|改简历"
    "|改方案|改ppt|改代码|改稿|改bug|改签|改装|改造|提前量|提前批|移动"
    "|移交|挪用|换成绩|提到过|挪威|推荐|移民|改文案|改图|改合同|改设计"
)
ALL_EDIT: Final = re.compile(
    "(?:改到|改成|改为|改至|改在|推迟|延后|延期|延到|顺延|提前到|提前|往前提"
    "|往后推|推到|挪到|调到|换到|移到|延长|缩短|改期|改时间)"
)
_OBJECTLESS: Final = re.compile(
    rf"(?:{OPENING}|把|将|帮我|这个|那个|它|刚才的|刚才那个|时间|任务|待办|日程|事情|事儿?|和|跟|、|都|给|我|一下|下|的|了|吧|啊|掉)*+"
)
_ORDINAL: Final = re.compile(
    "第?[一二两三四五六七八九十0-9]{1,2}[个项条件](?:的|任务|日程|待办)?"
    "|最后一?[个项条]|上一?[个项条]|前[一二两三2-9][个项条]|全部|所有的?"
    "|(?:半|[一二两三四五六七八九十0-9]{1,2})个?半?(?:分钟|小时|钟头|天|周|星期|礼拜|个?月)"
)
_SNOOZE_AGAIN: Final = re.compile(
    rf"(?:{OPENING})*(?:晚点儿?|晚些时候?|待会儿?|等会儿?|一会儿?|过会儿?|等下|回头|稍后|到时候?|下次)?(?:的?时候)?"
    "再(?:提醒(?:我|俺)?|(?:叫|喊)(?:我|俺))(?:一次|一下|一遍|一声)?(?:吧|啊|呗|哈)?"
)
"""晚点再提醒我, 明天早上再叫我一次: again, without a thing."""
_SNOOZE: Final = re.compile(
    r"(?:推迟|延后|延迟|晚|往后推|延|推后|顺延|(?:过|等)(?=.{2,8}再))(?:个|一下|上)?(?:半"
    r"|[一二两三四五六七八九十\d]{1,3})个?半?(?:分钟|小时|钟头|刻钟|min"
    r"|h|个小时)(?:后|以后|之后)?(?:再)?(?:提醒我?|叫我?|说)?(?:一下)?(?:吧"
    r"|啊|好了|呗|哈)?"
)


_LEAD: Final = re.compile(CALLS_AHEAD)
"""When to be reminded of what is said beside it, which changes nothing that is kept."""
_LEAD_BEHIND: Final = re.compile(
    "(?:提醒|叫|喊|通知)(?:一下|一声)?(?:我|俺|咱们?|我们|大家)[^,]{2,30}[ ,]+(?:记得|请|要)?提前"
    f"{LENGTH}(?:吧|啊|哈|就行|就好|好了)*[!~。]*$"
)
"""提醒我两点面试，提前一小时: so long ahead, of what is to be kept."""


_NO_NEED: Final = re.compile(
    rf"(?:不用|不必|不需要|无需|用不着|甭)(?:再)?(?:去)?(?:{table('tasks.action')})[^,?]{{1,14}}了[吧啊哈]?$"
    rf"|[^,?我你他她]{{1,10}}(?:不用|不必|不需要|用不着)(?:再)?(?:去)?(?:{table('tasks.action')})了[吧啊哈]?$"
)
"""不用买牛奶了, 牛奶不用买了: what was to be done need not be done any more."""


_CORRECTS: Final = re.compile("改(?![到成为至在期变名时地一下个约订回掉])[^到成为至,改]{1,6}")
_BY: Final = re.compile(
    "[^ ,最太早晚](?:要|得|就|先)?[早晚](?:个|上)?(?:半个?|[一二两三四五六七八九十0-9]{1,3}个?半?)"
    "(?:分钟|小时|钟头|刻钟|天)(?:再)?(?:开始|开|进行|举行|集合|出发)?[吧啊哈哦了]*[!~。]*$"
)
_PUT_OFF: Final = re.compile("(?:放|缓|拖|搁|留|推|改约|改订)(?:到|至)(?=$|再|去|做|弄|办|[,。!])")
_FALLS_THROUGH: Final = re.compile("[^,?]{2,12}(?:办|开|搞|弄|聚|去)不(?:成|了)了")


def deletes(heard: ClauseFeatures) -> bool:
    """Whether the clause orders something away."""
    if _NEWS.search(heard.text):
        return False
    if _SWITCHES_OFF.search(heard.text) and not _SWITCHED.search(heard.text):
        return False
    ordered = DELETE.search(heard.text) is not None and _NOT_DELETE.search(heard.text) is None
    return ordered or unneeded(heard) or _FALLS_THROUGH.search(heard.text) is not None


def unneeded(heard: ClauseFeatures) -> bool:
    """Whether the clause says that something need not be done any more."""
    return _NO_NEED.match(heard.rest) is not None


_DEFERS: Final = re.compile(
    "(?:先|就|都|暂时|暂且|干脆)?(?:搁|缓|放|停|等)(?:一)?(?:搁|缓|放|停|等)(?:吧|再说|着|$|[,。!])|(?:暂缓|待定|暂停(?!键)|暂不|另行通知|等通知|另定)"
    "|先(?:搁着|放着|搁置|不[一-鿿]|别[一-鿿])|再(?:定|议|说|看|约|商量|讨论时间|安排)(?:吧|了|啦|哈|呗|嘛|看)*[!~。]*$"
)


def defers(heard: ClauseFeatures) -> bool:
    """Whether something is left open (先搁一搁，下个月再定, 周五的聚餐先缓缓): nothing is kept of it."""
    return _DEFERS.search(heard.text.strip(" ,。!~")) is not None


def edits(heard: ClauseFeatures) -> bool:
    """Whether the clause orders something changed."""
    if corrects(heard):
        return False
    text = heard.text
    if "提前" in text or "提早" in text:
        text = _LEAD.sub("", text)
        text = "" if _LEAD_BEHIND.search(text) else text
    said = EDIT.search(text) is not None and _NOT_EDIT.search(text) is None
    return said or puts_off(heard) or moves_by(heard)


def moves_by(heard: ClauseFeatures) -> bool:
    """会晚半小时, 明天的会早一个小时开始: so much earlier or later, without a verb of moving."""
    return _BY.search(heard.body) is not None


def corrects(heard: ClauseFeatures) -> bool:
    """改试卷: something one does with a paper, which changes nothing that is kept."""
    return "会改" not in heard.text and _CORRECTS.fullmatch(heard.rest) is not None


def puts_off(heard: ClauseFeatures) -> bool:
    """整理发票先放到后天: put to a time, which is taken out of `body`."""
    return heard.body != heard.text and _PUT_OFF.search(heard.body) is not None


def nameless(clause: Clause, heard: ClauseFeatures) -> str | None:
    """`delete` or `edit` where the clause orders a change and names no thing, at most a position."""
    for verb, name in ((EDIT, "edit"), (DELETE, "delete")):
        found = verb.search(heard.body)
        if found is None or (name == "edit" and _NOT_EDIT.search(heard.text)):
            continue
        around = heard.body[: found.start()], heard.body[found.end() :]
        if all(_is_empty(part) for part in around) and not (name == "edit" and clause.amounts):
            says = clause.times or any(_ORDINAL.search(part) for part in around) or name == "delete"
            return name if says or ALL_EDIT.match(heard.body, found.start()) else None
    return None


def points(heard: ClauseFeatures) -> bool:
    """Whether a position is said (第二个, 最后一条, 全部)."""
    return _ORDINAL.search(heard.body) is not None


def snoozes(heard: ClauseFeatures) -> bool:
    """推迟20分钟, 晚点再提醒我: a length of time, or again, and no thing."""
    again = _SNOOZE_AGAIN.fullmatch(heard.body.strip(" ,。!~"))
    return again is not None or _SNOOZE.fullmatch(heard.text.strip(" ,。!~")) is not None


def _is_empty(text: str) -> bool:
    rest = _ORDINAL.sub("", text)
    found = _OBJECTLESS.match(rest)
    return found is None or not rest[found.end() :].strip(" ,。!~")


_CHANGING: Final = re.compile(rf"(?:{table('change.edit')}|标[成为记]|设[成为]|备注)(?:到|成|为|至|在)?")
_HANDLING: Final = re.compile(rf"^(?:{OPENING}|把|将|请|帮我|给|为|那个|这个|刚才的?|一下|下|的)*+")


def changed(heard: ClauseFeatures) -> str:
    """The words for what is to become something else, up to the verb; all where none stand before it."""
    found = _CHANGING.search(heard.text)
    if found is None or not bare(_HANDLING.sub("", heard.text[: found.start()], 1)):
        return heard.text
    return heard.text[: found.end()]


_DO: Final = (
    "买|交|写|寄|取|拿|还|缴|洗|打扫|打|整理|发|订|背|复习|提交|改|修|倒|预约|打印|充|喂|收拾|收|转|准备|联系|回复|回|送|领|报名|浇|遛"
    "|读|看|跑|练|做|弄|办|搞|拖|扫|擦|签|填|搬|约|传|剪|吃|喝|换|干|忙|学|听|抄|画|录|装|拆|扔|(?<=垃圾)丢|丢(?=垃圾)|晒|叠|熨"
)
_FINISHED: Final = (
    "做完|办完|弄完|搞完|干完|忙完|完成|搞定|办好|弄好|做好|办妥|处理完|处理好|解决|结束|ok|done"
)
_TOLD_SO: Final = "了|啦|咯|喽|嘞"
_DONE: Final = re.compile(
    rf"(?:已经|都|终于|我|把)*[^,?]{{0,20}}?(?:{_FINISHED})(?P<told>{_TOLD_SO})?"
    r"(?:,?我?(?:都|全部|全))?[!~。,吧哈]*"
)
_DONE_BY_DOING: Final = re.compile(
    rf"[^,?]{{0,12}}?(?:{_DO})(?:完|好|过|上|到|出去|掉)(?:(?:{_DO})?)(?:{_TOLD_SO})[!~。吧]*"
)
_DONE_FIRST: Final = re.compile(
    r"(?:我)?(?:已经|已|都|终于)?(?:(?:完成|搞定|办妥|解决|弄完|搞完|办完|做完)了?(?!的|度|率|后|之|吗|没)"
    rf"|(?:{_DO})(?:完|好)(?!像|吃))"
    rf"(?P<what>[^,?]{{1,16}}?)(?P<told>{_TOLD_SO})?[!~。吧哈]*"
)
"""完成了买菜, 写完报告了: what is done stands behind. Without 了 at either place it is an order to do it."""
_DONE_NAMED: Final = re.compile(
    rf"(?:{OPENING})*我?(?:把|已经?|都)*(?:完成|做完|办完|搞定|弄完|干完|勾掉|划掉)(?:了|掉)?(?!的|后|之|度|率)[^,?]{{0,20}}?"
    r"(?:任务|待办(?:事项)?)(?:了|吧|啦)?[!~。]*"
)
"""完成买菜的任务: a task that is there, also where its name holds a time."""
_COMPLETES: Final = re.compile(
    rf"(?:{OPENING})*(?:标记)?完成(?!的|度|率|得|后|不|情况|时间|任务$)[^,?要得]{{1,16}}[!~。]*"
)
"""完成买菜: an order to note it as done."""
_REWORDS: Final = re.compile("(?:描述|备注|说明|标题|名字|名称|内容)(?:改|换|设|写|更新)")
_FETCHED: Final = re.compile(
    r"[^,?]{1,12}?(?:已经|都)?(?:(?:取|拿|买|寄|送|领|还|交|发|提|接|搬|带)(?:回来|过去|出去|上去|回去|走)"
    r"|(?:吃|喝|喂|打|缴|浇|交|擦|洗|换)过|(?:办|拿|取|批|定|谈)下来|[^,?](?:交|寄|还|取|缴|领|洗))(?:了|啦)[!~。吧]*"
)
_DID_IT: Final = re.compile(
    rf"(?:我)?(?:的|把)?(?![他她它又被刚你我][^的])[^,?我你他她]{{1,10}}(?:我(?=已|都|[^的]{{1,2}}[了啦过]))?(?:已经?|都)?"
    rf"(?:{_DO})(?:了|啦|过了|过啦)[!~。吧]*"
)
"""妈妈的电话打了, 快递取了: the thing, then that it was done to."""
_SOFT_END: Final = re.compile("(?<=[了啦])[哈哦哟噢嘛哒~!。 ]+$")
_ALREADY: Final = re.compile(
    rf"(?:我)?(?:已经|已)(?:把|给[^,]{{1,8}}?|跟[^,]{{1,8}}?)?[^,?]{{0,8}}?(?:{_DO})[^,?]{{1,8}}(?:了|啦)[!~。吧]*"
)
_THROUGH: Final = re.compile(
    "[^,?我你他她]{1,10}[一-鿿](?<![说聊玩哭笑花用骂等下死])完(?:了|啦|咯|喽|嘞)[!~。吧]*"
)
"""发票理完了, 牙拔完了: gone through, whatever it is."""
_NOT_THINGS: Final = re.compile(
    "工资|奖金|病|心情|脾气|年纪|雨|雪|起来|睡|觉|下班|上班|回家|起床|出门|到家|出发|放假|迟到|又"
)
_NAMES_NOTHING: Final = re.compile(
    "又|^我?(?:都|已经?|也)?(?:吃|喝|聊|玩|听|看|学|干|忙)(?:完|好|过)?(?:了|啦)"
)
_NUMBERED: Final = re.compile("[0-9一二三四五六七八九十]号(?:任务|待办)")
_MARK_DONE: Final = re.compile(
    r"(?:标记?|设|标|改|算|勾)(?:为|成|上|记)?(?:已)?(?:完成|做完|搞定)"
    r"|勾掉|打个?勾|打个?钩|划掉|(?<![已未没])完成(?:任务|待办|第|[0-9])|^(?:搞定|做完|办完|完成|勾掉)了?第|(?:任务"
    r"|待办)[0-9一二三四五六七八九十]{1,2}(?:已)?完成"
    r"|完成打卡|(?:任务|待办)(?:已经?)?完成(?:了|啦)?[!。~]*$|(?:标记|标为|设为|改为|标成)[^,?]{1,16}为?(?:已)?完成"
)
_NOT_DONE: Final = re.compile(
    "才(?!做完$)|没|未|还不|不[用必需]|不[一-鿿]{1,2}了|不能|完不成|完成不了|完成度|完成率|怎么|就好了|如果|等"
    "|要是|(?<!已)完成(?!了|任务|待办|第|[0-9一-十]|$|啦|咯|吧|喽|[!~。,])|解决方案"
    "|结束了"
)
_STILL_TO_DO: Final = re.compile(
    "(?:要|得|必须|需要|务必|争取|尽快|尽量|赶紧|记得|该|别忘了?|打算|准备|计划|帮我|之前|以前)(?!求|是|紧|到|点|饭|水|药)"
)
"""我要把作业做完: what is to be done is not done."""


_OF_BOOKS: Final = re.compile(
    "(?:[那这哪几两]|刚才?|上|第?[一二三四五六七八九十0-9]+)一?笔|[记入]的?账|账单|流水"
)
"""把刚记的那笔划掉: of the books."""


def finishes(clause: Clause, heard: ClauseFeatures, named: bool, meeting: bool) -> bool | None:
    """Whether the clause says that something is done, and whether that is sure; None: it does not."""
    if heard.asks or heard.reported or heard.wished or heard.third or _OF_BOOKS.search(heard.text):
        return None
    if _DONE_NAMED.fullmatch(heard.text) and not heard.felt:
        return True
    numbered = _NUMBERED.search(heard.text) is not None
    if not numbered and (heard.ahead or any(one.kind == "deadline" for one in clause.times)):
        return None
    if _REWORDS.search(heard.text):
        return None
    if upcoming(clause) and re.match("我?(?:把|将)", heard.rest):
        return None  # 下午把阳台收拾了, said in the morning, is an order
    if _MARK_DONE.search(heard.text) and not heard.felt:
        return True
    if _COMPLETES.fullmatch(heard.text) and not clause.times and clause.situation.open_tasks:
        return False if clause.situation.addressed else None
    if heard.felt or _NOT_DONE.search(heard.text) or (clause.amounts and not named):
        return None
    line = _SOFT_END.sub("", heard.body.strip(" "))
    whole = _DONE.fullmatch(line)
    if whole is not None:
        to_do = _STILL_TO_DO.search(line) is not None or (whole["told"] is None and _orders_it(clause, line))
        return None if to_do else whole["told"] is not None or named
    if not clause.situation.addressed:
        return None
    return _finished_by_doing(clause, line, named, meeting)


def _orders_it(clause: Clause, line: str) -> bool:
    """今晚把作业做完, 把作业做完: without 了 it is an order to do it."""
    return bool(clause.times) or (
        re.match("我?(?:把|将)", line) is not None and not re.search("完成|搞定|ok|done", line)
    )


def _finished_by_doing(clause: Clause, line: str, named: bool, meeting: bool) -> bool | None:
    tasks = clause.situation.open_tasks
    first = _DONE_FIRST.fullmatch(line)
    told = first is not None and bool(first["told"] or re.search("了|已", line[: first.start("what")]))
    if told and not meeting:
        return named or tasks
    if not tasks or _STILL_TO_DO.search(line):
        return None
    if _NAMES_NOTHING.search(line):
        return None
    if _DONE_BY_DOING.fullmatch(line) or _FETCHED.fullmatch(line):
        return False
    if _THROUGH.fullmatch(line) and not meeting:
        return False
    did = _DID_IT.fullmatch(line) or _ALREADY.fullmatch(line)
    return False if did and not meeting and not _NOT_THINGS.search(line) else None
