"""Orders about stored items: delete, edit, tick; and the item's name.

Shared by tasks and schedules: 改到后天 names neither, so both look here (product section 3, routing).
"""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..recognise.leads import LENGTH
from ..timing.reminder_leads import CALLS_AHEAD
from ..word_lists import table
from .features import OPENING, ClauseFeatures, bare

DELETE: Final = Pattern(table("change.delete"))
EDIT: Final = Pattern(table("change.edit"))
_NOT_DELETE: Final = Pattern("不要取消|别取消|不取消|没取消|别删|不要删|取消了[吗没]")
_NEWS: Final = Pattern("(?:航班|飞机|高铁|火车|动车|车次)(?:被|都)?取消了")
"""Cancellations by others (travel): news, not an order."""
_SWITCHES_OFF: Final = Pattern("关掉|停掉|拿掉")
_SWITCHED: Final = Pattern(table("tasks.noun", "schedule.noun") + "|提醒")
"""Things of ours that are switched off (关掉闹钟); others are activities (关掉热水器)."""
_NOT_EDIT: Final = Pattern(
    "改天|改革|改善|改变(?!时间|地点)|改进|修改意见|改论文|改作业|改简历"
    "|改方案|改ppt|改代码|改稿|改bug|改签|改装|改造|提前量|提前批|移动"
    "|移交|挪用|换成绩|提到过|挪威|推荐|移民|改文案|改图|改合同|改设计"
)
ALL_EDIT: Final = Pattern(
    "(?:改到|改成|改为|改至|改在|推迟|延后|延期|延到|顺延|提前到|提前|往前提"
    "|往后推|推到|挪到|调到|换到|移到|延长|缩短|改期|改时间)"
)
_OBJECTLESS: Final = Pattern(
    rf"(?:{OPENING}|把|将|帮我|这个|那个|它|刚才的|刚才那个|时间|任务|待办|日程|事情|事儿?|和|跟|、|都|给|我|一下|下|的|了|吧|啊|掉)*+"
)
_ORDINAL: Final = Pattern(
    "第?[一二两三四五六七八九十0-9]{1,2}[个项条件](?:的|任务|日程|待办)?"
    "|最后一?[个项条]|上一?[个项条]|前[一二两三2-9][个项条]|全部|所有的?"
    "|(?:半|[一二两三四五六七八九十0-9]{1,2})个?半?(?:分钟|小时|钟头|天|周|星期|礼拜|个?月)"
)
_SNOOZE_AGAIN: Final = Pattern(
    rf"(?:{OPENING})*(?:晚点儿?|晚些时候?|待会儿?|等会儿?|一会儿?|过会儿?|等下|回头|稍后|到时候?|下次)?(?:的?时候)?"
    "再(?:提醒(?:我|俺)?|(?:叫|喊)(?:我|俺))(?:一次|一下|一遍|一声)?(?:吧|啊|呗|哈)?"
)
"""晚点再提醒我, 明天早上再叫我一次: repeat without an item."""
_SNOOZE: Final = Pattern(
    r"(?:推迟|延后|延迟|晚|往后推|延|推后|顺延|(?:过|等)(?=.{2,8}再))(?:个|一下|上)?(?:半"
    r"|[一二两三四五六七八九十\d]{1,3})个?半?(?:分钟|小时|钟头|刻钟|min"
    r"|h|个小时)(?:后|以后|之后)?(?:再)?(?:提醒我?|叫我?|说)?(?:一下)?(?:吧"
    r"|啊|好了|呗|哈)?"
)


_LEAD: Final = Pattern(CALLS_AHEAD)
"""Reminder lead, not a change of a stored item."""
_LEAD_BEHIND: Final = Pattern(
    "(?:提醒|叫|喊|通知)(?:一下|一声)?(?:我|俺|咱们?|我们|大家)[^,]{2,30}[ ,]+(?:记得|请|要)?提前"
    f"{LENGTH}(?:吧|啊|哈|就行|就好|好了)*[!~。]*$"
)
"""提醒我两点面试，提前一小时: reminder lead of a new item."""


