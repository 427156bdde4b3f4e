"""Division of an expense in a line: payer, sharers, their number, uneven parts. Pure.

    机票我先垫了2400 我陈晨苏苏三个人的     the speaker paid, three share
    每人120 林然陈晨和我                    120 by the head, for three
    阿笙付了140                             阿笙 paid; no sharers
    打车40不用AA, 晚饭我请 200              nobody shares
    房租3000 小雅六成我四成                 by tenths
    酒店1400 我和小雅按天数3:4              by weights
    火锅300 我付了200 阿凯付了100           two paid one bill

Names of no member stay names: the caller knows the members.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Final, Literal, cast

from ...recognise.money import Amount
from ...recognise.numerals import parse_integer
from ...text.tokens import Token
from ..pieces import LONGEST, EntryPiece, pieces, words_in
from .people import (
    Name,
    PeopleGroup,
    counted,
    groups_in,
    inside,
    name_of,
    named_before,
    sharers,
    with_those_meant,
)

_UNEVEN: Final = frozenset({"split", "unclear", "ratio", "portion"})
_DIVIDES: Final = frozenset({"split", "count", "several"})
_OURS: Final = "我咱俺"
_TENTHS: Final = "一二三四五六七八九"
_ON_BEHALF: Final = ("替", "帮", "为", "代")
_GIFTS: Final = ("红包", "压岁", "礼", "份子", "零花", "生活费", *"奖薪")
"""Gifts, without a purchase."""


@dataclass(frozen=True, slots=True)
class SharePart:
    """One person's part: `more` or `less` than the others, so many `tenths`, exactly a `sum`, or several
    parts (`weight`: 我出两份), or `half` a part (月月算一半)."""

    who: Name
    kind: Literal["more", "less", "tenths", "sum", "weight", "half"]
    value: Decimal
    own: bool = False
    """What is theirs of a bill (其中20是小王的): on top of an even share, or all that they bear of it."""


@dataclass(frozen=True, slots=True)
class Wage:
    """Payment to somebody who works for the speaker; `label`: its kind (工资, 借支)."""

    who: Name
    label: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class Division:
    """Payer and sharers of an expense, as a line has them."""

    payer: Name | None = None
    """Named payer; None if none."""
    advanced: bool = False
    """Paid for others too (垫)."""
    people: tuple[Name, ...] = ()
    """Named sharers, without the speaker."""
    me: bool = False
    """The speaker is named among them."""
    count: int | None = None
    """Number of sharers in all, if given."""
    more: bool = False
    """`count` is of the others (和4个同事)."""
    we: bool = False
    """`count` is of us (我们俩)."""
    several: bool = False
    """More than one, and not how many (我们几个)."""
    split: bool = False
    """To be divided (AA, 平摊, 三个人的)."""
    alone: bool = False
    """Not to be divided (不用AA, 我请)."""
    sole: Name | None = None
    """Who bears all of it, if that is not whoever paid (全算小雅的, 小雅一个人出)."""
    treat: bool = False
    """Whoever paid treats the others."""
    borne: str = ""
    """Final bearer instead of the speaker (公司报销)."""
    each: bool = False
    """The sum is what one of them bears."""
    parts: tuple[SharePart, ...] = ()
    payments: tuple[tuple[Name, Amount], ...] = ()
    """Who paid how much of one bill, where several did; in all its sum."""
    closed: bool = False
    """Those named are all who share it: whoever paid and is not named bears nothing."""
    guests: tuple[Name, ...] = ()
    """Guests whose part another bears (我媳妇那份算我的); they share nothing themselves."""
    unclear: str = ""
    """Words that say that it is uneven, and not how (六四开, 大头)."""
    also_unclear: tuple[tuple[str, str], ...] = ()
    """The further stretches that say so, each with who is named in it (小雅出小头)."""
    alike: bool = False
    """Divided as the bill before it was (也六四, 一样分)."""
    group: bool = False
    """For the group's books (群账)."""
    creditor: str = ""
    """Creditor of a repayment, if no member has this name (还了大头160)."""
    without: tuple[Name, ...] = ()
    """Named people excluded."""
    left_out: bool = False
    """Exclusion alone (大刘不算): others share it."""
    everybody: str = ""
    """Word for everybody, without names (全宿舍, 大家)."""
    summed: Decimal | None = None
    """The sum of a bill that is told by what each bears alone (我70 小雅和阿凯各70)."""
    paid_apart: tuple[str, ...] = ()
    """Words of payments by several people that are parts of no bill in the line (我刷了300他刷了200)."""
    of_some: tuple[str, ...] = ()
    """Words of a sum that only some share, of no bill in the line (86酒钱只算我和老周)."""
    wages: tuple[Wage, ...] = ()
    """Payments to people who work for the speaker (发工资 小李4200 阿芳3900)."""
    whole: bool = False
    """The line says nothing but this."""
    spans: tuple[tuple[int, int], ...] = ()
    """The stretches of the line that say so: no part of what was bought."""

    @property
    def divides(self) -> bool:
        """True if several people bear the expense."""
        said = (
            self.split
            or self.advanced
            or bool(self.payments)
            or self.left_out
            or bool(self.parts)
            or bool(self.unclear)
        )
        counted = self.we or (self.count is not None and self.payer is not None)
        by_head = self.each and (bool(self.people) or self.several or counted)
        by_other = self.paid_by_other and (bool(self.people) or self.several or self.count is not None)
        return not self.alone and (said or by_head or by_other)

    @property
    def paid_by_other(self) -> bool:
        """True if another person than the speaker paid."""
        return _by_other(self.payer)

    @property
    def ours(self) -> bool:
        """True for an expense of the group."""
        return self.group or self.divides


