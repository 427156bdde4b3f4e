"""Reports and remarks in the shape of an order. Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import begins, holds

tells_own_deed: Final = holds("(?:^|[ ,])(?:我|俺)把[^,]{2,16}了(?:[ ,]|$)")
"""True for 我把闹钟设成晚上七点了."""
speaks_for_all: Final = holds("^(?:[^,我]{0,3} )?(?:都|全[^,]{0,3}都?|我们[^,]{0,2}都|大家)[^,我]{1,4}$")
"""True for 都来, said to the others beside a plan: nobody joins by it."""
drags_on: Final = holds(r"(.).{1,2}\1到")
"""True for a verb repeated with its result (开会开到十二点): a report, no order."""
begins_in_past: Final = begins("昨|前[天晚夜]|上个?(?:周|月|星期|礼拜)|去年|刚才")
"""True for a time that begins with a past day: 昨晚."""
counts_from_event: Final = holds(
    "(?:开始|出发|到期|截止|会|团建|活动|考试|比赛|婚礼|生日)的?(?:前一|头一|前两|前三)[天晚]"
)
"""True for a day that only an event tells: 团建开始前一天晚上."""
