"""The chat agent: talks with the persona through the model, and honestly without one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ...language.claims.facts import TurnAction, TurnFacts, asks_of_deeds
from ...language.claims.no_reply import (
    in_another_language,
    is_data,
    is_no_reply,
    names_nobody,
    spoken,
    without_model_talk,
)
from ...language.clause import Situation
from ...llm import OWN, ChatMessage, ModelClient, ModelError
from ...memory import Transcript, clean_name
from ...prompts import parts
from ...storage import StorageError
from ...storage.records import Conversation
from ...truth import LOOKED, kinds_of
from ...truth.reply_length import LONGEST_REPLY, cut_reply
from ..api.dispatch import TaskDispatch, TaskResult
from ..api.judgement import DEFAULT, Judgement
from ..api.request import ReplyMode, Request
from ..api.spec import AgentSpec, Intent, MemoryPolicy
from ..api.task_context import TaskContext
from . import offline
from .asking import ChatAsker, ChatReply, may_offer
from .honesty import HEARD, correction, without_false_claims
from .judged import judged
from .offering import ASKED, OFFERED, Reads, WhyNot, answers, in_words
from .prompt import ChatFacts, kept_lines, messages
from .tools import Lookups
from .without_model import WithoutModel

Coming = Callable[[Conversation, str, datetime], Awaitable[Sequence[str]]]
"""Plans of a conversation from now on, a line each; a member's own in private. Raises
`StorageError`."""
_CHATTER: Final[tuple[ReplyMode, ...]] = ("questioned", "interesting", "fishing")
"""Ways in which silence is an answer."""
_SHOWN: Final = 60
_JOINED: Final = 20
"""Lines of the talk that a reply is made from; that a short word of joining in is."""
_UNASKED: Final[tuple[ReplyMode, ...]] = ("interesting", "fishing")
_OURS: Final = 20
"""Our own earlier lines in which deeds are looked for."""
OFFER_HOLDS: Final = 180.0
"""Seconds in which 好的 takes an offer up."""
NOT_WANTED: Final = "好，那就不办。"
SAY_IT: Final = "要办就直接说做什么、什么时候。"
REST: Final = 600.0
"""Seconds in which a member is not told again that they are too fast."""
_READ: Final = 4 * LONGEST_REPLY
"""Characters of a model's words that are looked at: thoughts and frames around what may be said."""
_AGAIN: Final = 3.0
"""Seconds that must be left for a reply to be asked for once more."""


def _never(order: str, where: Situation) -> bool:
    """A reply to several, or to nobody, offers nothing: whose yes would it be?"""
    return False


async def _no_plans(conversation: Conversation, user_id: str, now: datetime) -> Sequence[str]:
    return ()


@dataclass(slots=True)
class _CheckedReply:
    """A model's reply after its checks: the text, or the reason for none."""

    text: str | None
    why: str
    nothing: bool = False
    """The model returned the "no reply" marker."""


