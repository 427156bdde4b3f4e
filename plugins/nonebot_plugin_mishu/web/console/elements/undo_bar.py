"""Bar with the last change made on a page and its undo button; it stays until the next."""

from __future__ import annotations

from dataclasses import replace

from ....services import undoing
from ....services.access.actor import Write
from ....services.refusals import Refused
from ....services.undoing import UndoableChange
from ....storage.records import Conversation
from ..shell.visit import Over, Visit, try_read
from .panel import Work, attempt
from .parts import box, button, show_notice, text


def draw_bar(visit: Visit) -> None:
    """Draw the empty bar at the page's foot, where a screen reader announces it."""
    visit.bar = box("mi-undo mi-hidden")
    visit.bar.props["role"] = "status"


async def perform_undoable(
    visit: Visit, work: Work, said: str, *, place: Conversation | None = None, origin: str = ""
) -> bool:
    """As `perform`; the change can be undone at the page's foot. `place`: the conversation of the change,
    if not the group shown."""
    before = await _find_newest(visit, place)
    untold = await attempt(visit, work, origin)
    if untold is None:
        return False
    said = "。".join([said, *untold])
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
        async def undo_change(write: Write, here: Conversation) -> None:
            write = replace(write, user_id=me)
            await undoing.undo_change(visit.office, write, place or here, last.change_id)

        untold = await attempt(visit, undo_change)
        bar.classes("mi-hidden")
        if untold is not None:
            show_notice("。".join([f"撤销了：{last.summary}", *untold]))
            await visit.anew()

    bar.clear()
    bar.classes(remove="mi-hidden")
    with bar:
        text(said, "mi-undone")
        button("撤销", undo, "mi-primary", mark="undo", title=f"撤销：{last.summary}")
        button("", lambda: bar.classes("mi-hidden"), "mi-icon", title="收起", sign="close")
