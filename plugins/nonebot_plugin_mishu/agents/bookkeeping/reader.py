"""Reader of the bookkeeping agent's frames, for orders and for lines after an open question. The handler
takes the frames and reads nothing again.

Lines about a card belong to drafts (`correcting`), corrections of a saved record to `saved_records`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from ...drafts import Batch
from ...language import Division, Giving, Name, Question, SharePart, Wage, answer, marked, redone
from ...language.books.amending import WRONG_ALONE, asked_then_away, place_in
from ...language.books.budgets import budget_order
from ...language.books.earlier_amounts import PointedBack, bill_of, points_back_to
from ...language.books.earlier_amounts import told_before as earlier_words
from ...language.books.orders import deletes, settled, taught, without_deleting
from ...language.books.pointing import only_day, points_at_sum, points_back
from ...language.books.questions import query
from ...language.cards.asked import asked_of_card
from ...language.cards.triage import only_items
from ...language.changes.undoing import redoes
from ...language.clause import Clause, Mention, Situation
from ...language.entries.abroad import foreign_sums, in_yuan, rate_beside, rate_told
from ...language.entries.categories import TRANSFERRED, Categories
from ...language.entries.entry import OTHER, Entry, Person, Type, entry_json, kept_as_said, load_entry
from ...language.entries.reading import Items, read_items
from ...language.entries.unspent import is_planned, is_repeating
from ...language.ledger import stays_out
from ...language.ledger.amendments import takes_over
from ...language.ledger.item_parts import item_parts
from ...language.ledger.items import is_ordered_kept, is_put_off, is_withheld, told_before
from ...language.ledger.repayments.lending import Lending, borne_alone, lending
from ...language.ledger.repayments.repaying import givings_in, settlements_in, settles
from ...language.ledger.shares.participants import (
    Participants,
    amendment_of,
    anew_of,
    answer_of,
    bystanders_of,
    differences_alone,
    division_of,
    got_instead_of,
    is_shared,
    known,
    left_out_of,
    listed_people,
    participants,
    quits_in,
    rest_in,
    thing_told,
    treated_in,
    unreceived_of,
    without_people,
)
from ...language.mood import guesses
from ...language.recognise.members import names_in, spoken_names, sums_beside
from ...language.recognise.money import find_amounts
from ...language.text.fold import normalise
from ...patterns import Pattern
from ...storage.records import FrameRecord
from ..api.frame import AgentFrame
from ..drafting import BATCH, batch_of
from .cards.claiming import ABROAD, CHOICE, PROPOSED, SAID, WHO
from .cards.correcting import correct_locally
from .cards.unknown_items import stray
from .frames import BooksFrame, BooksReply, RecordCorrection, Sharing
from .shares.sharing import Bearing, shared_parts

_SENT: Final = frozenset("转打汇还结")
"""Characters of transfer verbs, without a purchase"""
_OTHERS: Final = frozenset("你他她")
WAGES: Final = "工资"
LONGEST_NAME: Final = 12
"""Characters of what a bill is called, before what each bears"""
_LAST: Final = Pattern("刚才|刚刚|上一?[笔条个]|最后一?[笔条个]|最近一?[笔条个]|刚记|前一[笔条]")
_AROUND_NAME: Final = Pattern(
    "把|将|给我|帮我|麻烦|请|刚才?|那|这|一?[笔条](?:账|记录)?|的|了|掉|吧|啊|,|，|。|!| "
)


def read(intent: str, clause: Clause) -> AgentFrame:
    """Frame of a clause."""
    order = _ordered(settled(intent, clause.text), clause)
    return replace(order, again=redoes(clause)) if order.intent == "undo" else order


def replies(frame: FrameRecord, clause: Clause) -> AgentFrame:
    """Frame of a line after an open question."""
    slots, text = frame.slots, clause.text
    if slots.get(BATCH):
        card = batch_of(slots, load_entry)
        where = clause.situation
        kept = tuple(thing.name for thing in where.things)
        found = stray(text, card, (*where.recorded, *where.bills), kept) if card is not None else None
        return BooksReply(
            _on_card(text, clause.situation),
            rough=_rough(clause, card) if card is not None else "",
            asks=asked_of_card(text),
            stray=found,
            out=stays_out(text),
        )
    if slots.get(PROPOSED):
        return BooksReply()
    if slots.get(ABROAD):
        return BooksReply(_with_rate(slots[ABROAD], clause))
    if slots.get(WHO):
        return BooksReply(_divided(frame, slots[WHO], clause))
    if slots.get(CHOICE):
        choice = slots[CHOICE]
        places = tuple(sorted(only_items(text, len(choice["ids"]))))
        return BooksReply(BooksFrame(correction=correction_in(str(choice["text"]), clause.situation)), places)
    if slots.get(SAID):
        if answer(text, Question("make")).kind == "yes":
            return BooksReply(_ordered("record", replace(clause, text=str(slots[SAID]), amounts=())))
        items = _items(text, clause.situation, clause.situation.now, clause.situation.people)
        if any(entry.description for entry in items.entries):
            return BooksReply(_ordered("record", clause))  # 今天晚饭28 奶茶15: other things
        return BooksReply(_ordered("record", replace(clause, text=f"{slots[SAID]} {text}")))
    return BooksReply(_ordered(frame.intent, clause))


def _on_card(text: str, situation: Situation) -> BooksFrame:
    """Order about saved records, or payment between two people, in a line beside an open card."""
    around = (situation.mentions, situation.members)
    return BooksFrame(
        text=text,
        correction=correction_in(text, situation),
        givings=() if situation.private else givings_in(text, *around),
        lending=None if situation.private else lending(text, *around),
    )


def sharing_in(text: str, situation: Situation) -> Sharing:
    """Payer and sharers in a line."""
    return replace(_sharing_in(text, situation), paid_anew=_payer_anew(text, situation))


def sharing_on_card(text: str, situation: Situation) -> Sharing:
    """Payer and sharers in a line about a card, where a list of people gives sharers."""
    listed = None
    if not situation.private and not find_amounts(normalise(text)):
        listed = listed_people(text, "", situation.mentions, situation.people)
    if listed is None:
        return sharing_in(text, situation)
    return Sharing(shared=True, split=True, among=listed)


def _sharing_in(text: str, situation: Situation) -> Sharing:
    said = division_of(text, situation.mentions, situation.people)
    payer = _payer(said.payer, situation) if said.paid_by_other else None
    payments = tuple(
        (_ME if who.me else _person(who, situation), each.fen or 0) for who, each in said.payments
    )
    if payments:  # the speaker where they paid a part, else the first
        payer = None if any(who == _ME for who, _ in payments) else payments[0][0]
    split = said.divides or (said.each and not said.alone and bool(situation.mentions))
    if not (said.ours or split or payer):
        owed = said.creditor if Categories().of(said.creditor) == OTHER else ""
        named = (
            ()
            if said.treat or said.alone or said.wages
            else bystanders_of(text, situation.mentions, situation.people)
        )
        if said.me and len(said.people) > 1 and not (said.treat or said.alone or said.wages):
            named = (*named, *(name.text for name in said.people))  # 我和小明阿凯吃火锅300
        return Sharing(treat=said.treat, creditor=owed, beside=named)
    among = participants(text, "", situation.mentions, situation.people)
    if payments and not among.others and among.people == len(payments):
        # 我出了86 阿凯出了34 我们俩平摊: those who paid
        among = replace(among, named=tuple(who for who, _ in payments if who not in (_ME, payer)))
    now = situation.now
    parts = shared_parts(text, lambda part: len(read_items(part, now, situation.zone).entries), is_shared)
    named = len({*among.named, *(("", name) for name in among.unknown), *([payer] if payer else [])})
    # 里面有小明的烟28 剩下大家分: whose own part is told is none of those who share the rest
    owned = {_person(part.who, situation) for part in said.parts if part.own and part.kind == "sum"}
    owned = owned if said.split else set[Person]()
    others = set(among.others) - {payer}  # 跟月月吃的火锅一人80她付的: with the speaker
    alone = bool(others) and (among.people is None or among.people <= named)
    return Sharing(
        shared=said.ours or split,
        split=split,
        parts=parts,
        among=among,
        payer=payer,
        ours=said.me or not (said.closed or (payer is not None and alone)),
        closed=said.closed,
        treat=said.treat,
        each=said.each and split and not _items(text, situation, now, situation.people).by_head,
        bears=tuple(_bearing(part, situation) for part in said.parts),
        payments=payments,
        alike=said.alike,
        unclear=said.unclear,
        without=tuple(name.text for name in said.without),
        open=split
        and (
            said.several
            or bool(bystanders_of(text, situation.mentions, situation.people))
            or said.advanced
            or said.left_out
            or bool(payments)
            or bool(owned)
        )
        and not (set(among.others) - owned)
        and among.people is None,
    )


def _sharings(text: str, items: Items, situation: Situation) -> tuple[Sharing, ...]:
    """Sharing of each item, if each has its own; else empty.

    密室330我出的 打车60老猫出的 三个人分: payers of other items are among the common sharers.
    """
    if situation.private or len(items.entries) < 2:
        return ()
    parts = item_parts(text, situation.mentions, situation.people)
    names = names_in(normalise(text), (*situation.mentions, *situation.people))
    counts = [len(read_items(part, situation.now, situation.zone, None, names).entries) for part in parts]
    if counts != [1] * len(items.entries):
        return ()
    line = normalise(text)
    told: list[Sharing] = []
    for part in parts:
        meant = [one for one in situation.mentions if one.name in part or one.name not in line]
        told.append(sharing_in(part, replace(situation, mentions=tuple(meant))))
    payers = [said.payer for said in told if said.payer is not None and not said.treat]
    sharings: list[Sharing] = []
    for said, part in zip(told, parts, strict=True):
        alike = _as_before(said, sharings, also="也" in part)
        sharings.append(_with_payers(said, payers) if alike is None else alike)
    everybody = [who for said in sharings for who in _in_order(said)]
    return tuple(_with_all(said, everybody) for said in sharings)


def _with_all(said: Sharing, everybody: Sequence[Person]) -> Sharing:
    """Sharing completed with people named elsewhere in the line, if these and the speaker make up the head
    count (240我和小鹿AA 打车35老K付的 我们三个分)."""
    own, among = _sharers_of(said), said.among
    if not said.split or among.people is None or not len(own) < among.people:
        return said
    more = [who for who in dict.fromkeys(everybody) if who[0] and who not in own]
    if len(own) + len(more) != among.people:
        return said
    return replace(said, among=replace(among, named=(*among.named, *more)))


def _as_before(said: Sharing, before: Sequence[Sharing], *, also: bool) -> Sharing | None:
    """Sharing by the same people as an earlier item, if the head count is the same and fewer are named
    (烤鱼312 我小鹿老K三个人分 停车26小鹿付的也三个人摊). `also`: without a number (也AA)."""
    own = _sharers_of(said)
    wanted = said.among.people
    if not said.split or said.bears or (wanted is None and not also):
        return None
    for other in reversed(before):
        people = _sharers_of(other)
        if not other.split or other.bears or not own < people:
            continue
        if wanted is not None and wanted != len(people):
            continue
        if wanted is None and len(own - {_ME}) > (said.payer is not None):
            return None  # 也和小雅AA
        payer = said.payer or _ME
        named = tuple(who for who in (*_in_order(other), _ME) if who in people and who not in (payer, _ME))
        among = replace(said.among, named=tuple(who for who in named if who[0]), people=len(people))
        among = replace(among, unknown=tuple(name for user, name in named if not user))
        return replace(said, among=among, ours=_ME in people, open=False)
    return None


_ME: Final = ("", "")
"""The speaker, among sharers"""


def _in_order(said: Sharing) -> tuple[Person, ...]:
    payer = () if said.payer is None else (said.payer,)
    return tuple(dict.fromkeys((*payer, *said.among.others)))


def _sharers_of(said: Sharing) -> frozenset[Person]:
    """Known sharers, with payer and speaker."""
    mine = (_ME,) if said.payer is None or said.ours else ()
    return frozenset((*_in_order(said), *mine))


def _with_payers(said: Sharing, payers: Sequence[Person]) -> Sharing:
    """Sharing with payers of other items, up to the head count."""
    among, people = said.among, said.among.people
    if not said.split or people is None:
        return said
    own = {said.payer, *among.named, *(("", name) for name in among.unknown)}
    mine = 1 if said.payer is None or said.ours else 0
    for payer in dict.fromkeys(payers):
        if payer in own or not payer[0] or len(own - {None}) + mine >= people:
            continue
        own.add(payer)
        among = replace(among, named=(*among.named, payer))
    return replace(said, among=among)


def _payer(said: Name | None, situation: Situation) -> tuple[str, str] | None:
    if said is None or said.me:
        return None
    return _person(said, situation)


def _person(said: Name, situation: Situation) -> tuple[str, str]:
    """Id and name of a named person; without an id if unknown or ambiguous."""
    called = {one.user_id: one.name for one in (*situation.members, *situation.mentions)}
    if len(said.ids) == 1:
        return said.ids[0], called.get(said.ids[0], said.text)
    return "", said.text


def _bearing(part: SharePart, situation: Situation) -> Bearing:
    value = int(part.value) if part.kind in ("tenths", "weight", "half") else int(part.value * 100)
    return Bearing(("", "") if part.who.me else _person(part.who, situation), part.kind, value)


def correction_in(text: str, situation: Situation | None = None) -> RecordCorrection:
    """Correction of a saved record, with the people named if the situation is known."""
    place, rest = place_in(text)
    listed = situation.listed if situation is not None else 0
    if not 0 < abs(place) <= listed:
        thing = thing_told(text, situation.people) if situation is not None else ""
        return replace(_correction_in(text, situation), thing=thing)
    return replace(_correction_in(rest, situation), words=text, place=place)


def _correction_in(text: str, situation: Situation | None) -> RecordCorrection:
    out = stays_out(text)
    if out is not None:
        return RecordCorrection(text, stays_out=out)
    around = (situation.mentions, situation.people) if situation is not None else ()
    if asked_then_away(text):
        return RecordCorrection(text, removes=True)
    if situation is not None and not situation.private:
        if (treated := treated_in(text, *around)) is not None:
            return RecordCorrection(text, treats=treated.thing)
        if (rest := rest_in(text, *around)) is not None:
            return RecordCorrection(text, rest=(_whom(rest.who, situation), rest.fen))
    missing = unreceived_of(text, situation.mentions, situation.members) if situation is not None else None
    if missing is not None:
        return RecordCorrection(text, unreceived=(missing.user_id, missing.name))
    got = got_instead_of(text, situation.mentions, situation.members) if situation is not None else None
    if got is not None:
        return RecordCorrection(text, unreceived=(got[0].user_id, got[0].name), new=got[1])
    said = amendment_of(text, *around)
    last = _LAST.search(text) is not None or _again(text) or only_day(text) or points_back(text)
    marks = marked(normalise(text), find_amounts(normalise(text)))
    repeated, undivided = "repeated" in marks, "undivided" in marks
    told = None if said is not None or situation is None else anew_of(text, *around)
    if said is None and situation is not None and not situation.private:
        among = division_of(text, *around)
        if (bearer := _bearer(among, situation)) is not None:
            name = _name(text[: min(start for start, _ in among.spans)])
            return RecordCorrection(text, last=last, name=name, sole=bearer, sole_of=among)
    payer_told = None if told is None else told.new if told.pays else told.payer
    if told is not None and payer_told is not None and situation is not None and not situation.private:
        payer = _ME if payer_told.me else _person(payer_told, situation)
        return RecordCorrection(text, name=told.thing, last=not told.thing, payer=payer)
    if told is not None and told.joins and situation is not None and not situation.private:
        more = tuple(_person(who, situation) for who in told.joins if not who.me)
        return RecordCorrection(text, last=True, joins=more)
    if said is None:
        gone = left_out_of(text, *around) if around else ()
        removes = (deletes(text) or "撤" in text or repeated) and not gone
        divides = situation is not None and not removes and not gone
        shared = _sharing_anew(text, situation) if divides and situation is not None else None
        return RecordCorrection(
            text,
            removes,
            last,
            _before_names(text, gone) if gone else _name(text),
            _LAST.sub("", text),
            sharing=shared if shared is not None and shared.split else None,
            repeated=repeated,
            undivided=undivided,
            without=gone,
        )
    divides = situation is not None and not said.removed
    sharing = _sharing_anew(text, situation) if divides and situation is not None else None
    return RecordCorrection(
        text,
        said.removed,
        last or (said.old is None and not said.name),
        said.name,
        _LAST.sub("", text),
        said.old.fen if said.old is not None else None,
        said.new.fen if said.new is not None else None,
        waived=_whom(said.waived, situation),
        takes=takes_over(text),
        payer=_whom(said.payer, situation),
        sharing=sharing if sharing is not None and sharing.split else None,
        repeated=repeated,
        undivided=undivided,
        count=said.count,
        filled=tuple(_person(who, situation) for who in said.filled) if situation is not None else (),
    )


def _sharing_anew(text: str, situation: Situation) -> Sharing:
    """Sharers told anew of a saved record, beside a corrected sum as well (是320不是60 四个人不是十四个).
    Of a bare count those who share it already are meant first."""
    line = normalise(text)
    sums = [each for each in find_amounts(line) if each.fen]
    corrected = amendment_of(text, situation.mentions, situation.people)
    if corrected is not None and corrected.new is not None:
        for each in reversed(sums):
            line = f"{line[: each.start]} {line[each.end :]}"
        text = line
    said = sharing_in(text, situation)
    told = division_of(text, situation.mentions, situation.people)
    if said.split or told.count is None or told.alone or situation.private:
        return said
    among = participants(text, "", situation.mentions, situation.people)
    return Sharing(shared=True, split=True, among=replace(among, people=told.count + told.more))


def _whom(said: Name | None, situation: Situation | None) -> tuple[str, str] | None:
    return None if said is None or situation is None else _person(said, situation)


def _payer_anew(text: str, situation: Situation) -> tuple[str, str] | None:
    """New payer instead of the speaker, by the whole line."""
    said = amendment_of(text, situation.mentions, situation.people)
    return _whom(said.payer, situation) if said is not None and said.whole else None


def _again(text: str) -> bool:
    """True if only a sum is repeated (不对是一百六)."""
    amounts = find_amounts(text)
    return bool(amounts) and WRONG_ALONE.fullmatch(text[: amounts[0].start]) is not None


def _ordered(intent: str, clause: Clause) -> BooksFrame:
    situation, text = clause.situation, clause.text
    today, categories = situation.now.date(), Categories(dict(situation.taught))
    quits = None if situation.private else quits_in(text, situation.mentions, situation.members)
    if quits is not None:
        return BooksFrame(intent, text, quits=(_person(quits[0], situation), _person(quits[1], situation)))
    lesson, budget = taught(text), budget_order(text, today, categories)
    if lesson is not None or budget is not None or intent == "undo":
        return BooksFrame(intent, text, lesson=lesson, budget=budget, guessed=guesses(text))
    if intent == "query":
        names = names_in(normalise(text), (*situation.mentions, *situation.members))
        asked = query(text, today, clause.times, categories, private=situation.private, people=names)
        return BooksFrame(intent, text, query=asked)
    if intent == "correct":
        return BooksFrame(
            intent, text, correction=correction_in(text, situation), guessed=guesses(text, corrects=True)
        )
    if is_withheld(normalise(text), clause.amounts) or is_put_off(normalise(text)):
        return BooksFrame(intent, text, dropped=True)
    gone = told_before(normalise(text), clause.amounts)
    if gone is not None and all(gone[0] <= each.start < gone[1] for each in clause.amounts):
        return BooksFrame(intent, text, dropped=True, told_before=True)
    told = division_of(text, situation.mentions, situation.people)
    if told.of_some and not situation.private:
        return BooksFrame(intent, text, dropped=True, of_some=told.of_some[0])
    if not situation.private and (more := differences_alone(normalise(text), clause.amounts)):
        return BooksFrame(intent, text, dropped=True, differs=more)
    borne = told.borne
    if borne and not is_ordered_kept(normalise(text)):
        return BooksFrame(intent, text, dropped=True, borne=borne)
    if clause.amounts and is_repeating(text, clause.times):
        return BooksFrame(intent, text, dropped=True, repeats=text)
    if clause.amounts and is_planned(text, clause.times, today):
        return BooksFrame(intent, text, dropped=True, planned=text)
    line = normalise(text)
    anew = redone(line, find_amounts(line))
    if anew is not None:
        frame = _ordered("record", replace(clause, text=anew.new))
        return replace(frame, instead=replace(correction_in(anew.old, situation), removes=True))
    rates = dict[str, Decimal]()
    if (rate := rate_beside(text)) is not None:  # 酒店100美元，按7.2算
        text, rates[rate[1]] = rate[0], rate[2]
    if not situation.quoted and (meant := points_back_to(text)) is not None:
        text = _pointed_back(meant, situation, categories)
    items = _items(text, situation, situation.now, situation.people)
    quoted = situation.quoted
    if not items.entries and quoted:
        text = f"{text}，{quoted}"
        items = _items(quoted, situation, situation.now, situation.people)
    return replace(_recorded(text, items, situation), rates=rates)


def _pointed_back(meant: PointedBack, situation: Situation, categories: Categories) -> str:
    """Earlier words the line points back to, with its own; without such words only its own, so that the sum
    is asked for."""
    told = earlier_words(meant, situation.before, situation.now, situation.zone, categories)
    return "，".join(part for part in (told or meant.thing, meant.rest) if part)


def _items(text: str, situation: Situation, now: datetime, members: Sequence[Mention]) -> Items:
    """Items of a line among these members."""
    names = names_in(normalise(text), (*situation.mentions, *members))
    categories = Categories(dict(situation.taught))
    items = read_items(text, now, situation.zone, categories, names)
    if items.left and not situation.private:
        items = _by_parts(text, now, situation, categories) or items
    said = division_of(text, situation.mentions, tuple(members))
    if said.summed and not situation.private:
        items = _summed(items, text, names, int(said.summed * 100), categories, paid=bool(said.payments))
    if len(items.entries) == 1:
        items = replace(items, entries=(_named(items.entries[0], text, situation, categories),))
    return _paid_out(items, said.wages)


def _by_parts(text: str, now: datetime, situation: Situation, categories: Categories) -> Items | None:
    """Items of a line with sums that only their own part of it tells (包子6，外卖跟小雅一人22她付的); None
    where a part tells none, or several."""
    around = (situation.mentions, situation.people)
    names = names_in(normalise(text), (*situation.mentions, *situation.people))
    found = [read_items(part, now, situation.zone, categories, names) for part in item_parts(text, *around)]
    if not found or any(len(each.entries) != 1 or each.left for each in found):
        return None
    return Items(
        tuple(each.entries[0] for each in found), sure=False, about=any(each.about for each in found)
    )


def _summed(
    items: Items,
    text: str,
    names: Mapping[str, tuple[str, ...]],
    fen: int,
    categories: Categories,
    *,
    paid: bool,
) -> Items:
    """One item of this sum, of a line with what each bears (外卖 我28 小雅35 配送费6平摊) or paid."""
    line = normalise(text)
    sums = [each for each in sums_beside(names, line) if each.fen]
    if not items.entries or any(each.approximate or each.currency != "CNY" for each in sums):
        return items
    words = line[: sums[0].start].strip()
    words = next((words.removesuffix(name) for name in ("我", *names) if words.endswith(name)), words).strip()
    words = words if len(words) <= LONGEST_NAME else ""
    words = items.entries[0].description if paid else words
    entry = replace(items.entries[0], fen=fen, description=words, category=categories.of(words))
    return replace(items, by_head=False, entries=(entry,))


def _named(entry: Entry, text: str, situation: Situation, categories: Categories) -> Entry:
    """Item of an unnamed bill, named after the earlier talk."""
    name = bill_of(entry.description, normalise(text), situation.before)
    if name == entry.description:
        return entry
    return replace(entry, description=name, category=categories.of(name))


def _paid_out(items: Items, wages: Sequence[Wage]) -> Items:
    """Items with wages paid by the speaker: each by name, as expenses."""
    entries = list(items.entries)
    left = set(range(len(entries)))
    for wage in wages:
        place = next((at for at in sorted(left) if entries[at].fen == wage.amount.fen), None)
        if place is not None:
            left.discard(place)
            words = f"{wage.who.text}{wage.label}"
            entries[place] = replace(entries[place], type="EXPENSE", category=WAGES, description=words)
    return replace(items, entries=tuple(entries), sure=items.sure or bool(wages)) if wages else items


def _recorded(text: str, items: Items, situation: Situation) -> BooksFrame:
    around = (situation.mentions, situation.members)
    owed = None if situation.private else _owed(text, items, situation)
    if owed is not None and not owed.other.user_id:
        return BooksFrame("record", text, lending=owed)  # 他欠我两百
    whole = settles(text, *around)
    sharing = sharing_in(text, situation)
    sharings = _sharings(text, items, situation)
    items = _without_people(items, sharing, situation)
    handed = () if situation.private else givings_in(text, *around)
    each_handed = () if situation.private or handed else _each_handed(text, items, situation)
    mixed = () if situation.private or handed or each_handed else _mixed(text, items, situation)
    if not situation.private and not sharings and len(items.entries) > 1:
        mixed = mixed or division_of(text, situation.mentions, situation.people).paid_apart
    if each_handed:
        entries = tuple(
            _handed_over(replace(items, entries=(entry,)), each[0], situation).entries[0]
            for entry, each in zip(items.entries, each_handed, strict=True)
        )
        items = replace(items, entries=entries)
    if handed and (items.about or len(items.entries) > 1 or _sent_away(items, handed[0])):
        items = _handed_over(items, handed[0], situation)
    found = [entry_json(each) for each in items.entries]
    return BooksFrame(
        "record",
        text,
        items=items,
        mixed=mixed,
        foreign=foreign_sums(text) if items.foreign else (),
        exact=_exact(text) if items.about else "",
        sharing=sharing,
        sharings=sharings,
        settles=whole,
        points_at_sum=points_at_sum(text),
        settlements=settlements_in(text, *around) if whole else (),
        givings=handed,
        each_giving=each_handed,
        lending=owed,
        slots={"items": found} if found else {},
    )


def _owed(text: str, items: Items, situation: Situation) -> Lending | None:
    """Debt between the speaker and one member, also of a bill that one of them alone bears."""
    found = lending(text, situation.mentions, situation.members)
    entry = items.entries[0] if len(items.entries) == 1 else None
    if entry is None or (found is not None and found.way != "paid"):
        return found
    if found is None:
        said = division_of(text, situation.mentions, situation.people)
        return borne_alone(said, _bearer(said, situation), entry)
    named = bool(entry.description) and entry.description in found.thing
    return replace(found, thing=entry.description) if named else found


def _bearer(said: Division, situation: Situation) -> Mention | None:
    """Who alone bears a bill, or who paid it for the speaker; None where nobody does."""
    other = said.payer if said.sole is None or said.sole.me else said.sole
    return None if other is None or said.sole is None else Mention(*_person(other, situation))


def _each_handed(text: str, items: Items, situation: Situation) -> tuple[tuple[Giving, ...], ...]:
    """The payments of a line that several members get or give a sum each (给小雅900 给阿凯33), one for each
    item in order; none where a part says anything else."""
    if len(items.entries) < 2:
        return ()
    parts = [part for part in _PARTS.split(normalise(text)) if part]
    found = tuple(givings_in(part, situation.mentions, situation.members) for part in parts)
    if len(found) != len(items.entries) or not all(each and each[0].who.ids for each in found):
        return ()
    told = [each[0].amount.fen if each[0].amount is not None else None for each in found]
    return found if told == [entry.fen for entry in items.entries] else ()


def _mixed(text: str, items: Items, situation: Situation) -> tuple[str, ...]:
    """Parts of a line that hand over or owe several sums in several ways (那20我转阿凯了 他欠我200)."""
    if len(items.entries) < 2:
        return ()
    around = (situation.mentions, situation.members)
    parts = [part for part in _PARTS.split(normalise(text)) if part]
    moved = [part for part in parts if givings_in(part, *around) or lending(part, *around) is not None]
    return tuple(moved) if len(moved) > 1 else ()


_PARTS: Final = Pattern("[ ,，、;；。]+(?:再|又|然后|还|也)?")


def converted(order: BooksFrame, situation: Situation, rates: Mapping[str, Decimal]) -> BooksFrame | None:
    """Order to record sums of other currencies, in yuan; None where a rate is missing."""
    told = in_yuan(order.text, rates)
    if told is None:
        return None
    text, said = told
    frame = _recorded(text, _items(text, situation, situation.now, situation.people), situation)
    entries = kept_as_said(frame.items.entries, said)
    return replace(frame, items=replace(frame.items, entries=entries), abroad=said)


def _with_rate(asked: Mapping[str, Any], clause: Clause) -> BooksFrame:
    """Expense of another currency, in yuan by what an answer says; sums of further currencies stay open."""
    order = _ordered("record", replace(clause, text=str(asked["text"]), amounts=()))
    rate = rate_told(clause.text, Decimal(str(asked["amount"])))
    rates = {str(code): Decimal(str(each)) for code, each in dict(asked["rates"]).items()}
    if rate is None:
        return BooksFrame(text=str(asked["text"]))
    rates[str(asked["code"])] = rate
    told = converted(order, clause.situation, rates)
    return replace(order if told is None else told, rates=rates)


def _sent_away(items: Items, said: Giving) -> bool:
    """True for money sent to a member, which is no expense whatever its purpose (酒店的钱320我转给阿明了)."""
    if said.mine and said.who.ids and said.verb.startswith("退"):
        return bool(items.entries)  # 退了小雅5块 is no refund to the speaker
    spent = [entry for entry in items.entries if entry.type == "EXPENSE"]
    for_nothing = all(entry.category == OTHER for entry in spent)
    named = bool(said.who.ids) or (for_nothing and bool(said.who.text) and said.who.text not in _OTHERS)
    merely_given = bool(said.who.ids) and for_nothing and said.verb.startswith(("给", "付", "先"))
    return bool(spent) and said.mine and named and (merely_given or not _SENT.isdisjoint(said.verb))


def _handed_over(items: Items, said: Giving, situation: Situation) -> Items:
    """The one item of a line about a payment to or from a member, whatever further sums it has
    (我转给大姐90了 89块多懒得找零)."""
    fen = said.amount.fen if said.amount is not None else None
    if not items.entries or not fen:
        return items
    _, name = _person(said.who, situation)
    words = f"转给{name}" if said.mine else f"{name}转来"
    day = min(items.entries[0].day, situation.now.date())  # 先转了100给小李 剩的下周
    kind: Type = "TRANSFER" if said.mine else "INCOME"
    category = TRANSFERRED if said.mine else OTHER
    entry = replace(items.entries[0], fen=fen, type=kind, category=category, description=words, day=day)
    return replace(items, entries=(entry,), about=False)


def _rough(clause: Clause, card: Batch[Entry]) -> str:
    """Item added to an open card with an approximate sum (聚餐花了一百多)."""
    where, line = clause.situation, normalise(clause.text)
    if not any(amount.approximate for amount in find_amounts(line)):
        return ""
    pending = [(item.number, item.value) for item in card.pending]
    found = correct_locally(line, pending, Categories(dict(where.taught)), where.now, where.zone)
    return next((str(each.get("description", "")) for each in found.added), "")


def _exact(text: str) -> str:
    """Words without approximate sums."""
    line = normalise(text)
    for amount in reversed(find_amounts(line)):
        if amount.approximate:
            line = f"{line[: amount.start]} {line[amount.end :]}"
    return line


def _without_people(items: Items, sharing: Sharing, situation: Situation) -> Items:
    """Items with sharers removed from their descriptions."""
    if not sharing.split:
        return items
    names = [*spoken_names((*situation.people, *situation.mentions)), *sharing.among.unknown]
    told = (replace(each, description=without_people(each.description, names)) for each in items.entries)
    return replace(items, entries=tuple(told))


def _divided(frame: FrameRecord, who: Mapping[str, Any], clause: Clause) -> BooksFrame:
    """Expense whose payer or sharers were asked for, completed by the answer."""
    text, situation = str(who["text"]), clause.situation
    members = (*situation.members, *known(who["members"]))
    around = replace(situation, members=members, mentions=(*known(who["mentions"]), *situation.mentions))
    kind = str(who.get("kind", "who"))
    # With the speaker under their own name: 小明和小雅 said by 小雅 is 小明 and 我.
    told = answer_of(clause.text, kind, text, frame.user_id, situation.mentions, around.people)
    if told is None:  # a model took it for the answer: what it says of the expense, nobody read
        return BooksFrame(text=text, unheard=True)
    if told.dropped:
        return BooksFrame(text=text, dropped=True)
    if told.vague is not None:
        return BooksFrame(text=text, vague=told.vague, sharing=sharing_in(text, around))
    text = told.again or text
    said_at = datetime.fromtimestamp(who["at"], situation.zone)
    items = _items(text, around, said_at, around.people)
    sharing = sharing_in(text, replace(around, mentions=known(who["mentions"])))
    if told.alone:
        return BooksFrame(text=text, items=items)
    if kind == "creditor":
        moved = tuple(replace(each, type="TRANSFER", category=TRANSFERRED) for each in items.entries)
        owed = items if told.again else replace(items, entries=moved)
        return replace(_recorded(text, owed, around), answered=True)
    if told.again:
        return BooksFrame(text=text, items=_without_people(items, sharing, around), sharing=sharing)
    sharings = _sharings(text, items, replace(around, mentions=known(who["mentions"])))
    sharing = _answered(sharing, told.among)
    return BooksFrame(
        text=text,
        items=_without_people(items, sharing, around),
        sharing=sharing,
        sharings=tuple(_answered(said, told.among) if said.split else said for said in sharings),
        answered=True,
    )


def _answered(said: Sharing, among: Participants) -> Sharing:
    """Sharing completed by the people named in the answer."""
    payer = said.payer[0] if said.payer is not None else ""
    among = said.among.completed(among.without(payer) if payer else among)
    return replace(said, among=among, split=True, shared=True, open=False)


def _before_names(text: str, gone: Sequence[str]) -> str:
    """Name of the record before the people who are taken out of it: 肉 of 肉那笔小雅不算."""
    line = normalise(text)
    first = min((at for name in gone if (at := line.lower().find(name)) >= 0), default=0)
    before = line[:first]
    name = _AROUND_NAME.sub("", _LAST.sub("", before)).strip()
    pointed = any(word in before for word in ("笔", "那顿", "那次"))
    return name if pointed or Categories().thing(name) is not None else ""


def _name(text: str) -> str:
    """Name of the record, without pointing words and order: 烟 of 刚那笔烟删掉."""
    line = re.split("改成|改为|改到|换成|应该|其实|是|记错|备注|(?<=.)改", _LAST.sub("", text), maxsplit=1)[0]
    return _AROUND_NAME.sub("", without_deleting(line)).strip()