_NO_NEED: Final = Pattern(
    rf"(?:不用|不必|不需要|无需|用不着|甭)(?:再)?(?:去)?(?:{table('tasks.action')})[^,?]{{1,14}}了[吧啊哈]?$"
    rf"|[^,?我你他她]{{1,10}}(?:不用|不必|不需要|用不着)(?:再)?(?:去)?(?:{table('tasks.action')})了[吧啊哈]?$"
)
"""不用买牛奶了, 牛奶不用买了: planned action no longer needed."""


_CORRECTS: Final = Pattern("改(?![到成为至在期变名时地一下个约订回掉])[^到成为至,改]{1,6}")
_BY: Final = Pattern(
    "[^ ,最太早晚](?:要|得|就|先)?[早晚](?:个|上)?(?:半个?|[一二两三四五六七八九十0-9]{1,3}个?半?)"
    "(?:分钟|小时|钟头|刻钟|天)(?:再)?(?:开始|开|进行|举行|集合|出发)?[吧啊哈哦了]*[!~。]*$"
)
_PUT_OFF: Final = Pattern("(?:放|缓|拖|搁|留|推|改约|改订)(?:到|至)(?=$|再|去|做|弄|办|[,。!])")
_FALLS_THROUGH: Final = Pattern("[^,?]{2,12}(?:办|开|搞|弄|聚|去)不(?:成|了)了")


def deletes(heard: ClauseFeatures) -> bool:
    """True if the clause has a delete order, an unneeded action, or 泡汤 and the like."""
    if _NEWS.search(heard.text):
        return False
    if _SWITCHES_OFF.search(heard.text) and not _SWITCHED.search(heard.text):
        return False
    ordered = DELETE.search(heard.text) is not None and _NOT_DELETE.search(heard.text) is None
    return ordered or unneeded(heard) or _FALLS_THROUGH.search(heard.text) is not None


def unneeded(heard: ClauseFeatures) -> bool:
    """True if the clause says that an action is no longer needed."""
    return _NO_NEED.match(heard.rest) is not None


def edits(heard: ClauseFeatures) -> bool:
    """True if the clause has a change order, and no correction of papers."""
    if corrects(heard):
        return False
    text = heard.text
    if "提前" in text or "提早" in text:
        text = _LEAD.sub("", text)
        text = "" if _LEAD_BEHIND.search(text) else text
    said = EDIT.search(text) is not None and _NOT_EDIT.search(text) is None
    return said or puts_off(heard) or moves_by(heard)


def moves_by(heard: ClauseFeatures) -> bool:
    """会晚半小时, 明天的会早一个小时开始: shift without a change verb."""
    return _BY.search(heard.body) is not None


def corrects(heard: ClauseFeatures) -> bool:
    """改试卷: marking papers, no change order."""
    return "会改" not in heard.text and _CORRECTS.fullmatch(heard.rest) is not None


def puts_off(heard: ClauseFeatures) -> bool:
    """整理发票先放到后天: moved to a time, which is not in `body`."""
    return heard.body != heard.text and _PUT_OFF.search(heard.body) is not None


def nameless(clause: Clause, heard: ClauseFeatures) -> str | None:
    """`delete` or `edit` for a change order without an item name (a position is allowed)."""
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
    """True for a position (第二个, 最后一条, 全部)."""
    return _ORDINAL.search(heard.body) is not None


def snoozes(heard: ClauseFeatures) -> bool:
    """推迟20分钟, 晚点再提醒我: length of time or 再, without an item."""
    again = _SNOOZE_AGAIN.fullmatch(heard.body.strip(" ,。!~"))
    return again is not None or _SNOOZE.fullmatch(heard.text.strip(" ,。!~")) is not None


def _is_empty(text: str) -> bool:
    rest = _ORDINAL.sub("", text)
    found = _OBJECTLESS.match(rest)
    return found is None or not rest[found.end() :].strip(" ,。!~")


_CHANGING: Final = Pattern(rf"(?:{table('change.edit')}|标[成为记]|设[成为]|备注)(?:到|成|为|至|在)?")
_HANDLING: Final = Pattern(rf"^(?:{OPENING}|把|将|请|帮我|给|为|那个|这个|刚才的?|一下|下|的)*+")


def changed(heard: ClauseFeatures) -> str:
    """Words of the new value, up to the verb; all without one."""
    found = _CHANGING.search(heard.text)
    if found is None or not bare(_HANDLING.sub("", heard.text[: found.start()], 1)):
        return heard.text
    return heard.text[: found.end()]
