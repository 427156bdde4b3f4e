"""The group's record: facts, kept digests, when members joined, and the search index over the ledger."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0010"
down_revision = "0009"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_PLACE = ("self_id", "kind", "peer")


def upgrade(op: Operations) -> None:
    """Create the tables and the index. Rows that are there already are indexed in the background."""

    def table(name: str, *parts: object) -> None:
        key = sa.Column("id", _BIG, sa.Identity(), primary_key=True)
        op.create_table(f"mishu_{name}", key, *_text(*_PLACE), *parts, sqlite_autoincrement=True)  # type: ignore[arg-type]

    table(
        "fact",
        *_text("user_id", "name", "subject", "content", "message_id", "origin"),
        _number("at"),
        sa.UniqueConstraint("origin", name="mishu_fact_origin"),
        sa.UniqueConstraint(*_PLACE, "subject", name="mishu_fact_subject"),
    )
    table(
        "span_digest",
        *_text("first_id", "last_id"),
        _number("since"),
        _number("until"),
        sa.Column("lines", _BIG, nullable=False),
        *_text("sentences"),
    )
    op.create_index("mishu_span_digest_order", "mishu_span_digest", [*_PLACE, "since"])
    op.create_index("mishu_span_digest_age", "mishu_span_digest", ["since"])
    table(
        "joined",
        *_text("user_id"),
        _number("at"),
        sa.UniqueConstraint(*_PLACE, "user_id", name="mishu_joined_member"),
    )
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE mishu_ledger_words USING fts5(words, detail=none, columnsize=0, "
            "tokenize='ascii')"
        )
    else:
        op.execute("CREATE TABLE mishu_ledger_words (id BIGINT PRIMARY KEY, words TEXT[] NOT NULL)")
        op.execute("CREATE INDEX mishu_ledger_words_all ON mishu_ledger_words USING gin (words)")
    op.execute("CREATE TABLE mishu_ledger_words_old (below BIGINT NOT NULL)")
    op.execute("INSERT INTO mishu_ledger_words_old SELECT COALESCE(MAX(id), 0) + 1 FROM mishu_ledger")


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _number(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.Float(53), nullable=False)
