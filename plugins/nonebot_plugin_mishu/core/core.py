"""The core: everything between a request and the agents (product section 3, seed 2)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from ..agents import Announcer, Mention, Outcome, Request, Situation, Utterance
from ..agents.api.builtin_codes import PLANS
from ..agents.chat import honest
from ..clock import Clock
from ..config import Config
from ..language.clauses.pasted import is_pasted, quoted_body
from ..language.lines.marks import is_put_to_all
from ..language.polls.poll import OpenPoll, spoken_to
from ..language.recognise.members import named_among, office_called
from ..language.recognise.mentions import tied_in, typed
from ..llm import ModelClient
from ..report import Report
from ..storage import StorageError
from ..storage.records import Conversation, FrameRecord, LedgerMessage
from .answers.alignment import SureRules, may_answer
from .answers.answering import about_anothers, holds_what_is_asked, overheard_answer
from .answers.approvals import answered_by_another
from .answers.asides import Asides
from .answers.further_questions import FurtherQuestions
from .answers.partial_answers import answered_in_part
from .conversation_locks import ConversationLocks
from .decision.reader import claimed_line
from .decision.reading import MessageReading
from .lines_before import lines_just_before
from .message_context import MessageContext, Vetoed, quote_of
from .model_reader import ModelReader
from .overhearing import worth_a_question
from .pipeline import UNRELATED, MessagePipeline
from .protocols import (
    Agents,
    Allows,
    ConversationMemory,
    Gate,
    Journal,
    KnownThings,
    Knows,
    NoMemory,
    NoPolls,
    Polled,
    Read,
    Records,
    Reminded,
    Reminding,
    Roster,
    everything_on,
    no_journal,
    no_records,
    no_roster,
)
from .recent_readings import RecentReadings
from .reply import composed
from .safety.gate import local_verdict
from .safety.gate_check import SafetyGate, gravest, lines_before, locally, texts_of
from .situation import said_at, situation, whole
from .suggested_agents import SuggestedAgents
from .tasks.dispatching import Dispatcher
from .tasks.dropping import Dropping
from .tasks.expiry import Expiry
from .tasks.open_tasks import FrameStore, OpenTasks
from .tasks.orchestrator import CHAT, TaskPlan
from .tasks.recent_changes import RecentChanges
from .tasks.tasks_of_message import is_order, is_request, stands_alone

LONGEST: Final = 20_000
"""Longest message (characters) that is read, as over HTTP; a longer one gets an error line and no model."""
RECENT: Final = 100
"""Tasks of a conversation that are listed at most."""
_PASTED: Final = 1000
"""Longest unaddressed line (characters) read as an answer or an order; a longer one was pasted, mostly not
for us."""
_ROSTER_WAITS: Final = 1.0
"""Seconds for the platform's list of a group, which is kept for a while once it came."""
_SUMMARISED: Final = ("completed", "awaiting_user")


