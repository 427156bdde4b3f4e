"""Members' access to their group's pages: opened by links, closed with the membership."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import parse_qs, urlsplit

from ...storage.records import Conversation, Role
from .sessions import Sessions
from .tokens import MemberTokens

ENTER: Final = "/console/enter"
EndsHere = Callable[[Conversation, str | None], Awaitable[None]]


class PageAccess:
    """Links of one-time codes. `site` gives the address of the pages; None while there are none."""

    def __init__(
        self,
        sessions: Sessions,
        site: Callable[[], str | None],
        end_calendars: EndsHere | None = None,
        tokens: MemberTokens | None = None,
    ) -> None:
        """`end_calendars` ends the addresses of calendars that somebody, or everybody, was given; `tokens`
        are those of members' programs, which end with their sessions."""
        self._sessions = sessions
        self._tokens = tokens
        self._site = site
        self._end_calendars = end_calendars

    async def invite(self, place: Conversation, user_id: str, name: str, role: Role) -> str | None:
        """A one-time link to the group's pages."""
        site = self._site()
        if site is None:
            return None
        return f"{site}{ENTER}?code={await self._sessions.invite(place, user_id, name, role)}"

    async def take_back(self, link: str) -> None:
        """Cancel a link."""
        for code in parse_qs(urlsplit(link).query).get("code", []):
            await self._sessions.take_back(code)

    async def close_all(self, user_id: str) -> int:
        """End all sessions and access tokens of a person; returns the number of sessions."""
        if self._tokens is not None:
            await self._tokens.close_all(user_id)
        return await self._sessions.leave_all(user_id)

    async def standing_changed(self, place: Conversation, user_id: str) -> None:
        """Have a person's sessions and tokens ask the platform for their role anew."""
        if self._tokens is not None:
            await self._tokens.doubt(place, user_id)
        await self._sessions.moved(place, user_id)

    async def close_here(self, place: Conversation, user_id: str | None = None) -> None:
        """End sessions, tokens, streams and calendars of a group: this person's, or everybody's."""
        if self._tokens is not None:
            await self._tokens.close_here(place, user_id)
        await self._sessions.left(place, user_id)
        if self._end_calendars is not None:
            await self._end_calendars(place, user_id)
