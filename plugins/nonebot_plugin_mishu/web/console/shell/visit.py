"""One open page: its person, its group, and its present actor.

The actor is looked up anew for every read and write: a page stays open longer than rights do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from nicegui import ui

from ....services.access import owner_choices
from ....services.access.actor import OWNER, Actor
from ....services.access.sessions import Sessions
from ....services.groups import GroupEntry, find_all_members
from ....services.office import Office
from ....services.refusals import Refused
from ....storage import StorageError
from ....storage.records import Conversation
from ...backend import Backend, BackendUnavailable
from ..elements.live import Live

T = TypeVar("T")
MOST_NAME: Final = 64


class Over(Exception):
    """The web session of a page has ended."""


@dataclass
class Visit:
    """State that every page is drawn from."""

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
    groups: list[GroupEntry]
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
        """Redraw all parts with a person's own items."""
        for each in self.parts:
            await each()

    @property
    def group_id(self) -> str:
        """The group shown; empty for none."""
        return self.place.peer if self.place is not None else ""

    @property
    def me(self) -> str | None:
        """The person shown: the member, or whom an owner acts for."""
        return self.acts_for if self.actor.is_owner else self.actor.user_id

    @property
    def governs(self) -> bool:
        """True if the actor may change what belongs to the group."""
        return self.actor.role in ("owner", "admin")

    async def require_actor(self) -> Actor:
        """The present actor. Raises `Over` after the end of the session, `Refused` where the rights cannot
        be read."""
        if self.token is None:
            return OWNER
        found = await self.sessions.actor(self.token)
        if found is None or (found.group_id or "") != (self.actor.group_id or ""):
            raise Over
        return found

    async def require_group(self) -> tuple[Actor, Conversation]:
        """The present actor, and the group shown. Raises `Over`, `Refused`."""
        if self.place is None:
            raise Refused(404, "还没有群")
        return await self.require_actor(), self.place


async def list_names(office: Office, place: Conversation | None) -> dict[str, str]:
    """Names of a group's members by their numbers; empty where they cannot be read."""
    if place is None or not place.is_group:
        return {}
    found = await try_read(lambda: find_all_members(office, place))
    return {} if isinstance(found, Refused) else {each.id: each.name for each in found}


async def acting_as(office: Office, place: Conversation | None, chosen: str | None) -> str | None:
    """Person an owner acts for: the chosen one, else a superuser."""
    if chosen and len(chosen) <= MOST_NAME:
        return chosen
    return None if place is None else await owner_choices.find_default_person(office, place)


async def try_read(work: Callable[[], Awaitable[T]]) -> T | Refused:
    """The result of a read, or the reason of its failure in words. `Over` goes on to the page."""
    try:
        return await work()
    except Refused as why:
        return why
    except (StorageError, BackendUnavailable) as error:
        return Refused(503, str(error))
