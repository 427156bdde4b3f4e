"""Lines about quiet hours: 安静时段 23:00–8:00, 我的安静时段取消, 安静时段是几点. Pure; whole lines only."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import time
from typing import Final, Literal

from ...patterns import Pattern
from ..recognise.numerals import parse_integer
from ..text.fold import normalise

QuietDoes = Literal["set", "clear", "show"]
_DAY: Final = "(?:晚上?|夜里|夜间|半夜|深夜|凌晨|早上?|清晨|上午|中午|下午|次日|第二天|每天|当天)"
_NUMBER: Final = "(?:[0-9]{1,2}|[零一二两三四五六七八九十]{1,3})"
_CLOCK: Final = f"{_DAY}{{0,2}}{_NUMBER}(?:[:点时](?:[0-9]{{2}}|半|{_NUMBER}分?|整)?钟?)?"
_SPAN: Final = f"(?P<from>{_CLOCK})(?:以后|之后|开始)? *(?:-|–|—|~|到|至)+ *(?P<to>{_CLOCK})"
_NAMES: Final = (
    "(?:安静|免打扰|勿扰|静音|静默|不打扰|勿打扰)(?:的)?(?:时段|时间段?|时刻|模式|时候)|免打扰|勿扰"
)
_NAME: Final = f"(?:{_NAMES})"
_MINE: Final = "(?P<mine>(?:给我|把)?(?:我自己的?|我个人的?|我的|我))?"
_HEAD: Final = (
    "(?:请|麻烦|设个|设一个|加个|弄个|搞个|帮我|帮忙|帮|给|把|将|那|就|我想|我要|想|要|现在|每天|以后|平时|群里?的?|本群的?|这个群的?"
    "|[, :])*+"
)
_TAIL: Final = "(?:吧|啊|呀|哈|哦|了|谢谢|就行|好了|之间|这段时间|[,。!~ ])*+"
_SETS: Final = "(?:设置?|设定|改|定|调)?(?:一下)?(?:成|为|到|在|是|:|,)? {0,3}"
_SET: Final = (
    Pattern(f"{_HEAD}(?:(?:设置?|改|定){_HEAD})?{_MINE}{_NAME} {{0,3}}{_SETS}{_SPAN}{_TAIL}"),
    Pattern(f"{_HEAD}{_SPAN} *(?:设|定|算)?(?:成|为|是|当)?{_MINE}{_NAME}{_TAIL}"),
)
_LEAVE: Final = Pattern(
    f"{_HEAD}(?:{_NAME}[, ]*)?我?(?:每天|以后|平时)?{_SPAN}"
    "(?:都|要|得|在)?(?:睡觉|睡|休息|上课|上班)?[, ]*(?:都|请)?(?:别|不要|不许|甭|莫)(?:再)?"
    "(?:在?(?:这|那)(?:个?点儿?|段时间|会儿|个?时段|个?时候|期间))?"
    f"(?:打扰|吵吵|吵|烦|艾特|@|催|叫|喊|来烦|来吵)(?P<whom>我们|大家|我|群里)?{_TAIL}"
)
_LATE_ON: Final = Pattern(
    f"{_HEAD}(?P<mine>我)?(?:每天|平时)?(?P<from>(?=晚|夜|半夜|深夜){_CLOCK})(?:以后|之后|后|起)"
    "[, ]*(?:都|请)?(?:别|不要|不许|甭|莫)(?:再)?"
    f"(?:打扰|吵|烦|艾特|@)(?P<whom>我们|大家|我|群里)?{_TAIL}"
)
"""Quiet from a clock on, without an end: 我晚上十点以后别打扰我."""
_AWAY: Final = "(?:取消|关掉|关闭|删掉|删除|清除|清空|去掉|不要|撤掉|不用|关|删)(?:掉|了)?"
_CLEAR: Final = (
    Pattern(f"{_HEAD}{_AWAY}{_MINE}{_NAME}{_TAIL}"),
    Pattern(f"{_HEAD}{_MINE}{_NAME} *(?:都)?{_AWAY}{_TAIL}"),
)
_SHOW: Final = Pattern(
    f"{_HEAD}(?:看看|查一下|看一下|查)?{_MINE}{_NAME} ?(?:现在)?(?:是|在|设|定)?(?:的)?"
    "(?:几点|什么时候|啥时候|多少|哪段|怎么设的|几点到几点|从几点到几点|什么|啥|啥时段|多久)?"
    "(?:到几点)?[吗呢?。 ]{0,4}"
)


@dataclass(frozen=True, slots=True)
class QuietOrder:
    """An order about quiet hours. `start` and `end` where they are set; alike they are none."""

    does: QuietDoes
    mine: bool = False
    start: time | None = None
    end: time | None = None


def quiet_order(text: str, names: Collection[str] = ()) -> QuietOrder | None:
    """The order of a line; None for any other."""
    line = normalise(text).strip()
    for name in names:
        line = line.replace(normalise(name), "")
    line = line.strip(" ,@:")
    if not 2 < len(line) <= _LONGEST:
        return None
    for pattern in (*_SET, _LEAVE):
        found = pattern.fullmatch(line)
        if found is None:
            continue
        start, end = _stretch(found["from"], found["to"])
        if start is None or end is None:
            return None
        mine = found["whom"] == "我" if pattern is _LEAVE else found["mine"] is not None
        return QuietOrder("set", mine, start, end)
    late = _LATE_ON.fullmatch(line)
    if late is not None and (start := _clock(late["from"])) is not None:
        mine = late["whom"] == "我" or (late["mine"] is not None and late["whom"] is None)
        return QuietOrder("set", mine, start, _MORNING)
    for pattern in _CLEAR:
        if (found := pattern.fullmatch(line)) is not None:
            return QuietOrder("clear", found["mine"] is not None)
    found = _SHOW.fullmatch(line)
    return None if found is None else QuietOrder("show", found["mine"] is not None)


_LONGEST: Final = 40
_MORNING: Final = time(8)
"""End of quiet hours of which only the begin is said, as of the usual ones."""
_PARTS: Final = Pattern(
    f"(?P<day>{_DAY}{{0,2}})(?P<hour>{_NUMBER})(?:[:点时](?:(?P<half>半)|(?P<minute>[0-9]{{2}}|{_NUMBER})?分?|整)钟?)?"
)
_LATE: Final = ("晚", "夜", "下午")


def quiet_amended(text: str, before: QuietOrder, names: Collection[str] = ()) -> QuietOrder | None:
    """`before` with what a line right behind it says of its ends: 是半夜十二点, 不对 是到八点; None for any
    other line."""
    line = normalise(text).strip()
    for name in names:
        line = line.replace(normalise(name), "")
    found = _AMENDS.fullmatch(line.strip(" ,@:"))
    if found is None or before.start is None or before.end is None:
        return None
    if found["from"] is not None:
        start, end = _stretch(found["from"], found["to"])
        return None if start is None or end is None else replace(before, start=start, end=end)
    at = _clock(found["at"])
    if at is None:
        return None
    # 是半夜十二点 means the end that has this clock, in whichever half of the day.
    ends = found["end"] is not None or (
        not _same_dial(at, before.start)
        and (_same_dial(at, before.end) or any(map(found["at"].__contains__, _EARLY)))
    )
    return replace(before, end=at) if ends else replace(before, start=at)


def _same_dial(one: time, other: time) -> bool:
    return (one.hour % _HALF, one.minute) == (other.hour % _HALF, other.minute)


_AMENDS: Final = Pattern(
    "(?:(?:不对|不是|错了|说错了|打错了|搞错了|我说的|我的意思|应该|,| )+)?(?:是|改成|要|就是)"
    f"(?:{_SPAN}|(?P<end>到|至)?(?P<at>{_CLOCK})(?:开始|起)?){_TAIL}"
)
_EARLY: Final = ("早", "清晨", "上午", "次日", "第二天")
_HALF: Final = 12


def _stretch(begins: str, ends: str) -> tuple[time | None, time | None]:
    """Both ends. A bare clock of words is of the half of the day in which the hours are no longer than
    twelve: 十二点到七点 and 十一点到八点 begin at night, 下午一点到三点 ends in the afternoon."""
    start, end = _clock(begins), _clock(ends)
    if start is None or end is None or start == end:
        return start, end
    bare_start, bare_end = (_BARE.fullmatch(each) is not None for each in (begins, ends))
    if bare_start and bare_end and start.hour == _HALF and end.hour <= _NAP:
        return start, _other_half(end)  # 十二点到两点, at noon
    if bare_start and start.hour <= _HALF and _hours(start, end) > _HALF:
        start = _other_half(start)
    if bare_end and end.hour <= _HALF and _hours(start, end) > _HALF:
        end = _other_half(end)
    return start, end


_BARE: Final = Pattern("(?!.*:)(?:[0-9]|[零一二两三四五六七八九十]).*")
"""A clock that names no part of the day, in words (十二点) and not as a clock of 24 hours (12:00)."""
_NAP: Final = 3


def _other_half(at: time) -> time:
    return at.replace(hour=(at.hour + _HALF) % 24)


def _hours(start: time, end: time) -> float:
    length = (end.hour - start.hour) * 60 + end.minute - start.minute
    return (length % (24 * 60)) / 60


def _clock(words: str) -> time | None:
    found = _PARTS.fullmatch(words)
    if found is None:
        return None
    hour = parse_integer(found["hour"])
    minute = 30 if found["half"] else parse_integer(found["minute"] or "0")
    if hour is None or minute is None or hour > 24 or minute > 59:
        return None
    late = any(word in found["day"] for word in _LATE)
    if late and hour < 12 and not ("夜" in found["day"] and hour < 6):
        hour += 12
    if "中午" in found["day"] and hour < 5:
        hour += 12
    return time(0 if hour == 24 or (late and hour == 12 and "下午" not in found["day"]) else hour, minute)
