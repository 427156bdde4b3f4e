"""What was done last on a page, with a button that takes it back; it stays until the next."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

from ....services import undoing
from ....services.access.actor import Actor
from ....services.pending_notices import collect_untold
from ....services.refusals import Refused
from ....services.undoing import Undoable
from ....storage.records import Conversation
from ..shell.visit import Over, Visit, tried
from .panel import doing
from .parts import box, button, tell, text

Work = Callable[[Actor, Conversation, bool], Awaitable[Any]]


def draw_bar(visit: Visit) -> None:
    """Put the empty bar at the page's foot, where a screen reader hears what comes."""
    visit.bar = box("mi-undo mi-hidden")
    visit.bar.props["role"] = "status"


async def undoably(visit: Visit, work: Work, said: str, *, place: Conversation | None = None) -> bool:
    """As `doing`; what was changed can be undone at the page's foot. `place`: where it is kept, if elsewhere
    than in the group that is shown."""
    before = await _newest(visit, place)
    with collect_untold() as left:
        if not await doing(visit, work):
            return False
    said = "。".join([said, *left])
    after = await _newest(visit, place)
    if after is None or after == before:
        tell(said)
    else:
        _offer(visit, said, after, place)
    return True


async def _newest(visit: Visit, place: Conversation | None) -> Undoable | None:
    async def look() -> Undoable | None:
        actor, here = await visit.group()
        return await undoing.find_newest(visit.office, actor, place or here, user_id=visit.me)

    try:
        found = await tried(look)
    except Over:
        return None  # the work itself finds the way to the door
    return None if isinstance(found, Refused) else found


def _offer(visit: Visit, said: str, last: Undoable, place: Conversation | None) -> None:
    bar = visit.bar
    if bar is None:
        tell(said)
        return

    me = visit.me  # an owner may have become somebody else by then

    async def undo() -> None:
        async def work(actor: Actor, here: Conversation, _: bool) -> None:
            origin = f"web:undo:{uuid4().hex}"
            await undoing.undo_change(
                visit.office, actor, place or here, last.change_id, origin=origin, user_id=me
            )

        with collect_untold() as left:
            done = await doing(visit, work)
        bar.classes("mi-hidden")
        if done:
            tell("。".join([f"撤销了：{last.summary}", *left]))
            await visit.anew()

    bar.clear()
    bar.classes(remove="mi-hidden")
    with bar:
        text(said, "mi-undone")
        button("撤销", undo, "mi-primary", mark="undo", title=f"撤销：{last.summary}")
        button("", lambda: bar.classes("mi-hidden"), "mi-icon", title="收起", sign="close")
