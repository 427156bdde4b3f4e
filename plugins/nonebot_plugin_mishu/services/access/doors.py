"""What opens a group to its members over HTTP and ends with their membership (`frontdesk.commands.web_links.Doors`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import parse_qs, urlsplit

from ...storage.records import Conversation, Role
from .sessions import Sessions

ENTER: Final = "/console/enter"
EndsHere = Callable[[Conversation, str | None], Awaitable[None]]


class PageDoors:
    """Makes links of codes. `site` gives where the pages are reached; None while there are none."""

    def __init__(
        self, sessions: Sessions, site: Callable[[], str | None], end_calendars: EndsHere | None = None
    ) -> None:
        """`end_calendars` ends the addresses of calendars that somebody, or everybody, was given."""
        self._sessions = sessions
        self._site = site
        self._end_calendars = end_calendars

    async def invite(self, place: Conversation, user_id: str, name: str, role: Role) -> str | None:
        """A link that opens the group's pages once."""
        site = self._site()
        if site is None:
            return None
        return f"{site}{ENTER}?code={await self._sessions.invite(place, user_id, name, role)}"

    async def take_back(self, link: str) -> None:
        """The link opens nothing any more."""
        for code in parse_qs(urlsplit(link).query).get("code", []):
            await self._sessions.take_back(code)

    async def close_all(self, user_id: str) -> int:
        """End whatever this person has open."""
        return await self._sessions.leave_all(user_id)

    async def standing_changed(self, place: Conversation, user_id: str) -> None:
        """Their sessions ask the platform before anything else."""
        await self._sessions.moved(place, user_id)

    async def close_here(self, place: Conversation, user_id: str | None = None) -> None:
        """End what this person, or everybody, has open of a group: pages, streams, calendars."""
        await self._sessions.left(place, user_id)
        if self._end_calendars is not None:
            await self._end_calendars(place, user_id)
