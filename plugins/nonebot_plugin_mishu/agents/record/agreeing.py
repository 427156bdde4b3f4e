"""Card of decisions and to-dos: 确认 makes schedules and tasks of it (`drafting`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

from ...config import Config
from ...drafts import AskModel, Batch, Commit, ItemModel, Limits, Local, OwnerNotice, Say, speak
from ...language.lines.line import RecordLine as Said
from ...language.recognise.item_numbers import ordinals
from ...llm import Deadline
from ...record import Findings
from ...storage import Storage
from ...storage.records import Conversation, FrameRecord
from ...storage.schedules.queries import Add
from ...storage.schedules.records import Participant, SchedulePlan, ScheduleRecord
from ...storage.tasks.records import TaskChanges, TaskDraft, TaskRecord
from ..api.dispatch import TaskDispatch, TaskResult
from ..api.task_context import TaskContext
from ..drafting import CommitRefused, DraftAdapter, DraftRunner, DraftWording
from ..polls import wording as of_polls
from ..schedule.candidates.candidate import CandidateTime
from ..schedule.candidates.moments import when_of as when_said
from ..schedule.executor import reminder_of as schedule_reminder
from ..schedule.timetable import upcoming
from ..schedule.words import plan_time
from ..tasks.planning.consequences import reminder_of as task_reminder
from ..tasks.planning.revision import when_of
from ..tasks.words import say_when
from .agreed import AgreedItem, dump, items, load

NOTHING: Final = "这段时间没定下什么，也没有要做的。"
_LISTED: Final = 8
_QUOTE: Final = 48


class Agreeing:
    """Opens the card and handles further lines of its owner. Raises `StorageError`."""

    def __init__(self, storage: Storage, config: Config, wall: Callable[[], float]) -> None:
        self._storage = storage
        self._zone = config.zone
        self._remind_before = config.schedule.remind_before
        self._wall = wall
        self._limits = Limits(timeout=config.schedule.confirm_timeout)

    async def show(
        self,
        dispatch: TaskDispatch,
        context: TaskContext,
        found: Findings,
        *,
        since: float,
        card: bool = True,
        kept: bool = False,
    ) -> TaskResult:
        """Decisions and to-dos, by quotation, beside the polls that were open since then; a card of those
        that can be stored. `kept`: with the open tasks and coming schedules stored here; else the schedules
        stored since then."""
        known = await self._storage.schedules.live(context.conversation)
        tasks = await self._storage.tasks.of_conversation(context.conversation) if kept else []
        polls = await polls_told(self._storage, context.conversation, since)
        stored = _kept(tasks, known, context.now) if kept else _planned_since(known, since, context.now)
        beside = "\n".join(filter(None, (polls, stored)))
        if not found.decided and not found.todos:
            return TaskResult(dispatch.task_id, "completed", user_response=beside or NOTHING)
        told = "\n".join(part for part in (beside, _told(found)) if part)
        made = items(found, context.actor, known, context.now, tasks) if card else []
        if not made:
            return TaskResult(dispatch.task_id, "completed", user_response=told)
        result = await self._runner(context.now).open(dispatch, context, made)
        return replace(result, user_response=f"{told}\n{result.user_response}")

    async def hear(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """The next line of the card's owner."""
        return await self._runner(context.now).hear(dispatch, context)

    async def expire(self, frame: FrameRecord) -> str | None:
        """`AgentSpec.expire`: an unanswered card ends silently."""
        await self._runner(self._now()).expire(frame)
        return None

    async def drop(self, frame: FrameRecord) -> None:
        """`AgentSpec.drop`."""
        await self._runner(self._now()).drop(frame)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._wall(), self._zone)

    def _runner(self, now: datetime) -> DraftRunner[AgreedItem]:
        return DraftRunner(
            DraftAdapter(
                agent_code="record",
                model=_MODEL,
                limits=self._limits,
                dump_item=dump,
                load_item=load,
                item_json=lambda item: {"kind": item.kind, "text": item.told(now)},
                wording=DraftWording(lambda batch: _card(batch, now), _line, lambda batch: _card(batch, now)),
                ask=self._ask,
                commit=self._commit,
                saved=self._saved,
                online=lambda: True,
                wall=self._wall,
            )
        )

    async def _ask(
        self, ask: AskModel[AgreedItem], context: TaskContext, deadline: Deadline
    ) -> Mapping[str, object]:
        """Move an item to the time in a line; any other line is not the card's."""
        found = next((when_said(each, context.now) for each in context.clause.times), None)
        place = _place(ask.text, len(ask.pending))
        if not isinstance(found, CandidateTime) or not found.start:
            return {"intent": "irrelevant"}
        if place is None:
            return {"intent": "unclear"}
        return {"intent": "edit", "corrections": [{"index": place, "updatedFields": {"when": asdict(found)}}]}

    async def _commit(
        self, batch: Batch[AgreedItem], commit: Commit[AgreedItem], context: TaskContext
    ) -> None:
        adds: list[Add] = []
        tasks: list[TaskDraft] = []
        for number, item in commit.items:
            origin = f"{batch.id}:{commit.ticket}:{number}"
            if item.plan is not None:
                plan = SchedulePlan(**item.plan)
                if plan.recurrence is None and plan.segment is None and plan.begins <= context.now:
                    raise CommitRefused(f"「{plan.description}」的时间已经过了，没记。")
                adds.append(Add(plan, origin))
            elif item.fields is not None:
                fields = TaskChanges(**item.fields)
                tasks.append(
                    TaskDraft(context.conversation, item.owner, item.owner_name, batch.owner, fields, origin)
                )
        schedules, made = await self._storage.agreed.make(
            context.conversation,
            Participant(batch.owner, context.actor.name),
            adds,
            tasks,
            at=self._wall(),
            remind=lambda each: schedule_reminder(each, context.now, self._remind_before),
            remind_task=task_reminder,
        )
        self._storage.reminders.changed()
        for each in schedules:
            context.acted("add_schedule", {"description": each.description}, {"id": each.id})
        for task in made:
            context.acted("create_task", {"title": task.title, "owner": task.owner}, {"id": task.id})

    async def _saved(self, batch_id: str) -> Mapping[int, int]:
        """Stored items of a batch: number on the card to ticket."""
        found: dict[int, int] = {}
        for origin in await self._storage.agreed.made_by(f"{batch_id}:"):
            ticket, _, number = origin.removeprefix(f"{batch_id}:").partition(":")
            if ticket.isdigit() and number.isdigit():
                found[int(number)] = int(ticket)
        return found


