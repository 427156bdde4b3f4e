"""Part of a page that is drawn anew when its content changes.

The old drawing stays behind the new one, unseen, until the next, so that a press that began on it still
acts (`frame.PRESSED`); a field being typed into is not drawn anew by news."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Any, Final
from uuid import uuid4

from nicegui import Client, ui

from ....events import BotEvent
from ....services.access.actor import Actor, Write
from ....services.office import collect_untold
from ....services.refusals import Refused
from ....storage.records import Conversation
from ..shell.login_page import OVER_QUERY
from ..shell.visit import Over, Visit, try_read
from .parts import ask_confirmation, box, refuse, show_notice, text

TOGETHER: Final = 0.4
"""Seconds in which several changes are drawn as one."""
STAYED: Final = 0.3
"""Seconds on a page after which somebody stays there, for what costs more to make (`later`)."""


class Panel:
    """A part of a page; `kinds` are the events that change it.

    `draw` reads the content, then draws it. It may return the content: the same is not shown again."""

    def __init__(
        self,
        visit: Visit,
        draw: Callable[[Panel, Actor, Conversation], Awaitable[object]],
        kinds: Collection[str] = (),
    ) -> None:
        self.visit = visit
        self._draw = draw
        self._kinds = frozenset(kinds)
        self._lock = asyncio.Lock()
        self._due = False
        self._client = ui.context.client
        self._typing = False
        self._content: object = None
        self._box = box("mi-panel")
        with self._box:
            self._timers = box("mi-hidden")
        self._shown: ui.element | None = None
        self._before: ui.element | None = None
        visit.parts.append(self.show)
        if kinds:
            typed = "e => e.target.matches('input, textarea') && emit()"
            self._box.on("focusin", lambda _: self._set_typing(True), js_handler=typed)
            self._box.on("focusout", lambda _: self._set_typing(False), js_handler=typed)
            self._client.on_delete(visit.live.join(self._handle_event))  # pyright: ignore[reportUnknownMemberType]

    async def show(self) -> None:
        """Read and draw it."""
        async with self._lock:
            self._due = False
            with self._box, box("mi-panel mi-hidden") as drawn:
                try:
                    content = await try_read(self._read_and_draw)
                except BaseException as error:
                    drawn.delete()
                    if not isinstance(error, Over):
                        raise
                    leave(self._client)
                    return
                if isinstance(content, Refused):
                    drawn.clear()
                    text(content.message, "mi-trouble").props["role"] = "alert"
            self._timers.clear()
            if content is not None and content == self._content:
                drawn.delete()
                return
            self._content = content
            if self._before is not None:
                self._before.delete()
            self._before, self._shown = self._shown, drawn
            if self._before is not None:
                self._before.classes("mi-hidden")
            drawn.classes(remove="mi-hidden")

    async def _read_and_draw(self) -> object:
        return await self._draw(self, *await self.visit.require_group())

    async def perform(self, work: Work, done: str = "", told: str = "") -> bool:
        """As `perform`; what was changed is shown."""
        performed = await perform(self.visit, work, done, told)
        if performed:
            await self.show()
        return performed

    def later(self, meanwhile: Callable[[], None]) -> None:
        """Show it once the page is there, which does not wait for it; until then draw `meanwhile`.

        It is not drawn for a visitor who has left by then."""
        with self._box, box("mi-panel") as self._shown:
            meanwhile()
        with self._timers:
            ui.timer(STAYED, self._stayed, once=True)

    async def _stayed(self) -> None:
        if self._client.has_socket_connection:
            await self.show()

    async def redraw(self) -> None:
        """Draw it, whatever the content."""
        self._content = None
        await self.show()

    def _handle_event(self, news: BotEvent) -> None:
        place = self.visit.place
        if self._due or news.kind not in self._kinds or place is None or news.conversation.peer != place.peer:
            return
        self._due = True
        self._schedule_drawing()

    def _set_typing(self, typing: bool) -> None:
        self._typing = typing
        if self._due and not typing:
            self._schedule_drawing()

    def _schedule_drawing(self) -> None:
        with self._timers:
            ui.timer(TOGETHER, self._draw_due, once=True)

    async def _draw_due(self) -> None:
        if not self._typing:
            await self.show()


Work = Callable[[Write, Conversation], Awaitable[Any]]


async def attempt(visit: Visit, work: Work, origin: str = "") -> list[str] | None:
    """Do some work as the present actor, after its confirmation.

    Returns the reasons why the group was not told of it; None where the work was not done. `origin`: that of
    the write, where it may be attempted again."""
    client, confirmed = ui.context.client, False
    origin = origin or new_origin()

    async def work_once() -> None:
        actor, place = await visit.require_group()
        await work(Write(actor, origin, visit.me, confirmed), place)

    with collect_untold() as untold:
        while True:
            try:
                refused = await try_read(work_once)
            except Over:
                leave(client)
                return None
            if refused is None:
                return untold
            if refused.question is None or confirmed:
                refuse(refused)
                return None
            if not await ask_confirmation(refused.question):
                return None
            confirmed = True


async def perform(visit: Visit, work: Work, done: str = "", told: str = "", *, origin: str = "") -> bool:
    """Do some work as the present actor, after its confirmation; returns True if it was done.

    Then `done` is shown, and why the group was not told of it, or else `told`."""
    untold = await attempt(visit, work, origin)
    if untold and done:
        show_notice("。".join([done, *untold]))
    elif untold is not None and done:
        show_notice(f"{done}{told}")
    return untold is not None


def new_origin() -> str:
    """Origin of a write on a page."""
    return f"web:{uuid4().hex}"


def leave(client: Client) -> None:
    """Lead to the door after the end of the session. NiceGUI's own way would put the console's path before
    the address once more."""
    with client:
        ui.run_javascript(f"location.href = location.pathname + '?{OVER_QUERY}'")
