"""Files in lines of the ledger, as the platform names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from ...storage.records import LedgerMessage

SAME_FILE: Final = 60.0
"""Seconds within which one member's file of one name is told of twice."""


def same_file(one: LedgerMessage, other: LedgerMessage) -> bool:
    """True if two lines hold a file of the same name."""
    return not _names(one).isdisjoint(_names(other))


def _names(message: LedgerMessage) -> set[str]:
    found: set[str] = set()
    for segment in message.parts:
        data = segment.get("data")
        if segment.get("type") == "file" and isinstance(data, Mapping):
            given = cast("Mapping[str, Any]", data)
            found.update(str(given[key]) for key in ("name", "file_name", "file") if given.get(key))
    return found
