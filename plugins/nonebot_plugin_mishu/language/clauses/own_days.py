"""Several items in one clause, each with its own day (周一语文考试，周二数学考试). Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..reading import words_of
from ..recognise.times import TimeExpression, names_day

_BETWEEN: Final = " ,、;"
_THING: Final = Pattern("[^ ,、;。!?0-9]{2,16}")
_NOUNS: Final = frozenset({"occasion", "hui", "personal", "plan_noun"})
_LEAST: Final = 2


def each_on_its_day(clause: Clause) -> tuple[Clause, ...]:
    """A clause for each item; none if anything but a name is between two days."""
    if clause.amounts:
        return ()
    where = clause.situation
    return tuple(
        Clause(f"{day}{thing}", where, (replace(time, spans=((0, len(day)),)),))
        for (day, thing), time in zip(_things(clause.text, clause.times), clause.times, strict=False)
    )


def table_of_days(text: str, times: Sequence[TimeExpression]) -> tuple[int, int] | None:
    """Span of items of one kind, each with its day, and their label (三个考试：周一语文 考试，周二数学考试);
    None for several kinds, or words before the label."""
    things = _things(text, times)
    kinds = {thing[-_KIND:] for _, thing in things}
    if not things or len(kinds) > 1 or _LABEL.fullmatch(text[: times[0].span[0]]) is None:
        return None
    return 0, text.rfind(things[-1][1]) + len(things[-1][1])


_KIND: Final = 2
_LABEL: Final = Pattern("(?:[一二两三四五六七八九十0-9]{1,2}[个场门次][^,。!? ]{1,6}[:： ,]*)?")


def _things(text: str, days: Sequence[TimeExpression]) -> list[tuple[str, str]]:
    """Days and their items; none if anything else is between them."""
    if len(days) < _LEAST:
        return []
    found: list[tuple[str, str]] = []
    for at, each in enumerate(days):
        once = each.recurrence is None and each.end_date is None and each.invalid is None
        if not (once and names_day(each.text) and len(each.spans) == 1):
            return []
        start, end = each.span[1], days[at + 1].span[0] if at + 1 < len(days) else len(text)
        thing = text[start:end].strip(_BETWEEN)
        thing = re.split("[ ,;。!?]", thing, maxsplit=1)[0] if at + 1 == len(days) else thing
        if _THING.fullmatch(thing) is None or not _is_named(thing):
            return []
        found.append((text[each.span[0] : each.span[1]], thing))
    return found


def _is_named(thing: str) -> bool:
    """True for an event name (语文考试) without an order."""
    tokens = words_of(thing)
    return bool(tokens) and not tokens[-1].classes.isdisjoint(_NOUNS)
