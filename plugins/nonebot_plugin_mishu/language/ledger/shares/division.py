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
from itertools import pairwise
from typing import Final, Literal, cast

from ...recognise.money import Amount
from ...text.tokens import Token
from ..pieces import LONGEST, EntryPiece, pieces, words_in
from .people import Name, PeopleGroup, counted, groups_in, inside, name_of, sharers

_DIVIDES: Final = frozenset({"split", "count", "several"})
_OURS: Final = "我咱俺"
_TENTHS: Final = "一二三四五六七八九"
_ON_BEHALF: Final = ("替", "帮", "为", "代")
_GIFTS: Final = ("红包", "压岁", "礼", "份子", "零花", "生活费", *"奖薪")
"""Gifts, without a purchase."""


@dataclass(frozen=True, slots=True)
class SharePart:
    """One person's part: `more` or `less` than the others, so many `tenths`, exactly a `sum`, or several
    parts (`weight`: 我出两份)."""

    who: Name
    kind: Literal["more", "less", "tenths", "sum", "weight"]
    value: Decimal


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
        by_head = self.each and (bool(self.people) or self.several or self.we)
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
    read = words_in(text, amounts, names, times)
    found = _of_whole(_of_more(pieces_of_bill(read, text, shared=shared), amounts), amounts)
    if headed:
        found = (*found, *_bare_parts(read, found))
    how_many, of_others = counted(read, text)
    groups = list(groups_in(read, text, found, how_many + of_others if how_many is not None else None))
    kinds = {piece.reads for piece in found}
    payers = [piece for piece in found if piece.reads in ("paid", "treated")]
    payer = next((name_of(piece.slots["payer"][0], text) for piece in payers if "payer" in piece.slots), None)
    payments = tuple(
        (name_of(piece.slots["payer"][0], text), cast("Amount", piece.slots["sum"][0].value))
        for piece in found
        if piece.reads == "paid_sum"
    )
    several = "several" in kinds or (any("few_of" in token.classes for token in read) and "split" in kinds)
    each = "each" in kinds
    treat = "treated" in kinds and not (kinds & {"split"})
    alone = treat or "apart" in kinds
    vague = [piece for piece in found if piece.reads == "unclear"]
    unclear = _said(vague[0].slots["ratio"], text) if vague else ""
    vaguely = [name_of(each.slots["who"][0], text) for each in vague if "who" in each.slots]
    all_named = _all_named(groups, how_many, amounts)
    among_us = any(not group.behind.isdisjoint({"divide", "bear"}) and _holds_us(group) for group in groups)
    found = tuple(piece for piece in found if piece.reads != "weight" or _is_share(piece, read))
    hosted = list(_hosted(found, text, payer)) if amounts or shared else []
    ratios = [piece for piece in found if piece.reads == "ratio"]
    odd = [piece for piece in ratios if len(_weighed(piece, text)) != len(_ratio_in(piece, text))]
    if odd and not unclear:
        unclear = _said(odd[0].slots["ratio"], text)
    weighs = any(piece.reads in ("weight", "ratio", "rest") or "rest" in piece.slots for piece in found)
    sharing = bool(kinds & _DIVIDES) or all_named or among_us or bool(hosted) or weighs
    listed = _listed(groups, amounts)
    sharing = sharing or "backed" in kinds or (listed and groups[-1].listed)
    people, me, spans = sharers(groups, how_many, sharing=sharing or each)
    backed = [
        who
        for piece in found
        if piece.reads in ("backed", "rest") or (piece.reads == "ratio" and piece not in odd)
        for who in (_weighed(piece, text) if piece.reads == "ratio" else _people_in(piece, text))
    ]
    backed += [who for piece in found for who in _people_in(piece, text, "rest")]
    me = me or any(piece.reads == "backed" for piece in found) or any(who.me for who in backed)
    people = (*people, *(who for who in backed if not who.me and who not in people))
    split = (sharing or listed) and not alone
    without = tuple(
        name_of(piece.slots["who"][0], text)
        for piece in found
        if piece.reads == "left_out" or (piece.reads == "absent" and (split or people))
    )
    guests = tuple(guest for guest, _ in hosted)
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
    parts = (*_parts(found, text), *_weights_of_hosts(found, hosted, text))
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
        treat=treat,
        borne=borne,
        each=each,
        parts=parts,
        payments=payments,
        closed=bool(people) and not me and not guests and (by_ratio or (by_count and not with_us)),
        guests=guests,
        unclear=unclear,
        also_unclear=tuple((text[each.start : each.end], _whose(each, text)) for each in vague[1:]),
        group="group" in kinds,
        creditor=next((_said(each.slots["who"], text) for each in found if each.reads == "repaid"), ""),
        without=without,
        left_out=any(piece.reads == "left_out" for piece in found) and not alone,
        everybody=text.strip() if read and all("they" in token.classes for token in read) else "",
        wages=tuple(_wages(found, text)),
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
    return tuple(_without_sum(each) if each.reads == "paid_sum" else each for each in found)


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
    found: Sequence[EntryPiece], hosted: Sequence[tuple[Name, Name]], text: str
) -> Iterable[SharePart]:
    """Parts of those who bear a guest's part beside their own, if not given."""
    said = [part.who for part in _parts(found, text)]
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