NOTHING: Final = Division()


def divided(
    line: str,
    amounts: Sequence[Amount],
    names: Mapping[str, tuple[str, ...]],
    times: Iterable[tuple[int, int]] = (),
    *,
    shared: bool = False,
    headed: int = 0,
) -> Division:
    """Payer and sharers in a normalised line; linear in its length. Never raises. `shared`: the whole line is
    about shared expenses. `headed`: characters before the line proper, which `whole` leaves out."""
    text = line.lower() if len(line.lower()) == len(line) else line
    if len(text) > LONGEST:
        return NOTHING
    read = with_those_meant(words_in(text, amounts, names, times), text)
    told = pieces_of_bill(read, text, shared=shared)
    told = _of_those_fronted(_of_one_bearer(told, read, amounts), read, amounts)
    told, of_some = _of_a_bill_told(told, read)
    apart_paid = () if any(piece.reads == "paid_sum" for piece in told) else _paid_apart(read, text)
    each_own = _each_told(told, read, text, amounts)
    found = _of_whole(_of_more(told, amounts), read, text, amounts, kept=bool(each_own))
    if each_own:
        found = (*found, *_bare_parts(read, found))
    found = _by_stay(_told_here(found, read, text), text, of_a_bill=bool(amounts) or shared)
    if headed or any(piece.reads == "part" for piece in found):
        found = (*found, *_bare_parts(read, found))
    how_many, of_others = counted(read, text)
    groups = list(groups_in(read, text, found, how_many + of_others if how_many is not None else None))
    kinds = {piece.reads for piece in found}
    payers = [piece for piece in found if piece.reads in ("paid", "treated")]
    payer = next((_meant(piece, "payer", read, text) for piece in payers if "payer" in piece.slots), None)
    payments = tuple(
        (name_of(piece.slots["payer"][0], text), cast("Amount", piece.slots["sum"][0].value))
        for piece in found
        if piece.reads == "paid_sum"
    )
    several = "several" in kinds or (any("few_of" in token.classes for token in read) and "split" in kinds)
    each = "each" in kinds
    treat = "treated" in kinds and not (kinds & {"split"})
    bearers = {("" if who.me else who.text): who for each in found for who in _bearers_in(each, text)}
    sole = next(iter(bearers.values())) if len(bearers) == 1 and not payments else None
    if _by_other(payer) and any(
        piece.reads == "apart" and any(each in text[piece.start : piece.end] for each in _OURS)
        for piece in found
    ):
        sole = _SPEAKER  # 药妆240大刘付的 都算我的
    by = payer if payer is not None and not payer.me else _SPEAKER
    borne_by_payer = sole is not None and (sole.me if by.me else sole.text == by.text)
    sole = None if borne_by_payer or kinds & _DIVIDES else sole
    alone = (treat or "apart" in kinds or borne_by_payer) and sole is None
    vague = [piece for piece in found if piece.reads == "unclear"]
    unclear = _said(vague[0].slots["ratio"], text) if vague else ""
    vaguely = [name_of(each.slots["who"][0], text) for each in vague if "who" in each.slots]
    all_named = _all_named(groups, how_many, amounts if not payers else (), text)
    among_us = any(
        (not group.behind.isdisjoint({"divide", "bear"}) and _holds_us(group))
        or (group.led and "divide" in group.behind)  # 打车20，和阿凯分
        for group in groups
    )
    found = tuple(
        piece for piece in found if piece.reads != "weight" or _is_stay(piece) or _is_share(piece, read)
    )
    hosted = list(_hosted(found, text, payer)) if amounts or shared else []
    portions = [piece for piece in found if piece.reads == "portion"]
    if portions and not unclear and not _portions(portions, text):
        odd_one = portions[0].slots.get("ratio") or portions[0].slots["share"]
        unclear = _said(odd_one, text)  # 我三分之一, and nobody the rest; 六四开 我五
    ratios = [piece for piece in found if piece.reads == "ratio"]
    odd = [piece for piece in ratios if len(_weighed(piece, text)) != len(_ratio_in(piece, text))]
    if odd and not unclear:
        unclear = _said(odd[0].slots["ratio"], text)
    weighs = any(
        piece.reads in ("weight", "halved", "ratio", "rest") or "rest" in piece.slots for piece in found
    )
    fronted = [who for piece in payers for who in _people_in(piece, text, "for")]
    sharing = bool(kinds & _DIVIDES) or bool(fronted) or all_named or among_us or bool(hosted) or weighs
    listed = _listed(groups, amounts, [piece for piece in found if piece.reads in _OF_ONE], text)
    sharing = sharing or "backed" in kinds or (listed and groups[-1].listed)
    people, me, spans = sharers(groups, how_many, sharing=sharing or each)
    spans = [(start - (text[start - 1 : start] == "("), end) for start, end in spans]
    backed = [
        who
        for piece in found
        if piece.reads in ("backed", "rest") or (piece.reads == "ratio" and piece not in odd)
        for who in (_weighed(piece, text) if piece.reads == "ratio" else _people_in(piece, text))
    ]
    backed += [who for piece in found for slot in ("rest", "among") for who in _people_in(piece, text, slot)]
    me = me or any(piece.reads == "backed" for piece in found) or any(who.me for who in backed)
    backed += fronted
    people = (*people, *(who for who in backed if not who.me and who not in people))
    split = (sharing or listed) and not alone
    without = tuple(
        name_of(piece.slots["who"][0], text)
        for piece in found
        if piece.reads == "left_out" or (piece.reads == "absent" and (split or people))
    )
    guests = tuple(guest for guest, _ in hosted)
    halved = [_meant(piece, "who", read, text) for piece in found if piece.reads == "halved"]
    without = tuple(who for who in without if who not in halved)  # 月月没唱多久 她算一半
    gone = {each.text for each in (*without, *guests)}
    people = tuple(each for each in people if each.text not in gone)
    advanced = any(
        not token.classes.isdisjoint({"advance", "fronted"})
        for piece in payers
        for token in _within(read, piece)
    )
    by_ratio = len(ratios) == 1 and not odd
    by_count = how_many == len(people) > 1 and not (of_others or _counts_us(found, text))
    with_us = any(group.led for group in groups)
    parts = (*_parts(found, read, text), *_weights_of_hosts(found, hosted, read, text))
    if not headed:
        parts = tuple(
            replace(each, kind="sum") if each.own and not each.who.me and each.who not in people else each
            for each in parts
        )
    beside = [each for each in amounts if all(each != one for _, one in each_own)]
    if each_own and beside:
        parts = tuple(replace(part, kind="more") if part.kind == "sum" else part for part in parts)
    if not payments and (paid := _paid_in_parts(parts, found, amounts, how_many, text)):
        payments, parts = paid, ()
    borne = _borne(found, text, amounts)
    unsaid = {
        *(() if borne else ("borne",)),
        "bought_for",
        "corrected",
        "pointed",
        "waived",
        "repaid",
        "filled",
        "wages",
        *(() if hosted else ("hosted",)),
        *(() if _by_other(payer) else ("treated",)),
    }
    shown = [piece for piece in found if piece.reads not in unsaid or (hosted and piece.reads == "waived")]
    return Division(
        payer=None if payer is not None and payer.me and treat else payer,
        advanced=advanced and not alone,
        people=(*people, *(who for who in vaguely if not who.me and who not in people)),
        me=me or any(who.me for who in vaguely),
        count=how_many,
        more=of_others,
        we=_counts_us(found, text),
        several=several and how_many is None,
        split=split,
        alone=alone,
        sole=sole,
        treat=treat,
        borne=borne,
        each=each,
        parts=parts,
        payments=payments,
        closed=bool(people) and not me and not guests and (by_ratio or (by_count and not with_us)),
        guests=guests,
        unclear=unclear,
        also_unclear=tuple((text[each.start : each.end], _whose(each, text)) for each in vague[1:]),
        alike=any(
            "alike" in token.classes
            for piece in found
            if piece.reads in _UNEVEN
            for token in _within(read, piece)
        ),
        group="group" in kinds,
        creditor=next((_said(each.slots["who"], text) for each in found if each.reads == "repaid"), ""),
        without=without,
        left_out=any(piece.reads == "left_out" for piece in found) and not alone,
        everybody=text.strip() if read and all("they" in token.classes for token in read) else "",
        summed=sum((one.yuan for one in (*(one for _, one in each_own), *beside)), Decimal(0))
        if each_own
        else sum((one.yuan for _, one in payments), Decimal(0))
        if payments and len(payments) == len(amounts)
        else None,
        paid_apart=apart_paid,
        of_some=tuple(text[each.start : each.end] for each in of_some),
        wages=tuple(_wages(found, read, text)),
        whole=_covers(
            [token for token in read if token.start >= headed],
            [*((each.start, each.end) for each in found if each in shown or each.reads == "treated"), *spans],
        ),
        spans=tuple(sorted({*((piece.start, piece.end) for piece in shown), *spans})),
    )


