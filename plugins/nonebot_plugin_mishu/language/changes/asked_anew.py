"""A previous question repeated for another time: 下周呢 after 这周有什么安排, 上个月呢 after an amount.
Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from ..clause import Clause

LONGEST: Final = 24
"""Most characters of such a line."""
_LEADS: Final = Pattern(
    "(?:那么?|嗯|哦|噢|好的?|然后|还有|再|换成|帮我|给我|我|看一?下|看看|查一?下|查查"
    "|查(?![一查])|看(?![一看])|[ ,])*+"
)
_TRAILS: Final = Pattern(
    "(?:的|账|安排|日程|任务|有)?(?P<asks>呢|咧|捏|嘞|有没有|有吗|吗|怎么样|如何|[?？ 啊呀。~])*+"
)


def asked_anew(line: Clause, before: Clause) -> str | None:
    """The question `before` with the time of `line`; None for any other line."""
    if not line.times or len(line.text) > LONGEST:
        return None
    start, end = min(each.span[0] for each in line.times), max(each.span[1] for each in line.times)
    lead, trail = line.text[:start], _TRAILS.fullmatch(line.text, end)
    if _LEADS.fullmatch(lead) is None or trail is None:
        return None
    if not (trail["asks"] and trail["asks"].strip()) and "那" not in lead:
        return None
    said, text = line.text[start:end], before.text
    if not before.times:
        return f"{said}{text}"
    spans = sorted({span for each in before.times for span in each.spans})
    for first, last in reversed(spans[1:]):
        text = text[:first] + text[last:]
    first, last = spans[0]
    return text[:first] + said + text[last:]
