"""Names of roster turns: member and duty (小王值日). Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from ..word_lists import table

DUTY: Final = Pattern(table("roster.duty"))
TIES: Final = " ,，、;；。:：|/-"
"""Separators of name and day."""
LONGEST_NAME: Final = 4
"""Most characters of a member's name in a roster."""
_NO_NAME: Final = Pattern("请假|出差|生日|加班|有事|休|来$|去|会议|放假|没空|回家")
_COUNTED: Final = Pattern("[一二三四五六日](?![哥姐叔姨妹弟伯])")


def is_member_name(who: str) -> bool:
    """True if words beside a duty may be a member's name (小王), not a remark (小王请假)."""
    if _COUNTED.match(who) is not None or _NO_NAME.search(who) is not None:
        return False  # 每周一三|五小王
    return 0 < len(who) <= LONGEST_NAME and not any(each in TIES or each.isdigit() for each in who)


def taken_over(description: str, said: str) -> str:
    """Name of a turn with another member: 小张 for 小李值日 is 小张值日; unchanged if no turn."""
    duty = DUTY.search(description)
    if duty is None or duty.end() != len(description) or DUTY.search(said) is not None:
        return said
    before = description[: duty.start()]
    return f"{said}{duty.group()}" if is_member_name(before) and is_member_name(said) else said
