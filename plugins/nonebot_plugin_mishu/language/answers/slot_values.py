"""Values that an answer names, for slots of any agent: a day, a clock, a number, a sum, a member. Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..recognise.numerals import INTEGER, parse_integer
from ..recognise.times import names_day

_NUMBER: Final = Pattern(rf"(?<![A-Za-z0-9.]){INTEGER}(?![A-Za-z0-9.])")
_ORDINAL: Final = "第"


def day_in(clause: Clause) -> str | None:
    """The first day that is named, as `YYYY-MM-DD`; a clock alone (下午三点) names none."""
    found = next((each for each in clause.times if each.date is not None and names_day(each.text)), None)
    return None if found is None or found.date is None or found.invalid else found.date.isoformat()


def clock_in(clause: Clause) -> str | None:
    """The first clock that is named, as `HH:MM`. 三点 without a half of the day is as it was said."""
    found = next((each.start for each in clause.times if each.start is not None), None)
    return None if found is None else found.strftime("%H:%M")


def number_in(clause: Clause) -> int | None:
    """The number that is named beside times (五个, 12份); None where there is none, or more than one."""
    text = list(clause.text)
    for time in clause.times:
        for start, end in time.spans:
            text[start:end] = " " * (end - start)
    line = "".join(text)
    read = [
        parse_integer(found.group(0))
        for found in _NUMBER.finditer(line)
        if not line[: found.start()].endswith(_ORDINAL)
    ]
    values = [each for each in read if each is not None]
    return values[0] if len(values) == 1 else None


def amount_in(clause: Clause) -> str | None:
    """The first sum that is named, in yuan, as a decimal."""
    found = next((each.yuan for each in clause.amounts if each.currency == "CNY"), None)
    return None if found is None else str(found)


def member_in(clause: Clause) -> str | None:
    """The user id of the member who is mentioned with an @, else of the one whose name stands in the line;
    None where there is none, or several."""
    where = clause.situation
    named = [one for one in where.members if len(one.name) > 1 and one.name in clause.text]
    longest = [one for one in named if not any(one.name in other.name for other in named if other is not one)]
    found = {one.user_id for one in where.mentions or longest}
    return next(iter(found)) if len(found) == 1 else None
