"""The five tools (seed 1, section 5) over storage and policy, for the rules and the model's loop.

The actor comes from the task, never from arguments. Kinds of result: done, asks, refused, listed; its text is
code's own words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, tzinfo

from ...language.clause import KeptThing, Mention
from ...storage import Storage
from ...storage.tasks.queries import TABLE, TaskEdit
from ...storage.tasks.records import TaskChanges, TaskDraft, TaskRecord
from ..api.ports import DayList
from ..api.references import ListedReferences
from ..api.task_context import TaskContext
from . import words
from .frames import Change, Draft, Handing, TaskQuery, TaskReference
from .model.calls import Result, arguments_of, asks, priority_of, query_arguments, task_json
from .planning.assignees import told_to
from .planning.consequences import clock_of, fits, following_of, objection, reminder_of, without_days
from .planning.matching import matching
from .planning.policy import TaskQuestion, as_moment, settle
from .planning.revision import cleared, described, revised, when_of
from .planning.unended import OpenEnds

AGENT = "tasks"


class TaskTools:
    """Task tools. Tasks created, changed or shown are noted, as referents of 那个 and 第二个."""

    def __init__(
        self, storage: Storage, lately: ListedReferences, group_plans: DayList | None = None
    ) -> None:
        self._storage = storage
        self._lately = lately
        self._group_plans = group_plans
        self._ends = OpenEnds(storage)

    async def shown(self, context: TaskContext, ids: Sequence[int], *, beside: bool = False) -> None:
        """Note tasks just listed, or (`beside`) created or changed, as referents of 那个, 第一个 and 这些."""
        member, now = context.actor.user_id, context.request.now
        await self._lately.note_items(context.conversation, member, AGENT, ids, now, beside=beside)

    async def listed(self, context: TaskContext) -> list[int]:
        """Task ids of the list the speaker saw last."""
        return await self._lately.list_shown(
            context.conversation, context.actor.user_id, AGENT, context.request.now
        )

    async def create_task(
        self, context: TaskContext, draft: Draft, *, allowed: frozenset[str] = frozenset(), serial: int = 0
    ) -> Result:
        """Create a task, or ask. `allowed`: kinds of questions answered with yes (conflict, duplicate)."""
        owner = _owner(context, draft)
        if owner is None:
            return Result("refused", "要交给谁，在这句话里 @ 一下。")
        if not draft.title:
            return asks(TaskQuestion("title", "title", words.NO_TITLE))
        zone = context.clause.situation.zone
        when = settle(draft.wish, context.now, zone)
        asks_end = isinstance(when, TaskQuestion) and when.kind == "end" and draft.wish.end is None
        if asks_end and await self._ends.tired(context.conversation, context.actor.user_id):
            when = settle(as_moment(draft.wish), context.now, zone)
        if isinstance(when, TaskQuestion):
            return asks(when)
        description = "；".join(part for part in (draft.description, when.note) if part) or None
        fields = described(
            TaskChanges(
                title=draft.title,
                due_date="",
                zone=zone.key,
                priority=priority_of(draft.priority) or "medium",
                description=description,
            ),
            when,
        )
        origin = context.origin if serial == 0 else f"{context.origin}#{serial}"
        new = TaskDraft(context.conversation, owner[0], owner[1], context.actor.user_id, fields, origin)

        def objects(open_tasks: Sequence[TaskRecord]) -> TaskQuestion | None:
            return objection(fields, when, open_tasks, context, allowed, editing=False)

        outcome = await self._storage.tasks.create(
            new,
            summary=f"创建任务「{draft.title}」",
            at=context.request.now,
            remind=reminder_of,
            objects=objects,
        )
        if isinstance(outcome, TaskQuestion):
            return asks(outcome)
        self._storage.reminders.changed()
        await self.shown(context, [outcome.id], beside=True)
        mine = outcome.owner == context.actor.user_id
        context.acted("create_task", arguments_of(outcome), task_json(outcome))
        return Result(
            "done", words.created(outcome, context.now, mine=mine, promised=context.reminders), (outcome,)
        )

    async def as_one_order(self, context: TaskContext, made: Sequence[Result]) -> None:
        """Join the created tasks to one undo step (给两个人的提醒, 早晚各一次)."""
        tasks = [task for result in made if result.kind == "done" for task in result.tasks]
        if len(tasks) < 2:
            return
        owners = list(dict.fromkeys(task.owner_name for task in tasks))
        whose = f"给{'、'.join(owners)}的" if len(owners) > 1 else ""
        titles = dict.fromkeys(task.title for task in tasks)
        summary = f"创建{whose}{len(tasks)}个任务{''.join(f'「{title}」' for title in titles)}"
        ids = [task.id for task in tasks]
        me = context.actor.user_id
        await self._storage.changes.as_one(context.conversation, me, TABLE, ids, summary)

    async def create_all(self, context: TaskContext, drafts: Sequence[Draft]) -> Result:
        """Create the tasks of a list as one change; those with an open question are reported and left out."""
        new: list[TaskDraft] = []
        left: list[str] = []
        zone = context.clause.situation.zone
        kept = await self._storage.tasks.of_member(
            context.actor.user_id, conversation=context.conversation, status="pending"
        )
        for at, draft in enumerate(drafts):
            when = settle(replace(draft.wish, spans=False), context.now, zone)
            if isinstance(when, TaskQuestion):
                left.append(f"「{draft.title}」还没记：{when.question}")
                continue
            fields = described(
                TaskChanges(
                    title=draft.title,
                    due_date="",
                    zone=zone.key,
                    priority=priority_of(draft.priority) or "medium",
                    description="；".join(one for one in (draft.description, when.note) if one) or None,
                ),
                when,
            )
            ask = objection(fields, when, kept, context, frozenset(), editing=False)
            if ask is not None:
                left.append(f"「{draft.title}」还没记：{ask.question}")
                continue
            me = context.actor
            origin = f"{context.origin}#{at}" if at else context.origin
            new.append(TaskDraft(context.conversation, me.user_id, me.name, me.user_id, fields, origin))
        made = await self._storage.tasks.create_all(
            new, summary=f"创建{len(new)}个任务", at=context.request.now, remind=reminder_of
        )
        self._storage.reminders.changed()
        await self.shown(context, [task.id for task in made], beside=True)
        for task in made:
            context.acted("create_task", arguments_of(task), task_json(task))
        said = [f"记下了{len(made)}个任务：", words.numbered(made, context.now, context.actor.user_id)]
        return Result("done" if made else "refused", "\n".join([*(said if made else []), *left]), tuple(made))

    async def query_tasks(
        self, context: TaskContext, query: TaskQuery, whose: Mention | None = None
    ) -> Result:
        """The speaker's own tasks here, numbered; another member's tasks if the speaker assigned them or is
        an admin."""
        if whose is None or whose.user_id == context.actor.user_id:
            found = await self._storage.tasks.of_member(
                context.actor.user_id, conversation=context.conversation, status=query.status
            )
            whose = None
        else:
            found = await self._of_other(context, query, whose)
        found = [task for task in found if fits(task, query)]
        found.sort(key=lambda task: (task.fields.due_date, clock_of(task), task.id))
        ids = [task.id for task in found[: words.LONGEST_LIST]]
        await self.shown(context, ids)
        context.acted("query_tasks", query_arguments(query), [task_json(task) for task in found])
        kind = {"pending": "未完成的", "completed": "已完成的", None: ""}[query.status]
        level = words.PRIORITIES.get(query.priority or "", "中优先级" if query.priority == "medium" else "")
        what = f"{query.label}{kind}{level + '的' if level else ''}任务"
        if whose is not None:
            what = f"{whose.name}{'的' if context.actor.governs else '手上你交的'}{what}"
        plans = await self._plans_beside(context, query)
        if not found:
            said = f"{what}一个也没有。" if what != "任务" else "你还没有任务。"
            if query.all_of is not None:  # 我周六有啥安排
                said = "" if plans else f"{query.label}没有记着的安排，日程和任务都没有。"
            return Result("listed", f"{said}{plans}".strip())
        listed = words.numbered(found, context.now, context.actor.user_id)
        return Result("listed", f"{what}（{len(found)}个）：\n{listed}{plans}", tuple(found))

    async def _plans_beside(self, context: TaskContext, query: TaskQuery) -> str:
        """Group plans of the queried days (周五要交啥)."""
        if self._group_plans is None or query.all_of is None:
            return ""
        plans = await self._group_plans.of_days(context, *query.all_of)
        return f"\n{plans}" if plans else ""

    async def _of_other(self, context: TaskContext, query: TaskQuery, whose: Mention) -> list[TaskRecord]:
        tasks, here = self._storage.tasks, context.conversation
        if context.actor.governs and here.is_group:
            return await tasks.of_member(whose.user_id, conversation=here, status=query.status)
        me = context.actor.user_id
        given = await tasks.of_member(me, conversation=here, status=query.status, created=True)
        return [task for task in given if task.owner == whose.user_id]

    async def update_task(
        self, context: TaskContext, task_id: int, change: Change, *, allowed: frozenset[str] = frozenset()
    ) -> Result:
        """Change a task by the same rules as a new one (pitfall 50)."""
        task = await self.reachable(context, task_id)
        if isinstance(task, Result):
            return task
        owner = _handed(change.handing, context)
        if isinstance(owner, Result):
            return owner
        owner = None if owner is None or owner[0] == task.owner else owner
        zone = context.clause.situation.zone
        timed = change.shift is not None or bool(change.leads or change.until) or not change.wish.empty
        fields = cleared(task.fields, change.cleared)
        when = when_of(fields, zone)
        if timed:
            moved = revised(replace(task, fields=fields), change, context.now, zone)
            if isinstance(moved, TaskQuestion):
                return asks(moved)
            when = moved
            fields = described(fields, when)
            if when.note and when.note not in (fields.description or ""):
                fields = replace(
                    fields, description="；".join(one for one in (fields.description, when.note) if one)
                )
        fields = replace(
            fields,
            title=change.title or fields.title,
            priority=priority_of(change.priority) or fields.priority,
            description=change.description or fields.description,
        )
        if fields == task.fields and owner is None:
            if change.handing is not None:
                whose = "你" if task.owner == context.actor.user_id else task.owner_name
                return Result("done", words.ALREADY_THEIRS.format(title=task.title, whose=whose), (task,))
            return Result("done", f"「{task.title}」本来就是这样。", (task,))
        if owner is not None and task.owner == context.actor.user_id:
            fields = replace(fields, title=told_to(fields.title, context.actor.name))

        def objects(open_tasks: Sequence[TaskRecord]) -> TaskQuestion | None:
            others = [one for one in open_tasks if one.id != task_id]
            looked = timed or owner is not None
            return objection(fields, when, others, context, allowed, editing=True) if looked else None

        outcome = await self._storage.tasks.change(
            task_id,
            conversation=context.conversation,
            user_id=context.actor.user_id,
            summary=f"修改任务「{task.title}」",
            at=context.request.now,
            fields=fields,
            remind=reminder_of,
            objects=objects,
            owner=owner,
        )
        if isinstance(outcome, TaskQuestion):
            return asks(outcome)
        if outcome is None:
            return Result("refused", "这个任务已经没了。")
        self._storage.reminders.changed()
        await self.shown(context, [outcome.id], beside=True)
        arguments = {"taskId": task_id, **arguments_of(outcome)}
        if owner is not None:
            arguments["assignee"] = outcome.owner_name
        context.acted("update_task", arguments, task_json(outcome))
        mine = outcome.owner == context.actor.user_id
        said = (
            words.changed(outcome, context.now, mine=mine)
            if owner is None
            else words.handed(outcome, context.now, mine=mine, promised=context.reminders)
        )
        return Result("done", said, (outcome,))

    async def complete_task(self, context: TaskContext, task_ids: Sequence[int]) -> Result:
        """Complete tasks; a recurring task moves to its next day."""
        tasks = await self._all_reachable(context, task_ids)
        if isinstance(tasks, Result):
            return tasks
        edits: list[TaskEdit] = []
        for task in tasks:
            following = following_of(task, context)
            remind = reminder_of if following is not None else None
            status = None if following is not None else "completed"
            edits.append(TaskEdit(task.id, following, status, remind=remind))
        done = await self._changed(context, edits, f"完成任务{words.named(tasks)}")
        for task in done:
            context.acted("complete_task", {"taskId": task.id}, task_json(task))
        if not done:
            return Result("refused", "这个任务已经没了。")
        self._storage.reminders.changed()
        return Result("done", words.completed(done, context.now), tuple(done))

    async def delete_task(self, context: TaskContext, task_ids: Sequence[int], *, confirmed: bool) -> Result:
        """Delete tasks; without a yes to our own question only ask."""
        tasks = await self._all_reachable(context, task_ids)
        if isinstance(tasks, Result):
            return tasks
        if not confirmed:
            question = words.delete_question(tasks, context.now, context.actor.user_id)
            return Result("asks", question, tuple(tasks), TaskQuestion("delete", "taskId", question))
        edits = [TaskEdit(task.id, delete=True) for task in tasks]
        gone = await self._changed(context, edits, f"删除任务{words.named(tasks)}")
        for task in gone:
            context.acted("delete_task", {"taskId": task.id}, {"id": task.id, "deleted": True})
        if not gone:
            return Result("refused", "这个任务已经没了。")
        self._storage.reminders.changed()
        return Result("done", words.deleted(gone), tuple(gone))

    async def skip_days(
        self, context: TaskContext, task_ids: Sequence[int], stretches: Sequence[tuple[date, date]]
    ) -> Result:
        """Skip these days of recurring tasks."""
        tasks = await self._all_reachable(context, task_ids)
        if isinstance(tasks, Result):
            return tasks
        said: list[str] = []
        edits: list[TaskEdit] = []
        off: dict[int, list[date]] = {}
        for task in tasks:
            left = without_days(task.fields, stretches, context.now)
            if left is None:
                return Result("refused", words.SKIPS_NOTHING.format(title=task.title))
            if not left[1]:
                said.append(words.NOT_THEN.format(title=task.title))
                continue
            edits.append(TaskEdit(task.id, left[0], remind=reminder_of))
            off[task.id] = left[1]
        done = await self._changed(context, edits, f"停掉几次{words.named(tasks)}") if edits else []
        for task in done:
            said.append(words.skipped(task, off[task.id], context.now))
            context.acted("update_task", {"taskId": task.id, **arguments_of(task)}, task_json(task))
        self._storage.reminders.changed()
        return Result("done" if done else "refused", "\n".join(said), tuple(done))

    async def update_all(self, context: TaskContext, task_ids: Sequence[int], change: Change) -> Result:
        """Same change of several tasks, all or none (买菜和取快递都推到周六)."""
        tasks = await self._all_reachable(context, task_ids)
        if isinstance(tasks, Result):
            return tasks
        zone = context.clause.situation.zone
        edits: list[TaskEdit] = []
        for task in tasks:
            fields = task.fields
            if change.shift is not None or change.leads or not change.wish.empty:
                moved = revised(task, change, context.now, zone)
                if isinstance(moved, TaskQuestion):
                    question = replace(moved, question=f"「{task.title}」{moved.question}", offer=None)
                    return asks(question)
                fields = described(fields, moved)
            priority = priority_of(change.priority) or fields.priority
            edits.append(TaskEdit(task.id, replace(fields, priority=priority), remind=reminder_of))
        done = await self._changed(context, edits, f"修改任务{words.named(tasks)}")
        for task in done:
            context.acted("update_task", {"taskId": task.id, **arguments_of(task)}, task_json(task))
        self._storage.reminders.changed()
        await self.shown(context, [task.id for task in done], beside=True)
        me = context.actor.user_id
        said = [words.changed(task, context.now, mine=task.owner == me) for task in done]
        return Result("done", "\n".join(said), tuple(done))

    async def _changed(
        self, context: TaskContext, edits: Sequence[TaskEdit], summary: str
    ) -> list[TaskRecord]:
        return await self._storage.tasks.change_all(
            edits,
            conversation=context.conversation,
            user_id=context.actor.user_id,
            summary=summary,
            at=context.request.now,
        )

    async def visible(self, context: TaskContext) -> list[TaskRecord]:
        """Open tasks here the speaker may change: their own and those they assigned; for admins also those of
        @-mentioned members."""
        tasks = self._storage.tasks
        me = context.actor.user_id
        found = await tasks.of_member(me, conversation=context.conversation, status="pending", created=True)
        if context.actor.governs and context.conversation.is_group:
            for one in context.clause.situation.mentions:
                theirs = await tasks.of_member(
                    one.user_id, conversation=context.conversation, status="pending"
                )
                found += [task for task in theirs if task not in found]
        return found

    async def of_others(self, context: TaskContext, meant: TaskReference) -> list[TaskRecord]:
        """Matching open tasks of other members in this group, closed to the speaker."""
        if not context.conversation.is_group:
            return []
        here = await self._storage.tasks.of_conversation(context.conversation)
        me = context.actor.user_id
        return matching([one for one in here if me not in (one.owner, one.creator)], meant)

    async def finished(self, context: TaskContext) -> list[TaskRecord]:
        """The speaker's own completed tasks here."""
        return await self._storage.tasks.of_member(
            context.actor.user_id, conversation=context.conversation, status="completed"
        )

    async def reachable(self, context: TaskContext, task_id: int) -> TaskRecord | Result:
        """Task by id, if the speaker may change it: owner, creator, or group admin."""
        task = await self._storage.tasks.get(task_id)
        if task is None or task.conversation != context.conversation:
            return Result("refused", "没找到这个任务。")
        if not may_change(task, context):
            return Result("refused", "只有本人、交代的人和管理员能改它。")
        return task

    async def _all_reachable(
        self, context: TaskContext, task_ids: Sequence[int]
    ) -> list[TaskRecord] | Result:
        found: list[TaskRecord] = []
        for task_id in dict.fromkeys(task_ids):
            task = await self.reachable(context, task_id)
            if isinstance(task, Result):
                return task  # an order with an unknown id is refused whole
            found.append(task)
        return found if found else Result("refused", "没找到这个任务。")


