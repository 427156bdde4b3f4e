"""A part of a page that is drawn anew when what it shows has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Final, TypeVar

from nicegui import ui

from ...feed import News
from ...operations.actor import Actor
from ...operations.refusals import Refused
from ...storage.records import Conversation
from .parts import box, sure, tell, text
from .visit import OVER, Over, Visit, tried

T = TypeVar("T")
Draw = Callable[[], None]
Load = Callable[[Actor, Conversation], Awaitable[Draw]]
TOGETHER: Final = 0.4
"""Seconds in which several changes are drawn as one."""


class Panel:
    """`load` reads what is to be shown and gives what draws it; `kinds` are the news that change it."""

    def __init__(self, visit: Visit, load: Load, kinds: Collection[str] = ()) -> None:
        self._visit = visit
        self._load = load
        self._kinds = frozenset(kinds)
        self._lock = asyncio.Lock()
        self._due = False
        self._client = ui.context.client
        self._box = box("mi-panel")
        if kinds:
            self._client.on_delete(visit.live.join(self._hear))  # pyright: ignore[reportUnknownMemberType]

    async def show(self) -> None:
        """Read and draw it."""
        async with self._lock:
            self._due = False
            try:
                drawn = await tried(self._read)
            except Over:
                leave(self._visit)
                return
            with self._box:
                self._box.clear()
                if isinstance(drawn, Refused):
                    text(drawn.message, "mi-trouble").props["role"] = "alert"
                else:
                    drawn()

    async def _read(self) -> Draw:
        actor, place = await self._visit.group()
        return await self._load(actor, place)

    def _hear(self, news: News) -> None:
        place = self._visit.place
        if self._due or news.kind not in self._kinds or place is None or news.conversation.peer != place.peer:
            return
        self._due = True
        with self._box:
            ui.timer(TOGETHER, self.show, once=True)


async def doing(
    visit: Visit, work: Callable[[Actor, Conversation, bool], Awaitable[T]], done: str = ""
) -> bool:
    """Do something as whoever acts now; what asks first is asked about. Whether it was done: told."""
    confirmed = False
    while True:
        yes = confirmed

        async def once(yes: bool = yes) -> T:
            actor, place = await visit.group()
            return await work(actor, place, yes)

        try:
            found = await tried(once)
        except Over:
            leave(visit)
            return False
        if not isinstance(found, Refused):
            if done:
                tell(done)
            return True
        if found.question is None or confirmed:
            tell(found.message, bad=True)
            return False
        if not await sure(found.question):
            return False
        confirmed = True


def leave(visit: Visit) -> None:
    """The session is over: back to the door, which says so."""
    tell(OVER, bad=True)
    ui.navigate.to(visit.root)
