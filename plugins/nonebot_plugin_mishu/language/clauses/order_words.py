"""Words by which a clause orders something, whatever it is. Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from .features import LONGEST, OPENING, tells

_ORDERS_US: Final = Pattern(
    "(?:帮|替|给)(?:我们|我|忙|个忙)(?!们|讲|说|唱|发|看|买|打|的|还|送)|麻烦你|拜托你"
    f"|^(?:{OPENING})*[再也并]?(?:把|将)[^,。!?]{{1,12}}|(?:处理|办理|搞定|安排|操作|登记|预约|申请|办)(?:一下|下|掉|了吧|吧|好)"
    "|(?:弄|搞|改|换|调|订|定|记|加|删)(?:一下|下)(?!子|来|午|周|班|课)"
)
"""Orders to us, whatever their content."""
_STRONG: Final = Pattern(
    "提醒|记(?:一?下|账|一笔|上|个|到)|任务|待办|日程|日历|闹钟|安排|帮我|帮忙|账单|流水|取消|撤销|撤回|删[除掉]|改[到成为]|推迟|提前|挪"
    "|参加|报名|[+加]1|我也?去|我不去|完成"
)
_ORDERS_ONE: Final = Pattern("提醒|[叫喊]我|记[一个上到下住]|[加建订定][一个上到]|新[增建]|安排|帮我|别忘")
_REMINDS: Final = Pattern("提醒|叫我|喊我|叫一下|别忘|闹钟|remind")


def orders_us(line: Clause) -> bool:
    """True if the line orders something of us, whatever it is (帮我安排一下明天的那个)."""
    text = line.text[:LONGEST].lower()
    return line.situation.addressed and _ORDERS_US.search(text) is not None and not tells(text)


def has_order_word(text: str) -> bool:
    """True if a text has a word of orders to us, which talk among members has seldom."""
    return _STRONG.search(text) is not None


def orders_one(text: str) -> bool:
    """True if a text orders something new."""
    return _ORDERS_ONE.search(text) is not None


def speaks_of_reminding(text: str) -> bool:
    """True if a text has a word of reminding."""
    return _REMINDS.search(text) is not None
