"""What a line says to the book-keeper: typed frames, made by `reader` for the handler. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...language import Giving
from ...language.books.orders import BudgetOrder
from ...language.books.questions import LedgerQuery
from ...language.cards.asked import Asked
from ...language.entries.entry import Person
from ...language.entries.reading import Items
from ...language.ledger.repayments.lending import Lending
from ...language.ledger.shares.participants import Participants
from ..api.frame import AgentFrame, Span
from .cards.unknown_items import Stray
from .shares.sharing import Bearing


@dataclass(frozen=True, slots=True)
class Sharing:
    """What a line says of who shares. `parts`: how many items each part has, and whether it is shared."""

    shared: bool = False
    """The group's: AA, 平摊, 群账."""
    split: bool = False
    """Divided among people."""
    parts: tuple[tuple[int, bool], ...] = ()
    among: Participants = field(default_factory=Participants)
    """Who else than the speaker shares it."""
    payer: Person | None = None
    """Another who paid it, where one is named; without an id where nobody here is called so."""
    ours: bool = True
    """The speaker is one of those who share it."""
    treat: bool = False
    """Whoever paid shares it with nobody."""
    each: bool = False
    """The sum is what one of them bears."""
    bears: tuple[Bearing, ...] = ()
    """Who bears another part than the rest; the speaker's id is empty, and their name."""
    unclear: str = ""
    """Words that say that it is uneven, and not how."""
    creditor: str = ""
    """To whom money was given back, where nobody here is called so."""
    without: tuple[str, ...] = ()
    """Who is named as not sharing it."""
    paid_anew: Person | None = None
    """Who paid what was told before, instead of the speaker (不是我付的 是小李)."""
    open: bool = False
    """More than the speaker share it, of whom nothing is said (我们几个, 我先垫了)."""


@dataclass(frozen=True, slots=True)
class RecordCorrection:
    """What is to become of a saved record. `words` as they were said: records are compared with them."""

    words: str = ""
    removes: bool = False
    last: bool = False
    """The one recorded last."""
    name: str = ""
    """What the record is called."""
    change: str = ""
    """The words that say what it is to be."""
    old: int | None = None
    """Its sum in fen, where that is said (那三百)."""
    new: int | None = None
    """What its sum is to be, in fen."""
    waived: Person | None = None
    """Whose part of it is given up."""
    takes: bool = False
    """The speaker bears that part."""
    payer: Person | None = None
    """Who paid it instead of the speaker."""
    sharing: Sharing | None = None
    """Who shares it after all."""
    repeated: bool = False
    """It was recorded twice."""
    undivided: bool = False
    """The one that nobody shares."""
    without: tuple[str, ...] = ()
    """Who does not share it after all, as they are called in the line."""
    stays_out: str | None = None
    """The bill that the speaker does not share, in their words; empty where they name none."""
    count: int | None = None
    """How many of the records made last are meant."""
    place: int = 0
    """Which one of those that were just recorded or listed, from 1; -1 the last; 0 where that is not said."""
    filled: tuple[Person, ...] = ()
    """Who those are that were only counted when it was saved."""


@dataclass(frozen=True, slots=True)
class BooksFrame:
    """An order to the books."""

    intent: str = "record"
    text: str = ""
    """The words that record, with those that were quoted: they are kept, and given to a model."""
    exact: str = ""
    """The words without the sum that is only said roughly."""
    items: Items = field(default_factory=Items)
    guessed: bool = False
    """A guess or a condition stands in its words (刚才那笔可能是45)."""
    answered: bool = False
    """Who shares it was asked, and this is the answer: what it leaves open stays so."""
    vague: str | None = None
    """The answer names nobody (全宿舍), or only agrees to what was not told yet (确认)."""
    dropped: bool = False
    """The answer says that it is not to be recorded, or the line that nothing was spent."""
    borne: str = ""
    """Who bears it for the speaker (公司报销), where nobody orders it kept."""
    repeats: str = ""
    """The line, where it tells what falls due again and again (房贷每月8号4350)."""
    planned: str = ""
    """The line, where it tells what is to be paid on a day to come."""
    sharing: Sharing = field(default_factory=Sharing)
    sharings: tuple[Sharing, ...] = ()
    """What is said of each item, in their order, where they differ in who paid or shares them; else empty."""
    settles: bool = False
    """It says that a debt was settled, and not how much."""
    settlements: tuple[Giving, ...] = ()
    givings: tuple[Giving, ...] = ()
    lending: Lending | None = None
    """What the speaker and one member owe each other."""
    lesson: tuple[str, str] | None = None
    """A word and the category it stands for from now on."""
    budget: BudgetOrder | None = None
    query: LedgerQuery | None = None
    instead: RecordCorrection | None = None
    """What is taken out, for what is recorded."""
    correction: RecordCorrection = field(default_factory=RecordCorrection)
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])

    def sharings_of(self, count: int) -> tuple[Sharing, ...]:
        """What is said of each of so many items; none where one thing is said of all."""
        return self.sharings if len(self.sharings) == count else ()


@dataclass(frozen=True, slots=True)
class BooksReply:
    """A line about an open question of ours."""

    order: BooksFrame = field(default_factory=BooksFrame)
    """What was ordered, with what the line tells of it; beside a card what it wants of a saved record."""
    picked: tuple[int, ...] = ()
    """0-based places in the numbered list that was shown."""
    rough: str = ""
    """What a line would add to the open card, of which it says the sum only roughly."""
    asks: Asked | None = None
    """What it asks of the open card."""
    stray: Stray | None = None
    """What it names that is not on the open card."""
    out: str | None = None
    """The bill on another's card that the speaker does not share, as they name it."""
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])


def order_in(read: AgentFrame) -> BooksFrame:
    """What a frame orders; nothing where it is no order."""
    if isinstance(read, BooksReply):
        return read.order
    return read if isinstance(read, BooksFrame) else BooksFrame()


def reply_in(read: AgentFrame) -> BooksReply:
    """A frame as a reply; one that says nothing where it is none."""
    return read if isinstance(read, BooksReply) else BooksReply()