def task_thing(task: TaskRecord, zone: tzinfo) -> KeptThing:
    """Task as a referent for a line."""
    creator = task.owner_name if task.creator == task.owner else ""
    made = datetime.fromtimestamp(task.created_at, zone)
    repeats, begins = task.fields.recurrence is not None, _begins(task, zone)
    return KeptThing(
        "tasks",
        task.fields.title,
        str(task.id),
        begins,
        repeats,
        creator,
        made,
        task.owner_name,
        every=words.say_recurrence(task.fields.recurrence) if task.fields.recurrence is not None else "",
    )


def _begins(task: TaskRecord, zone: tzinfo) -> datetime | None:
    if task.fields.remind_at is not None:
        return datetime.fromisoformat(task.fields.remind_at).astimezone(zone)
    if not task.fields.due_date:
        return None
    clock = task.fields.start_time or "00:00"
    return datetime.fromisoformat(f"{task.fields.due_date}T{clock}").replace(tzinfo=zone)


def may_change(task: TaskRecord, context: TaskContext) -> bool:
    """True for owner, creator, group admins and superusers; nobody else, whatever a text says (pitfall
    42)."""
    actor = context.actor
    mine = actor.user_id in (task.owner, task.creator)
    here = task.conversation == context.conversation
    return here and (mine or (task.conversation.is_group and actor.governs) or actor.superuser)


def _handed(found: Handing | None, context: TaskContext) -> tuple[str, str] | Result | None:
    """Owner after a handover, or the refusal."""
    if found is None:
        return None
    if found.own or (found.member is not None and found.member.user_id == context.actor.user_id):
        return context.actor.user_id, context.actor.name
    if found.member is not None:
        return found.member.user_id, found.member.name
    name, count = found.named[:20], len(found.among)
    told = words.SEVERAL_TO_HAND if count else words.NOBODY_TO_HAND
    return Result("refused", told.format(name=name, count=count))


def _owner(context: TaskContext, draft: Draft) -> tuple[str, str] | None:
    if draft.assignee is None or draft.assignee == context.actor.user_id:
        return context.actor.user_id, context.actor.name
    return (draft.assignee, draft.assignee_name) if draft.assignee_name else None
