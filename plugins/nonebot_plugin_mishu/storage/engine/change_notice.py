"""Change notices of a transaction, sent to a listener after the commit.

Whoever writes notes it on the connection, inside the transaction; the writer takes the notes and tells them
after the commit. A transaction that did not happen tells nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy.ext.asyncio import AsyncConnection

from ..records import Conversation

_KEY = "mishu_noted"


@dataclass(frozen=True, slots=True)
class Noted:
    """One written row. `table` is the full name (`mishu_task`); `by`: id of the member who changed it."""

    conversation: Conversation
    table: str
    row_id: int
    action: Literal["added", "changed", "deleted"]
    by: str = ""


def note(connection: AsyncConnection, *notes: Noted) -> None:
    """Add change notices to the connection, to be sent after the commit."""
    _info(connection).setdefault(_KEY, []).extend(notes)


def taken(connection: AsyncConnection) -> list[Noted]:
    """Remove and return the change notices of this connection."""
    return _info(connection).pop(_KEY, [])


def _info(connection: AsyncConnection) -> dict[Any, Any]:
    inner = connection.sync_connection
    assert inner is not None
    return inner.info