def pieces_of_bill(read: tuple[Token, ...], text: str, *, shared: bool = False) -> tuple[EntryPiece, ...]:
    """The pieces of a line, without words of giving and buying that tell nobody's paying for the others.

    火锅 小雅买的120 tells it. 小雅给的 and 小雅买了 do where a sum stands before them, or the line says that
    it is shared; where a gift or a person stands behind (小雅给了我50) they do not, nor a sum where one stood
    before (房租2000 小雅先给了500).
    """
    found = _of_one_bill(pieces(read, text), read)
    shared = shared or tells_shared(found)
    return tuple(each for each in found if _tells_paying(each, read, text, shared=shared))


def _of_one_bearer(
    found: tuple[EntryPiece, ...], read: Sequence[Token], amounts: Sequence[Amount]
) -> tuple[EntryPiece, ...]:
    """Pieces in which one person bears all (小雅一个人出) only where they are named alone: a sum behind it,
    or others before it, make it what each of them bears (我和小雅一个人出50)."""
    told: list[EntryPiece] = []
    for piece in found:
        if piece.reads != "sole":
            told.append(piece)
            continue
        sums = any(each.start == piece.end for each in amounts)
        before = next((each for each in reversed(read) if each.end <= piece.start), None)
        beside = before is not None and not before.classes.isdisjoint(
            {"member", "nick", "self", "with", "and"}
        )
        beside = beside and before is not None and before.classes.isdisjoint({"blank", "pause"})
        if len(amounts) < 2 and not (sums or beside):
            told.append(piece)
            continue
        told += _eaches_in(piece, read)
    return tuple(told)


