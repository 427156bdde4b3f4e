"""One message through the core: gate beside decision, alignment, then the tasks (product section 3)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from ..agents import AgentSpec, AnswerMatch, Ask, Clause, SlotFrame, TaskResult, frame_of
from ..agents.chat import order_of, taken_up
from ..language import confirms
from ..language.clauses.pasted import body_of, plans_in, quoted_body
from ..language.lines.agreed_plan import orders_talk_kept, plan_said
from ..storage import StorageError
from ..storage.records import FrameRecord
from .answers.alignment import CLARIFIES, CancelAll, ConfirmAll, TaskAnswer, answer_of
from .answers.answering import about_anothers, aligned, holds_what_is_asked, in_part, own_questions
from .answers.asides import AGAIN, Asides, nods_to_another
from .answers.open_questions import (
    NOT_COUNTED,
    NOTHING_WAITS,
    anothers_question,
    asked_about,
    asked_as_one,
    is_plan,
    joined_too_early,
    left_waiting,
    next_question,
    retold,
    still_waits,
    told,
    told_another,
    unconfirmed,
    waits_for_yes,
    waits_gravely,
    without_asked,
)
from .answers.partial_answers import InPart
from .answers.poll_voices import is_newer_poll, is_voice
from .decision.model.agreement import compared, denied
from .decision.model.offered import agreed, by_itself
from .decision.model.reading import ModelReading
from .decision.model.restated import keeps_rules
from .decision.reading import Frame, MessageReading
from .decision.rules.veto import doubt_order
from .message_context import MessageContext, Vetoed, quote_of
from .model_reader import NEVER_WORSE, ModelReader
from .protocols import Agents, Gate, Judged, Read
from .safety.gate import worries
from .safety.gate_check import from_model
from .situation import whole
from .suggested_agents import SuggestedAgents
from .tasks.dispatching import Dispatcher, shown
from .tasks.open_tasks import OpenTasks
from .tasks.orchestrator import CHAT
from .tasks.tasks_of_message import continued, is_talk, new_tasks, supersedes

T = TypeVar("T")

CANCELED: Final = "好，「{text}」不办了。"
ALL_CANCELED: Final = "好，都不办了：{names}。"
YES: Final = "确认"
NOT_READ: Final = "（「{}」没听懂，没算进去，要就单独说一句）"
NOT_DONE: Final = "（「{}」没有办，要就单独说一句）"
GIVEN_UP: Final = "「{text}」没听懂回答，先不问了，要办就重新说一次。"
_POLLS: Final = "polls"
"""A closed poll offers a plan; that is not asked again beside other work."""
WHICH: Final = "有两件等你回话，先问这件："
STILL_ASKED: Final = "光说确认还定不下来："
LEFT_WAITING: Final = "「{text}」先放着，想好了直接说选哪个就行，不办了说「取消」。"
UNRELATED: Final = "这句话不是在回答追问"


@dataclass(frozen=True, slots=True)
class _FirstLook:
    """What is known of a line that stands by itself before a model hears it."""

    only_chat: bool
    """The rules read talk, and nothing else."""
    heard: bool
    """Said to nobody, and no answer by the rules."""
    perhaps_answer: bool
    """Talk that may answer an open question in words that no rule knows."""
    tells: bool
    """It holds what was asked a moment ago."""
    asks_model: bool
    worried: bool
    """Talk with words of danger: the gate asks a model about it."""

    def narrows(self, job: MessageContext) -> bool:
        """True if a model's reading counts as an answer only: nobody called us."""
        return (self.perhaps_answer or self.tells) and job.request.reply_mode == "core"


