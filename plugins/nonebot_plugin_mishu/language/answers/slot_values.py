"""Slot values in an answer, for any agent: day, clock time, number, amount, member. Pure."""

from __future__ import annotations

from typing import Any, Final

from ...patterns import Pattern
from ..clause import Clause
from ..recognise.numerals import INTEGER, parse_integer
from ..recognise.times import names_day
from ..text.fold import normalise

_NUMBER: Final = Pattern(rf"(?<![A-Za-z0-9.]){INTEGER}(?![A-Za-z0-9.])")
_ORDINAL: Final = "第"
_TRAILING: Final = Pattern(r"[\s,，.。!！?？~～、:：;；的吧呢啊哦呀在是有大概约就]+")


def day_in(clause: Clause) -> str | None:
    """First date, as `YYYY-MM-DD`; none for a clock time alone (下午三点)."""
    found = next((each for each in clause.times if each.date is not None and names_day(each.text)), None)
    return None if found is None or found.date is None or found.invalid else found.date.isoformat()


def clock_in(clause: Clause) -> str | None:
    """First clock time, as `HH:MM`. 三点 without a half of the day stays as written."""
    found = next((each.start for each in clause.times if each.start is not None), None)
    return None if found is None else found.strftime("%H:%M")


def number_in(clause: Clause) -> int | None:
    """The number beside times (五个, 12份); None for none, or several."""
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
    """First amount, in yuan, as a decimal."""
    found = next((each.yuan for each in clause.amounts if each.currency == "CNY"), None)
    return None if found is None else str(found)


def member_in(clause: Clause) -> str | None:
    """User id of the member with an @, else by name in the line; None for none, or several."""
    where = clause.situation
    named = [one for one in where.members if len(one.name) > 1 and one.name in clause.text]
    longest = [one for one in named if not any(one.name in other.name for other in named if other is not one)]
    found = {one.user_id for one in where.mentions or longest}
    return next(iter(found)) if len(found) == 1 else None


def is_value_alone(clause: Clause, value: Any) -> bool:
    """True if the clause holds the value and nothing else."""
    text = _TRAILING.sub("", clause.text)
    if isinstance(value, str) and _TRAILING.sub("", normalise(value)) == text:
        return True
    rest = list(clause.text)
    spans = [span for time in clause.times for span in time.spans]
    spans += [(amount.start, amount.end) for amount in clause.amounts]
    for start, end in spans:
        rest[start:end] = " " * (end - start)
    return bool(spans) and not _TRAILING.sub("", "".join(rest))
