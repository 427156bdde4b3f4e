"""Withdrawal of a member from a shared bill (火锅我没吃 别算我): possible bills, and the bill without
them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from ....drafts import Batch
from ....language.entries.entry import Entry, Person
from ....language.ledger.repayments.repaying import is_repayment
from ....storage import Storage
from ....storage.records import OPEN_TO, Conversation
from ....storage.transactions.queries import BookSpan, TransactionRecord
from ..cards.payers import is_even, shared_by
from ..reports import entry_of
from ..saved_records import MOST, WITHIN


async def bills_with_member(
    storage: Storage, conversation: Conversation, user_id: str, now: datetime
) -> list[TransactionRecord]:
    """Records of the last day that the member shares, latest first. Raises `StorageError`."""
    if not conversation.is_group:
        return []
    first = (now - timedelta(seconds=2 * WITHIN)).date().isoformat()
    found = await storage.transactions.list_records(BookSpan(conversation, None, first=first), MOST * MOST)
    since = now.timestamp() - WITHIN
    fresh = (each for each in reversed(found) if each.created_at >= since)
    return [each for each in fresh if _bears(entry_of(each), user_id)][:MOST]


async def bills_shared(
    storage: Storage, conversation: Conversation, user_id: str, now: datetime
) -> tuple[str, ...]:
    """Names of these bills. Raises `StorageError`."""
    found = await bills_with_member(storage, conversation, user_id, now)
    return tuple(name_of(entry_of(each)) for each in found)


def find_bills(thing: str, bills: Sequence[Entry]) -> list[Entry]:
    """Bills matching a name; all without one."""
    if not thing:
        return list(bills)
    return [each for each in bills if name_of(each) in thing or thing in name_of(each)]


def without_member(entry: Entry, user_id: str) -> Entry | None:
    """Bill divided equally among the others; None if it was uneven, or nobody else is named."""
    bearing = [each for each in entry.shares if each.fen]
    left = [(each.user_id, each.name) for each in bearing if each.user_id != user_id]
    if not left or not is_even(bearing):
        return None
    return replace(entry, shares=shared_by(entry, left, ("", "")))


def with_members(entry: Entry, more: Sequence[Person]) -> Entry | None:
    """Bill divided equally among its sharers and these; as it is where they share it. None if it was
    uneven."""
    bearing = [each for each in entry.shares if each.fen]
    if not bearing or not is_even(bearing):
        return None
    sharers = [(each.user_id, each.name) for each in bearing]
    further = [who for who in more if who not in sharers and (not who[0] or who[0] not in dict(sharers))]
    return replace(entry, shares=shared_by(entry, [*sharers, *further], ("", ""))) if further else entry


def open_to_sharers(batch: Batch[Entry]) -> Mapping[str, Mapping[str, list[str]]]:
    """Members concerned by a card beside its owner, with the bills they share, for its task."""
    found: dict[str, list[str]] = {}
    for item in batch.pending:
        for share in item.value.shares:
            if share.user_id not in ("", batch.owner) and _bears(item.value, share.user_id):
                found.setdefault(share.user_id, []).append(name_of(item.value))
    return {OPEN_TO: found}


def name_of(entry: Entry) -> str:
    """Name of a bill."""
    return entry.description or entry.category


def _bears(entry: Entry, user_id: str) -> bool:
    spent = entry.type == "EXPENSE" and not is_repayment(entry.shares)
    return spent and any(each.user_id == user_id and each.fen for each in entry.shares)
