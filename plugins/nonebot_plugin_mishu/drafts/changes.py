"""What a correction does to a batch: by an agent's own rules, or as a model said. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .answers import Fields
from .batch import Item, ItemState
from .events import End, Updated
from .lines import Line
from .turn import Turn, close_if_done


def correct_locally(turn: Turn[Any], text: str, offline: bool) -> None:
    """The agent's own rules; offline is said once per batch."""
    found = turn.model.correct_locally(_as_numbered(turn, text), turn.pending())
    if found.which:
        turn.set(unplaced=text)
        turn.say(Line.WHICH)
    elif not (found.changes or found.added) or not apply(turn, found.changes, found.added):
        turn.say(Line.UNCLEAR)
    else:
        remember(turn, text)
    if offline and not turn.batch.offline_said:
        turn.set(offline_said=True)
        turn.say(Line.OFFLINE)


def _as_numbered(turn: Turn[Any], text: str) -> str:
    """The line with the numbers of saved or cancelled items for their words, so that no other is taken."""
    settled = [item for item in turn.batch.items if item.state is not ItemState.PENDING]
    if not settled or turn.model.naming(text, turn.pending()) != text:
        return text
    return turn.model.naming(text, [(item.number, item.value) for item in settled])


def apply(
    turn: Turn[Any],
    changes: Mapping[int, Fields],
    added: Sequence[Fields],
    silent: bool = False,
    removed: Sequence[int] = (),
) -> bool:
    """Remove, change and add all of it, or nothing where one part is refused."""
    batch = turn.batch
    pending = dict(turn.pending())
    if not changes.keys() | set(removed) <= pending.keys():
        return False
    values = {number: turn.model.change(pending[number], fields) for number, fields in changes.items()}
    room = max(0, batch.limits.max_items - len(batch.items))
    created = [turn.model.create(fields) for fields in added]
    if any(value is None for value in (*values.values(), *created)):
        return False
    items = [replace(item, value=values.get(item.number, item.value)) for item in batch.items]
    new = [Item(len(items) + offset, value) for offset, value in enumerate(created[:room])]
    turn.set(items=(*items, *new))
    if removed:
        turn.mark(removed, ItemState.CANCELLED)
        turn.say(Line.CANCELLED, removed)
    turn.set(touched=(*sorted(values), *(item.number for item in new)))
    if values and not silent:
        turn.say(Line.CHANGED, sorted(values))
    if new and not silent:
        turn.say(Line.ADDED, [item.number for item in new])
    if len(created) > room:
        turn.say(Line.FULL, count=batch.limits.max_items)
    if values or new:
        turn.effects.append(Updated())
    close_if_done(turn, End.CANCELLED)
    return True


def remember(turn: Turn[Any], text: str) -> None:
    """Keep what the owner said about the batch."""
    turn.set(said=f"{turn.batch.said}\n{text}" if turn.batch.said else text)
