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
from ...language.polls.picked import (
    PickedWords,
    amended,
    asked_of,
    change_of,
    draft_of,
    line_of,
    poll_meant,
    told_in,
    with_options,
)
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
from .proposals import (
    CHANGES,
    CHASES,
    DRAFTED,
    OPTIONS,
    change_in,
    draft_in,
    kept_change,
    kept_draft,
    listed_options,
    wants_options,
)
from .wording import NAMES

POLL: Final = "poll"
"""The slot of a task: the poll that it is about."""
CLOSED: Final = "_closed"
"""The note of an offer: the poll whose end it follows, which 撤销 opens again."""
UNDO_ANSWERED: Final = "「{question}」已经有 {count} 人回了，没有撤。不要了就说「取消」它，比如「取消投票」。"
REOPENED: Final = "撤销了：「{question}」又开着了。"
CLOSES: Final = "_closes"
"""The note of a task: the poll that is ended by a yes."""
DELETES: Final = "_deletes"
"""The note of a task: the poll that is deleted by a yes."""
NONE_OPEN: Final = "现在没有开着的投票、报名或统计。"
WHAT_FOR: Final = "{form}什么？把要问的事说全，比如：周六羽毛球报名 限8人。"
WHICH_OPTIONS: Final = "「{question}」有哪些选项？比如「火锅、烤肉、日料」，不投了就说「算了」。"
NOT_MADE: Final = "好，不发起了。"
CALLS: Final = "要喊一声「{question}」还没回的人吗？（回「确认」就喊）"
NOT_HERE: Final = "投票、报名、统计在群里才办得了。"
NOTHING_DONE: Final = "没听明白，「{question}」没有动。"
ENDS: Final = "要现在截止「{question}」吗？"
WHICH: Final[Mapping[str, str]] = {
    "close": "要截止哪个？说上名字，比如「截止火锅投票」。",
    "change": "要改哪个？说上名字，比如「火锅投票改到周六截止」。",
    "chase": "要催哪个？说上名字，比如「催一下火锅投票没投的」。",
    "delete": "要删哪个？说上名字，比如「火锅投票不要了」。",
}
"""What is asked where a model reads an order and several polls may be meant, by intent."""
LIKE_ANONYMOUS: Final = "这个不记名，谁选了什么不公开，要哪个自己说一下。"
LIKE_NOBODY: Final = "{name}还没回，要哪个自己说一下。"
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
        """The yes or no to what was asked about."""
        assert context.open is not None
        closed = context.open.slots.get(CLOSED)
        if closed is not None and takes_end_back(context.clause.text):
            poll = await self._polls.require(int(closed))
            await self._polls.reopen(poll)
            text = REOPENED.format(question=poll.fields.question)
            return TaskResult(dispatch.task_id, "canceled", user_response=text)
        made = draft_in(context.open.slots, self._polls.zone)
        if made is not None:
            return await self._drafted(dispatch, context, made)
        if context.bound is None or context.bound.relation != "confirm":
            return TaskResult(dispatch.task_id, "canceled", user_response="好，没有动。")
        return await self._agreed(dispatch, context, context.open.slots)

    async def _agreed(
        self, dispatch: TaskDispatch, context: TaskContext, asked: Mapping[str, Any]
    ) -> TaskResult:
        """Do what was asked about, by its note."""
        change = change_in(asked, self._polls.zone)
        if change is not None and change.poll is not None:
            text = await self._change(context, await self._polls.require(change.poll), change)
            return TaskResult(dispatch.task_id, "completed", user_response=text)
        if (chases := asked.get(CHASES)) is not None:
            text = await self._chase(context, await self._polls.require(int(chases)))
            return TaskResult(dispatch.task_id, "completed", user_response=text)
        if (closes := asked.get(CLOSES)) is not None:
            return await self._close(dispatch, context, await self._polls.require(int(closes)))
        if (deletes := asked.get(DELETES)) is not None:
            return await self._deleted(dispatch, context, int(deletes))
        return TaskResult(dispatch.task_id, "canceled", user_response="好，没有动。")

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
        """A line in which only a model reads something of a poll: a question is answered, what everybody sees
        or what changes is asked about first, of everything else it is said that nothing was done."""
        intent, slots = context.intent, dispatch.slots
        line = line_of(context.utterance.words, context.clause.situation)
        words = PickedWords.of(slots, line)
        if intent == "make":
            return self._propose(dispatch, draft_of(words, line))
        here = context.clause.situation.polls
        polls = tuple(each for each in here if not each.closed)
        if intent in ("show", "follow"):
            polls = polls or here
        if intent == "answer" or not polls:
            return TaskResult(dispatch.task_id, "canceled", user_response=_not_read(context))
        meant = poll_meant(
            str(slots.get("poll") or ""), words.kind, line, here if intent == "show" else polls
        )
        if meant is None and intent == "follow":
            meant = max(polls, key=lambda each: each.touched_at)
        if meant is None:
            text = await self._listed(context)
            which = f"\n{WHICH[intent]}" if intent in WHICH else ""
            return TaskResult(dispatch.task_id, "completed", user_response=f"{text}{which}")
        poll = await self._polls.require(meant.id)
        match intent:
            case "show":
                return await self._order(dispatch, context, asked_of(line, meant), poll.id)
            case "follow":
                order = PollOrder("follow", follow=told_in(str(slots.get("into") or ""), line))
                return await self._order(dispatch, context, order, poll.id)
            case "delete":
                return await self._delete(dispatch, context, poll, asks=True)
            case "chase":
                self._polls.check_right(context.actor, poll, "催")
                return _asks(dispatch, {CHASES: poll.id}, CALLS.format(question=poll.fields.question))
            case "close":
                self._polls.check_right(context.actor, poll, "截止")
                return _asks(dispatch, {CLOSES: poll.id}, ENDS.format(question=poll.fields.question))
            case _:
                return self._would_change(dispatch, context, poll, change_of(words, line, meant))

    def _propose(self, dispatch: TaskDispatch, made: PollDraft) -> TaskResult:
        """A poll in which only a model reads one, asked about; first for its options, where it has none."""
        if made.why:
            raise PollRefused(made.why)
        if not made.question:
            raise PollRefused(WHAT_FOR.format(form=NAMES[made.form]))
        notes = {DRAFTED: kept_draft(made)}
        if wants_options(made):
            text = WHICH_OPTIONS.format(question=made.question)
            return TaskResult(dispatch.task_id, "awaiting_user", notes, (OPTIONS,), user_response=text)
        return _asks(dispatch, notes, wording.would_make(made, self._polls.zone))

    def _would_change(
        self, dispatch: TaskDispatch, context: TaskContext, poll: PollRecord, order: PollOrder | None
    ) -> TaskResult:
        """A change in which only a model reads one, asked about."""
        if order is None:
            return TaskResult(dispatch.task_id, "canceled", user_response=_not_read(context))
        if order.why:
            raise PollRefused(order.why)
        self._polls.check_right(context.actor, poll, "改")
        text = wording.would_change(poll.fields.question, order, self._polls.zone)
        return _asks(dispatch, {CHANGES: kept_change(order)}, text)

    async def _drafted(self, dispatch: TaskDispatch, context: TaskContext, made: PollDraft) -> TaskResult:
        """The answer to a poll that was proposed: a yes, its options, or what is otherwise."""
        bound = context.bound
        if bound is not None and bound.relation == "confirm" and not wants_options(made):
            return await self._make(dispatch, context, made)
        if bound is None or bound.relation not in ("fills", "corrects"):
            return TaskResult(dispatch.task_id, "canceled", user_response=NOT_MADE)
        if options := listed_options(bound.slots):
            return self._propose(dispatch, with_options(made, options))
        line = line_of(context.utterance.words, context.clause.situation)
        return self._propose(dispatch, amended(made, PickedWords.of(bound.slots, line), line))

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
        if voice.like:
            voice = await self._like(context, poll_id, voice)
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
        own = names == [context.actor.name]
        kept = poll.answer_of(context.actor.user_id) if own else None
        text = wording.asked(poll, voice, "你" if own else "、".join(names), kept)
        slots = {OFFERED: offered, POLL: str(poll_id)}
        return TaskResult(dispatch.task_id, "awaiting_user", slots, ("answer",), None, text)

    async def _amounts(self, poll_id: int, voice: PollVoice, people: Sequence[Mention]) -> list[int]:
        """Heads or pieces that each is to have: 再加一杯 is of what is kept."""
        if not voice.more:
            return [voice.amount for _ in people]
        poll = await self._polls.require(poll_id)
        oneself = 1 if poll.fields.form == "signup" and voice.amount > 0 else 0
        found = [poll.answer_of(each.user_id) for each in people]
        kept = [each.amount if each is not None and each.taken else oneself for each in found]
        least = 1 if voice.stays else 0
        return [max(least, each + voice.amount) for each in kept]

    async def _like(self, context: TaskContext, poll_id: int, voice: PollVoice) -> PollVoice:
        """The voice that another member gave, said as one's own. Raises `PollRefused` where there is none to
        be told."""
        poll = await self._polls.require(poll_id)
        where = context.clause.situation
        known = next((one for one in (*where.mentions, *where.members) if one.name == voice.like), None)
        found = None if known is None else poll.answer_of(known.user_id)
        if poll.fields.anonymous:
            raise PollRefused(LIKE_ANONYMOUS)
        if found is None or not found.taken:
            raise PollRefused(LIKE_NOBODY.format(name=voice.like))
        choices = found.chosen if poll.fields.form == "vote" else ()
        choice = choices[0] if choices else None
        return replace(
            voice, like="", choice=choice, choices=choices if poll.fields.several else (), amount=found.amount
        )

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
        wants_open = order.kind in ("chase", "change", "drop", "close")
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
                if not poll.open:
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


def _asks(dispatch: TaskDispatch, notes: Mapping[str, Any], text: str) -> TaskResult:
    return TaskResult(dispatch.task_id, "awaiting_user", notes, ("answer",), user_response=text)


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
