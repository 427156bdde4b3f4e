"""Shared expenses: shares to the fen, and debts with the fewest transfers. Pure.

`language.ledger` reads the sharing of a line. The payer gets the remainder: of 100 for three each other one
bears 33.33, the payer 33.34.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from ....language.entries.entry import Entry, Person, Share

_PAUSES: Final = str.maketrans(dict.fromkeys("，;；:：。\n", ","))


@dataclass(frozen=True, slots=True)
class Bearing:
    """One person's part: `more` or `less` than the others, `tenths`, an exact `sum` (in fen), a `weight`
    of several people, or `half` a person's."""

    who: Person
    kind: Literal["more", "less", "tenths", "sum", "weight", "half"]
    value: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """Payment of `debtor` to `creditor` (ids) in fen."""

    debtor: str
    creditor: str
    fen: int


def shared_parts(
    text: str, items_in: Callable[[str], int], is_shared: Callable[[str], bool]
) -> tuple[tuple[int, bool], ...]:
    """Parts of a text: number of items found by `items_in`, and True if it mentions sharing."""
    return tuple(
        (items_in(part), is_shared(part)) for part in text.translate(_PAUSES).split(",") if part.strip()
    )


def shared_items(parts: Sequence[tuple[int, bool]], items: int) -> list[bool]:
    """Flags of the shared ones among `items`, in order.

    午饭35，聚餐400 AA: a part with its own amount concerns only that. 午饭35，打车20，AA: all.
    """
    own = [count for count, shared in parts if shared]
    if sum(count for count, _ in parts) != items or not own or not all(own):
        return [True] * items
    return [shared for count, shared in parts for _ in range(count)]


def paid_by(shares: Sequence[Share], fen: int, payer: Person, me: Person) -> tuple[Share, ...]:
    """Shares with another payer: each bears the same, the speaker all of an unshared expense."""
    bearing = [each for each in shares if each.fen or each.user_id not in ("", me[0])]
    bearing = bearing or [Share(*me, fen)]
    own = [each for each in bearing if each.user_id == payer[0]]
    return (own[0] if own else Share(*payer, 0), *(each for each in bearing if each not in own))


def split(
    fen: int, payer: tuple[str, str], others: Sequence[tuple[str, str]], people: int | None = None
) -> tuple[Share, ...]:
    """Divide an expense: `payer` and `others` are (id, name), `people` the head count.

    The payer comes first and gets the remainder; unnamed people have no id.
    """
    named = list(dict.fromkeys(other for other in others if other[0] != payer[0]))
    count = max(people or 0, len(named) + 1)
    each = fen // count
    rest = fen - each * (count - 1)
    strangers = [("", "") for _ in range(count - 1 - len(named))]
    return (Share(*payer, rest), *(Share(*other, each) for other in (*named, *strangers)))


def treated(entry: Entry, payer: Person) -> Entry:
    """An expense that whoever paid bears alone, so that nobody is asked who shares it."""
    return replace(entry, shares=(Share(*payer, entry.fen),)) if entry.type == "EXPENSE" else entry


