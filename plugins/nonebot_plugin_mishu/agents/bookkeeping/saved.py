"""Which saved record a correction means, and what it makes of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ...storage.transactions import TransactionRecord
from .categories import Categories
from .correcting import correct_locally
from .entry import Entry
from .model import change
from .pointing import called
from .reports import entry_of

WITHIN: Final = 86400.0
"""Seconds for which a saved record can be corrected by pointing at it."""
MOST: Final = 9
"""Records that may be meant."""

_LAST: Final = re.compile("刚才|刚刚|上一?[笔条个]|最后一?[笔条个]|最近一?[笔条个]|刚记|前一[笔条]")
_AROUND_NAME: Final = re.compile(
    "把|将|给我|帮我|麻烦|请|刚才?|那|这|一?[笔条](?:账|记录)?|的|了|掉|吧|啊|,|，|。|!| "
)
_UNDOES: Final = re.compile("撤|反悔|还原|恢复|回退|都|全|几[笔条]|这些|那些")
_DELETES: Final = re.compile("删|去掉|不要|作废|移除|取消|清掉")


def deletes(text: str) -> bool:
    """Whether a record is to be taken out."""
    return _DELETES.search(text) is not None


def undoes(text: str) -> bool:
    """Whether the last change is to be taken back, whatever it was, with all the records of it."""
    return _UNDOES.search(text) is not None


def meant(text: str, records: Sequence[TransactionRecord]) -> list[TransactionRecord]:
    """The records that a line may mean, the last one first; one where it is clear."""
    named = [
        record
        for record in records
        if any(len(word) > 1 and word in text for word in (record.fields.description, record.fields.category))
    ]
    described = [
        record for record in named if record.fields.description and record.fields.description in text
    ]
    if not described and (name := _name(text)):
        described = [record for record in records if called(name, [(0, entry_of(record))])]
        if not described and Categories().thing(name) is not None and not named:
            return []  # of something that was not recorded
    chosen = described or named
    if chosen and (len(chosen) == 1 or _LAST.search(text)):
        return chosen[:1]
    if _LAST.search(text):
        return list(records[:1])
    return list(chosen or records)


def _name(text: str) -> str:
    """What is left of a line without the words of pointing and of what is wanted: 烟 of 刚那笔烟删掉."""
    line = re.split("改成|改为|改到|换成|应该|其实|是|记错|备注|(?<=.)改", _LAST.sub("", text), maxsplit=1)[0]
    return _AROUND_NAME.sub("", _DELETES.sub("", line)).strip()


def corrected(
    text: str, record: TransactionRecord, categories: Categories, now: datetime, zone: ZoneInfo
) -> Entry | None:
    """The record as it is to be; None where the line does not say what is to change."""
    entry = entry_of(record)
    found = correct_locally(_LAST.sub("", text), [(0, entry)], categories, now, zone)
    fields = found.changes.get(0)
    changed = change(entry, fields) if fields else None
    return None if changed is None or changed == entry else replace(changed)