async def polls_told(storage: Storage, conversation: Conversation, since: float) -> str:
    """Polls and sign-ups of a conversation that were open since then, one line each, with their counts;
    empty where there was none. Raises `StorageError`."""
    polls = await storage.polls.list_polls(conversation, since=since, limit=_LISTED)
    rows = [
        f"· {of_polls.head(one)}：{of_polls.short(one)}{'' if one.open else '（截止了）'}"
        for one in reversed(polls)
    ]
    return "\n".join(["投票和报名：", *rows]) if rows else ""


def _change(item: AgreedItem, fields: Mapping[str, object]) -> AgreedItem | None:
    """The item at another time; None for an invalid time."""
    given: Any = fields.get("when")
    if not isinstance(given, Mapping):
        return None
    when = CandidateTime(**cast("dict[str, Any]", given))
    if item.plan is not None:
        return replace(
            item,
            plan={**item.plan, "start": when.start, "end": when.end or None, "segment": when.segment or None},
        )
    assert item.fields is not None
    cleared = {"start_time": None, "end_time": None, "time_segment": None}
    return replace(item, fields={**item.fields, **cleared, "due_date": when.start[:10]})


_MODEL: Final[ItemModel[AgreedItem]] = ItemModel(
    change=_change,
    create=lambda fields: None,
    correct_locally=lambda text, pending: Local(),
    terms=lambda values: [
        str((each.plan or {}).get("description") or (each.fields or {}).get("title")) for each in values
    ],
    waiting_line=False,
)


