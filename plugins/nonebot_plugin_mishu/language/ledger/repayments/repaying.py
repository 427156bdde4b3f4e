"""Money that one member hands another: a debt paid back (小王还我60, 我还小王60), which lowers 谁欠谁. Pure.

What is said to be given back is a repayment unless the books know it to be the other way round; what is
merely sent (转给, 给了) only where a debt of at least as much is known, since it may be for anything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from ....patterns import Pattern
from ...clause import Mention
from ...entries.entry import Entry, Share
from ...recognise.members import names_in, sums_beside
from ...recognise.money import find_amounts
from ...text.fold import normalise
from .. import Giving, Name, givings, settlements
from .bills import bill_evened

Person = tuple[str, str]
"""Id and name."""

CATEGORY: Final = "转账"
_ROUNDED_UP: Final = 100
"""Fen by which a transfer may exceed the debt (rounding of 89.33)."""
_PRONOUNS: Final = frozenset("你他她")


@dataclass(frozen=True, slots=True)
class Debts:
    """Debts in the books, in fen. `owed`: total balance of each member (`sharing.balances`); `between`:
    direct debt of the first to the second."""

    owed: Mapping[str, int] = field(default_factory=dict[str, int])
    between: Mapping[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """Names of members with shared records, by id."""
    paid: frozenset[tuple[str, str, int, date]] = frozenset()
    """Repayments by giver, getter, amount and day, also on a card."""

    def of(self, giver: str, getter: str) -> int:
        """Debt of one to another: direct, or in the settlement of all."""
        around = min(-self.owed.get(giver, 0), self.owed.get(getter, 0))
        return max(around, self.between.get((giver, getter), 0), 0)

    def between_two(self, giver: str, getter: str) -> int:
        """Debt of one to another by the expenses of the two; negative where it is the other way round."""
        return self.between.get((giver, getter), 0) - self.between.get((getter, giver), 0)

    def over(self, giver: str, getter: str, fen: int) -> int:
        """By how much a sum is more than one owes another, rounded up; 0 where it is not."""
        more = fen - self.of(giver, getter)
        return more if more >= _ROUNDED_UP else 0

    def know(self, giver: str, getter: str) -> bool:
        """True if the two ever had a debt."""
        return (giver, getter) in self.between or (getter, giver) in self.between


def said_to_be_repaid(text: str) -> bool:
    """True if the speaker repaid somebody by nickname (我还小王60)."""
    return any(each.mine and each.back and each.who.text for each in givings_in(text))


def settles(text: str, mentions: Sequence[Mention] = (), members: Sequence[Mention] = ()) -> bool:
    """True if a whole line settles a debt without an amount (把钱还给小雅了, 收到小明的AA钱了)."""
    return any(
        each.bill or each.who.text or mentions or _is_bare(text)
        for each in settlements_in(text, mentions, members)
    )


def _is_bare(text: str) -> bool:
    """True for a payment without a person (给了; 钱收到了)."""
    line = normalise(text).strip(" 。.!~")
    return any(said.fullmatch(line) is not None for said in (_GAVE, _GOT, _EVENED))


def settlements_in(
    text: str, mentions: Sequence[Mention] = (), members: Sequence[Mention] = ()
) -> tuple[Giving, ...]:
    """Payments of a line that settles a debt."""
    line = normalise(text).strip(" 。.!~")
    if any(amount.fen for amount in find_amounts(line)):
        return ()
    if _EVENED.fullmatch(line) is not None:
        return (Giving(Name(), True, True), Giving(Name(), False, True))
    if _is_bare(line):
        return (Giving(Name(), _GAVE.fullmatch(line) is not None, True),)
    names = names_in(line, (*mentions, *members))
    evened = bill_evened(line, names)
    if evened is not None:
        bill, who = evened
        return (Giving(who, True, True, bill=bill), Giving(who, False, True, bill=bill))
    head = _ALL_BACK.sub("", line)
    return settlements(head, names, whole=head != line)


_ALL_BACK: Final = Pattern(
    "(?<=了)[ ,]++(?:我|钱|都|全|已经?|欠的?)*+(?:还清|结清|还完|付清|还|给|结)了(?:哈|啊|哦|呀|啦)*+$"
)
"""我转给小雅了 都还了: what was sent is all that was owed."""


def givings_in(
    text: str, mentions: Sequence[Mention] = (), members: Sequence[Mention] = ()
) -> tuple[Giving, ...]:
    """Possible payments of a line, with amounts; none is no repayment. An @ is not in the text: a transfer
    without a recipient (我给10了) goes to the mentioned member."""
    line = normalise(text).strip(" 。.!~")
    names = names_in(line, (*mentions, *members))
    found = givings(line, sums_beside(names, line), names)
    return tuple(each for each in found if each.back or each.who.text or mentions)


def gives_back(text: str, mentions: Sequence[Mention], members: Sequence[Mention] = ()) -> bool:
    """True if the speaker paid a mentioned member, a member or a nickname (我把42转老K了), or a member repaid
    (小王把上次欠的60还我啦)."""
    given = any(each.mine and (_named(each) or bool(mentions)) for each in givings_in(text, mentions))
    told = givings_in(text, mentions, members)
    return given or any(bool(each.who.ids) or (each.part and each.mine) for each in told)


def settled(
    said: Sequence[Giving], speaker: Person, mentioned: Sequence[Person], debts: Debts, day: date
) -> Entry | None:
    """The whole debt between the speaker and whom `settlements_in` names, as a repayment."""
    for each in said:
        other = _person(each, mentioned, debts.names, speaker[0])
        other = other or _only_other(each, mentioned, debts, speaker[0], None)
        if other is None:
            continue
        giver, getter = (speaker, other) if each.mine else (other, speaker)
        debt = debts.of(giver[0], getter[0])
        if debt:
            return paid(Entry(debt, day=day), giver, getter)
    return None


def repayment(
    said: Sequence[Giving], entry: Entry, speaker: Person, mentioned: Sequence[Person], debts: Debts
) -> Entry | None:
    """Entry as a repayment; None if none.

    The giver comes first and bears nothing, the getter all of it. A repayment may be of a debt unknown to the
    books; a mere transfer may not. Either may exceed the debt: whoever shows it says so.
    """
    for each in said:
        fen = entry.fen if each.amount is None else each.amount.fen or 0
        other = _person(each, mentioned, debts.names, speaker[0])
        other = other or _only_other(each, mentioned, debts, speaker[0], fen)
        if other is None:
            continue
        giver, getter = (speaker, other) if each.mine else (other, speaker)
        debt = debts.of(giver[0], getter[0])
        even = not debts.between.get((giver[0], getter[0])) and not debts.of(getter[0], giver[0])
        unheard = each.back and even and (bool(each.who.ids) or not debts.know(giver[0], getter[0]))
        again = (giver[0], getter[0], fen, entry.day) in debts.paid
        if unheard or again or debt:
            return paid(replace(entry, fen=fen), giver, getter)
    return None


def owed_by(debts: Debts, giver: str) -> dict[str, int]:
    """Direct debts of one member to the others, in fen."""
    found = {
        user: debts.between.get((giver, user), 0) - debts.between.get((user, giver), 0)
        for user in debts.names
    }
    return {user: fen for user, fen in found.items() if fen > 0 and user != giver}


def others_owed(debts: Debts, me: str, *, mine: bool) -> dict[str, int]:
    """Debts of the speaker, or to the speaker."""
    if mine:
        return owed_by(debts, me)
    found = {user: owed_by(debts, user).get(me, 0) for user in debts.names}
    return {user: fen for user, fen in found.items() if fen}


def _only_other(
    said: Giving, mentioned: Sequence[Person], debts: Debts, me: str, fen: int | None
) -> Person | None:
    """The other person of an unnamed payment: by the debt of this amount, or the only debt."""
    if _named(said) or mentioned:
        return None
    found = others_owed(debts, me, mine=said.mine)
    fits = [user for user, debt in found.items() if debt == fen] or list(found)
    return (fits[0], debts.names.get(fits[0], "")) if len(fits) == 1 else None


_CHANNEL: Final = "用?(?:微信|支付宝|云闪付|银行卡|现金)"
_GAVE: Final = Pattern(
    f"(?:(?:我|也|都|已经?|刚刚?|刚才|这就|早就?|钱|那份|那我|剩下的?|余下的?|欠的?|{_CHANNEL}|,| )*+)"
    "(?:给|转|付|(?<=[钱的也都])还)"
    "(?:过去|过|给(?:他|她)|(?:他|她))?[了咯啦喽](?:钱)?(?:哈|啊|哦|呀|啦|咯|喽)*"
    "(?:[ ,]*(?:清账|平账|两清|结清|扯平|清|平)[了咯啦喽]*)?"
)
_EVENED: Final = Pattern(
    "(?:我|都|也|已经?|刚刚?|刚才|全|,| )*+(?:(?:上次|上回|之前|以前|那次|前面|剩下|欠)的?)+"
    "(?:账|帐|钱|饭钱|那笔|那份|欠款|债| )*+(?:我|都|也|已经?|刚刚?|全|给| )*+"
    "(?:还清|结清|还完|付清|两清|清|平|还上)了(?:哈|啊|哦|呀|啦)*"
)
"""上次的还清了: whichever of two owed it."""
_GOT: Final = Pattern(
    "(?:我|都|也|已经?|刚刚?|,| )*+(?:钱(?:都|也|已经?|刚刚?)*+(?:收到|到)了|收到钱了|收到转账了"
    "|转账收到了)(?:哈|啊|哦|呀|啦)*"
)


def paid(entry: Entry, giver: Person, getter: Person) -> Entry:
    """An entry as a repayment: the giver bears nothing of it, the getter all."""
    shares = (Share(*giver, 0), Share(*getter, entry.fen))
    said = f"{giver[1]}还{getter[1]}"
    return replace(entry, type="TRANSFER", category=CATEGORY, description=said, shared=True, shares=shares)


def is_repayment(shares: Sequence[Share]) -> bool:
    """True if shares are those of a repayment."""
    return len(shares) == 2 and shares[0].fen == 0


def pays_back(entry: Entry) -> bool:
    """True if an entry is a repayment, not a loan."""
    if entry.type != "TRANSFER" or not is_repayment(entry.shares):
        return False
    giver, getter = entry.shares
    return entry.description == f"{giver.name}还{getter.name}"


def paid_on(entries: Sequence[Entry]) -> frozenset[tuple[str, str, int, date]]:
    """Repayments by giver, getter, amount and day (`Debts.paid`)."""
    return frozenset(
        (entry.shares[0].user_id, entry.shares[1].user_id, entry.fen, entry.day)
        for entry in entries
        if pays_back(entry)
    )


def _named(said: Giving) -> bool:
    return bool(said.who.text) and said.who.text not in _PRONOUNS


def _person(said: Giving, mentioned: Sequence[Person], names: Mapping[str, str], me: str) -> Person | None:
    """Person of a name: mentioned, or the only member with it."""
    who = said.who
    others = [one for one in mentioned if one[0] != me]
    if len(others) == 1 and (not _named(said) or who.text == others[0][1].lower() or others[0][0] in who.ids):
        return others[0]
    if len(who.ids) == 1 and who.ids[0] != me:
        return who.ids[0], names.get(who.ids[0], who.text)
    found = [
        (user, name)
        for user, name in names.items()
        if _named(said) and user != me and name.lower() == who.text
    ]
    return found[0] if len(found) == 1 else None