class Core:
    """`handle` a request; local looks for the front desk (`awaits`, `alarms`, `reads_as_order`, `only_talk`,
    `overhears`); the life of open questions.

    Args:
        config: the one configuration.
        clock: wall seconds for M3 and expiry, the zone for times.
        agents: the agents of the instance, a `Registry`; one with the code `chat` is among them.
        model: the one model client.
        frames: where M3 is kept, `storage.core_tasks.queries`.
        read: the pure rules, `core.decision.read`.
        report: tells the log of an error.
        memory: M1 and M2.
        gate: the safety gate; by default the local rules with a model's second look.
        allows: whether a feature is on in a conversation.
        knows: what is kept that a member's change orders may mean. Asked once for every request that is
            answered.
        reminded: reminders that were sent, which a line may answer.
        records: a member's last records, for the world a model is shown.
        polls: polls of conversations, which lines of any member may answer.
        roster: lists a group, for the names of members who have never spoken.
        journal: where deeds of other plugins' agents are noted, so that 撤销 can take them back.

    `start` loads M3 and begins to watch for questions whose time is over, `close` ends that.
    """

    def __init__(
        self,
        config: Config,
        clock: Clock,
        agents: Agents,
        model: ModelClient,
        frames: FrameStore,
        *,
        read: Read,
        report: Report,
        memory: ConversationMemory | None = None,
        gate: Gate | None = None,
        allows: Allows = everything_on,
        knows: Knows | None = None,
        reminded: Reminded | None = None,
        records: Records = no_records,
        journal: Journal = no_journal,
        polls: Polled | None = None,
        roster: Roster = no_roster,
    ) -> None:
        self._config = config
        self._clock = clock
        self._agents = agents
        self._model = model
        self._read = read = RecentReadings(read)
        self._report = report
        self._memory = memory or NoMemory()
        self._knows = knows
        self._reminded = reminded
        self._polls: Polled = polls or NoPolls()
        self._roster = roster
        self._asked: dict[Conversation, asyncio.Task[Sequence[Mention]]] = {}
        """Askings for lists of groups that are under way."""
        self._tasks = self.open_tasks = OpenTasks(frames)
        self._locks = ConversationLocks()
        self._expiry = Expiry(clock, agents, self._tasks, self._locks, report)
        self._tasks.reloaded = self._expiry.changed
        self._dropping = Dropping(clock, agents, self._tasks, self._locks, report)
        self._suggested = SuggestedAgents()
        self._further = FurtherQuestions()
        self._deeds = RecentChanges()
        decide, awaited = config.llm.decide_timeout, config.core.await_timeout
        self._dispatcher = Dispatcher(
            clock, agents, self._tasks, self._memory, allows, report, awaited, journal
        )
        self._asides = Asides()
        reader = ModelReader(agents, read, model, self._dispatcher, decide, self._suggested, records)
        self._pipeline = MessagePipeline(
            agents=agents,
            read=read,
            gate=gate or SafetyGate(model, decide),
            reader=reader,
            dispatcher=self._dispatcher,
            decide_timeout=decide,
            suggested=self._suggested,
            asides=self._asides,
            tasks=self._tasks,
        )

    async def start(self, announcer: Announcer | None = None) -> None:
        """Load the open tasks and watch over their time. Raises `StorageError`."""
        now = self._clock.wall()
        await self._tasks.load(now, now + self._config.core.await_timeout)
        await self._polls.load()
        self._expiry.start(announcer)
        self._dispatcher.announcer = announcer

    async def reload_polls(self, places: Iterable[Conversation]) -> None:
        """Polls of these conversations, read again after another process. Raises `StorageError`."""
        for each in places:
            await self._polls.read(each)

    async def close(self) -> None:
        """Stop watching. Open questions stay open on disk."""
        await self._expiry.close()
        if asked := list(self._asked.values()):
            for asking in asked:
                asking.cancel()
            await asyncio.wait(asked)

    async def expire(self) -> None:
        """End the questions whose time is over now; `start` has it done in time."""
        await self._expiry.end_due()

    # For the secretary

    async def handle(self, request: Request) -> Outcome:
        """Everything a request asks for, within its deadline, one request at a time per conversation."""
        if any(len(said.words) > LONGEST for said in request.utterances):
            return _too_long(request)
        owed = request.reply_mode in ("forced", "core") and not request.work_only
        try:
            async with self._locks.through(request.conversation, request.deadline.remaining()):
                return await self._handled(request)
        except TimeoutError:
            text = honest("timeout") if owed else None
            return Outcome(text, "canceled", "没有在时限内轮到", silent=not owed)
        finally:
            self._expiry.changed()

    async def delivered(self, conversation: Conversation, outcome: Outcome, message_id: str) -> None:
        """The outcome's text was sent as this message: a quote of it means what was asked in it."""
        asked = [self._tasks.get(conversation, task_id) for task_id in outcome.asked]
        changed = [
            replace(task, question_ids=[*task.question_ids, message_id])
            for task in asked
            if task is not None and message_id not in task.question_ids
        ]
        try:
            await self._tasks.note(changed)
        except StorageError as error:
            self._report("追问的消息号没有写进数据库", error)

    async def open_and_recent(self, conversation: Conversation, limit: int = RECENT) -> list[FrameRecord]:
        """The tasks of a conversation that are open or ended lately, newest first. Raises `StorageError`."""
        return list(await self._tasks.latest(conversation, min(limit, RECENT)))

    def forget(self, conversation: Conversation, user_id: str) -> None:
        """A member's tasks were deleted from the database: they are no longer open here either."""
        self._tasks.drop(conversation, user_id)
        self._suggested.forget(conversation, user_id)
        self._further.delete_queries(conversation, user_id)
        self._deeds.delete_changes(conversation, user_id)

    async def drop(self, conversation: Conversation, message_id: str | None = None) -> None:
        """End without a word the drafts of a conversation that was silenced, or whatever a message that was
        recalled (`message_id`) has open. Waits for what is being done there; never raises for a failure."""
        await self._dropping.drafts(conversation, message_id)

    # For the front desk: local, memory only, microseconds

    def awaits(self, conversation: Conversation, user_id: str, words: str) -> bool:
        """True if a line may answer a question, a draft or a reminder that waits for this member."""
        if self._reminded is not None and self._reminded.answers(conversation, user_id, words):
            return True
        tasks = self._tasks.of(conversation, user_id)
        if self._answers_for_another(conversation, user_id, words):
            return True
        if self._is_of_anothers(conversation, user_id, words):
            return True
        if not any(task.status == "awaiting_user" for task in tasks):
            where = self._situation(self._clock.wall(), conversation, addressed=False)
            return self._further.anew(conversation, user_id, words, where) is not None
        if local_verdict(words).verdict == "EMERGENCY":
            return True  # no answer, and more urgent than one
        if is_pasted(words):
            return False
        where = self._situation(self._clock.wall(), conversation, addressed=False)

        def reading() -> MessageReading:
            return self._read(words, where, self._agents)

        if overheard_answer(words, where, tasks, self._agents, reading) is not None:
            return True
        if answered_in_part(
            words,
            where,
            None,
            tasks,
            self._agents.get,
            self.reads_as_order,
            called=False,
            stands_alone=lambda text, agent: stands_alone(self._read(text, where, self._agents), agent),
        ):
            return True
        self._asides.note(tasks, self._agents, where, words)
        if not self._model.online:
            return False
        line = whole(words, where)
        return may_answer(words, lambda: is_request(reading())) or (
            not reading().sure and holds_what_is_asked(line, tasks, self._agents)
        )

    def votes(
        self,
        conversation: Conversation,
        user_id: str,
        words: str,
        *,
        mentions: bool = False,
        called: bool = False,
    ) -> bool:
        """True if a line is a voice in an open poll of the conversation, or continues a list of one. Memory
        only. `mentions`: somebody is @-ed, whose voice it may be; `called`: it is said to us by name."""
        polls = self._polls.of(conversation) if called else self._polls.strictly(conversation)
        if not polls or len(words) > LONGEST or local_verdict(words).verdict != "SAFE":
            return False
        where = self._situation(self._clock.wall(), conversation, addressed=called)
        where = replace(
            where, polls=spoken_to(polls, user_id), mentions=(Mention("", ""),) if mentions else ()
        )
        return claimed_line(words, where, tuple(self._agents)) is not None

    def _answers_for_another(self, conversation: Conversation, user_id: str, words: str) -> bool:
        asked = self._tasks.asked_of(conversation, user_id)
        if not asked or is_pasted(words):
            return False
        where = self._situation(self._clock.wall(), conversation, addressed=False)

        def reading() -> MessageReading:
            return self._read(words, where, self._agents)

        found = answered_by_another(
            words,
            where,
            None,
            asked,
            self._agents.get,
            SureRules(
                is_new_request=lambda: is_request(reading()),
                stands_alone=lambda agent: stands_alone(reading(), agent),
            ),
            called=False,
            now=self._clock.wall(),
        )
        return found is not None

    def _is_of_anothers(self, conversation: Conversation, user_id: str, words: str) -> bool:
        theirs = self._tasks.open_to(conversation, user_id)
        if not theirs or is_pasted(words):
            return False
        where = self._situation(self._clock.wall(), conversation, addressed=False)
        return about_anothers(whole(words, where), user_id, theirs, self._agents) is not None

    def alarms(self, said: LedgerMessage, words: str, newest_first: Iterable[LedgerMessage]) -> bool:
        """True if an unaddressed line is an emergency by the local rules alone."""
        return self.emergency_reply(said, words, newest_first) is not None

    def emergency_reply(
        self, said: LedgerMessage, words: str, newest_first: Iterable[LedgerMessage]
    ) -> str | None:
        """Local reply to an emergency; None for any other line."""
        found = locally([words], lines_before(said, newest_first))
        return found.reply if found.verdict == "EMERGENCY" else None

    def asks(self, conversation: Conversation, user_id: str) -> bool:
        """True if a question or draft waits for this member."""
        return self._tasks.awaiting(conversation, user_id) or bool(
            self._tasks.asked_of(conversation, user_id)
        )

    def reads_as_order(self, text: str) -> bool:
        """True if the rules read an unaddressed line as work for us: the `order` trigger."""
        if len(text) > _PASTED or is_put_to_all(text):
            return False
        where = situation(self._clock.wall(), self._config.zone, addressed=False)
        return is_order(self._read(text, where, self._agents))

    def amends(self, conversation: Conversation, user_id: str, words: str, at: float) -> bool:
        """True if an unaddressed line, said at `at` (wall seconds), corrects its member's last change of a
        moment ago, or adds to it (地点302): the `order` trigger too."""
        return self._deeds.amends(conversation, user_id, words, said_at(at, self._clock.wall()))

    def follows_deed(self, conversation: Conversation, user_id: str, at: float) -> bool:
        """True if a line directly follows its member's last change and may refer to it in words unknown to
        the rules."""
        return self._deeds.follows(conversation, user_id, said_at(at, self._clock.wall()))

    def overhears(self, conversation: Conversation, user_id: str, words: str, at: float) -> bool:
        """True if an unaddressed line, said at `at` (wall seconds), is worth a question of an agent's.

        Never while a question to its speaker is open.
        """
        if len(words) > _PASTED or self._tasks.awaiting(conversation, user_id):
            return False
        return worth_a_question(
            words,
            self._agents,
            lambda: self._situation(said_at(at, self._clock.wall()), conversation, addressed=False),
        )

    def only_talk(self, text: str) -> bool:
        """True if the rules read only harmless chat: waiting summons may then be answered jointly."""
        if len(text) > LONGEST or local_verdict(text).verdict != "SAFE":
            return False
        reading = self._read(text, situation(self._clock.wall(), self._config.zone), self._agents)
        return all(frame.agent_code == CHAT for frame in reading.frames)

    def sounds_like_work(self, text: str) -> bool:
        """True if a line said to us without our name may be an order: more than talk, or with a time
        (那本推到后天吧)."""
        if not self.only_talk(text):
            return True
        if len(text) > _PASTED:
            return False
        where = situation(self._clock.wall(), self._config.zone)
        tells_time = bool(whole(text, where).times)
        return tells_time and not self._read(text, where, self._agents).sounds_like_talk

    # Inside

    async def _handled(self, request: Request) -> Outcome:
        texts = [text for said in request.utterances for text in texts_of(request, said)]
        verdict = gravest(request, request.utterances)
        lead = request.lead
        job = await self._job(request, lead)
        silent = False
        try:
            if verdict.verdict != "SAFE":
                raise Vetoed(verdict)
            if request.reply_mode == "overheard":
                await self._pipeline.overheard(job, texts)
            elif len(request.utterances) == 1 and self._is_list_of_poll(job):
                silent = not await self._pipeline.alone(job, texts)
            elif len(request.utterances) == 1 and (is_pasted(lead.words) or _keeps_quoted(job)):
                await self._pipeline.pasted(job, texts)
            elif len(request.utterances) > 1 or request.reply_mode not in ("forced", "core"):
                await self._pipeline.talk(job, texts)
            else:
                before = self._tasks.moved_before(request.conversation, lead.user_id, lead.message.message_id)
                if before:
                    await self._pipeline.again(job, texts, before)
                else:
                    self._note_for_others(request, lead)
                    self._ask_further(job)
                    silent = not await self._pipeline.alone(job, texts)
        except Vetoed as veto:
            return await self._vetoed(request, veto)
        finally:
            if job.clearance is not None and not job.clearance.done():
                job.clearance.cancel()
                await asyncio.wait([job.clearance])
        if silent:
            return Outcome(None, "awaiting_user", UNRELATED, silent=True)
        outcome = composed(job)
        if job.quiet and outcome.text is None:
            outcome = replace(outcome, silent=True)
        if request.work_only and outcome.text is None:
            return replace(outcome, silent=True)
        if request.reply_mode == "overheard" and not outcome.asked:
            return replace(outcome, text=None, silent=True)
        self._deeds.note_change(job)
        if any(one.agent_code in PLANS and one.task_id in job.touched for one in job.plan.tasks):
            self._polls.pass_on(request.conversation)
        self._note_suggestions(job)
        self._further.after(job, self._agents)
        await self._remember(job, outcome)
        return outcome

    def _is_list_of_poll(self, job: MessageContext) -> bool:
        """True if a text that looks pasted is a 接龙 of an open poll, or makes one."""
        if job.request.reply_mode not in ("forced", "core") or not is_pasted(job.said.words):
            return False
        where = replace(job.situation, polls=job.polls)
        return claimed_line(job.said.words, where, tuple(self._agents)) is not None

    def _ask_further(self, job: MessageContext) -> None:
        """下周呢 repeats the last query for next week; an answer to an open question goes first."""
        if not any(task.status == "awaiting_user" for task in job.plan.open):
            anew = self._further.anew(job.conversation, job.user_id, job.said.words, job.situation)
            job.said = job.said if anew is None else replace(job.said, words=anew)

    def _note_for_others(self, request: Request, said: Utterance) -> None:
        """Note the line for other members with open tasks: their next nod may answer it."""
        for user_id in self._tasks.members_in(request.conversation):
            if user_id != said.user_id:
                self._asides.asked_by_another(self._tasks.of(request.conversation, user_id), said.words)

    async def _job(self, request: Request, said: Utterance) -> MessageContext:
        at = said_at(said.message.time, request.now)
        where = self._situation(at, request.conversation, addressed=request.reply_mode != "overheard")
        known, reminded, polls, unheard = await asyncio.gather(
            self._known(request, said.user_id),
            self._by_reminder(request, said),
            self._polls_for(request, said.user_id),
            self._unheard(request, said),
        )
        quoted = said.quoted.text if said.quoted is not None else None
        said = replace(said, words=typed(said.words, (*said.mentions, *said.others)))
        named = tied_in(said.words, said.mentions)
        called = tuple(one for one in said.mentions if one not in named)
        others = tuple(one for one in said.others if one.name not in {each.name for each in named})
        office = _holder_of_office(said, request)
        where = replace(where, mentions=called, members=(*named, *others, *unheard, *office), quoted=quoted)
        about = "" if self._reminded is None else self._reminded.about(request.conversation, said.user_id)
        where = replace(
            where, things=known.things, shown=known.shown, reminded=reminded, reminded_about=about
        )
        where = replace(where, open_tasks=known.open_tasks, taught=known.taught, facts=known.facts)
        where = replace(where, kept_facts=known.kept_facts, term=known.term)
        where = replace(where, told=known.told, speaker=said.message.name)
        where = replace(where, recorded=known.recorded, shown_at=known.shown_at)
        where = replace(where, done=known.done, undone=known.undone)
        open_here = self._tasks.open_to(request.conversation, said.user_id)
        on_cards = (name for task in open_here for name in task.open_to[said.user_id])
        bills = tuple(dict.fromkeys((*known.bills, *on_cards)))
        where = replace(where, listed=known.listed, bills=bills)
        where = replace(where, before=lines_just_before(request, said))
        plan = TaskPlan(self._tasks.of(request.conversation, said.user_id))
        keeps = request.reply_mode in ("forced", "core", "overheard")
        over = self._tasks.is_over(request.conversation, said.quoted)
        asked = self._tasks.asked_of(request.conversation, said.user_id)
        return MessageContext(request, said, where, plan, keeps, asked, over, open_here, polls)

    async def _unheard(self, request: Request, said: Utterance) -> tuple[Mention, ...]:
        """Members who have never spoken here, and whom a line that calls us names."""
        if request.reply_mode != "forced" or not request.conversation.is_group:
            return ()
        if (asking := self._asked.get(request.conversation)) is None:
            asking = asyncio.create_task(self._list_members(request.conversation), name="mishu roster")
            self._asked[request.conversation] = asking
        # A platform that is slow is asked to the end: else each line here would wait as long for nothing.
        done, _ = await asyncio.wait([asking], timeout=_ROSTER_WAITS)
        if not done or asking.cancelled():
            return ()
        listed = asking.result()
        heard = {said.user_id, request.conversation.self_id}
        heard |= {one.user_id for one in (*said.mentions, *said.others)}
        return named_among(said.words, [one for one in listed if one.user_id not in heard])

    async def _list_members(self, where: Conversation) -> Sequence[Mention]:
        try:
            return await self._roster(where)
        except Exception as error:  # noqa: BLE001 - each platform has its own; a line is answered without names
            self._report("群成员读不出来", error)
            return ()
        finally:
            del self._asked[where]

    async def _known(self, request: Request, user_id: str) -> KnownThings:
        if self._knows is None or request.reply_mode not in ("forced", "core", "questioned"):
            return KnownThings()
        try:
            return await self._knows(request.conversation, user_id, request.now)
        except StorageError as error:
            self._report("任务和日程读不出来", error)
            return KnownThings()

    async def _polls_for(self, request: Request, user_id: str) -> tuple[OpenPoll, ...]:
        if request.reply_mode not in ("forced", "core") or not request.conversation.is_group:
            return ()
        try:
            found = await self._polls.read(request.conversation)
        except StorageError as error:
            self._report("统计读不出来", error)
            found = self._polls.of(request.conversation)
        found = spoken_to(found, user_id)
        if request.reply_mode == "forced":
            return found
        return tuple(replace(each, strict=True) for each in found if not each.closed)

    async def _by_reminder(self, request: Request, said: Utterance) -> Reminding:
        if self._reminded is None or request.reply_mode not in ("forced", "core"):
            return None
        quoted = said.quoted.message_id if said.quoted is not None else None
        try:
            return await self._reminded.by(request.conversation, said.user_id, quoted)
        except StorageError as error:
            self._report("提醒读不出来", error)
            return None

    def _situation(self, at: float, conversation: Conversation, *, addressed: bool) -> Situation:
        return situation(at, self._config.zone, private=not conversation.is_group, addressed=addressed)

    async def _vetoed(self, request: Request, veto: Vetoed) -> Outcome:
        """The message ends here and leaves nothing; an emergency ends what its speaker has open."""
        verdict = veto.verdict
        if verdict.verdict == "EMERGENCY":
            await self._dropping.speakers(request, gravest)
        elif request.work_only and not self._asks_for_work(request):
            return Outcome(None, "blocked", f"安全检查：{verdict.category}", silent=True)
        return Outcome(verdict.reply, "blocked", f"安全检查：{verdict.category}")

    def _asks_for_work(self, request: Request) -> bool:
        where = self._situation(request.now, request.conversation, addressed=True)
        reading = self._read(request.lead.words, where, self._agents)
        return any(frame.agent_code != CHAT for frame in reading.frames)

    def _note_suggestions(self, job: MessageContext) -> None:
        for task_id in job.touched:
            task = job.plan.get(task_id)
            if task is not None and task.handoff is not None:
                self._suggested.note(job.conversation, job.user_id, task.handoff)

    async def _remember(self, job: MessageContext, outcome: Outcome) -> None:
        """Store M1 and M2, side by side. A storage failure does not stop the reply."""
        if outcome.text is None or job.request.reply_mode in ("fishing", "overheard"):
            return
        text = outcome.text
        writes = [
            self._memory.said(job.conversation, said.user_id, said.words, text)
            for said in job.request.utterances
        ]
        for task_id in job.touched if job.keeps else []:
            task = job.plan.get(task_id)
            if task is not None and task.agent_code != CHAT and task.status in _SUMMARISED:
                writes.append(self._memory.summarised(task, job.told.get(task_id, "")))
        for failed in await asyncio.gather(*writes, return_exceptions=True):
            if isinstance(failed, StorageError):
                self._report("对话没有记下来", failed)
            elif failed is not None:
                raise failed


