"""Undo of recent changes, by the journal of 撤销."""

from __future__ import annotations

from dataclasses import dataclass

from ..storage.journal.queries import CannotUndo, UndoneChange
from ..storage.records import Conversation
from .access.actor import Actor, Write
from .office import Office
from .refusals import Refused


@dataclass(frozen=True, slots=True)
class UndoableChange:
    """A change that can be undone; `summary` says what it was, in Chinese."""

    change_id: int
    summary: str


async def find_newest(
    office: Office, actor: Actor, place: Conversation, *, user_id: str | None = None
) -> UndoableChange | None:
    """A person's last change in a conversation that can be undone. Raises `Refused`."""
    speaker = await office.require_speaker(Write(actor, user_id=user_id), place)
    found = await office.storage.changes.newest(place, speaker.user_id, office.clock.wall())
    return None if found is None else UndoableChange(*found)


async def undo_change(office: Office, write: Write, place: Conversation, change_id: int) -> str:
    """Undo one's own change; returns its summary. The group is told where it was told of the change.
    Raises `Refused` where it cannot be undone."""
    speaker = await office.require_speaker(write, place)
    try:
        undone = await office.storage.changes.undo(
            place, speaker.user_id, office.clock.wall(), origin=write.origin, only=change_id
        )
    except CannotUndo as why:
        raise Refused(409, str(why)) from None
    if undone is None:
        raise Refused(404, "过了10分钟，或者已经撤销过了")
    office.storage.reminders.changed()
    if (others := _people_concerned(undone, speaker.user_id)) is not None:
        await office.tell_group(place, speaker, f"撤销了：{undone.summary}。", others)
    return undone.summary


async def undo_newest(office: Office, write: Write, place: Conversation) -> str:
    """Undo a person's last change; returns its summary. Raises `Refused` where there is none."""
    found = await find_newest(office, write.actor, place, user_id=write.user_id)
    if found is None:
        raise Refused(404, "没有能撤销的：只有十分钟内自己做的能撤销")
    return await undo_change(office, write, place, found.change_id)


def _people_concerned(undone: UndoneChange, me: str) -> list[str] | None:
    """People a change concerns beside its author; None for a change of their own alone."""
    people: list[str] = []
    told = False
    for row in undone.rows:
        values = {**(row.before or {}), **(row.after or {})}
        owners = {str(each["owner"]) for each in (row.before, row.after) if each and "owner" in each}
        shares = values.get("shares") or ()
        told = told or row.table == "mishu_schedule" or bool(owners - {me}) or bool(shares)
        people += [*sorted(owners), *(str(each[0]) for each in shares)]
    return people if told else None
