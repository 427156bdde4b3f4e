"""Corrections of a batch, by an agent's own rules or a model's answer. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..language import ends_in_question, words_of
from ..language.cards.faults import finds_fault
from ..language.cards.triage import speaks_of_card, triage
from .answers import Fields
from .batch import Item, ItemState
from .events import End, PassOn, Updated
from .lines import OwnerNotice
from .turn import BatchTurn, close_if_done


def correct_locally(turn: BatchTurn[Any], text: str, offline: bool, *, promised: bool = False) -> None:
    """Apply a correction by the agent's own rules, or ask which item it is of.

    Args:
        text: the owner's line.
        offline: no model could be reached, which the owner is told once a batch.
        promised: the owner was told that the correction is being made, so that they are also told when no
            rule reads it; else such a line is passed on unless it is about the card.
    """
    found = turn.model.correct_locally(_as_numbered(turn, text), turn.pending())
    if found.elsewhere:
        turn.effects.append(PassOn(text))
        return
    if found.which:
        turn.set(unplaced=text)
        turn.add_line(OwnerNotice.WHICH)
    elif not (found.changes or found.added) or not apply_changes(turn, found.changes, found.added):
        if not promised and not _is_of_card(turn, text):
            turn.set(unheard=True)
            turn.effects.append(PassOn(text))  # 老师改了作业
            return
        say_unclear(turn, text, promised=promised)
    else:
        append_said(turn, text)
    if offline and not turn.batch.offline_said:
        turn.set(offline_said=True)
        turn.add_line(OwnerNotice.OFFLINE)


def reads_changes(turn: BatchTurn[Any], text: str) -> bool:
    """True if the agent's own rules read changes of the items in a line."""
    found = turn.model.correct_locally(_as_numbered(turn, text), turn.pending())
    return bool(found.changes or found.added)


def say_unclear(turn: BatchTurn[Any], text: str, *, promised: bool = False) -> None:
    """Tell the owner that a line was not understood, once a batch. Later lines are passed on, unless they
    name an item or a sum, or the owner was promised a correction: then a nod behind them confirms nothing
    (`Batch.unheard`)."""
    values = [item.value for item in turn.batch.items]
    named = triage(text, len(values), turn.model.terms(values)).named
    named = named or promised
    first = not turn.batch.unclear_said
    turn.set(unheard=named and first, unclear_said=True)
    if first:
        turn.add_line(OwnerNotice.UNCLEAR, turn.numbers())
    elif named:
        turn.add_line(OwnerNotice.UNHEARD, turn.numbers())
    else:
        turn.effects.append(PassOn(text))


def _is_of_card(turn: BatchTurn[Any], text: str) -> bool:
    """True if a line that no rule read is about the card: it names an item, has only words of cards (不对,
    错了), or begins with a change. A question is about it only where it finds fault (第一笔不对吧)."""
    values = [item.value for item in turn.batch.items]
    read = triage(text, len(values), turn.model.terms(values))
    asks = any(not token.classes.isdisjoint({"how_much", "what"}) for token in words_of(text))
    if (asks or ends_in_question(text)) and not finds_fault(text):
        return False
    return read.named or read.known or speaks_of_card(text)


def _as_numbered(turn: BatchTurn[Any], text: str) -> str:
    """The line with 第N笔 for the names of saved or cancelled items, so that no pending item is taken
    instead."""
    settled = [item for item in turn.batch.items if item.state is not ItemState.PENDING]
    if not settled or turn.model.naming(text, turn.pending()) != text:
        return text
    return turn.model.naming(text, [(item.number, item.value) for item in settled])


def apply_changes(
    turn: BatchTurn[Any],
    changes: Mapping[int, Fields],
    added: Sequence[Fields],
    silent: bool = False,
    removed: Sequence[int] = (),
) -> bool:
    """Remove, change and add items: all, or none (False) where the agent refuses a part.

    Args:
        changes: fields by item number.
        added: fields of new items; those beyond `max_items` are left out, which the owner is told.
        silent: tell the owner nothing of what changed.
        removed: numbers of the items to cancel.
    """
    batch = turn.batch
    pending = dict(turn.pending())
    if not changes.keys() | set(removed) <= pending.keys():
        return False
    values = {number: turn.model.change(pending[number], fields) for number, fields in changes.items()}
    room = max(0, batch.limits.max_items - len(batch.items))
    created = [turn.model.create(fields) for fields in added]
    if any(value is None for value in (*values.values(), *created)):
        return False
    same = [number for number, value in values.items() if value == pending[number]]
    values = {number: value for number, value in values.items() if number not in same}
    items = [replace(item, value=values.get(item.number, item.value)) for item in batch.items]
    new = [Item(len(items) + offset, value) for offset, value in enumerate(created[:room])]
    turn.set(items=(*items, *new))
    if removed:
        turn.mark(removed, ItemState.CANCELLED)
        turn.add_line(OwnerNotice.CANCELLED, removed)
    turn.set(touched=(*sorted(values), *(item.number for item in new)), unheard=False)
    if values and not silent:
        turn.add_line(OwnerNotice.CHANGED, sorted(values))
    elif same and not (new or removed or silent):
        turn.add_line(OwnerNotice.SAME, sorted(same))
    if new and not silent:
        turn.add_line(OwnerNotice.ADDED, [item.number for item in new])
    if len(created) > room:
        turn.add_line(OwnerNotice.FULL, count=batch.limits.max_items)
    if values or new:
        turn.effects.append(Updated())
    close_if_done(turn, End.CANCELLED)
    return True


def append_said(turn: BatchTurn[Any], text: str) -> None:
    """Append a line of the owner to the batch's `said`."""
    turn.set(said=f"{turn.batch.said}\n{text}" if turn.batch.said else text)
