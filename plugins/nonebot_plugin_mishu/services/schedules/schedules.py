"""A group's schedules: listed, expanded to every time they take place, made, changed, called off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from ...agents import Asker as Speaker
from ...agents.schedule import words
from ...agents.schedule.candidates.single import alone, left_out
from ...agents.schedule.executor import Done, may_change, taken_out
from ...agents.schedule.timetable import Occasion, conflicts, length, upcoming, within
from ...storage.records import Conversation
from ...storage.schedules.queries import Add, Change, Delete, Edit, Outdated
from ...storage.schedules.records import WALL, Schedule, SchedulePlan
from ..access.actor import Actor
from ..office import Office
from ..paging import Key, Page, cut, page_of
from ..refusals import Refused, asks, forbidden, invalid, missing
from .plans import ALL_DAY, changed_plan, new_plan

MOST_DAYS: Final = 400
"""Days that one request may expand."""
USUAL: Final = timedelta(days=31)
_HOUR: Final = timedelta(hours=1)
Exception_ = Literal["moved", "cancelled"]


@dataclass(frozen=True, slots=True)
class Time:
    """One time a schedule takes place, or would have."""

    schedule: Schedule
    starts_at: datetime
    ends_at: datetime | None
    exception: Exception_ | None = None
    series: Schedule | None = None
    """What repeats, where this is one time of it that was moved and it still stands."""

    @property
    def id(self) -> int:
        """The id of what repeats for every time of it, the moved ones too; else the schedule's own."""
        return (self.series or self.schedule).id

    @property
    def occurrence(self) -> datetime | None:
        """By which a time of what repeats is named: when it would begin, had it not been moved."""
        plan = self.schedule.plan
        if self.series is not None and self.schedule.instead_of is not None:
            return datetime.fromisoformat(self.schedule.instead_of).replace(tzinfo=ZoneInfo(plan.zone))
        return None if plan.recurrence is None else self.starts_at


def first_time(schedule: Schedule) -> Time:
    """A schedule as its first time."""
    plan = schedule.plan
    moved = "moved" if schedule.taken_from is not None else None
    return Time(schedule, plan.begins, plan.ends, moved)


def time_key(time: Time) -> Key:
    """What expanded times are sorted by."""
    return time.starts_at.astimezone(time.starts_at.tzinfo).strftime(WALL), time.schedule.id


def schedule_key(schedule: Schedule) -> Key:
    """What schedules are sorted by."""
    return schedule.plan.start, schedule.id


async def listed(
    office: Office,
    place: Conversation,
    *,
    since: datetime | None,
    until: datetime | None,
    limit: int,
    after: Key | None,
) -> Page[Schedule]:
    """Schedules by start; with a span those that take place in it."""
    if since is None and until is None:
        found = await office.storage.schedules.page(place, limit=limit + 1, after=after)
        return page_of(found, limit, schedule_key)
    first = since or datetime(1971, 1, 2, tzinfo=office.zone)
    last = (until or datetime(8999, 1, 1, tzinfo=office.zone)) - timedelta(microseconds=1)
    _ordered(first, last)
    near = await office.storage.schedules.around(
        place, _wall(office, first), _wall(office, last), page=(office.zone.key, limit + 1, after)
    )
    return cut([each for each in near if within(each, first, last)], limit, after, schedule_key)


async def expanded(
    office: Office,
    place: Conversation,
    *,
    since: datetime | None,
    until: datetime | None,
    limit: int,
    after: Key | None,
) -> Page[Time]:
    """Every time something takes place from `since` to `until` (not included), by time; 31 days from today
    where they are not said. Times that were moved or called off are among them, as such."""
    today = office.now().replace(hour=0, minute=0, second=0, microsecond=0)
    first = since or (until - USUAL if until is not None else today)
    end = until or first + USUAL
    _ordered(first, end)
    if end - first > timedelta(days=MOST_DAYS):
        raise invalid("to", f"离 from 不能超过 {MOST_DAYS} 天")
    last = end - timedelta(microseconds=1)
    store = office.storage.schedules
    near = await store.around(
        place, _wall(office, first), _wall(office, last), page=(office.zone.key, limit + 1, after)
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
            for one in _called_off(each, first, last)
            if (each.id, one.begins.strftime(WALL)) not in moved
        ]
    local = [replace(each, starts_at=each.starts_at.astimezone(office.zone)) for each in found]
    page = cut(sorted(local, key=time_key), limit, after, time_key)
    standing: dict[int, Schedule | None] = {each.id: each for each in near}
    return Page([await _in_series(office, each, standing) for each in page.rows], page.cursor)


