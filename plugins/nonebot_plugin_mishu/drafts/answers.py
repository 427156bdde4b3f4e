"""Layer 2 (seed 4): a model's answer to a correction, checked as a whole and mapped back to the card.

Nothing is repaired: an answer is applied as it is or is unclear (pitfalls 36, 37, 42).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, cast

Fields = Mapping[str, object]

NEW: Final = -1
"""The index of an item that is not there yet."""


class LineIntent(StrEnum):
    """Meaning of an owner's line, as a model reads it."""

    CORRECTION = "correction"
    APPEND = "append"
    CONFIRM = "confirm"
    CANCEL = "cancel"
    UNCLEAR = "unclear"
    EDIT = "edit"
    """Seed 0: change as said, and that confirms it."""
    IRRELEVANT = "irrelevant"
    """Seed 0: not about the items; the question stays open."""


CONFIDENCE_IF_MISSING: Final[Mapping[LineIntent, float]] = {
    LineIntent.CORRECTION: 1.0,
    LineIntent.APPEND: 1.0,
    LineIntent.EDIT: 1.0,
    LineIntent.IRRELEVANT: 1.0,
    LineIntent.CONFIRM: 0.0,
    LineIntent.CANCEL: 0.0,
    LineIntent.UNCLEAR: 0.0,
}
"""Product section 6: a missing confidence counts for changes, which are shown again, not for the rest."""


@dataclass(frozen=True)
class CheckedAnswer:
    """A checked answer: `changes` and `removed` by number on the card, `added` in the order given."""

    intent: LineIntent
    changes: Mapping[int, Fields] = field(default_factory=dict[int, Fields])
    added: tuple[Fields, ...] = ()
    removed: tuple[int, ...] = ()


UNCLEAR: Final = CheckedAnswer(LineIntent.UNCLEAR)


def read_answer(raw: object, numbers: Sequence[int], threshold: float) -> CheckedAnswer:
    """`raw` as an answer about the pending items with these card `numbers`, in the order the model saw them.

    `UNCLEAR` for whatever is not exactly right: an unknown intent, a confidence that is no number from 0 to 1
    or is below `threshold`, an index that was not given, the same field of an item twice, changes with an
    intent that has none. Never raises.
    """
    if not isinstance(raw, Mapping):
        return UNCLEAR
    answer = cast("Mapping[str, object]", raw)
    intent = _by_content(_intent(answer.get("intent")), answer)
    confidence = _confidence(answer.get("confidence"), intent)
    if confidence is None or confidence < threshold:
        return UNCLEAR
    corrections = _corrections(answer.get("corrections"))
    if corrections is None:
        return UNCLEAR
    new, removed = _added(answer.get("added")), _removed(answer.get("removed"), numbers)
    if new is None or removed is None:
        return UNCLEAR
    added = [fields for index, fields in corrections if index == NEW]
    changes = _by_number([each for each in corrections if each[0] != NEW], numbers)
    if changes is None or not changes.keys().isdisjoint(removed):
        return UNCLEAR
    if removed and intent is LineIntent.CANCEL:
        intent = LineIntent.CORRECTION
    fits = {
        LineIntent.CORRECTION: bool(changes or new or removed) and not added,
        LineIntent.APPEND: bool(added or new) and (not changes or bool(new)),
        LineIntent.EDIT: bool(changes or added) and not removed,
    }.get(intent, not (changes or added or new or removed))
    return CheckedAnswer(intent, changes, (*added, *new), removed) if fits else UNCLEAR


def _by_number(corrections: Sequence[tuple[int, Fields]], numbers: Sequence[int]) -> dict[int, Fields] | None:
    """Changed fields by card number; `None` for an index that was not given, or a field changed twice."""
    changes: dict[int, Fields] = {}
    for index, fields in corrections:
        if not 0 <= index < len(numbers):
            return None
        known = changes.get(numbers[index], {})
        if known.keys() & fields.keys():
            return None
        changes[numbers[index]] = {**known, **fields}
    return changes


def consents(raw: object) -> bool:
    """True if an answer calls itself a consent and has changes as well."""
    if not isinstance(raw, Mapping):
        return False
    answer = cast("Mapping[str, object]", raw)
    return answer.get("intent") == LineIntent.CONFIRM and bool(answer.get("corrections"))


def _by_content(intent: LineIntent, answer: Mapping[str, object]) -> LineIntent:
    """A consent with something to change beside it is a correction, which is shown and asked about again."""
    changes = answer.get("corrections")
    only = changes and not (answer.get("added") or answer.get("removed"))
    return LineIntent.CORRECTION if intent is LineIntent.CONFIRM and only else intent


def _intent(said: object) -> LineIntent:
    return LineIntent(said) if isinstance(said, str) and said in set(LineIntent) else LineIntent.UNCLEAR


def _confidence(said: object, intent: LineIntent) -> float | None:
    if said is None:
        return CONFIDENCE_IF_MISSING[intent]
    if isinstance(said, bool) or not isinstance(said, int | float):
        return None
    return float(said) if 0 <= said <= 1 else None


def _corrections(said: object) -> list[tuple[int, Fields]] | None:
    """Index and fields of each entry; `None` where one of them is malformed. A null field is not updated."""
    if said is None:
        return []
    if not isinstance(said, list):
        return None
    found: list[tuple[int, Fields]] = []
    for entry in cast("list[object]", said):
        if not isinstance(entry, Mapping):
            return None
        entry = cast("Mapping[str, object]", entry)
        index, fields = entry.get("index"), entry.get("updatedFields")
        if isinstance(index, bool) or not isinstance(index, int) or not isinstance(fields, Mapping):
            return None
        fields = cast("Mapping[object, object]", fields)
        updated = {name: value for name, value in fields.items() if value is not None}
        if not updated or not all(isinstance(name, str) for name in updated):
            return None
        found.append((index, cast("Fields", updated)))
    return found


def _added(said: object) -> list[Fields] | None:
    """The fields of each new item; `None` where one of them is malformed."""
    if said is not None and not isinstance(said, list):
        return None
    given = cast("list[object]", said or [])
    entries = _corrections([{"index": NEW, "updatedFields": each} for each in given])
    return None if entries is None else [fields for _, fields in entries]


def _removed(said: object, numbers: Sequence[int]) -> tuple[int, ...] | None:
    """The numbers of the items to go; `None` where an index is none of those given, or stands twice."""
    if said is None:
        return ()
    if not isinstance(said, list):
        return None
    indices = cast("list[object]", said)
    if any(isinstance(each, bool) or not isinstance(each, int) for each in indices):
        return None
    found = [each for each in indices if isinstance(each, int) and 0 <= each < len(numbers)]
    if len(found) != len(indices) or len(set(found)) != len(found):
        return None
    return tuple(sorted(numbers[each] for each in found))