@dataclass(frozen=True, slots=True)
class MessagePipeline:
    """Message pipeline: alignment, decision, gate, tasks."""

    agents: Agents
    read: Read
    gate: Gate
    reader: ModelReader
    dispatcher: Dispatcher
    decide_timeout: float
    suggested: SuggestedAgents
    asides: Asides
    tasks: OpenTasks

    async def alone(self, job: MessageContext, texts: Sequence[str]) -> bool:
        """One message by itself: answer an open question, or take up what it asks for.

        Returns whether it was about anything: False for an unaddressed line that answers no question.
        Raises `Vetoed`.
        """
        asked = {task.task_id for task in job.plan.open if task.status == "awaiting_user"}
        heard = await self._alone(job, texts)
        left = [task for task in job.plan.open if task.task_id in asked - set(job.asked)]
        self.asides.done_since(left if job.actions else ())
        if heard and job.actions and not job.asked:
            await self._left_waiting(job, left)
        return heard

    async def _left_waiting(self, job: MessageContext, left: Sequence[FrameRecord]) -> None:
        """Beside what was done: what still waits for an answer, once."""
        ended = [task for task_id in job.touched if (task := job.plan.get(task_id)) and not task.open]
        waits = left_waiting(left, ended, self.agents, job.situation)
        if ended and waits is not None and self.asides.told_once(waits):
            # It stays older than what was done: 撤销 is said of that.
            await self._ask_again(job, waits, still_waits(waits), asked_at=waits.updated_at)

    async def _alone(self, job: MessageContext, texts: Sequence[str]) -> bool:
        found: list[MessageReading] = []  # read at most once, and only where it matters

        def reading() -> MessageReading:
            if not found:
                found.append(self.read(job.said.words, job.situation, self.agents))
            return found[0]

        answer = None
        if job.asked_here or any(task.waits for task in job.plan.open):
            answer = aligned(job, self.agents, reading)
            if (
                isinstance(answer, TaskAnswer)
                and not job.called
                and nods_to_another(answer.task, job.said, job.request.context)
            ):
                self._note_aside(job, reading)
                return False
            if is_voice(job, self.agents, answer):
                job.situation = replace(job.situation, polls=job.polls)
                found.clear()
                return await self._anew(job, reading(), texts)
            weak = isinstance(answer, TaskAnswer) and answer.bound.weak
            unclear = answer is None or weak
            part = in_part(job, self.agents, self.read, online=self.reader.online) if unclear else None
            if part is not None and (part.both or not weak):
                return await self._answered_in_part(job, part, texts)
        if answer is None and job.open_here:
            line = whole(job.said.words, job.situation)
            answer = about_anothers(line, job.user_id, job.open_here, self.agents)
        if answer is not None:
            self._start_gate(job, texts, ask_model=False)
            again = await self._beside_gate(job, self._answered(job, answer))
            if again is None:
                return True
            if again != job.said.words:  # what was unclear, with what was said to it
                if isinstance(answer, TaskAnswer) and again == taken_up(answer.task, answer.bound):
                    return await self._agreed(job, again, texts)
                job.said = replace(job.said, words=again)
                found.clear()
                return await self._anew(job, reading(), [*texts, again], answered=True)
        if job.polls:  # only now: 2 answers an open question of theirs first
            job.situation = replace(job.situation, polls=job.polls)
            found.clear()
        again = retold(job.said.words, job.plan.open) if job.called else None
        if again is not None:
            return await self._told_anew(job, *again, texts)
        plan = self._plan_of_talk(job)
        if plan:
            await self._on_a_card(job, plan, [whole(plan, job.situation)], texts)
            return True
        self._note_aside(job, reading)
        await self._give_up_unreadable(job, texts)
        if job.called:
            others = [one for one in self._waiting_here(job) if one.user_id != job.user_id]
            own = job.plan.open
            about = asked_about(job.said.words, job.situation, reading(), self.agents, own, others)
            about = about or joined_too_early(job.said.words, job.situation, self.agents, others)
            if about is not None and not is_newer_poll(job, reading(), about):
                self._start_gate(job, texts, ask_model=False)
                await self._beside_gate(job, job.cleared())
                if about.user_id == job.user_id:
                    self.asides.forget(about)  # its question stands there again, and nobody else asked
                job.reasons.append("问的是还没确认的那件事")
                where = job.situation
                theirs = about.user_id != job.user_id and is_plan(about, self.agents)
                text = told_another(about, where) if theirs else told(about, self.agents, where)
                job.say(None, text)
                return True
            if (confirms(job.said.words) or job.said.message.pressed) and is_talk(reading()):
                await self._confirmed_nothing(job, texts)
                return True
        return await self._anew(job, reading(), texts)

    def _note_aside(self, job: MessageContext, reading: Callable[[], MessageReading]) -> None:
        """Note that a line answered no open question: a nod behind it may refer to the line."""
        line = whole(job.said.words, job.situation)
        # 你周末干嘛去 tells no clock: it is of nothing that is asked.
        tells = bool(line.amounts) or any(time.start is not None for time in line.times)
        says_more = bool(job.plan.open) and tells and is_talk(reading())
        self.asides.note(job.plan.open, self.agents, job.situation, job.said.words, says_more=says_more)

    async def _agreed(self, job: MessageContext, order: str, texts: Sequence[str]) -> bool:
        """An accepted offer of ours: read by itself, and not confirmed again."""
        job.said = replace(job.said, words=order)
        job.situation = replace(by_itself(job.situation), polls=job.polls)
        return await self._anew(
            job,
            agreed(self.read(order, job.situation, self.agents), self.agents),
            [*texts, order],
            answered=True,
        )

    async def _agreed_and_more(
        self, job: MessageContext, order: str, rest: str, texts: Sequence[str]
    ) -> bool:
        """An offer that is taken up and another order beside it, which may count from the first: 记上吧
        顺便前一天晚上提醒我收拾包. Where the two are not read together, the second is read by itself."""
        both = f"{order}，{rest}"
        where = by_itself(job.situation)
        reading = agreed(self.read(both, where, self.agents), self.agents)
        if reading.sure and len(reading.frames) > 1:
            return await self._agreed(job, both, texts)
        said = job.said
        await self._agreed(job, order, texts)
        job.said = replace(said, words=rest)
        return await self._anew(job, self.read(rest, where, self.agents), [*texts, rest], answered=True)

    async def _told_anew(
        self, job: MessageContext, task: FrameRecord, words: str, texts: Sequence[str]
    ) -> bool:
        """An order of which something is still asked, with another sum in it: that is read in its place."""
        self._start_gate(job, texts, ask_model=False)
        await self._beside_gate(job, self.dispatcher.end(job, task, None, "数目另说了，按新的重来"))
        job.said = replace(job.said, words=words)
        reading = self.read(words, job.situation, self.agents)
        return await self._anew(job, reading, [*texts, words], answered=True)

    async def _confirmed_nothing(self, job: MessageContext, texts: Sequence[str]) -> None:
        """确认, or a pressed button, that answers no question: whose answer it wants, the question that wants
        another answer once more, or that nothing waits."""
        self._start_gate(job, texts, ask_model=False)
        await self._beside_gate(job, job.cleared())
        quote = quote_of(job)
        theirs = [
            one
            for one in self._waiting_here(job)
            if one.waits and one.user_id != job.user_id
            if quote is not None and quote.message_id in one.question_ids
        ]
        if theirs:
            job.reasons.append("等的是别人的回话")
            job.say(None, anothers_question(theirs[0], job.situation))
            return
        asked = [task for task in job.plan.open if task.status == "awaiting_user" and task.question]
        if not asked:
            job.reasons.append("没有等着确认的事")
            job.say(None, NOTHING_WAITS)
            return
        newest = max(asked, key=lambda task: (task.updated_at, task.place))
        if self.asides.put_again(newest):
            await self._ask_again(job, newest, f"{STILL_ASKED}{newest.question}")
        else:
            job.reasons.append("同一句不问第三遍")
            job.say(None, LEFT_WAITING.format(text=shown(newest.text)))

    def _waiting_here(self, job: MessageContext) -> list[FrameRecord]:
        """Open tasks of all members in the conversation."""
        return [
            task
            for user_id in self.tasks.members_in(job.conversation)
            for task in self.tasks.of(job.conversation, user_id)
        ]

    async def _give_up_unreadable(self, job: MessageContext, texts: Sequence[str]) -> None:
        """End the questions whose agent failed to read their answers: their member is not kept waiting."""
        unreadable = [
            task
            for task in (*job.plan.open, *job.asked_here)
            if task.waits
            and (spec := self.agents.get(task.agent_code)) is not None
            and spec.gives_up(task.task_id)
        ]
        if unreadable:
            self._start_gate(job, texts, ask_model=False)
        for task in unreadable:
            reason = "没听懂回答，不再问了"
            text = GIVEN_UP.format(text=shown(task.text))
            job.plan = job.plan if job.plan.get(task.task_id) is not None else job.plan.with_ended(task)
            await self._beside_gate(job, self.dispatcher.end(job, task, text, reason))

    async def again(self, job: MessageContext, texts: Sequence[str], moved: Sequence[FrameRecord]) -> None:
        """An answer whose work was done before a restart and whose reply was lost: what was said is said
        again, and what waited behind it goes on. Raises `Vetoed`."""
        self._start_gate(job, texts, ask_model=False)
        for frame in moved:
            known = job.plan.get(frame.task_id)
            job.plan = job.plan if known is not None else job.plan.with_ended(frame)
            job.touched.append(frame.task_id)
            job.reasons.append("重启前已经办好，把话补上")
            job.say(frame, frame.said, asks=frame.waits)
        await self._beside_gate(job, self.dispatcher.proceed(job))

    async def pasted(self, job: MessageContext, texts: Sequence[str]) -> None:
        """A text that was pasted, or is quoted: with an order beside it what it plans goes on one card, else
        it is talk. Raises `Vetoed`."""
        quoted = job.situation.quoted or ""
        body = body_of(job.said.words) or quoted_body(job.said.words, quoted, job.situation)
        lines = plans_in(body, job.situation) if body is not None else ()
        if not lines or self._keeper is None:
            await self.talk(job, texts)
            return
        await self._on_a_card(job, body or "", lines, texts)

    @property
    def _keeper(self) -> AgentSpec | None:
        """The agent that keeps a group's plans."""
        return next((one for one in self.agents if one.overhears is not None), None)

    def _plan_of_talk(self, job: MessageContext) -> str:
        """Plan in the last lines, if the line only orders to keep it and no model is available; else
        empty."""
        asks = job.called and not self.reader.online and orders_talk_kept(job.said.words)
        plain = asks and self._keeper is not None and job.situation.quoted is None
        return plan_said(job.situation.before, job.situation.now) if plain else ""

    async def _on_a_card(
        self, job: MessageContext, words: str, lines: Sequence[Clause], texts: Sequence[str]
    ) -> None:
        """Card of a plan in these words, kept only by a yes. Raises `Vetoed`."""
        spec = self._keeper
        assert spec is not None
        first = spec.intents[0].name
        clause = replace(whole(words, job.situation), lines=tuple(lines))
        self._start_gate(job, [*texts, words], ask_model=False)
        self._take_up(job, [Frame(spec.code, first, clause, frame_of(spec.read(first, clause)))])
        await self._beside_gate(job, self.dispatcher.proceed(job))

    async def talk(self, job: MessageContext, texts: Sequence[str]) -> None:
        """Reply to chat only. Raises `Vetoed`."""
        line = whole(job.said.words, job.situation)
        ask = self.reader.online and worries(job.said.words) and job.request.reply_mode != "fishing"
        self._start_gate(job, texts, ask_model=ask)
        self._take_up(job, [Frame(CHAT, "chitchat", line)])
        await self._beside_gate(job, self.dispatcher.proceed(job))

    async def overheard(self, job: MessageContext, texts: Sequence[str]) -> None:
        """An unaddressed line: only agents that listen hear of it. Raises `Vetoed`.

        Nothing while a question to its speaker is open: that one stands, and is the one a yes is for.
        """
        if any(task.status == "awaiting_user" for task in job.plan.open):
            return
        line = whole(job.said.words, job.situation)
        sure = job.request.planned
        listening = [one for one in self.agents if one.overhears and (sure or one.overhears(line))]
        self._start_gate(job, texts, ask_model=False)
        for spec in listening:
            frames = self.read(job.said.words, job.situation, [spec]).frames
            own = [frame for frame in frames if frame.agent_code == spec.code]
            first = spec.intents[0].name
            own = own or [Frame(spec.code, first, line, frame_of(spec.read(first, line)))]
            self._take_up(job, own)
        await self._beside_gate(job, self.dispatcher.proceed(job))

    # Answers to open questions

    async def _answered(self, job: MessageContext, answer: TaskAnswer | CancelAll | ConfirmAll) -> str | None:
        """Do what an answer says, then what waited behind it. Words that are to be read anew, if any."""
        if isinstance(answer, CancelAll):
            await self._cancel_all(job)
            return None
        if isinstance(answer, ConfirmAll):
            await self._confirm_all(job)
            return None
        task, bound = answer.task, answer.bound
        if job.plan.get(task.task_id) is None:
            job.plan = job.plan.with_ended(task)  # another member's, put to the speaker
        between = self.asides.comes_between(task, bound, job.said.words, job.request.now)
        if between and not _is_quoted(job):
            await self._ask_again(job, task, f"{AGAIN}{task.question}")
            return None
        other = self._asked_beside(job, task, bound)
        if other is not None and bound.grave and not _is_quoted(job):
            await self._ask_again(job, task, f"{WHICH}{task.question}")
            return None
        self.asides.forget(task)
        offered = taken_up(task, bound)
        if offered is not None:
            await self._done(job, task)
            return offered
        if CLARIFIES in task.slots:
            unclear = str(task.slots[CLARIFIES])
            if bound.relation == "cancel":
                await self._canceled(job, task)
                await self.dispatcher.proceed(job)
                return None
            await self._done(job, task)
            return f"{unclear}，{job.said.words}"
        if bound.relation == "cancel" and not answer.by_agent:
            await self._canceled(job, task)
        else:
            await self.dispatcher.dispatch(job, task, bound)
        if job.passed_on:
            self.asides.note([task], self.agents, job.situation)
            return job.said.words
        if job.anew is not None:
            return job.anew
        await self.dispatcher.proceed(job)
        left = job.plan.get(other.task_id) if other is not None else None
        if left is not None and asked_as_one(left, task, self.agents, job.situation) and not job.asked:
            await self.dispatcher.dispatch(job, left, bound)
            await self.dispatcher.proceed(job)
            return None
        waits = left is not None and left.status == "awaiting_user" and left.agent_code != _POLLS
        if left is not None and waits and not job.asked and self.asides.told_once(left):
            await self._ask_again(job, left, still_waits(left))
        return None

    def _asked_beside(self, job: MessageContext, task: FrameRecord, bound: AnswerMatch) -> FrameRecord | None:
        """Another question of theirs that a yes may be for, and that was put in the same reply as this one
        or is told of when this one is done."""
        if not (bound.relation == "confirm" or bound.consents or bound.grave):
            return None
        found = next_question(job.plan.open, task.task_id, self.agents, job.situation)
        together = found is not None and found.moved_by == task.moved_by
        return found if together or not bound.grave else None

    async def _ask_again(
        self, job: MessageContext, task: FrameRecord, text: str, *, asked_at: float | None = None
    ) -> None:
        """An open question once more, as `text`: the next yes is to it. `asked_at`: since when it counts as
        asked, wall seconds; now where it is None."""
        await job.cleared()
        self.asides.forget(task)
        question = task.question or ""
        asked = TaskResult(
            task.task_id,
            "awaiting_user",
            missing_slots=tuple(task.missing_slots),
            user_response=question,
            ask=Ask.of_slots(task.slots),
        )
        since = job.request.now if asked_at is None else asked_at
        job.plan = job.plan.took(asked, since, task.expires_at, job.said.message.message_id)
        await self.dispatcher.keep(job, [task.task_id])
        job.reasons.append("再问一次")
        job.say(job.plan.get(task.task_id), text, asks=True)

    async def _answered_in_part(self, job: MessageContext, part: InPart, texts: Sequence[str]) -> bool:
        """Do what the answer in the line says, then what else is asked for in it."""
        whole_line = job.said
        job.said = replace(whole_line, words=part.said)
        self._start_gate(job, texts, ask_model=self.reader.online and worries(whole_line.words))
        again = await self._beside_gate(job, self._answered(job, part.answer))
        if again is not None and part.rest and again == taken_up(part.answer.task, part.answer.bound):
            return await self._agreed_and_more(job, again, part.rest, texts)
        if again is not None:  # its agent would not have it
            job.said = whole_line
            return await self._anew(job, self.read(whole_line.words, job.situation, self.agents), texts)
        if not part.rest:
            return True
        job.said = replace(whole_line, words=part.rest)
        if part.both:
            return await self.alone(job, texts)
        if part.denied:
            job.situation = without_asked(job.situation, part.answer.task)
        rest = self.read(part.rest, job.situation, self.agents)
        return await self._anew(job, rest, texts, answered=True)

    async def _cancel_all(self, job: MessageContext) -> None:
        line = whole(job.said.words, job.situation)
        waiting = job.plan.open if job.called else own_questions(job)
        over = sorted(waiting, key=lambda task: (task.created_at, task.place))
        for task in over:
            spec = self.agents.get(task.agent_code)
            waits = task.status == "awaiting_user" and CLARIFIES not in task.slots
            bound = answer_of(spec, task, line) if waits else None
            if bound is not None and bound.relation == "cancel":
                await self.dispatcher.dispatch(job, task, bound)
            else:
                await self.dispatcher.end(job, task, None, "成员取消了")
        names = "".join(dict.fromkeys(f"「{shown(task.text)}」" for task in over))
        job.parts[:] = [ALL_CANCELED.format(names=names)]

    async def _confirm_all(self, job: MessageContext) -> None:
        """A yes to each question that waits for one. What deletes, and has something else said behind it, is
        asked about once more."""
        said, line = job.said, whole(YES, job.situation)
        job.said = replace(said, words=YES)
        left: list[FrameRecord] = []
        for task in sorted(job.plan.open, key=lambda task: (task.created_at, task.place)):
            spec = self.agents.get(task.agent_code)
            asks = waits_for_yes(task, self.agents, job.situation) and order_of(task.slots) is None
            bound = answer_of(spec, task, line) if asks else None
            if bound is None:
                continue
            if bound.grave and self.asides.comes_between(task, bound, YES, job.request.now):
                left.append(task)
                continue
            self.asides.forget(task)
            await self.dispatcher.dispatch(job, task, bound)
        job.said = said
        await self.dispatcher.proceed(job)
        if left and not job.asked:
            await self._ask_again(job, left[-1], f"{AGAIN}{left[-1].question}")

    async def _canceled(self, job: MessageContext, task: FrameRecord) -> None:
        called_off = order_of(task.slots) or task.text  # 截止投票 is done, what it offers is not
        await self.dispatcher.end(job, task, CANCELED.format(text=shown(called_off)), "成员取消了")

    async def _done(self, job: MessageContext, task: FrameRecord) -> None:
        """Resolve a clarified question: its words are read again with the answer."""
        job.plan = job.plan.took(TaskResult(task.task_id, "completed"), job.request.now, None)
        await self.dispatcher.keep(job, [task.task_id])

    # New work

    async def _anew(
        self, job: MessageContext, reading: MessageReading, texts: Sequence[str], *, answered: bool = False
    ) -> bool:
        """A line that stands by itself; `answered`: with what was said to a question of ours."""
        look = self._look_at(job, reading, answered=answered)
        self._start_gate(job, texts, ask_model=look.worried and not look.asks_model)
        line = reading.frames[0].clause if reading.sure else whole(job.said.words, job.situation)
        found: ModelReading | None = None
        talks = False
        if look.asks_model:
            found, talks = await self._ask_model(job, texts, line, reading, look)
        frames, only_chat = self._frames(job, line, reading, found, only_chat=look.only_chat, talks=talks)
        self.suggested.forget(job.conversation, job.user_id)
        if (
            found is not None
            and job.request.work_only
            and all(frame.agent_code == CHAT for frame in frames[:1])
        ):
            found = replace(found, clarify=None)  # what is unclear is talk, which is not answered here
        if found is not None and found.clarify is not None:
            await self._beside_gate(job, self._clarify(job, line, frames, found))
            return True
        heard = look.heard and not (found is not None and look.narrows(job) and found.bound)
        if self._uncalled(job) and not answered and (only_chat or (heard and not reading.sure)):
            if job.clearance is not None:
                await self._beside_gate(job, job.cleared())
            return bool(job.parts)
        return await self._take_up_frames(job, texts, frames, found)

    def _look_at(self, job: MessageContext, reading: MessageReading, *, answered: bool) -> _FirstLook:
        """What is known of a line before a model hears it, and whether one has to."""
        only_chat = all(frame.agent_code == CHAT for frame in reading.frames)
        # Talk while a question is open may be its answer in words that no rule knows.
        perhaps_answer = only_chat and any(task.status == "awaiting_user" for task in job.plan.open)
        # Said to nobody, and no answer: whoever asked had its say, or nobody asks any more.
        waits = any(task.status == "awaiting_user" for task in job.plan.open)
        other = only_chat is not waits  # talk where nobody asks, or perhaps work beside a question
        heard = self._uncalled(job) and not answered and (job.passed_on or (other and not reading.sure))
        heard = heard or (self._uncalled(job) and not answered and only_chat and not waits)
        perhaps_answer = perhaps_answer and not heard and (not self._uncalled(job) or self._asks_more(job))
        aside = self._uncalled(job) and only_chat and not answered
        follows = job.request.follows_deed and only_chat  # said to us right behind what we did for them
        # It holds what we asked for a moment ago: a model hears whether it is the answer, and nothing else.
        tells = heard and holds_what_is_asked(
            whole(job.said.words, job.situation), job.plan.open, self.agents
        )
        asks_model = self.reader.online and (not heard or tells)
        asks_model = asks_model and (perhaps_answer or follows or tells or not (reading.sure or aside))
        talk = any(frame.agent_code == CHAT for frame in reading.frames)
        worried = self.reader.online and talk and not aside and worries(job.said.words)
        return _FirstLook(
            only_chat=only_chat,
            heard=heard,
            perhaps_answer=perhaps_answer,
            tells=tells,
            asks_model=asks_model,
            worried=worried,
        )

    async def _ask_model(
        self,
        job: MessageContext,
        texts: Sequence[str],
        line: Clause,
        reading: MessageReading,
        look: _FirstLook,
    ) -> tuple[ModelReading | None, bool]:
        """The model's reading as far as it counts beside the rules', and whether it read talk. Raises
        `Vetoed`."""
        found = await self._beside_gate(job, self.reader.parsed(job, line, reading))
        if found is None:
            if worries(job.said.words):
                self._start_gate(job, texts, ask_model=True)  # whoever reads the line judges it; nobody did
            return None, False
        if found.safety != "SAFE":
            raise Vetoed(from_model(found.safety))
        talks = any(frame.agent_code == CHAT for frame in found.frames)
        if keeps_rules(found, reading):
            guessed = not reading.sure and all(self._looks_up(frame) for frame in reading.frames)
            if not (found.unnamed and (is_talk(reading) or guessed)):
                job.reasons.append(NEVER_WORSE[bool(found.frames)])
                return None, talks
            job.reasons.append("模型说的那一个不在，问是哪个")
            found = ModelReading(found.unnamed)
        # Nobody called us: an answer, or nothing.
        return ModelReading(bound=found.bound) if look.narrows(job) else found, talks

    def _frames(
        self,
        job: MessageContext,
        line: Clause,
        reading: MessageReading,
        found: ModelReading | None,
        *,
        only_chat: bool,
        talks: bool,
    ) -> tuple[list[Frame], bool]:
        """Frames of the rules and a model compared, with their moods; True if they are only talk.

        `talks`: the model read talk.
        """
        frames = list(reading.frames)
        if found is not None and not found.empty:
            whole_frames = self.reader.completed(job, line, found.frames, reading.frames)
            restated = self.reader.restated(job, whole_frames)
            frames = compared(restated, reading.frames, self.agents, talk=reading.sounds_like_talk)
            only_chat = not found.bound and all(frame.agent_code == CHAT for frame in frames)
        elif not reading.sure:
            frames = denied(frames, self.agents) if talks else self._suggested_frames(job, line, frames)
            only_chat = all(frame.agent_code == CHAT for frame in frames)
        frames = self._moods(job, line, frames, by_model=found is not None and not found.empty)
        return frames, only_chat and not any(frame.declined for frame in frames)

    async def _take_up_frames(
        self, job: MessageContext, texts: Sequence[str], frames: list[Frame], found: ModelReading | None
    ) -> bool:
        """Carry out frames, and the answers that a model bound; say what was left."""
        bound = dict(found.bound) if found is not None else {}
        wanted, unheard = self._offer_taken_up(job, bound)
        if wanted is not None:
            await self._beside_gate(job, self._done(job, wanted[0]))
            return await self._agreed(job, wanted[1], texts)
        if unheard is not None:
            question = f"{AGAIN}{unheard.question}"
            await self._beside_gate(job, self._ask_again(job, unheard, question))
            return True
        if bound:
            frames = [frame for frame in frames if frame.agent_code != CHAT]
        again = continued(frames, job.plan.open)
        frames = [frame for number, frame in enumerate(frames) if number not in again]
        declined = [frame for frame in frames if frame.declined]
        frames = [frame for frame in frames if not frame.declined]
        if declined:
            await self._beside_gate(job, job.cleared())
            job.reasons.append("说的不是吩咐，没有动")
            for frame in declined:
                job.say(None, frame.declined)
        self._take_up(job, frames, unhelped=found is None or found.empty)
        bound.update((task_id, relation) for task_id, relation in again.values() if task_id not in bound)
        await self._beside_gate(job, self._carry_out(job, bound))
        if frames and not declined and (left := self._left_out(job, frames)):
            job.parts.append(left)
        carried = found is not None and bool(found.frames or found.bound) and bool(job.parts)
        if found is not None and carried and (undone := [each for each in found.left if each]):
            job.parts.append(NOT_DONE.format("」「".join(shown(each) for each in undone)))
        idle = [time for frame in frames for time in frame.idle]
        if idle and job.parts:
            job.parts.append(NOT_READ.format("」「".join(idle)))
        return True

    def _looks_up(self, frame: Frame) -> bool:
        """True if the frame is a query or talk."""
        spec = self.agents.get(frame.agent_code)
        return frame.agent_code == CHAT or (spec is not None and spec.acts.get(frame.intent) == "query")

    def _offer_taken_up(
        self, job: MessageContext, bound: dict[str, AnswerMatch]
    ) -> tuple[tuple[FrameRecord, str] | None, FrameRecord | None]:
        """The offer that a model says is taken up, with the order it then is; or the offer of which it says
        that it is wanted otherwise, in words that no rule reads: that is put once more."""
        for task_id, relation in bound.items():
            task = job.plan.get(task_id)
            if task is None or task.status != "awaiting_user" or order_of(task.slots) is None:
                continue
            heard = self.reader.answer(job, task, relation)
            order = taken_up(task, heard)
            if order is not None and not waits_gravely(task, self.agents, job.situation):
                return (task, order), None
            if relation.relation in ("fills", "corrects", "confirm"):
                return None, task
        return None, None

    def _left_out(self, job: MessageContext, frames: Sequence[Frame]) -> str:
        """Behind an answer from what is kept: that more of the speaker's waits for a yes; not twice."""
        asked = {frame.agent_code for frame in frames}
        own = [task for task in job.plan.open if task.user_id == job.user_id]
        told = not job.looked or job.tells_waiting
        return NOT_COUNTED if not told and unconfirmed(own, asked, self.agents) else ""

    def _moods(
        self, job: MessageContext, line: Clause, frames: Sequence[Frame], *, by_model: bool
    ) -> list[Frame]:
        """Frames with the mood of the line where a model made them; the rules' own have theirs."""
        if not by_model:
            return list(frames)
        agents = tuple(self.agents)
        line = whole(job.said.words, job.situation)
        alone = len(frames) == 1
        return [doubt_order(frame, line, agents, alone=alone) for frame in frames]

    def _asks_more(self, job: MessageContext) -> bool:
        """True if a question other than a draft is open."""
        specs = [self.agents.get(task.agent_code) for task in job.plan.open if task.status == "awaiting_user"]
        return any(spec is None or spec.drop is None for spec in specs)

    def _uncalled(self, job: MessageContext) -> bool:
        """True if a line is read only as an answer or an order, never as talk."""
        return job.request.reply_mode == "core"

    async def _carry_out(self, job: MessageContext, bound: dict[str, AnswerMatch]) -> None:
        await self._no_longer_asked(job)
        for task_id, relation in bound.items():
            task = job.plan.get(task_id)
            if task is None or task.status != "awaiting_user":
                if task is not None and task.open and relation.relation == "cancel":
                    await self._canceled(job, task)
                continue
            spec = self.agents.get(task.agent_code)
            heard = None if spec is None else answer_of(spec, task, whole(job.said.words, job.situation))
            unheard = spec is not None and spec.isolated and (heard is None or heard.relation != "cancel")
            if relation.relation == "cancel" and (spec is None or spec.answers is None or unheard):
                await self._canceled(job, task)
            else:
                job.unsure.add(task_id)
                await self.dispatcher.dispatch(job, task, self.reader.answer(job, task, relation))
                if job.passed_on and job.called and not job.parts and task.question:
                    await self._ask_again(job, task, task.question)
        await self.dispatcher.proceed(job)

    async def _no_longer_asked(self, job: MessageContext) -> None:
        """Close a clarifying question after any new work of its member's, and a question whose thing the new
        work supersedes."""
        mine = [task for task_id in job.mine if (task := job.plan.get(task_id)) and task.agent_code != CHAT]
        for task in job.plan.open if mine else ():
            if task.task_id in job.mine:
                continue
            if CLARIFIES in task.slots or any(supersedes(new, task, self.agents) for new in mine):
                await self.dispatcher.end(job, task, None, "没再问清楚，成员另有吩咐")

    def _take_up(self, job: MessageContext, frames: Iterable[Frame], *, unhelped: bool = False) -> None:
        """Queue the tasks of the message; `unhelped`: no model read it. Where only work is answered, talk is
        none."""
        if job.request.work_only:
            frames = [frame for frame in frames if frame.agent_code != CHAT]
        made = new_tasks(job, frames, self.agents, len(job.mine))
        for task, frame in made:
            job.bring(task.task_id, frame.clause, None if frame.match is None else frame.read)
            if not frame.sure:
                job.unsure.add(task.task_id)
                job.asks_back.update({task.task_id} if unhelped else ())
            if not frame.mood.plain or frame.contested:
                job.needs_yes.add(task.task_id)
        job.partial = len(job.mine) > 1
        job.plan = job.plan.with_new([task for task, _ in made], self.dispatcher.passes)

    def _suggested_frames(self, job: MessageContext, line: Clause, frames: list[Frame]) -> list[Frame]:
        """Put the agent that was suggested last first, for an unsure reading without a model."""
        code = self.suggested.of(job.conversation, job.user_id)
        spec = self.agents.get(code) if code is not None else None
        match = spec.rules(line) if spec is not None else None
        if spec is None or match is None:
            return frames
        return [Frame(spec.code, match.intent, line, frame_of(spec.read(match.intent, line)), sure=False)]

    async def _clarify(
        self, job: MessageContext, line: Clause, frames: list[Frame], found: ModelReading
    ) -> None:
        """Nothing is dispatched: the question is asked, and what was unclear waits for the answer."""
        assert found.clarify is not None
        about = frames[:1] or [Frame(CHAT, "chitchat", line)]
        asking = replace(about[0], clause=line, read=SlotFrame({CLARIFIES: job.said.words}), sure=False)
        self._take_up(job, [asking])
        task_id = next(iter(job.mine))
        missing = (found.clarify_slot,) if found.clarify_slot else ()
        result = TaskResult(task_id, "awaiting_user", {}, missing, None, found.clarify)
        job.plan = job.plan.begun(task_id)
        job.plan = job.plan.took(result, job.request.now, job.request.now + self.dispatcher.await_timeout)
        job.reasons.append("没听懂，先问清楚")
        try:
            await self.dispatcher.keep(job, [task_id], must=True)
        except StorageError:  # asked all the same: nothing hangs on it but that the answer stands alone
            job.plan = job.plan.without({task_id}, job.request.now)
        job.say(job.plan.get(task_id), found.clarify, asks=True)

    # Beside the gate

    def _start_gate(self, job: MessageContext, texts: Sequence[str], *, ask_model: bool) -> None:
        async def checking() -> Judged:
            try:
                async with asyncio.timeout(job.request.deadline.earlier(self.decide_timeout).remaining()):
                    return await self.gate.check(job.request, texts, ask_model=ask_model)
            except TimeoutError:
                return Judged(late=True)

        if job.clearance is not None:
            job.clearance.cancel()
        job.clearance = asyncio.create_task(checking(), name="mishu gate")

    async def _beside_gate(self, job: MessageContext, work: Coroutine[Any, Any, T]) -> T:
        """Work while the gate is running. A veto ends it at once, whatever hangs there. Raises `Vetoed`."""
        assert job.clearance is not None
        gate = job.clearance
        running = asyncio.create_task(work, name="mishu message")
        try:
            await asyncio.wait({running, gate}, return_when=asyncio.FIRST_COMPLETED)
            if gate.done() and (verdict := gate.result().verdict).verdict != "SAFE":
                raise Vetoed(verdict)
            return await running
        finally:
            if not running.done():
                running.cancel()
                await asyncio.wait([running])


def _is_quoted(job: MessageContext) -> bool:
    """True if the line quotes a message of ours."""
    quote = quote_of(job)
    return quote is not None and quote.ours