class ChatAgent:
    """Answers by `chat_reply`. Where no model answers, says so in words that tell no details."""

    def __init__(
        self,
        model: ModelClient,
        name: str,
        rounds: int = 10,
        *,
        coming: Coming = _no_plans,
        crisis: Callable[[], str] = lambda: "",
        lookups: Lookups | None = None,
        reads: Reads | None = None,
        why_not: WhyNot | None = None,
    ) -> None:
        """`name` is the secretary's; `rounds` of M1 are shown to the model, as far as the talk at hand does
        not hold them already. `coming` tells what is planned, `crisis` is what is said to who is in despair,
        `lookups` are its tools and `reads` tells which orders may be offered, `why_not` why one
        may not.
        """
        self._model = model
        self._name = name
        self._rounds = rounds
        self._coming = coming
        self._crisis = crisis
        self._asker = ChatAsker(model, lookups, reads, why_not)
        self._reads = reads
        self._offers: dict[str, str] = {}
        """Orders offered in replies that are being made, by the task's origin."""
        self._local = WithoutModel(name)
        self._told: dict[tuple[str, Conversation, str | None], float] = {}
        """Limits told, by conversation and member: the day, or the time (wall seconds)."""

    def spec(self) -> AgentSpec:
        """Specification for the core. Its rules match nothing: chat is what is left where no agent fits."""
        return AgentSpec(
            code="chat",
            name="聊天",
            intents=(
                Intent("chitchat", "闲聊、问候、提问，不需要办事", ("在吗", "你觉得呢"), reads_only=True),
            ),
            boundary="一切不用办事的话：闲聊、问候、知识问题、对秘书说的感想。",
            handler=self.handle,
            rules=lambda clause: None,
            answers=answers,
            memory=MemoryPolicy(turns=self._rounds, group=True),
        )

    async def handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """One reply to all utterances of the request; several are named."""
        if context.open is not None and context.bound is not None and context.bound.relation == "cancel":
            context.reason = "成员不要"
            return TaskResult(dispatch.task_id, "canceled", {OFFERED: None}, user_response=NOT_WANTED)
        text, context.reason = await self._reply(context)
        order = self._offers.pop(context.origin, None)
        if text is not None and order is not None:
            context.reason = "提议了一件事，等回答"
            context.keep_until = context.request.now + OFFER_HOLDS
            return TaskResult(dispatch.task_id, "awaiting_user", {OFFERED: order}, ("answer",), None, text)
        status = "canceled" if text is None else "completed"
        return TaskResult(dispatch.task_id, status, user_response=text)

    async def _reply(self, context: TaskContext) -> tuple[str | None, str]:
        """Text of the reply, and the reason."""
        request = context.request
        known = None if request.reply_mode == "fishing" else offline.answer(request.lead.words)
        if known is not None and len(request.utterances) == 1:
            return known, "本地应答"
        if not self._model.online:
            return self._without_model(context, "没有配置模型")
        facts = await self._load_facts(context)
        asked_along = request.reply_mode == "forced"  # the judgement comes with the reply
        judgement = None if asked_along or request.reply_mode == "fishing" else await self._judgement(request)
        keep = [said.message.message_id for said in request.utterances]
        few = _JOINED if request.reply_mode == "fishing" else _SHOWN
        transcript = Transcript(request.context, keep=keep, lines=few)
        asked = messages(context, transcript, judgement, self._name, facts)
        try:
            answered = await self._asker.reply(context, asked)
            asked, said = answered.messages, answered.text
            found, said = judged(said)  # some answer with the object although words alone are wanted
            if asked_along and found is not None and request.judged is not None:
                request.judged(found)
        except ModelError as error:
            return self._without_model(context, f"模型没有答复（{error.label}）", error.kind)
        read = self._check_reply(said, request, transcript)
        if read.text is None and not read.nothing and request.reply_mode not in _UNASKED:
            read = await self._ask_again(context, asked, said, transcript) or read
        if read.text is None:
            if read.nothing:
                return (None if request.reply_mode in _CHATTER else _naming(request, HEARD)), read.why
            return self._without_model(context, read.why, "invalid")
        known = _gather_facts(context, transcript, facts, answered)
        text, why = await self._hold_to_facts(context, asked, transcript, read.text, known)
        text = None if text is None else self._keep_offer(context, text, answered.order)
        return (None if not text else _naming(request, text)), why

    def _keep_offer(self, context: TaskContext, text: str, order: str | None) -> str | None:
        """The reply with its offer kept for a yes, and without offers that nothing stands behind."""
        mode = context.request.reply_mode
        alone = may_offer(context)
        if self._reads is None:
            return text
        if order is None:
            reads = self._reads if alone else _never
            text, order = in_words(text, context.clause.situation, reads, context.text)
            if not text:
                return None if mode in _CHATTER or context.partial else SAY_IT
        elif not text.rstrip("。！!~ ").endswith(("?", "？", "吗", "么", "不")):
            text = f"{text}\n{ASKED.format(order=order)}"
        if order is not None and alone:
            self._offers[context.origin] = order
        return text

    def _check_reply(self, said: str, request: Request, transcript: Transcript) -> _CheckedReply:
        """A model's answer as a reply: what is none is not said."""
        said = said[:_READ]
        text = cut_reply(transcript.named(spoken(said, (self._name, *request.bot_names))))
        only_thought = not text and said.lstrip().startswith("<")
        if only_thought or not said.strip() or is_data(text):
            return _CheckedReply(None, "模型的答复不是一句话")
        if is_no_reply(text):
            return _CheckedReply(None, "模型认为不用说什么", nothing=True)
        text = without_model_talk(text)
        if not text or in_another_language(text, "\n".join(one.words for one in request.utterances)):
            return _CheckedReply(None, "模型说自己是模型，或没有用中文")
        if names_nobody(text, "\n".join(line.text for line in transcript.lines)):
            return _CheckedReply(None, "模型的答复里有代号")
        return _CheckedReply(text, "模型答复")

    async def _ask_again(
        self, context: TaskContext, asked: Sequence[ChatMessage], said: str, transcript: Transcript
    ) -> _CheckedReply | None:
        """Ask once more for words where the answer was data; None where that fails."""
        request = context.request
        if request.deadline.remaining() < _AGAIN or not is_data(said.strip()):
            return None
        told = ChatMessage("user", parts("chat_reply")["again"])
        again = [*asked, ChatMessage("assistant", said[:LONGEST_REPLY]), told]
        try:
            words = judged(await self._asker.ask_text(context, again))[1]
        except ModelError:
            return None
        return self._check_reply(words, request, transcript)

    async def _hold_to_facts(
        self,
        context: TaskContext,
        asked: list[ChatMessage],
        transcript: Transcript,
        text: str,
        known: TurnFacts,
    ) -> tuple[str | None, str]:
        """The reply, if what it says of deeds is true; else asked for once more, else in honest words."""
        request = context.request
        false = known.false_in(text)
        if not false:
            return text, "模型答复"
        if request.deadline.remaining() >= _AGAIN and request.reply_mode not in _UNASKED:
            told = ChatMessage("user", correction(false, known.done, context.told))
            try:
                again = await self._asker.ask_text(context, [*asked, ChatMessage("assistant", text), told])
                again = judged(again)[1]
            except ModelError:
                again = ""
            second = self._check_reply(again, request, transcript).text if again else None
            if second is not None:
                text, false = second, known.false_in(second)
                if not false:
                    return text, "模型说了没办的事，重说了一遍"
        left, line = without_false_claims(text, false)
        if request.reply_mode in _UNASKED or context.told:
            # Nobody asked; or the reply's other parts tell what was done.
            return left or None, "模型说了没办的事，那句没有说"
        return "\n".join(part for part in (left, line) if part), "模型说了没办的事，换成了实话"

    async def _load_facts(self, context: TaskContext) -> ChatFacts:
        """Facts for chat besides the talk; plans that cannot be read are None."""
        try:
            coming = tuple(await self._coming(context.conversation, context.actor.user_id, context.now))
        except StorageError:
            coming = None
        return ChatFacts(context.now, coming, self._model.sees, self._crisis())

    async def _judgement(self, request: Request) -> Judgement:
        return await request.judgement if request.reply_mode != "core" else DEFAULT

    def _without_model(
        self, context: TaskContext, reason: str, kind: str = "offline"
    ) -> tuple[str | None, str]:
        request = context.request
        if request.reply_mode in _UNASKED or (request.reply_mode == "questioned" and kind != "invalid"):
            return None, reason
        if context.told and kind == "offline":
            return self._local.answer_rest(request, context.now, context.clause), reason
        if kind in OWN and not self._is_first_notice(kind, request):
            kind = "spent"
        return _naming(request, self._local.answer(request, context.now, kind)), reason

    def _is_first_notice(self, kind: str, request: Request) -> bool:
        """A limit is to be told: a group's once a day there, a member's once a day to them, and that they are
        too fast once in a while."""
        self._told = {
            told: at
            for told, at in self._told.items()
            if (at == request.today if told[0] != "pace" else 0 <= request.now - at < REST)
        }
        told = (kind, request.conversation, None if kind == "budget" else request.lead.user_id)
        first = told not in self._told
        if first:
            self._told[told] = request.now if kind == "pace" else request.today
        return first


