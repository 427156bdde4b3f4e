"""The secretary: takes one turn at a time per conversation and sees it through to a reply or to silence.

The order is that of product section 2 (seed 3, H1-H8). Every turn ends in one place, `run_turn`, with the
presence settled, the messages marked processed and a decision recorded, whatever went wrong in between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..agents import DEFAULT, Judgement, Outcome, ReplyMode, Request, Utterance
from ..agents.chat import HERE, honest
from ..clock import Clock
from ..config import Config
from ..core import Core, local_verdict, may_say
from ..llm import Deadline, ModelClient, ModelError
from ..report import Report
from ..storage.records import Conversation, LedgerMessage
from . import captions
from .analysis import Analyst
from .attention import all_say_little, continues_with_us
from .conversation_seat import ConversationSeat
from .lock import LockToken
from .patience import Patience
from .plans import SettledPlan, find_agreed_plan, locate_plan, may_make_plan
from .ports import SIGN_FEATURE, TALK_FEATURE, Button, DeskPort, SendFailed, Speech
from .presence import Effect, PresenceEvent, PresenceState, take
from .trace import Trace
from .turn import Trigger, Turn

RESERVE = 0.15
"""The part of a lock's time kept for an honest line and its sending."""
NO_TALK = "这里只办事，不聊天"


@dataclass(slots=True)
class _TurnWork:
    """One turn being worked on."""

    seat: ConversationSeat
    turn: Turn
    token: LockToken
    trace: Trace
    context: tuple[LedgerMessage, ...]
    deadline: Deadline


