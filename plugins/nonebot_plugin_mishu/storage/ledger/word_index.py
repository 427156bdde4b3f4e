"""The search index over the ledger: pairs of characters and words, the part that knows the databases.

A line is indexed under its terms (`memory.terms`, pairs and words only), each with a name of the conversation
before it: a search looks through one conversation's words and meets nobody else's, however many there are.
SQLite keeps them in an FTS5 table, PostgreSQL in arrays under a GIN index; both are asked for all terms of a
search at once, the newest first. Rows older than `below` are not indexed yet (`index_older`).
"""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, Final

from sqlalchemy import bindparam, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from ...language.text.pairs import every_pair, pairs
from ..engine.columns import storable
from ..records import Conversation, LedgerMessage
from ..rows import conversation_of
from .tables import ledger

INDEX: Final = "mishu_ledger_words"
OLD: Final = "mishu_ledger_words_old"
MOST: Final = 24
"""Terms of one search."""
READ: Final = 400
"""Characters of a line that are indexed."""
_WINDOW: Final = 20_000
"""Newest rows that PostgreSQL searches before it searches all: a common word is found
there, and the rows of a rare one are few."""
_LONGEST: Final = 32
"""Characters of a word; longer ones are not indexed."""
_FEW: Final = 50_000
"""Rows up to which the index is put in order at once."""
_PLACE: Final = 4
"""Characters by which a conversation is told from others in a term."""
_names: dict[tuple[str, str, str], str] = {}


def words_of(said: str) -> list[str]:
    """Search words of a line: pairs of characters and Latin words."""
    return [word for word in pairs(said[:READ]) if len(word) <= _LONGEST]


def place(conversation: Conversation) -> str:
    """Term prefix of a conversation."""
    key = (conversation.self_id, conversation.kind, conversation.peer)
    name = _names.get(key)
    if name is None:
        if len(_names) > 10_000:
            _names.clear()
        # Short, since it stands before every term; where two conversations share one, the rows tell.
        made = blake2b(storable("\x1f".join(key)).encode(), digest_size=5).digest()
        name = b32encode(made).decode().lower()[:_PLACE]
        _names[key] = name
    return name


def terms_of(conversation: Conversation, words: Iterable[str], user_id: str | None) -> list[str]:
    """Index terms of words and their author (None: anybody), for indexing and searching."""
    before = place(conversation)
    found = [f"{before}{word}" for word in words]
    if user_id is not None and user_id.isalnum() and user_id.isascii():
        found.append(f"{before}u{user_id.casefold()}")
    return found


async def newest_id(connection: AsyncConnection) -> int:
    """The greatest id of the ledger; 0 where it is empty."""
    return int((await connection.scalar(text("SELECT COALESCE(MAX(id), 0) FROM mishu_ledger"))) or 0)


async def index_new(connection: AsyncConnection, messages: Iterable[LedgerMessage], above: int) -> None:
    """Index the messages that were stored with an id greater than `above`, in the same transaction."""
    given = list(messages)
    # SQLite has one writer, which numbers in order: where no message was known, the ids are known unread.
    if connection.dialect.name == "sqlite" and await _is_gapless(connection, above, len(given)):
        ids = {id(each): above + place for place, each in enumerate(given, start=1)}
    else:
        rows = await connection.execute(_ABOVE, {"above": above})
        found = {(row[1], row[2]): int(row[0]) for row in rows}
        keys = ((each, (each.conversation.self_id, storable(each.message_id))) for each in given)
        ids = {id(each): found[key] for each, key in keys if key in found}
    await _insert_terms(
        connection,
        [
            (ids[id(each)], each.conversation, each.text, each.user_id)
            for each in given
            if id(each) in ids and not (each.is_bot or each.recalled)
        ],
    )


async def _is_gapless(connection: AsyncConnection, above: int, count: int) -> bool:
    """True when `count` rows follow an id without a gap; a duplicate message leaves one."""
    row = (await connection.execute(_FOLLOWING, {"above": above})).one()
    return bool(row[0] == count and row[1] == above + count)


_FOLLOWING: Final = text("SELECT COUNT(*), MAX(id) FROM mishu_ledger WHERE id > :above")
_ABOVE: Final = text("SELECT id, self_id, message_id FROM mishu_ledger WHERE id > :above")


async def index_older(connection: AsyncConnection, most: int) -> int:
    """Index the newest `most` rows that are not indexed yet; how many there were."""
    below = await unindexed_below(connection)
    columns = (ledger.c.id, ledger.c.self_id, ledger.c.kind, ledger.c.peer, ledger.c.user_id, ledger.c.text)
    flags = (ledger.c.is_bot, ledger.c.recalled)
    older = select(*columns, *flags).where(ledger.c.id < below).order_by(ledger.c.id.desc()).limit(most)
    rows = list(await connection.execute(older))
    await _insert_terms(
        connection,
        [
            (row.id, conversation_of(row), row.text, row.user_id)
            for row in rows
            if not (row.is_bot or row.recalled)
        ],
    )
    reached = rows[-1].id if rows else 0
    await connection.execute(text(f"UPDATE {OLD} SET below = :below"), {"below": reached})
    return len(rows)