def _gather_facts(
    context: TaskContext, transcript: Transcript, facts: ChatFacts, answered: ChatReply
) -> TurnFacts:
    """Facts against which a reply is checked."""
    ours = [line.text for line in transcript.lines if line.is_bot]
    ours += [said.text for said in context.history if said.role == "assistant"]
    words = "\n".join(said.words for said in context.request.utterances)
    looked = answered.looked or LOOKED in context.beside
    done = "\n".join(context.told)
    things = (*context.things, *("" for _ in context.beside[len(context.things) :]))
    deeds = [
        TurnAction(kinds_of([tool]), f"{thing}\n{done}".strip())
        for tool, thing in zip(context.beside, things, strict=False)
    ]
    return TurnFacts(
        deeds=(*deeds, *((TurnAction(kinds_of([LOOKED])),) if looked else ())),
        kept=(
            *kept_lines(facts.coming or (), context.clause.situation.things),
            *answered.found,
            *context.told,
        ),
        shown=facts.coming is not None,
        looked=looked,
        talk=tuple(f"{line.name}：{line.text}" for line in transcript.lines if not line.is_bot),
        told=tuple(line[:LONGEST_REPLY] for line in ours[-_OURS:]),
        asked=asks_of_deeds(words[-LONGEST_REPLY:]),
        people=frozenset(line.name for line in transcript.lines if not line.is_bot and len(line.name) > 1),
        now=context.now,
    )


def _naming(request: Request, text: str) -> str:
    """A joint reply names everybody it answers: those the text does not mention are put in front."""
    names = list(dict.fromkeys(clean_name(said.message.name) for said in request.utterances))
    missing = [name for name in names if name not in text]
    if len(names) < 2 or not missing:
        return text
    return f"{'、'.join(missing)}：{text}"
