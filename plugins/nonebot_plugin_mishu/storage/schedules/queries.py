"""Schedules of groups (seed 0): rows whose ids only grow, changed in one transaction or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, replace
from typing import Any, TypeAlias

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    Text,
    cast,
    func,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.database import Database
from ..engine.queries import Queries
from ..engine.row_cache import KeptRows
from ..engine.writer import Writer
from ..journal.queries import RowChange, journal
from ..records import Conversation
from ..reminders import queries as reminders
from ..rows import conversation_of, conversation_values, record_of, within
from .changes import Add, Attend, Change, Delete, Edit, Outdated
from .records import Participant, SchedulePlan, ScheduleRecord
from .tables import repeats, schedule

__all__ = ["AGENT", "Add", "Attend", "Change", "Delete", "Edit", "Outdated", "Remind", "Schedules"]

AGENT = "schedule"
"""The agent's code, under which changes and reminders are noted."""
HISTORY = 20_000
"""Schedules of a conversation that are looked at: the newest so many."""
_NAMED_TOGETHER = 20
"""Members that one query looks for by name among those who joined."""

Remind: TypeAlias = Callable[[ScheduleRecord], reminders.Put]
"""Composes the reminders of a schedule as it now stands; None for none."""


class Schedules(Queries):
    """Schedules of groups (seed 0)."""

    def __init__(self, database: Database, writer: Writer) -> None:
        super().__init__(database, writer)
        self._kept: KeptRows[ScheduleRecord] = KeptRows()

    @Queries.reading
    async def live(self, connection: AsyncConnection, conversation: Conversation) -> list[ScheduleRecord]:
        """Every schedule of a conversation that is not deleted, by time; of many the newest `HISTORY`.

        They are kept in memory until one is written to: a line about schedules asks for them several times.
        """
        here = within(schedule, conversation) & schedule.c.deleted.is_(False)
        mine = select(schedule).where(here).order_by(schedule.c.id.desc()).limit(HISTORY)
        version = await self._read_version(connection, here)
        known = self._kept.get(conversation, version)
        if known is not None:
            return known
        found = [_schedule_record(row) for row in await connection.execute(mine)]
        found.sort(key=lambda each: (each.plan.start, each.id))
        self._kept.put(conversation, version, found)
        return found

    async def _read_version(self, connection: AsyncConnection, here: ColumnElement[bool]) -> object:
        """Version of these rows, changed by each write; None: unknown. A server numbers each writing,
        whichever process does it, and each row bears the number of its last."""
        if self._database.alone:
            return self._database.writes.version(schedule.name)
        number = cast(cast(literal_column("xmin"), Text), BigInteger)
        return tuple((await connection.execute(select(func.count(), func.sum(number)).where(here))).one())

    async def list_page(
        self,
        conversation: Conversation,
        *,
        limit: int,
        after: tuple[str, int] | None = None,
        first: str | None = None,
        last: str | None = None,
    ) -> list[ScheduleRecord]:
        """Schedules that are not deleted, by start and id, from behind `after` (start, id) on.

        `first` (included) and `last` (not included) are wall times between which they begin.
        """
        start, key = schedule.c.start, schedule.c.id
        wanted = select(schedule).where(within(schedule, conversation), schedule.c.deleted.is_(False))
        if first is not None:
            wanted = wanted.where(start >= first)
        if last is not None:
            wanted = wanted.where(start < last)
        if after is not None:
            wanted = wanted.where(start >= after[0], (start > after[0]) | (key > after[1]))
        return await self._select_schedules(wanted.order_by(start, key).limit(limit))

    async def around(
        self,
        conversation: Conversation,
        first: str,
        last: str,
        *,
        page: tuple[str, int, tuple[str, int] | None] | None = None,
    ) -> list[ScheduleRecord]:
        """Schedules that may take place between two wall times, both included, with all recurring ones.

        With a `page` (zone, limit, key behind which it begins: start and id) of those that begin there, do
        not repeat and are of that zone only so many: the others cannot be on it.
        """
        live = within(schedule, conversation) & schedule.c.deleted.is_(False)
        once = live & ~repeats & (schedule.c.start <= last) & (schedule.c.start >= first)
        # What has a part of the day and no end (明天全天) goes on till the end of that part, later that day.
        same_day = (
            schedule.c.end.is_(None) & schedule.c.segment.is_not(None) & (schedule.c.start >= first[:10])
        )
        begun = live & ~repeats & (schedule.c.start < first) & ((schedule.c.end >= first) | same_day)
        open_end = schedule.c.until.is_(None) | (schedule.c.until >= first[:10])
        series = live & repeats & (schedule.c.start <= last) & open_end
        found: list[ScheduleRecord] = []
        if page is not None:
            zone, limit, after = page
            mine = select(schedule).where(once, schedule.c.zone == zone)
            if after is not None:
                start, key = schedule.c.start, schedule.c.id
                mine = mine.where(start >= after[0], (start > after[0]) | (key > after[1]))
            mine = mine.order_by(schedule.c.start, schedule.c.id).limit(limit)
            found += await self._select_schedules(mine)
            once &= schedule.c.zone != zone
        for each in (once, begun, series):
            found += await self._select_schedules(select(schedule).where(each))
        return sorted(found, key=lambda each: (each.plan.start, each.id))

    async def of_members(self, users: Collection[str], first: str, last: str) -> list[ScheduleRecord]:
        """Schedules of any conversation that one of these people made or joined and that may take place
        between two wall times, both included, with all recurring ones that have not ended."""
        if not users:
            return []
        joined = cast(schedule.c.joined, Text)
        named = [joined.contains(json.dumps(each, ensure_ascii=False), autoescape=True) for each in users]
        # So many patterns a row cost more than the rows they spare; who takes part is told by the row itself.
        others = or_(*named) if len(named) <= _NAMED_TOGETHER else joined != "[]"
        takes_part = schedule.c.created_by.in_(list(users)) | others
        # What has a part of the day and no end goes on till the end of that part, later that day.
        ends = func.coalesce(schedule.c.end, schedule.c.start)
        once = ~repeats & (schedule.c.start <= last) & (ends >= first[:10])
        open_end = schedule.c.until.is_(None) | (schedule.c.until >= first[:10])
        series = repeats & (schedule.c.start <= last) & open_end
        wanted = select(schedule).where(schedule.c.deleted.is_(False), takes_part, once | series)
        return await self._select_schedules(wanted.order_by(schedule.c.id.desc()).limit(HISTORY))

    async def moved_from(self, conversation: Conversation, series: Collection[int]) -> list[ScheduleRecord]:
        """Occurrences moved out of these series, deleted or not."""
        taken = schedule.c.taken_from.in_(list(series))
        wanted = select(schedule).where(within(schedule, conversation), taken)
        return await self._select_schedules(wanted) if series else []

    async def _select_schedules(self, wanted: Select[Any]) -> list[ScheduleRecord]:
        return [_schedule_record(row) for row in await self._database.fetch_rows(wanted)]

    @Queries.reading
    async def get(self, connection: AsyncConnection, schedule_id: int) -> ScheduleRecord | None:
        """One schedule, also a deleted one."""
        return await _select_by_id(connection, schedule_id)

    @Queries.reading
    async def made_by(self, connection: AsyncConnection, prefix: str) -> list[str]:
        """The origins that begin with `prefix` and left something on disk."""
        columns = (schedule.c.origin, schedule.c.touched)
        mine = select(*columns).where(
            columns[0].startswith(prefix, autoescape=True) | columns[1].startswith(prefix, autoescape=True)
        )
        rows = await connection.execute(mine)
        both = {origin for row in rows for origin in (row.origin, row.touched) if origin}
        return sorted(origin for origin in both if origin.startswith(prefix))

    async def applied(
        self,
        connection: AsyncConnection,
        conversation: Conversation,
        actor: Participant,
        changes: Sequence[Change],
        *,
        at: float,
        summary: str,
        remind: Remind,
    ) -> list[ScheduleRecord]:
        """Make all `changes` or none, with journal and reminders; the schedules as they then stand.

        `at` is wall seconds. What an origin did before is not done again. After it, call
        `storage.reminders.changed()`.

        Raises:
            Outdated: one of them is gone, or another conversation's.
        """
        rows: list[RowChange] = []
        done = [
            await self._apply_change(connection, conversation, actor, each, at, remind, rows)
            for each in changes
        ]
        if rows:
            await journal(connection, conversation, actor.user_id, AGENT, summary, rows, at)
        return done

    apply = Queries.writing(applied)
    """`applied` in a transaction of its own; on disk when it returns. Raises `StorageError`: it did not
    happen; at a `DatabaseTimeout` it may have."""

    async def _apply_change(
        self,
        connection: AsyncConnection,
        conversation: Conversation,
        actor: Participant,
        change: Change,
        at: float,
        remind: Remind,
        rows: list[RowChange],
    ) -> ScheduleRecord:
        if isinstance(change, Add):
            return await self._insert_schedule(connection, conversation, actor, change, at, remind, rows)
        query = select(schedule).where(schedule.c.id == change.id).with_for_update()
        row = (await connection.execute(query)).one_or_none()
        if row is None or conversation_of(row) != conversation:
            raise Outdated
        before = _schedule_record(row)
        if row.touched == change.origin:
            return before
        if before.deleted:
            raise Outdated
        after = _changed_schedule(before, change)
        if after == before:
            return before
        values = {**_schedule_values(after), "touched": change.origin, "updated_at": at}
        await connection.execute(update(schedule).where(schedule.c.id == change.id).values(**values))
        image = dict(row._mapping)  # pyright: ignore[reportPrivateUsage]
        rows.append(RowChange(schedule.name, change.id, image, {**image, **values}))
        rows.extend(await reminders.drop(connection, AGENT, change.id))
        if not after.deleted:
            rows += await reminders.put_each(connection, remind(after))
        return after

    async def _insert_schedule(
        self,
        connection: AsyncConnection,
        conversation: Conversation,
        actor: Participant,
        change: Add,
        at: float,
        remind: Remind,
        rows: list[RowChange],
    ) -> ScheduleRecord:
        whole = change.taken_from
        owner = actor if whole is None else Participant(whole.created_by, whole.creator)
        joined = change.joined if change.joined is not None else () if whole is None else whole.joined
        new = ScheduleRecord(
            0,
            conversation,
            change.plan,
            owner.user_id,
            owner.name,
            joined,
            created_at=at,
            taken_from=None if whole is None else whole.id,
            instead_of=change.instead_of,
        )
        values = {
            **conversation_values(conversation),
            **_schedule_values(new),
            "created_by": owner.user_id,
            "creator": owner.name,
            "origin": change.origin,
            "touched": change.order,
            "created_at": at,
            "updated_at": at,
            "taken_from": new.taken_from,
            "instead_of": new.instead_of,
        }
        adding = self._database.insert(schedule).values(**values)
        once = adding.on_conflict_do_nothing(index_elements=["origin"]).returning(schedule.c.id)
        added = (await connection.execute(once)).scalar_one_or_none()
        if added is None:
            query = select(schedule).where(schedule.c.origin == change.origin)
            return _schedule_record((await connection.execute(query)).one())
        made = replace(new, id=added)
        rows.append(RowChange(schedule.name, added, None, {"id": added, **values}))
        rows += await reminders.put_each(connection, remind(made))
        return made