async def begin_again(connection: AsyncConnection) -> None:
    """Mark the whole ledger as unindexed where the index is empty (rows that were copied in).
    Tables of an earlier version have no index yet."""
    if not await connection.run_sync(lambda sync: inspect(sync).has_table(OLD)):
        return
    if not await connection.scalar(text(f"SELECT 1 FROM {INDEX} LIMIT 1")):
        above = await newest_id(connection)
        await connection.execute(text(f"UPDATE {OLD} SET below = :below"), {"below": above + 1})


_Row = tuple[int, Conversation, str, str]
"""An id of the ledger, where it was said, what, and by whom."""


async def _insert_terms(connection: AsyncConnection, made: Sequence[_Row]) -> None:
    if connection.dialect.name == "sqlite":
        # Every message pays for this: the terms as one string right away, those said twice twice.
        strings = ((number, _join_terms(where, said, user_id)) for number, where, said, user_id in made)
        rows = [row for row in strings if row[1]]
        if rows:
            await connection.exec_driver_sql(f"INSERT INTO {INDEX} (rowid, words) VALUES (?, ?)", rows)
        return
    arrays = [
        {"id": number, "words": terms_of(where, words_of(said), user_id)}
        for number, where, said, user_id in made
    ]
    if arrays:
        await connection.execute(
            text(f"INSERT INTO {INDEX} (id, words) VALUES (:id, :words) ON CONFLICT DO NOTHING"), arrays
        )


def _join_terms(conversation: Conversation, said: str, user_id: str) -> str:
    """Index terms of a line as one string, separated by blanks; as `terms_of`."""
    before = place(conversation)
    words = every_pair(said[:READ])
    if len(said) > _LONGEST:
        words = [word for word in words if len(word) <= _LONGEST]
    if user_id.isalnum() and user_id.isascii():
        words.append(f"u{user_id.casefold()}")
    return f"{before}{f' {before}'.join(words)}" if words else ""


async def drop_words(connection: AsyncConnection, ids: Sequence[int]) -> None:
    """Take rows out of the index."""
    key = "rowid" if connection.dialect.name == "sqlite" else "id"
    for start in range(0, len(ids), 500):
        statement = text(f"DELETE FROM {INDEX} WHERE {key} IN :ids").bindparams(
            bindparam("ids", expanding=True)
        )
        await connection.execute(statement, {"ids": list(ids[start : start + 500])})


async def unindexed_below(connection: AsyncConnection) -> int:
    """Rows with a smaller id are not indexed yet; 0 where all are."""
    return int((await connection.scalar(text(f"SELECT below FROM {OLD}"))) or 0)


async def compact(connection: AsyncConnection) -> None:
    """Take what was dropped out of the index for good, as far as that takes no time to speak of: FTS5 keeps
    words of dropped rows until it merges, and merges a large index by and by."""
    if connection.dialect.name == "sqlite":
        few = await newest_id(connection) <= _FEW
        how = (
            "(mishu_ledger_words) VALUES ('optimize')"
            if few
            else "(mishu_ledger_words, rank) VALUES ('merge', -200)"
        )
        await connection.execute(text(f"INSERT INTO {INDEX} {how}"))


async def matching(
    connection: AsyncConnection,
    conversation: Conversation,
    words: Sequence[str],
    user_id: str | None,
    most: int,
    before: int | None,
) -> list[int]:
    """Ids of the newest `most` rows that hold all the words' terms, below the id `before`, newest first."""
    terms = terms_of(conversation, words[:MOST], user_id)
    if connection.dialect.name == "sqlite":
        below = "" if before is None else " AND rowid < :before"
        asked: dict[str, Any] = {"words": " AND ".join(f'"{term}"' for term in terms), "most": most}
        rows = await connection.execute(
            text(
                f"SELECT rowid FROM {INDEX} WHERE {INDEX} MATCH :words{below} ORDER BY rowid DESC LIMIT :most"
            ),
            asked if before is None else asked | {"before": before},
        )
        return [int(row[0]) for row in rows]
    top = before if before is not None else await newest_id(connection) + 1
    asked = {"terms": terms, "low": top - _WINDOW, "top": top, "most": most}
    rows = [int(row[0]) for row in await connection.execute(_NEAR, asked)]
    if len(rows) < most and top > _WINDOW:
        rows = [int(row[0]) for row in await connection.execute(_FAR, asked)]
    return rows


_NEAR: Final = text(
    f"SELECT id FROM {INDEX} WHERE words @> CAST(:terms AS TEXT[]) AND id >= :low AND id < :top"
    " ORDER BY id DESC LIMIT :most"
)
# `id + 0`: the words lead, not the order, along which all rows would be looked through.
_FAR: Final = text(
    f"SELECT id FROM {INDEX} WHERE words @> CAST(:terms AS TEXT[]) AND id + 0 < :top"
    " ORDER BY id + 0 DESC LIMIT :most"
)
