"""Which saved record a correction means, and what it makes of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ...storage.transactions import TransactionRecord
from .categories import Categories
from .correcting import correct_locally
from .entry import Entry
from .frames import RecordCorrection
from .model import change
from .pointing import called
from .reports import entry_of

WITHIN: Final = 86400.0
"""Seconds for which a saved record can be corrected by pointing at it."""
MOST: Final = 9
"""Records that may be meant."""


def meant(said: RecordCorrection, records: Sequence[TransactionRecord]) -> list[TransactionRecord]:
    """The records that a correction may mean, the last one first; one where it is clear."""
    text = said.words
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
            return []  # of something that was not recorded
    chosen = described or named
    if chosen and (len(chosen) == 1 or said.last):
        return chosen[:1]
    if said.last:
        return list(records[:1])
    return list(chosen or records)


def corrected(
    said: RecordCorrection, record: TransactionRecord, categories: Categories, now: datetime, zone: ZoneInfo
) -> Entry | None:
    """The record as it is to be; None where the line does not say what is to change."""
    entry = entry_of(record)
    found = correct_locally(said.change, [(0, entry)], categories, now, zone)
    fields = found.changes.get(0)
    changed = change(entry, fields) if fields else None
    return None if changed is None or changed == entry else replace(changed)
