"""Lines that hold words, found by the index and read again: what the index gives is only likely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ...language.text.fold import normalise
from ..engine.columns import storable
from ..records import Conversation, LedgerMessage
from ..rows import record_of, within
from .tables import ledger as table
from .word_index import matching, unindexed_below, words_of

_PAGE: Final = 200
_PAGES: Final = 12
"""Rounds in which rows are read whose words stand in them, but not side by side, or out of the span."""
_NEAR: Final = 20_000
"""Of lines that no pair leads to (a single character, a piece of a Latin word), how many of the newest are
looked through."""


@dataclass(frozen=True, slots=True)
class LedgerSearch:
    """A ledger search: words, author (None: any member), from `since` to before `until` (wall seconds)."""

    conversation: Conversation
    words: tuple[str, ...]
    user_id: str | None
    since: float
    until: float

    def takes(self, message: LedgerMessage) -> bool:
        """True when a message matches all conditions but the words."""
        return (
            message.conversation == self.conversation
            and self.since <= message.time < self.until
            and not (message.recalled or message.is_bot)
            and self.user_id in (None, message.user_id)
        )


def holds_all(text: str, words: Sequence[str]) -> bool:
    """True when a text contains all the words, ignoring width, script and case."""
    plain = normalise(text).casefold()
    looked_for = [normalise(word).casefold() for word in words]
    return all(word and word in plain for word in looked_for)


async def look_up(connection: AsyncConnection, wanted: LedgerSearch, limit: int) -> list[LedgerMessage]:
    """The newest `limit` messages of members that hold all the words, newest first."""
    if limit <= 0:
        return []
    terms = list(dict.fromkeys(term for word in wanted.words for term in words_of(word)))
    if not terms:
        return await _scan_messages(connection, wanted, limit, None)
    found = await _search_index(connection, wanted, terms, limit)
    below = await unindexed_below(connection)
    if len(found) < limit and below > 1:
        found += await _scan_messages(connection, wanted, limit - len(found), table.c.id < below)
    if not found and any(term.isascii() for term in terms):
        return await _scan_messages(connection, wanted, limit, None)
    return found


async def _search_index(
    connection: AsyncConnection, wanted: LedgerSearch, terms: Sequence[str], limit: int
) -> list[LedgerMessage]:
    found: list[LedgerMessage] = []
    before = await _span_end_id(connection, wanted)
    for page in range(_PAGES):
        most = 4 * limit if page == 0 else _PAGE
        ids = await matching(connection, wanted.conversation, terms, wanted.user_id, most, before)
        if not ids:
            break
        if page > 0:
            # Far in, most lines hold the pairs but not the words: their texts first.
            texts = await connection.execute(select(table.c.id, table.c.text).where(table.c.id.in_(ids)))
            wanted_ids = [int(row[0]) for row in texts if holds_all(row[1], wanted.words)]
        else:
            wanted_ids = ids
        # By their ids alone: with more to go by, a planner without statistics walks the whole group.
        rows = await connection.execute(select(table).where(table.c.id.in_(wanted_ids)))
        here = [each for each in (record_of(LedgerMessage, row) for row in rows) if wanted.takes(each)]
        held = [each for each in here if holds_all(each.text, wanted.words)]
        found += sorted(held, key=lambda each: each.order, reverse=True)
        before = ids[-1]
        if len(found) >= limit or len(ids) < most or await _is_past_span(connection, wanted, before):
            break
    return found[:limit]


async def _span_end_id(connection: AsyncConnection, wanted: LedgerSearch) -> int | None:
    """An id above all of the span's, where the span ends in the past; ids grow nearly with time."""
    later = select(table.c.id).where(within(table, wanted.conversation), table.c.time >= wanted.until)
    row = await connection.scalar(later.order_by(table.c.time, table.c.receipt).offset(_SLACK).limit(1))
    return None if row is None else int(row)


async def _is_past_span(connection: AsyncConnection, wanted: LedgerSearch, reached: int) -> bool:
    """True when all messages below an id are older than the span."""
    if wanted.since <= 0:
        return False
    time = await connection.scalar(select(table.c.time).where(table.c.id == reached))
    return time is not None and time < wanted.since - 3600


_SLACK: Final = 50
"""Lines behind a span's end that are looked through too: they may have been stored out of order."""


def _search_conditions(wanted: LedgerSearch) -> list[ColumnElement[bool]]:
    conditions: list[Any] = [
        within(table, wanted.conversation),
        table.c.time >= wanted.since,
        table.c.time < wanted.until,
        ~table.c.recalled,
        ~table.c.is_bot,
    ]
    if wanted.user_id is not None:
        conditions.append(table.c.user_id == wanted.user_id)
    return conditions


async def _scan_messages(
    connection: AsyncConnection, wanted: LedgerSearch, limit: int, which: ColumnElement[bool] | None
) -> list[LedgerMessage]:
    """Without the index: along the conversation's own order, the newest first."""
    near = select(table).where(*_search_conditions(wanted), *([] if which is None else [which]))
    near = near.order_by(table.c.time.desc(), table.c.receipt.desc()).limit(_NEAR).subquery()
    holds = [
        func.lower(near.c.text).contains(storable(word.lower()), autoescape=True) for word in wanted.words
    ]
    newest = select(near).where(*holds).order_by(near.c.time.desc(), near.c.receipt.desc()).limit(limit)
    return [record_of(LedgerMessage, row) for row in await connection.execute(newest)]
