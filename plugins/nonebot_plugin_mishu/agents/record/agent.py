"""Agent 群记录: summaries from the ledger; a model's sentences only after a check."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, get_args

from ...config import Config
from ...language.lines import facts as reading
from ...language.lines.check import Sentence
from ...language.lines.line import RecordLine
from ...language.lines.record_questions import Kind, RecordQuestion
from ...language.lines.spans import RecordSpan, today
from ...llm import CallLog, Deadline, ModelClient
from ...record import Findings, gather, plain_form, quoted
from ...storage import Storage
from ...storage.records import Conversation
from ..api.builtin_codes import ACTS
from ..api.dispatch import TaskDispatch, TaskResult
from ..api.frame import refs_of
from ..api.ports import Announcer
from ..api.spec import AgentSpec, Intent, Slot
from ..api.task_context import TaskContext
from ..drafting import concerns
from .agreeing import Agreeing, polls_told
from .digest import CALL, SPENT, Digests
from .facts import CODE, FactsOfGroup, Withdrawn, not_withdrawn
from .finding import NONE, Finder, cut, through
from .lookup import LookUp
from .names import Card, MemberNames
from .picture import TIMEOUT, drawn
from .ports import Came, RecordLedger
from .rules import claims, read, rules
from .telling import Telling, ToldRecord, ToldSpan

FEATURE: Final = "群记录"
LONGEST: Final = 900
"""Longest summary (characters) with a model's sentences; without one it is `record.LONGEST`."""
_JUST_NOW: Final = timedelta(minutes=5)
_LATE: Final = timedelta(hours=1)
"""Span for an asker who spoke just now and so missed nothing since."""
_DAY: Final = timedelta(days=1)
_MINUTES: Final = 25.0
"""Seconds for the week's minutes; the rest is summarised by rules."""
_DECIDED_LATELY: Final = timedelta(hours=6)
"""Look-back of 刚才定了什么, and of 定了什么 in the small hours."""
_EARLY: Final = 5
_LONGEST_AWAY: Final = timedelta(days=7)
SLOTS: Final = (
    Slot("words", intents=("find",)),
    Slot("period", intents=("catch_up", "sum_up", "decisions")),
    Slot("fact", intents=("remember", "forget", "fact")),
    Slot("ref", intents=("remember", "forget", "fact")),
)
"""For a model only: the words to look for, of which time, the fact as it is said, the id of the kept one."""
_TALKING: Final = timedelta(minutes=10)
_BUSY: Final = 6
"""Lines of the last ten minutes from which the group is busy."""
HANDED: Final = "{count} 句，私聊发给你了。"
"""Short notice in a busy group."""
QUIET: Final = "这段时间群里没有人说话。"
NOT_YET: Final = "那段时间还没到呢。"


