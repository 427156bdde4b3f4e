"""Calendars of groups and members: by their address, and as a file for the group."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from ...storage import Conversation
from ...storage.schedules.calendar_tokens import Calendars, OpenCalendar
from .entries import DayEntry
from .ics import calendar_bytes

PATH = "/calendar"
ASKED_ANEW: Final = 3600.0
"""Seconds for which the platform's word on a membership holds."""
ASKED_AGAIN: Final = 300.0
"""Seconds until it is asked again where it did not know, or said that somebody is no member."""
_MOST: Final = 2000

EntriesOf = Callable[[Conversation, str], Awaitable[Sequence[DayEntry]]]
"""Entries of a calendar: of the whole conversation where the user id is empty. Raises `StorageError`."""

StandingOf = Callable[[Conversation, str], Awaitable[str]]
"""A member's standing in a group, asked of the platform: a role, `gone`, or `unknown`."""


async def unknown(place: Conversation, user_id: str) -> str:
    """There is no platform to ask."""
    return "unknown"


class CalendarDesk:
    """Makes calendar files. Implements `web.routes.calendars.CalendarBackend`.

    An address ends with its holder's membership: the notice of their leaving ends it for good, and what no
    notice told is asked of the platform once an hour. Where it cannot be asked, the address goes on.
    """

    def __init__(
        self,
        calendars: Calendars,
        entries_of: EntriesOf,
        wall: Callable[[], float],
        site: Callable[[], str | None] = lambda: None,
        standing: StandingOf = unknown,
    ) -> None:
        """`site` tells where the bot is reached over HTTP, without a slash at the end; None where nowhere."""
        self._standing = standing
        self._asked: OrderedDict[tuple[str, str], tuple[float, bool]] = OrderedDict()
        """By group and member: until when it holds, and whether they were let in."""
        self._site = site
        self._calendars = calendars
        self._entries_of = entries_of
        self._wall = wall

    async def calendar(self, token: str) -> bytes | None:
        """The calendar a token opens; None where it opens none. Raises `StorageError`."""
        found = await self._calendars.opened_by(token)
        if found is None or not await self._is_member(found):
            return None
        return (await self.calendar_file(found.place, found.user_id))[1]

    async def _is_member(self, found: OpenCalendar) -> bool:
        if not found.place.is_group or not found.holder:
            return True
        key, now = (found.place.peer, found.holder), self._wall()
        until, known = self._asked.get(key, (0.0, True))
        if now < until <= now + ASKED_ANEW:
            return known
        standing = await self._standing(found.place, found.holder)
        sure = standing not in ("gone", "unknown")
        self._asked[key] = (now + (ASKED_ANEW if sure else ASKED_AGAIN), standing != "gone")
        self._asked.move_to_end(key)
        while len(self._asked) > _MOST:
            self._asked.popitem(last=False)
        return standing != "gone"

    async def calendar_file(self, conversation: Conversation, user_id: str = "") -> tuple[str, bytes]:
        """Name and content of the file with what is planned now. Raises `StorageError`."""
        entries = await self._entries_of(conversation, user_id)
        name = "我的日程" if user_id else "群日程"
        # In a thread: a full calendar takes long enough to be felt.
        content = await asyncio.to_thread(calendar_bytes, name, entries, self._wall())
        return f"{name}.ics", content

    async def address(self, conversation: Conversation, user_id: str = "", holder: str = "") -> str:
        """The whole address under which programs subscribe to it; whoever knows it may read it, as long as
        `holder`, to whom it is given, is in the group.

        Empty where nothing is served over HTTP.
        """
        site = self._site()
        if site is None:
            return ""
        if holder and not user_id and conversation.is_group:
            token = await self._calendars.held_token(conversation, holder)
        else:
            token = await self._calendars.token(conversation, user_id)
        return f"{site}{PATH}/{token}.ics"

    async def end_here(self, place: Conversation, user_id: str | None) -> None:
        """A member left a group, or we did (None): their addresses open nothing. Raises `StorageError`."""
        await self._calendars.end_here(place, user_id)
        # Who comes back is asked about anew.
        for key in [each for each in self._asked if each[0] == place.peer and user_id in (None, each[1])]:
            del self._asked[key]
