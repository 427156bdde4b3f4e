"""Actions of a batch upon its inputs; `machine.TABLE` selects them."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from ..language import confirms
from ..language.cards.grammar import Kind, Order
from ..language.cards.triage import may_refuse
from .answers import CheckedAnswer, Fields, LineIntent, consents, read_answer
from .batch import BatchPhase, ItemState, Mode, RunningWork, Waiting
from .changes import append_said, apply_changes, correct_locally, reads_changes, say_unclear
from .events import AskModel, CancelModelCall, End, PassOn
from .lines import OwnerNotice
from .turn import BatchTurn, close, close_if_done, commit

T = TypeVar("T")

REFUSED: Final = "不要了"
"""Words of a refusal, kept until its item is named."""


def confirm(turn: BatchTurn[Any], line: Waiting, order: Order) -> None:
    """Ask for a commit of everything pending; not while it is not clear which item was refused."""
    if turn.batch.unplaced == REFUSED and not order.scoped:
        turn.add_line(OwnerNotice.WHICH_GOES)
        return
    if turn.batch.unheard and not order.scoped and not confirms(line.text):
        turn.set(unheard=False)
        turn.add_line(OwnerNotice.UNHEARD, turn.numbers())
        return
    turn.set(unplaced="", unheard=False)
    commit(turn, turn.numbers())


def confirm_items(turn: BatchTurn[Any], line: Waiting, order: Order) -> None:
    """Ask for a commit of the items named; refused whole where one is cancelled or not on the card."""
    chosen = _select_named(
        turn, order, OwnerNotice.ALREADY_SAVED, ItemState.CANCELLED, OwnerNotice.ALREADY_CANCELLED
    )
    if chosen:
        commit(turn, chosen)


def cancel(turn: BatchTurn[Any], line: Waiting, order: Order) -> None:
    """Cancel everything pending, nothing that is saved; the batch ends."""
    dropped = turn.numbers()
    turn.mark(dropped, ItemState.CANCELLED)
    turn.add_line(OwnerNotice.CANCELLED, dropped)
    close(turn, End.CANCELLED)


def cancel_items(turn: BatchTurn[Any], line: Waiting, order: Order) -> None:
    """Cancel the items named, and say which are saved already; none where one is not on the card."""
    states = {item.number: item.state for item in turn.batch.items}
    chosen = [number for number in order.items if states.get(number) is ItemState.PENDING]
    late = [number for number in order.items if states.get(number) is ItemState.SAVED]
    beyond = [number for number in order.items if number not in states]
    if beyond:
        turn.add_line(OwnerNotice.NO_SUCH, beyond)
        return
    if chosen:
        turn.mark(chosen, ItemState.CANCELLED)
        turn.add_line(OwnerNotice.CANCELLED, chosen)
    if late and not order.complement:
        turn.add_line(OwnerNotice.TOO_LATE, late)
    if not (chosen or late):
        turn.add_line(OwnerNotice.ALREADY_CANCELLED, order.items)
    close_if_done(turn, End.CANCELLED)


def leave(turn: BatchTurn[Any], line: Waiting, order: Order) -> None:
    """Ask once whether to save; the second time drop what is pending and say so."""
    left = turn.numbers()
    if not turn.batch.exit_asked:
        turn.set(phase=BatchPhase.ASKING, home=BatchPhase.ASKING, exit_asked=True)
        turn.add_line(OwnerNotice.SAVE_THESE, left, len(left))
        return
    turn.mark(left, ItemState.CANCELLED)
    turn.add_line(OwnerNotice.LEFT, left)
    close(turn, End.LEFT)


def go_on(turn: BatchTurn[Any], line: Waiting, order: Order) -> None:
    """Keep the batch and take more items."""
    turn.set(phase=BatchPhase.RECORDING, home=BatchPhase.RECORDING)
    turn.add_line(OwnerNotice.RECORDING)


def correct(turn: BatchTurn[Any], line: Waiting, order: Order) -> None:
    """Say that it is being corrected, then ask a model; by local rules where none can be asked."""
    if turn.batch.home is BatchPhase.ASKING:
        turn.set(home=BatchPhase.CONFIRMING, phase=BatchPhase.CONFIRMING)
    if not line.follows:
        turn.set(unplaced="")
    _ask_model(turn, Mode.CORRECT, line.text, line.online)


def record(turn: BatchTurn[Any], line: Waiting, order: Order) -> None:
    """Have new items read from the line."""
    if len(turn.batch.items) >= turn.batch.limits.max_items:
        turn.add_line(OwnerNotice.FULL, count=turn.batch.limits.max_items)
    elif line.online:
        _ask_model(turn, Mode.RECORD, line.text, line.online)
    else:
        correct_locally(turn, line.text, offline=False)  # reading new items needs no model


def talk(turn: BatchTurn[Any], line: Waiting, order: Order) -> None:
    """Pass it on: it has nothing to do with the items; or ask the agent's model."""
    if turn.model.ask_about_talk:
        correct(turn, line, order)
    else:
        turn.effects.append(PassOn(line.text))


def wait(turn: BatchTurn[Any], line: Waiting, order: Order) -> None:
    """Keep the line until what runs has ended."""
    if len(turn.batch.waiting) < turn.batch.limits.max_waiting:
        turn.set(waiting=(*turn.batch.waiting, line))
    else:
        turn.effects.append(PassOn(line.text))


def pass_on(turn: BatchTurn[Any], line: Waiting, order: Order) -> None:
    """The batch has ended: the line is somebody else's."""
    turn.effects.append(PassOn(line.text))