def _eaches_in(piece: EntryPiece, read: Sequence[Token]) -> list[EntryPiece]:
    """The words 一人 and 每人 of a piece as pieces of their own."""
    return [
        EntryPiece("each", one.start, one.end, {}) for one in _within(read, piece) if "each" in one.classes
    ]


def _bearers_in(piece: EntryPiece, text: str) -> list[Name]:
    return _people_in(piece, text) if piece.reads == "sole" else []


def _of_those_fronted(
    found: tuple[EntryPiece, ...], read: Sequence[Token], amounts: Sequence[Amount]
) -> tuple[EntryPiece, ...]:
    """Pieces with what each gives back (他俩一人还我32) only where the line has who they are and a higher
    sum; elsewhere 一人32 is what one of them bears."""
    those = any("for" in piece.slots for piece in found)
    told: list[EntryPiece] = []
    for piece in found:
        sum_ = cast("Amount", piece.slots["sum"][0].value) if piece.reads == "each_back" else None
        if sum_ is None or (those and any(each.yuan > sum_.yuan for each in amounts)):
            told.append(piece)
        else:
            told += _eaches_in(piece, read)
    return tuple(told)


def _of_one_bill(found: tuple[EntryPiece, ...], read: Sequence[Token]) -> tuple[EntryPiece, ...]:
    """Pieces in which a sum behind who paid (我付了200) is a part of a bill only where several paid and their
    sums come to the one before them; elsewhere it is what was bought."""
    paid = [piece for piece in found if piece.reads == "paid_sum"]
    if not paid:
        return found
    sums = [cast("Amount", piece.slots["sum"][0].value) for piece in paid]
    before = [
        cast("Amount", each.value) for each in read if "amount" in each.classes and each.end <= paid[0].start
    ]
    whole = sum((each.yuan for each in sums), Decimal(0))
    if len(paid) > 1 and before and before[-1].yuan == whole and before[-1].currency == sums[0].currency:
        return found
    if _is_whole(found, paid, read):
        return found
    kept = (each for each in found if each.reads != "paid_sum" or not _only_spent(each, read))
    return tuple(_without_sum(each) if each.reads == "paid_sum" else each for each in kept)


def _is_whole(found: Sequence[EntryPiece], paid: Sequence[EntryPiece], read: Sequence[Token]) -> bool:
    """True where what several paid of one thing is all of its bill (买菜 我出了86 阿凯出了34 大家平摊): they
    stand one beside the other, no other sum is told, and all of it is divided."""
    payers = {frozenset(each.slots["payer"]) for each in paid}
    others = [each for each in read if "amount" in each.classes and not inside(each, _spans_of(paid))]
    gaps = [
        each
        for one, other in pairwise(paid)
        for each in read
        if one.end <= each.start < other.start
        and each.classes.isdisjoint({"blank", "pause", "and", "filler"})
    ]
    divided = any(piece.reads == "split" and piece.start >= paid[-1].end for piece in found)
    return len(payers) > 1 and divided and not others and not gaps


def _spans_of(found: Iterable[EntryPiece]) -> list[tuple[int, int]]:
    return [(piece.start, piece.end) for piece in found]


def _only_spent(piece: EntryPiece, read: Sequence[Token]) -> bool:
    """True for 我出了46, which alone is what the speaker spent."""
    own = "self" in piece.slots["payer"][0].classes
    return own and all(each.classes.isdisjoint({"pay", "advance"}) for each in _within(read, piece))


def _paid_apart(read: tuple[Token, ...], text: str) -> tuple[str, ...]:
    """Words of payments by several people, each with a sum and nothing between (我刷了300他刷了200), or of a
    part of the bill right before (晚饭60老周出了20)."""
    paid = [piece for piece in pieces(read, text) if piece.reads == "paid_sum"]
    payers = {text[piece.slots["payer"][0].start : piece.slots["payer"][0].end] for piece in paid}
    partly = len(paid) == 1 and any(
        cast("Amount", each.value).yuan > cast("Amount", paid[0].slots["sum"][0].value).yuan
        for each in read
        if "amount" in each.classes
        and not text[each.end : paid[0].start].strip(" ,")
        and each.end <= paid[0].start
    )
    return tuple(text[piece.start : piece.end] for piece in paid) if len(payers) > 1 or partly else ()


def _without_sum(piece: EntryPiece) -> EntryPiece:
    slots = {name: tokens for name, tokens in piece.slots.items() if name != "sum"}
    return replace(piece, reads="paid", end=piece.slots["sum"][0].start, slots=slots)


def tells_shared(found: Iterable[EntryPiece]) -> bool:
    """True if a piece says that several bear the expense."""
    return any(piece.reads in _DIVIDES | {"each"} for piece in found)


