"""Execution of confirmed candidates: calls, changed rows, replies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from ...llm import Deadline
from ...storage import Storage
from ...storage.reminders.queries import NewReminder
from ...storage.reminders.records import WALL as MINUTES
from ...storage.schedules.queries import AGENT, Add, Attend, Change, Delete, Edit
from ...storage.schedules.records import Participant, SchedulePlan, ScheduleRecord
from ..api.task_context import Asker, TaskContext
from . import words
from .candidates.candidate import Candidate, Operation
from .candidates.machine import AddLocally, CarryOut, Effect, Generated, GenerateOperation, TalkState, step
from .candidates.moments import is_past
from .candidates.operations import AskedBack, checked, local_operations, one_of_many, planned, whole_series
from .candidates.single import alone, days_left_out, left_out, meant
from .frames import time_in
from .model.calls import Calls
from .report import report
from .search import ALIKE, alike, find, nearest
from .timetable import Occasion, begins, conflicts

MORNING: Final = 9
"""Hour from which reminders of whole-day schedules count"""


@dataclass
class ExecutedOperation:
    """Result of one run; all of it is stored."""

    lines: list[str] = field(default_factory=list[str])
    touched: list[int] = field(default_factory=list[int])
    """Ids of the schedules concerned"""
    asked: AskedBack | None = None
    about: Candidate | None = None
    """Candidate of the question in `asked`"""


class ScheduleExecutor:
    """Execution of the machine's effects after need_confirm. Times are wall time of the group's zone."""

    def __init__(self, storage: Storage, calls: Calls, remind_before: int) -> None:
        self._storage = storage
        self._calls = calls
        self._before = remind_before

    async def carry_out(
        self,
        state: TalkState,
        effects: Sequence[Effect],
        context: TaskContext,
        origin_of: Callable[[Candidate], str],
        deadline: Deadline,
    ) -> ExecutedOperation:
        """Execute the effects in one transaction; `origin_of`: permanent id of a candidate's work.

        Raises `StorageError` and `Outdated`; then nothing is done.
        """
        schedules = await self._storage.schedules.live(context.conversation)
        done = ExecutedOperation()
        changes: list[Change] = []
        for effect in effects:
            if isinstance(effect, AddLocally):
                changes += [
                    Add(plan_of(each, context.now, context.actor), origin_of(each))
                    for each in effect.candidates
                ]
            elif isinstance(effect, GenerateOperation):
                found = await self._operations(effect, schedules, context, deadline)
                asked = isinstance(found, AskedBack)
                state, carried = step(state, Generated(() if asked else found))
                if asked:
                    done.asked, done.about = found, effect.candidate
                    continue
                name = origin_of(effect.candidate)
                for each in carried:
                    assert isinstance(each, CarryOut)
                    self._plan(each, schedules, context, name, done, changes)
        await self.write(changes, schedules, context, done)
        return done

    async def choose(
        self, candidate: Candidate, ids: Sequence[int], context: TaskContext, origin: str
    ) -> ExecutedOperation:
        """Execute a candidate on schedules chosen from a list. Raises as `carry_out`."""
        schedules = await self._storage.schedules.live(context.conversation)
        there = {each.id for each in schedules}
        done = ExecutedOperation()
        if not set(ids) <= there or candidate.intent == "add":
            done.asked = AskedBack(words.OUTDATED)
            return done
        operations = tuple(Operation(candidate.intent, each) for each in ids)
        changes: list[Change] = []
        self._plan(CarryOut(candidate, operations), schedules, context, origin, done, changes)
        await self.write(changes, schedules, context, done)
        return done

    async def write(
        self,
        changes: Sequence[Change],
        schedules: Sequence[ScheduleRecord],
        context: TaskContext,
        done: ExecutedOperation,
    ) -> None:
        """Write the changes, note them and add their replies."""
        if not changes:
            return
        now, actor = context.now, context.actor
        summary = _summary(changes, schedules, now)
        made = await self._storage.schedules.apply(
            context.conversation,
            Participant(actor.user_id, actor.name),
            changes,
            at=context.request.now,
            summary=summary,
            remind=lambda schedule: self.reminder(schedule, now),
        )
        self._storage.reminders.changed()
        by_kind: dict[type[Change], list[ScheduleRecord]] = {}
        before = {each.id: each.plan for each in schedules}
        for at, (change, schedule) in enumerate(zip(changes, made, strict=True)):
            context.acted(type(change).__name__.lower(), {"time": schedule.plan.start}, {"id": schedule.id})
            done.touched.append(schedule.id)
            days = days_left_out(before[change.id], change.plan) if isinstance(change, Edit) else []
            if days:
                moved_to = made[at + 1] if at + 1 < len(made) and _is_moved(changes[at + 1]) else None
                done.lines.append(words.left_out(schedule, days, moved_to, now))
            elif not _is_moved(change):
                by_kind.setdefault(type(change), []).append(schedule)
        for kind, say in ((Add, words.added), (Edit, words.changed), (Delete, words.deleted)):
            if kind in by_kind:
                done.lines.append(say(by_kind[kind], now))
        gone = {change.id for change in changes if isinstance(change, Delete)}
        moved = [*by_kind.get(Add, ()), *by_kind.get(Edit, ())]
        moved += [one for change, one in zip(changes, made, strict=True) if _is_moved(change)]
        others = [each for each in schedules if each.id not in {*gone, *(one.id for one in moved)}]
        found = [other for each in moved for other in conflicts(each.plan, others, now)]
        if found:
            done.lines.append(words.coinciding(list({each.id: each for each in found}.values()), now))

    async def attended(
        self, change: Attend, schedule: ScheduleRecord, context: TaskContext
    ) -> ScheduleRecord:
        """Let somebody join or leave; returns the new schedule. Raises as `carry_out`."""
        now, actor = context.now, context.actor
        (after,) = await self._storage.schedules.apply(
            context.conversation,
            Participant(actor.user_id, actor.name),
            [change],
            at=context.request.now,
            summary=f"{'参加' if change.joins else '退出'}日程「{schedule.description[:30]}」",
            remind=lambda each: self.reminder(each, now),
        )
        self._storage.reminders.changed()
        return after

    async def attended_once(
        self,
        occasion: Occasion,
        joined: tuple[Participant, ...],
        context: TaskContext,
        origin: str,
        *,
        joins: bool,
    ) -> ScheduleRecord:
        """Set the participants of one occurrence, which becomes its own schedule; returns it. Raises as
        `carry_out`."""
        now, actor, series = context.now, context.actor, occasion.schedule
        rest = left_out(series.plan, [occasion])
        own = replace(taken_out(series, rest, alone(series.plan, occasion), origin), joined=joined)
        _, added = await self._storage.schedules.apply(
            context.conversation,
            Participant(actor.user_id, actor.name),
            [Edit(series.id, rest, origin), own],
            at=context.request.now,
            summary=f"{'参加' if joins else '退出'}日程「{series.description[:30]}」的一次",
            remind=lambda each: self.reminder(each, now),
        )
        self._storage.reminders.changed()
        return added

    def reminder(self, schedule: ScheduleRecord, now: datetime) -> tuple[NewReminder, ...]:
        """Reminders of a schedule in its current state; none if it is over."""
        return reminder_of(schedule, now, self._before)

    async def _operations(
        self,
        effect: GenerateOperation,
        schedules: Sequence[ScheduleRecord],
        context: TaskContext,
        deadline: Deadline,
    ) -> tuple[Operation, ...] | AskedBack:
        found = await self._found(effect, schedules, context, deadline)
        if isinstance(found, AskedBack):
            return found
        ids = {each.id for each in found}
        named = [each for each in schedules if each.id in ids]
        return one_of_many(effect.candidate, named, time_in(context.frame), context.now) or found

    async def _found(
        self,
        effect: GenerateOperation,
        schedules: Sequence[ScheduleRecord],
        context: TaskContext,
        deadline: Deadline,
    ) -> tuple[Operation, ...] | AskedBack:
        candidate, now = effect.candidate, context.now
        if candidate.intent == "query":  # always the rules' list, never a model's
            hits = (
                find(schedules, candidate, now) if candidate.spans or candidate.old_description else schedules
            )
            return tuple(Operation("query", each.id) for each in hits)
        found = local_operations(candidate, schedules, now)
        known = context.sure or _named(found, context)
        generated = None if known else await self._generated(effect, schedules, found, context, deadline)
        if generated is not None:
            return generated
        if candidate.intent == "delete" and not isinstance(found, AskedBack):
            ids = tuple(each.id for each in found)
            chosen = [each for each in schedules if each.id in ids]
            name = candidate.old_description
            if context.sure and all(not name or alike(name, each) > ALIKE for each in chosen):
                return found
            series = None if candidate.once else whole_series(chosen, now)
            if series is not None:
                return series
            lines = [_goes(each, candidate, now) for each in chosen]  # neither rules nor model are sure
            if len(lines) == 1 and lines[0].startswith("\n"):
                return AskedBack(f"要删掉这个日程吗？{lines[0]}", ids)
            together = "、".join(each.strip() for each in lines)
            stays = "其余照常" if candidate.once else ""
            return AskedBack(f"要取消{together}吗？{stays}", ids, together=True)
        return found

    async def _generated(
        self,
        effect: GenerateOperation,
        schedules: Sequence[ScheduleRecord],
        local: tuple[Operation, ...] | AskedBack,
        context: TaskContext,
        deadline: Deadline,
    ) -> tuple[Operation, ...] | AskedBack | None:
        """A model's operations, if the rules are not sure; None to continue with the rules' result.

        Among several matches it may only choose.
        """
        candidate, now = effect.candidate, context.now
        choices = local.choices if isinstance(local, AskedBack) else ()
        pool = [each for each in schedules if not choices or each.id in choices]
        shown = nearest(pool, candidate, now) if self._calls.online else []
        said = await self._calls.generate(effect, shown, context, deadline) if shown else None
        if said is None:
            return None
        several = [each for each in shown if each.id in said.ambiguous]
        if len(several) > 1:
            return AskedBack(words.which(several, candidate.intent, now), tuple(each.id for each in several))
        found = checked(said.operations, candidate, shown, now)
        if isinstance(found, AskedBack):
            # Unusable: the rules' result, but never a time only a model gave.
            said_so = candidate.intent != "edit" or bool(context.clause.times or candidate.shift)
            return None if said_so or isinstance(local, AskedBack) else found
        return found

    def _plan(
        self,
        effect: CarryOut,
        schedules: Sequence[ScheduleRecord],
        context: TaskContext,
        origin: str,
        done: ExecutedOperation,
        changes: list[Change],
    ) -> None:
        candidate, now, actor = effect.candidate, context.now, context.actor
        result = planned(effect.operations, candidate, schedules, now, lambda each: may_change(each, actor))
        if isinstance(result, AskedBack):
            done.asked, done.about = result, replace(candidate, once=candidate.once and not result.whole)
        elif candidate.intent == "query":
            done.lines.append(report(candidate, result, now))
            done.touched += [each.id for each in result.schedules]
        if isinstance(result, AskedBack) or candidate.intent == "query":
            return
        for each, plan, new in zip(result.schedules, result.plans, result.added, strict=True):
            changes.append(Delete(each.id, origin) if plan is None else Edit(each.id, plan, origin))
            if new is not None:
                changes.append(taken_out(each, plan, new, origin))


def _goes(schedule: ScheduleRecord, candidate: Candidate, now: datetime) -> str:
    """Deletion in words: days of a series, or on its own line all of it."""
    repeats = candidate.once and schedule.plan.recurrence is not None
    times = meant(candidate, schedule, now) if repeats else []
    if times:
        return words.leaves_out(schedule, [each.begins.date() for each in times], now)
    return f"\n{words.line(schedule, now)}"


def may_change(schedule: ScheduleRecord, actor: Asker) -> bool:
    """True for the creator and group admins; in private for anybody."""
    return actor.governs or schedule.created_by == actor.user_id or not schedule.conversation.is_group


def taken_out(schedule: ScheduleRecord, rest: SchedulePlan | None, new: SchedulePlan, origin: str) -> Add:
    """Occurrence as its own schedule; `rest`: the series without it."""
    days = [] if rest is None else days_left_out(schedule.plan, rest)
    before = f"{days[0].isoformat()}{schedule.plan.start[10:]}" if len(days) == 1 else None
    return Add(new, f"{origin}+{schedule.id}", order=origin, taken_from=schedule, instead_of=before)


def _is_moved(change: Change) -> bool:
    return isinstance(change, Add) and change.order is not None


def reminder_of(schedule: ScheduleRecord, now: datetime, before: int) -> tuple[NewReminder, ...]:
    """Reminders of a schedule, one for each lead, else `before` minutes ahead; none if it is over.

    If all leads have passed, the reminder is at the start.
    """
    plan = schedule.plan
    leads = (before if plan.lead_minutes is None else plan.lead_minutes, *plan.further_leads)
    found = [each for lead in leads if (each := _reminder(schedule, now, lead)) is not None]
    return tuple({each.due_at: each for each in found}.values())


def _reminder(schedule: ScheduleRecord, now: datetime, lead: int) -> NewReminder | None:
    plan = schedule.plan
    for start in begins(plan, now - timedelta(days=1)):
        at = start.replace(hour=MORNING) if plan.segment == "all_day" else start
        due = at.timestamp() - lead * 60.0
        if due <= now.timestamp():
            if plan.recurrence is not None or at.timestamp() <= now.timestamp() or plan.segment:
                continue
            return _due(schedule, at, at.timestamp(), 0)  # 一分钟后提醒大家: the lead is past
        return _due(schedule, at, due, lead)
    return None


def _due(schedule: ScheduleRecord, at: datetime, due: float, lead: int) -> NewReminder:
    plan = schedule.plan
    first = () if plan.to_group else (schedule.created_by,)
    people = dict.fromkeys((*first, *(each.user_id for each in schedule.joined)))
    return NewReminder(
        conversation=schedule.conversation,
        agent_code=AGENT,
        item_id=schedule.id,
        user_ids=tuple(each for each in people if each),
        text=words.reminder(plan),
        due_at=due,
        wall=at.strftime(MINUTES),
        zone=plan.zone,
        everybody=plan.everybody,
        recurrence=plan.recurrence,
        lead_minutes=lead,
        until=plan.until,
    )


def plan_of(candidate: Candidate, now: datetime, actor: Asker) -> SchedulePlan:
    """Plan of a new candidate with a time."""
    when = candidate.when
    assert when is not None
    return SchedulePlan(
        start=when.start,
        zone=str(now.tzinfo),
        description=candidate.new_description,
        end=when.end or None,
        segment=when.segment or None,
        place=candidate.place or None,
        recurrence=when.recurrence,
        until=when.until or None,
        lead_minutes=candidate.lead,
        further_leads=candidate.further_leads,
        everybody=candidate.everybody and actor.governs,
        to_group=candidate.everybody,
    )


def gone(candidate: Candidate, now: datetime) -> bool:
    """True if a candidate's time passed during the wait."""
    return candidate.when is not None and is_past(candidate.when, now)


