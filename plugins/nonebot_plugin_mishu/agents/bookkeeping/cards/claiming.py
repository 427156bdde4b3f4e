"""Which lines are answers to what the books have asked: a card, an amount, which record. Pure."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

from ....language import Question, answer
from ....language.books.changing import CORRECTING
from ....language.books.orders import budget_order
from ....language.books.pointing import numbered, only_day, pointed, points_back
from ....language.cards.asked import asked_of_card
from ....language.cards.grammar import Kind
from ....language.cards.only import only_kept
from ....language.cards.triage import may_refuse, only_items, triage
from ....language.clause import Clause, Mention
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
"""What was said of an expense whose amount was asked for."""
CHOICE: Final = "_choice"
"""The ids of saved records of which one is meant, and the correction."""
WHO: Final = "_who"
"""What was said of an expense of which it was asked who shares it."""
MEMBERS: Final = "_members"
"""The members of the group when a card was opened: a line without a call does not bring them."""
PROPOSED: Final = "_proposed"
"""What was proposed and is done on a yes: a saved record as it is to be, or a budget."""
_MOST_ON_CARD: Final = 10
_SUBJECT: Final = Pattern(
    "(?:把|将|跟|和|那|这|[ ,，])*(?P<what>[^,，]{2,12}?)(?:那个|这个|那边|[也都就的 ,，])*(?:跟着|顺便)?"
)
_AS_WELL: Final = Pattern("改一?下|[也跟]着?改")
"""Says that something is to change as another thing has, and to nothing that a card could show."""
_FOLLOWS: Final = Pattern("也?跟着|也(?=改)")
_REMINDS: Final = Pattern("提醒|叫我|喊我|日程|任务|待办|闹钟")
"""明天三点提醒我交房租500: the money is only told."""
_OF_A_CARD: Final = Pattern(
    "收入|支出|转账|金额|分类|类别|类型|日期|备注|描述|应该是|不是|第.{1,3}[笔个条]|[前后]两|最后"
)


def answers(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """How a line answers a question of ours; with a card open, every line of its owner is the card's
    that does not name something else to be changed (跟财务对账 也跟着改下)."""
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
            return replace(bound, weak=False)  # also where nothing on the card is called so
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
    if frame.slots.get(PROPOSED):
        return _yes_or_no(clause.text)
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
    """How a line of a member's is of the card of another, of which they bear a part: they do not."""
    out = stays_out(clause.text)
    bills = frame.open_to.get(speaker, ())
    fits = out is not None and (not out or any(each in out or out in each for each in bills))
    return AnswerMatch("corrects") if bills and fits else None


def _of_saved(frame: FrameRecord, clause: Clause) -> bool:
    """Whether a line is of saved records beside the card: as many as the card has not (撤回刚才四笔), or
    names for parts that the card has none of (那笔421没记名的两份是阿明和阿ken)."""
    where = clause.situation
    said = amendment_of(clause.text, where.mentions, where.members)
    card = batch_of(frame.slots, load_entry)
    if said is None or card is None:
        return False
    if said.count is not None:
        return said.whole and said.count != len(card.pending)
    open_ = any(not share.name for item in card.pending for share in item.value.shares)
    return bool(said.filled) and not open_


def _is_its_own(said: str, clause: Clause) -> bool:
    """Whether a line with a sum tells another expense than the one whose sum was asked for (火锅200, when it
    was asked how much 小雨的钱 was)."""
    where = clause.situation
    entries = read_items(clause.text, where.now, where.zone).entries
    things = [entry.description for entry in entries if Categories().thing(entry.description) is not None]
    return any(set(pairwise(name)).isdisjoint(pairwise(said)) for name in things)


def _gives_up(frame: FrameRecord, clause: Clause) -> bool:
    """Whether a line gives up somebody's part of what is on the card (石头那份算了)."""
    entries = (each["value"] for each in frame.slots[BATCH].get("items", ()))
    shares = (share for entry in entries for share in entry.get("shares", ()))
    sharers = tuple(Mention(str(user), str(name)) for user, name, _ in shares if user)
    said = amendment_of(clause.text, (), sharers) if sharers else None
    return said is not None and said.waived is not None and len(said.waived.ids) == 1


def _orders_items(frame: FrameRecord, clause: Clause) -> bool:
    """Whether a line says by name what of several on the card is to be kept or to go (就记打车的,
    除了奶茶都记)."""
    card = batch_of(frame.slots, load_entry)
    if card is None or len(card.pending) < 2:
        return False
    pending = [(item.number, item.value) for item in card.pending]
    size = len(card.items)
    if only_kept(clause.text, size, lambda words: pointed(words, pending)):
        return True
    read = triage(numbered(clause.text, pending), size)
    return bool(read.orders) or read.kind in (Kind.CONFIRM_ITEM, Kind.CANCEL_ITEM)


def _puts_right(clause: Clause) -> bool:
    """Whether a line says of what is on the card how far its sum was off, who paid it, on which day it was,
    or where it belongs (多写了一个零; 不是我付的 是小李; 两个都是昨天的; 那笔算到交通里)."""
    where = clause.situation
    said = amendment_of(clause.text, where.mentions, where.members)
    if said is not None and (said.off is not None or said.payer is not None):
        return said.whole
    return only_day(clause.text) or points_back(clause.text)


def _shares_anew(frame: FrameRecord, clause: Clause) -> bool:
    """Whether a line says of the one shared item on the card who shares it (小李没去 去掉他)."""
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
    """An explicit yes, or a no; a line with anything else in it is none."""
    said = triage(text, 1)
    if said.kind is Kind.CONFIRM:
        return AnswerMatch("confirm")
    return AnswerMatch("deny") if said.kind in (Kind.CANCEL, Kind.EXIT) else None


def _is_of_a_plan(clause: Clause) -> bool:
    """Whether a line can change nothing on a card: it has no money and names no item, but an hour or a day to
    come, as 打球改到三点 has. A clear order for another agent is then done beside the card."""
    money = any(found.fen for found in clause.amounts) and _REMINDS.search(clause.text) is None
    if "笔" in clause.text or money:
        return False
    today = clause.situation.now.date()
    return any(
        time.start is not None or (time.date is not None and time.date > today) for time in clause.times
    )


def _is_of_an_item(frame: FrameRecord, clause: Clause) -> bool:
    """Whether a line names an item of the card and refuses or corrects something (奶茶不是我喝的 去掉)."""
    names = {str(each["value"].get("description", "")) for each in frame.slots[BATCH].get("items", ())}
    named = any(len(name) > 1 and name in clause.text for name in names)
    corrects = may_refuse(clause.text) or CORRECTING.search(clause.text) is not None
    return named and corrects and not clause.times


def _is_of_another(frame: FrameRecord, clause: Clause) -> bool:
    """Whether a line has changed what is not on the card, by name, without money (对账那个也改下)."""
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
