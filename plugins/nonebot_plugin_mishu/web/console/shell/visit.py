"""One open page: whose it is, of which group, and how it asks before it does anything.

Who acts is looked up anew for every reading and every doing: a page stays open longer than rights do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from nicegui import ui

from ....services.access import owner_choices
from ....services.access.actor import OWNER, Actor
from ....services.access.sessions import Sessions
from ....services.groups import Group
from ....services.office import Office
from ....services.refusals import Refused
from ....storage import StorageError
from ....storage.records import Conversation
from ...backend import Backend, BackendUnavailable
from ..elements.live import Live

T = TypeVar("T")
MOST_NAME: Final = 64


class Over(Exception):
    """The session is no more."""


@dataclass
class Visit:
    """What every page is drawn from."""

    office: Office
    backend: Backend
    sessions: Sessions
    live: Live
    root: str
    """Before every address of the console: `/console`, below a proxy's path."""
    token: str | None
    """The session's; None for an owner who needs none."""
    actor: Actor
    """As it was when the page was opened: for what is shown."""
    groups: list[Group]
    """Those that may be looked at."""
    place: Conversation | None
    """The group that is shown; None where there is none yet."""
    acts_for: str | None
    """As whom an owner acts."""
    bar: ui.element | None = None
    """Where what was done can be undone, once the page is drawn."""
    parts: list[Callable[[], Awaitable[None]]] = field(default_factory=list[Callable[[], Awaitable[None]]])
    """Draw the parts of the page anew: whose things are shown has changed."""

    async def anew(self) -> None:
        """Draw all that shows somebody's own things anew."""
        for each in self.parts:
            await each()

    @property
    def group_id(self) -> str:
        """The group that is shown; empty for none."""
        return self.place.peer if self.place is not None else ""

    @property
    def me(self) -> str | None:
        """Whose own things are shown: the member, or for whom an owner acts."""
        return self.acts_for if self.actor.is_owner else self.actor.user_id

    @property
    def governs(self) -> bool:
        """Whether what belongs to the group may be changed."""
        return self.actor.role in ("owner", "admin")

    async def who(self) -> Actor:
        """Who acts now. Raises `Over` where nobody may any more, `Refused` where nobody can tell."""
        if self.token is None:
            return OWNER
        found = await self.sessions.actor(self.token)
        if found is None or (found.group_id or "") != (self.actor.group_id or ""):
            raise Over
        return found

    async def group(self) -> tuple[Actor, Conversation]:
        """Who acts, and the group that is shown. Raises `Over`, `Refused`."""
        if self.place is None:
            raise Refused(404, "还没有群")
        return await self.who(), self.place


async def acting_as(office: Office, place: Conversation | None, chosen: str | None) -> str | None:
    """As whom an owner acts: who was chosen, else a superuser."""
    if chosen and len(chosen) <= MOST_NAME:
        return chosen
    return None if place is None else await owner_choices.find_default_person(office, place)


async def tried(work: Callable[[], Awaitable[T]]) -> T | Refused:
    """What it gives, or why it gives nothing, in words. `Over` goes on to the page."""
    try:
        return await work()
    except Refused as why:
        return why
    except (StorageError, BackendUnavailable) as error:
        return Refused(503, str(error))
