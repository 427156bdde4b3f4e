"""What a batch does with each input. `machine.TABLE` says which of these is taken when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from .answers import Answer, Fields, Intent, read_answer
from .batch import Batch, Item, ItemModel, ItemState, Mode, Phase, Waiting, Work
from .events import Ask, CancelAsk, Closed, Commit, Effect, End, PassOn, Say, Updated
from .grammar import Kind, Order
from .lines import Line
from .triage import only_items, triage

T = TypeVar("T")

ORDERS = frozenset(Kind) - {Kind.CORRECTION, Kind.NEW_INPUT}


@dataclass
class Turn(Generic[T]):
    """One step in the making: the batch so far and what it wants done. Lives inside `machine.step` only."""

    batch: Batch[T]
    model: ItemModel[T]
    now: float
    effects: list[Effect[T]] = field(default_factory=list[Any])

    def set(self, **changes: Any) -> None:
        """Replace fields of the batch."""
        self.batch = replace(self.batch, **changes)

    def say(self, line: Line, numbers: Iterable[int] = (), count: int = 0) -> None:
        """Add a line to the owner."""
        self.effects.append(Say(line, tuple(numbers), count))

    def mark(self, numbers: Iterable[int], state: ItemState) -> None:
        """Put pending items into their last state, and have the card shown again."""
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
        """The numbers of the items in `state`."""
        return tuple(item.number for item in self.batch.items if item.state is state)

    def pending(self) -> tuple[tuple[int, T], ...]:
        """The pending items by number."""
        return tuple((item.number, item.value) for item in self.batch.pending)


def confirm(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """Ask for a commit of everything pending."""
    _commit(turn, turn.numbers())


def confirm_items(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """Ask for a commit of the items named; refused whole where one is cancelled or not on the card."""
    chosen = _named(turn, order, Line.ALREADY_SAVED, ItemState.CANCELLED, Line.ALREADY_CANCELLED)
    if chosen:
        _commit(turn, chosen)


def cancel(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """Cancel everything pending, nothing that is saved; the batch ends."""
    dropped = turn.numbers()
    turn.mark(dropped, ItemState.CANCELLED)
    turn.say(Line.CANCELLED, dropped)
    close(turn, End.CANCELLED)


def cancel_items(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """Cancel the items named; refused whole where one is saved or not on the card."""
    chosen = _named(turn, order, Line.ALREADY_CANCELLED, ItemState.SAVED, Line.TOO_LATE)
    if chosen:
        turn.mark(chosen, ItemState.CANCELLED)
        turn.say(Line.CANCELLED, chosen)
        _close_if_done(turn, End.CANCELLED)


def leave(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """Ask once whether to save; the second time drop what is pending and say so."""
    left = turn.numbers()
    if not turn.batch.exit_asked:
        turn.set(phase=Phase.ASKING, home=Phase.ASKING, exit_asked=True)
        turn.say(Line.SAVE_THESE, left, len(left))
        return
    turn.mark(left, ItemState.CANCELLED)
    turn.say(Line.LEFT, left)
    close(turn, End.LEFT)


def go_on(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """Keep the batch and take more items."""
    turn.set(phase=Phase.RECORDING, home=Phase.RECORDING)
    turn.say(Line.RECORDING)


def correct(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """Say that it is being corrected, then ask a model; by local rules where none can be asked."""
    text = line.text
    if turn.batch.unplaced and only_items(text, len(turn.batch.items)):
        text = f"{text} {turn.batch.unplaced}"  # the answer to 要改第几笔
    if turn.batch.home is Phase.ASKING:
        turn.set(home=Phase.CONFIRMING, phase=Phase.CONFIRMING)
    turn.set(unplaced="")
    _ask(turn, Mode.CORRECT, text, line.online)


def record(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """Have new items read from the line."""
    if len(turn.batch.items) >= turn.batch.limits.max_items:
        turn.say(Line.FULL, count=turn.batch.limits.max_items)
    elif line.online:
        _ask(turn, Mode.RECORD, line.text, line.online)
    else:
        correct_locally(turn, line.text, offline=False)  # reading new items needs no model


def talk(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """Answer once that it was not understood, then pass such lines on; or ask the agent's model."""
    if turn.model.ask_about_talk:
        correct(turn, line, order)
    elif turn.batch.unclear_said:
        turn.effects.append(PassOn(line.text))
    else:
        turn.set(unclear_said=True)
        turn.say(Line.UNCLEAR)


