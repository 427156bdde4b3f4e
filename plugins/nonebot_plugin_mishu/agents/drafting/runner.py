"""Runs a batch of drafts: carries out the machine's effects in order and reports back to it.

Within one call everything runs to its end, so that a snapshot never holds a running correction, and a running
commit only where the database did not say what became of it. A call that dies leaves the snapshot before it;
what it committed is found on disk by the next one.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from ...drafts import (
    AskModel,
    Batch,
    BatchPhase,
    Closed,
    Commit,
    CommitFailed,
    Committed,
    Dropped,
    Effect,
    End,
    Event,
    ItemState,
    LineReceived,
    Mode,
    ModelAnswered,
    ModelFailed,
    OwnerNotice,
    PassOn,
    Say,
    Ticked,
    Updated,
    dump,
    open_batch,
    step,
)
from ...llm import ModelError
from ...storage.engine.errors import StorageError
from ...storage.records import Conversation, FrameRecord
from ..api.dispatch import TaskDispatch, TaskResult
from ..api.task_context import TaskContext
from .adapter import CommitRefused, DraftAdapter
from .cards import card_of, tell
from .snapshots import BATCH, batch_of, interrupted, name_of

T = TypeVar("T")

_UNREACHED = frozenset({"offline", "budget", "share", "pace", "unreachable", "breaker_open"})
"""Kinds of `ModelError` at which the owner is told that only simple corrections are possible."""


@dataclass
class _Turn(Generic[T]):
    """One call: the batch so far and what is to be said."""

    batch: Batch[T]
    conversation: Conversation
    context: TaskContext | None
    lines: list[str] = field(default_factory=list[str])
    saved: str | None = None
    """The line that says that items were saved."""
    changed: bool = False
    """The card looks different and is still open."""
    unclear: bool = False
    """It was said that a line was not understood: what was asked before stays asked."""
    unknown: bool = False
    end: End | None = None


class DraftRunner(Generic[T]):
    """The batches of one agent. Holds no state: a batch lives in its task's slots."""

    def __init__(self, adapter: DraftAdapter[T]) -> None:
        self._adapter = adapter

    async def open(
        self, dispatch: TaskDispatch, context: TaskContext, values: list[T], said: str = ""
    ) -> TaskResult:
        """Open a batch with these values and show its card. Raises `ValueError` without values."""
        batch, effects = open_batch(
            context.origin,
            context.actor.user_id,
            name_of(context.conversation),
            values,
            self._adapter.wall(),
            self._adapter.limits,
            said or context.text,
        )
        turn = _Turn(batch, context.conversation, context)
        await self._carry_out(turn, effects)
        turn.lines.insert(0, self._adapter.wording.card(turn.batch))
        turn.changed = False
        return self._build_result(dispatch.task_id, turn)

    async def hear(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """The next line in the conversation of an open batch (`context.open`)."""
        wording = self._adapter.wording
        kept = context.open.slots if context.open is not None else dispatch.slots
        batch = batch_of(kept, self._adapter.load_item)
        if batch is None:
            return TaskResult(dispatch.task_id, "canceled", {BATCH: None}, user_response=wording.gone)
        turn = _Turn(batch, context.conversation, context)
        heard = LineReceived(context.actor.user_id, context.text, self._adapter.online())
        try:
            found = await self._find_ended_work(turn)
        except StorageError:
            turn.lines.append(wording.unreachable)
            return self._build_result(dispatch.task_id, turn)
        # The line waits behind what ran, as it would have.
        await self._apply_event(turn, heard)
        if found is not None:
            await self._apply_event(turn, found)
        return self._build_result(dispatch.task_id, turn)

    async def expire(self, frame: FrameRecord) -> str | None:
        """`AgentSpec.expire`: the draft's time is over; what to say.

        Where the database does not answer, what is on disk stays, and nothing can be said about it for sure.
        """
        batch = batch_of(frame.slots, self._adapter.load_item)
        if batch is None or batch.phase is BatchPhase.CLOSED:
            return None
        turn = _Turn(batch, frame.conversation, None)
        try:
            found = await self._find_ended_work(turn)
        except StorageError:
            return self._adapter.wording.unreachable
        if found is not None:
            await self._apply_event(turn, found)
        if turn.batch.phase is not BatchPhase.CLOSED:
            await self._apply_event(turn, Ticked(), at=max(self._adapter.wall(), turn.batch.expires_at))
        return "\n".join(turn.lines) or None

    async def drop(self, frame: FrameRecord) -> None:
        """End a batch without a word: recall, silence, a newer candidate, an emergency."""
        batch = batch_of(frame.slots, self._adapter.load_item)
        if batch is not None and batch.phase is not BatchPhase.CLOSED:
            await self._apply_event(_Turn(batch, frame.conversation, None), Dropped())

    async def _find_ended_work(self, turn: _Turn[T]) -> Event | None:
        """End of the work that ran at the snapshot or after it, as an event. Raises `StorageError`."""
        if turn.batch.phase is BatchPhase.CLOSED:
            return None
        saved = await self._adapter.saved(turn.batch.id)
        work = turn.batch.work
        turn.batch, committed = interrupted(turn.batch, saved)
        if committed is not None or work is None:
            return committed
        if work.mode is Mode.COMMIT:
            return CommitFailed(work.ticket)
        return ModelFailed(work.ticket)

    async def _apply_event(self, turn: _Turn[T], event: Event, at: float | None = None) -> None:
        now = self._adapter.wall() if at is None else at
        turn.batch, effects = step(turn.batch, event, now, self._adapter.model)
        await self._carry_out(turn, effects)

    async def _carry_out(self, turn: _Turn[T], effects: tuple[Effect[T], ...]) -> None:
        for effect in effects:
            match effect:
                case Say():
                    await self._add_words(turn, effect)
                case AskModel():
                    await self._apply_event(turn, await self._ask_model(turn, effect))
                case Commit():
                    event = await self._commit_items(turn, effect)
                    if event is not None:
                        await self._apply_event(turn, event)
                case Updated():
                    turn.changed = True
                    adapter = self._adapter
                    tell(turn.conversation, card_of(turn.batch, adapter.agent_code, adapter.item_json))
                case PassOn():
                    if turn.context is not None:
                        turn.context.passed_on = True
                case Closed():
                    turn.end = effect.end
                case _:
                    pass  # CancelAsk: nothing is asked beside us

    async def _add_words(self, turn: _Turn[T], say: Say) -> None:
        words = self._adapter.wording.line(say, turn.batch)
        if words is None:
            return
        turn.unclear = turn.unclear or say.line is OwnerNotice.UNCLEAR
        if say.line is OwnerNotice.SAVED:
            turn.saved = words
        if say.line is not OwnerNotice.WAITING:
            turn.lines.append(words)
        elif turn.context is not None:
            work = turn.batch.work
            seconds = self._adapter.limits.correction_timeout
            if work is not None and work.deadline is not None:
                seconds = min(seconds, work.deadline - self._adapter.wall())
            sending = asyncio.ensure_future(turn.context.say(words))
            try:
                await asyncio.wait({sending}, timeout=max(0.0, seconds))
            finally:
                sending.cancel()  # done, as a rule; else our whole time went into saying it

    async def _ask_model(self, turn: _Turn[T], ask: AskModel[T]) -> Event:
        """Ask within the deadline; an answer that comes later is none."""
        context = turn.context
        if context is None:
            return ModelFailed(ask.ticket)
        seconds = min(ask.deadline - self._adapter.wall(), context.deadline.remaining())
        asking = asyncio.ensure_future(
            self._adapter.ask(ask, context, context.deadline.earlier(max(0.0, seconds)))
        )
        try:
            done, _ = await asyncio.wait({asking}, timeout=max(0.0, seconds))
            if not done:
                return ModelFailed(ask.ticket)
            return ModelAnswered(ask.ticket, asking.result())
        except ModelError as error:
            return ModelFailed(ask.ticket, offline=error.kind in _UNREACHED)
        finally:
            if not asking.done():
                asking.cancel()
                asking.add_done_callback(_retrieve)

    async def _commit_items(self, turn: _Turn[T], commit: Commit[T]) -> Event | None:
        """Commit, and where the database left it open, look; None where even that gets no answer."""
        context = turn.context
        if context is None:
            return CommitFailed(commit.ticket)
        try:
            await self._adapter.commit(turn.batch, commit, context)
        except CommitRefused as refusal:
            turn.lines.append(str(refusal))
            return CommitFailed(commit.ticket)
        except StorageError:
            try:
                saved = await self._adapter.saved(turn.batch.id)
            except StorageError:
                turn.unknown = True
                return None
            there = all(number in saved for number, _ in commit.items)
            return Committed(commit.ticket) if there else CommitFailed(commit.ticket)
        return Committed(commit.ticket)

    def _build_result(self, task_id: str, turn: _Turn[T]) -> TaskResult:
        batch, wording = turn.batch, self._adapter.wording
        closed = batch.phase is BatchPhase.CLOSED
        if turn.unknown:
            turn.lines.append(wording.unknown)
        elif turn.changed and not closed:
            card = wording.changed(batch)
            if card is not None:
                turn.lines.append(card)
        if not closed and turn.context is not None:
            turn.context.keep_until = batch.expires_at
        slots = {BATCH: dump(batch, self._adapter.dump_item), **self._adapter.notes(batch)}
        asked = turn.context.open if turn.context is not None else None
        still_asks = asked.question if asked is not None and turn.unclear else None
        saved = any(item.state is ItemState.SAVED for item in batch.items)
        status = "awaiting_user" if not closed else "completed" if saved else "canceled"
        response = "\n".join(turn.lines) or None
        whole = closed and all(item.state is ItemState.SAVED for item in batch.items)
        sign = response if whole and wording.told_by_card and turn.lines == [turn.saved] else None
        return TaskResult(
            task_id, status, slots, user_response=response, still_asks=still_asks, told_by_sign=sign
        )


def _retrieve(asking: asyncio.Future[Any]) -> None:
    if not asking.cancelled():
        asking.exception()  # It was cancelled and ended with something else; nobody waits for it.
