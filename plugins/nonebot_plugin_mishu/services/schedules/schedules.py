"""Schedules of a group: listed, expanded to occasions, created, changed, deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from ...agents import Asker as Speaker
from ...agents.schedule import words
from ...agents.schedule.candidates.single import alone, left_out
from ...agents.schedule.executor import ExecutedOperation, may_change, taken_out
from ...agents.schedule.timetable import Occasion, conflicts, length, upcoming, within
from ...storage.records import Conversation
from ...storage.schedules.queries import Add, Change, Delete, Edit, Outdated
from ...storage.schedules.records import WALL, SchedulePlan, ScheduleRecord
from ..access.actor import Write
from ..office import Office
from ..paging import Key, Page, cut_page, make_page
from ..refusals import Refused, forbidden, invalid, missing, needs_confirmation
from .plans import ALL_DAY, change_plan, make_plan

MOST_DAYS: Final = 400
"""Days that one request may expand."""
USUAL: Final = timedelta(days=31)
_HOUR: Final = timedelta(hours=1)
Exception_ = Literal["moved", "cancelled"]


@dataclass(frozen=True, slots=True)
class Time:
    """An occasion of a schedule, cancelled ones included."""

    schedule: ScheduleRecord
    starts_at: datetime
    ends_at: datetime | None
    exception: Exception_ | None = None
    series: ScheduleRecord | None = None
    """The series of a moved occasion, if it still exists."""

    @property
    def id(self) -> int:
        """The id of the series for every occasion of it, moved ones included; else the schedule's own."""
        return (self.series or self.schedule).id

    @property
    def occurrence(self) -> datetime | None:
        """Name of an occasion of a series: its original start."""
        plan = self.schedule.plan
        if self.series is not None and self.schedule.instead_of is not None:
            return datetime.fromisoformat(self.schedule.instead_of).replace(tzinfo=ZoneInfo(plan.zone))
        return None if plan.recurrence is None else self.starts_at


def first_time(schedule: ScheduleRecord) -> Time:
    """First occasion of a schedule."""
    plan = schedule.plan
    moved = "moved" if schedule.taken_from is not None else None
    return Time(schedule, plan.begins, plan.ends, moved)


def time_key(time: Time) -> Key:
    """Sort key of occasions."""
    return time.starts_at.astimezone(time.starts_at.tzinfo).strftime(WALL), time.schedule.id


def schedule_key(schedule: ScheduleRecord) -> Key:
    """Sort key of schedules."""
    return schedule.plan.start, schedule.id


async def list_schedules(
    office: Office,
    place: Conversation,
    *,
    since: datetime | None,
    until: datetime | None,
    limit: int,
    after: Key | None,
) -> Page[ScheduleRecord]:
    """Schedules by start; with a span those that take place in it."""
    if since is None and until is None:
        found = await office.storage.schedules.list_page(place, limit=limit + 1, after=after)
        return make_page(found, limit, schedule_key)
    first = since or datetime(1971, 1, 2, tzinfo=office.zone)
    last = (until or datetime(8999, 1, 1, tzinfo=office.zone)) - timedelta(microseconds=1)
    _check_order(first, last)
    near = await office.storage.schedules.around(
        place, _local_wall(office, first), _local_wall(office, last), page=(office.zone.key, limit + 1, after)
    )
    return cut_page([each for each in near if within(each, first, last)], limit, after, schedule_key)


async def list_times(
    office: Office,
    place: Conversation,
    *,
    since: datetime | None,
    until: datetime | None,
    limit: int,
    after: Key | None,
) -> Page[Time]:
    """Occasions from `since` to `until` (not included), by time; by default 31 days from today. Moved and
    cancelled ones are included and marked."""
    today = office.now().replace(hour=0, minute=0, second=0, microsecond=0)
    first = since or (until - USUAL if until is not None else today)
    end = until or first + USUAL
    _check_order(first, end)
    if end - first > timedelta(days=MOST_DAYS):
        raise invalid("to", f"离 from 不能超过 {MOST_DAYS} 天")
    last = end - timedelta(microseconds=1)
    store = office.storage.schedules
    near = await store.around(
        place, _local_wall(office, first), _local_wall(office, last), page=(office.zone.key, limit + 1, after)
    )
    series = {each.id for each in near if each.plan.recurrence and each.plan.recurrence.get("without")}
    moved = {
        (each.taken_from, each.instead_of)
        for each in await store.moved_from(place, series)
        if not each.deleted
    }
    found: list[Time] = []
    for each in near:
        exception: Exception_ | None = "moved" if each.taken_from is not None else None
        found += [Time(each, one.begins, one.ends, exception) for one in within(each, first, last)]
        found += [
            Time(each, one.begins, one.ends, "cancelled")
            for one in _list_cancelled(each, first, last)
            if (each.id, one.begins.strftime(WALL)) not in moved
        ]
    local = [replace(each, starts_at=each.starts_at.astimezone(office.zone)) for each in found]
    page = cut_page(sorted(local, key=time_key), limit, after, time_key)
    standing: dict[int, ScheduleRecord | None] = {each.id: each for each in near}
    return Page([await _attach_series(office, each, standing) for each in page.rows], page.cursor)


