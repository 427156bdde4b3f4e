"""Pages of lists and their cursors: opaque to clients, the sort key of the last row to us. Pure."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar, cast

from .refusals import invalid

T = TypeVar("T")
Key = tuple[str, int]
"""Sort key of rows: a text (a day, a time, an id) and a number that makes it unique."""

MOST: Final = 200
"""Rows of one page."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Rows, and the cursor of the next page; None where there is none."""

    rows: Sequence[T]
    cursor: str | None = None


def make_page(found: Sequence[T], limit: int, key: Callable[[T], Key]) -> Page[T]:
    """A page of the first `limit` rows; one row more means that there is a next page."""
    rows = found[:limit]
    return Page(rows, encode_cursor(key(rows[-1])) if len(found) > limit and rows else None)


def cut_page(found: Sequence[T], limit: int, after: Key | None, key: Callable[[T], Key]) -> Page[T]:
    """The page behind `after` of a complete list, which is sorted by `key`."""
    return make_page([each for each in found if after is None or key(each) > after], limit, key)


def encode_cursor(key: Key) -> str:
    """Cursor of a sort key."""
    return base64.urlsafe_b64encode(json.dumps(key, ensure_ascii=False).encode()).decode().rstrip("=")


def decode_cursor(cursor: str | None) -> Key | None:
    """Sort key of a cursor, None for none. Raises `Refused` for an invalid cursor."""
    if not cursor:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        found = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError):
        raise invalid("cursor", "不是上一页给出的值") from None
    match cast("object", found):
        case [str() as text, int() as number] if not isinstance(number, bool) and abs(number) < 2**63:
            return text, number
        case _:
            raise invalid("cursor", "不是上一页给出的值")
