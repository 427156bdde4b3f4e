"""The secretary's seat in one conversation: its presence and its lock, and how they look from outside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from ..agents import Judgement
from .attention import PLANS, Attention
from .lock import Lock
from .presence import Effect, Presence, PresenceEvent, Rules, Step, step, take
from .turn import Trigger


class ConversationSeat:
    """Runs the presence machine of one conversation: keeps its state, delivers its ticks.

    `changed` is called after every change of state; `trailing` with the id of a message whose cooldown
    has ended. The timer is owned here and ends with `close`.
    """

    def __init__(
        self,
        rules: Rules,
        now: Callable[[], float],
        changed: Callable[[], None],
        trailing: Callable[[str], None],
    ) -> None:
        self.lock = Lock()
        self.rules = rules
        self.presence = Presence(since=now())
        self._now = now
        self._changed = changed
        self._trailing = trailing
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False
        self.attention = Attention()
        self.plans = Attention(PLANS)
        self._look: asyncio.Task[Judgement] | None = None

    async def judge_talk(self, work: Coroutine[Any, Any, Judgement]) -> Judgement | None:
        """Look at talk; None where somebody called us meanwhile (`stop_looking`). Raises what `work` does."""
        self._look = asyncio.create_task(work, name="mishu look")
        try:
            await asyncio.wait([self._look])
            return None if self._look.cancelled() else self._look.result()
        finally:
            if not self._look.done():
                self._look.cancel()
                await asyncio.wait([self._look])
            self._look = None

    def stop_looking(self) -> None:
        """Somebody is owed an answer: what is only being watched is not in their way."""
        if self._look is not None:
            self._look.cancel()

    def apply(self, event: PresenceEvent) -> None:
        """Let something happen to the presence."""
        self.accept(step(self.presence, event, self._now(), self.rules))

    def accept(self, done: Step) -> None:
        """Take over the presence of a step, and set the timer for what is due next."""
        before, self.presence = self.presence, done.presence
        self._set_timer()
        if before != self.presence:
            self._changed()
        if done.effect is Effect.TRAILING and done.message is not None:
            self._trailing(done.message)

    def skip(self, message_id: str) -> bool:
        """Note chatter as the newest skipped message, where a cooldown runs here and nobody owns the lock.

        False where the message needs a turn; then nothing has happened.
        """
        if self.lock.busy:
            return False
        done = take(self.presence, Trigger.CHAT, message_id, self._now(), self.rules)
        if done.effect is not Effect.SKIP:
            return False
        self.accept(done)
        return True

    def close(self) -> None:
        """No more ticks, whatever still happens."""
        self._closed = True
        self._stop_timer()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set_timer(self) -> None:
        self._stop_timer()
        due = self.presence.wake_at(self.rules)
        if due is not None and not self._closed:
            delay = max(0.0, due - self._now()) + 0.001
            self._timer = asyncio.get_running_loop().call_later(delay, self.apply, PresenceEvent.TICK)
