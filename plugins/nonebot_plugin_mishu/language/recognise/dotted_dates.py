"""Month and day with a point at the start of a clause (3.18交房租): a date before an activity, no amount.
Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern

DEED: Final = (
    "(?:一起)?(?:交(?!了)|缴(?!了)|聚(?!了)|带[娃孩我他她]|去(?!了|掉)|回[家校京国老]|开[会学业幕庭]|考试|期[中末]"
    "|面试|体检|复[查诊]|出发|到[货期岗]|放假|生日|过(?:生日|节)|结婚|婚礼|上[课班]|答辩|演[出唱]|团建|年会|搬家|打疫苗|起飞|截止|提交|汇报"
    "|培训|报到|入职|扫墓|春游|秋游|家长会|运动会|毕业|比赛|彩排|例会|组会|班会)"
)
"""Activities on a date, not small purchases (12.5早饭)."""
DOTTED_DATE: Final = Pattern(
    f"(?<![^,;。!?、\\s])(?P<month>0?[1-9]|1[0-2])\\.(?P<day>0?[1-9]|[12][0-9]|3[01])(?= ?{DEED}[^0-9]*$)"
)
"""No number behind: 2.15聚餐50 is an amount."""
