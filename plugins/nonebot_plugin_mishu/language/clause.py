"""Input of local rules: one clause of a message with the recognised times and amounts. Values only."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

from .learned.tagger import Tagged
from .polls.poll import OpenPoll
from .recognise.money import Amount
from .recognise.times import TimeExpression
from .term.term import Term


@dataclass(frozen=True, slots=True)
class Mention:
    """Another member, by id and name (card, else nickname)."""

    user_id: str
    name: str


@dataclass(frozen=True, slots=True)
class KeptThing:
    """Stored item that a line may refer to: agent, name, id and begin. After a shown list only the agent is
    set."""

    agent: str
    name: str = ""
    id: str = ""
    at: datetime | None = None
    """Begin, in the configured zone; midnight for a date without a clock time."""
    repeats: bool = False
    """Recurring item."""
    creator: str = field(default="", compare=False)
    """Name of the creator; empty if not loaded."""
    made_at: datetime | None = field(default=None, compare=False)
    """Time of creation, in the configured zone; None if not loaded."""
    owner: str = field(default="", compare=False)
    """Name of the owner; empty for a shared item."""
    place: str = field(default="", compare=False)
    """Place, in the user's words."""
    every: str = field(default="", compare=False)
    """Recurrence in words (每天, 每周四); empty if not loaded."""


@dataclass(frozen=True, slots=True)
class SaidBefore:
    """A recent line of the conversation."""

    name: str
    """Name of the speaker: card, else nickname."""
    text: str
    mine: bool = False
    """Same speaker as the current line."""


@dataclass(frozen=True, slots=True)
class LastDone:
    """The speaker's last change here that can be undone."""

    summary: str
    """Noted summary of the change (删除日程「例会」)."""
    at: float
    """Time of the change, wall seconds."""


@dataclass(frozen=True, slots=True)
class Situation:
    """Context of a line: time, place and people. `now` is the message's own time if trusted."""

    now: datetime
    """Aware, in the configured zone."""
    private: bool = False
    """Private conversation with a friend, or HTTP without a group."""
    addressed: bool = True
    """Addressed to the bot; False for overheard lines."""
    mentions: tuple[Mention, ...] = ()
    """Members mentioned with an @."""
    members: tuple[Mention, ...] = ()
    """Other members known by name, latest speaker first."""
    quoted: str | None = None
    """Text of the quoted message: the 这个 in 提醒我这个."""
    open_tasks: bool = False
    """True if the speaker has open tasks: change orders without a noun look there first."""
    things: tuple[KeptThing, ...] = ()
    """The speaker's open tasks and the group's coming schedules."""
    shown: tuple[KeptThing, ...] = ()
    """Items just created, changed, shown or reminded of, in that order: referents of 改到三点半 and
    第二个."""
    taught: tuple[tuple[str, str], ...] = ()
    """The conversation's own words, each with its expense category."""
    facts: tuple[str, ...] = ()
    """Subjects of the group's stored facts (`language.lines.facts`)."""
    kept_facts: tuple[KeptThing, ...] = ()
    """These facts with their words and ids."""
    speaker: str = ""
    """Name of the speaker."""
    told: tuple[str, str] | None = None
    """Subject and words of the speaker's latest fact, if nothing was done since: corrected by 不是三号 and
    是四号楼."""
    recorded: tuple[str, ...] = ()
    """Names of the speaker's latest records in the books (删掉奶茶)."""
    bills: tuple[str, ...] = ()
    """Names of other members' recent bills, saved or on a card, that the speaker shares (别算我)."""
    listed: int = 0
    """Number of the speaker's records just recorded or listed: referents of 第二个 and 最后那笔."""
    polls: tuple[OpenPoll, ...] = ()
    """Polls of the conversation, open or closed lately."""
    reminded: Literal["quoted", "recent"] | None = None
    """The line quotes one of our reminders, or its sender was just reminded."""
    reminded_about: str = ""
    """Item its sender was just reminded of."""

    before: tuple[SaidBefore, ...] = ()
    """Recent lines of this conversation without ours, oldest first; empty if not loaded."""
    shown_at: float | None = None
    """Time of `shown`, wall seconds; None if unknown."""
    done: LastDone | None = None
    """Change that 撤销 would undo; None if none, or not loaded."""
    undone: LastDone | None = None
    """Change that the speaker undid last, with nothing done since, and when: 恢复 makes it again."""
    term: Term | None = None
    """School term of the conversation, which gives 第9周 and 单周 their dates; None if unknown, or over."""

    @property
    def people(self) -> tuple[Mention, ...]:
        """Other members, and the speaker under their own name (小雅六成 said by 小雅)."""
        return (*self.members, Mention("我", self.speaker)) if self.speaker else self.members

    def just_done(self, within: float = 120.0) -> LastDone | None:
        """The last change, if at most `within` seconds old: referent of a bare 恢复 or 别删."""
        if self.done is None or self.now.timestamp() - self.done.at > within:
            return None
        return self.done

    def just_shown(self, within: float = 120.0) -> bool:
        """True if items were shown at most `within` seconds ago, or at an unknown time: referents of a bare
        取消."""
        old = self.shown_at is not None and self.now.timestamp() - self.shown_at > within
        return bool(self.shown) and not old

    @property
    def last(self) -> KeptThing | None:
        """The single item shown last; of several only the agent."""
        if len(self.shown) < 2:
            return self.shown[0] if self.shown else None
        return KeptThing(self.shown[0].agent)

    @property
    def zone(self) -> ZoneInfo:
        """The configured zone."""
        zone = self.now.tzinfo
        assert isinstance(zone, ZoneInfo)
        return zone


@dataclass(frozen=True, slots=True)
class Clause:
    """Part of a message with one request, normalised (width, script, invisible characters)."""

    text: str
    situation: Situation
    times: tuple[TimeExpression, ...] = ()
    """Recognised time expressions; a clause without a date inherits the previous one."""
    amounts: tuple[Amount, ...] = ()
    lines: tuple[Clause, ...] = ()
    """Plans in a pasted text that is to be stored, a clause each."""
    act: str = ""
    """Act of the clause by the learned judge (`language.learned.judge`); empty for rules alone."""
    borders: tuple[Tagged, ...] = ()
    """Words of the free slots, by the tagger."""

    def words(self, slot: str) -> str:
        """Words of a free slot, stretches joined by blanks; empty if none."""
        return " ".join(self.text[each.start : each.end] for each in self.borders if each.slot == slot)

    def part(self, start: int, end: int) -> Clause:
        """Clause at a span of this one, with the times and amounts inside it."""
        times = tuple(
            each.moved(-start) for each in self.times if start <= each.span[0] and each.span[1] <= end
        )
        amounts = tuple(
            each.moved(-start) for each in self.amounts if start <= each.start and each.end <= end
        )
        return Clause(self.text[start:end], self.situation, times, amounts)

    def without(self, start: int, end: int) -> Clause:
        """Clause with blanks at a span, without the times and amounts that touch it (三号场)."""
        text = f"{self.text[:start]}{' ' * (end - start)}{self.text[end:]}"
        times = tuple(each for each in self.times if each.span[1] <= start or end <= each.span[0])
        amounts = tuple(each for each in self.amounts if each.end <= start or end <= each.start)
        return replace(self, text=text, times=times, amounts=amounts)

    def within(self, slot: str, time: TimeExpression) -> bool:
        """True if a time lies among the words of a slot."""
        return any(
            each.start <= time.span[0] and time.span[1] <= each.end
            for each in self.borders
            if each.slot == slot
        )