def _listed(groups: Sequence[PeopleGroup], amounts: Sequence[Amount]) -> bool:
    """True for a list of the speaker and others alone, after an amount (打车38 我和石头)."""
    last = groups[-1] if groups else None
    if last is None or len(last.names) < 2 or last.behind or last.before.isdisjoint({"blank", "pause"}):
        return False
    members = all(name.me or name.ids or _is_ones_own(name) or last.listed for name in last.names)
    members = members and any(name.me for name in last.names)
    return members and any(each.end <= last.start for each in amounts)


def _is_ones_own(name: Name) -> bool:
    """Relative of the speaker, perhaps no member: 我媳妇."""
    return len(name.text) > 1 and name.text[0] in _OURS


def _all_named(groups: Sequence[PeopleGroup], how_many: int | None, amounts: Sequence[Amount]) -> bool:
    """True if as many names follow the amounts as the line counts (我阿明阿凯三个; 三人 阿明 阿凯)."""
    if how_many is None:
        return False
    return any(
        len(group.names) == (how_many if any(name.me for name in group.names) else how_many - 1)
        and all(each.end <= group.start for each in amounts)
        for group in groups
        if len(group.names) > 1
    )


def _of_more(found: tuple[EntryPiece, ...], amounts: Sequence[Amount]) -> tuple[EntryPiece, ...]:
    """Pieces without the speaker's own part if there is no total (和同事点外卖 我那份26.5)."""
    own = [piece for piece in found if piece.reads == "part"]
    if len(own) != 1 or len(amounts) != 1 or any(piece.reads in _DIVIDES for piece in found):
        return found
    return tuple(piece for piece in found if piece is not own[0])


def _of_whole(found: tuple[EntryPiece, ...], amounts: Sequence[Amount]) -> tuple[EntryPiece, ...]:
    """Pieces without a list of people and amounts (小王200 小李300) unless it divides a total before it
    (房租2000 我1200 小雅800): with the speaker in it, or of the same sum."""
    kept: list[EntryPiece] = []
    for piece in found:
        if piece.reads != "listed":
            kept.append(piece)
            continue
        before = [each for each in amounts if each.end <= piece.start]
        sums = sum((cast("Amount", token.value).yuan for token in piece.slots.get("sum", ())), Decimal(0))
        whole = len(before) == 1 and (
            before[0].yuan == sums or any("self" in token.classes for token in piece.slots["who"])
        )
        if whole:
            kept.append(piece)
    return tuple(kept)


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


def _parts(found: Sequence[EntryPiece], text: str) -> Iterable[SharePart]:
    for piece in found:
        whos = _people_in(piece, text)
        if piece.reads == "portion":
            said = _said(piece.slots["share"], text)
            tenths = "五" if said == "一半" else said[0]
            value = int(tenths) if tenths.isdigit() else _TENTHS.index(tenths) + 1
            yield SharePart(whos[0], "tenths", Decimal(value))
        elif piece.reads == "weight":
            said = _said(piece.slots["share"], text)[0]
            value = 2 if said == "两" else int(said) if said.isdigit() else _TENTHS.index(said) + 1
            yield from (SharePart(who, "weight", Decimal(value)) for who in whos)
        elif piece.reads == "ratio":
            shares, whos = _ratio_in(piece, text), _weighed(piece, text)
            if len(shares) == len(whos):
                yield from (
                    SharePart(who, "weight", Decimal(value)) for who, value in zip(whos, shares, strict=True)
                )
        elif piece.reads in ("more", "less", "part", "listed"):
            sums = [cast("Amount", token.value).yuan for token in piece.slots["sum"]]
            kind = "sum" if piece.reads in ("part", "listed") else "more" if piece.reads == "more" else "less"
            for who, value in zip(whos, sums * len(whos) if len(sums) == 1 else sums, strict=False):
                yield SharePart(who, kind, value)


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


def _wages(found: Sequence[EntryPiece], text: str) -> Iterable[Wage]:
    for piece in found:
        if piece.reads != "wages":
            continue
        label = _said(piece.slots["wage"], text).rstrip("了")
        label = next((label[len(verb) :] for verb in _PAYS if label.startswith(verb)), label)
        for token, amount in zip(piece.slots["who"], piece.slots["sum"], strict=False):
            yield Wage(name_of(token, text), label, cast("Amount", amount.value))


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
