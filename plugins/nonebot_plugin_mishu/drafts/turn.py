"""`BatchTurn`: a step of the machine in the making, with its ends. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, TypeVar

from ..language.cards.grammar import Kind
from ..language.cards.triage import triage
from .batch import Batch, BatchPhase, ItemModel, ItemState, Mode, RunningWork
from .events import Closed, Commit, Effect, End, PassOn, Say, Updated
from .lines import OwnerNotice

T = TypeVar("T")

ORDERS: Final = frozenset(Kind) - {Kind.CORRECTION, Kind.NEW_INPUT}


@dataclass
class BatchTurn(Generic[T]):
    """One step in the making: the batch so far and its effects. Lives inside `machine.step` only."""

    batch: Batch[T]
    model: ItemModel[T]
    now: float
    effects: list[Effect[T]] = field(default_factory=list[Any])

    def set(self, **changes: Any) -> None:
        """Replace fields of the batch."""
        self.batch = replace(self.batch, **changes)

    def add_line(self, line: OwnerNotice, numbers: Iterable[int] = (), count: int = 0) -> None:
        """Add a line to the owner."""
        self.effects.append(Say(line, tuple(numbers), count))

    def mark(self, numbers: Iterable[int], state: ItemState) -> None:
        """Set the state of pending items, and have the card shown again."""
        chosen = set(numbers)
        self.set(
            items=tuple(
                replace(item, state=state)
                if item.number in chosen and item.state is ItemState.PENDING
                else item
                for item in self.batch.items
            )
        )
        self.effects.append(Updated())

    def numbers(self, state: ItemState = ItemState.PENDING) -> tuple[int, ...]:
        """Numbers (0-based) of the items in `state`."""
        return tuple(item.number for item in self.batch.items if item.state is state)

    def pending(self) -> tuple[tuple[int, T], ...]:
        """The pending items by number."""
        return tuple((item.number, item.value) for item in self.batch.pending)


def close(turn: BatchTurn[Any], end: End) -> None:
    """Close the batch. Waiting lines that are no order to it are passed on."""
    waiting = turn.batch.waiting
    turn.set(phase=BatchPhase.CLOSED, home=BatchPhase.CLOSED, work=None, waiting=(), unplaced="")
    saved = turn.numbers(ItemState.SAVED)
    too_late = False
    for line in waiting:
        kind = triage(line.text, len(turn.batch.items)).kind if line.order is None else line.order.kind
        if kind in (Kind.CANCEL, Kind.CANCEL_ITEM) and saved:
            too_late = True
        elif kind not in ORDERS:
            turn.effects.append(PassOn(line.text))
    if too_late:
        turn.add_line(OwnerNotice.TOO_LATE, saved)
    turn.effects.append(Closed(end))


def close_if_done(turn: BatchTurn[Any], end: End) -> None:
    """Close the batch if no item is pending and no rest of the same line waits."""
    follows = any(line.follows for line in turn.batch.waiting[:1])
    if not turn.batch.pending and not follows:
        close(turn, End.SAVED if turn.numbers(ItemState.SAVED) else end)


def commit(turn: BatchTurn[Any], numbers: Sequence[int]) -> None:
    """Add the effect that saves these items, all or none."""
    ticket = turn.batch.ticket + 1
    turn.set(
        phase=BatchPhase.COMMITTING, ticket=ticket, work=RunningWork(ticket, Mode.COMMIT, tuple(numbers))
    )
    items = tuple((number, turn.batch.items[number].value) for number in numbers)
    turn.effects.append(Commit(ticket, items))
