"""Moved end and nothing else: 延长到12点, 结束改成11点半, 改成到6点, 拖到五点结束. Pure.

The clause is read with 改到, and a certainty that its clock time is the end.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final, Literal

from ...patterns import Pattern
from ..clause import Clause
from ..recognise.times import TimeExpression, names_day, parse
from ..word_lists import table

Closes = Literal["", "perhaps", "surely"]
"""Clock time as: a beginning; a new end if after the stored end (延到6点); an end."""

_BEFORE: Final = Pattern(
    f"(?:{table('change.lengthens')}|的?{table('change.end_noun')}(?:也|就|都)?{table('change.moves')})$"
)
_LATER: Final = Pattern(f"{table('change.later')}$")
_BEHIND: Final = Pattern(table("change.end_behind"))
_MOVES: Final = Pattern(f"{table('change.moves')}$")


def end_moved(clause: Clause) -> tuple[Clause, Closes]:
    """Clause with 改到 for a moved end, and its certainty; unchanged if none."""
    clock = clause.times[-1] if clause.times else None
    if clock is None or not _is_clock(clock):
        return clause, ""
    head, tail = clause.text[: clock.span[0]], clause.text[clock.span[1] :]
    behind = _BEHIND.match(tail)
    verb = _BEFORE.search(head)
    closes: Closes = "surely"
    if verb is None and behind is not None:
        verb = _MOVES.search(head)
    if verb is None:
        verb, closes = _LATER.search(head), "perhaps"
    if verb is None:
        return clause, ""
    rest = tail[behind.end() :] if behind is not None else tail
    text = f"{head[: verb.start()]}改到{clause.text[clock.span[0] : clock.span[1]]}{rest}"
    situation = clause.situation
    times = tuple(parse(text, situation.now, situation.zone))
    return replace(clause, text=text, times=times), closes


def last_day_moved(clause: Clause) -> date | None:
    """New last day: 出差延到周四, 延长到下周五; None if none."""
    day = clause.times[-1] if clause.times else None
    if day is None or day.date is None or day.start is not None or day.recurrence is not None:
        return None
    head = clause.text[: day.span[0]]
    moves = names_day(day.text) and (_BEFORE.search(head) or _LATER.search(head))
    return day.date if moves else None


def _is_clock(one: TimeExpression) -> bool:
    plain = one.start is not None and one.end is None and one.recurrence is None and one.moment is None
    return plain and len(one.spans) == 1 and not names_day(one.text)
