"""Full-text search over the terms of summaries: the part that differs between SQLite and PostgreSQL.

A summary is indexed under the terms it was stored with and under a name of its owner (conversation and
member), so that a search looks through one member's words only, however many others there are. Terms come
ready made (`memory.terms`); each is quoted, none is ever syntax, and a search has at most `MOST`.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from sqlalchemy import Text, cast, func, literal, literal_column, select, text
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlalchemy.ext.asyncio import AsyncConnection

from ..memory.tables import summary
from ..records import Conversation
from .columns import storable

MOST = 64
"""Terms of one search (pitfall 56)."""
LONGEST = 64
"""Characters of one term; longer ones are left out. PostgreSQL takes no lexeme of more than 2 KB."""
INDEX = "mishu_summary_words"


def owner(conversation: Conversation, user_id: str) -> str:
    """The term that stands for a member of a conversation."""
    place = "\x1f".join((conversation.self_id, conversation.kind, conversation.peer, user_id))
    return f"owner{blake2b(storable(place).encode(), digest_size=12).hexdigest()}"


def indexed(conversation: Conversation, user_id: str, terms: Iterable[str]) -> str:
    """Indexed text of a summary: its owner term and its terms, separated by blanks."""
    return " ".join([owner(conversation, user_id), *_filter_terms(terms)])


def _filter_terms(terms: Iterable[str]) -> list[str]:
    return [term for term in dict.fromkeys(terms) if 0 < len(term) <= LONGEST and term.isalnum()]


def fts5(owned_by: str, terms: Iterable[str]) -> str | None:
    """The query for SQLite; None where no term is left."""
    asked = _filter_terms(terms)[:MOST]
    any_of = " OR ".join(f'"{term}"' for term in asked)
    return f'"{owned_by}" AND ({any_of})' if asked else None


def tsquery(owned_by: str, terms: Iterable[str]) -> str | None:
    """The query for PostgreSQL; None where no term is left."""
    asked = _filter_terms(terms)[:MOST]
    any_of = " | ".join(f"'{term}'" for term in asked)
    return f"'{owned_by}' & ({any_of})" if asked else None


async def candidates(
    connection: AsyncConnection, owned_by: str, terms: Iterable[str], limit: int
) -> list[int]:
    """The ids of a member's summaries that hold any of the terms: those with a word or a pair of characters,
    then those with a single one; of each the newest first.

    Their order is the caller's business: a rank of the database's own counts every term in everybody's rows.
    """
    asked = _filter_terms(terms)[:MOST]
    found: dict[int, None] = {}
    for some in ([term for term in asked if len(term) > 1], asked):
        if some and len(found) < limit:
            found.update(dict.fromkeys(await _match_terms(connection, owned_by, some, limit)))
    return list(found)[:limit]


async def _match_terms(
    connection: AsyncConnection, owned_by: str, terms: Iterable[str], limit: int
) -> list[int]:
    if connection.dialect.name == "postgresql":
        vector = func.array_to_tsvector(func.string_to_array(summary.c.terms, literal_column("' '")))
        wanted = cast(literal(tsquery(owned_by, terms), Text), TSQUERY)
        matching = select(summary.c.id).where(vector.bool_op("@@")(wanted))
        return list(await connection.scalars(matching.order_by(summary.c.id.desc()).limit(limit)))
    words = f"SELECT rowid FROM {INDEX} WHERE {INDEX} MATCH :words ORDER BY rowid DESC LIMIT :most"
    rows = await connection.execute(text(words), {"words": fts5(owned_by, terms), "most": limit})
    return [int(row[0]) for row in rows]


async def compact(connection: AsyncConnection) -> None:
    """Take what was deleted out of the index for good: FTS5 keeps words of deleted rows till it merges."""
    if connection.dialect.name == "sqlite":
        await connection.execute(text(f"INSERT INTO {INDEX} ({INDEX}) VALUES ('optimize')"))
