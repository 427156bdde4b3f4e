"""Tasks of a member: listed, created, changed, completed, deleted, by the tools of the task agent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, time
from typing import Any, Final

from ..agents import TaskContext
from ..agents.tasks.frames import Change, Cleared, Draft
from ..agents.tasks.model.calls import Result
from ..agents.tasks.planning.task_time import Wish
from ..agents.tasks.tools import may_change
from ..language.clause import Mention
from ..language.recognise.handing import Handing
from ..reminders.wording import unsent_lines
from ..storage.records import Conversation
from ..storage.tasks.records import TaskRecord, TaskState
from .access.actor import Actor, Write, sees_tasks
from .groups import find_all_members
from .office import Office
from .paging import Key, Page, make_page
from .refusals import Refused, forbidden, invalid, missing, needs_confirmation

AGREED: Final = frozenset({"conflict", "duplicate"})
"""Questions that a `confirm` answers with yes."""
CLEARED: Final[Mapping[str, Cleared]] = {
    "startTime": "clock",
    "endTime": "clock",
    "timeSegment": "segment",
    "remindAt": "reminder",
    "recurrence": "recurrence",
    "priority": "priority",
    "description": "description",
}
"""Removable fields of a task."""


def task_key(task: TaskRecord) -> Key:
    """Sort key of tasks."""
    return task.fields.due_date, task.id


async def list_tasks(
    office: Office,
    actor: Actor,
    user_id: str,
    *,
    group_id: str | None,
    status: TaskState | None,
    limit: int,
    first: date | None = None,
    last: date | None = None,
    after: Key | None = None,
    newest: bool = False,
) -> Page[TaskRecord]:
    """A person's tasks by day, or (`newest`) the latest day first; `first` is included, `last` is not.
    Members see those of their group only."""
    if not sees_tasks(actor, user_id):
        raise forbidden("只能看自己的任务")
    if not actor.is_owner:
        if group_id not in (None, actor.group_id):
            raise forbidden("这不是你所在的群")
        group_id = actor.group_id
    if first is not None and last is not None and first > last:
        raise invalid("from", "不能晚于 to")
    found = await office.storage.tasks.list_page(
        user_id,
        limit=limit + 1,
        group_id=group_id,
        status=status,
        first=None if first is None else first.isoformat(),
        last=None if last is None else last.isoformat(),
        after=after,
        newest=newest,
    )
    return make_page(found, limit, task_key)


async def list_unsent_reminders(office: Office, place: Conversation) -> list[str]:
    """Lines that say which reminders of a group could not be sent, and why."""
    return unsent_lines(await office.storage.reminders.list_troubles(place, office.clock.wall()))


async def list_assigned_tasks(
    office: Office,
    actor: Actor,
    user_id: str,
    *,
    group_id: str,
    status: TaskState | None,
    limit: int,
    after: Key | None,
    newest: bool = False,
) -> Page[TaskRecord]:
    """Tasks a person assigned to others in a group, by day; `newest`: the latest first. Raises `Refused`."""
    if not sees_tasks(actor, user_id):
        raise forbidden("只能看自己的任务")
    if not actor.is_owner and group_id != actor.group_id:
        raise forbidden("这不是你所在的群")
    found = await office.storage.tasks.list_page(
        user_id,
        limit=limit + 1,
        group_id=group_id,
        status=status,
        after=after,
        given=True,
        newest=newest,
    )
    return make_page(found, limit, task_key)


async def get_task(office: Office, actor: Actor, task_id: int) -> TaskRecord:
    """A task. Raises `Refused` (404) where it is not found or not visible."""
    task = await office.storage.tasks.get(task_id)
    if task is None or not sees_tasks(actor, task.owner):
        raise missing("任务")
    if not actor.is_owner and not (task.conversation.is_group and task.conversation.peer == actor.group_id):
        raise missing("任务")
    return task


async def create_task(
    office: Office, write: Write, user_id: str, fields: Mapping[str, Any], *, group_id: str | None = None
) -> TaskRecord:
    """Create a task for `user_id`, in a group or in private. Raises `Refused`."""
    place = await _find_place(office, write.actor, user_id, group_id)
    context = await _make_context(office, write, user_id, place, "create_task")
    speaker = context.actor
    is_own = speaker.user_id == user_id
    if not is_own:
        await office.check_members(place, "owner", [user_id])
    if not is_own and not place.is_group:
        raise forbidden("只能给同一个群里的人派任务")
    if not is_own and not speaker.governs:
        raise forbidden("只有群主和管理员能在网页上给别人派任务")
    draft = Draft(
        title=_check_title(fields),
        wish=_make_wish(fields, context),
        priority=fields.get("priority"),
        description=fields.get("description"),
        assignee=None if is_own else user_id,
        assignee_name="" if is_own else await office.name_of(place, user_id),
    )
    done = await office.tools.create_task(context, draft, allowed=_allowed(write))
    return await _check_result(office, context, done)


async def update_task(
    office: Office, write: Write, user_id: str, task_id: int, fields: Mapping[str, Any]
) -> TaskRecord:
    """Change a task; absent fields stay, None removes. A new start keeps the length. Raises `Refused`."""
    for name in ("title", "dueDate"):
        if name in fields and fields[name] is None:
            raise invalid(name, "不能去掉")
    taken: frozenset[Cleared] = frozenset(
        CLEARED[name] for name, value in fields.items() if value is None and name in CLEARED
    )
    fields = {name: value for name, value in fields.items() if value is not None}
    context = await _require_context(office, write, user_id, task_id, "update_task")
    if "title" in fields:
        _check_title(fields)
    if "startTime" in fields and "endTime" not in fields:
        fields |= await _keep_length(office, task_id, fields["startTime"])
    wish = Change(
        title=fields.get("title"),
        wish=_make_wish(fields, context),
        priority=fields.get("priority"),
        description=fields.get("description"),
        cleared=taken,
    )
    done = await office.tools.update_task(context, task_id, wish, allowed=_allowed(write))
    return await _check_result(office, context, done)


async def _keep_length(office: Office, task_id: int, start: time) -> dict[str, time]:
    """New end of a task that is moved to another start; empty for a task without a clock."""
    task = await office.storage.tasks.get(task_id)
    if task is None or task.fields.start_time is None or task.fields.end_time is None:
        return {}
    day = date(2000, 1, 1)
    began, ended, begins = (
        datetime.combine(day, each)
        for each in (
            time.fromisoformat(task.fields.start_time),
            time.fromisoformat(task.fields.end_time),
            start,
        )
    )
    return {"endTime": (begins + (ended - began)).time()}


async def hand_over(office: Office, write: Write, user_id: str, task_id: int, to: str) -> TaskRecord:
    """Assign a task to another member of its group, who is told there. Whoever may change it may, as in
    the group by @. Raises `Refused`."""
    context = await _require_context(office, write, user_id, task_id, "update_task")
    here = context.conversation
    if not here.is_group:
        raise forbidden("只能交给同一个群里的人")
    known = {each.id: each.name for each in await find_all_members(office, here)}
    if to not in known:
        raise invalid("to", "群里没有这个人")
    wish = Change(wish=Wish(), handing=Handing(known[to], (Mention(to, known[to]),), (0, 0)))
    done = await office.tools.update_task(context, task_id, wish, allowed=_allowed(write))
    return await _check_result(office, context, done)


async def complete_task(office: Office, write: Write, user_id: str, task_id: int) -> TaskRecord:
    """Complete a task; one that repeats goes on to its next day. Raises `Refused`."""
    context = await _require_context(office, write, user_id, task_id, "complete_task")
    task = await office.storage.tasks.get(task_id)
    if task is not None and task.status == "completed":
        return task
    return await _check_result(office, context, await office.tools.complete_task(context, [task_id]))


async def delete_task(office: Office, write: Write, user_id: str, task_id: int) -> None:
    """Delete a task after a confirmation. Raises `Refused`."""
    context = await _require_context(office, write, user_id, task_id, "delete_task")
    done = await office.tools.delete_task(context, [task_id], confirmed=write.confirm)
    await _check_result(office, context, done)


async def _require_context(
    office: Office, write: Write, user_id: str, task_id: int, intent: str
) -> TaskContext:
    actor = write.actor
    task = await office.storage.tasks.get(task_id)
    if task is None or task.owner != user_id:
        raise missing("任务")
    here = task.conversation
    if not actor.is_owner and not (here.is_group and here.peer == actor.group_id):
        raise missing("任务")
    context = await _make_context(office, write, user_id, here, intent)
    if not may_change(task, context):
        raise forbidden("只有任务的本人、创建者或群管理员能改它")
    return context


async def _make_context(
    office: Office, write: Write, user_id: str, place: Conversation, intent: str
) -> TaskContext:
    """Context of a write to a task of `user_id`, for whom an owner acts who names nobody else."""
    speaker = await office.require_speaker(replace(write, user_id=write.user_id or user_id), place)
    context = office.task_context(speaker, place, intent, write.origin)
    return replace(context, reminders=await office.announcer.allows(place, "提醒"))


def _allowed(write: Write) -> frozenset[str]:
    return AGREED if write.confirm else frozenset()


async def _find_place(office: Office, actor: Actor, user_id: str, group_id: str | None) -> Conversation:
    if not actor.is_owner:
        group_id = group_id or actor.group_id
    return await (
        office.private_place(user_id) if group_id is None else office.require_group(actor, group_id)
    )


async def _check_result(office: Office, context: TaskContext, result: Result) -> TaskRecord:
    """The task of a tool's result; the group is told where it is another's. Raises `Refused`."""
    if result.kind == "refused":
        raise forbidden(result.said) if "只" in result.said else Refused(404, result.said)
    if result.kind == "asks":
        ask = result.ask
        if ask is None or ask.kind in (*AGREED, "delete"):
            raise needs_confirmation(result.said)
        raise invalid(ask.slot, result.said)
    task = result.tasks[0]
    if context.actor.user_id != task.owner:
        await office.tell_group(context.conversation, context.actor, result.said, [task.owner])
    return task


def _check_title(fields: Mapping[str, Any]) -> str:
    title = " ".join(str(fields.get("title") or "").split())[:200]
    if not title:
        raise invalid("title", "不能缺少")
    return title


def _make_wish(fields: Mapping[str, Any], context: TaskContext) -> Wish:
    """Time of a request, in the form of a member's wish."""
    zone = context.clause.situation.zone
    at: datetime | None = fields.get("remindAt")
    local = None if at is None else at.astimezone(zone)
    day: date | None = fields.get("dueDate")
    start: time | None = fields.get("startTime")
    end: time | None = fields.get("endTime")
    if end is not None and start is None:
        raise invalid("startTime", "有 endTime 就不能缺少")
    if start is not None and end is None and local is None:
        raise invalid("endTime", "有 startTime 就不能缺少")
    if start is not None and fields.get("timeSegment") is not None:
        raise invalid("timeSegment", "不能和 startTime 一起给")
    return Wish(
        date=day or (local.date() if local is not None else None),
        start=start,
        end=end,
        segment=fields.get("timeSegment"),
        reminded=local is not None,
        remind_at=local,
        recurrence=fields.get("recurrence"),
    )