def _tells_paying(piece: EntryPiece, read: Sequence[Token], text: str, *, shared: bool) -> bool:
    before = text[: piece.start].rstrip()
    if piece.reads == "paid" and before.endswith(_ON_BEHALF) and text[piece.start] not in _OURS:
        return False  # 替小雅给的
    within = [token for token in _within(read, piece) if "paid_for" in token.classes]
    if within and _names_buyer(text[within[-1].start : within[-1].end]):
        return True
    if piece.reads != "paid" or not within or not within[-1].classes.isdisjoint({"pay", "advance"}):
        return True
    if any(word in text for word in _GIFTS):
        return False
    before = any("amount" in token.classes and token.end <= piece.start for token in read)
    behind = next(
        (token for token in read if token.start >= piece.end and "blank" not in token.classes), None
    )
    if behind is not None and not behind.classes.isdisjoint({"member", "nick", "role", "self"}):
        return shared and text[piece.end : behind.start] != ""
    if behind is not None and "amount" in behind.classes:
        return shared and not before
    return shared or before


def _names_buyer(verb: str) -> bool:
    """True if a verb with 的 names the buyer (买的, 加的油); not 给的."""
    return "的" in verb and "给" not in verb


_AROUND_WEIGHT: Final = frozenset(
    {"blank", "pause", "stop", "and", "with", "split", "divide", "of", "filler", "count", "mark"}
)


def _is_share(piece: EntryPiece, read: Sequence[Token]) -> bool:
    """True if a number of 份 are parts of a bill, not counted things (我两份奶茶30)."""
    behind = next((token for token in read if token.start >= piece.end), None)
    people = frozenset({"member", "nick", "self", "kin", "role"})
    return behind is None or not behind.classes.isdisjoint(_AROUND_WEIGHT | people)


def _hosted(found: Sequence[EntryPiece], text: str, payer: Name | None) -> Iterable[tuple[Name, Name]]:
    """Guests with the bearer of their part: the named one, else the payer."""
    for piece in found:
        if piece.reads not in ("hosted", "waived") or "who" not in piece.slots:
            continue
        who = name_of(piece.slots["who"][0], text)
        host = name_of(piece.slots["host"][0], text) if "host" in piece.slots else None
        mine = host is None and any(each in text[piece.slots["who"][0].end : piece.end] for each in _OURS)
        yield who, _SPEAKER if mine else host or payer or _SPEAKER


_SPEAKER: Final = Name("我", (), True)


def _weights_of_hosts(
    found: Sequence[EntryPiece], hosted: Sequence[tuple[Name, Name]], read: Sequence[Token], text: str
) -> Iterable[SharePart]:
    """Parts of those who bear a guest's part beside their own, if not given."""
    said = [part.who for part in _parts(found, read, text)]
    for host in dict.fromkeys(host for _, host in hosted):
        if host not in said and not (host.me and any(who.me for who in said)):
            parts = 1 + sum(other == host for _, other in hosted)
            yield SharePart(host, "weight", Decimal(parts))


def _borne(found: Sequence[EntryPiece], text: str, amounts: Sequence[Amount]) -> str:
    """Final bearer of an amount before it; 公司报销350 is income."""
    for piece in found:
        before = any(each.end <= piece.start for each in amounts)
        if piece.reads == "borne" and before and all(each.start != piece.end for each in amounts):
            return _said(piece.slots["who"], text)
    return ""


def _by_other(payer: Name | None) -> bool:
    return payer is not None and not payer.me


def _holds_us(group: PeopleGroup) -> bool:
    """True for the speaker and others in one list (我跟小雅还有阿凯 before 分)."""
    return len(group.names) > 1 and any(name.me for name in group.names)


_OF_ONE: Final = frozenset({"absent", "halved", "hardly"})
"""Remark about one of those who share, behind their list."""


def _listed(
    groups: Sequence[PeopleGroup], amounts: Sequence[Amount], of_one: Sequence[EntryPiece], text: str
) -> bool:
    """True for a list of the speaker and others alone, after an amount (打车38 我和石头), and before what is
    told of one of them."""
    last = groups[-1] if groups else None
    if last is None or len(last.names) < 2:
        return False
    ends = not last.behind or any(not text[last.end : piece.start].strip(" ,") for piece in of_one)
    if not ends or last.before.isdisjoint({"blank", "pause", "just"}):
        return False
    members = all(name.me or name.ids or _is_ones_own(name) or last.listed for name in last.names)
    members = members and any(name.me for name in last.names)
    return members and any(each.end <= last.start for each in amounts)


def _is_ones_own(name: Name) -> bool:
    """Relative of the speaker, perhaps no member: 我媳妇."""
    return len(name.text) > 1 and name.text[0] in _OURS


def _all_named(
    groups: Sequence[PeopleGroup], how_many: int | None, amounts: Sequence[Amount], text: str
) -> bool:
    """True if as many names follow the amounts as the line counts (我阿明阿凯三个; 三人 阿明 阿凯), or lead
    as a list (全群三个人：我、阿明、阿凯。烧烤300)."""
    if how_many is None:
        return False
    return any(
        len(group.names) == (how_many if any(name.me for name in group.names) else how_many - 1)
        and (all(each.end <= group.start for each in amounts) or text[: group.start].endswith(_LIST_MARKS))
        for group in groups
        if len(group.names) > 1
    )


_LIST_MARKS: Final = (":", "(")


