"""The draft machine: `step(batch, event, now, model)` gives the next batch and its effects.

Pure: no clock, no task, no database, no model in here; time is `now`, work is an effect and comes back as an
event. `TABLE` is the whole machine; `docs/drafts.md` prints it from here (`table_markdown`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

from ..language import Question, answer
from ..language.cards.grammar import Kind, Order
from ..language.cards.only import only_kept
from ..language.cards.triage import Triage, only_items, triage
from . import actions
from .batch import Batch, BatchPhase, Item, ItemModel, ItemState, Limits, Mode, Waiting
from .events import (
    CancelModelCall,
    CommitFailed,
    Committed,
    Dropped,
    Effect,
    End,
    Event,
    LineReceived,
    ModelAnswered,
    ModelFailed,
    PassOn,
    Say,
    Updated,
)
from .lines import OwnerNotice
from .parts import take_apart
from .turn import ORDERS, BatchTurn, close

T = TypeVar("T")


class Input(StrEnum):
    """Kind of an owner's line."""

    CONFIRM = "confirm"
    CONFIRM_ITEM = "confirmItem"
    CANCEL = "cancel"
    CANCEL_ITEM = "cancelItem"
    EXIT = "exit"
    CONTINUE = "continueRecording"
    CORRECTION = "correction"
    NEW_INPUT = "newInput"
    TALK = "talk"
    """correction or newInput by its form, and not about the items."""


Action: TypeAlias = Callable[[BatchTurn[Any], Waiting, Order], None]

_OPEN: Final[Mapping[Input, Action]] = {
    Input.CONFIRM: actions.confirm,
    Input.CONFIRM_ITEM: actions.confirm_items,
    Input.CANCEL: actions.cancel,
    Input.CANCEL_ITEM: actions.cancel_items,
    Input.EXIT: actions.leave,
    Input.CONTINUE: actions.go_on,
    Input.CORRECTION: actions.correct,
    Input.NEW_INPUT: actions.correct,
    Input.TALK: actions.talk,
}

TABLE: Final[Mapping[BatchPhase, Mapping[Input, Action]]] = MappingProxyType(
    {
        BatchPhase.CONFIRMING: _OPEN,
        BatchPhase.RECORDING: {**_OPEN, Input.NEW_INPUT: actions.record},
        BatchPhase.ASKING: _OPEN,
        BatchPhase.CORRECTING: dict.fromkeys(Input, actions.wait),
        BatchPhase.COMMITTING: dict.fromkeys(Input, actions.wait),
        BatchPhase.CLOSED: dict.fromkeys(Input, actions.pass_on),
    }
)
"""Action upon a line of the owner, by phase. Total: every phase knows every input."""

RESULTS: Final[Mapping[tuple[str, BatchPhase], Callable[..., None]]] = MappingProxyType(
    {
        ("Answered", BatchPhase.CORRECTING): actions.apply_answer,
        ("Failed", BatchPhase.CORRECTING): actions.fall_back,
        ("deadline passed", BatchPhase.CORRECTING): actions.fall_back,
        ("Committed", BatchPhase.COMMITTING): actions.committed,
        ("CommitFailed", BatchPhase.COMMITTING): actions.not_committed,
        ("expires_at passed", BatchPhase.CONFIRMING): actions.expire,
        ("expires_at passed", BatchPhase.RECORDING): actions.expire,
        ("expires_at passed", BatchPhase.ASKING): actions.expire,
        **{("Dropped", phase): actions.drop for phase in BatchPhase if phase is not BatchPhase.CLOSED},
    }
)
"""Action upon results and time, by phase. In any other phase, and with another ticket than the running
work's, a result is late and ignored."""

_IDLE: Final = frozenset({BatchPhase.CONFIRMING, BatchPhase.RECORDING, BatchPhase.ASKING})
Step: TypeAlias = tuple[Batch[T], tuple[Effect[T], ...]]


def open_batch(
    id: str, owner: str, conversation: str, values: Sequence[T], now: float, limits: Limits, said: str = ""
) -> Step[T]:
    """A new batch with at most `limits.max_items` of `values` on its card, and the card to be shown.

    `said` is the text it was made from. Raises `ValueError` without values.
    """
    if not values:
        raise ValueError("a batch needs at least one item")
    items = tuple(Item(number, value) for number, value in enumerate(values[: limits.max_items]))
    batch = Batch(id, owner, conversation, items, limits, now + limits.timeout, said=said)
    if len(values) > limits.max_items:
        full = Say(OwnerNotice.FULL, count=limits.max_items)
        return batch, (Updated(), full)
    return batch, (Updated(),)


