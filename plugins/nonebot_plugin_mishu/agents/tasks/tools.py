"""The five tools (seed 1, section 5) over storage and policy, for the rules and the model's loop alike.

Who acts comes from the errand, never from arguments. A result says what became of the call: done, asks,
refused, or listed; what it says is code's own words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from ...storage import Storage
from ...storage.task_records import NewTask, TaskFields, TaskRecord
from ..clause import Mention, Thing
from ..errand import Errand
from ..lately import Lately
from . import words
from .calls import Result, arguments_of, asks, priority_of, query_arguments, task_json
from .consequences import clock_of, fits, following_of, objection, reminder_of
from .frames import Change, Draft, Query
from .policy import Ask, settle
from .revision import cleared, described, revised, when_of

AGENT = "tasks"


class TaskTools:
    """The tools. What they make, change or show is noted, so that 那个 and 第二个 mean it."""

    def __init__(self, storage: Storage, lately: Lately) -> None:
        self._storage = storage
        self._lately = lately

    async def shown(self, errand: Errand, ids: Sequence[int]) -> None:
        """These were just made, changed or listed: 那个 and 第一个 mean them."""
        await self._lately.note(errand.conversation, errand.actor.user_id, AGENT, ids, errand.request.now)

    async def listed(self, errand: Errand) -> list[int]:
        """The tasks that numbers mean: those of the list the speaker saw last."""
        return await self._lately.listed(errand.conversation, errand.actor.user_id, AGENT, errand.request.now)

    async def create_task(
        self, errand: Errand, draft: Draft, *, allowed: frozenset[str] = frozenset(), serial: int = 0
    ) -> Result:
        """Make a task, or ask. `allowed`: questions that were answered with yes (conflict, duplicate)."""
        owner = _owner(errand, draft)
        if owner is None:
            return Result("refused", "只能指派给这条消息里 @ 到的成员。")
        if not draft.title:
            return asks(Ask("title", "title", words.NO_TITLE))
        zone = errand.clause.situation.zone
        when = settle(draft.wish, errand.now, zone)
        if isinstance(when, Ask):
            return asks(when)
        description = "；".join(part for part in (draft.description, when.note) if part) or None
        fields = described(
            TaskFields(
                title=draft.title,
                due_date="",
                zone=zone.key,
                priority=priority_of(draft.priority) or "medium",
                description=description,
            ),
            when,
        )
        origin = errand.origin if serial == 0 else f"{errand.origin}#{serial}"
        new = NewTask(errand.conversation, owner[0], owner[1], errand.actor.user_id, fields, origin)

        def objects(open_tasks: Sequence[TaskRecord]) -> Ask | None:
            return objection(fields, when, open_tasks, errand, allowed, editing=False)

        outcome = await self._storage.tasks.create(
            new,
            summary=f"创建任务「{draft.title}」",
            at=errand.request.now,
            remind=reminder_of,
            objects=objects,
        )
        if isinstance(outcome, Ask):
            return asks(outcome)
        self._storage.reminders.changed()
        await self.shown(errand, [outcome.id])
        mine = outcome.owner == errand.actor.user_id
        errand.acted("create_task", arguments_of(outcome), task_json(outcome))
        return Result(
            "done", words.created(outcome, errand.now, mine=mine, promised=errand.reminders), (outcome,)
        )

    async def query_tasks(self, errand: Errand, query: Query, whose: Mention | None = None) -> Result:
        """The speaker's own tasks here, numbered; of another member's those that the speaker gave them, for
        who governs all of them."""
        if whose is None or whose.user_id == errand.actor.user_id:
            found = await self._storage.tasks.of_member(
                errand.actor.user_id, conversation=errand.conversation, status=query.status
            )
            whose = None
        else:
            found = await self._of_other(errand, query, whose)
        found = [task for task in found if fits(task, query)]
        found.sort(key=lambda task: (task.fields.due_date, clock_of(task), task.id))
        ids = [task.id for task in found[: words.LONGEST_LIST]]
        await self.shown(errand, ids)
        errand.acted("query_tasks", query_arguments(query), [task_json(task) for task in found])
        kind = {"pending": "未完成的", "completed": "已完成的", None: ""}[query.status]
        level = words.PRIORITIES.get(query.priority or "", "中优先级" if query.priority == "medium" else "")
        what = f"{query.label}{kind}{level + '的' if level else ''}任务"
        if whose is not None:
            what = f"{whose.name}{'的' if errand.actor.governs else '手上你交的'}{what}"
        if not found:
            return Result("listed", f"{what}一个也没有。" if what != "任务" else "你还没有任务。")
        listed = words.numbered(found, errand.now, errand.actor.user_id)
        return Result("listed", f"{what}（{len(found)}个）：\n{listed}", tuple(found))

    async def _of_other(self, errand: Errand, query: Query, whose: Mention) -> list[TaskRecord]:
        tasks, here = self._storage.tasks, errand.conversation
        if errand.actor.governs and here.is_group:
            return await tasks.of_member(whose.user_id, conversation=here, status=query.status)
        me = errand.actor.user_id
        given = await tasks.of_member(me, conversation=here, status=query.status, created=True)
        return [task for task in given if task.owner == whose.user_id]

    async def update_task(
        self, errand: Errand, task_id: int, change: Change, *, allowed: frozenset[str] = frozenset()
    ) -> Result:
        """Change a task, by the same rules as a new one (pitfall 50)."""
        task = await self.reachable(errand, task_id)
        if isinstance(task, Result):
            return task
        zone = errand.clause.situation.zone
        timed = change.shift is not None or not change.wish.empty
        fields = cleared(task.fields, change.cleared)
        when = when_of(fields, zone)
        if timed:
            moved = revised(replace(task, fields=fields), change, errand.now, zone)
            if isinstance(moved, Ask):
                return asks(moved)
            when = moved
            fields = described(fields, when)
        fields = replace(
            fields,
            title=change.title or fields.title,
            priority=priority_of(change.priority) or fields.priority,
            description=change.description or fields.description,
        )
        if fields == task.fields:
            return Result("done", f"「{task.title}」本来就是这样，没有改动。", (task,))

        def objects(open_tasks: Sequence[TaskRecord]) -> Ask | None:
            others = [one for one in open_tasks if one.id != task_id]
            return objection(fields, when, others, errand, allowed, editing=True) if timed else None

        outcome = await self._storage.tasks.change(
            task_id,
            conversation=errand.conversation,
            user_id=errand.actor.user_id,
            summary=f"修改任务「{task.title}」",
            at=errand.request.now,
            fields=fields,
            remind=reminder_of,
            objects=objects,
        )
        if isinstance(outcome, Ask):
            return asks(outcome)
        if outcome is None:
            return Result("refused", "这个任务已经不在了。")
        self._storage.reminders.changed()
        await self.shown(errand, [outcome.id])
        errand.acted("update_task", {"taskId": task_id, **arguments_of(outcome)}, task_json(outcome))
        return Result("done", words.changed(outcome, errand.now), (outcome,))

    async def complete_task(self, errand: Errand, task_ids: Sequence[int]) -> Result:
        """Mark tasks as done; one that repeats goes on to its next day."""
        tasks = await self._all_reachable(errand, task_ids)
        if isinstance(tasks, Result):
            return tasks
        done: list[TaskRecord] = []
        for task in tasks:
            following = following_of(task, errand)
            outcome = await self._storage.tasks.change(
                task.id,
                conversation=errand.conversation,
                user_id=errand.actor.user_id,
                summary=f"完成任务「{task.title}」",
                at=errand.request.now,
                fields=following,
                status=None if following is not None else "completed",
                remind=reminder_of if following is not None else None,
                objects=None,
            )
            if isinstance(outcome, TaskRecord):
                done.append(outcome)
                errand.acted("complete_task", {"taskId": task.id}, task_json(outcome))
        if not done:
            return Result("refused", "这个任务已经不在了。")
        self._storage.reminders.changed()
        return Result("done", words.completed(done, errand.now), tuple(done))

    async def delete_task(self, errand: Errand, task_ids: Sequence[int], *, confirmed: bool) -> Result:
        """Delete tasks; without a yes to our own question it only asks."""
        tasks = await self._all_reachable(errand, task_ids)
        if isinstance(tasks, Result):
            return tasks
        if not confirmed:
            question = words.delete_question(tasks, errand.now, errand.actor.user_id)
            return Result("asks", question, tuple(tasks), Ask("delete", "taskId", question))
        gone: list[TaskRecord] = []
        for task in tasks:
            outcome = await self._storage.tasks.change(
                task.id,
                conversation=errand.conversation,
                user_id=errand.actor.user_id,
                summary=f"删除任务「{task.title}」",
                at=errand.request.now,
                delete=True,
                objects=None,
            )
            if isinstance(outcome, TaskRecord):
                gone.append(outcome)
                errand.acted("delete_task", {"taskId": task.id}, {"id": task.id, "deleted": True})
        if not gone:
            return Result("refused", "这个任务已经不在了。")
        self._storage.reminders.changed()
        return Result("done", words.deleted(gone), tuple(gone))

    async def visible(self, errand: Errand) -> list[TaskRecord]:
        """The open tasks here that an order of the speaker's may mean: their own and those they gave others;
        for who governs, also those of members @-mentioned in the message."""
        tasks = self._storage.tasks
        me = errand.actor.user_id
        found = await tasks.of_member(me, conversation=errand.conversation, status="pending", created=True)
        if errand.actor.governs and errand.conversation.is_group:
            for one in errand.clause.situation.mentions:
                theirs = await tasks.of_member(
                    one.user_id, conversation=errand.conversation, status="pending"
                )
                found += [task for task in theirs if task not in found]
        return found

    async def finished(self, errand: Errand) -> list[TaskRecord]:
        """The speaker's own completed tasks here."""
        return await self._storage.tasks.of_member(
            errand.actor.user_id, conversation=errand.conversation, status="completed"
        )

    async def reachable(self, errand: Errand, task_id: int) -> TaskRecord | Result:
        """A task the speaker may change: owner, creator, and who governs the group it was made in."""
        task = await self._storage.tasks.get(task_id)
        if task is None or task.conversation != errand.conversation:
            return Result("refused", "没有找到这个任务。")
        if not may_change(task, errand):
            return Result("refused", "只有任务的本人、创建者或群管理员能改它。")
        return task

    async def _all_reachable(self, errand: Errand, task_ids: Sequence[int]) -> list[TaskRecord] | Result:
        found: list[TaskRecord] = []
        for task_id in dict.fromkeys(task_ids):
            task = await self.reachable(errand, task_id)
            if isinstance(task, Result):
                return task  # an order with an unknown id is refused whole
            found.append(task)
        return found if found else Result("refused", "没有找到这个任务。")


def task_thing(task: TaskRecord, zone: tzinfo) -> Thing:
    """A task as what a line may mean."""
    return Thing("tasks", task.fields.title, str(task.id), _begins(task, zone))


def _begins(task: TaskRecord, zone: tzinfo) -> datetime | None:
    if task.fields.remind_at is not None:
        return datetime.fromisoformat(task.fields.remind_at).astimezone(zone)
    if not task.fields.due_date:
        return None
    clock = task.fields.start_time or "00:00"
    return datetime.fromisoformat(f"{task.fields.due_date}T{clock}").replace(tzinfo=zone)


def may_change(task: TaskRecord, errand: Errand) -> bool:
    """Owner, creator, group admins and superusers; nobody else, whatever a text says (pitfall 42)."""
    actor = errand.actor
    mine = actor.user_id in (task.owner, task.creator)
    here = task.conversation == errand.conversation
    return here and (mine or (task.conversation.is_group and actor.governs) or actor.superuser)


def _owner(errand: Errand, draft: Draft) -> tuple[str, str] | None:
    if draft.assignee is None or draft.assignee == errand.actor.user_id:
        return errand.actor.user_id, errand.actor.name
    return (draft.assignee, draft.assignee_name) if draft.assignee_name else None