def _of_more(found: tuple[EntryPiece, ...], amounts: Sequence[Amount]) -> tuple[EntryPiece, ...]:
    """Pieces without the speaker's own part if there is no total (和同事点外卖 我那份26.5)."""
    own = [piece for piece in found if piece.reads == "part"]
    if len(own) != 1 or len(amounts) != 1 or any(piece.reads in _DIVIDES for piece in found):
        return found
    return tuple(piece for piece in found if piece is not own[0])


def _each_told(
    found: tuple[EntryPiece, ...], read: Sequence[Token], text: str, amounts: Sequence[Amount]
) -> Sequence[tuple[Name, Amount]]:
    """The people and sums of a bill whose own sum is not told before them (外卖 我28 小雅35 配送费6平摊), the
    speaker among them; none where it is. A further sum behind them is divided among the same."""
    parts = [piece for piece in found if piece.reads in ("part", "listed")]
    parts += _bare_parts(read, found)
    told = [
        pair for piece in sorted(parts, key=lambda one: one.start) for pair in _sums_of(piece, read, text)
    ]
    sums = [each for _, each in told]
    if len({"" if who.me else who.text for who, _ in told}) < 2 or not any(who.me for who, _ in told):
        return ()
    if any(each.start < sums[0].start for each in amounts):
        return ()
    rest = [each for each in amounts if each not in sums]
    if not rest:
        return told
    divided = any(piece.reads == "split" for piece in found) and len(rest) == 1
    return told if divided and rest[0].yuan != sum(each.yuan for each in sums) else ()


def _of_whole(
    found: tuple[EntryPiece, ...], read: Sequence[Token], text: str, amounts: Sequence[Amount], *, kept: bool
) -> tuple[EntryPiece, ...]:
    """Pieces without a list of people and amounts (小王200 小李300) unless it divides a total before it
    (房租2000 我1200 小雅800): with the speaker in it, or of the same sum. `kept`: the list makes up
    the sum."""
    if kept:
        return found
    left: list[EntryPiece] = []
    for piece in found:
        if piece.reads != "listed":
            left.append(piece)
            continue
        before = [each for each in amounts if each.end <= piece.start]
        sums = sum((each.yuan for _, each in _sums_of(piece, read, text)), Decimal(0))
        whole = len(before) == 1 and (
            before[0].yuan == sums or any("self" in token.classes for token in piece.slots["who"])
        )
        if whole:
            left.append(piece)
    return tuple(left)


def _people_in(piece: EntryPiece, text: str, slot: str = "who") -> list[Name]:
    """People in a slot that also holds the words between."""
    people = frozenset({"member", "nick", "role", "self", "kin"})
    tokens = (token for token in piece.slots.get(slot, ()) if not token.classes.isdisjoint(people))
    return [name_of(token, text) for token in tokens]


def _weighed(piece: EntryPiece, text: str) -> list[Name]:
    """People of a ratio in order; with a word of company before the only one (跟小雅按2:1分) the speaker
    first."""
    named = _people_in(piece, text)
    numbers = _ratio_in(piece, text)
    return [_SPEAKER, *named] if len(named) == 1 and len(numbers) == 2 and not named[0].me else named


def _counts_us(found: Iterable[EntryPiece], text: str) -> bool:
    """True if the count is of us (我们俩)."""
    return any(piece.reads == "counted" and text[piece.start] in _OURS for piece in found)


def _bare_parts(read: Sequence[Token], found: Sequence[EntryPiece]) -> Iterable[EntryPiece]:
    """小雅300, where the sum of the bill is known: a part of it."""
    spans = [(piece.start, piece.end) for piece in found]
    for who, amount in pairwise(read):
        person = not who.classes.isdisjoint({"member", "nick", "self"})
        if person and "amount" in amount.classes and not (inside(who, spans) or inside(amount, spans)):
            yield EntryPiece("part", who.start, amount.end, {"who": (who,), "sum": (amount,)})


def _parts(found: Sequence[EntryPiece], read: Sequence[Token], text: str) -> Iterable[SharePart]:
    yield from _portions([piece for piece in found if piece.reads == "portion"], text)
    for piece in found:
        whos = _people_in(piece, text)
        if piece.reads == "weight":
            value = _number(piece.slots["share"][0], text)
            yield from (SharePart(who, "weight", Decimal(value)) for who in whos)
        elif piece.reads == "halved":
            who = _meant(piece, "who", read, text)
            if who is not None:
                yield SharePart(who, "half", Decimal(1))
        elif piece.reads == "ratio":
            shares, whos = _ratio_in(piece, text), _weighed(piece, text)
            if len(shares) == len(whos):
                yield from (
                    SharePart(who, "weight", Decimal(value)) for who, value in zip(whos, shares, strict=True)
                )
        elif piece.reads == "some_only":
            some = _some_in(piece, read, text)
            each = cast("Amount", piece.slots["sum"][0].value).yuan / len(some)
            yield from (SharePart(who, "more", each) for who in some)
        elif piece.reads == "each_back":
            each = cast("Amount", piece.slots["sum"][0].value).yuan
            those = (who for one in found for who in _people_in(one, text, "for"))
            yield from (SharePart(who, "sum", each) for who in those)
        elif piece.reads == "own":
            for who, each in _sums_of(piece, read, text):
                yield SharePart(who, "more", each.yuan, own=True)
        elif piece.reads in ("more", "less", "part", "listed"):
            kind = "sum" if piece.reads in ("part", "listed") else "more" if piece.reads == "more" else "less"
            than = _people_in(piece, text, "than")  # 阿凯比我多出20
            for who, each in _sums_of(piece, read, text):
                if who not in than:
                    yield SharePart(who, kind, each.yuan)


