"""The handler of polls: frames in, words out. A voice in the group is counted without a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from ...language.clause import Mention
from ...language.polls.lists import PastedList
from ...language.polls.orders import PollDraft, PollOrder, takes_end_back
from ...language.polls.results import dated
from ...language.polls.voices import PollVoice
from ...storage.polls.records import NAMED, Cast, PollAnswer, PollFields, PollRecord, VoiceGiven, seated
from ..api.dispatch import TaskDispatch, TaskResult
from ..api.spec import Undo
from ..api.task_context import TaskContext
from ..chat.offering import OFFERED
from . import wording
from .executor import PollExecutor, PollRefused
from .frames import PollFrame
from .wording import NAMES

CLOSED: Final = "_closed"
"""The note of an offer: the poll whose end it follows, which 撤销 opens again."""
UNDO_ANSWERED: Final = "「{question}」已经有 {count} 人回了，没有撤。不要了就说「取消」它，比如「取消投票」。"
REOPENED: Final = "撤销了：「{question}」又开着了。"
CLOSES: Final = "_closes"
"""The note of a task: the poll that is ended by a yes."""
DELETES: Final = "_deletes"
"""The note of a task: the poll that is deleted by a yes."""
NONE_OPEN: Final = "现在没有开着的投票、报名或统计。"
NOT_READ: Final = "没听懂要投什么，比如：投个票 周六还是周日去爬山，周五截止。"
NOT_HERE: Final = "投票、报名、统计在群里才办得了。"
NOTHING_DONE: Final = "没听明白，「{question}」没有动。"
ENDS: Final = "要现在截止「{question}」吗？"
WHICH_ENDS: Final = "要截止哪个？说上名字，比如「截止火锅投票」。"
HOW: Final[Mapping[str, str]] = {
    "vote": "要投就回编号或选项，要截止就说「截止」。",
    "signup": "要报就回「+1」，不去就回「不去了」，要截止就说「截止」。",
    "count": "要就回「要2份」这样的数量，要截止就说「截止」。",
}
"""What to say instead, by the form of the poll"""
_SAID: Final = 40


def _not_read(context: TaskContext) -> str:
    """What is said of a line in which only a model reads something of a poll: that nothing was counted or
    ended, of the newest open one."""
    if context.intent == "make":
        return NOT_READ
    open_ = [each for each in context.clause.situation.polls if not each.closed]
    if not open_:
        return NONE_OPEN
    poll = max(open_, key=lambda each: each.touched_at)
    return f"{NOTHING_DONE.format(question=poll.question)}{HOW[poll.form]}"


class PollAgent:
    """Does what lines say of polls."""

    def __init__(self, executor: PollExecutor) -> None:
        self._polls = executor

    async def handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """One task. Raises `StorageError`."""
        if not context.conversation.is_group:
            return TaskResult(dispatch.task_id, "canceled", user_response=NOT_HERE)
        try:
            if context.open is not None:
                return await self._answered(dispatch, context)
            return await self._do(dispatch, context)
        except PollRefused as why:
            return TaskResult(dispatch.task_id, "canceled", user_response=why.text)

    async def undo(self, undo: Undo) -> str | None:
        """Take a poll or a voice back."""
        poll_id = int(undo.token["poll"])
        try:
            poll = await self._polls.require(poll_id)
        except PollRefused:
            return None
        try:
            match undo.token["what"]:
                case "make":
                    if any(each.user_id != undo.user_id for each in poll.given):
                        return UNDO_ANSWERED.format(question=poll.fields.question, count=len(poll.given))
                    await self._polls.undo_make(poll)
                    return None
                case "close":
                    opened = await self._polls.reopen(poll)
                    return None if opened else f"「{poll.fields.question}」现在就开着。"
                case "change":
                    values: dict[str, Any] = dict(undo.token["before"])
                    values["options"] = tuple(values["options"])
                    await self._polls.put_fields_back(poll, PollFields(**values))
                    return None
                case _:
                    pass
        except PollRefused as why:
            return why.text
        before = undo.token["before"]
        if not poll.open:
            return f"「{poll.fields.question}」已经截止了，改不了。"
        kept = None if before is None else PollAnswer(**before)
        await self._polls.put_back(poll_id, str(undo.token["of"]), kept)
        return None

    async def _answered(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """The yes or no to a deletion."""
        assert context.open is not None
        closed = context.open.slots.get(CLOSED)
        if closed is not None and takes_end_back(context.clause.text):
            poll = await self._polls.require(int(closed))
            await self._polls.reopen(poll)
            text = REOPENED.format(question=poll.fields.question)
            return TaskResult(dispatch.task_id, "canceled", user_response=text)
        poll_id = context.open.slots.get(DELETES)
        closes = context.open.slots.get(CLOSES)
        if closes is not None and context.bound is not None and context.bound.relation == "confirm":
            return await self._close(dispatch, context, await self._polls.require(int(closes)))
        if poll_id is None or context.bound is None or context.bound.relation != "confirm":
            return TaskResult(dispatch.task_id, "canceled", user_response="好，没有动。")
        return await self._deleted(dispatch, context, int(poll_id))

    async def _do(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        frame = context.frame if isinstance(context.frame, PollFrame) else PollFrame()
        if frame.voice is not None and frame.poll is not None:
            if not context.sure or frame.doubts:
                offered = frame.doubts or context.clause.text
                return await self._ask(dispatch, context, frame.poll, frame.voice, offered)
            return await self._voice(dispatch, context, frame.poll, frame.voice)
        if frame.pasted is not None and frame.poll is not None:
            return await self._pasted(dispatch, context, frame.poll, frame.pasted)
        if frame.made is not None:
            return await self._make(dispatch, context, frame.made)
        if frame.order is None:
            return await self._guessed(dispatch, context)
        if frame.order.why:
            raise PollRefused(frame.order.why)
        return await self._order(dispatch, context, frame.order, frame.poll)

    async def _guessed(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """A line in which only a model reads something of a poll: a question is answered, an end is asked
        about first, for everything else it is said that nothing was done."""
        here = context.clause.situation.polls
        open_ = [each for each in here if not each.closed]
        if context.intent not in ("show", "close") or not (open_ or (here and context.intent == "show")):
            return TaskResult(dispatch.task_id, "canceled", user_response=_not_read(context))
        if len(open_) > 1:
            text = await self._listed(context)
            which = f"\n{WHICH_ENDS}" if context.intent == "close" else ""
            return TaskResult(dispatch.task_id, "completed", user_response=f"{text}{which}")
        poll = await self._polls.require(max(open_ or here, key=lambda each: each.touched_at).id)
        if context.intent == "show":
            await self._polls.touch(poll)
            text = wording.state(poll, self._polls.zone)
            return TaskResult(dispatch.task_id, "completed", user_response=text)
        if not self._may(context, poll):
            await self._polls.close(context.actor, poll.id)  # refused, in its words
        text = ENDS.format(question=poll.fields.question)
        return TaskResult(
            dispatch.task_id, "awaiting_user", {CLOSES: poll.id}, ("answer",), user_response=text
        )

    async def _make(self, dispatch: TaskDispatch, context: TaskContext, made: PollDraft) -> TaskResult:
        if made.why:
            raise PollRefused(made.why)
        closes_at = made.closes_at.timestamp() if made.closes_at is not None else None
        fields = PollFields(
            made.form,
            made.question,
            made.options,
            made.places,
            closes_at,
            made.anonymous,
            made.several,
        )
        voices = () if made.lists is None else self._entries(context, made.lists)
        if made.joins:
            voices = (_own_voice(context, made.joins),)
        poll = await self._polls.make(
            context.conversation, context.actor, fields, context.origin, voices, made.call_ahead
        )
        context.undoable(f"发起{NAMES[made.form]}「{made.question}」", {"what": "make", "poll": poll.id})
        context.acted("create_poll", {"question": made.question, "kind": made.form}, {"id": poll.id})
        card = wording.card(poll, self._polls.zone)
        if made.call_ahead is not None and closes_at is not None:
            calls_at = closes_at - made.call_ahead * 60
            ahead = wording.CALLS_AT if calls_at > context.request.now else wording.TOO_LATE_TO_CALL
            card += "\n" + ahead.format(at=wording.say_moment(calls_at, self._polls.zone))
        return TaskResult(dispatch.task_id, "completed", user_response=card)

    # Voices

    async def _voice(
        self, dispatch: TaskDispatch, context: TaskContext, poll_id: int, voice: PollVoice
    ) -> TaskResult:
        called = is_called(context)
        if voice.relation == "unclear":
            raise PollRefused(voice.why)
        people = self._meant(context, voice)
        amounts = await self._amounts(poll_id, voice, people)
        voices = [
            VoiceGiven(
                each.user_id,
                each.name,
                voice.relation == "take" and amount > 0,
                voice.choice,
                max(amount, 1),
                context.actor.user_id,
                context.actor.name,
                "line",
                context.utterance.words[:_SAID],
                context.origin,
                context.request.now,
                voice.choices,
            )
            for each, amount in zip(people, amounts, strict=True)
        ]
        casts = await self._polls.answer(poll_id, voices)
        last = casts[-1].poll
        for cast, each in zip(casts, voices, strict=True):
            if cast.counted:
                context.acted("answer_poll", {"poll": poll_id, "member": each.user_id}, {"id": poll_id})
        if len(casts) == 1 and casts[0].counted:
            self._note_undo(context, casts[0], voices[0])
        others = [each for each in people if each.user_id != context.actor.user_id]
        lines = [
            said
            for cast, each in zip(casts, people, strict=True)
            if (said := _told(cast, each, voice, called=called, other=each in others))
        ]
        done = await self._polls.close_complete(last) if await self._polls.all_answered(last) else None
        if done is not None:
            lines.append(f"都回了。\n{wording.result(done)}\n{wording.offers(done)}".rstrip())
        elif called and len(casts) == 1 and casts[0].counted and not casts[0].short:
            lines.append(f"现在：{wording.short(last)}。")
        if voice.others and casts[0].counted and called:
            lines.append(wording.NOT_THEIRS.format(names="、".join(voice.others)))
        agreed = context.request.lead.words != context.utterance.words  # a yes to what was asked
        if (voice.shared or agreed) and casts[0].counted and not called:
            lines = [f"「{last.fields.question}」" + "\n".join(lines)] if lines else []
            lines = lines or [wording.counted_in(casts[0])]
        if not lines:
            context.quiet = True
            context.reason = "算进了开着的统计"
        return TaskResult(dispatch.task_id, "completed", user_response="\n".join(lines) or None)

    async def _ask(
        self, dispatch: TaskDispatch, context: TaskContext, poll_id: int, voice: PollVoice, offered: str
    ) -> TaskResult:
        """A voice that only a model reads, or that may be of something else, is counted after a yes."""
        if voice.relation == "unclear":
            raise PollRefused(voice.why)
        poll = await self._polls.require(poll_id)
        names = [each.name for each in self._meant(context, voice)]
        text = wording.asked(poll, voice, "你" if names == [context.actor.name] else "、".join(names))
        slots = {OFFERED: offered}
        return TaskResult(dispatch.task_id, "awaiting_user", slots, ("answer",), None, text)

    async def _amounts(self, poll_id: int, voice: PollVoice, people: Sequence[Mention]) -> list[int]:
        """Heads or pieces that each is to have: 再加一杯 is of what is kept."""
        if not voice.more:
            return [voice.amount for _ in people]
        poll = await self._polls.require(poll_id)
        oneself = 1 if poll.fields.form == "signup" and voice.amount > 0 else 0
        found = [poll.answer_of(each.user_id) for each in people]
        kept = [each.amount if each is not None and each.taken else oneself for each in found]
        return [each + voice.amount for each in kept]

    def _note_undo(self, context: TaskContext, cast: Cast, voice: VoiceGiven) -> None:
        before = (
            None
            if cast.before is None
            else {name: getattr(cast.before, name) for name in PollAnswer.__slots__}
        )
        token = {"what": "answer", "poll": cast.poll.id, "of": voice.user_id, "before": before}
        context.undoable(wording.taken_back(cast), token)

    def _meant(self, context: TaskContext, voice: PollVoice) -> list[Mention]:
        """Whose voice it is: those mentioned or named, else the speaker. Raises `PollRefused` for a name that
        nobody has."""
        where = context.clause.situation
        people = list(where.mentions)
        for name in voice.names:
            known = next((one for one in (*where.mentions, *where.members) if one.name == name), None)
            if known is None:
                raise PollRefused(f"不认识「{name}」，@ 一下 TA 就行。")
            people.append(known)
        unique = {one.user_id: one for one in people}
        return list(unique.values()) or [Mention(context.actor.user_id, context.actor.name)]

    async def _pasted(
        self, dispatch: TaskDispatch, context: TaskContext, poll_id: int, pasted: PastedList
    ) -> TaskResult:
        """The newest state of a list. Who is on it is in; who was put on by the same member's list and stands
        there no more is out."""
        poll = await self._polls.require(poll_id)
        voices = self._entries(context, pasted, poll)
        listed = {each.user_id for each in voices}
        gone = [
            each
            for each in poll.given
            if each.way == "list" and each.said_by == context.actor.user_id and each.user_id not in listed
        ]
        voices += [replace(_voice_of(each, context), taken=False) for each in gone]
        new = [each for each in voices if _is_news(poll, each)]
        if new:
            casts = await self._polls.answer(poll_id, new)
            poll = casts[-1].poll
            context.acted("answer_poll", {"poll": poll_id, "count": len(new)}, {"id": poll_id})
        if not is_called(context):
            context.quiet = True
            context.reason = "照接龙更新了报名"
            return TaskResult(dispatch.task_id, "completed")
        return TaskResult(
            dispatch.task_id, "completed", user_response=f"照接龙更新了：{wording.short(poll)}。"
        )

    def _entries(
        self, context: TaskContext, pasted: PastedList, poll: PollRecord | None = None
    ) -> list[VoiceGiven]:
        """A voice for each entry, by the member of that name, or by the name alone."""
        where = context.clause.situation
        me = Mention(context.actor.user_id, context.actor.name)
        known = {one.name: one.user_id for one in (*where.members, *where.mentions, me)}
        known |= {one.name: one.user_id for one in (poll.answers if poll is not None else ())}
        voices: dict[str, VoiceGiven] = {}
        for each in pasted.entries:
            user_id = known.get(each.name, f"{NAMED}{each.name}")
            voices[user_id] = VoiceGiven(
                user_id,
                each.name,
                True,
                None,
                each.amount,
                me.user_id,
                me.name,
                "list",
                each.name,
                context.origin,
                context.request.now,
            )
        return list(voices.values())

    # Orders

    async def _order(
        self, dispatch: TaskDispatch, context: TaskContext, order: PollOrder, quoted: int | None
    ) -> TaskResult:
        def says(text: str) -> TaskResult:
            return TaskResult(dispatch.task_id, "completed", user_response=text)

        if order.kind == "list":
            return says(await self._listed(context))
        wants_open = order.kind in ("chase", "change", "drop") or (order.kind == "close" and not order.soft)
        poll = await self._which(context, order, quoted, only_open=wants_open)
        if poll is None:
            return says(NONE_OPEN)
        match order.kind:
            case "show":
                await self._polls.touch(poll)
                return says(wording.state(poll, self._polls.zone))
            case "missing":
                return says(await self._missing(poll))
            case "voters":
                return says(wording.voters(poll, order.choices))
            case "voice":
                me = Mention(context.actor.user_id, context.actor.name)
                people = order.people or (me,)
                return says(wording.voices_of(poll, [(one.user_id, one.name) for one in people], me.user_id))
            case "maker":
                return says(f"「{poll.fields.question}」是{poll.maker_name}发起的。")
            case "chase":
                return says(await self._chase(context, poll))
            case "change" | "drop" | "reopen":
                return says(await self._change(context, poll, order))
            case "close":
                if not poll.open or (order.soft and not self._may(context, poll)):
                    return says(wording.state(poll, self._polls.zone))
                return await self._close(dispatch, context, poll)
            case "delete":
                return await self._delete(dispatch, context, poll, asks=order.soft)
            case "follow":
                return self._follow(dispatch, context, poll, order)

    def _may(self, context: TaskContext, poll: PollRecord) -> bool:
        return context.actor.governs or context.actor.user_id == poll.maker

    async def _which(
        self, context: TaskContext, order: PollOrder, quoted: int | None, *, only_open: bool
    ) -> PollRecord | None:
        """The poll that is meant: the quoted one, else the newest of the named kind, an open one first."""
        if quoted is not None:
            return await self._polls.require(quoted)
        here = await self._polls.lately(context.conversation)
        if order.form is not None and any(each.fields.form == order.form for each in here):
            here = [each for each in here if each.fields.form == order.form]
        if only_open:
            here = [each for each in here if each.open]
        if order.kind == "follow":
            here = [each for each in here if each.status == "closed"] or here
            return max(here, key=lambda each: each.closed_at or each.touched_at, default=None)
        if order.kind == "show":  # 结果是啥来着, of the one that just ended
            return max(here, key=lambda each: max(each.touched_at, each.closed_at or 0.0), default=None)
        return max(here, key=lambda each: (each.open, each.touched_at), default=None)

    async def _listed(self, context: TaskContext) -> str:
        here = [each for each in await self._polls.lately(context.conversation) if each.open]
        if not here:
            return NONE_OPEN
        return "\n".join(f"{wording.head(each)}（{wording.short(each)}）" for each in here)

    async def _missing(self, poll: PollRecord) -> str:
        if not poll.open:
            return f"「{poll.fields.question}」已经截止了。"
        missing = await self._polls.missing(poll)
        if not missing.known:
            return f"群里都有谁我还不清楚，只知道回了的：{wording.short(poll)}。"
        if not missing.members:
            return "都回了。"
        if poll.fields.anonymous:
            return f"还有 {len(missing.members)} 人没回。"
        names = [each.name for each in missing.members[: wording.SHOWN_NAMES]]
        more = f"等 {len(missing.members)} 人" if len(missing.members) > wording.SHOWN_NAMES else ""
        return f"还没回的：{'、'.join(names)}{more}。"

    async def _chase(self, context: TaskContext, poll: PollRecord) -> str:
        missing, round_ = await self._polls.chase(context.actor, poll.id)
        context.acted("chase_poll", {"poll": poll.id}, {"count": len(missing.members)})
        last = "，之后不再催了" if round_ > 1 else ""
        return f"好，喊一声还没回的 {len(missing.members)} 人{last}。"

    async def _change(self, context: TaskContext, poll: PollRecord, order: PollOrder) -> str:
        if order.kind == "reopen":
            raise PollRefused("截止了的不能重开，要的话再发起一个吧。", "closed")
        fields = poll.fields
        if order.closes_at is not None:
            fields = replace(fields, closes_at=order.closes_at.timestamp())
        if order.places is not None or order.unlimited:
            fields = replace(fields, places=order.places)
        if order.further and self._may(context, poll):
            if fields.places is None:
                raise PollRefused(f"「{fields.question}」没有限名额，不用加。", "conflict")
            fields = replace(fields, places=fields.places + order.further)
        if order.question:
            fields = replace(fields, question=order.question)
        if order.options:
            fields = replace(fields, options=(*fields.options, *order.options))
        if order.kind == "drop":
            kept = tuple(each for at, each in enumerate(fields.options) if at not in order.choices)
            if len(kept) < 2 and self._may(context, poll):
                raise PollRefused("投票至少要留两个选项。", "conflict")
            fields = replace(fields, options=kept)
        if order.anonymous is not None:
            fields = replace(fields, anonymous=order.anonymous)
        if fields == poll.fields and not order.further:
            return "和现在一样，没有动。"
        changed = await self._polls.change(context.actor, poll.id, fields)
        context.acted("change_poll", {"poll": poll.id}, {"id": poll.id})
        token = {"what": "change", "poll": poll.id, "before": asdict(poll.fields)}
        context.undoable(f"改「{poll.fields.question}」，变回原样", token)
        still = wording.STILL_IN.format(count=len(poll.given)) if order.question and poll.given else ""
        card = wording.card(replace(changed, answers=()), self._polls.zone)
        return f"改好了。\n{card}\n{still}".rstrip()

    async def _close(self, dispatch: TaskDispatch, context: TaskContext, poll: PollRecord) -> TaskResult:
        closed = await self._polls.close(context.actor, poll.id)
        context.acted("close_poll", {"poll": poll.id}, {"id": poll.id})
        context.undoable(f"截止「{poll.fields.question}」，又开着了", {"what": "close", "poll": poll.id})
        order = order_of(closed, context.now)
        text = wording.result(closed)
        if order is None:
            return TaskResult(
                dispatch.task_id, "completed", user_response=f"{text}\n{wording.offers(closed)}".rstrip()
            )
        return TaskResult(
            dispatch.task_id,
            "awaiting_user",
            {OFFERED: order, CLOSED: poll.id},
            ("answer",),
            user_response=f"{text}\n要我排进日程吗：「{order}」？",
        )

    async def _delete(
        self, dispatch: TaskDispatch, context: TaskContext, poll: PollRecord, *, asks: bool
    ) -> TaskResult:
        if not self._may(context, poll):
            await self._polls.delete(context.actor, poll.id)  # refused, in its words
        if not (poll.given or asks):
            return await self._deleted(dispatch, context, poll.id)
        given = f"已经有 {len(poll.given)} 人回了" if poll.given else "还没有人回"
        return TaskResult(
            dispatch.task_id,
            "awaiting_user",
            {DELETES: poll.id},
            ("answer",),
            user_response=f"「{poll.fields.question}」{given}，确定删掉吗？",
        )

    async def _deleted(self, dispatch: TaskDispatch, context: TaskContext, poll_id: int) -> TaskResult:
        gone = await self._polls.delete(context.actor, poll_id)
        context.acted("delete_poll", {"poll": poll_id}, {"id": poll_id})
        return TaskResult(dispatch.task_id, "completed", user_response=f"「{gone.fields.question}」删掉了。")

    def _follow(
        self, dispatch: TaskDispatch, context: TaskContext, poll: PollRecord, order: PollOrder
    ) -> TaskResult:
        """The result, turned into an order that waits for a yes, or the words that do it."""
        if poll.open:
            raise PollRefused(f"「{poll.fields.question}」还没截止，先说「截止」。", "conflict")
        if not poll.given:
            raise PollRefused("没有人回，没什么可排的。", "conflict")
        names = [] if poll.fields.anonymous else [each.name for each in _inside(poll)]
        if order.follow == "schedule":
            offered = order_of(poll, context.now)
            if order.when:
                offered = _order_at(order.when, offered, poll, context.now)
            if offered is None:
                text = f"排哪天？说全就排，比如：{_subject(poll)} 周六下午三点。"
                return TaskResult(dispatch.task_id, "completed", user_response=text)
            return TaskResult(
                dispatch.task_id,
                "awaiting_user",
                {OFFERED: offered},
                ("answer",),
                user_response=f"要我排进日程吗：「{offered}」？",
            )
        called = " ".join(f"@{name}" for name in names) or "@大家"
        if order.follow == "task":
            text = f"要做什么、哪天？@ 上他们说就给每人记一个，比如：{called} 周五前交报名费。"
        else:
            sharers = "、".join(names) or "大家"
            text = f"花了多少、谁付的？说了就记，比如：{_subject(poll)}花了200 我付的 {sharers}平摊。"
        return TaskResult(dispatch.task_id, "completed", user_response=text)


def is_called(context: TaskContext) -> bool:
    """True if the line was said to us by name, or over HTTP."""
    return context.request.reply_mode == "forced"


def _told(cast: Cast, who: Mention, voice: PollVoice, *, called: bool, other: bool) -> str:
    """What is said of one voice; empty for nothing."""
    poll, name = cast.poll, who.name if other else ""
    if cast.short:
        return f"名额不够，{name or '你'}还按 {cast.before.amount if cast.before else 1} 人算。"
    if not cast.counted:
        return "" if poll.open else f"「{poll.fields.question}」已经截止了，这次没算进去。"
    after = cast.after
    if poll.fields.form == "signup" and after is not None and after.taken:
        inside, waiting = seated(poll.answers, poll.fields.places)
        if any(each.user_id == who.user_id for each in waiting):
            at = [each.user_id for each in waiting].index(who.user_id) + 1
            return f"满了，{name or who.name}排候补第 {at} 位。"
        heads = sum(each.amount for each in inside)
        if poll.fields.places is not None and heads == poll.fields.places and not waiting and not _same(cast):
            return f"{wording.head(poll)}\n满 {heads} 人了，再来的排候补。"
    if not (called or other):
        return ""
    whom = f"帮{name}记了" if other else "记下了"
    if poll.fields.anonymous:
        return f"{whom}。"
    return f"{whom}：{wording.in_words(poll, after)}。"


def _own_voice(context: TaskContext, heads: int) -> VoiceGiven:
    me = context.actor
    return VoiceGiven(
        me.user_id,
        me.name,
        True,
        None,
        heads,
        me.user_id,
        me.name,
        "line",
        context.utterance.words[:_SAID],
        context.origin,
        context.request.now,
    )


def _same(cast: Cast) -> bool:
    return cast.before is not None and cast.before.taken and cast.before == cast.after


def _is_news(poll: PollRecord, voice: VoiceGiven) -> bool:
    """True if an entry says something else than what is kept. A name on a list brings nobody back who
    said 不去 by themselves."""
    before = poll.answer_of(voice.user_id)
    if before is None:
        return voice.taken
    if not before.taken:
        return voice.taken and before.said_by in (voice.said_by, "")
    return before.taken != voice.taken or (before.way == "list" and before.amount != voice.amount)


def _voice_of(answer: PollAnswer, context: TaskContext) -> VoiceGiven:
    return VoiceGiven(
        answer.user_id,
        answer.name,
        answer.taken,
        answer.choice,
        answer.amount,
        context.actor.user_id,
        context.actor.name,
        "list",
        "",
        context.origin,
        context.request.now,
    )


def _inside(poll: PollRecord) -> Sequence[PollAnswer]:
    if poll.fields.form == "signup":
        return seated(poll.answers, poll.fields.places)[0]
    return poll.given


def _subject(poll: PollRecord) -> str:
    return poll.fields.question.partition(",")[0]


def _order_at(when: str, offered: str | None, poll: PollRecord, now: datetime) -> str | None:
    """The order with a time that was said; None where nothing names a day, or the vote is a tie."""
    if not wording.names_day(when):
        return None if offered is None else f"{offered} {when}"
    what = _result(poll, now)
    return None if what is None else f"加个日程 {when} {what}"


def _result(poll: PollRecord, now: datetime) -> str | None:
    """What was decided, in words: the question of a sign-up, of a vote with the option that won; None for a
    tie."""
    if poll.fields.form == "vote":
        won = wording.winners(poll)
        if len(won) != 1:
            return None
        words = wording.with_option(poll.fields.question, poll.fields.options, won[0])
    else:
        words = _subject(poll)
    zone = now.tzinfo
    if not isinstance(zone, ZoneInfo):
        return words
    closes = poll.fields.closes_at
    ends = None if closes is None else datetime.fromtimestamp(closes, zone)
    return dated(words, datetime.fromtimestamp(poll.created_at, zone), now, zone, ends)


def order_of(poll: PollRecord, now: datetime) -> str | None:
    """The order that puts a result into the calendar; None where it names no day, or is a tie."""
    if poll.fields.form == "count" or not poll.given:
        return None
    what = _result(poll, now)
    return f"加个日程 {what}" if what is not None and wording.names_day(what) else None