class RecordAgent:
    """Summaries and search for the conversation of the request, and no other."""

    def __init__(
        self,
        storage: Storage,
        model: ModelClient,
        config: Config,
        wall: Callable[[], float] = time.time,
        allows: Callable[[Conversation, str], Awaitable[bool]] | None = None,
        today_began: Callable[[], float] = lambda: 0.0,
        withdrawn: Withdrawn = not_withdrawn,
        came: Came | None = None,
        *,
        card: Card | None = None,
        announcer: Announcer | None = None,
    ) -> None:
        """`wall` is the clock in seconds, `today_began` when its day began; `withdrawn` takes lines that are
        told no more out of what is in memory; `came` tells when somebody came into a group, `card` what
        they are called; `announcer` hands over what is for one member alone."""

        async def spent(conversation: Conversation) -> int:
            used = await storage.usage.between(today_began(), None, conversation)
            return sum(each.prompt_tokens + each.completion_tokens for each in used if each.call == CALL)

        self._storage = storage
        self._ledger: RecordLedger = storage.ledger
        self._model = model
        self._allows = allows
        self._zone = config.zone
        self._timeout = config.llm.timeout
        self._came: Came = came or storage.joins.since
        self._announcer = announcer
        names = MemberNames(card)
        self._finder = Finder(storage.ledger, config.zone, self._came, names)
        self._look_up = LookUp(storage.ledger, config.zone, self._came, storage.schedules.live, names)
        self._telling = Telling(
            storage.ledger,
            Digests(model, storage.span_digests, spent, config.record.daily_tokens),
            model,
            config.zone,
            names,
        )
        self._agreeing = Agreeing(storage, config, wall)
        self._facts = FactsOfGroup(storage, config.zone, withdrawn)

    def spec(self) -> AgentSpec:
        """The agent, for the registry."""
        return AgentSpec(
            code=CODE,
            own_words=True,
            name=FEATURE,
            intents=(
                Intent(
                    "catch_up", "问不在的时候群里说了什么", ("我错过了什么", "刚才聊了啥"), reads_only=True
                ),
                Intent("sum_up", "总结一段时间的群聊", ("总结一下今天", "上午的会说了啥"), reads_only=True),
                Intent(
                    "decisions",
                    "问群里定了什么、有什么要做的",
                    ("今天定了什么", "群里有什么待办"),
                    own_mood=True,
                ),
                Intent("remember", "要群里记住一件事，或改记着的", ("记住：WiFi密码是12345678",)),
                Intent("forget", "要忘掉记住的一件事", ("忘掉WiFi密码",)),
                Intent("fact", "问群里记住的一件事", ("群规是什么",), reads_only=True),
                Intent("facts", "问群里都记住了什么", ("群里记住了什么",), reads_only=True),
                Intent("calls", "问谁@过自己、找过自己", ("有人@我吗", "谁找我了"), reads_only=True),
                Intent(
                    "look_up",
                    "问群里说好的事（几点、在哪、谁负责）",
                    ("周六几点集合来着", "谁负责买水"),
                    reads_only=True,
                ),
                Intent("shared", "问群里发过的文件和链接", ("群里有什么文件", "链接在哪"), reads_only=True),
                Intent(
                    "find", "在群聊记录里找谁说过什么", ("谁说过报销", "找一下关于报销的"), reads_only=True
                ),
            ),
            boundary="只说本群的聊天记录里有的话：回顾、总结、查找；记住、忘掉群里的事（密码、地址、群规）。"
            "任务、日程、账目归各自的助手。",
            handler=self.handle,
            rules=rules,
            claims=claims,
            read=read,
            slots=SLOTS,
            acts=ACTS[CODE],
            answers=concerns,
            expire=self._agreeing.expire,
            drop=self._agreeing.drop,
            insertable=True,
            feature=FEATURE,
        )

    async def answer_from_talk(self, context: TaskContext) -> str | None:
        """Answer from the talk to a question that no kept thing answers. Raises `StorageError`."""
        return await self._look_up.beside(context) if await self._allowed(context.conversation) else None

    async def sentences(self, conversation: Conversation, since: float, until: float) -> list[Sentence]:
        """A span (wall seconds) in sentences with their lines, for whoever may see all of the group: a
        model's that hold, and what the rules find beside them, by quotation. Raises `StorageError`."""
        clock = asyncio.get_running_loop().time
        deadline = Deadline.after(self._timeout, clock)
        told = await self._telling.told(conversation, ToldSpan(since, until), deadline, CallLog())
        return [*told.sentences, *quoted(told.found, told.sentences)]

    async def minutes(self, conversation: Conversation, since: float, until: float) -> str | None:
        """A long span (wall seconds) for the whole group, day by day; None where nobody spoke. Raises
        `StorageError`."""
        if not await self._allowed(conversation):
            return None
        deadline = Deadline.after(_MINUTES, asyncio.get_running_loop().time)
        lines: list[RecordLine] = []
        sentences: list[Sentence] = []
        start = since
        while start < until:
            day = ToldSpan(start, min(start + _DAY.total_seconds(), until))
            told = await self._telling.told(conversation, day, deadline, CallLog(), 1)
            lines += told.found.lines
            sentences += told.sentences
            start = day.until
        found = await asyncio.to_thread(gather, lines)
        return plain_form(found, sentences, longest=LONGEST) if lines else None

    async def decided(self, conversation: Conversation, since: float, until: float) -> list[str]:
        """Decisions of a group in a span (wall seconds), by quotation. Raises `StorageError`."""
        if not await self._allowed(conversation):
            return []
        found = await self._telling.found(conversation, ToldSpan(since, until))
        by_id = {line.id: line for line in found.lines}
        settled = (by_id[key] for key in found.decided if key in by_id)
        return [f"{line.name}「{cut(line.text)}」" for line in settled]

    async def handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """Summary or search. Raises `StorageError` where the ledger cannot be read."""
        if context.open is not None:
            return await self._agreeing.hear(dispatch, context)
        wanted = _wanted(context, dispatch.slots)
        match wanted.kind:
            case "decisions":
                return await self._decided(dispatch, context, wanted)
            case "remember":
                text = await self._facts.remember(context, wanted)
            case "forget":
                text = await self._facts.forget(context, wanted)
            case "fact":
                text = await self._facts.show(context, wanted)
            case "facts":
                text = await self._facts.list(context)
            case "find":
                text = await self._finder.find(context, wanted)
            case "look_up" if wanted.question is not None:
                text = await self._look_up.answer(context, wanted.question)
            case "look_up":
                text = NONE  # what is asked for was not read: nobody asked to be told of the whole talk
            case "shared":
                text = await self._look_up.shared(context, wanted)
            case "calls":
                text = await self._finder.calling(
                    context, wanted.span or RecordSpan(context.now - _DAY, context.now)
                )
            case _:
                text = await self._tell(context, wanted)
        if wanted.picture:
            text = await self._drawn(context, text)
        return TaskResult(dispatch.task_id, "completed", user_response=text)

    async def _drawn(self, context: TaskContext, text: str) -> str:
        """First line of a summary, with all of it as a picture behind; as text if none can be drawn."""
        picture = await drawn(text, context.deadline.earlier(TIMEOUT).remaining())
        if isinstance(picture, str):
            return f"{text}\n{picture}"
        context.pictures.append(picture)
        return text.partition("\n")[0]

    async def _allowed(self, conversation: Conversation) -> bool:
        return self._allows is None or await self._allows(conversation, FEATURE)

    async def _tell(self, context: TaskContext, wanted: RecordQuestion) -> str:
        stretch = await self._stretch(context, await self._span(context, wanted))
        if stretch is None:
            return NOT_YET
        told = await self._telling.told(context.conversation, stretch, context.deadline, context.calls)
        if not told.found.lines:
            return QUIET
        context.reason = f"{told.why}，按记录摘录" if told.why else context.reason or "按记录摘录"
        polls = await polls_told(self._storage, context.conversation, stretch.since)
        if told.sentences:
            context.reason = "模型的话逐句核对过"
            text = _noted(told, plain_form(told.found, told.sentences, longest=LONGEST))
        else:
            text = _noted(told, plain_form(told.found))
        text = f"{text}\n{polls}" if polls else text
        if (
            wanted.kind == "catch_up"
            and not (wanted.picture or wanted.aloud)
            and _is_busy(told.found, context.now)
        ):
            return await self._privately(context, text, len(told.found.lines))
        return text

    async def _privately(self, context: TaskContext, text: str, count: int) -> str:
        """Private answer to the asker with a short notice in the group; in the group if it cannot be
        delivered."""
        here = context.conversation
        if self._announcer is None or not here.is_group:
            return text
        handed = await self._announcer.hand_over(here, context.actor.user_id, lambda _: text)
        return HANDED.format(count=count) if handed else text

    async def _decided(
        self, dispatch: TaskDispatch, context: TaskContext, wanted: RecordQuestion
    ) -> TaskResult:
        """Decisions and to-dos, with a card: read by rules, without a model."""
        span = wanted.span
        if span is None:
            recent = wanted.lately or context.now.hour < _EARLY
            span = RecordSpan(context.now - _DECIDED_LATELY, context.now) if recent else today(context.now)
        stretch = await self._stretch(context, span)
        if stretch is None:
            return TaskResult(dispatch.task_id, "completed", user_response=NOT_YET)
        found = await self._telling.found(context.conversation, stretch)
        return await self._agreeing.show(
            dispatch, context, found, since=stretch.since, card=wanted.card, kept=wanted.kept
        )

    async def _stretch(self, context: TaskContext, span: RecordSpan) -> ToldSpan | None:
        """The span as it is read, for who asks: what was said while they were in the group. None: not yet."""
        said = context.utterance.message
        if span.since is None or span.since >= context.now:
            return None
        since = span.since.timestamp()
        joined = await self._came(context.conversation, said.user_id)
        until = through(said) if span.until >= context.now else span.until.timestamp()
        name = context.actor.name
        return ToldSpan(max(since, joined or since), until, said.order, said.user_id, name)

    async def _span(self, context: TaskContext, wanted: RecordQuestion) -> RecordSpan:
        """Span of the question; else since the asker's last line here, or today."""
        now = context.now
        if wanted.span is not None:
            return wanted.span
        if wanted.kind == "sum_up":
            return today(now)
        said = context.utterance.message
        last = await self._ledger.last_said(context.conversation, said.user_id, said.time)
        # Just behind the line, which excludes it: times are kept to the microsecond.
        since = now - _DAY if last is None else datetime.fromtimestamp(last + 1e-3, self._zone)
        if now - since < _JUST_NOW:
            since = now - _LATE
        return RecordSpan(max(since, now - _LONGEST_AWAY), now)


