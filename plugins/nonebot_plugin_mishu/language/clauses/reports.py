"""Reports and remarks in the shape of an order. Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern

_TOLD_OF_ONESELF: Final = Pattern("(?:^|[ ,])(?:我|俺)把[^,]{2,16}了(?:[ ,]|$)")
_GROUP: Final = Pattern("^(?:[^,我]{0,3} )?(?:都|全[^,]{0,3}都?|我们[^,]{0,2}都|大家)[^,我]{1,4}$")
"""Said to the others beside a plan: nobody joins by it."""
_DRAGS_ON: Final = Pattern(r"(.).{1,2}\1到")
"""A verb repeated with its result (开会开到十二点): a report, no order."""
_BEHIND: Final = Pattern("昨|前[天晚夜]|上个?(?:周|月|星期|礼拜)|去年|刚才")
_RELATIVE: Final = Pattern(
    "(?:开始|出发|到期|截止|会|团建|活动|考试|比赛|婚礼|生日)的?(?:前一|头一|前两|前三)[天晚]"
)


def tells_own_deed(text: str) -> bool:
    """True for 我把闹钟设成晚上七点了."""
    return _TOLD_OF_ONESELF.search(text) is not None


def speaks_for_all(text: str) -> bool:
    """True for 都来, said to the others."""
    return _GROUP.search(text) is not None


def drags_on(text: str) -> bool:
    """True for 开会开到十二点."""
    return _DRAGS_ON.search(text) is not None


def begins_in_past(text: str) -> bool:
    """True for a time that begins with a past day: 昨晚."""
    return _BEHIND.match(text) is not None


def counts_from_event(text: str) -> bool:
    """True for a day that only an event tells: 团建开始前一天晚上."""
    return _RELATIVE.search(text) is not None