async def find_first_time(office: Office, schedule: ScheduleRecord) -> Time:
    """First occasion of a schedule; of a moved occasion, as one of its series."""
    return await _attach_series(office, first_time(schedule), {})


async def find_first_times(office: Office, page: Page[ScheduleRecord], *, whole: bool = False) -> Page[Time]:
    """First occasions of schedules; of a `whole` list without those moved out of its series."""
    standing = dict[int, ScheduleRecord | None]()
    times = [await _attach_series(office, first_time(each), standing) for each in page.rows]
    return Page([each for each in times if not whole or each.series is None], page.cursor)


async def _attach_series(office: Office, time: Time, standing: dict[int, ScheduleRecord | None]) -> Time:
    """A moved occasion with its series, if that exists; `standing` caches the series looked up."""
    series = time.schedule.taken_from
    if series is None:
        return time
    if series not in standing:
        found = await office.storage.schedules.get(series)
        standing[series] = found if found is not None and not found.deleted else None
    return replace(time, series=standing[series])


async def get_time(
    office: Office, place: Conversation, schedule_id: int, occurrence: datetime | None = None
) -> Time:
    """First occasion of a schedule, or the named one of a series. Raises `Refused` where there is none."""
    schedule = await get_schedule(office, place, schedule_id)
    if occurrence is None:
        return await find_first_time(office, schedule)
    moved = await _find_moved(office, schedule, occurrence)
    if moved is not None:
        return Time(moved, moved.plan.begins, moved.plan.ends, "moved", schedule)
    for gone in _list_cancelled(schedule, occurrence, occurrence):
        return Time(schedule, gone.begins, gone.ends, "cancelled")
    if schedule.plan.recurrence is None and schedule.plan.begins == occurrence:
        return first_time(schedule)
    found = _find_occasion(schedule, occurrence)
    return Time(schedule, found.begins, found.ends)


async def _find_moved(
    office: Office, schedule: ScheduleRecord, occurrence: datetime
) -> ScheduleRecord | None:
    """The moved occasion of a series, by its original or its present start."""
    if schedule.plan.recurrence is None or any(within(schedule, occurrence, occurrence)):
        return None
    zone = ZoneInfo(schedule.plan.zone)
    wall = occurrence.astimezone(zone).strftime(WALL)
    taken = await office.storage.schedules.moved_from(schedule.conversation, {schedule.id})
    live = [each for each in taken if not each.deleted]
    named = [each for each in live if each.instead_of == wall]
    return next(iter(named), next((each for each in live if each.plan.begins == occurrence), None))


def _list_cancelled(schedule: ScheduleRecord, first: datetime, last: datetime) -> list[Occasion]:
    """Cancelled occasions of a series between two moments."""
    rule = schedule.plan.recurrence
    days: Sequence[str] = rule.get("without", ()) if rule is not None else ()
    lasts = length(schedule.plan)
    zone = schedule.plan.begins.tzinfo
    found: list[Occasion] = []
    for day in days:
        start = datetime.fromisoformat(f"{day}{schedule.plan.start[10:]}").replace(tzinfo=zone)
        if first <= start <= last:
            found.append(Occasion(schedule, start, None if lasts is None else start + lasts))
    return found


async def get_schedule(office: Office, place: Conversation, schedule_id: int) -> ScheduleRecord:
    """A schedule of a group. Raises `Refused` (404) where it is not found."""
    found = await office.storage.schedules.get(schedule_id)
    if found is None or found.deleted or found.conversation != place:
        raise missing("日程")
    return found


async def create_schedule(
    office: Office, write: Write, place: Conversation, fields: Mapping[str, Any]
) -> ScheduleRecord:
    """Create a schedule. A conflict needs a confirmation. Raises `Refused`."""
    speaker = await office.require_speaker(write, place)
    plan = make_plan(fields, office.now())
    if plan.everybody and not speaker.governs:
        raise forbidden("只有群主和管理员能提醒全体成员")
    near = await _list_near(office, place, [plan])
    if not write.confirm:
        _check_conflicts(near, [plan], office)
    return await _write_changes(office, speaker, place, [Add(plan, write.origin)], near, write.origin)


async def update_schedule(
    office: Office,
    write: Write,
    place: Conversation,
    schedule_id: int,
    fields: Mapping[str, Any],
    occurrence: datetime | None = None,
) -> ScheduleRecord:
    """Change a schedule, or one occasion of a series, which is then a schedule of its own. Raises
    `Refused`."""
    speaker = await office.require_speaker(write, place)
    schedule = await get_schedule(office, place, schedule_id)
    if occurrence is not None and (moved := await _find_moved(office, schedule, occurrence)) is not None:
        schedule, occurrence = moved, None
    _check_right(schedule, speaker, "edit")
    if fields.get("everybody") and not speaker.governs:
        raise forbidden("只有群主和管理员能提醒全体成员")
    now, origin = office.now(), write.origin
    changes: list[Change]
    if occurrence is None or (schedule.plan.recurrence is None and schedule.plan.begins == occurrence):
        plan = change_plan(schedule.plan, fields, now)
        changes = [Edit(schedule.id, plan, origin)]
    else:
        if fields.get("recurrence") is not None:
            raise invalid("recurrence", "只改一次的时候不能改规律")
        time = _find_occasion(schedule, occurrence)
        plan = change_plan(alone(schedule.plan, time), fields, now)
        rest = left_out(schedule.plan, [time])
        changes = [Edit(schedule.id, rest, origin), taken_out(schedule, rest, plan, origin)]
    near = [each for each in await _list_near(office, place, [plan]) if each.id != schedule.id]
    if not write.confirm:
        _check_conflicts(near, [plan], office)
    return await _write_changes(office, speaker, place, changes, [schedule, *near], origin)


