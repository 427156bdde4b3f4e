"""Search and correction of saved records. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ...language.books.pointing import called
from ...language.entries.categories import Categories
from ...language.entries.entry import TYPES, Entry, Person, Share, yuan
from ...language.ledger.repayments.lending import borne_alone, lent
from ...language.ledger.repayments.repaying import is_repayment
from ...storage.transactions.queries import TransactionRecord
from .cards.correcting import correct_locally
from .frames import RecordCorrection
from .model.item import change
from .reports import entry_of
from .shares.sharing import without_share

WITHIN: Final = 86400.0
"""Seconds in which a saved record can be corrected by reference"""
MOST: Final = 9
"""Most records searched"""


def record_for_model(record: TransactionRecord) -> dict[str, str]:
    """Record as given to a model: id, sum in yuan, description, day; payer and sharers if shared."""
    fields = record.fields
    told = {
        "id": str(record.id),
        "amount": yuan(fields.fen),
        "description": fields.description[:60],
        "date": fields.day,
    }
    kind = next((shown for each, shown in TYPES.items() if each == fields.type), "")
    if fields.type != "EXPENSE":
        told["type"] = kind
    if fields.shares:
        names = [str(share[1]) for share in fields.shares]
        told |= {"payer": names[0], "sharers": "、".join(names)}
    return told


def find_meant(said: RecordCorrection, records: Sequence[TransactionRecord]) -> list[TransactionRecord]:
    """Records that a correction may mean, latest first; one if clear."""
    text = said.words
    if said.thing and Categories().thing(said.thing) is not None:
        records = [record for record in records if called(said.thing, [(0, entry_of(record))])]
    if said.without:
        shared = [each for each in records if any(_shares(name, each) for name in said.without)]
        records = shared or records
        if said.name:
            records = [record for record in records if called(said.name, [(0, entry_of(record))])]
    if said.undivided:
        records = [record for record in records if not record.fields.shares]
    if said.old is not None:
        told = [record for record in records if record.fields.fen == said.old]
        called_so = [
            record
            for record in told
            if said.name and (_is_called(said.name, record) or record.fields.description in said.name)
        ]
        return called_so or told
    if said.new is not None and said.name:
        return [record for record in records if _is_called(said.name, record)]
    named = [
        record
        for record in records
        if any(len(word) > 1 and word in text for word in (record.fields.description, record.fields.category))
    ]
    described = [
        record for record in named if record.fields.description and record.fields.description in text
    ]
    if not described and (name := said.name):
        described = [record for record in records if called(name, [(0, entry_of(record))])]
        if not described and Categories().thing(name) is not None and not named:
            return []  # a thing never recorded
    chosen = described or named
    if chosen and (len(chosen) == 1 or said.last):
        return chosen[:1]
    if said.last:
        return list(records[:1])
    return list(chosen or records)


def find_named(words: str, records: Sequence[TransactionRecord]) -> list[TransactionRecord]:
    """Records whose description a line has."""
    return [each for each in records if len(each.fields.description) > 1 and each.fields.description in words]


def _shares(name: str, record: TransactionRecord) -> bool:
    """True if someone with this name shares the record without being payer."""
    return any(
        name == share.name.lower() or name in share.name.lower() for share in entry_of(record).shares[1:]
    )


def _is_called(name: str, record: TransactionRecord) -> bool:
    words = record.fields.description or record.fields.category
    return name in words or words in name


def with_names(entry: Entry, people: Sequence[Person]) -> Entry | None:
    """Record with names for counted sharers; None if there are too few."""
    known = {share.user_id for share in entry.shares if share.user_id}
    left = [who for who in people if who[0] not in known or not who[0]]
    shares: list[Share] = []
    for share in entry.shares:
        fits = not share.name and not share.user_id and bool(left)
        shares.append(Share(*left.pop(0), share.fen) if fits else share)
    return None if left or tuple(shares) == entry.shares else replace(entry, shares=tuple(shares))


def with_share_waived(whose: Person, record: TransactionRecord) -> Entry | None:
    """Record with a waived share borne by the payer; None without such a share."""
    entry = entry_of(record)
    if len(entry.shares) < 2 or is_repayment(entry.shares):
        return None
    shares = without_share(entry.shares, whose[0])
    return None if shares is None else replace(entry, shares=shares)


def with_payer_alone(record: TransactionRecord, me: str) -> Entry | None:
    """Record of a bill that its payer bears alone; None where another paid it, or nobody shares it."""
    entry = entry_of(record)
    others = [share for share in entry.shares[1:] if share.fen]
    if entry.type != "EXPENSE" or not others or is_repayment(entry.shares) or entry.shares[0].user_id != me:
        return None
    return replace(entry, shares=(replace(entry.shares[0], fen=entry.fen),), shared=False)


def with_share_lessened(whose: str, fen: int, record: TransactionRecord, me: str) -> Entry | None:
    """Record with so much of a member's share borne by its payer; None where their share is less."""
    entry = entry_of(record)
    if entry.type != "EXPENSE" or is_repayment(entry.shares) or entry.shares[0].user_id != me:
        return None
    payer, *others = entry.shares
    if not any(share.user_id == whose and share.fen >= fen for share in others):
        return None
    left = (replace(each, fen=each.fen - fen) if each.user_id == whose else each for each in others)
    return replace(entry, shares=(replace(payer, fen=payer.fen + fen), *left))


def with_one_bearer(
    said: RecordCorrection, record: TransactionRecord, me: Person, categories: Categories
) -> Entry | None:
    """Record that one person alone bears after all (药妆那笔应该大刘一个人出), as what they owe whoever paid;
    None where that is not between the speaker and one other member."""
    before = entry_of(record)
    owed = borne_alone(said.sole_of, said.sole, before)
    if owed is None or owed.other.user_id in ("", me[0]):
        return None
    return lent(owed, before, me, categories)


def with_sum(entry: Entry, fen: int) -> Entry:
    """Record of another sum, divided as before."""
    return change(entry, {"amount": yuan(fen)}) or entry


def with_correction(
    said: RecordCorrection, record: TransactionRecord, categories: Categories, now: datetime, zone: ZoneInfo
) -> Entry | None:
    """Corrected record; None if the line gives no change."""
    entry = entry_of(record)
    if said.new is not None:
        changed = change(entry, {"amount": yuan(said.new)})
        return None if changed == entry else changed
    found = correct_locally(said.change, [(0, entry)], categories, now, zone)
    fields = found.changes.get(0)
    changed = change(entry, fields) if fields else None
    return None if changed is None or changed == entry else replace(changed)
