"""Turns: one owner per conversation at a time; everybody else is held, killed, handed over to or evicted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from ..clock import Clock
from ..config import Config
from ..core import Core
from ..secretary import PresenceEvent, PresenceState, Secretary, Trigger, Turn, TurnItem
from ..storage.records import LedgerMessage
from .hold import Ticket
from .reply_service import ReplyService
from .rooms.room import Room, RunningTurn
from .rooms.views import Audience
from .tasks import OwnedTasks

_RECALLED: Final = "消息撤回了"

StoreLeft = Callable[[Room, LedgerMessage, Trigger, str], Coroutine[Any, Any, None]]
"""Stores the reason why a line is not answered, and marks it as processed (`TakenLines.leave`)."""


class Turns:
    """Admits triggering messages to the secretary, one turn at a time in each conversation."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        core: Core,
        replies: ReplyService,
        secretary: Secretary,
        audience: Audience,
        tasks: OwnedTasks,
        store_left: StoreLeft,
    ) -> None:
        self._store_left = store_left
        self._hold_timeout = config.frontdesk.hold_timeout
        self._lock_timeout = config.secretary.lock_timeout
        self._clock = clock
        self._core = core
        self._replies = replies
        self._secretary = secretary
        self._audience = audience
        self._tasks = tasks
        self._closed = False

    async def admit(self, room: Room, item: TurnItem) -> None:
        """Give a message its turn: at once where the secretary is free in the room, else from the hold.

        A line waits for those before it that are on their way (`Arrivals`). Returns when the turn is over, or
        when the message gets none.
        """
        if item.trigger.obligation and not item.poke:
            # Another turn may have looked at it as talk in the meantime.
            room.ledger.update([item.id], addressed=True, processed=False)
            self._tasks.spawn(self._replies.mark_owed(item.message), "mishu oblige")
            await room.arrivals.await_older(item.message.order, self._clock.monotonic())
            room.arrivals.arrive(item.id)
            if (known := room.ledger.get(item.id)) is not None and known.recalled:
                return
        if self._closed:
            return
        if item.trigger.obligation:
            room.seat.stop_looking()
        if not room.seat.lock.busy and not len(room.hold):
            await self._run_turn(room, self._begin(room, (item,)))
            return
        ticket = room.hold.admit(item)
        self._audience.presence_changed(room)
        self._hand_over(room)
        if (verdict := ticket.verdict) is not None and verdict.kind == "KILL":
            self._note_left(room, [item], verdict.reason)
        await self._wait(room, ticket)

    def _note_left(self, room: Room, items: Sequence[TurnItem], reason: str) -> None:
        """Store the reason why the calls among these items are not answered (`/秘书 为什么`)."""
        for item in items:
            if item.trigger.obligation and not item.poke:
                note = self._store_left(room, item.message, item.trigger, reason)
                self._tasks.spawn(note, "mishu left")

    async def _wait(self, room: Room, ticket: Ticket) -> None:
        limit = None if ticket.item.trigger.obligation else self._hold_timeout
        try:
            async with asyncio.timeout(limit):
                await ticket.future
        except TimeoutError:
            pass  # its turn may have come in the same moment: the verdict says so
        except asyncio.CancelledError:
            if (work := self._granted(room, ticket)) is not None:
                self._end(room, work)
            raise
        finally:
            room.hold.withdraw(ticket)
            self._audience.presence_changed(room)
        if (work := self._granted(room, ticket)) is not None:
            await self._run_turn(room, work)

    def _granted(self, room: Room, ticket: Ticket) -> RunningTurn | None:
        """The turn handed to this ticket; None if it got none, or was evicted before it began."""
        token = ticket.verdict.token if ticket.verdict is not None else None
        work = room.work
        return work if token is not None and work is not None and work.token is token else None

    def _begin(self, room: Room, items: tuple[TurnItem, ...]) -> RunningTurn:
        """Take the lock for a turn; it can be evicted from now on, also before its worker runs."""
        turn = Turn(room.conversation, items, room.context(items))
        token = room.seat.lock.acquire(self._clock.monotonic(), self._lock_timeout)
        timer = asyncio.get_running_loop().call_later(
            self._lock_timeout, self.evict, room, "太久没办完，放弃了", PresenceEvent.ENDED
        )
        room.work = RunningTurn(turn, token, None, timer)
        self._audience.presence_changed(room)
        return room.work

    async def _run_turn(self, room: Room, work: RunningTurn) -> None:
        """Run a turn of the secretary's and give the lock back."""
        work.worker = asyncio.current_task()
        try:
            await self._secretary.run_turn(room.seat, work.turn, work.token)
        finally:
            self._end(room, work)

    def _end(self, room: Room, work: RunningTurn) -> None:
        """Give the lock back; nothing happens if the turn was evicted before."""
        work.timer.cancel()
        if room.work is work:
            room.work = None
        if room.seat.lock.release(work.token):
            if room.seat.presence.state in (PresenceState.SUMMONED, PresenceState.FAMILIAR):
                room.seat.apply(PresenceEvent.ENDED)  # it ended in a way nobody foresaw: do not stay behind
            self._audience.presence_changed(room)
            self._hand_over(room)

    def evict(
        self,
        room: Room,
        reason: str,
        event: PresenceEvent,
        ids: Sequence[str] | None = None,
        again: Sequence[TurnItem] = (),
    ) -> Turn | None:
        """Take the lock from its owner, whose late result is not sent, and hand the turn to the next.

        Args:
            reason: stored with the decision.
            event: event for the presence machine.
            ids: messages marked as processed; by default all of the turn's.
            again: items to be held anew, at their places.

        Returns the evicted turn, None if there was none.
        """
        token = room.seat.lock.evict(reason)
        work, room.work = room.work, None
        if token is None or work is None:
            return None
        work.timer.cancel()
        before = room.seat.presence.state
        room.seat.apply(event)
        if work.worker is not None:
            work.worker.cancel()
        dropped = work.turn.ids if ids is None else list(ids)
        note = self._secretary.abandon(work.turn, dropped, reason, before, room.seat.presence.state)
        self._tasks.spawn(note, "mishu abandon")
        for item in () if self._closed else again:
            self._tasks.spawn(self._wait(room, room.hold.admit(item)), "mishu hold again")
        self._audience.presence_changed(room)
        self._hand_over(room)
        return work.turn

    async def drop_all(self, room: Room, reason: str) -> None:
        """End every hold, turn and waiting speech of a room, for a silence or a mute; on disk on return."""
        killed = room.hold.kill(reason)
        self.evict(room, reason, PresenceEvent.SILENCED)
        room.seat.apply(PresenceEvent.SILENCED)
        room.outbox.drop(reason)
        room.expects.clear()
        self._audience.presence_changed(room)
        self._tasks.spawn(self._core.drop(room.conversation), "mishu drop drafts")
        if left := [item.id for item in killed if not item.poke]:
            await self._replies.mark_processed(room.conversation, left)
        self._note_left(room, killed, reason)

    def give_up(self, room: Room, reason: str) -> None:
        """End every hold, turn and waiting speech of a group that another process has taken over. The lines
        stay open on disk for that process."""
        room.hold.kill(reason)
        room.seat.lock.evict(reason)
        work, room.work = room.work, None
        if work is not None:
            work.timer.cancel()
            if work.worker is not None:
                work.worker.cancel()
        room.outbox.drop(reason)
        room.expects.clear()

    def recall(self, room: Room, message_id: str) -> None:
        """End the hold or turn of a recalled message, and the draft it opened; lines answered jointly with it
        still are."""
        if waited := room.hold.kill(_RECALLED, lambda item: item.id == message_id):
            self._note_left(room, waited, _RECALLED)
            return  # nothing came of it yet
        self._tasks.spawn(self._core.drop(room.conversation, message_id), "mishu drop drafts")
        work = room.work
        if work is None or message_id not in work.turn.ids or work.token.sending:
            return
        others = [item for item in work.turn.items if item.id != message_id]
        self.evict(room, _RECALLED, PresenceEvent.ENDED, [message_id], others)

    def announce_presence(self, room: Room) -> None:
        """Tell the audience of the room's presence."""
        self._audience.presence_changed(room)

    def close(self, rooms: Sequence[Room]) -> None:
        """Take no more turns and resolve every hold; unanswered lines stay open on disk."""
        self._closed = True
        for room in rooms:
            room.hold.kill("正在关闭")

    def _hand_over(self, room: Room) -> None:
        """Give a free lock to the first that waits, unless one before it is on its way."""
        if self._closed or room.seat.lock.busy:
            return
        first = next((held for held in room.hold.items if held.trigger.obligation), None)
        if first is not None and room.arrivals.is_older_coming(first.message.order, self._clock.monotonic()):
            waiting = self._hand_over_in_order(room, first)
            if self._tasks.spawn(waiting, "mishu hand over") is not None:
                return
        self._hand_over_now(room)

    async def _hand_over_in_order(self, room: Room, first: TurnItem) -> None:
        await room.arrivals.await_older(first.message.order, self._clock.monotonic())
        self._hand_over_now(room)

    def _hand_over_now(self, room: Room) -> None:
        if not self._closed and not room.seat.lock.busy:
            room.hold.hand_over(lambda items: self._begin(room, items).token, self._may_join)

    def _may_join(self, item: TurnItem) -> bool:
        """True if a waiting summons only chats, so that it can share a reply with others."""
        if item.trigger is not Trigger.SUMMON or item.work_only:
            return False
        conversation = item.message.conversation
        if self._core.awaits(conversation, item.user_id, item.words):
            return False
        return self._core.only_talk(item.words) and not self._core.votes(
            conversation, item.user_id, item.words, called=True
        )
