"""Answers to questions of the books: card, amount, choice of a record. Pure."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import Final

from ....language import Question, agrees_to_delete, answer
from ....language.books.budgets import budget_order
from ....language.books.changing import CORRECTING
from ....language.books.pointing import numbered, only_day, pointed, points_back, without_sum_refused
from ....language.cards.asked import asked_of_card
from ....language.cards.grammar import Kind
from ....language.cards.only import only_kept
from ....language.cards.triage import may_refuse, only_items, triage
from ....language.clause import Clause, Mention
from ....language.entries.abroad import rate_told
from ....language.entries.categories import BUILT_IN, Categories
from ....language.entries.entry import load_entry
from ....language.entries.reading import read_items
from ....language.ledger import stays_out
from ....language.ledger.shares.participants import amendment_of, answer_of, known
from ....language.match import AnswerMatch
from ....language.recognise.numerals import parse_decimal
from ....language.text.fold import normalise
from ....patterns import Pattern
from ....storage.records import SPEAKER, FrameRecord
from ...drafting import BATCH, batch_of, concerns
from .payers import Around
from .sharers import asks_which, listing, shared_anew, to_be_shared
from .unknown_items import names_one

SAID: Final = "_said"
"""Note: text of an expense whose amount was asked for"""
ABROAD: Final = "_abroad"
"""Note: text of an expense of another currency, what it was, and its code, whose yuan were asked for"""
CHOICE: Final = "_choice"
"""Note: ids of candidate records, and the correction"""
WHO: Final = "_who"
"""Note: text of an expense whose sharers were asked for"""
MEMBERS: Final = "_members"
"""Note: group members at the opening of a card, for unaddressed lines"""
PROPOSED: Final = "_proposed"
"""Note: proposal carried out on a yes: a changed record, or a budget"""
ONE: Final = Decimal(1)
_MOST_ON_CARD: Final = 10
_SUBJECT: Final = Pattern(
    "(?:把|将|跟|和|那|这|[ ,，])*(?P<what>[^,，]{2,12}?)(?:那个|这个|那边|[也都就的 ,，])*(?:跟着|顺便)?"
)
_AS_WELL: Final = Pattern("改一?下|[也跟]着?改")
"""Words for a parallel change, of nothing on a card"""
_FOLLOWS: Final = Pattern("也?跟着|也(?=改)")
_REMINDS: Final = Pattern("提醒|叫我|喊我|日程|任务|待办|闹钟")
"""明天三点提醒我交房租500: the sum is no expense yet"""
_OF_A_CARD: Final = Pattern(
    "收入|支出|转账|金额|分类|类别|类型|日期|备注|描述|应该是|不是|第.{1,3}[笔个条]|[前后]两|最后"
)


def answers(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """Match of a line with our question; with a card open, every line of its owner belongs to it, unless it
    names another thing to change (跟财务对账 也跟着改下)."""
    if (other := frame.slots.get(SPEAKER)) is not None:
        return _of_another(frame, str(other), clause)
    if frame.slots.get(BATCH):
        if "预算" in clause.text and budget_order(clause.text, clause.situation.now.date(), Categories()):
            return None  # a budget is set beside the card
        if _of_saved(frame, clause):
            return None
        if asked_of_card(clause.text) is not None:
            return AnswerMatch("fills", asks=True)
        if _gives_up(frame, clause) or _puts_right(clause) or _orders_items(frame, clause):
            return AnswerMatch("corrects")
        bound = concerns(frame, clause)
        if (bound is None or bound.weak) and _shares_anew(frame, clause):
            return AnswerMatch("corrects")
        if bound is not None and names_one(clause.text):
            return replace(bound, weak=False)  # also if nothing on the card has that name
        another = _is_of_another(frame, clause)
        if another and (clause.times or _AS_WELL.search(clause.text)):
            return None
        if another or _is_of_a_plan(clause):
            return replace(bound, weak=True) if bound is not None else None
        return replace(bound, weak=False) if bound is not None and _is_of_an_item(frame, clause) else bound
    if frame.slots.get(SAID) and any(found.fen for found in clause.amounts):
        of_a_card = triage(clause.text, _MOST_ON_CARD).kind not in (Kind.CORRECTION, Kind.NEW_INPUT)
        if of_a_card and parse_decimal(clause.text) is None:
            return None  # 确认 1, of another card
        return None if _is_its_own(str(frame.slots[SAID]), clause) else AnswerMatch("fills")
    if frame.slots.get(SAID) and answer(clause.text, Question("make")).kind == "yes":
        return AnswerMatch("fills")  # the sum is asked for again
    if abroad := frame.slots.get(ABROAD):
        told = rate_told(clause.text, parse_decimal(str(abroad["amount"])) or ONE)
        return None if told is None else AnswerMatch("fills")
    if proposed := frame.slots.get(PROPOSED):
        asked = clause.situation.now.timestamp() - frame.updated_at
        return _to_deletion(clause.text, asked) if "remove" in proposed else _yes_or_no(clause.text)
    who = frame.slots.get(WHO)
    if who:
        members = known(who["members"])
        asked = (str(who.get("kind", "who")), str(who["text"]))
        told = answer_of(clause.text, *asked, frame.user_id, clause.situation.mentions, members)
        return None if told is None else AnswerMatch("fills")
    choice = frame.slots.get(CHOICE)
    if choice and only_items(clause.text, len(choice["ids"])):
        return AnswerMatch("fills")
    return None


def _of_another(frame: FrameRecord, speaker: str, clause: Clause) -> AnswerMatch | None:
    """Withdrawal of a sharer from another member's card."""
    out = stays_out(clause.text)
    bills = frame.open_to.get(speaker, ())
    fits = out is not None and (not out or any(each in out or out in each for each in bills))
    return AnswerMatch("corrects") if bills and fits else None