async def as_time(office: Office, schedule: Schedule) -> Time:
    """A schedule as its first time; one that was moved out of what repeats as one of that."""
    return await _in_series(office, first_time(schedule), {})


async def as_times(office: Office, page: Page[Schedule], *, whole: bool = False) -> Page[Time]:
    """Schedules as their first times; of a `whole` list without those moved out of what is in it."""
    standing = dict[int, Schedule | None]()
    times = [await _in_series(office, first_time(each), standing) for each in page.rows]
    return Page([each for each in times if not whole or each.series is None], page.cursor)


async def _in_series(office: Office, time: Time, standing: dict[int, Schedule | None]) -> Time:
    """A moved time as one of its series, as long as that is there; `standing` remembers those looked for."""
    series = time.schedule.taken_from
    if series is None:
        return time
    if series not in standing:
        found = await office.storage.schedules.get(series)
        standing[series] = found if found is not None and not found.deleted else None
    return replace(time, series=standing[series])


async def one_time(
    office: Office, place: Conversation, schedule_id: int, occurrence: datetime | None = None
) -> Time:
    """A schedule as its first time, or one time of what repeats. Raises `Refused` where there is none."""
    schedule = await one(office, place, schedule_id)
    if occurrence is None:
        return await as_time(office, schedule)
    moved = await _moved(office, schedule, occurrence)
    if moved is not None:
        return Time(moved, moved.plan.begins, moved.plan.ends, "moved", schedule)
    for gone in _called_off(schedule, occurrence, occurrence):
        return Time(schedule, gone.begins, gone.ends, "cancelled")
    if schedule.plan.recurrence is None and schedule.plan.begins == occurrence:
        return first_time(schedule)
    found = _occasion(schedule, occurrence)
    return Time(schedule, found.begins, found.ends)


async def _moved(office: Office, schedule: Schedule, occurrence: datetime) -> Schedule | None:
    """The time of what repeats that was moved: named by when it would have begun, or when it begins now."""
    if schedule.plan.recurrence is None or any(within(schedule, occurrence, occurrence)):
        return None
    zone = ZoneInfo(schedule.plan.zone)
    wall = occurrence.astimezone(zone).strftime(WALL)
    taken = await office.storage.schedules.moved_from(schedule.conversation, {schedule.id})
    live = [each for each in taken if not each.deleted]
    named = [each for each in live if each.instead_of == wall]
    return next(iter(named), next((each for each in live if each.plan.begins == occurrence), None))


def _called_off(schedule: Schedule, first: datetime, last: datetime) -> list[Occasion]:
    """The times of what repeats on which it is left out, between two moments."""
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


async def one(office: Office, place: Conversation, schedule_id: int) -> Schedule:
    """A schedule of a group. Raises `Refused` where it has no such one."""
    found = await office.storage.schedules.get(schedule_id)
    if found is None or found.deleted or found.conversation != place:
        raise missing("日程")
    return found


async def add(
    office: Office,
    actor: Actor,
    place: Conversation,
    fields: Mapping[str, Any],
    *,
    origin: str,
    user_id: str | None = None,
    confirm: bool = False,
) -> Schedule:
    """Make one. What takes place at the same time is asked about first. Raises `Refused`."""
    speaker = await office.who(actor, user_id, place)
    plan = new_plan(fields, office.now())
    if plan.everybody and not speaker.governs:
        raise forbidden("只有群主和管理员能提醒全体成员")
    near = await _near(office, place, [plan])
    if not confirm:
        _object(near, [plan], office)
    return await _written(office, speaker, place, [Add(plan, origin)], near, origin)


async def change(
    office: Office,
    actor: Actor,
    place: Conversation,
    schedule_id: int,
    fields: Mapping[str, Any],
    *,
    origin: str,
    occurrence: datetime | None = None,
    user_id: str | None = None,
    confirm: bool = False,
) -> Schedule:
    """Change one, or one time of what repeats: that is then a schedule of its own. Raises `Refused`."""
    speaker = await office.who(actor, user_id, place)
    schedule = await one(office, place, schedule_id)
    if occurrence is not None and (moved := await _moved(office, schedule, occurrence)) is not None:
        schedule, occurrence = moved, None
    _allow(schedule, speaker, "edit")
    if fields.get("everybody") and not speaker.governs:
        raise forbidden("只有群主和管理员能提醒全体成员")
    now = office.now()
    changes: list[Change]
    if occurrence is None or (schedule.plan.recurrence is None and schedule.plan.begins == occurrence):
        plan = changed_plan(schedule.plan, fields, now)
        changes = [Edit(schedule.id, plan, origin)]
    else:
        if fields.get("recurrence") is not None:
            raise invalid("recurrence", "只改一次的时候不能改规律")
        time = _occasion(schedule, occurrence)
        plan = changed_plan(alone(schedule.plan, time), fields, now)
        rest = left_out(schedule.plan, [time])
        changes = [Edit(schedule.id, rest, origin), taken_out(schedule, rest, plan, origin)]
    near = [each for each in await _near(office, place, [plan]) if each.id != schedule.id]
    if not confirm:
        _object(near, [plan], office)
    return await _written(office, speaker, place, changes, [schedule, *near], origin)


