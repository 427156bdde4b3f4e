"""Lead times before an event: 产检前一天晚上, 周会前十分钟叫我带电脑. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ...patterns import Pattern
from .numerals import NUMERAL, parse_integer

LENGTH: Final = (
    rf"(?>半个?(?:小时|钟头|钟(?!头)|天|月)|(?:俩|仨|\d{{1,4}}(?:\.\d)?|{NUMERAL})"
    "个?半?(?:分钟?|小时|钟头|刻钟?|天|周|星期|礼拜)半?)"
)
"""Any length: 十分钟, 一个半小时, 两小时半, 三刻钟, 半天, 一周."""
_COUNT: Final = rf"(?P<count>\d{{1,2}}|俩|{NUMERAL})"
_WORD: Final = "[^,，。;；:：!！?？ ]"
_DAYS: Final = Pattern(
    rf"(?P<thing>{_WORD}{{0,16}}?)(?:的|之)?(?:提前|前面?|头)"
    rf"(?:{_COUNT}个?天|一?[天日](?=[的,， ]?$))[的,， ]?$"
)
_NIGHT: Final = Pattern(rf"(?P<thing>{_WORD}{{0,16}}?)(?:的|之)?(?:前|头)一?$")
"""面试前一晚九点, 头晚十点: the part of the day is itself the unit."""
_LONE: Final = Pattern(
    rf"(?P<thing>{_WORD}{{2,16}}?)(?:的|之)?(?:提?前|之前|以前|头)(?P<length>{LENGTH})[,， ]?"
    r"(?=(?:记得|请|再|就)?(?:提醒|叫|喊|通知)(?:一下|一声)?"
    r"(?:我们?|大家|所有人|咱们?)[^ ,，。!！吧啊哈呀了一就下哦呗即])"
)
_SAID: Final = Pattern(rf"(?:提前|前面?|头)(?:(?:\d{{1,2}}|俩|{NUMERAL})个?天|一?(?:[天日]|[晚夜]))")
_OPENS: Final = Pattern(
    "^(?:请|麻烦|帮我|记得|那|就|再|到时候?|要|我们?|咱们?|在|等|把|于|从|每次|每回|你|给)+"
)
_TWO_DAYS_AGO: Final = Pattern("大?前[天日][,， ]?$")
_NIGHTS: Final = ("晚", "夜")


@dataclass(frozen=True, slots=True)
class Lead:
    """Length of time before `thing`, which may be empty; from `start`, the begin of the thing, to `end`."""

    thing: str
    start: int
    end: int
    length: str = ""
    days: int = 0
    """In days, before a part of the day."""


def days_before(head: str, clock: str) -> Lead | None:
    """Lead at the end of the text before a clock time or part of the day (产检前一天 | 晚上)."""
    found, days = _DAYS.search(head), 1
    if found is not None and found["count"]:
        days = 2 if found["count"] == "俩" else parse_integer(found["count"]) or 0
    elif found is not None and _TWO_DAYS_AGO.search(head) is not None:
        return None  # 前天晚上
    elif found is None and clock.startswith(_NIGHTS):
        found = _NIGHT.search(head)
    if found is None or not days:
        return None
    thing = _named(found["thing"])
    return Lead(thing, found.start() + len(found["thing"]) - len(thing), found.end(), days=days)


def lone_leads(text: str) -> Iterator[Lead]:
    """Leads without a clock time behind."""
    for found in _LONE.finditer(text):
        thing = _named(found["thing"])
        start = found.start() + len(found["thing"]) - len(thing)
        yield Lead(thing, start, found.end(), length=found["length"])


def says_a_lead(words: str) -> bool:
    """True if a time is counted back from an event."""
    return _SAID.search(words) is not None


def _named(words: str) -> str:
    return _OPENS.sub("", words)