def step(batch: Batch[T], event: Event, now: float, model: ItemModel[T]) -> Step[T]:
    """The next batch and its effects, to be carried out in order.

    `now` is in seconds on the clock that `expires_at` and deadlines are on. Time that has passed is acted
    upon before the event, so that a late line never reaches an expired batch.
    """
    turn = BatchTurn(batch, model, now)
    _run_waiting(turn)
    match event:
        case LineReceived():
            _receive_line(turn, event)
        case Dropped():
            _run_result_action(turn, "Dropped")
        case ModelAnswered() | ModelFailed() | Committed() | CommitFailed():
            work = turn.batch.work
            if work is not None and work.ticket == event.ticket:
                _apply_result(turn, event)
        case _:
            pass
    _run_waiting(turn)
    return turn.batch, tuple(turn.effects)


def _receive_line(turn: BatchTurn[Any], event: LineReceived) -> None:
    if event.sender != turn.batch.owner:
        turn.effects.append(PassOn(event.text))
        return
    _handle_line(turn, Waiting(event.text, event.online))


def _apply_result(
    turn: BatchTurn[Any], event: ModelAnswered | ModelFailed | Committed | CommitFailed
) -> None:
    work = turn.batch.work
    commits = isinstance(event, Committed | CommitFailed)
    if work is None or commits != (work.mode is Mode.COMMIT):
        return
    _extend_expiry(turn)
    match event:
        case ModelAnswered():
            _run_result_action(turn, "Answered", work, event.answer)
        case ModelFailed():
            _run_result_action(turn, "Failed", work, event.offline)
        case Committed():
            _run_result_action(turn, "Committed", work)
        case CommitFailed():
            _run_result_action(turn, "CommitFailed", work)


def _run_result_action(turn: BatchTurn[Any], name: str, *arguments: object) -> None:
    action = RESULTS.get((name, turn.batch.phase))
    if action is not None:
        action(turn, *arguments)


def _run_waiting(turn: BatchTurn[Any]) -> None:
    """Apply passed deadlines, then waiting lines, until some work runs or nothing is left."""
    while turn.batch.phase is not BatchPhase.CLOSED:
        work = turn.batch.work
        if work is not None:
            if work.deadline is None or turn.now < work.deadline:
                return
            turn.effects.append(CancelModelCall(work.ticket))
            _extend_expiry(turn)
            _run_result_action(turn, "deadline passed", work, False)
        elif turn.batch.waiting:
            line, *rest = turn.batch.waiting
            turn.set(waiting=tuple(rest))
            _handle_line(turn, line)
        elif not turn.batch.pending:
            close(turn, End.SAVED if turn.numbers(ItemState.SAVED) else End.CANCELLED)
        elif turn.now >= turn.batch.expires_at:
            _run_result_action(turn, "expires_at passed")
        else:
            return


def _handle_line(turn: BatchTurn[Any], line: Waiting) -> None:
    """Classify a line, or take the order left of one, and run its action of `TABLE`."""
    phase = turn.batch.phase
    if line.order is not None:
        order, input = line.order, Input(line.order.kind.value)
    else:
        line = _add_refusal(turn, line)
        values = [item.value for item in turn.batch.items]
        read = _classify_line(turn, line.text, values)
        if read.orders and phase in _IDLE:
            left = tuple(Waiting(line.text, line.online, order) for order in read.orders)
            turn.set(waiting=(*left, *turn.batch.waiting))
            return
        if read.kind not in ORDERS and phase in _IDLE and _take_out_refused(turn, line):
            return
        order = Order(read.kind, read.items, read.scoped, read.complement)
        about = read.about_batch or turn.model.about(line.text, turn.pending())
        input = Input(read.kind.value) if about else Input.TALK
    if phase in _IDLE and input is not Input.TALK:
        _extend_expiry(turn)
    TABLE[phase][input](turn, line, order)


