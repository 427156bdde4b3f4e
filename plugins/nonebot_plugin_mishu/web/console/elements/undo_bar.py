"""Bar with the last change made on a page and its undo button; it stays until the next."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

from ....services import undoing
from ....services.access.actor import Actor
from ....services.pending_notices import collect_untold
from ....services.refusals import Refused
from ....services.undoing import UndoableChange
from ....storage.records import Conversation
from ..shell.visit import Over, Visit, try_read
from .panel import perform
from .parts import box, button, show_notice, text

Work = Callable[[Actor, Conversation, bool], Awaitable[Any]]


def draw_bar(visit: Visit) -> None:
    """Draw the empty bar at the page's foot, where a screen reader announces it."""
    visit.bar = box("mi-undo mi-hidden")
    visit.bar.props["role"] = "status"


async def perform_undoable(visit: Visit, work: Work, said: str, *, place: Conversation | None = None) -> bool:
    """As `perform`; the change can be undone at the page's foot. `place`: the conversation of the change,
    if not the group shown."""
    before = await _find_newest(visit, place)
    with collect_untold() as left:
        if not await perform(visit, work):
            return False
    said = "。".join([said, *left])
    after = await _find_newest(visit, place)
    if after is None or after == before:
        show_notice(said)
    else:
        _offer_undo(visit, said, after, place)
    return True


async def _find_newest(visit: Visit, place: Conversation | None) -> UndoableChange | None:
    async def find_newest() -> UndoableChange | None:
        actor, here = await visit.require_group()
        return await undoing.find_newest(visit.office, actor, place or here, user_id=visit.me)

    try:
        found = await try_read(find_newest)
    except Over:
        return None  # the work itself finds the way to the door
    return None if isinstance(found, Refused) else found


def _offer_undo(visit: Visit, said: str, last: UndoableChange, place: Conversation | None) -> None:
    bar = visit.bar
    if bar is None:
        show_notice(said)
        return

    me = visit.me  # an owner may have become somebody else by then

    async def undo() -> None:
        async def undo_change(actor: Actor, here: Conversation, _: bool) -> None:
            origin = f"web:undo:{uuid4().hex}"
            await undoing.undo_change(
                visit.office, actor, place or here, last.change_id, origin=origin, user_id=me
            )

        with collect_untold() as left:
            done = await perform(visit, undo_change)
        bar.classes("mi-hidden")
        if done:
            show_notice("。".join([f"撤销了：{last.summary}", *left]))
            await visit.anew()

    bar.clear()
    bar.classes(remove="mi-hidden")
    with bar:
        text(said, "mi-undone")
        button("撤销", undo, "mi-primary", mark="undo", title=f"撤销：{last.summary}")
        button("", lambda: bar.classes("mi-hidden"), "mi-icon", title="收起", sign="close")
