"""Dispatching: calls agents' handlers, takes their results into the plan, and keeps M3 at every result."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from ...agents import AgentSpec, Announcer, AnswerMatch, Asker, Clause, TaskContext, TaskDispatch, TaskResult
from ...agents.api.frame import refs_of
from ...agents.api.isolation import checked_context, checked_result
from ...agents.chat import honest
from ...clock import Clock
from ...language.clauses.features import untied
from ...llm import ChatMessage
from ...report import Report
from ...storage import StorageError
from ...storage.records import FrameRecord
from ...truth import LOOKED, named_in
from ..message_context import MessageContext
from ..notices import TaskNotices
from ..protocols import Agents, Allows, ConversationMemory, Journal, no_journal
from ..situation import situation, whole
from .open_tasks import OpenTasks
from .orchestrator import CHAT

NOT_SURE_IT_IS_SAFE: Final = "「{text}」我还没弄清能不能办，先没动，过会儿再说一次。"
SWITCHED_OFF: Final = "这里把「{feature}」关了，管理员发「/秘书 开关 {feature} 开」就打开。"
FAILED: Final = "「{text}」没办成，我这边出了点问题，过会儿再说一次。"
HALF_DONE: Final = "「{text}」没全办完，办了的都在，看一眼再说要不要接着办。"
NO_AGENT: Final = "「{text}」这里现在办不了。"
RESERVE: Final = 0.05
"""The part of a request's time kept back from handlers, so that an honest line still goes out. Their own
deadline is as much sooner again: what they wait for ends before they do, and they say what they have done."""
AFTERWARDS: Final = 1.5
"""Seconds between a handler's deadline and its end at least, of a short time a quarter: where a model was
silent the rules go on, and what they write must be on disk before anybody cuts them off."""
_SHOWN: Final = 20


class Dispatcher:
    """Dispatcher: runs the tasks of a message, one after the other."""

    def __init__(
        self,
        clock: Clock,
        agents: Agents,
        tasks: OpenTasks,
        memory: ConversationMemory,
        allows: Allows,
        report: Report,
        await_timeout: float,
        journal: Journal = no_journal,
    ) -> None:
        self._clock = clock
        self._agents = agents
        self._tasks = tasks
        self._memory = memory
        self._allows = allows
        self._report = report
        self.await_timeout = await_timeout
        self._journal = journal
        self.announcer: Announcer | None = None
        """Speaks to others than a task's speaker, once there is a front desk."""

    def passes(self, task: FrameRecord) -> bool:
        """True if a task of a later message may run while a focus waits."""
        spec = self._agents.get(task.agent_code)
        return spec is not None and spec.insertable

    async def proceed(self, job: MessageContext) -> None:
        """Run all tasks that may run now. Raises `Vetoed`."""
        while (task := job.plan.next(self.passes)) is not None:
            await self.dispatch(job, task)
        await self._keep_queued(job)

    async def dispatch(
        self, job: MessageContext, task: FrameRecord, bound: AnswerMatch | None = None
    ) -> None:
        """One task: a new one, or an open one that the line answers. Raises `Vetoed`."""
        spec = self._agents.get(task.agent_code)
        if spec is None:
            return await self.end(job, task, NO_AGENT.format(text=shown(task.text)), "没有能办的")
        if spec.feature is not None and not await self._allows(job.conversation, spec.feature):
            reason = f"「{spec.feature}」已关闭"
            return await self.end(job, task, SWITCHED_OFF.format(feature=spec.feature), reason)
        if task.agent_code != CHAT:
            judged = await job.cleared()
            # What answers a question may write, whatever was asked first (大家什么时候有空 … 第二个).
            if judged.late and (bound is not None or not _reads_only(spec, task.intent)):
                return await self._not_now(job, task, bound)
        context = await self._context(job, task, spec, bound)
        job.plan = job.plan.begun(task.task_id)
        await self._run(job, task, spec, context)
        return None

    async def end(self, job: MessageContext, task: FrameRecord, text: str | None, reason: str) -> None:
        """Cancel a task; in memory also if the write fails."""
        job.reasons.append(reason)
        job.plan = job.plan.without({task.task_id}, self._clock.wall())
        job.say(task, text)
        await self.keep(job, [task.task_id])

    async def keep(self, job: MessageContext, task_ids: Sequence[str], *, must: bool = False) -> None:
        """Write tasks as they stand. Raises `Vetoed`, and `StorageError` where it `must` be on disk."""
        await job.cleared()
        frames = [task for one in task_ids if (task := job.plan.get(one)) is not None]
        for frame in frames:
            if frame.task_id not in job.touched:
                job.touched.append(frame.task_id)
        if not job.keeps:  # talk leaves nothing but what it asked: an offer that was said is open
            frames = [frame for frame in frames if frame.status == "awaiting_user"]
        if not frames:
            return
        try:
            await self._tasks.keep(frames)
        except StorageError as error:
            if must:
                raise
            self._report("任务的状态没有写进数据库", error)
            self._tasks.know(frames)
        job.unkept.difference_update(task_ids)

    async def _not_now(self, job: MessageContext, task: FrameRecord, bound: AnswerMatch | None) -> None:
        text = NOT_SURE_IT_IS_SAFE.format(text=shown(job.said.words if bound else task.text))
        job.reasons.append("安全检查超时")
        job.say(None, text)
        if bound is None:  # nothing of it is written: the task never was
            job.plan = job.plan.without({task.task_id}, self._clock.wall())
            if task.task_id not in job.mine:
                await self.keep(job, [task.task_id])

    async def _context(
        self, job: MessageContext, task: FrameRecord, spec: AgentSpec, bound: AnswerMatch | None
    ) -> TaskContext:
        said, message = job.said, job.said.message
        policy = spec.memory
        clause = self._clause(job, task, spec, bound)
        left = job.request.deadline.remaining()
        frame = job.frames.get(task.task_id) if bound is None else None
        frame = frame or spec.frame(task.intent, clause, task if bound is not None else None)
        gap = max(RESERVE * left, min(AFTERWARDS, left / 4))
        own = job.request.deadline.earlier(left * (1 - RESERVE) - gap)
        return TaskContext(
            reminders=await self._allows(job.conversation, "提醒"),
            request=replace(job.request, deadline=own),
            utterance=said,
            actor=Asker(said.user_id, message.name, message.role, said.superuser),
            intent=task.intent,
            clause=clause,
            frame=frame,
            refs=refs_of(task.slots),
            every=every if isinstance(every := task.slots.get("every"), bool) else None,
            origin=task.origin if bound is None else _origin(job, task),
            partial=job.partial and bound is None,
            bound=bound,
            open=task if task.waits else None,
            sure=task.task_id not in job.unsure,
            ask_back=task.task_id in job.asks_back or task.task_id in job.needs_yes,
            needs_yes=task.task_id in job.needs_yes,
            history=await self.history(job, policy.turns),
            summaries=await self.summaries(job, clause.text, policy.summaries),
            beside=(*(action.tool for action in job.actions), *((LOOKED,) if job.looked else ())),
            things=tuple(named_in(action.arguments, action.result) for action in job.actions),
            told=tuple(job.parts),
            speak_now=job.request.speak_now,
            notices=self._notices(job, spec),
        )

    def _notices(self, job: MessageContext, spec: AgentSpec) -> TaskNotices | None:
        if self.announcer is None:
            return None
        return TaskNotices(self.announcer, job.conversation, spec.feature, spec.code, self._report)

    async def history(self, job: MessageContext, rounds: int) -> tuple[ChatMessage, ...]:
        """M1; empty if it cannot be read."""
        if not rounds:
            return ()
        try:
            return await self._memory.remembered(job.conversation, job.user_id, rounds)
        except StorageError as error:
            self._report("以前说过的话读不出来", error)
            return ()

    async def summaries(self, job: MessageContext, text: str, limit: int) -> tuple[str, ...]:
        """M2; empty if it cannot be read."""
        if not limit:
            return ()
        try:
            return await self._memory.alike(job.conversation, job.user_id, text, limit)
        except StorageError as error:
            self._report("以前的摘要读不出来", error)
            return ()

    def _clause(
        self, job: MessageContext, task: FrameRecord, spec: AgentSpec, bound: AnswerMatch | None
    ) -> Clause:
        if bound is not None:
            return whole(bound.words or job.said.words, job.situation)
        known = job.clauses.get(task.task_id) or self._tasks.clause(task.task_id)
        if known is not None:
            return known
        where = situation(
            task.created_at,
            job.situation.zone,
            private=not task.conversation.is_group,
            quoted=job.situation.quoted if task.task_id in job.mine else None,
        )
        return whole(task.text, where)

    async def _run(
        self, job: MessageContext, task: FrameRecord, spec: AgentSpec, context: TaskContext
    ) -> None:
        bound = context.bound
        given = dict(bound.slots) if bound is not None else {}
        dispatch = TaskDispatch(
            conversation_id=conversation_id(task),
            task_id=task.task_id,
            agent_code=task.agent_code,
            priority=task.priority,
            parent_task_id=task.parent_task_id,
            slots={**task.slots, **given},
            context_summary=_summary(task),
            memory_ref=f"{conversation_id(task)}/{task.user_id}/{task.task_id}",
        )
        try:
            async with asyncio.timeout(job.request.deadline.remaining() * (1 - RESERVE)):
                handler = spec.handler_of(task.intent) or _nobody
                result = _checked(await handler(dispatch, context), task)
                checked_context(context)
        except TimeoutError:
            text = self._half_done(job, task, context) or honest("timeout")
            return await self._failed(job, task, bound, text, "没有在时限内办完")
        except StorageError as error:
            self._report(f"智能体 {spec.code} 没有写成", error)
            text = self._half_done(job, task, context) or f"「{shown(task.text)}」没办成：{error.told}"
            return await self._failed(job, task, bound, text, "数据库出错")
        except Exception as error:  # noqa: BLE001 - an agent of anybody's; the others' work goes on
            self._report(f"智能体 {spec.code} 出错", error)
            text = self._half_done(job, task, context) or FAILED.format(text=shown(task.text))
            return await self.end(job, task, text, "处理时出错")
        await job.cleared()
        job.actions.extend(context.actions)
        job.pictures.extend(context.pictures)
        job.quiet = job.quiet or context.quiet
        job.spoken = job.spoken or spec.spoken
        job.looked = job.looked or (task.agent_code != CHAT and _reads_only(spec, task.intent))
        job.tells_waiting = job.tells_waiting or context.tells_waiting
        job.reasons.append(context.reason or reason_of(spec, task.intent, result.status))
        job.anew = context.anew if bound is not None else None
        if context.passed_on and bound is not None:
            return await self._passed_on(job, task, result)
        await self._note_undoables(task, job, context)
        slots = {**given, **result.slots_update}
        await self._took(job, task, spec, context, _with(result, task, spec, slots))
        return None

    async def _note_undoables(self, task: FrameRecord, job: MessageContext, context: TaskContext) -> None:
        """Into the journal, before it is said that it was done; what cannot be noted cannot be undone."""
        for done in context.undoables:
            try:
                await self._journal(
                    job.conversation,
                    job.user_id,
                    task.agent_code,
                    done.summary,
                    done.token,
                    self._clock.wall(),
                )
            except StorageError as error:
                self._report("办了的事没有记进撤销的本子", error)

    def _half_done(self, job: MessageContext, task: FrameRecord, context: TaskContext) -> str | None:
        """Reply of a handler that was cut off after a change; None if it changed nothing."""
        job.actions.extend(context.actions)
        return HALF_DONE.format(text=shown(task.text)) if context.actions else None

    async def _took(
        self,
        job: MessageContext,
        task: FrameRecord,
        spec: AgentSpec,
        context: TaskContext,
        result: TaskResult,
    ) -> None:
        now = self._clock.wall()
        until = context.keep_until if context.keep_until is not None else now + self.await_timeout
        job.plan = job.plan.took(result, now, until, job.said.message.message_id)
        became = job.plan.get(task.task_id)
        assert became is not None
        told = context.notices.message_ids if isinstance(context.notices, TaskNotices) else ()
        if became.asked_of and became.waits and told:
            became = replace(became, question_ids=[*became.question_ids, *told])
            job.plan = job.plan.stopped(became)
        asks = became.waits
        waits = [one.task_id for one in job.plan.held() if one.task_id in job.unkept] if asks else []
        try:
            await self.keep(job, [task.task_id, *waits], must=asks)
        except StorageError as error:  # a question that is not on disk is not asked
            self._report("追问没有写进数据库", error)
            text = f"「{shown(task.text)}」没办成：{error.told}" if job.keeps else None
            return await self._failed(job, task, None, text, "数据库出错")
        if result.told_by_sign is not None:
            job.signs.append(result.told_by_sign)
        job.say(became, result.user_response, asks=asks)
        return None

    async def _failed(
        self, job: MessageContext, task: FrameRecord, bound: AnswerMatch | None, text: str | None, reason: str
    ) -> None:
        """Time or database failed a handler: a new task is canceled, an open question stays as it was."""
        if bound is not None:
            job.plan = job.plan.stopped(task)
            job.reasons.append(reason)
            job.say(None, text)
            return
        await self.end(job, task, text, reason)

    async def _passed_on(self, job: MessageContext, task: FrameRecord, result: TaskResult) -> None:
        """The line was not about the task: it stands as before, with what its agent noted."""
        job.passed_on = True
        job.plan = job.plan.stopped(task)
        if result.slots_update:
            job.plan = job.plan.noted(task.task_id, result.slots_update)
            await self.keep(job, [task.task_id])
            job.touched.remove(task.task_id)
        job.say(None, result.user_response)

    async def _keep_queued(self, job: MessageContext) -> None:
        """Write waiting tasks before the turn ends; their clauses stay in memory."""
        waits = [task for task in job.plan.held() if task.task_id in job.unkept]
        for task in waits:
            if task.task_id in job.clauses:
                self._tasks.remember_clause(task.task_id, job.clauses[task.task_id])
        await self.keep(job, [task.task_id for task in waits])