def _of_saved(frame: FrameRecord, clause: Clause) -> bool:
    """True if a line is about saved records: a count other than the card's (撤回刚才四笔), or names for open
    shares the card lacks (那笔421没记名的两份是阿明和阿ken)."""
    where = clause.situation
    said = amendment_of(clause.text, where.mentions, where.people)
    card = batch_of(frame.slots, load_entry)
    if said is None or card is None:
        return False
    if said.count is not None:
        return said.whole and said.count != len(card.pending)
    open_ = any(not share.name for item in card.pending for share in item.value.shares)
    return bool(said.filled) and not open_


def _is_its_own(said: str, clause: Clause) -> bool:
    """True if a line with a sum is another expense than the one asked about (火锅200, question: how much was
    小雨的钱)."""
    where = clause.situation
    entries = read_items(clause.text, where.now, where.zone).entries
    things = [entry.description for entry in entries if Categories().thing(entry.description) is not None]
    return any(set(pairwise(name)).isdisjoint(pairwise(said)) for name in things)


def _gives_up(frame: FrameRecord, clause: Clause) -> bool:
    """True if a line waives a member's share on the card (石头那份算了)."""
    entries = (each["value"] for each in frame.slots[BATCH].get("items", ()))
    shares = (share for entry in entries for share in entry.get("shares", ()))
    sharers = tuple(Mention(str(user), str(name)) for user, name, _ in shares if user)
    said = amendment_of(clause.text, (), sharers) if sharers else None
    return said is not None and said.waived is not None and len(said.waived.ids) == 1


def _orders_items(frame: FrameRecord, clause: Clause) -> bool:
    """True if a line keeps or drops named items of a card with several (就记打车的, 除了奶茶都记), or refuses
    one by its name and sum (火锅2块的不要)."""
    card = batch_of(frame.slots, load_entry)
    refused, fen = without_sum_refused(normalise(clause.text))
    if card is None or (len(card.pending) < 2 and fen is None):
        return False
    pending = [(item.number, item.value) for item in card.pending]
    size = len(card.items)
    if fen is not None and any(
        item.value.fen == fen and item.value.description and item.value.description in refused
        for item in card.pending
    ):
        return True
    if only_kept(clause.text, size, lambda words: pointed(words, pending)):
        return True
    read = triage(numbered(clause.text, pending), size)
    return bool(read.orders) or read.kind in (Kind.CONFIRM_ITEM, Kind.CANCEL_ITEM)