def split_unevenly(
    fen: int, payer: Person, others: Sequence[Person], people: int, bears: Sequence[Bearing]
) -> tuple[Share, ...] | None:
    """Divide an expense unevenly; None if the parts do not fit.

    The payer comes first and gets the remainder if their part is ordinary, else the first ordinary sharer
    does.
    """
    named = list(dict.fromkeys([payer, *others]))
    everybody = [*named, *(("", "") for _ in range(max(0, people - len(named))))]
    fixed: dict[Person, int] = {}
    for each in bears:
        if each.kind in ("sum", "tenths"):
            fixed[each.who] = each.value if each.kind == "sum" else fen * each.value // 10
    weights = {each.who: 2 * each.value for each in bears if each.kind == "weight"}
    weights |= {each.who: 1 for each in bears if each.kind == "half"}
    even = [each for each in bears if each.kind in ("more", "less")]
    beside = {each.who: each.value * (1 if each.kind == "more" else -1) for each in even}
    beside = {who: value for who, value in beside.items() if who not in fixed}
    free = [who for who in everybody if who not in fixed]
    left = fen - sum(fixed.values()) - sum(beside.values())
    if left < 0 or (not free and not _nearly(left, bears)):
        return None
    parts = sum(weights.get(who, 2) for who in free)
    own = {who: left * weights.get(who, 2) // parts for who in free} if parts else {}
    amounts = [fixed[who] if who in fixed else own[who] + beside.get(who, 0) for who in everybody]
    rest = fen - sum(amounts)
    plain = next((at for at, who in enumerate(everybody) if who not in fixed and who not in beside), 0)
    amounts[0 if payer in free and payer not in beside else plain] += rest
    if any(amount < 0 for amount in amounts):
        return None
    return tuple(Share(*who, amount) for who, amount in zip(everybody, amounts, strict=True))


def rescaled_shares(shares: Sequence[Share], fen: int) -> tuple[Share, ...]:
    """Uneven shares of another sum: each bears as much of it as before; the payer takes the remainder, or the
    first who bears a part."""
    whole = sum(each.fen for each in shares)
    parts = [fen * each.fen // whole for each in shares]
    first = next(at for at, each in enumerate(shares) if each.fen)
    parts[first] += fen - sum(parts)
    return tuple(replace(each, fen=part) for each, part in zip(shares, parts, strict=True))


def split_by_payers(
    shares: Sequence[Share], payments: Sequence[tuple[Person, int]]
) -> list[tuple[Share, ...]] | None:
    """Shares of a bill that several paid, for each payment its own, the payer first; None where the payments
    do not come to the sum of the shares.

    Each payment is borne in the proportion of the shares; of what does not divide the first bearer whose part
    is not used up takes the fen. So a payment's shares come to it, and a bearer's parts to their share."""
    whole = sum(each.fen for each in shares)
    if whole <= 0 or sum(fen for _, fen in payments) != whole or any(fen <= 0 for _, fen in payments):
        return None
    parts = [[fen * share.fen // whole for share in shares] for _, fen in payments]
    left = [share.fen - sum(column) for share, column in zip(shares, zip(*parts, strict=True), strict=True)]
    found: list[tuple[Share, ...]] = []
    for (payer, fen), row in zip(payments, parts, strict=True):
        rest = fen - sum(row)
        for at in range(len(row)):
            more = min(rest, left[at])
            row[at], left[at], rest = row[at] + more, left[at] - more, rest - more
        borne = [replace(share, fen=part) for share, part in zip(shares, row, strict=True)]
        own = next((each for each in borne if payer[0] and each.user_id == payer[0]), Share(*payer, 0))
        found.append((own, *(each for each in borne if each is not own and each.fen)))
    return found


def without_share(shares: Sequence[Share], user_id: str) -> tuple[Share, ...] | None:
    """Shares with one part moved to the payer; None if there is none, or it is the payer's."""
    payer, *others = shares
    part = sum(each.fen for each in others if each.user_id == user_id)
    if not part or user_id in ("", payer.user_id):
        return None
    left = (replace(each, fen=0) if each.user_id == user_id else each for each in others)
    return (replace(payer, fen=payer.fen + part), *left)


def with_share_taken_over(shares: Sequence[Share], whose: str, by: str) -> tuple[Share, ...] | None:
    """Shares with one part moved to another sharer; None if either has none."""
    part = sum(each.fen for each in shares if each.user_id == whose)
    if not part or whose == by or not any(each.user_id == by and each.fen for each in shares):
        return None
    changed = {whose: 0, by: part}
    return tuple(
        replace(each, fen=0 if each.user_id == whose else each.fen + changed.get(each.user_id, 0))
        for each in shares
    )


def _nearly(left: int, bears: Sequence[Bearing]) -> bool:
    """True if only a remainder of tenths is left."""
    tenths = [each.value for each in bears if each.kind == "tenths"]
    return left == 0 or (sum(tenths) == 10 and left < len(bears))


def unnamed_shares(records: Iterable[Sequence[Share]]) -> dict[str, list[Share]]:
    """Shares without a member, by the payer's id."""
    found: dict[str, list[Share]] = {}
    for shares in records:
        for share in shares[1:]:
            if not share.user_id and share.fen:
                found.setdefault(shares[0].user_id, []).append(share)
    return found


def with_member_ids(shares: Sequence[Share], called: Callable[[str], Person | None]) -> tuple[Share, ...]:
    """Shares with ids of people who are members by now; `called`: lookup by name."""
    known = {share.user_id for share in shares}
    found: list[Share] = []
    for share in shares:
        person = called(share.name) if share.name and not share.user_id else None
        who = person[0] if person is not None and person[0] not in known else share.user_id
        known.add(who)
        found.append(replace(share, user_id=who))
    return tuple(found)


def pair_debts(records: Iterable[tuple[Sequence[Share], bool]]) -> dict[tuple[str, str], int]:
    """Debts in fen by (debtor, creditor), from (shares, True for a repayment). The opposite debts are not
    deducted."""
    found: dict[tuple[str, str], int] = {}
    for (payer, *others), back in records:
        for share in others:
            if share.user_id and share.user_id != payer.user_id:
                two = (payer.user_id, share.user_id) if back else (share.user_id, payer.user_id)
                found[two] = found.get(two, 0) + (-share.fen if back else share.fen)
    return found


def balances(records: Iterable[tuple[str, Sequence[Share]]]) -> dict[str, int]:
    """Net balance of each member in fen (positive: is owed), from (payer's id, shares). Sums to zero.

    Unnamed sharers are left out.
    """
    found: dict[str, int] = {}
    for payer, shares in records:
        for share in shares:
            if share.user_id and share.user_id != payer:
                found[payer] = found.get(payer, 0) + share.fen
                found[share.user_id] = found.get(share.user_id, 0) - share.fen
    return {user: fen for user, fen in found.items() if fen}


def settling_transfers(owed: Mapping[str, int]) -> list[Transfer]:
    """Transfers that settle all balances: at most one fewer than members with a balance."""
    debts = sorted(((-fen, user) for user, fen in owed.items() if fen < 0), reverse=True)
    credits = sorted(((fen, user) for user, fen in owed.items() if fen > 0), reverse=True)
    transfers: list[Transfer] = []
    _exact(debts, credits, transfers)
    while debts and credits:
        (debt, debtor), (credit, creditor) = debts.pop(0), credits.pop(0)
        fen = min(debt, credit)
        transfers.append(Transfer(debtor, creditor, fen))
        if debt > fen:
            debts.append((debt - fen, debtor))
            debts.sort(reverse=True)
        if credit > fen:
            credits.append((credit - fen, creditor))
            credits.sort(reverse=True)
    return transfers


def _exact(debts: list[tuple[int, str]], credits: list[tuple[int, str]], transfers: list[Transfer]) -> None:
    """First match equal debts and credits: one transfer settles two people."""
    for debt in list(debts):
        match = next((credit for credit in credits if credit[0] == debt[0]), None)
        if match is not None:
            transfers.append(Transfer(debt[1], match[1], debt[0]))
            debts.remove(debt)
            credits.remove(match)
