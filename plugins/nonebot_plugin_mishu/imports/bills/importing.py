"""Bills of a member: previewed, and written on a yes. Effects: storage."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from ...language.entries.entry import spoken
from ...storage import Storage
from ...storage.bills.queries import KeptPreview
from ...storage.bills.records import BillRecord
from ...storage.records import Conversation
from .reading import KNOWN, NEUTRAL, SOURCES, BillFile, read_bill

MOST_NEW: Final = 500
"""Records of one yes: so many are written, and taken back, within the time a call has for the database."""
GONE: Final = "那份账单已经记过了，或者换成了后来发的那份。"


@dataclass(frozen=True, slots=True)
class BillPreview:
    """A bill before anything of it is written: what would be, in numbers. `skipped` is by reason."""

    id: int
    source: str
    total: int
    records: tuple[BillRecord, ...]
    skipped: Mapping[str, int]
    later: int = 0
    """New records beyond `MOST_NEW`, which are not part of it."""

    @property
    def new(self) -> int:
        """How many records would be written."""
        return len(self.records)


class BillImports:
    """Takes bills in. `wall` is in seconds."""

    def __init__(self, storage: Storage, wall: Callable[[], float]) -> None:
        self._storage = storage
        self._wall = wall

    async def preview(self, place: Conversation, user_id: str, data: bytes, origin: str) -> BillPreview:
        """Read a bill and keep what is new of it until its yes. Raises `UnreadableBill`, `StorageError`."""
        words = await self._storage.transactions.words.load_words(place)
        bill = await asyncio.to_thread(read_bill, data, words)
        wanted = [each.order_no for each in (*bill.records, *bill.unlinked)]
        wanted += [each.refund_of for each in bill.unlinked if each.refund_of]
        known = await self._storage.bills.known(user_id, bill.source, wanted)
        found, skipped = _new(bill, known)
        found.sort(key=lambda each: each.day)
        records, later = found[:MOST_NEW], max(0, len(found) - MOST_NEW)
        number = 0
        if records:
            number = await self._storage.bills.keep_preview(
                place, user_id, bill.source, origin, records, skipped, self._wall()
            )
        return BillPreview(number, bill.source, bill.total, tuple(records), skipped, later)

    async def find(self, preview_id: int) -> KeptPreview | None:
        """A preview that waits. Raises `StorageError`."""
        return await self._storage.bills.preview(preview_id)

    async def commit(self, preview: KeptPreview, user_name: str, batch: str, ticket: int = 1) -> int:
        """Write a preview; how many records. Raises `StorageError`: then nothing was written."""
        summary = f"导入{source_name(preview.source)}账单 {len(preview.records)} 笔"
        return await self._storage.bills.commit(preview, user_name, batch, ticket, summary, self._wall())

    async def drop(self, preview_id: int) -> None:
        """Drop a preview. Raises `StorageError`."""
        await self._storage.bills.drop(preview_id)

    async def written(self, batch: str) -> int:
        """How many records a batch has written. Raises `StorageError`."""
        return await self._storage.bills.written(batch)


def source_name(source: str) -> str:
    """A source in words."""
    return next((name for code, name in SOURCES.items() if code == source), "")


def _new(bill: BillFile, known: set[str]) -> tuple[list[BillRecord], dict[str, int]]:
    """What is new of a bill, and what is left out by reason."""
    skipped = dict(bill.skipped)
    records: list[BillRecord] = []
    here = {each.order_no for each in bill.records}
    for each in (*bill.records, *bill.unlinked):
        if each.order_no in known:
            skipped[KNOWN] = skipped.get(KNOWN, 0) + 1
        elif each.order_no not in here and each.refund_of not in known:
            skipped[NEUTRAL] = skipped.get(NEUTRAL, 0) + 1
        else:
            records.append(each)
    return records, skipped


def told(preview: BillPreview, today: date) -> str:
    """A preview in words: 微信账单 132 笔，新 120，跳过 12（之前导过 5，不计收支 6，没付成 1）。"""
    left_out = sum(preview.skipped.values())
    reasons = "，".join(f"{reason} {number}" for reason, number in sorted(preview.skipped.items()) if number)
    why = f"（{reasons}）" if reasons else ""
    first = f"{source_name(preview.source)}账单 {preview.total} 笔，新 {preview.new}，跳过 {left_out}{why}。"
    if preview.later:
        first += f"一次最多记 {MOST_NEW} 笔，先记早的，剩下 {preview.later} 笔记完再发一次。"
    return f"{first}\n{sums(preview.records, today)}" if preview.records else first


def sums(records: Sequence[BillRecord], today: date) -> str:
    """From when to when records go, and their sums by type and category."""
    days = sorted(date.fromisoformat(each.day) for each in records)
    spent = sum(each.fen for each in records if each.type == "EXPENSE")
    received = sum(each.fen for each in records if each.type == "INCOME")
    by_category: dict[str, int] = {}
    for each in records:
        if each.type == "EXPENSE":
            by_category[each.category] = by_category.get(each.category, 0) + each.fen
    largest = sorted(by_category.items(), key=lambda one: (-one[1], one[0]))[:5]
    parts = "，".join(f"{name} {spoken(fen)}" for name, fen in largest)
    span = _day(days[0], today) if days[0] == days[-1] else f"{_day(days[0], today)}到{_day(days[-1], today)}"
    lines = [f"{span}，支出 {spoken(spent)}，收入 {spoken(received)}。"]
    return "\n".join([*lines, f"其中{parts}。"] if parts else lines)


def _day(day: date, today: date) -> str:
    year = "" if day.year == today.year else f"{day.year}年"
    return f"{year}{day.month}月{day.day}日"