def _holder_of_office(said: Utterance, request: Request) -> tuple[Mention, ...]:
    """The one member whom a line calls 群主 or 管理员, by that word; none where several hold the office."""
    office = office_called(said.words)
    if office is None:
        return ()
    role = "owner" if office == _OWNER else "admin"
    known = {each.user_id for each in request.context if each.role == role and not each.is_bot}
    return tuple(Mention(each, office) for each in known) if len(known) == 1 else ()


_OWNER: Final = "群主"


def _keeps_quoted(job: MessageContext) -> bool:
    """True if the line only orders to keep the quoted message of another member (记一下)."""
    quote = quote_of(job)
    if quote is None or quote.ours or job.request.reply_mode not in ("forced", "core"):
        return False
    return quoted_body(job.said.words, job.situation.quoted or "", job.situation) is not None


def _too_long(request: Request) -> Outcome:
    """Answer to a message above `LONGEST`; before any await, so that no model is called."""
    for said in request.utterances:
        verdict = local_verdict(said.words)
        if verdict.verdict == "EMERGENCY":
            return Outcome(verdict.reply, "blocked", f"安全检查：{verdict.category}")
    length = max(len(said.words) for said in request.utterances)
    text = f"这条有 {length} 字，我读不完，分成每条不超过 {LONGEST} 字再发吧。"
    owed = request.reply_mode in ("forced", "core") and not request.work_only
    return Outcome(text if owed else None, "canceled", "消息太长", silent=not owed)