def _some_in(piece: EntryPiece, read: Sequence[Token], text: str) -> list[Name]:
    """The people of a piece who alone share its sum (86酒钱只算我和老周)."""
    people = frozenset({"member", "nick", "role", "self"})
    found = [name_of(each, text) for each in _within(read, piece) if not each.classes.isdisjoint(people)]
    mine = any("just_self" in each.classes for each in _within(read, piece))
    named = [_SPEAKER, *found] if mine else found
    return list({(who.text if not who.me else ""): who for who in named}.values())


def _of_a_bill_told(
    found: tuple[EntryPiece, ...], read: Sequence[Token]
) -> tuple[tuple[EntryPiece, ...], tuple[EntryPiece, ...]]:
    """Pieces without those of a sum that some alone share and that is not surely of the bill before it; and
    these: with a thing behind it and no bill (86酒钱只算我), or any bare one (火锅486 酒86只算我)."""
    apart = tuple(
        piece
        for piece in found
        if piece.reads == "some_apart" or (piece.reads == "some_only" and not _has_more_before(piece, read))
    )
    return tuple(piece for piece in found if piece not in apart), apart


def _has_more_before(piece: EntryPiece, read: Sequence[Token]) -> bool:
    """True if a higher sum stands before a piece's own."""
    own = piece.slots["sum"][0]
    return any(
        "amount" in each.classes
        and each.end <= own.start
        and cast("Amount", each.value).yuan > cast("Amount", own.value).yuan
        for each in read
    )


def _paid_in_parts(
    parts: Sequence[SharePart],
    found: Sequence[EntryPiece],
    amounts: Sequence[Amount],
    how_many: int | None,
    text: str,
) -> tuple[tuple[Name, Amount], ...]:
    """Payments that are told as 出 (我出200 小雅出100 一共300的蛋糕 五个人分): they come to the whole sum and
    more people share it than paid, so they are nobody's shares."""
    told = [
        (name_of(piece.slots["who"][0], text), cast("Amount", piece.slots["sum"][0].value))
        for piece in found
        if piece.reads == "part" and len(piece.slots["who"]) == len(piece.slots["sum"]) == 1
    ]
    if len(told) < 2 or len(told) != len(parts) or how_many is None or how_many <= len(told):
        return ()
    if not all(
        _PAYING.intersection(text[piece.start : piece.end]) for piece in found if piece.reads == "part"
    ):
        return ()
    whole = sum((each.yuan for _, each in told), Decimal(0))
    named = {each.start for _, each in told}
    rest = [each for each in amounts if each.start not in named]
    return tuple(told) if len(rest) == 1 and rest[0].yuan == whole else ()


_PAYING: Final = frozenset("出付掏")


def _sums_of(piece: EntryPiece, read: Sequence[Token], text: str) -> Iterable[tuple[Name, Amount]]:
    """The people of a piece, each with the sum that follows them; several before one sum have it each. A slot
    keeps only the last of what a row repeats, so the words are gone through."""
    people = frozenset({"member", "nick", "role", "self", "kin"})
    waiting: list[Name] = []
    for token in _within(read, piece):
        if "amount" in token.classes:
            yield from ((who, cast("Amount", token.value)) for who in waiting)
            waiting = []
        elif not token.classes.isdisjoint(people):
            waiting.append(name_of(token, text))
    if piece.reads == "own" and waiting:  # 其中20是小王的: the sum stands before
        yield waiting[0], cast("Amount", piece.slots["sum"][0].value)


def _portions(found: Sequence[EntryPiece], text: str) -> Sequence[SharePart]:
    """Parts by tenths; where one is none (四分之一), by weights that make up the whole, or none."""
    told = {who: part for piece in found for who, part in _portions_of(piece, text)}
    if not all(told.values()):
        return ()
    if all((value * 10).denominator == 1 for value in told.values()):
        return [SharePart(who, "tenths", Decimal(int(value * 10))) for who, value in told.items()]
    if sum(told.values()) != 1:
        return ()
    whole = lcm(*(each.denominator for each in told.values()))
    return [SharePart(who, "weight", Decimal(int(value * whole))) for who, value in told.items()]


def _portions_of(piece: EntryPiece, text: str) -> Iterable[tuple[Name, Fraction]]:
    """The people of a piece with their portions of the whole: several before one portion have it each;
    nothing for a number that is none of its ratio (六四开 我五)."""
    whos, shares = _people_in(piece, text), [text[each.start : each.end] for each in piece.slots["share"]]
    numbers = _ratio_in(piece, text) if "ratio" in piece.slots else []
    for who, said in zip(whos, shares if len(shares) == len(whos) else shares * len(whos), strict=False):
        fits = not numbers or _digit(said[0]) in numbers
        yield (
            who,
            (Fraction(_digit(said[0]), sum(numbers)) if numbers else _fraction(said))
            if fits
            else Fraction(0),
        )


