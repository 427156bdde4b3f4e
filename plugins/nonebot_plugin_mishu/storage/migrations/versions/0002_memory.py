"""Memory of the core: turns, summaries, frames."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0002"
down_revision = "0001"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_PEER = ("self_id", "kind", "peer")
_MEMBER = (*_PEER, "user_id")


def upgrade(op: Operations) -> None:
    """Create the tables."""
    _frames(op)
    _turns(op)
    _summaries(op)


def _frames(op: Operations) -> None:
    def column(name: str, kind: sa.types.TypeEngine[Any], *, nullable: bool = False) -> sa.Column[Any]:
        return sa.Column(name, kind, nullable=nullable)

    text, number = sa.Text(), sa.Float(53)
    required = (*_PEER, "user_id", "agent_code", "intent", "text", "status")
    op.create_table(
        "mishu_frame",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        column("task_id", text),
        *(column(name, text) for name in required),
        column("priority", _BIG),
        column("focus", sa.Boolean()),
        column("origin", text),
        column("message_id", text),
        column("place", _BIG),
        column("parent_task_id", text, nullable=True),
        column("slots", text),
        column("missing_slots", text),
        column("question", text, nullable=True),
        column("question_ids", text),
        column("handoff", text, nullable=True),
        column("created_at", number),
        column("updated_at", number),
        column("expires_at", number, nullable=True),
        column("moved_by", text),
        column("said", text, nullable=True),
        sa.UniqueConstraint("task_id", name="mishu_frame_task"),
        sqlite_autoincrement=True,
    )
    op.create_index("mishu_frame_member", "mishu_frame", [*_PEER, "user_id"])
    op.create_index("mishu_frame_age", "mishu_frame", ["updated_at"])
    op.create_index("mishu_frame_status", "mishu_frame", ["status"])


def _text(*names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text(), nullable=nullable) for name in names]


def _of(kind: sa.types.TypeEngine[Any], *names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=False) for name in names]


def _table(op: Operations, name: str, *parts: Any) -> None:
    key: sa.Column[int] = sa.Column("id", _BIG, sa.Identity(), primary_key=True)
    op.create_table(f"mishu_{name}", key, *parts, sqlite_autoincrement=True)


def _turns(op: Operations) -> None:
    """M1."""
    _table(op, "turn", *_text(*_MEMBER, "role", "content"), *_of(sa.Float(53), "at"))
    op.create_index("mishu_turn_order", "mishu_turn", [*_MEMBER, "id"])
    op.create_index("mishu_turn_member", "mishu_turn", ["user_id", "id"])
    op.create_index("mishu_turn_age", "mishu_turn", ["at"])
    _table(
        op,
        "digest",
        *_text(*_MEMBER, "content"),
        *_of(_BIG, "through"),
        *_of(sa.Float(53), "at"),
        sa.UniqueConstraint(*_MEMBER, name="mishu_digest_member"),
    )
    op.create_index("mishu_digest_age", "mishu_digest", ["at"])


def _summaries(op: Operations) -> None:
    """M2, with its full-text index."""
    _table(
        op,
        "summary",
        *_text(*_MEMBER, "task_id", "agent_code", "content", "terms"),
        sa.Column("vector", sa.LargeBinary(), nullable=True),
        *_text("vector_model", nullable=True),
        *_of(sa.Float(53), "at"),
        sa.UniqueConstraint("task_id", name="mishu_summary_task"),
    )
    op.create_index("mishu_summary_order", "mishu_summary", [*_MEMBER, "id"])
    op.create_index("mishu_summary_age", "mishu_summary", ["at"])
    if op.get_context().dialect.name == "postgresql":
        op.execute(
            "CREATE INDEX mishu_summary_words ON mishu_summary"
            " USING gin (array_to_tsvector(string_to_array(terms, ' ')))"
        )
        return
    # The words stand in the summary itself: the index has no copy of them and follows it by triggers.
    op.execute(
        "CREATE VIRTUAL TABLE mishu_summary_words"
        " USING fts5(terms, content='mishu_summary', content_rowid='id', tokenize='unicode61')"
    )
    add = "INSERT INTO mishu_summary_words (rowid, terms) VALUES (new.id, new.terms);"
    drop = (
        "INSERT INTO mishu_summary_words (mishu_summary_words, rowid, terms)"
        " VALUES ('delete', old.id, old.terms);"
    )
    for name, event, steps in (
        ("added", "INSERT", add),
        ("dropped", "DELETE", drop),
        ("changed", "UPDATE OF terms", drop + add),
    ):
        op.execute(
            f"CREATE TRIGGER mishu_summary_words_{name} AFTER {event} ON mishu_summary BEGIN {steps} END"
        )