def _is_busy(found: Findings, now: datetime) -> bool:
    """True if several members talk at the moment, so that a long answer would interrupt them."""
    late = [line for line in found.lines if now - line.at <= _TALKING]
    return len(late) >= _BUSY and len({line.user_id for line in late}) > 1


def _noted(told: ToldRecord, text: str) -> str:
    return f"{text}\n（{SPENT}，先按记录摘录）" if told.spent else text


def _wanted(context: TaskContext, slots: Mapping[str, Any]) -> RecordQuestion:
    """The question: the rules' reading, with the slots of a model."""
    kind, frame = _kind(context.intent), context.frame
    words, ref = str(slots.get("fact") or ""), refs_of(slots)
    found = frame if isinstance(frame, RecordQuestion) else RecordQuestion(kind)
    if kind == "remember" and words:
        found = replace(found, what=found.what or reading.fact_of(words)[0], content=found.content or words)
    elif kind in ("forget", "fact") and words:
        found = replace(found, what=found.what or reading.subject_of(words))
    return replace(found, ref=ref[0]) if len(ref) == 1 else found


def _kind(intent: str) -> Kind:
    """Question kind of that name; `catch_up` for an unknown one."""
    found: Kind = "catch_up"
    for each in get_args(Kind):
        found = each if each == intent else found
    return found
