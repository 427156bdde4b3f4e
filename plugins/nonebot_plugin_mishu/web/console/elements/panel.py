"""Part of a page that is drawn anew when its content changes.

The old drawing stays behind the new one, unseen, until the next, so that a press that began on it still
acts (`frame.PRESSED`); a field being typed into is not drawn anew by news."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Final, NamedTuple, TypeVar

from nicegui import Client, ui

from ....events import BotEvent
from ....services.access.actor import Actor
from ....services.pending_notices import collect_untold
from ....services.refusals import Refused
from ....storage.records import Conversation
from ..shell.login_page import OVER_QUERY
from ..shell.visit import Over, Visit, try_read
from .parts import ask_confirmation, box, refuse, show_notice, text

T = TypeVar("T")
Draw = Callable[[], None]


class Shown(NamedTuple):
    """Drawing function of a part, and its content: the same content is not drawn again."""

    shows: object
    draw: Draw


Load = Callable[[Actor, Conversation], Awaitable[Draw | Shown]]
TOGETHER: Final = 0.4
"""Seconds in which several changes are drawn as one."""
STAYED: Final = 0.3
"""Seconds on a page after which somebody stays there, for what costs more to make (`later`)."""


class Panel:
    """`load` reads the content and gives its drawing function; `kinds` are the events that change it."""

    def __init__(self, visit: Visit, load: Load, kinds: Collection[str] = ()) -> None:
        self._visit = visit
        self._load = load
        self._kinds = frozenset(kinds)
        self._lock = asyncio.Lock()
        self._due = False
        self._client = ui.context.client
        self._typing = False
        self._said: object = None
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
        """Load and draw it."""
        async with self._lock:
            self._due = False
            try:
                drawn = await try_read(self._load_content)
            except Over:
                leave(self._client)
                return
            self._timers.clear()
            shows = drawn.shows if isinstance(drawn, Shown) else None
            draw = drawn.draw if isinstance(drawn, Shown) else drawn
            if shows is not None and shows == self._said:
                return
            self._said = shows
            if self._before is not None:
                self._before.delete()
            self._before = self._shown
            if self._before is not None:
                self._before.classes("mi-hidden")
            with self._box, box("mi-panel") as self._shown:
                if isinstance(draw, Refused):
                    text(draw.message, "mi-trouble").props["role"] = "alert"
                else:
                    draw()

    def later(self, meanwhile: Draw) -> None:
        """Show it once the page is there, which does not wait for it; until then draw `meanwhile`.

        It is not drawn for a visitor who has left by then."""
        with self._box, box("mi-panel") as self._shown:
            meanwhile()
        with self._timers:
            ui.timer(STAYED, self._stayed, once=True)

    async def _stayed(self) -> None:
        if self._client.has_socket_connection:
            await self.show()

    def redraw(self) -> None:
        """Force the next drawing, whatever the content."""
        self._said = None

    async def _load_content(self) -> Draw | Shown:
        actor, place = await self._visit.require_group()
        return await self._load(actor, place)

    def _handle_event(self, news: BotEvent) -> None:
        place = self._visit.place
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


async def perform(
    visit: Visit, work: Callable[[Actor, Conversation, bool], Awaitable[T]], done: str = ""
) -> bool:
    """Perform an action as the present actor, after its confirmation; returns True if it was done."""
    client = ui.context.client
    confirmed = False
    while True:
        yes = confirmed

        async def once(yes: bool = yes) -> T:
            actor, place = await visit.require_group()
            return await work(actor, place, yes)

        try:
            found = await try_read(once)
        except Over:
            leave(client)
            return False
        if not isinstance(found, Refused):
            if done:
                show_notice(done)
            return True
        if found.question is None or confirmed:
            refuse(found)
            return False
        if not await ask_confirmation(found.question):
            return False
        confirmed = True


async def perform_told(
    visit: Visit, work: Callable[[Actor, Conversation, bool], Awaitable[T]], done: str, told: str = ""
) -> bool:
    """As `perform`, of what the group is told of: says why it was not, or `told` where it was."""
    with collect_untold() as left:
        if not await perform(visit, work):
            return False
    show_notice("。".join([done, *left]) if left else f"{done}{told}")
    return True


def leave(client: Client) -> None:
    """Lead to the door after the end of the session. NiceGUI's own way would put the console's path before
    the address once more."""
    with client:
        ui.run_javascript(f"location.href = location.pathname + '?{OVER_QUERY}'")