async def remove(
    office: Office,
    actor: Actor,
    place: Conversation,
    schedule_id: int,
    *,
    origin: str,
    occurrence: datetime | None = None,
    user_id: str | None = None,
    confirm: bool = False,
) -> None:
    """Call one off, or one time of what repeats; asked about first. Raises `Refused`."""
    speaker = await office.who(actor, user_id, place)
    schedule = await one(office, place, schedule_id)
    if occurrence is not None and (moved := await _moved(office, schedule, occurrence)) is not None:
        schedule, occurrence = moved, None
    _allow(schedule, speaker, "delete")
    now = office.now()
    if occurrence is None or (schedule.plan.recurrence is None and schedule.plan.begins == occurrence):
        question = f"要删除这个日程吗？\n{words.line(schedule, now)}"
        if schedule.plan.recurrence is not None:
            when = words.plan_time(schedule.plan, now)
            question = f"「{schedule.description}」是重复的日程（{when}）。要全部删除吗？"
        changes: list[Change] = [Delete(schedule.id, origin)]
    else:
        time = _occasion(schedule, occurrence)
        question = f"要取消{words.leaves_out(schedule, [time.begins.date()], now)}吗？"
        changes = [Edit(schedule.id, left_out(schedule.plan, [time]), origin)]
    if not confirm:
        raise asks(question)
    await _written(office, speaker, place, changes, [schedule], origin)


async def _written(
    office: Office,
    speaker: Speaker,
    place: Conversation,
    changes: Sequence[Change],
    near: Sequence[Schedule],
    origin: str,
) -> Schedule:
    """Make the changes as a line in the group would, and tell the group; the last of them as it stands."""
    done = Done()
    context = office.task_context(speaker, place, "edit", origin)
    try:
        await office.deeds.write(changes, near, context, done)
    except Outdated:
        raise Refused(409, words.OUTDATED, words.OUTDATED) from None
    made = await office.storage.schedules.get(done.touched[-1])
    assert made is not None
    joined = [each.user_id for each in (*made.joined, *(one for old in near[:1] for one in old.joined))]
    await office.tell(place, speaker, "\n".join(done.lines), [made.created_by, *joined])
    return made


def _object(near: Sequence[Schedule], plans: Sequence[SchedulePlan], office: Office) -> None:
    now = office.now()
    found = {each.id: each for plan in plans for each in conflicts(plan, near, now)}
    if found:
        raise asks(f"{words.coinciding(list(found.values()), now)}。还是要这样安排吗？")


async def _near(office: Office, place: Conversation, plans: Sequence[SchedulePlan]) -> list[Schedule]:
    """What may take place when one of the plans does next."""
    found: dict[int, Schedule] = {}
    now = office.now()
    for plan in plans:
        start = upcoming(plan, now) or plan.begins
        end = start + (length(plan) or timedelta(0))
        first, last = _wall(office, start - _HOUR), _wall(office, end + _HOUR)
        found |= {each.id: each for each in await office.storage.schedules.around(place, first, last)}
    return list(found.values())


def _occasion(schedule: Schedule, at: datetime) -> Occasion:
    """The time of what repeats that begins then. Raises `Refused` where none does."""
    for each in within(schedule, at, at):
        if each.begins == at and schedule.plan.recurrence is not None:
            return each
    raise Refused(404, "occurrence：这个日程没有这一次")


def _allow(schedule: Schedule, speaker: Speaker, verb: str) -> None:
    if not may_change(schedule, speaker):
        creator = schedule.creator or "别人"
        raise forbidden(
            words.NOT_ALLOWED.format(what=schedule.description, creator=creator, verb=words.VERBS[verb])
        )


def _ordered(first: datetime, last: datetime) -> None:
    if first > last:
        raise invalid("from", "不能晚于 to")


def _wall(office: Office, moment: datetime) -> str:
    return moment.astimezone(office.zone).strftime(WALL)


__all__ = [
    "ALL_DAY",
    "Time",
    "add",
    "as_time",
    "as_times",
    "change",
    "expanded",
    "first_time",
    "listed",
    "one",
    "one_time",
    "remove",
]
