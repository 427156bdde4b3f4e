"""What was done a moment ago, taken back: the same journal as 撤销 in the group."""

from __future__ import annotations

from dataclasses import dataclass

from ..storage.journal.queries import CannotUndo, Undone
from ..storage.records import Conversation
from .access.actor import Actor
from .office import Office
from .refusals import Refused


@dataclass(frozen=True, slots=True)
class Undoable:
    """A change that can be undone; `summary` says what it was, in Chinese."""

    change_id: int
    summary: str


async def newest(
    office: Office, actor: Actor, place: Conversation, *, user_id: str | None = None
) -> Undoable | None:
    """What somebody changed last in a conversation, while it can be undone. Raises `Refused`."""
    speaker = await office.who(actor, user_id, place)
    found = await office.storage.changes.newest(place, speaker.user_id, office.clock.wall())
    return None if found is None else Undoable(*found)


async def undo(
    office: Office,
    actor: Actor,
    place: Conversation,
    change_id: int,
    *,
    origin: str,
    user_id: str | None = None,
) -> str:
    """Undo this change of one's own, and no other; what it was. The group is told where it was told of the
    change. Raises `Refused` where it cannot be undone any more."""
    speaker = await office.who(actor, user_id, place)
    try:
        undone = await office.storage.changes.undo(
            place, speaker.user_id, office.clock.wall(), origin=origin, only=change_id
        )
    except CannotUndo as why:
        raise Refused(409, str(why)) from None
    if undone is None:
        raise Refused(404, "过了10分钟，或者已经撤销过了")
    office.storage.reminders.changed()
    if (others := _others(undone, speaker.user_id)) is not None:
        await office.tell(place, speaker, f"撤销了：{undone.summary}。", others)
    return undone.summary


async def undo_newest(
    office: Office, actor: Actor, place: Conversation, *, origin: str, user_id: str | None = None
) -> str:
    """Undo what somebody changed last; what it was. Raises `Refused` where there is nothing to undo."""
    found = await newest(office, actor, place, user_id=user_id)
    if found is None:
        raise Refused(404, "没有能撤销的：只有十分钟内自己做的能撤销")
    return await undo(office, actor, place, found.change_id, origin=origin, user_id=user_id)


def _others(undone: Undone, me: str) -> list[str] | None:
    """Whom it concerns beside who did it; None where it is nobody else's business."""
    people: list[str] = []
    told = False
    for row in undone.rows:
        values = {**(row.before or {}), **(row.after or {})}
        owners = {str(each["owner"]) for each in (row.before, row.after) if each and "owner" in each}
        shares = values.get("shares") or ()
        told = told or row.table == "mishu_schedule" or bool(owners - {me}) or bool(shares)
        people += [*sorted(owners), *(str(each[0]) for each in shares)]
    return people if told else None
