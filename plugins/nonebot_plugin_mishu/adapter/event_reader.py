"""Events of one platform as the wiring needs them: a small protocol, implemented once a platform."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from nonebot.adapters import Bot, Event

from ..frontdesk import FrontDesk, IncomingMessage
from ..frontdesk.duty.duties import Duties
from ..storage.records import Conversation
from .reading_context import ReadingContext

EventKind = Literal["message", "notice", "other"]
"""A line of somebody's (a pressed button too); something that happened; what is nothing to us."""


class EventReader(Protocol):
    """Reads the events of one platform. Nothing here awaits."""

    def reads(self, bot: Bot, event: Event) -> bool:
        """True for an event of this platform that somebody vouched for."""
        ...

    def kind(self, event: Event) -> EventKind:
        """What an event is to us."""
        ...

    def place(self, account: str, event: Event) -> Conversation | None:
        """The conversation in which it happened, under the account that heard it."""
        ...

    def message(self, account: str, event: Event, around: ReadingContext) -> IncomingMessage | None:
        """A message as heard; None where it is none of ours."""
        ...

    def act_on_notice(
        self, desk: FrontDesk, duties: Duties, bot: Bot, event: Event, around: ReadingContext
    ) -> IncomingMessage | None:
        """Start what a notice asks for, in a task of the front desk's. A poke of the bot is handed back."""
        ...

    def place_of_call(self, account: str, api: str, data: Mapping[str, Any]) -> Conversation | None:
        """The conversation that a call of the API is about; None where it names none."""
        ...

    def seen(self, api: str) -> bool:
        """True for a call of the API that members can see in the conversation."""
        ...
