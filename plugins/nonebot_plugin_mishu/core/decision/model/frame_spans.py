"""Spans of a frame and of its slots in the line as written. Pure.

What an agent says of its own slots holds. Of the others a word is where it is said, a day or a clock where
the time is that it comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any, Final

from ....agents.api.frame import Span
from ....language.clause import Clause, Situation
from ....language.clauses.segments import Message, message
from ..reading import Frame

_TIMED: Final = frozenset({"timeSegment", "recurrence", "days"})
_ENDS: Final = ("end", "old_end", "new_end")
_IDS: Final = frozenset({"ref", "refs", "member_id"})
"""Slots with ids of things or members; digits of the line are not theirs."""


@dataclass(frozen=True, slots=True)
class FrameSpans:
    """Half-open spans of the line as it was written: the frame's clause, and its slots by name."""

    clause: Span
    slots: Mapping[str, Span]


def standing(text: str, situation: Situation, frames: Iterable[Frame]) -> tuple[FrameSpans, ...]:
    """Spans of each frame that `read` found in `text`, in order. Never raises."""
    said, _ = message(text, situation)
    found: list[FrameSpans] = []
    behind = 0
    for frame in frames:
        start = max(said.text.find(frame.text, behind), 0)
        behind = start + len(frame.text)
        slots = {
            name: _written(said, start + span[0], start + span[1])
            for name, value in frame.slots.items()
            if name not in _IDS
            if (span := frame.read.spans.get(name) or _span(name, value, frame.clause)) is not None
        }
        found.append(FrameSpans(_written(said, start, behind), slots))
    return tuple(found)


def _written(said: Message, start: int, end: int) -> Span:
    return said.written.span(start, min(end, len(said.text)))


def _span(name: str, value: Any, clause: Clause) -> Span | None:
    """Span of a slot in the clause; None if its value has no words of its own there."""
    if isinstance(value, str) and value and (at := clause.text.find(value)) >= 0:
        return at, at + len(value)
    if clause.times and (name in _TIMED or (isinstance(value, str) and _is_of_time(value))):
        return clause.times[-1 if name.startswith(_ENDS) else 0].span
    if isinstance(value, (Mapping, list)):
        parts = [span for part in _parts(value) if (span := _span(name, part, clause)) is not None]
        if parts:
            return min(start for start, _ in parts), max(end for _, end in parts)
    return None


def _is_of_time(value: str) -> bool:
    """True if the value is a day, a clock, or both, as slots hold them."""
    for reads in (datetime.fromisoformat, time.fromisoformat):
        try:
            reads(value)
        except ValueError:
            continue
        return True
    return False


def _parts(value: Any) -> Iterator[Any]:
    """Texts of a slot with several values."""
    yield from value.values() if isinstance(value, Mapping) else value
