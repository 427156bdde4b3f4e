"""What a batch does with each input. `machine.TABLE` says which of these is taken when."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from .answers import Answer, Fields, Intent, read_answer
from .batch import ItemState, Mode, Phase, Waiting, Work
from .changes import apply, correct_locally, remember
from .events import Ask, CancelAsk, End, PassOn
from .grammar import Kind, Order
from .lines import Line
from .triage import may_refuse
from .turn import Turn, close, close_if_done, commit

T = TypeVar("T")

REFUSED: Final = "不要了"
"""What is kept of a refusal until its item is named."""


def confirm(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """Ask for a commit of everything pending; not while it is not clear which item was refused."""
    if turn.batch.unplaced == REFUSED and not order.scoped:
        turn.say(Line.WHICH_GOES)
        return
    turn.set(unplaced="")
    commit(turn, turn.numbers())


def confirm_items(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """Ask for a commit of the items named; refused whole where one is cancelled or not on the card."""
    chosen = _named(turn, order, Line.ALREADY_SAVED, ItemState.CANCELLED, Line.ALREADY_CANCELLED)
    if chosen:
        commit(turn, chosen)


def cancel(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """Cancel everything pending, nothing that is saved; the batch ends."""
    dropped = turn.numbers()
    turn.mark(dropped, ItemState.CANCELLED)
    turn.say(Line.CANCELLED, dropped)
    close(turn, End.CANCELLED)


def cancel_items(turn: Turn[Any], line: Waiting, order: Order) -> None:
    """Cancel the items named, and say which are saved already; none where one is not on the card."""
    states = {item.number: item.state for item in turn.batch.items}
    chosen = [number for number in order.items if states.get(number) is ItemState.PENDING]
    late = [number for number in order.items if states.get(number) is ItemState.SAVED]
    beyond = [number for number in order.items if number not in states]
    if beyond:
        turn.say(Line.NO_SUCH, beyond)
        return
    if chosen:
        turn.mark(chosen, ItemState.CANCELLED)
        turn.say(Line.CANCELLED, chosen)
    if late and not order.complement:
        turn.say(Line.TOO_LATE, late)
    if not (chosen or late):
        turn.say(Line.ALREADY_CANCELLED, order.items)
    close_if_done(turn, End.CANCELLED)


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
    if turn.batch.home is Phase.ASKING:
        turn.set(home=Phase.CONFIRMING, phase=Phase.CONFIRMING)
    if not line.follows:
        turn.set(unplaced="")
    _ask(turn, Mode.CORRECT, line.text, line.online)


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
        case Intent.CONFIRM if may_refuse(work.text):
            turn.say(Line.UNCLEAR)  # no model reads a consent into a no
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


def committed(turn: Turn[Any], work: Work) -> None:
    """What was committed is saved; the batch ends with its last pending item."""
    _return_home(turn)
    turn.mark(work.numbers, ItemState.SAVED)
    turn.say(Line.SAVED, work.numbers)
    if turn.batch.dropping:
        drop(turn)
    else:
        close_if_done(turn, End.SAVED)


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


def _return_home(turn: Turn[Any]) -> None:
    turn.set(phase=turn.batch.home, work=None)


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
    changes, added = answer.changes, answer.added
    if answer.intent is Intent.CORRECTION and not added and work.mode is Mode.CORRECT:
        own = turn.model.correct_locally(work.text, turn.pending())
        if own.added and not own.changes:
            changes, added = dict[int, Fields](), tuple(own.added)  # the line names nothing on the card
    if not apply(turn, changes, added, silent, answer.removed):
        turn.say(Line.UNCLEAR)
        return
    remember(turn, work.text)
    if silent:
        commit(turn, turn.numbers())