def apply_answer(turn: BatchTurn[Any], work: RunningWork, raw: object) -> None:
    """Check the model's answer as a whole and apply it, or tell the owner that it was unclear."""
    _return_home(turn)
    answer = read_answer(raw, work.numbers, turn.batch.limits.confidence)
    nobody = Order(Kind.CORRECTION)
    match answer.intent:
        case LineIntent.CONFIRM if may_refuse(work.text):
            turn.add_line(OwnerNotice.UNCLEAR, turn.numbers())  # no model reads a consent into a no
        case LineIntent.CONFIRM if reads_changes(turn, work.text):
            # Nor a correction into a yes to the card as it is.
            correct_locally(turn, work.text, offline=False)
        case LineIntent.CONFIRM:
            confirm(turn, Waiting(work.text), nobody)
        case LineIntent.CANCEL:
            cancel(turn, Waiting(work.text), nobody)
        case LineIntent.IRRELEVANT if not _is_promised(turn, work):
            turn.effects.append(PassOn(work.text))
        case LineIntent.UNCLEAR if consents(raw) and reads_changes(turn, work.text):
            correct_locally(turn, work.text, offline=False)
        case LineIntent.UNCLEAR | LineIntent.IRRELEVANT:
            say_unclear(turn, work.text, promised=_is_promised(turn, work))
        case LineIntent.CORRECTION | LineIntent.APPEND | LineIntent.EDIT:
            _apply_edit(turn, work, answer)


def fall_back(turn: BatchTurn[Any], work: RunningWork, offline: bool) -> None:
    """The model did not answer in time: correct by local rules."""
    _return_home(turn)
    correct_locally(turn, work.text, offline, promised=_is_promised(turn, work))


def committed(turn: BatchTurn[Any], work: RunningWork) -> None:
    """Mark the committed items as saved; the batch ends with its last pending item."""
    _return_home(turn)
    turn.mark(work.numbers, ItemState.SAVED)
    turn.add_line(OwnerNotice.SAVED, work.numbers)
    if turn.batch.dropping:
        drop(turn)
    else:
        close_if_done(turn, End.SAVED)


def not_committed(turn: BatchTurn[Any], work: RunningWork) -> None:
    """Nothing of it was saved; the items are pending as before."""
    _return_home(turn)
    turn.add_line(OwnerNotice.NOT_SAVED, work.numbers)
    if turn.batch.dropping:
        drop(turn)


def expire(turn: BatchTurn[Any]) -> None:
    """Drop what is pending after the draft's time, and tell the owner."""
    left = turn.numbers()
    turn.mark(left, ItemState.CANCELLED)
    turn.add_line(OwnerNotice.EXPIRED, left)
    close(turn, End.EXPIRED)


def drop(turn: BatchTurn[Any]) -> None:
    """End without a word; a running commit ends first."""
    if turn.batch.phase is BatchPhase.COMMITTING:
        turn.set(dropping=True, waiting=())
        return
    work = turn.batch.work
    if work is not None:
        turn.effects.append(CancelModelCall(work.ticket))
        _return_home(turn)
    turn.set(waiting=())
    left = turn.numbers()
    if left:
        turn.mark(left, ItemState.CANCELLED)
    close(turn, End.DROPPED if left else End.SAVED)


def _is_promised(turn: BatchTurn[Any], work: RunningWork) -> bool:
    """True if the owner was told that their line is being carried out."""
    return work.mode is Mode.CORRECT and turn.model.waiting_line


def _return_home(turn: BatchTurn[Any]) -> None:
    turn.set(phase=turn.batch.home, work=None)


def _select_named(
    turn: BatchTurn[Any], order: Order, done: OwnerNotice, barred: ItemState, why: OwnerNotice
) -> tuple[int, ...]:
    """The pending items of `order`; says why and answers none where the order is refused or already done."""
    size = len(turn.batch.items)
    beyond = [number for number in order.items if number >= size]
    if beyond:
        turn.add_line(OwnerNotice.NO_SUCH, beyond)
        return ()
    states = {number: turn.batch.items[number].state for number in order.items}
    refused = [number for number, state in states.items() if state is barred]
    if refused and not order.complement:
        turn.add_line(why, refused)
        return ()
    chosen = tuple(number for number, state in states.items() if state is ItemState.PENDING)
    if not chosen:
        turn.add_line(done, order.items)
    return chosen


def _ask_model(turn: BatchTurn[Any], mode: Mode, text: str, online: bool) -> None:
    if not online:
        correct_locally(turn, text, offline=True)
        return
    limits = turn.batch.limits
    ticket = turn.batch.ticket + 1
    deadline = turn.now + (limits.correction_timeout if mode is Mode.CORRECT else limits.record_timeout)
    turn.set(
        phase=BatchPhase.CORRECTING,
        ticket=ticket,
        work=RunningWork(ticket, mode, turn.numbers(), text, deadline),
    )
    if mode is Mode.CORRECT and turn.model.waiting_line:
        turn.add_line(OwnerNotice.WAITING)
    turn.effects.append(AskModel(ticket, mode, text, turn.pending(), deadline, turn.batch.said))


def _apply_edit(turn: BatchTurn[Any], work: RunningWork, answer: CheckedAnswer) -> None:
    silent = answer.intent is LineIntent.EDIT
    changes, added = answer.changes, answer.added
    if answer.intent is LineIntent.CORRECTION and not added and work.mode is Mode.CORRECT:
        own = turn.model.correct_locally(work.text, turn.pending())
        if own.added and not own.changes:
            changes, added = dict[int, Fields](), tuple(own.added)  # the line names nothing on the card
    if not apply_changes(turn, changes, added, silent, answer.removed):
        say_unclear(turn, work.text, promised=_is_promised(turn, work))
        return
    append_said(turn, work.text)
    if silent:
        commit(turn, turn.numbers())