def _changed_schedule(before: ScheduleRecord, change: Edit | Delete | Attend) -> ScheduleRecord:
    match change:
        case Edit():
            return replace(before, plan=change.plan)
        case Delete():
            return replace(before, deleted=True)
        case Attend():
            others = tuple(each for each in before.joined if each.user_id != change.member.user_id)
            if not change.joins:
                return replace(before, joined=others)
            there = len(others) < len(before.joined)
            return before if there else replace(before, joined=(*before.joined, change.member))


async def _select_by_id(connection: AsyncConnection, schedule_id: int) -> ScheduleRecord | None:
    row = (await connection.execute(select(schedule).where(schedule.c.id == schedule_id))).one_or_none()
    return None if row is None else _schedule_record(row)


def _schedule_values(record: ScheduleRecord) -> dict[str, Any]:
    return {
        **asdict(record.plan),
        "joined": [asdict(member) for member in record.joined],
        "deleted": record.deleted,
    }


def _schedule_record(row: Any) -> ScheduleRecord:
    plan = record_of(
        SchedulePlan, row, further_leads=tuple(row.further_leads or ()), to_group=bool(row.to_group)
    )
    joined = tuple(Participant(each["user_id"], each["name"]) for each in row.joined)
    return record_of(ScheduleRecord, row, plan=plan, joined=joined)