class Secretary:
    """Works turns. Knows neither NoneBot nor the database: it speaks and notes through its `DeskPort`."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        desk: DeskPort,
        core: Core,
        model: ModelClient,
        analyst: Analyst,
        bot_names: Sequence[str],
        report: Report,
    ) -> None:
        self._config = config
        self._clock = clock
        self._desk = desk
        self._core = core
        self._model = model
        self._analyst = analyst
        self._bot_names = tuple(bot_names)
        self._report = report

    async def run_turn(self, seat: ConversationSeat, turn: Turn, token: LockToken) -> None:
        """See a turn through. The caller owns `token` and releases it; a cancelled turn settles nothing:
        whoever evicted it does (`abandon`)."""
        before = seat.presence.state
        trace = Trace(turn.conversation, turn.lead, before, self._clock.monotonic)
        lead = turn.lead
        taken = take(seat.presence, lead.trigger, lead.id, self._clock.monotonic(), seat.rules)
        seat.accept(taken)
        work = _TurnWork(seat, turn, token, trace, turn.context, self._deadline(token))
        if taken.effect in (Effect.FORCED, Effect.CORE):
            await self._answer(work, forced=taken.effect is Effect.FORCED)
        elif taken.effect is Effect.JOIN_IN:
            await self._join_in(work)
        elif taken.effect is Effect.JUDGE:
            await self._judge(work)
        elif taken.effect is Effect.LISTEN:
            await self._listen(work)
        else:
            return  # skipped in the cooldown, or nothing to do in this state: the text stays unprocessed
        await self._mark_processed(work)

    async def abandon(
        self, turn: Turn, ids: Sequence[str], reason: str, before: PresenceState, after: PresenceState
    ) -> None:
        """Note a turn whose owner was evicted: its messages `ids` are processed, the decision says why."""
        trace = Trace(turn.conversation, turn.lead, before, self._clock.monotonic)
        trace.reason = reason
        await self._desk.store_decision(trace.record(after, self._clock.wall()), ids)

    async def _answer(self, work: _TurnWork, *, forced: bool) -> None:
        """A summons, answer or order: must be answered, whatever the model does."""
        work.trace.should_reply = True
        lead = work.turn.lead
        summoned = work.seat.presence.state is PresenceState.SUMMONED
        lines = self._config.secretary.patience if summoned and not self._work_only(work) else []
        async with Patience(lines, lambda text: self._say_patience(work, text)):
            bare = lead.bare and all(item.bare for item in work.turn.items)
            if bare and self._work_only(work):
                outcome = Outcome(None, "completed", NO_TALK, silent=True)
            elif bare:
                outcome = Outcome(HERE, "completed", "只是叫了一声")
            else:
                # Decided here: it is answered. Talk brings its judgement with the reply.
                work.trace.strategy = DEFAULT.reply_strategy
                outcome = await self._outcome(work, "forced" if forced else "core", _resolved(DEFAULT))
        if not outcome.text and not outcome.silent:
            outcome = replace(outcome, text=honest("timeout"))
        work.trace.should_reply = outcome.text is not None
        await self._send(work, outcome, quote=True)

    async def _listen(self, work: _TurnWork) -> None:
        """Overheard: an agent may ask whether it is to take something up. Nothing else comes of it."""
        together = find_agreed_plan(work.turn.context, self._clock.local(self._clock.wall()))
        if together is not None:
            work.trace.reason = "几个人商量定了，问过了或不用问"
            if not await self._ask_plan(work, together):
                work.seat.apply(PresenceEvent.ENDED)
            return
        outcome = await self._outcome(work, "overheard", _resolved(DEFAULT))
        if outcome.status == "blocked" or not outcome.asked:
            outcome = replace(outcome, text=None)  # nobody asked us anything
        work.trace.should_reply = outcome.text is not None
        await self._send(work, outcome, quote=True, sent=PresenceEvent.QUESTION_ASKED)

    async def _join_in(self, work: _TurnWork) -> None:
        """Join in: an echo by saying the same, dense talk by one short line. No analysis."""
        work.trace.strategy = "fishing_reply"
        lead = work.turn.lead
        if lead.trigger is Trigger.ECHO:
            safe = local_verdict(lead.words).verdict == "SAFE" and may_say(lead.message.text)
            text = lead.message.text if safe else None
            outcome = Outcome(text, "completed", "大家在复读，跟一句" if safe else "复读的话不适合跟")
        else:
            outcome = await self._outcome(work, "fishing", _resolved(DEFAULT))
            outcome = replace(outcome, reason=f"大家聊得正热闹（{outcome.reason}）")
            if outcome.status == "blocked":
                outcome = replace(outcome, text=None)  # nobody asked: a refusal would come out of nowhere
        work.trace.should_reply = outcome.text is not None
        await self._send(work, outcome, quote=False, sent=PresenceEvent.UNASKED_SENT)

    async def _judge(self, work: _TurnWork) -> None:
        """Chatter while observing: analyse, reply only where somebody asks or the topic is interesting."""
        trace = work.trace
        if not self._analyst.online:
            work.seat.apply(PresenceEvent.ANALYSED)
            trace.reason = "没有模型，闲聊不插话"
            return
        called_on = continues_with_us(work.turn)
        now = self._clock.monotonic()
        may_speak = called_on or work.seat.presence.may_speak_unasked(now, work.seat.rules)
        plans = self._may_have_plan(work, now)
        why = None if called_on or plans else self._not_worth_a_look(work, now, may_speak=may_speak)
        if why is not None:
            work.seat.apply(PresenceEvent.ANALYSED)
            trace.reason = why
            return
        judging = self._analyst.judge(
            work.turn, work.seat.presence.state, self._decide_deadline(work), trace.calls
        )
        try:
            with trace.timed("analysis"):
                judgement = await work.seat.judge_talk(judging)
        except ModelError as error:
            work.seat.apply(PresenceEvent.ANALYSED)
            _note_check(work.seat, now, plans=plans)
            trace.reason = f"没看明白要不要接话（{error.label}）"
            return
        work.seat.apply(PresenceEvent.ANALYSED)
        if judgement is None:
            trace.reason = "有人叫我，先不看闲聊"
            return
        answers = judgement.should_reply and may_speak
        _note_check(work.seat, now, plans=plans, led=answers)
        if judgement.plan and await self._ask_analysed_plan(work, judgement.plan):
            work.seat.plans = work.seat.plans.after_check(now, led=True)
            return
        if not answers:
            trace.reason = "看了，没什么要说的"
            return
        await self._answer_talk(work, judgement, called_on=called_on)

    async def _answer_talk(self, work: _TurnWork, judgement: Judgement, *, called_on: bool) -> None:
        """Answer talk as it was judged; `called_on`: its speaker goes on talking with us."""
        mode: ReplyMode
        trace = work.trace
        asked = called_on or judgement.is_questioned
        said = work.turn.lead.message
        follows = len(work.turn.items) == 1 and self._core.follows_deed(
            work.turn.conversation, said.user_id, said.time
        )
        asks_work = follows or (asked and self._core.sounds_like_work(work.turn.lead.words))
        if self._work_only(work) and not asks_work:
            trace.reason = NO_TALK
            return
        if asks_work:
            mode, trace.strategy = "forced", "回应追问"  # said to us, and is no talk: an order
        elif judgement.is_interesting and not judgement.is_questioned:
            mode, trace.strategy = "interesting", "参与话题"
        else:  # asked further, or neither flag: whoever spoke gets an answer
            mode, trace.strategy = "questioned", "回应追问"
        outcome = await self._outcome(work, mode, _resolved(judgement), follows=follows)
        trace.should_reply = outcome.text is not None
        await self._send(
            work,
            outcome,
            quote=True,
            sent=PresenceEvent.REPLY_SENT if called_on else PresenceEvent.UNASKED_SENT,
        )

    def _work_only(self, work: _TurnWork) -> bool:
        """True if talk stays unanswered: the feature is off here, or all lines are for work only."""
        if not self._desk.allows(work.turn.conversation, TALK_FEATURE):
            return True
        return all(item.work_only for item in work.turn.items)

    def _may_have_plan(self, work: _TurnWork, now: float) -> bool:
        """True if members may have just made a plan together that is worth a question."""
        return (
            work.turn.conversation.is_group
            and self._hears_plans(work.turn.conversation)
            and work.seat.plans.allows(now)
            and may_make_plan(work.turn.context, self._clock.local(self._clock.wall()))
        )

    def _hears_plans(self, conversation: Conversation) -> bool:
        return self._config.schedule.listen != "off" and self._desk.allows(conversation, "日程监听")

    def _not_worth_a_look(self, work: _TurnWork, now: float, *, may_speak: bool) -> str | None:
        """Why talk among members is left alone, in words; None where it is looked at."""
        if not may_speak:
            return "没人问起，不久前刚插过话，先听着"
        new = [said for said in work.turn.context if not (said.processed or said.is_bot)]
        if all_say_little(said.text for said in new):
            return "只是应声，不用看"
        return None if work.seat.attention.allows(now) else "看了几次都没有要说的，过一会儿再看"

    async def _ask_analysed_plan(self, work: _TurnWork, plan: str) -> bool:
        """Ask whoever set the time of a plan made together whether to note it; whether it was asked."""
        order = locate_plan(plan, work.turn.context, self._clock.local(self._clock.wall()))
        if order is None or not self._hears_plans(work.turn.conversation):
            return False
        return await self._ask_plan(work, order)

    async def _ask_plan(self, work: _TurnWork, order: SettledPlan) -> bool:
        """Ask whoever set the time of a plan whether to note it; whether it was asked."""
        turn = replace(work.turn, items=(replace(work.turn.lead, message=order.said, words=order.words),))
        asking = replace(work, turn=turn)
        outcome = await self._outcome(asking, "overheard", _resolved(DEFAULT), planned=True)
        if outcome.status == "blocked" or not outcome.asked:
            return False
        work.trace.should_reply = outcome.text is not None
        await self._send(asking, outcome, quote=True, sent=PresenceEvent.QUESTION_ASKED)
        return True

    async def _outcome(
        self,
        work: _TurnWork,
        mode: ReplyMode,
        analysis: asyncio.Future[Judgement],
        *,
        planned: bool = False,
        follows: bool = False,
    ) -> Outcome:
        """Outcome of the core within the deadline; an error line if there is none."""
        try:
            async with asyncio.timeout(work.deadline.remaining()):
                with work.trace.timed("captions"):
                    await self._caption(work)
                with work.trace.timed("reply"):
                    return await self._core.handle(self._request(work, mode, analysis, planned, follows))
        except TimeoutError:
            reason = "没有在时限内答出来"
        except Exception as error:  # noqa: BLE001 - a summons is answered whatever an agent does
            self._report("处理消息时出错", error)
            reason = "处理时出错"
        owed = mode in ("forced", "core") and not (
            self._work_only(work) and self._core.only_talk(work.turn.lead.words)
        )
        return Outcome(honest("timeout") if owed else None, "canceled", reason, silent=not owed)

    def _request(
        self,
        work: _TurnWork,
        mode: ReplyMode,
        judgement: asyncio.Future[Judgement],
        planned: bool,
        follows: bool,
    ) -> Request:
        return Request(
            conversation=work.turn.conversation,
            utterances=tuple(
                Utterance(
                    item.message,
                    item.words or item.message.text,
                    item.quoted,
                    superuser=item.superuser,
                    mentions=item.mentions,
                    members=item.members,
                )
                for item in work.turn.items
            ),
            context=work.context,
            reply_mode=mode,
            persona=self._desk.persona(work.turn.conversation),
            bot_names=self._bot_names,
            judgement=judgement,
            now=self._clock.wall(),
            deadline=work.deadline,
            calls=work.trace.calls,
            today=self._clock.today_began(),
            speak_now=lambda text: self._say_at_once(work, text),
            judged=work.trace.judged,
            planned=planned,
            work_only=self._work_only(work),
            follows_deed=follows,
        )

    async def _caption(self, work: _TurnWork) -> None:
        if self._config.llm.vision_model is None or not self._desk.allows(work.turn.conversation, "图片"):
            return
        made = await captions.caption_pictures(
            work.context, self._model, self._decide_deadline(work), work.trace.calls
        )
        by_id = {message.message_id: message for message in made}
        work.context = tuple(by_id.get(message.message_id, message) for message in work.context)
        for message in made:
            await self._desk.set_captions(message, message.captions)

    async def _send(
        self,
        work: _TurnWork,
        outcome: Outcome,
        *,
        quote: bool,
        sent: PresenceEvent = PresenceEvent.REPLY_SENT,
    ) -> None:
        """Claim, say, and let the presence know; nothing where the turn is not ours any more."""
        turn, trace = work.turn, work.trace
        trace.reason = outcome.reason
        if outcome.text is None:
            work.seat.apply(PresenceEvent.ENDED)
            return
        if not work.token.valid:
            return
        work.token.sending = True
        owed = outcome.text if turn.lead.trigger.obligation else None  # talk is not said again after a kill
        if not await self._desk.claim(turn.conversation, turn.ids, owed):
            trace.reason = "这条消息已经答过了"
            work.seat.apply(PresenceEvent.ENDED)
            return
        speech = Speech(
            outcome.text,
            quote=turn.lead.id if quote and turn.conversation.is_group and not turn.lead.poke else None,
            answers=tuple(turn.ids) if quote else (),  # who joins in answers nobody
            pictures=outcome.pictures,
            sign=outcome.told_by_sign and quote and self._desk.allows(turn.conversation, SIGN_FEATURE),
            buttons=tuple(Button(words, words) for words in outcome.buttons),
        )
        try:
            with trace.timed("send"):
                message_id = await self._desk.say(turn.conversation, speech, self._time_left(work.token))
        except SendFailed as error:
            how = "不知道发出去没有" if error.perhaps else "没有发出去"
            trace.reason = f"{outcome.reason}；{how}：{error}"
            work.seat.apply(PresenceEvent.ENDED)
        else:
            work.seat.apply(sent)
            await self._core.delivered(turn.conversation, outcome, message_id)
            if outcome.spoken:
                self._desk.speak(turn.conversation, outcome.text)

    async def _mark_processed(self, work: _TurnWork) -> None:
        """Mark what was considered as processed, and record the decision.

        Messages that must be answered are marked only with the turn that answers them: some may be waiting.
        """
        if not work.token.valid:
            return
        considered = [said.message_id for said in work.turn.context if not (said.processed or said.addressed)]
        record = work.trace.record(work.seat.presence.state, self._clock.wall())
        # Talk that was only looked at keeps nobody waiting: not even the next line, for the disk.
        owed = work.turn.lead.trigger.obligation or work.trace.should_reply
        await self._desk.store_decision(record, work.turn.ids, considered, wait=owed)

    async def _say_patience(self, work: _TurnWork, text: str) -> None:
        if not work.token.valid:
            return
        try:
            await self._desk.say(
                work.turn.conversation, Speech(text, urgent=True), self._time_left(work.token)
            )
        except SendFailed as error:
            self._report("耐心话没有发出去", error)

    async def _say_at_once(self, work: _TurnWork, text: str) -> None:
        """A waiting line of an agent's: it goes out before the reply, and its failure is nobody's problem."""
        if may_say(text):
            await self._say_patience(work, text)

    def _time_left(self, token: LockToken) -> float:
        return max(0.05, token.deadline - self._clock.monotonic())

    def _deadline(self, token: LockToken) -> Deadline:
        """All rounds, agents and calls of one turn share it; what is kept back suffices for a last line."""
        lock = self._config.secretary.lock_timeout
        whole = self._config.llm.timeout + self._config.llm.decide_timeout
        left = token.deadline - self._clock.monotonic() - lock * RESERVE
        return Deadline.after(min(whole, left), self._clock.monotonic)

    def _decide_deadline(self, work: _TurnWork) -> Deadline:
        return work.deadline.earlier(self._config.llm.decide_timeout)


def _note_check(seat: ConversationSeat, now: float, *, plans: bool, led: bool = False) -> None:
    """Talk was looked at, for a plan where `plans`; `led`: something came of it."""
    seat.attention = seat.attention.after_check(now, led=led)
    if plans:
        seat.plans = seat.plans.after_check(now, led=led)


def _resolved(judgement: Judgement) -> asyncio.Future[Judgement]:
    future: asyncio.Future[Judgement] = asyncio.get_running_loop().create_future()
    future.set_result(judgement)
    return future