async def delete_schedule(
    office: Office, write: Write, place: Conversation, schedule_id: int, occurrence: datetime | None = None
) -> None:
    """Delete a schedule, or cancel one occasion of a series, after a confirmation. Raises `Refused`."""
    speaker = await office.require_speaker(write, place)
    schedule = await get_schedule(office, place, schedule_id)
    if occurrence is not None and (moved := await _find_moved(office, schedule, occurrence)) is not None:
        schedule, occurrence = moved, None
    _check_right(schedule, speaker, "delete")
    now, origin = office.now(), write.origin
    if occurrence is None or (schedule.plan.recurrence is None and schedule.plan.begins == occurrence):
        question = f"要删除这个日程吗？\n{words.line(schedule, now)}"
        if schedule.plan.recurrence is not None:
            when = words.plan_time(schedule.plan, now)
            question = f"「{schedule.description}」是重复的日程（{when}）。要全部删除吗？"
        changes: list[Change] = [Delete(schedule.id, origin)]
    else:
        time = _find_occasion(schedule, occurrence)
        question = f"要取消{words.leaves_out(schedule, [time.begins.date()], now)}吗？"
        changes = [Edit(schedule.id, left_out(schedule.plan, [time]), origin)]
    if not write.confirm:
        raise needs_confirmation(question)
    await _write_changes(office, speaker, place, changes, [schedule], origin)


async def _write_changes(
    office: Office,
    speaker: Speaker,
    place: Conversation,
    changes: Sequence[Change],
    near: Sequence[ScheduleRecord],
    origin: str,
) -> ScheduleRecord:
    """Write the changes by the schedule agent's executor and tell the group; returns the last schedule."""
    done = ExecutedOperation()
    context = office.task_context(speaker, place, "edit", origin)
    try:
        await office.schedule_executor.write(changes, near, context, done)
    except Outdated:
        raise Refused(409, words.OUTDATED, words.OUTDATED) from None
    made = await office.storage.schedules.get(done.touched[-1])
    assert made is not None
    joined = [each.user_id for each in (*made.joined, *(one for old in near[:1] for one in old.joined))]
    await office.tell_group(place, speaker, "\n".join(done.lines), [made.created_by, *joined])
    return made


def _check_conflicts(near: Sequence[ScheduleRecord], plans: Sequence[SchedulePlan], office: Office) -> None:
    now = office.now()
    found = {each.id: each for plan in plans for each in conflicts(plan, near, now)}
    if found:
        raise needs_confirmation(f"{words.coinciding(list(found.values()), now)}。还是要这样安排吗？")


async def _list_near(
    office: Office, place: Conversation, plans: Sequence[SchedulePlan]
) -> list[ScheduleRecord]:
    """Schedules that may coincide with the next occasion of the plans."""
    found: dict[int, ScheduleRecord] = {}
    now = office.now()
    for plan in plans:
        start = upcoming(plan, now) or plan.begins
        end = start + (length(plan) or timedelta(0))
        first, last = _local_wall(office, start - _HOUR), _local_wall(office, end + _HOUR)
        found |= {each.id: each for each in await office.storage.schedules.around(place, first, last)}
    return list(found.values())


def _find_occasion(schedule: ScheduleRecord, at: datetime) -> Occasion:
    """The occasion of a series that starts then. Raises `Refused` where none does."""
    for each in within(schedule, at, at):
        if each.begins == at and schedule.plan.recurrence is not None:
            return each
    raise Refused(404, "occurrence：这个日程没有这一次")


def _check_right(schedule: ScheduleRecord, speaker: Speaker, verb: str) -> None:
    if not may_change(schedule, speaker):
        creator = schedule.creator or "别人"
        raise forbidden(
            words.NOT_ALLOWED.format(what=schedule.description, creator=creator, verb=words.VERBS[verb])
        )


def _check_order(first: datetime, last: datetime) -> None:
    if first > last:
        raise invalid("from", "不能晚于 to")


def _local_wall(office: Office, moment: datetime) -> str:
    return moment.astimezone(office.zone).strftime(WALL)


__all__ = [
    "ALL_DAY",
    "Time",
    "create_schedule",
    "delete_schedule",
    "find_first_time",
    "find_first_times",
    "first_time",
    "get_schedule",
    "get_time",
    "list_schedules",
    "list_times",
    "update_schedule",
]
