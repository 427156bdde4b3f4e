"""The trace of one decision, gathered while it is made."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from ..agents import Judgement
from ..llm import CallLog
from ..storage.records import Conversation, DecisionRecord
from .presence import PresenceState
from .turn import TurnItem


class Trace:
    """Trigger, states, timings, model calls and the reason in words; `record` makes it a value."""

    def __init__(
        self, conversation: Conversation, item: TurnItem, before: PresenceState, now: Callable[[], float]
    ) -> None:
        owed = item.trigger.obligation
        # What nobody asked for is the group's, not the member's whose line happened to be the last.
        self.calls = CallLog(owed, member=item.message.user_id if owed else None)
        self.should_reply = False
        self.strategy = ""
        self.reason = ""
        self._conversation = conversation
        self._item = item
        self._before = before
        self._now = now
        self._began = now()
        self._timings = {"held": max(0.0, self._began - item.heard_at)}

    def judged(self, judgement: Judgement) -> None:
        """A reply's own judgement: how it was meant to be answered."""
        self.strategy = judgement.reply_strategy or self.strategy

    @contextmanager
    def timed(self, step: str) -> Generator[None]:
        """Note how long a step took."""
        began = self._now()
        try:
            yield
        finally:
            self._timings[step] = self._now() - began

    def record(self, after: PresenceState, at: float) -> DecisionRecord:
        """The decision as it ended; `at` is wall seconds."""
        timings = {**self._timings, "total": self._now() - self._began}
        return DecisionRecord(
            conversation=self._conversation,
            message_id=self._item.id,
            trigger=self._item.trigger.value,
            state_before=self._before.value,
            state_after=after.value,
            should_reply=self.should_reply,
            strategy=self.strategy,
            reason=self.reason,
            timings={name: round(seconds, 4) for name, seconds in timings.items()},
            calls=list(self.calls.names),
            tokens=self.calls.tokens,
            at=at,
            user_id=self._item.user_id,
        )
