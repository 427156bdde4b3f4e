"""Several things in one clause, each on a day of its own (周一语文考试，周二数学考试). Pure."""

from __future__ import annotations

import re
from typing import Final

from ..clause import Clause
from ..reading import words_of
from ..recognise.times import names_day, parse

_BETWEEN: Final = " ,、;"
_THING: Final = re.compile("[^ ,、;。!?0-9]{2,16}")
_NOUNS: Final = frozenset({"occasion", "hui", "personal", "plan_noun"})
_LEAST: Final = 2


def each_on_its_day(clause: Clause) -> tuple[Clause, ...]:
    """A clause for each of the things; none where anything but a name of one stands between two days."""
    text, days = clause.text, clause.times
    if len(days) < _LEAST or clause.amounts:
        return ()
    found: list[str] = []
    for at, each in enumerate(days):
        once = each.recurrence is None and each.end_date is None and each.invalid is None
        if not (once and names_day(each.text) and len(each.spans) == 1):
            return ()
        start, end = each.span[1], days[at + 1].span[0] if at + 1 < len(days) else len(text)
        thing = text[start:end].strip(_BETWEEN)
        thing = re.split("[ ,;。!?]", thing, maxsplit=1)[0] if at + 1 == len(days) else thing
        if _THING.fullmatch(thing) is None or not _is_named(thing):
            return ()
        found.append(f"{text[each.span[0] : each.span[1]]}{thing}")
    where = clause.situation
    return tuple(Clause(one, where, tuple(parse(one, where.now, where.zone))) for one in found)


def _is_named(thing: str) -> bool:
    """The name of a thing: it ends in what one goes to (语文考试), and says no order."""
    tokens = words_of(thing)
    return bool(tokens) and not tokens[-1].classes.isdisjoint(_NOUNS)
