"""What local rules look at: one clause of a message, with what was found in it. Values only."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

from .learned.tagger import Tagged
from .recognise.money import Amount
from .recognise.times import TimeExpression


@dataclass(frozen=True, slots=True)
class Mention:
    """A member by id and name (card, else nickname), never ourselves."""

    user_id: str
    name: str


@dataclass(frozen=True, slots=True)
class KeptThing:
    """Something that is kept and that a line may mean: whose agent's, under which name and id, and when it
    is; of what was only shown a list of, nothing but the agent is known."""

    agent: str
    name: str = ""
    id: str = ""
    at: datetime | None = None
    """When it begins, in the configured zone; midnight where it has a day and no clock."""
    repeats: bool = False
    """It comes again."""
    creator: str = field(default="", compare=False)
    """The name of the member who had it kept; empty where nobody looked."""
    made_at: datetime | None = field(default=None, compare=False)
    """When it was kept, in the configured zone; None where nobody looked."""
    owner: str = field(default="", compare=False)
    """The name of the member whose it is; empty where it is nobody's alone."""
    place: str = field(default="", compare=False)
    """Where it is, as it was said."""
    every: str = field(default="", compare=False)
    """How it comes again, in words (每天, 每周四); empty where nobody looked."""


@dataclass(frozen=True, slots=True)
class SaidBefore:
    """A line of the talk of the last minutes."""

    name: str
    """Who said it: card, else nickname."""
    text: str
    mine: bool = False
    """The speaker of the line at hand said it."""


@dataclass(frozen=True, slots=True)
class LastDone:
    """The speaker's last change here that can still be undone."""

    summary: str
    """What it was, as it was noted (删除日程「例会」)."""
    at: float
    """When, wall seconds."""


@dataclass(frozen=True, slots=True)
class Situation:
    """Where and when something is said. `now` is the message's own time where it may be trusted."""

    now: datetime
    """Aware, in the configured zone."""
    private: bool = False
    """A friend's private conversation, or over HTTP without a group."""
    addressed: bool = True
    """Said to the bot; False for what it overhears."""
    mentions: tuple[Mention, ...] = ()
    """Whom the message mentions with an @."""
    members: tuple[Mention, ...] = ()
    """Who else is known here by name, whoever spoke last first; the speaker is not among them."""
    quoted: str | None = None
    """The text of the quoted message: what 这个 means in 提醒我这个."""
    open_tasks: bool = False
    """Whether the speaker has open tasks of their own: change orders without a noun look there first."""
    things: tuple[KeptThing, ...] = ()
    """The speaker's open tasks and the group's coming schedules."""
    shown: tuple[KeptThing, ...] = ()
    """What was made, changed, shown to or reminded of the speaker last, a moment ago, in the order in which
    it was said: what 改到三点半 and 第二个 mean."""
    taught: tuple[tuple[str, str], ...] = ()
    """The conversation's own words: each with the category of expenses it stands for."""
    facts: tuple[str, ...] = ()
    """The subjects of the facts that the group keeps (`language.lines.facts`)."""
    kept_facts: tuple[KeptThing, ...] = ()
    """These facts with their words and ids."""
    speaker: str = ""
    """What whoever says it is called."""
    told: tuple[str, str] | None = None
    """Subject and words of the fact that the speaker gave us a moment ago, with nothing done since: 不是三号
    and 是四号楼 are said of that."""
    recorded: tuple[str, ...] = ()
    """What the speaker's last records in the books are called (删掉奶茶)."""
    bills: tuple[str, ...] = ()
    """What others had booked lately, or have on a card, and the speaker shares (别算我)."""
    listed: int = 0
    """How many of the speaker's records were just recorded or listed, and nothing else spoken of since: what
    第二个 and 最后那笔 mean."""
    reminded: Literal["quoted", "recent"] | None = None
    """The line quotes a reminder of ours, or its sender was reminded a moment ago."""

    before: tuple[SaidBefore, ...] = ()
    """What was said here in the last minutes, ours apart, oldest first; empty where nobody looked."""
    shown_at: float | None = None
    """When that was, wall seconds; None: nobody knows."""
    done: LastDone | None = None
    """What 撤销 would undo; None: nothing, or nobody looked."""

    def just_done(self, within: float = 120.0) -> LastDone | None:
        """What was done so many seconds ago at most: what 恢复 and 别删 mean, said alone."""
        if self.done is None or self.now.timestamp() - self.done.at > within:
            return None
        return self.done

    def just_shown(self, within: float = 120.0) -> bool:
        """Whether something was spoken of so many seconds ago at most: what a bare 取消 means."""
        old = self.shown_at is not None and self.now.timestamp() - self.shown_at > within
        return bool(self.shown) and not old

    @property
    def last(self) -> KeptThing | None:
        """The one thing spoken of last; of a list nothing but whose it is."""
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
    """A part of a message that asks for one thing, normalised (width, script, invisible characters)."""

    text: str
    situation: Situation
    times: tuple[TimeExpression, ...] = ()
    """What the grammar finds in it; a clause without a date of its own has the one said before it."""
    amounts: tuple[Amount, ...] = ()
    lines: tuple[Clause, ...] = ()
    """Of a text that was pasted, with an order to keep it: what it plans, a clause each."""
    act: str = ""
    """The act that the judge reads in it (`language.learned.judge`); empty where the rules alone read it."""
    borders: tuple[Tagged, ...] = ()
    """The words of its free slots, as the tagger found them."""

    def words(self, slot: str) -> str:
        """The words of a free slot, stretches joined by blanks; empty where the tagger found none."""
        return " ".join(self.text[each.start : each.end] for each in self.borders if each.slot == slot)

    def part(self, start: int, end: int) -> Clause:
        """The clause at a span of this one, with what lies whole in it."""
        times = tuple(
            each.moved(-start) for each in self.times if start <= each.span[0] and each.span[1] <= end
        )
        amounts = tuple(
            each.moved(-start) for each in self.amounts if start <= each.start and each.end <= end
        )
        return Clause(self.text[start:end], self.situation, times, amounts)

    def without(self, start: int, end: int) -> Clause:
        """The clause with blanks at a span, without the times and sums that touch it: an agent's own words
        may look like one (三号场)."""
        text = f"{self.text[:start]}{' ' * (end - start)}{self.text[end:]}"
        times = tuple(each for each in self.times if each.span[1] <= start or end <= each.span[0])
        amounts = tuple(each for each in self.amounts if each.end <= start or end <= each.start)
        return replace(self, text=text, times=times, amounts=amounts)

    def within(self, slot: str, time: TimeExpression) -> bool:
        """A time stands among the words of a slot."""
        return any(
            each.start <= time.span[0] and time.span[1] <= each.end
            for each in self.borders
            if each.slot == slot
        )
