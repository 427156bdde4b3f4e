"""Reminders that a clock which was ahead sent too early, put right once it is back.

An occurrence is followed by the next one that is still to come (`after:ID` is its origin). Seen by a clock a
year ahead that is one in a year, and all before it would never come. What was sent before its time comes
again at its time; what was due is followed by what follows it by the clock as it is now.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.change_notice import Noted, note
from .records import Following, Next, ReminderRecord
from .rows import add_row, following_values, fresh, reminder_records
from .tables import reminder as table

Deed = Literal["again", "follow", "leave"]


@dataclass(frozen=True, slots=True)
class Mending:
    """Repair of a chain: its head waits again, another row follows it, or it stays."""

    deed: Deed
    following: Following | None = None


def mending(chain: Sequence[ReminderRecord], now: float, following: Next) -> Mending | None:
    """Repair of a chain: an occurrence closed by a clock ahead of `now`, and its followers in order.
    None while one of them is being sent. Pure."""
    head, after = chain[0], chain[1:]
    if any(each.state == "claimed" for each in after):
        return None
    if after and after[-1].state in ("dropped", "done"):
        return Mending("leave")  # somebody ended it meanwhile
    if head.due_at > now:
        return Mending("again")
    wanted = following(head, now) if head.recurrence is not None else None
    if [each.due_at for each in after] == ([] if wanted is None else [wanted.due_at]):
        return Mending("leave")
    return Mending("follow", wanted)


async def mend(
    connection: AsyncConnection, ids: Collection[int], now: float, following: Next
) -> tuple[int, int]:
    """Mend the chains whose occurrences these are: how many rows are to come again or anew, and how many were
    left because something is being sent."""
    asked = select(table).where(table.c.id.in_(sorted(ids)), table.c.state == "sent", table.c.closed_at > now)
    found = {each.id: each for each in reminder_records(await connection.execute(asked.with_for_update()))}
    after = await _select_followers(connection, found)
    changed = left = 0
    for head in found.values():
        if _preceding_id(head) in found:
            continue
        chain = [head]
        while (following_row := after.get(chain[-1].id)) is not None:
            chain.append(following_row)
        made = mending(chain, now, following)
        if made is None:
            left += 1
            continue
        changed += made.deed != "leave"
        await _apply_mending(connection, chain, made, now)
    return changed, left


async def _apply_mending(
    connection: AsyncConnection, chain: Sequence[ReminderRecord], made: Mending, now: float
) -> None:
    head, after = chain[0], chain[1:]
    if made.deed != "leave" and after:
        await connection.execute(delete(table).where(table.c.id.in_([each.id for each in after])))
        for each in after:
            note(connection, Noted(each.conversation, table.name, each.id, "deleted"))
    if made.deed == "again":
        again = update(table).where(table.c.id == head.id).values(**fresh(head.due_at, head.wall))
        await connection.execute(again)
        note(connection, Noted(head.conversation, table.name, head.id, "changed"))
        return
    ended = [each.id for each in chain if each.closed_at is not None]
    closing = update(table).where(table.c.id.in_(ended), table.c.closed_at > now).values(closed_at=now)
    await connection.execute(closing)
    if made.following is not None:
        await add_row(connection, following_values(head, made.following))


async def _select_followers(
    connection: AsyncConnection, found: Mapping[int, ReminderRecord]
) -> dict[int, ReminderRecord]:
    """All followers of these rows, by the id of the row before."""
    after: dict[int, ReminderRecord] = {}
    ids: Sequence[int] = list(found)
    while ids:
        next_ones = select(table).where(table.c.origin.in_([f"{_AFTER}{each}" for each in ids]))
        rows = reminder_records(await connection.execute(next_ones.with_for_update()))
        after |= {before: each for each in rows if (before := _preceding_id(each)) is not None}
        ids = [each.id for each in rows if each.id not in found]
    return after


_AFTER = "after:"


def _preceding_id(row: ReminderRecord) -> int | None:
    """Id of the row that this one follows; None for the first of a chain."""
    origin = row.origin or ""
    return int(origin.removeprefix(_AFTER)) if origin.startswith(_AFTER) else None


async def first_origin(connection: AsyncConnection, origin: str) -> str:
    """The origin of the first row of a chain of occurrences, of the origin of any of them."""
    while origin.startswith(_AFTER):
        before = select(table.c.origin).where(table.c.id == int(origin.removeprefix(_AFTER)))
        origin = await connection.scalar(before) or ""
    return origin
