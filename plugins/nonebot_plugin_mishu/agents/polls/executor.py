"""Executor of polls, for lines, pages and the API: rights, voices, ends, calls. Raises `StorageError`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ...language.clause import Mention
from ...language.polls.orders import LONGEST_OPTION, LONGEST_QUESTION, MOST_OPTIONS, MOST_PLACES
from ...language.polls.voices import MOST_EACH
from ...storage import Storage
from ...storage.polls.records import Cast, PollAnswer, PollFields, PollRecord, VoiceGiven
from ...storage.records import Conversation
from ...storage.reminders.records import POLL, POLL_END, WALL, NewReminder
from ..api.quiet_times import QuietTimes
from ..api.task_context import Asker
from .board import LATELY, PollBoard
from .wording import NAMES, say_moment

MOST_CALLS: Final = 2
"""Rounds in which those without a voice are called."""
CALLED_AT_ONCE: Final = 20
MOST_OPEN: Final = 20
"""Open polls of a conversation."""
LONGEST_LIFE: Final = 366 * 86400.0
Members = Callable[[Conversation], Awaitable[Sequence[Mention]]]
"""Members of a group by the platform's list; empty where it is not known."""


class PollRefused(Exception):
    """A change of a poll was refused: nothing was done. The text is a Chinese sentence; `kind` gives the
    reason, `field` a wrong value."""

    def __init__(self, text: str, kind: str = "invalid", field: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.kind = kind
        self.field = field


@dataclass(frozen=True, slots=True)
class Missing:
    """Who has given no voice yet; `known` is False where the members are not known."""

    members: tuple[Mention, ...]
    known: bool


async def nobody(conversation: Conversation) -> Sequence[Mention]:
    """No list of members."""
    return ()


class PollExecutor:
    """Writes polls. `members` lists a group; without it those who spoke there are not taken for all."""

    def __init__(
        self,
        storage: Storage,
        board: PollBoard,
        zone: ZoneInfo,
        wall: Callable[[], float],
        members: Members,
        quiet: QuietTimes,
    ) -> None:
        self._storage = storage
        self._polls = storage.polls
        self.board = board
        self.zone = self._zone = zone
        self._wall = wall
        self._members = members
        self._quiet = quiet

    async def make(
        self,
        place: Conversation,
        actor: Asker,
        fields: PollFields,
        origin: str,
        voices: Sequence[VoiceGiven] = (),
        call_ahead: int | None = None,
    ) -> PollRecord:
        """Make a poll; `call_ahead`: minutes before its end at which those without a voice are called. Raises
        `PollRefused` where a value is wrong."""
        now = self._wall()
        fields = checked(fields, now)
        await self._check_room(place)
        end = self._end(place, fields)
        poll = await self._polls.add(
            place, actor.user_id, actor.name, fields, origin, now, end, voices, call_ahead
        )
        self.board.note(poll)
        self._storage.reminders.changed()
        return poll

    async def answer(self, poll_id: int, voices: Sequence[VoiceGiven]) -> list[Cast]:
        """Keep voices. Raises `PollRefused` for a poll that is over or gone, or a choice that is none."""
        poll = await self.require(poll_id)
        if not poll.open and all(
            (kept := poll.answer_of(each.user_id)) is None or kept.origin != each.origin for each in voices
        ):
            raise PollRefused(f"「{poll.fields.question}」已经截止了，这次没算进去。", "closed")
        for each in voices:
            _check_voice(poll, each)
        casts = await self._polls.answer(poll_id, voices, self._wall())
        if not casts:
            raise PollRefused("这个统计已经删了。", "missing")
        self.board.note(casts[-1].poll)
        if any(each.promoted for each in casts):
            self._storage.reminders.changed()
        return casts

    async def all_answered(self, poll: PollRecord) -> bool:
        """True if every member of the group, as the platform lists them, has a voice. Never of a sign-up: who
        does not come says nothing."""
        if poll.fields.form == "signup" or not poll.open:
            return False
        missing = await self.missing(poll)
        return missing.known and not missing.members

    async def missing(self, poll: PollRecord) -> Missing:
        """Members without a voice."""
        listed = [
            each
            for each in await self._members(poll.conversation)
            if each.user_id != poll.conversation.self_id
        ]
        answered = {each.user_id for each in poll.answers}
        names = {each.name for each in poll.answers if each.user_id.startswith("~")}
        left = tuple(each for each in listed if each.user_id not in answered and each.name not in names)
        return Missing(left, bool(listed))

    async def close(self, actor: Asker, poll_id: int) -> PollRecord:
        """End a poll by its maker or an admin. Raises `PollRefused`."""
        poll = await self.require(poll_id)
        self.check_right(actor, poll, "截止")
        found = await self._polls.close(poll_id, actor.user_id, self._wall())
        if found is None:
            raise PollRefused("这个统计已经删了。", "missing")
        self.board.note(found[0])
        self._storage.reminders.changed()
        return found[0]

    async def close_complete(self, poll: PollRecord) -> PollRecord | None:
        """End a poll that everybody answered; None where somebody else ended it at the same moment."""
        found = await self._polls.close(poll.id, "", self._wall())
        if found is None or not found[1]:
            return None
        self.board.note(found[0])
        self._storage.reminders.changed()
        return found[0]

    async def change(
        self, actor: Asker, poll_id: int, fields: PollFields, *, reopens: bool = False
    ) -> PollRecord:
        """Change an open poll; `reopens`: also one that ended, which is open then. Raises `PollRefused`."""
        poll = await self.require(poll_id)
        reopens = reopens and not poll.open
        self.check_right(actor, poll, "重开" if reopens else "改")
        if reopens:
            await self._check_room(poll.conversation)
        elif not poll.open:
            raise PollRefused(f"「{poll.fields.question}」已经截止了，改不了。", "closed")
        if poll.given and fields.options[: len(poll.fields.options)] != poll.fields.options:
            raise PollRefused("已经有人投了，选项只能往后加。", field="options")
        if fields.anonymous != poll.fields.anonymous and poll.answers:
            raise PollRefused("已经有人回答了，记不记名不能再改。", field="anonymous")
        now = self._wall()
        fields = checked(replace(fields, form=poll.fields.form), now)
        changed = await self._polls.change(
            poll_id, fields, actor.user_id, now, self._end(poll.conversation, fields), reopens=reopens
        )
        if changed is None:
            raise PollRefused(f"「{poll.fields.question}」已经截止了，改不了。", "closed")
        self.board.note(changed)
        self._storage.reminders.changed()
        return changed

    async def delete(self, actor: Asker, poll_id: int) -> PollRecord:
        """Delete a poll by its maker or an admin. Raises `PollRefused`."""
        poll = await self.require(poll_id)
        self.check_right(actor, poll, "删")
        await self._polls.delete(poll_id, actor.user_id, self._wall())
        self.board.note(replace(poll, status="deleted"))
        self._storage.reminders.changed()
        return poll

    async def chase(self, actor: Asker, poll_id: int) -> tuple[Missing, int]:
        """Call those without a voice, once; whom, and the how many-eth time it is. Raises `PollRefused`."""
        poll = await self.require(poll_id)
        self.check_right(actor, poll, "催")
        if not poll.open:
            raise PollRefused(f"「{poll.fields.question}」已经截止了，不用催了。", "closed")
        quiet = await self._quiet.until(poll.conversation, (), self._wall(), usual=True)
        if quiet is not None:
            end = datetime.fromtimestamp(quiet[0], self._zone)
            raise PollRefused(
                f"现在是安静时段（{quiet[1].shown}），{end.hour}:{end:%M} 以后再催吧。", "conflict"
            )
        missing = await self.missing(poll)
        others = tuple(each for each in missing.members if each.user_id != actor.user_id)
        missing = replace(missing, members=others)  # who calls the others is not called
        if not missing.known:
            raise PollRefused("群里都有谁我还不清楚，催不了，@ 一下要催的人吧。", "conflict")
        if not missing.members:
            raise PollRefused("都回了，没有要催的。", "conflict")
        people = () if poll.fields.anonymous else missing.members
        groups = [people[at : at + CALLED_AT_ONCE] for at in range(0, len(people), CALLED_AT_ONCE)] or [()]
        calls = [
            self._row(
                poll.conversation, "call", self._wall(), poll_id, [one.user_id for one in each], f"call:{at}"
            )
            for at, each in enumerate(groups)
        ]
        round_ = await self._polls.chase(poll_id, calls, MOST_CALLS)
        if round_ is None:
            raise PollRefused(f"已经催过 {MOST_CALLS} 次了，不再催了。", "conflict")
        self._storage.reminders.changed()
        return missing, round_

    async def put_back(self, poll_id: int, user_id: str, before: PollAnswer | None) -> None:
        """Put a voice back as it was."""
        if await self._polls.restore(poll_id, user_id, before, self._wall()):
            self.board.note(await self.require(poll_id))
            self._storage.reminders.changed()

    async def reopen(self, poll: PollRecord) -> bool:
        """Take the end of a poll back (撤销); False where it is open. Raises `PollRefused`."""
        if poll.open:
            return False
        await self._check_room(poll.conversation)
        await self.put_fields_back(poll, poll.fields, reopens=True)
        return True

    async def put_fields_back(self, poll: PollRecord, fields: PollFields, *, reopens: bool = False) -> None:
        """Make a poll what it was before a change (撤销); an end that is past is dropped. Raises
        `PollRefused`."""
        if any(at >= len(fields.options) for each in poll.given for at in each.chosen):
            raise PollRefused("已经有人投了新加的选项，撤不回来了。", "conflict")
        now, closes = self._wall(), fields.closes_at
        fields = replace(fields, closes_at=closes if closes is not None and closes > now else None)
        end = self._end(poll.conversation, fields)
        changed = await self._polls.change(poll.id, fields, poll.maker, now, end, reopens=reopens)
        if changed is None:
            raise PollRefused(f"「{poll.fields.question}」已经截止了，改不了。", "closed")
        self.board.note(changed)
        self._storage.reminders.changed()

    async def undo_make(self, poll: PollRecord) -> None:
        """Take a poll back that was just made."""
        await self._polls.delete(poll.id, poll.maker, self._wall())
        self.board.note(replace(poll, status="deleted"))
        self._storage.reminders.changed()

    async def lately(self, place: Conversation) -> list[PollRecord]:
        """Polls of a conversation that are open or ended lately."""
        return await self._polls.list_polls(place, since=self._wall() - LATELY)

    async def touch(self, poll: PollRecord) -> None:
        """A poll was shown: bare answers to it count again."""
        now = self._wall()
        await self._polls.touch(poll.id, now)
        self.board.note(replace(poll, touched_at=now))

    async def require(self, poll_id: int) -> PollRecord:
        """A poll. Raises `PollRefused`."""
        poll = await self._polls.get(poll_id)
        if poll is None:
            raise PollRefused("这个统计已经删了。", "missing")
        return poll

    async def _check_room(self, place: Conversation) -> None:
        if len(await self._polls.list_polls(place, status="open", limit=MOST_OPEN)) >= MOST_OPEN:
            raise PollRefused(f"这里已经有 {MOST_OPEN} 个没截止的统计，先截止几个吧。", "conflict")

    def check_right(self, actor: Asker, poll: PollRecord, verb: str) -> None:
        """Raises `PollRefused` for who neither made a poll nor governs its group."""
        if not actor.governs and actor.user_id != poll.maker:
            raise PollRefused(
                f"只有发起人{_named(poll)}和管理员能{verb}这个{NAMES[poll.fields.form]}。", "right"
            )

    def _end(self, place: Conversation, fields: PollFields) -> NewReminder | None:
        if fields.closes_at is None:
            return None
        return self._row(place, POLL_END, fields.closes_at, 0, (), "")

    def _row(
        self, place: Conversation, text: str, at: float, poll_id: int, user_ids: Sequence[str], origin: str
    ) -> NewReminder:
        wall = datetime.fromtimestamp(at, self._zone).strftime(WALL)
        named = f"poll:{poll_id}:{origin}" if origin else None
        return NewReminder(place, POLL, poll_id, user_ids, text, at, wall, self._zone.key, origin=named)

    def says(self, at: float) -> str:
        """A moment in words."""
        return say_moment(at, self._zone)


def _named(poll: PollRecord) -> str:
    return f"（{poll.maker_name}）" if poll.maker_name else ""


def checked(fields: PollFields, now: float) -> PollFields:
    """The fields, cleaned. Raises `PollRefused` naming what is wrong."""
    question = " ".join(fields.question.split())
    options = tuple(dict.fromkeys(" ".join(each.split()) for each in fields.options if each.strip()))
    if not question:
        raise PollRefused("问题不能空着。", field="question")
    if len(question) > LONGEST_QUESTION:
        raise PollRefused(f"问题太长了，不超过 {LONGEST_QUESTION} 个字。", field="question")
    if fields.form == "vote":
        if len(options) < 2:
            raise PollRefused("投票要有至少两个不同的选项。", field="options")
        if len(options) > MOST_OPTIONS:
            raise PollRefused(f"选项最多 {MOST_OPTIONS} 个。", field="options")
        if any(len(each) > LONGEST_OPTION for each in options):
            raise PollRefused(f"每个选项不超过 {LONGEST_OPTION} 个字。", field="options")
    elif options or fields.several:
        raise PollRefused("只有投票有选项。", field="options")
    if fields.places is not None and fields.form != "signup":
        raise PollRefused("只有报名能限名额。", field="limit")
    if fields.places is not None and not 1 <= fields.places <= MOST_PLACES:
        raise PollRefused(f"名额要在 1–{MOST_PLACES} 之间。", field="limit")
    if fields.closes_at is not None and fields.closes_at <= now:
        raise PollRefused("截止时间已经过了，换一个吧。", field="closes_at")
    if fields.closes_at is not None and fields.closes_at > now + LONGEST_LIFE:
        raise PollRefused("截止时间太远了，最多一年。", field="closes_at")
    return replace(fields, question=question, options=options)


def _check_voice(poll: PollRecord, voice: VoiceGiven) -> None:
    if not voice.taken:
        return
    if poll.fields.form == "vote":
        chosen = voice.choices or (() if voice.choice is None else (voice.choice,))
        if not chosen or not all(0 <= each < len(poll.fields.options) for each in chosen):
            raise PollRefused(f"只有 1–{len(poll.fields.options)} 可选。", field="choice")
        if len(chosen) > 1 and not poll.fields.several:
            raise PollRefused("这个投票一人只能投一个。", field="choice")
    elif voice.choice is not None:
        raise PollRefused("这个统计没有选项，说数量就行。", field="choice")
    if not 1 <= voice.amount <= MOST_EACH:
        raise PollRefused(f"数量要在 1–{MOST_EACH} 之间。", field="count")