async def _nobody(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    """Handler of intents that have none. Raises `LookupError`."""
    raise LookupError(f"no handler does {dispatch.agent_code}.{context.intent}")


def _checked(result: object, task: FrameRecord) -> TaskResult:
    """A handler's result, of this task. Raises `WrongReturn` where it is none."""
    found = checked_result(result)
    return found if found.task_id == task.task_id else replace(found, task_id=task.task_id)


def conversation_id(task: FrameRecord) -> str:
    """A conversation as agents see it."""
    where = task.conversation
    return f"{where.self_id}:{where.kind}:{where.peer}"


def shown(text: str) -> str:
    """A member's words for a sentence of ours, without a connective at the beginning."""
    line = untied(" ".join(text.split()))
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"


def _origin(job: MessageContext, task: FrameRecord) -> str:
    """An answer is work of its own, named by the line that gave it and the task it is for."""
    return f"{job.conversation.self_id}/{job.said.message.message_id}/{task.task_id}"


def _summary(task: FrameRecord) -> str:
    if task.question is None:
        return ""
    known = "，".join(f"{name}={value}" for name, value in task.slots.items() if not name.startswith("_"))
    missing = "、".join(task.missing_slots)
    return (
        f"「{shown(task.text)}」等着回答：{task.question}"
        + (f"；已知 {known}" if known else "")
        + (f"；还缺 {missing}" if missing else "")
    )


_ENDS: Final = {"completed": "办好了", "awaiting_user": "等回答", "canceled": "没有办"}


def reason_of(spec: AgentSpec, intent: str, status: str) -> str:
    """Reason of a reply without one of the agent's own."""
    what = next((each.title for each in spec.intents if each.name == intent), intent)
    return f"{spec.name}：{what}，{_ENDS.get(status, status)}"


def _reads_only(spec: AgentSpec, intent: str) -> bool:
    return any(one.name == intent and one.reads_only for one in spec.intents)


def _with(result: TaskResult, task: FrameRecord, spec: AgentSpec, slots: dict[str, Any]) -> TaskResult:
    """The result with the slots of this line, and with a question where one is missing."""
    waits = result.status == "awaiting_user" or (result.status == "completed" and result.missing_slots)
    text = result.user_response
    if waits and not text:
        questions = {slot.name: slot.question for slot in spec.slots_of(task.intent)}
        text = next((questions[name] for name in result.missing_slots if questions.get(name)), None)
        text = text or f"「{shown(task.text)}」还差一点，再说清楚些吧。"
    return replace(result, task_id=task.task_id, slots_update=slots, user_response=text)
