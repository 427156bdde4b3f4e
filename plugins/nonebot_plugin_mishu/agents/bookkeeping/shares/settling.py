"""Settlement of one bill: what its member gives the others for it, or gets. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ....language.entries.entry import Entry, Person
from ....language.ledger.repayments.repaying import Debts, paid


def bill_called(thing: str, bills: Sequence[Entry], user_id: str) -> list[Entry]:
    """The newest bill of a name that the member paid or shares: all its records, where several paid it.

    `bills` are divided records, oldest first."""
    theirs = [
        each
        for each in bills
        if each.type == "EXPENSE"
        and each.shares
        and each.description
        and (thing in each.description or each.description in thing)
        and any(share.user_id == user_id for share in each.shares)
    ]
    if not theirs:
        return []
    newest = theirs[-1]
    return [each for each in theirs if (each.description, each.day) == (newest.description, newest.day)]


def repayments_of(bill: Sequence[Entry], me: Person, debts: Debts, day: date) -> list[Entry]:
    """Repayments that make a member even with the others of a bill, none beyond what is still owed."""
    owed: dict[str, int] = {}
    names: dict[str, str] = {}
    for record in bill:
        payer, *others = record.shares
        names |= {share.user_id: share.name for share in record.shares}
        for share in others:
            if payer.user_id == me[0] and share.user_id not in ("", me[0]):
                owed[share.user_id] = owed.get(share.user_id, 0) + share.fen
            elif share.user_id == me[0]:
                owed[payer.user_id] = owed.get(payer.user_id, 0) - share.fen
    found: list[Entry] = []
    for user, fen in owed.items():
        other = (user, debts.names.get(user) or names[user])
        giver, getter = (other, me) if fen > 0 else (me, other)
        left = min(abs(fen), debts.of(giver[0], getter[0]))
        if left:
            found.append(paid(Entry(left, day=day), giver, getter))
    return found
