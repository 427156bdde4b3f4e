"""The agent that hears what members answer to a reminder: done, or later (product section 9).

It takes a line only where the situation says that a reminder is answered, so `完成` and `推迟20分钟` said
about anything else remain the other agents' business.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncConnection

from ..agents import AgentSpec, Clause, Intent, Match, Priority, TaskContext, TaskDispatch, TaskResult
from ..language.answers.reminder_replies import Later, Unclear, is_declined, is_heard, read
from ..storage.journal.queries import RowChange, journal
from ..storage.reminders.queries import NewReminder, ReminderRecord, Reminders, drop_row, finish, put
from ..storage.reminders.records import NUDGE
from .plan import JOINT
from .sent_reminders import RECENT
from .wording import day_and_clock

CODE = "reminders"
LOOKS, PAUSE = 10, 0.1
"""How often a reminder that was just said is looked for, and the seconds in between."""
HEARD = "好，做完了说一声「完成」。"
DECLINED = "好，没有打勾。"
CALL_OFF = "不想再被催就说「别催我了」。"
_WALL = "%Y-%m-%d %H:%M"
_PUT_OFF = "put-off:"
"""Begins the origin of what waits because a reminder was put off."""

Complete = Callable[[TaskContext, int], Awaitable[str | None]]
"""Completes the item with that id in its agent's way; the reply, or None for nothing to complete."""
Answered = Callable[[TaskContext], None]


def rules(clause: Clause) -> Match | None:
    """A whole line that answers a reminder."""
    reminded = clause.situation.reminded
    if reminded is None:
        return None
    where = clause.situation
    quoted = reminded == "quoted"
    reply = read(clause.text, where.now, where.zone, quoted=quoted, about=where.reminded_about)
    if reply is None and quoted and (is_heard(clause.text) or is_declined(clause.text)):
        return Match("later", 4)
    return None if reply is None else Match("done" if reply == "done" else "later", 4)