def _puts_right(clause: Clause) -> bool:
    """True if a line corrects the card's sum, payer, day or category (多写了一个零; 不是我付的 是小李;
    两个都是昨天的; 那笔算到交通里)."""
    where = clause.situation
    said = amendment_of(clause.text, where.mentions, where.people)
    if said is not None and (said.off is not None or said.payer is not None):
        return said.whole
    return only_day(clause.text) or points_back(clause.text)


def _shares_anew(frame: FrameRecord, clause: Clause) -> bool:
    """True if a line changes the sharers of the card's one shared item (小李没去 去掉他)."""
    card = batch_of(frame.slots, load_entry)
    if card is None:
        return False
    pending = [(item.number, item.value) for item in card.pending]
    where = clause.situation
    members = () if where.private else (*where.members, *known(frame.slots.get(MEMBERS)))
    others = tuple(one for one in members if one.user_id != frame.user_id)
    around = Around((frame.user_id, frame.user_id), others)
    line = normalise(clause.text)
    if shared_anew(line, pending, None, around) is not None or asks_which(line, pending, around):
        return True
    if where.private:
        return False
    if listing(normalise(clause.text), pending, others, where.mentions) is not None:
        return True
    return to_be_shared(clause.text, pending, where.mentions, where.members) is not None


def _yes_or_no(text: str) -> AnswerMatch | None:
    """Explicit yes or no; None with any other words."""
    said = triage(text, 1)
    if said.kind is Kind.CONFIRM:
        return AnswerMatch("confirm")
    return AnswerMatch("deny") if said.kind in (Kind.CANCEL, Kind.EXIT) else None


def _to_deletion(text: str, asked: float) -> AnswerMatch | None:
    """Explicit yes or no to a deletion that was asked for `asked` seconds ago: 是的都删 and 删掉 are a yes,
    取消 is a no; None with any other words, and for a bare 删掉 after other talk."""
    said = answer(text, Question("delete", said=TO_GO))
    if said.kind == "yes" and not said.half:
        nods = triage(text, 1).kind is Kind.CONFIRM or agrees_to_delete(text)
        return AnswerMatch("confirm") if nods or asked <= _STILL_ASKED else None
    return AnswerMatch("deny") if said.refuses or said.kind in ("no", "cancel") else None


_STILL_ASKED: Final = 120.0
"""Seconds for which a bare 删掉 answers the question; later it may be of something else."""
TO_GO: Final = "要删掉吗"
"""Words of the question for deleting records."""


def _is_of_a_plan(clause: Clause) -> bool:
    """True if a line cannot concern a card: a clock or a coming day, without money or an item (打球改到三点).
    A clear order of another agent is then carried out beside the card."""
    money = any(found.fen for found in clause.amounts) and _REMINDS.search(clause.text) is None
    if "笔" in clause.text or money:
        return False
    today = clause.situation.now.date()
    return any(
        time.start is not None or (time.date is not None and time.date > today) for time in clause.times
    )


def _is_of_an_item(frame: FrameRecord, clause: Clause) -> bool:
    """True if a line names an item of the card and refuses or corrects it (奶茶不是我喝的 去掉)."""
    names = {str(each["value"].get("description", "")) for each in frame.slots[BATCH].get("items", ())}
    named = any(len(name) > 1 and name in clause.text for name in names)
    corrects = may_refuse(clause.text) or CORRECTING.search(clause.text) is not None
    return named and corrects and not clause.times


def _is_of_another(frame: FrameRecord, clause: Clause) -> bool:
    """True if a line changes a named thing not on the card, without money (对账那个也改下)."""
    verb = CORRECTING.search(clause.text)
    if verb is None or "笔" in clause.text or any(found.fen for found in clause.amounts):
        return False
    said = _SUBJECT.fullmatch(clause.text[: verb.start()])
    what = said["what"] if said is not None else ""
    as_well = _FOLLOWS.match(clause.text) is not None
    if not (what or as_well) or only_items(what, 10) or _OF_A_CARD.search(clause.text):
        return False
    items = frame.slots[BATCH].get("items", ())
    known = {str(each["value"].get(name, "")) for each in items for name in ("description", "category")}
    known |= set() if _AS_WELL.search(clause.text) else set(BUILT_IN)
    return as_well or not any(word and (word in what or what in word) for word in known)
