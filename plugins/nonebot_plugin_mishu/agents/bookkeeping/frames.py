"""Typed frames of the bookkeeping agent, made by `reader` for the handler. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from ...language import Division, Giving
from ...language.books.budgets import BudgetOrder
from ...language.books.questions import LedgerQuery
from ...language.cards.asked import Asked
from ...language.clause import Mention
from ...language.entries.entry import Foreign, Person
from ...language.entries.reading import Items
from ...language.ledger.repayments.lending import Lending
from ...language.ledger.shares.division import NOTHING
from ...language.ledger.shares.participants import Participants
from ..api.frame import AgentFrame, Span
from .cards.unknown_items import Stray
from .shares.sharing import Bearing


@dataclass(frozen=True, slots=True)
class Sharing:
    """Sharing given in a line. `parts`: number of items of each part, and True if shared."""

    shared: bool = False
    """Marked as the group's: AA, 平摊, 群账"""
    split: bool = False
    """Divided among people"""
    parts: tuple[tuple[int, bool], ...] = ()
    among: Participants = field(default_factory=Participants)
    """Sharers other than the speaker"""
    payer: Person | None = None
    """Payer other than the speaker; without an id if unknown here"""
    ours: bool = True
    """The speaker is a sharer"""
    closed: bool = False
    """Those named are all who share it"""
    treat: bool = False
    """The payer bears it alone"""
    each: bool = False
    """The sum is one person's share"""
    bears: tuple[Bearing, ...] = ()
    """Unequal shares; the speaker has an empty id and name"""
    alike: bool = False
    """Divided as the bill before it was (也六四)"""
    unclear: str = ""
    """Words for an uneven division without numbers"""
    payments: tuple[tuple[Person, int], ...] = ()
    """Who paid how much (in fen) of one bill, where several did; the speaker has an empty id and name"""
    creditor: str = ""
    """Receiver of a repayment, if unknown here"""
    without: tuple[str, ...] = ()
    """Excluded people"""
    paid_anew: Person | None = None
    """New payer of an earlier item (不是我付的 是小李)"""
    beside: tuple[str, ...] = ()
    """Members named without a part that was read: they may share it"""
    open: bool = False
    """Further sharers, unknown (我们几个, 我先垫了)"""


@dataclass(frozen=True, slots=True)
class RecordCorrection:
    """Change of a saved record. `words`: the original words, compared with records."""

    words: str = ""
    removes: bool = False
    last: bool = False
    """The last recorded one"""
    name: str = ""
    """Name of the record"""
    change: str = ""
    """Words of the new value"""
    old: int | None = None
    """Current sum in fen, if given (那三百)"""
    new: int | None = None
    """New sum in fen"""
    waived: Person | None = None
    """Member whose share is waived"""
    takes: bool = False
    """The speaker takes that share"""
    treats: str = ""
    """Bill of which the speaker treats the others"""
    rest: tuple[Person | None, int | None] | None = None
    """Rest of a debt to the speaker that is not wanted: whose, and how much in fen, as far as said"""
    payer: Person | None = None
    """Payer instead of the speaker"""
    sharing: Sharing | None = None
    """New sharing"""
    sole: Mention | None = None
    """Who bears all of it, or who paid it all for the speaker (`sole_of`)"""
    sole_of: Division = NOTHING
    """Words that say who alone bears it"""
    repeated: bool = False
    """Recorded twice"""
    undivided: bool = False
    """The unshared one"""
    without: tuple[str, ...] = ()
    """Removed sharers, as worded"""
    stays_out: str | None = None
    """Words for the bill the speaker does not share; empty if unnamed"""
    joins: tuple[Person, ...] = ()
    """Further sharers (不止我俩 还有小雅)"""
    unreceived: Person | None = None
    """Member whose repayment did not come, says the speaker"""
    count: int | None = None
    """Number of the latest records concerned"""
    place: int = 0
    """Place among those just recorded or listed, from 1; -1 the last; 0 if not given"""
    filled: tuple[Person, ...] = ()
    """Names of sharers only counted so far"""
    thing: str = ""
    """Thing named with its sum (蛋糕168): no record of another name is meant"""