def _named(found: tuple[Operation, ...] | AskedBack, context: TaskContext) -> bool:
    """True if all matches are named by id, or no model helped: no further call."""
    ids = found.choices if isinstance(found, AskedBack) else tuple(each.id for each in found)
    return context.ask_back or (bool(ids) and {str(each) for each in ids} <= set(context.refs))


def _summary(changes: Sequence[Change], schedules: Sequence[ScheduleRecord], now: datetime) -> str:
    """Title of the change for 撤销; only left-out days are named.

    An occurrence moved to its own schedule is a change, not a cancellation.
    """
    known = {each.id: each for each in schedules}
    parts: list[str] = []
    match changes:
        case [Edit(id=number, plan=rest), Add()] if (series := known.get(number)) is not None:
            if days := days_left_out(series.plan, rest):
                return f"改{words.leaves_out(series, days, now)}这一次"[:200]
        case _:
            pass
    for change in changes:
        before = None if isinstance(change, Add) else known.get(change.id)
        if isinstance(change, Add):
            parts.append(f"添加日程「{change.plan.description[:30]}」")
        elif before is None:
            parts.append(f"{_VERBS[type(change)]}「」")
        elif isinstance(change, Edit) and (days := days_left_out(before.plan, change.plan)):
            parts.append(f"取消{words.leaves_out(before, days, now)}")
        else:
            field = _changed_field(before.plan, change.plan) if isinstance(change, Edit) else ""
            parts.append(f"{_VERBS[type(change)]}「{before.description[:30]}」{field}")
    return "、".join(parts)[:200]


_VERBS: Final[dict[type[Change], str]] = {Edit: "修改日程", Delete: "删除日程", Attend: "修改日程"}


def _changed_field(before: SchedulePlan, after: SchedulePlan) -> str:
    """Field changed by an edit; empty if several changed."""
    times = (before.start, before.end, before.segment, before.recurrence, before.until)
    changed = {
        "的时间": times != (after.start, after.end, after.segment, after.recurrence, after.until),
        "的内容": before.description != after.description,
        "的地点": before.place != after.place,
        "的提醒": (before.lead_minutes, before.further_leads) != (after.lead_minutes, after.further_leads),
    }
    found = [name for name, differs in changed.items() if differs]
    return found[0] if len(found) == 1 else ""