def wait(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """Keep the line until what runs has ended."""
    if len(turn.batch.waiting) < turn.batch.limits.max_waiting:
        turn.set(waiting=(*turn.batch.waiting, line))
    else:
        turn.effects.append(PassOn(line.text))


def pass_on(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """The batch has ended: the line is somebody else's."""
    turn.effects.append(PassOn(line.text))


def apply_answer(turn: Turn[Any], work: Work, raw: object) -> None:
    """Check the model's answer as a whole and do what it says, or say that it was unclear."""
    _return_home(turn)
    answer = read_answer(raw, work.numbers, turn.batch.limits.confidence)
    nobody = Order(Kind.CORRECTION)
    match answer.intent:
        case Intent.CONFIRM:
            confirm(turn, Waiting(work.text), nobody)
        case Intent.CANCEL:
            cancel(turn, Waiting(work.text), nobody)
        case Intent.IRRELEVANT:
            turn.effects.append(PassOn(work.text))
        case Intent.UNCLEAR:
            turn.say(Line.UNCLEAR)
        case Intent.CORRECTION | Intent.APPEND | Intent.EDIT:
            _apply_edit(turn, work, answer)


def fall_back(turn: Turn[Any], work: Work, offline: bool) -> None:
    """The model did not answer in time: correct by local rules."""
    _return_home(turn)
    correct_locally(turn, work.text, offline)


def correct_locally(turn: Turn[Any], text: str, offline: bool) -> None:
    """The agent's own rules; offline is said once per batch."""
    if offline and not turn.batch.offline_said:
        turn.set(offline_said=True)
        turn.say(Line.OFFLINE)
    found = turn.model.correct_locally(text, turn.pending())
    if found.which:
        turn.set(unplaced=text)
        turn.say(Line.WHICH)
    elif not (found.changes or found.added) or not _apply(turn, found.changes, found.added):
        turn.say(Line.UNCLEAR)
    else:
        _remember(turn, text)


def committed(turn: Turn[Any], work: Work) -> None:
    """What was committed is saved; the batch ends with its last pending item."""
    _return_home(turn)
    turn.mark(work.numbers, ItemState.SAVED)
    turn.say(Line.SAVED, work.numbers)
    if turn.batch.dropping:
        drop(turn)
    else:
        _close_if_done(turn, End.SAVED)


def not_committed(turn: Turn[Any], work: Work) -> None:
    """Nothing of it was saved; the items are pending as before."""
    _return_home(turn)
    turn.say(Line.NOT_SAVED, work.numbers)
    if turn.batch.dropping:
        drop(turn)


def expire(turn: Turn[Any]) -> None:
    """The draft's time is over: what is pending is dropped, and that is said."""
    left = turn.numbers()
    turn.mark(left, ItemState.CANCELLED)
    turn.say(Line.EXPIRED, left)
    close(turn, End.EXPIRED)


def drop(turn: Turn[Any]) -> None:
    """End without a word; a running commit ends first."""
    if turn.batch.phase is Phase.COMMITTING:
        turn.set(dropping=True, waiting=())
        return
    work = turn.batch.work
    if work is not None:
        turn.effects.append(CancelAsk(work.ticket))
        _return_home(turn)
    turn.set(waiting=())
    left = turn.numbers()
    if left:
        turn.mark(left, ItemState.CANCELLED)
    close(turn, End.DROPPED if left else End.SAVED)


def close(turn: Turn[Any], end: End) -> None:
    """The end. Lines that still wait and order nothing of this batch are passed on."""
    waiting = turn.batch.waiting
    turn.set(phase=Phase.CLOSED, home=Phase.CLOSED, work=None, waiting=(), unplaced="")
    saved = turn.numbers(ItemState.SAVED)
    too_late = False
    for line in waiting:
        kind = triage(line.text, len(turn.batch.items)).kind if line.order is None else line.order.kind
        if kind in (Kind.CANCEL, Kind.CANCEL_ITEM) and saved:
            too_late = True
        elif kind not in ORDERS:
            turn.effects.append(PassOn(line.text))
    if too_late:
        turn.say(Line.TOO_LATE, saved)
    turn.effects.append(Closed(end))


def _return_home(turn: Turn[Any]) -> None:
    turn.set(phase=turn.batch.home, work=None)


def _close_if_done(turn: Turn[Any], end: End) -> None:
    if not turn.batch.pending:
        close(turn, End.SAVED if turn.numbers(ItemState.SAVED) else end)


def _named(turn: Turn[Any], order: Order, done: Line, barred: ItemState, why: Line) -> tuple[int, ...]:
    """The pending items of `order`; says why and answers none where the order is refused or already done."""
    size = len(turn.batch.items)
    beyond = [number for number in order.items if number >= size]
    if beyond:
        turn.say(Line.NO_SUCH, beyond)
        return ()
    states = {number: turn.batch.items[number].state for number in order.items}
    refused = [number for number, state in states.items() if state is barred]
    if refused and not order.complement:
        turn.say(why, refused)
        return ()
    chosen = tuple(number for number, state in states.items() if state is ItemState.PENDING)
    if not chosen:
        turn.say(done, order.items)
    return chosen


def _commit(turn: Turn[Any], numbers: Sequence[int]) -> None:
    ticket = turn.batch.ticket + 1
    turn.set(phase=Phase.COMMITTING, ticket=ticket, work=Work(ticket, Mode.COMMIT, tuple(numbers)))
    items = tuple((number, turn.batch.items[number].value) for number in numbers)
    turn.effects.append(Commit(ticket, items))


def _ask(turn: Turn[Any], mode: Mode, text: str, online: bool) -> None:
    if not online:
        correct_locally(turn, text, offline=True)
        return
    limits = turn.batch.limits
    ticket = turn.batch.ticket + 1
    deadline = turn.now + (limits.correction_timeout if mode is Mode.CORRECT else limits.record_timeout)
    turn.set(
        phase=Phase.CORRECTING,
        ticket=ticket,
        work=Work(ticket, mode, turn.numbers(), text, deadline),
    )
    if mode is Mode.CORRECT and turn.model.waiting_line:
        turn.say(Line.WAITING)
    turn.effects.append(Ask(ticket, mode, text, turn.pending(), deadline, turn.batch.said))


def _apply_edit(turn: Turn[Any], work: Work, answer: Answer) -> None:
    silent = answer.intent is Intent.EDIT
    if not _apply(turn, answer.changes, answer.added, silent):
        turn.say(Line.UNCLEAR)
        return
    _remember(turn, work.text)
    if silent:
        _commit(turn, turn.numbers())


def _apply(
    turn: Turn[Any], changes: Mapping[int, Fields], added: Sequence[Fields], silent: bool = False
) -> bool:
    """Change and add all of it, or nothing where one part is refused."""
    batch = turn.batch
    pending = dict(turn.pending())
    if not changes.keys() <= pending.keys():
        return False
    values = {number: turn.model.change(pending[number], fields) for number, fields in changes.items()}
    room = max(0, batch.limits.max_items - len(batch.items))
    created = [turn.model.create(fields) for fields in added]
    if any(value is None for value in (*values.values(), *created)):
        return False
    items = [replace(item, value=values.get(item.number, item.value)) for item in batch.items]
    new = [Item(len(items) + offset, value) for offset, value in enumerate(created[:room])]
    turn.set(items=(*items, *new))
    if values and not silent:
        turn.say(Line.CHANGED, sorted(values))
    if new and not silent:
        turn.say(Line.ADDED, [item.number for item in new])
    if len(created) > room:
        turn.say(Line.FULL, count=batch.limits.max_items)
    if values or new:
        turn.effects.append(Updated())
    return True


def _remember(turn: Turn[Any], text: str) -> None:
    turn.set(said=f"{turn.batch.said}\n{text}" if turn.batch.said else text)