@dataclass(frozen=True, slots=True)
class BooksFrame:
    """Order to the books."""

    intent: str = "record"
    text: str = ""
    """Words to record, with the quote: stored, and given to a model"""
    abroad: tuple[Foreign, ...] = ()
    """Sums as they were said in other currencies; `text` has them in yuan"""
    foreign: tuple[tuple[Decimal, str], ...] = ()
    """Sums of other currencies in `text`, each with the code of its currency"""
    rates: Mapping[str, Decimal] = field(default_factory=dict[str, Decimal])
    """Rates that were told for sums of other currencies, by code"""
    exact: str = ""
    """Words without an approximate sum"""
    items: Items = field(default_factory=Items)
    guessed: bool = False
    """Guess or condition (刚才那笔可能是45)"""
    answered: bool = False
    """Answer to the question of sharers: open values stay open"""
    vague: str | None = None
    """Answer without names (全宿舍), or a yes to an open question (确认)"""
    again: bool = False
    """What was just undone is made again, instead of undoing more"""
    unheard: bool = False
    """Line that a model took for the answer, in which nobody is named"""
    dropped: bool = False
    """Answer against recording, or line without spending"""
    of_some: str = ""
    """Words of a sum that only some share, of no bill in the line (86酒钱只算我和老周)"""
    differs: str = ""
    """Words of what some bear more or less, of no bill in the line (各多出5块)"""
    told_before: bool = False
    """Line about a sum that was recorded before (唱歌那120不要重复算)"""
    borne: str = ""
    """Payer for the speaker (公司报销), without an order to record"""
    repeats: str = ""
    """Line about a recurring payment (房贷每月8号4350)"""
    planned: str = ""
    """Line about a payment on a coming day"""
    sharing: Sharing = field(default_factory=Sharing)
    sharings: tuple[Sharing, ...] = ()
    """Sharing of each item in order, if they differ; else empty"""
    points_at_sum: bool = False
    """A sum is said to have been told before (打车那38)"""
    settles: bool = False
    """Settlement of a debt without a sum"""
    settlements: tuple[Giving, ...] = ()
    givings: tuple[Giving, ...] = ()
    each_giving: tuple[tuple[Giving, ...], ...] = ()
    """Payments to several members, one for each item"""
    quits: tuple[Person, Person] | None = None
    """Two others who are said to be quits: theirs to say"""
    mixed: tuple[str, ...] = ()
    """Parts of a line that hand over or owe several sums in several ways"""
    lending: Lending | None = None
    """Debt between the speaker and one member"""
    lesson: tuple[str, str] | None = None
    """Word and its new category"""
    budget: BudgetOrder | None = None
    query: LedgerQuery | None = None
    instead: RecordCorrection | None = None
    """Record to delete, replaced by the new one"""
    correction: RecordCorrection = field(default_factory=RecordCorrection)
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])

    def sharings_of(self, count: int) -> tuple[Sharing, ...]:
        """Sharing of each of `count` items; empty if all have the same."""
        return self.sharings if len(self.sharings) == count else ()


@dataclass(frozen=True, slots=True)
class BooksReply:
    """Line after an open question."""

    order: BooksFrame = field(default_factory=BooksFrame)
    """Original order completed by the line; beside a card the change of a saved record"""
    picked: tuple[int, ...] = ()
    """0-based places picked in the numbered list"""
    rough: str = ""
    """Item to add to the open card, with an approximate sum"""
    asks: Asked | None = None
    """Question about the open card"""
    stray: Stray | None = None
    """Name missing from the open card"""
    out: str | None = None
    """Bill on another member's card that the speaker does not share, as worded"""
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])


def order_in(read: AgentFrame) -> BooksFrame:
    """Order of a frame; empty if it has none."""
    if isinstance(read, BooksReply):
        return read.order
    return read if isinstance(read, BooksFrame) else BooksFrame()


def reply_in(read: AgentFrame) -> BooksReply:
    """Frame as a reply; empty if it is none."""
    return read if isinstance(read, BooksReply) else BooksReply()