class ReminderAnswers:
    """Carries out answers to reminders. `complete`: by the agent code of the reminder."""

    def __init__(
        self,
        reminders: Reminders,
        zone: ZoneInfo,
        complete: Mapping[str, Complete],
        answered: Answered = lambda context: None,
    ) -> None:
        self._reminders = reminders
        self._zone = zone
        self._complete = complete
        self._answered = answered

    def spec(self) -> AgentSpec:
        """The agent, for the registry."""
        return AgentSpec(
            code=CODE,
            own_words=True,
            name="提醒",
            intents=(
                Intent("done", "回复一条提醒：事情已经做了", ("完成", "做完了"), own_mood=True),
                Intent(
                    "later", "回复一条提醒：过一会儿再提醒", ("推迟20分钟", "晚点再提醒我"), own_mood=True
                ),
            ),
            boundary="只管对一条已经发出的提醒的回答：完成了，或者晚点再提醒。",
            handler=self.handle,
            rules=rules,
            priority=Priority.OTHER,
            feature="提醒",
        )

    async def handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """Answer. Raises `StorageError` where it could not be written."""
        text = await self.answer(context)
        if text is None:
            return TaskResult(
                dispatch.task_id, "canceled", user_response="没找到是哪个提醒，回复那条提醒说就行。"
            )
        return TaskResult(dispatch.task_id, "completed", user_response=text)

    async def answer(self, context: TaskContext) -> str | None:
        """Carry out the answer to a reminder; the reply, or None where the line answers none."""
        quoted = context.request.lead.quoted
        about = context.clause.situation.reminded_about
        reply = read(context.text, context.now, self._zone, quoted=quoted is not None, about=about)
        heard = quoted is not None and is_heard(context.text)
        declined = quoted is not None and is_declined(context.text)
        if reply is None and not heard and not declined:
            return None
        rows = await self._find_answered(context, quoted.message_id if quoted is not None else None)
        if not rows:
            return None
        user_id = context.actor.user_id
        mine = [row for row in rows if user_id in row.user_ids or row.everybody or context.actor.governs]
        if not mine:
            return "这条提醒是给别人的，只有TA和管理员能改。"
        own = [row for row in mine if user_id in row.user_ids]
        if len(mine) > 1 and not own:
            return "这里有好几件别人的事，回复单独那一条提醒就行。"
        chosen = own or mine
        nudged = all(row.agent_code == NUDGE for row in chosen)
        if (heard or declined) and (reply is None or nudged):
            if declined:
                return f"{DECLINED}{CALL_OFF if nudged else ''}"
            return HEARD  # 知道了 to a nudge tells whoever asked that it was heard
        assert reply is not None
        if isinstance(reply, Unclear):
            return f"{reply.why}，想推迟到什么时候？"
        self._answered(context)
        if isinstance(reply, Later):
            return await self._postpone(context, chosen, reply.at)
        return await self._finish(context, chosen)

    async def _find_answered(self, context: TaskContext, quoted: str | None) -> list[ReminderRecord]:
        """The reminders that are answered. One that was said a moment ago, and whose button is pressed at
        once, is on disk a moment later."""
        where, since = context.conversation, context.request.now - RECENT
        for left in reversed(range(LOOKS)):
            if quoted is not None:
                rows = await self._reminders.by_message(where, quoted)
            else:
                rows = await self._reminders.find_last_sent(where, context.actor.user_id, since)
            if rows or not left:
                return rows
            await asyncio.sleep(PAUSE)
        return []

    async def _postpone(self, context: TaskContext, rows: Sequence[ReminderRecord], at: datetime) -> str:
        wall = at.astimezone(self._zone).strftime(_WALL)
        when = day_and_clock(at.timestamp(), self._zone.key)
        actor = context.actor.user_id
        again = [
            NewReminder(
                conversation=row.conversation,
                agent_code=row.agent_code,
                item_id=row.item_id,
                user_ids=(actor,) if actor in row.user_ids else row.user_ids or (actor,),
                text=row.text,
                due_at=at.timestamp(),
                wall=wall,
                zone=self._zone.key,
                origin=f"{_PUT_OFF}{context.origin}:{row.id}",
            )
            for row in rows
        ]
        before = [row for one in again for row in await self._find_postponed(one)]

        async def postpone_reminders(connection: AsyncConnection) -> None:
            changes = [await put(connection, each) for each in again]
            for row in before:
                changes.extend(await drop_row(connection, row.id))
            await self._write_journal(connection, context, f"推迟提醒到{when}", changes)

        await self._reminders.write(postpone_reminders)
        self._reminders.changed()
        context.acted("snooze_reminder", {"at": at.isoformat()}, [row.id for row in rows])
        what = f"这 {len(rows)} 条提醒" if len(rows) > 1 else ""
        return f"好，{what}{when}再提醒。"

    async def _find_postponed(self, again: NewReminder) -> list[ReminderRecord]:
        """Waiting rows of an earlier postponement of the same reminder, which the new one replaces. The same
        line again, as after a restart, is none of it."""
        waiting = await self._reminders.of_item(again.agent_code, again.item_id)
        return [
            row
            for row in waiting
            if (row.origin or "").startswith(_PUT_OFF)
            and row.origin != again.origin
            and set(row.user_ids) <= set(again.user_ids)
        ]

    async def _finish(self, context: TaskContext, rows: Sequence[ReminderRecord]) -> str:
        said: list[str] = []
        for code, item_id in dict.fromkeys((row.agent_code, row.item_id) for row in rows[:JOINT]):
            if (complete := self._complete.get(code)) is not None:
                line = await complete(context, item_id)
                if line is not None:
                    said.append(line)

        async def finish_reminders(connection: AsyncConnection) -> None:
            changes: list[RowChange] = []
            for row in rows:
                changes.extend(await finish(connection, row.id))
            if not said:
                await self._write_journal(connection, context, "提醒记为完成", changes)

        await self._reminders.write(finish_reminders)
        context.acted("finish_reminder", {}, [row.id for row in rows])
        return "\n".join(said) if said else "好，打勾了。"

    @staticmethod
    async def _write_journal(
        connection: AsyncConnection, context: TaskContext, summary: str, changes: Sequence[RowChange]
    ) -> None:
        if any(change.before != change.after for change in changes):
            where, who = context.conversation, context.actor.user_id
            await journal(connection, where, who, CODE, summary, changes, context.request.now)