def _place(text: str, count: int) -> int | None:
    places = ordinals(text)
    if not places:
        return 0 if count == 1 else None
    return places[0][0] if places[0][0] < count else None


def _kept(tasks: Sequence[TaskRecord], schedules: Sequence[ScheduleRecord], now: datetime) -> str:
    """Open tasks of all members and planned schedules, as stored."""
    due: list[str] = []
    for task in tasks:
        when = when_of(task.fields, ZoneInfo(task.fields.zone))
        due.append(f"· {task.owner_name}：{task.title}，{say_when(when, now.date())}")
    planned = [
        f"· {plan_time(each.plan, now)} {each.description}"
        for each in schedules
        if upcoming(each.plan, now) is not None
    ]
    parts: list[str] = []
    for head, rows in (("记着的任务", due), ("记着的日程", planned)):
        if rows:
            more = [f"· 还有 {len(rows) - _LISTED} 条"] if len(rows) > _LISTED else []
            parts += [f"{head}：", *rows[:_LISTED], *more]
    return "\n".join(parts)


def _planned_since(schedules: Sequence[ScheduleRecord], since: float, now: datetime) -> str:
    """Coming schedules that were stored since then; empty for none."""
    made = [each for each in schedules if each.created_at >= since and upcoming(each.plan, now) is not None]
    rows = [f"· {plan_time(each.plan, now)} {each.description}" for each in made]
    more = [f"· 还有 {len(rows) - _LISTED} 条"] if len(rows) > _LISTED else []
    return "\n".join(["新记的日程：", *rows[:_LISTED], *more]) if rows else ""


def _told(found: Findings) -> str:
    """Decisions with those who agreed, and to-dos, by quotation."""
    by_id = {line.id: line for line in found.lines}
    one_day = found.lines[0].at.date() == found.lines[-1].at.date()
    parts: list[str] = []
    made = [
        _quoted(by_id[key], one_day, len({by_id[each].user_id for each in assents if each in by_id}))
        for key, assents in found.decided.items()
        if key in by_id
    ]
    todo = [_quoted(line, one_day, 0) for line in found.todos]
    for head, lines in (("定了", made), ("要做的", todo)):
        if lines:
            more = [f"· 还有 {len(lines) - _LISTED} 条"] if len(lines) > _LISTED else []
            parts += [f"{head}：", *lines[-_LISTED:], *more]
    return "\n".join(parts)


def _quoted(line: Said, one_day: bool, people: int) -> str:
    day = "" if one_day else f"{line.at.month}/{line.at.day} "
    text = line.text if len(line.text) <= _QUOTE else f"{line.text[: _QUOTE - 1]}…"
    after = f"（{people} 人附和）" if people else ""
    return f"· {day}{line.at:%H:%M} {line.name}「{text}」{after}"


def _card(batch: Batch[AgreedItem], now: datetime) -> str:
    pending: Sequence[Any] = batch.pending
    told = [f"{item.number + 1}. {item.value.told(now)}" for item in pending]
    hint = (
        "回「确认」记下，「不用」就算了"
        if len(told) == 1
        else "回「确认」全部记下，也可以「确认第一个」「第二个不要」「不用」"
    )
    return "\n".join(["要记下来吗：", *told, f"（{hint}）"])


def _line(say: Say, batch: Batch[AgreedItem]) -> str | None:
    match say.line:
        case OwnerNotice.SAVED:
            saved = {item.number: item.value for item in batch.items}
            kinds = [saved[number].kind for number in say.numbers if number in saved]
            parts = [
                f"{kinds.count(kind)} 个{name}"
                for kind, name in (("schedule", "日程"), ("task", "任务"))
                if kind in kinds
            ]
            return f"记下了：{'、'.join(parts)}" if parts else speak(say.line, say.numbers, say.count, "个")
        case OwnerNotice.CANCELLED | OwnerNotice.LEFT:
            return (
                "好，不记了" if not batch.pending else speak(OwnerNotice.CANCELLED, say.numbers, counter="个")
            )
        case OwnerNotice.EXPIRED | OwnerNotice.OFFLINE:
            return None
        case _:
            return speak(say.line, say.numbers, say.count, "个")
