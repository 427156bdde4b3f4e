"""What a new thing is called, and how long it lasts, as its order says it. Pure.

`timeparse.title` takes times, order words and courtesies off a sentence. Behind it stand here the words that
only an order to a secretary has around the thing: who is told, that it is to be noted, how urgent it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..text import NUMERAL, parse_decimal
from ..timeparse import TimeExpression, title

_ONE: Final = "(?:一?[下个条场次项]|上)"
_NOTE: Final = f"(?:记录?|登记|备注|安排|通知)(?:{_ONE}|着|住|好)"
_MENTIONED: Final = re.compile(" *@(?P<name>[^ ,:@]{1,20})[ ,:]+")
_OPENINGS: Final = re.compile(
    "^(?>"
    "(?:请|让|叫|给|提醒|通知|麻烦)?@[^ ,:@]{1,20}[ ,:]+"
    "|(?:给(?:他|她|ta))?(?:派|布置|安排|交代)一?个(?:活儿?|任务|事儿?)[ ,:]+"
    f"|(?:在|往)?群里(?:面)?{_NOTE}[ ,:]+|{_NOTE}[ ,:]+"
    "|(?:记|有|加)一?[个件](?:事儿?|事情)[ ,:]+"
    "|(?:建|加|记|新建|添加)[两二三四五六七八九十几0-9]{1,2}[个条项](?:待办|任务|日程)[:, ]+"
    "|[啊哦呀哈吧嗯]+[ ,]+"
    "|(?:千万)?(?:别|不要)[让给]我忘(?:了|记)?[ ,]*"
    "|(?:还有|另外|顺便|再就是)(?![一-鿿]{0,2}[天个周月])"
    "|(?:再|也|都|又|各)*(?:提醒|叫|喊)(?:一下|一声)?(?:我|俺|咱们?|我们)(?:一[下声次遍])?[ ,]*(?=.)"
    "|(?:以后|往后|今后|从今以后)(?:都|就|改)?(?=[^ ,]{2})"
    "|(?:再|也|还|先)(?=[加建来]一?[个场次])"
    "|(?:还|再|又|也)?有一?[个场次件条](?!月|星期|礼拜|小时|钟头|人|多)(?=[^ ,]{2})"
    ")+"
)
_CLOSINGS: Final = re.compile(
    f"(?:(?<=[^ ,发送递交拿寄带转打借还传留让教讲看说])给(?:我|我们|俺)|[ ,]+你"
    f"|[ ,]+(?:走起|搞起|约起来?|冲鸭?|安排上)"
    f"|[ ,]+(?:你|麻烦)?(?:帮我|给我|替我|帮忙)?{_NOTE}(?:来|吧|啊|哈)*"
    f"|(?:给|帮|替)(?:我|我们|俺)(?:记录?|登记|备注)(?:{_ONE}|着|住|好)?"
    "|[ ,]+(?:请|麻烦|帮忙|帮我|给我|你)*(?:加|写|放|记|列|挂|排|登|录|安排)(?:到|进|入|上|个|在)?"
    "(?:群里的?|我的)?(?:日程|日历|任务|待办|清单|备忘录?)(?:里面?|中|表|上|吧)*"
    "|[ ,]+我来?(?:讲|主讲|主持|负责|组织|带队|牵头|张罗|安排|请客?)"
    "|[ ,]+(?:一个都|谁都|都|千万|一定|大家|准时|请|也)*(?:别|不许|不要|不准|不能|勿)"
    "(?:迟到|缺席|早退|吵我?|打扰我?|忘记?|放鸽子)了?"
    "|[ ,]+(?:准时)?(?:到|开始|集合|见|出发)(?:就行|就好)?"
    "|[ ,]+(?:记得|别忘了?|到时候?)?(?:提醒|通知|告诉)(?:一下|一声)?(?:大家|所有人|全员|全体|各位|一下)"
    ")$"
)
_INSIDE: Final = re.compile("(?<=[^ ,])(?:给|帮|替)(?:我|我们|俺)(?:记录?|登记|备注)(?:一?下|着|上)?(?=[ ,])")
_NEW_ONE: Final = re.compile(
    "(?:请|麻烦|帮忙?|给|我们?|群里?|再|先|也|还|要)*(?:新建|新增|新加|添加|增加|创建|加|建|来|定|约|排|记|安排)(?:上|下)?"
    "(?:一?[个条场]|(?=新))(?:新的?)?的?[吧啊呀哈]*"
)
"""再新建一个: nothing is said of what it is."""


def named(text: str, times: Sequence[TimeExpression]) -> str:
    """What a new thing is called; empty where nothing says it."""
    words, before = title(text, times), None
    mentioned = _MENTIONED.match(text)
    if mentioned is not None and words.startswith(mentioned["name"]):
        words = words[len(mentioned["name"]) :].lstrip(" ,:")
    while words != before:
        before = words
        words = _CLOSINGS.sub("", _INSIDE.sub("", _OPENINGS.sub("", words, 1)))
        words = title(words, ()) if words != before else words
    return "" if _NEW_ONE.fullmatch(words) else words


def names_nothing(words: str) -> bool:
    """Whether an order makes something new and does not say what (再新建一个)."""
    return _NEW_ONE.fullmatch(words.strip(" ,。!~")) is not None


_DOING: Final = "(?:开|打|睡|玩|聊|练习?|学习?|写|看|做|跑|忙|讲|讨论|排练|复习)"
_LASTS: Final = re.compile(
    f"(?:[ ,]+{_DOING}?|(?<=[^ ,]{{2}})(?<![前迟后晚早隔每过再延提第短长等了共约到])"
    f"(?:{_DOING}(?=[0-9一两俩二三四五六七八九十半]))?)"
    "(?:大概|大约|差不多|预计|持续|需要|一共|时长|约|要|就)*:?"
    rf"(?:(?P<half>半)个?|(?P<number>\d{{1,3}}(?:\.5)?|俩|{NUMERAL})个?(?P<more>半)?)"
    "(?P<unit>小时|钟头|分钟|刻钟)(?P<tail>半)?"
    "(?:左右|吧|的?样子|就够了?|就行|就好|结束)*$"
)
"""How long it takes, said last: 开会，两个小时; 健身一个半小时."""
_LONGEST: Final = 1440


def lasting(text: str) -> tuple[int, int] | None:
    """Where the words begin that say at the end of a text how long something takes, and the minutes."""
    found = _LASTS.search(text, max(0, len(text) - 24))
    if found is None:
        return None
    unit = {"小": 60, "钟": 60, "分": 1, "刻": 15}[found["unit"][0]]
    if found["half"]:
        return found.start(), unit // 2
    number = 2 if found["number"] == "俩" else parse_decimal(found["number"])
    if number is None:
        return None
    minutes = int(number * unit) + (unit // 2 if found["more"] or found["tail"] else 0)
    return (found.start(), minutes) if 0 < minutes < _LONGEST else None