def _add_refusal(turn: BatchTurn[Any], line: Waiting) -> Waiting:
    """The line; one that only names the items asked for gets the words of the order that waits for them."""
    unplaced = turn.batch.unplaced
    if not unplaced or turn.batch.phase not in _IDLE or not only_items(line.text, len(turn.batch.items)):
        return line
    turn.set(unplaced="")
    return replace(line, text=f"{line.text} {unplaced}")


def _take_out_refused(turn: BatchTurn[Any], line: Waiting) -> bool:
    """Queue the cancellation of the items a line refuses, then the rest of the line; False if it refuses
    none."""
    parts = take_apart(line.text, turn.batch.items, turn.model, turn.batch.touched)
    if parts is None:
        return False
    _extend_expiry(turn)
    left: list[Waiting] = []
    if parts.refused:
        order = Order(Kind.CANCEL_ITEM, parts.refused, scoped=True)
        left.append(Waiting(line.text, line.online, order))
    if parts.rest:
        left.append(Waiting(parts.rest, line.online, follows=True))
    if parts.which:
        turn.set(unplaced=actions.REFUSED)
        turn.add_line(OwnerNotice.WHICH_GOES)
    turn.set(waiting=(*left, *turn.batch.waiting))
    return True


def _classify_line(turn: BatchTurn[Any], text: str, values: Sequence[Any]) -> Triage:
    """Kind of a line; names of items count as their numbers."""
    read = triage(text, len(values), turn.model.terms(values))
    asked = turn.model.asked([value for _, value in turn.pending()])
    if asked.act != "delete" and (alone := _find_only_kept(turn, text)):
        kept = Order(Kind.CONFIRM_ITEM, alone, scoped=True)
        return Triage(Kind.CORRECTION, orders=(kept, Order(Kind.CANCEL, scoped=True)))
    if asked.grave or asked.act != "make" or not (read.orders or read.kind in ORDERS):
        read = _answer_card(asked, text, read)
    if read.orders or read.kind in ORDERS:
        return read
    named = turn.model.naming(text, turn.pending())
    if named == text:
        return read
    meant = triage(named, len(values))
    if meant.orders or meant.kind in (Kind.CONFIRM_ITEM, Kind.CANCEL_ITEM):
        return meant
    return read if read.about_batch or meant.kind is not Kind.CORRECTION else meant


def _find_only_kept(turn: BatchTurn[Any], text: str) -> tuple[int, ...]:
    """Numbers of the items that a line keeps while it cancels the others (只要午饭); none for any other
    line."""
    pending = turn.pending()
    found = only_kept(text, len(turn.batch.items), lambda words: turn.model.pointing(words, pending))
    left = {number for number, _ in pending}
    return found if set(found) < left else ()


def _answer_card(asked: Question, text: str, read: Triage) -> Triage:
    """Kind of a line to a card that asks for a yes: 改吧 changes, 删了吧 deletes; a hum deletes nothing."""
    said = answer(text, asked)
    if said.kind == "yes":
        return Triage(Kind.CONFIRM)
    if said.refuses and asked.act == "delete":
        return Triage(Kind.CANCEL)
    if asked.grave and read.kind is Kind.CONFIRM and not read.scoped:
        return Triage(Kind.NEW_INPUT, about_batch=False)
    return read


def _extend_expiry(turn: BatchTurn[Any]) -> None:
    turn.set(expires_at=turn.now + turn.batch.limits.timeout)


def table_markdown() -> str:
    """`TABLE` and `RESULTS` as Markdown, for the documentation."""
    phases = list(BatchPhase)
    rows = ["| line | " + " | ".join(phases) + " |", "|---" * (len(phases) + 1) + "|"]
    for input in Input:
        cells = [TABLE[phase][input].__name__ for phase in phases]
        rows.append(f"| {input} | " + " | ".join(cells) + " |")
    rows += ["", "| result or time | in phase | does |", "|---|---|---|"]
    rows += [f"| {name} | {phase} | {action.__name__} |" for (name, phase), action in RESULTS.items()]
    known = {action.__name__: action for row in TABLE.values() for action in row.values()}
    known |= {action.__name__: action for action in RESULTS.values()}
    rows += ["", "| action | what it does |", "|---|---|"]
    rows += [f"| {name} | {(action.__doc__ or '').strip()} |" for name, action in known.items()]
    return "\n".join(rows)


__all__ = ["RESULTS", "TABLE", "Input", "Kind", "open_batch", "step", "table_markdown"]
