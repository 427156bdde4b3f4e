"""Calendars of groups and members: by their address, and as a file for the group."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from ..storage import Conversation
from ..storage.calendars import Calendars
from .entries import DayEntry
from .ics import calendar_bytes

PATH = "/calendar"

EntriesOf = Callable[[Conversation, str], Awaitable[Sequence[DayEntry]]]
"""What is in a calendar: of the whole conversation where the user id is empty. Raises `StorageError`."""


class CalendarDesk:
    """Makes calendar files. Implements `web.calendar_routes.CalendarBackend`."""

    def __init__(
        self,
        calendars: Calendars,
        entries_of: EntriesOf,
        wall: Callable[[], float],
        site: Callable[[], str | None] = lambda: None,
    ) -> None:
        """`site` tells where the bot is reached over HTTP, without a slash at the end; None where nowhere."""
        self._site = site
        self._calendars = calendars
        self._entries_of = entries_of
        self._wall = wall

    async def calendar(self, token: str) -> bytes | None:
        """The calendar a token opens; None where it opens none. Raises `StorageError`."""
        found = await self._calendars.opened_by(token)
        return None if found is None else (await self.calendar_file(*found))[1]

    async def calendar_file(self, conversation: Conversation, user_id: str = "") -> tuple[str, bytes]:
        """Name and content of the file with what is planned now. Raises `StorageError`."""
        entries = await self._entries_of(conversation, user_id)
        name = "我的日程" if user_id else "群日程"
        # In a thread: a full calendar takes long enough to be felt.
        content = await asyncio.to_thread(calendar_bytes, name, entries, self._wall())
        return f"{name}.ics", content

    async def address(self, conversation: Conversation, user_id: str = "") -> str:
        """The whole address under which programs subscribe to it; whoever knows it may read it.

        Empty where nothing is served over HTTP.
        """
        site = self._site()
        return (
            "" if site is None else f"{site}{PATH}/{await self._calendars.token(conversation, user_id)}.ics"
        )