def _fraction(said: str) -> Fraction:
    """A portion as a part of the whole (三成, 一半, 四分之一)."""
    if said == "一半":
        return Fraction(1, 2)
    whole, _, part = said.partition("分之")
    if part:
        return Fraction(_digit(part), _digit(whole))
    return Fraction(_digit(said[0]), 10)


def _digit(said: str) -> int:
    return parse_integer(said) or 1


def _number(said: Token, text: str) -> int:
    """The number that a word begins with (两份, 12晚)."""
    words = text[said.start : said.end]
    length = next((at for at, each in enumerate(words) if each not in f"0123456789十两{_TENTHS}"), len(words))
    return parse_integer(words[:length]) or 1


def _told_here(found: tuple[EntryPiece, ...], read: Sequence[Token], text: str) -> tuple[EntryPiece, ...]:
    """Pieces that are told of this bill: none of who treats the next time (下次我请小雅), of a pronoun that
    nobody before it stands for (他付的), or of 出 before what was given (阿凯出力)."""
    kept: list[EntryPiece] = []
    for piece in found:
        before = [token for token in read if token.end <= piece.start and "blank" not in token.classes]
        behind = next((token for token in read if token.start >= piece.end), None)
        if piece.reads == "treated" and before and "afterwards" in before[-1].classes:
            continue
        named = piece.reads == "paid" and "payer" in piece.slots
        if named and _meant(piece, "payer", read, text) is None:
            continue
        bare = piece.reads == "paid" and text[piece.start : piece.end].endswith("出")
        if bare and behind is not None and behind.classes.isdisjoint(_CLOSES):
            continue
        kept.append(piece)
    return tuple(kept)


_CLOSES: Final = frozenset({"blank", "pause", "stop", "filler", "mark"})


def _by_stay(found: tuple[EntryPiece, ...], text: str, *, of_a_bill: bool) -> tuple[EntryPiece, ...]:
    """Pieces with nights and days as parts where at least two people have them (我住3晚 小雅住1晚); 我住3晚
    alone says how long it was."""
    stays = [piece for piece in found if piece.reads == "stayed"]
    people = {who.text for piece in stays for who in _people_in(piece, text)}
    units = {_said(piece.slots["share"], text)[-1] for piece in stays if "stayed" in _share(piece)}
    tenths = [_digit(_said(piece.slots["share"], text)) for piece in stays if "numeral" in _share(piece)]
    of_ten = len(people) == len(tenths) == len(stays) == 2 and sum(tenths) == 10  # 改成我四他六
    divides = (of_a_bill or of_ten) and len(people) > 1 and len(units) < 2
    told = (replace(piece, reads="weight") if piece.reads == "stayed" else piece for piece in found)
    return tuple(piece for piece in told if divides or not _is_stay(piece))


def _share(piece: EntryPiece) -> frozenset[str]:
    return piece.slots["share"][0].classes


def _is_stay(piece: EntryPiece) -> bool:
    return piece.reads == "weight" and not _share(piece).isdisjoint({"stayed", "numeral"})


def _meant(piece: EntryPiece, slot: str, read: Sequence[Token], text: str) -> Name | None:
    """Person in a slot; for 他 and 她 the one named last before it, None where nobody is."""
    token = piece.slots[slot][0]
    if text[token.start : token.end] not in _THAT_ONE or piece.reads == "treated":
        return name_of(token, text)
    named = named_before([each for each in read if each.end <= token.start], text, 1)
    return named[0] if named else None


_THAT_ONE: Final = ("他", "她")


def _ratio_in(piece: EntryPiece, text: str) -> list[int]:
    return ratio_in(_said(piece.slots["ratio"], text))


def ratio_in(said: str) -> list[int]:
    """Numbers of a ratio, in order (六四开, 2:3:3)."""
    return [
        int(each) if each.isdigit() else _TENTHS.index(each) + 1
        for each in said
        if each.isdigit() or each in _TENTHS
    ]


_PAYS: Final = ("发了", "开了", "结了", "发", "开", "结")


def _wages(found: Sequence[EntryPiece], read: Sequence[Token], text: str) -> Iterable[Wage]:
    for piece in found:
        if piece.reads != "wages":
            continue
        label = _said(piece.slots["wage"], text).rstrip("了")
        label = next((label[len(verb) :] for verb in _PAYS if label.startswith(verb)), label)
        for who, amount in _sums_of(piece, read, text):
            yield Wage(who, label, amount)


def _whose(piece: EntryPiece, text: str) -> str:
    return _said(piece.slots["who"], text) if "who" in piece.slots else ""


def _said(slot: Sequence[Token], text: str) -> str:
    return text[slot[0].start : slot[-1].end]


_SILENT: Final = frozenset(
    {"filler", "blank", "pause", "stop", "mark", "and", "is", "of", "lately", "self", "we", "rest"}
)


def _covers(read: Sequence[Token], spans: Sequence[tuple[int, int]]) -> bool:
    """True if only fillers are left."""
    left = (token for token in read if not inside(token, spans))
    return bool(spans) and all(not token.classes.isdisjoint(_SILENT) for token in left)


def _within(read: Sequence[Token], piece: EntryPiece) -> Iterable[Token]:
    return (token for token in read if piece.start <= token.start and token.end <= piece.end)
