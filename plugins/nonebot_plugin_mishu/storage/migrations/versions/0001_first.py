"""Ledger, claims, settings per conversation, decisions, model calls."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0001"
down_revision = None

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(*names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text(), nullable=nullable) for name in names]


def _of(kind: sa.types.TypeEngine[Any], *names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=False) for name in names]


def _peer(*, nullable: bool = False) -> list[sa.Column[Any]]:
    return _text("self_id", "kind", "peer", nullable=nullable)


def upgrade(op: Operations) -> None:
    """Create the tables."""
    number, flag = sa.Float(53), sa.Boolean()

    def table(name: str, columns: list[sa.Column[Any]], *unique: str, constraint: str = "") -> None:
        parts: list[Any] = [sa.Column("id", _BIG, sa.Identity(), primary_key=True), *columns]
        if unique:
            parts.append(sa.UniqueConstraint(*unique, name=f"mishu_{name}_{constraint}"))
        op.create_table(f"mishu_{name}", *parts, sqlite_autoincrement=True)

    table(
        "ledger",
        [
            *_peer(),
            *_text("message_id"),
            *_of(number, "time"),
            *_of(_BIG, "receipt"),
            *_text("user_id", "name", "role", "text", "segments", "captions"),
            *_text("reply_to", nullable=True),
            *_of(flag, "is_bot", "addressed", "processed", "recalled"),
        ],
        "self_id",
        "message_id",
        constraint="message",
    )
    op.create_index("mishu_ledger_order", "mishu_ledger", ["self_id", "kind", "peer", "time", "receipt"])
    op.create_index("mishu_ledger_age", "mishu_ledger", ["time"])
    still_open = sa.column("addressed", sa.Boolean()) & ~sa.column("processed", sa.Boolean())
    op.create_index(
        "mishu_ledger_open",
        "mishu_ledger",
        ["self_id", "time"],
        sqlite_where=still_open,
        postgresql_where=still_open,
    )
    table(
        "claim",
        [
            *_text("self_id", "message_id", "token"),
            *_of(number, "claimed_at"),
            *_text("sent_message_id", nullable=True),
        ],
        "self_id",
        "message_id",
        constraint="message",
    )
    op.create_index("mishu_claim_age", "mishu_claim", ["claimed_at"])
    table(
        "conversation",
        [
            *_peer(),
            *_text("persona", nullable=True),
            sa.Column("silent_until", number, nullable=True),
            sa.Column("silent_by_command", flag, nullable=False, server_default=sa.false()),
        ],
        "self_id",
        "kind",
        "peer",
        constraint="peer",
    )
    table(
        "feature",
        [*_peer(), *_text("name"), *_of(flag, "enabled")],
        "self_id",
        "kind",
        "peer",
        "name",
        constraint="name",
    )
    table(
        "word",
        [*_peer(), *_text("word_kind", "word"), *_of(flag, "removed")],
        "self_id",
        "kind",
        "peer",
        "word_kind",
        "word",
        constraint="word",
    )
    table(
        "decision",
        [
            *_peer(),
            *_text("message_id", "user_id", "trigger", "state_before", "state_after"),
            *_of(flag, "should_reply"),
            *_text("strategy", "reason", "timings", "calls"),
            *_of(_BIG, "tokens"),
            *_of(number, "at"),
        ],
    )
    op.create_index("mishu_decision_order", "mishu_decision", ["self_id", "kind", "peer", "id"])
    op.create_index("mishu_decision_age", "mishu_decision", ["at"])
    table(
        "model_call",
        [
            *_peer(nullable=True),
            *_text("name", "model"),
            *_of(_BIG, "prompt_tokens", "completion_tokens"),
            *_of(number, "seconds"),
            *_text("outcome"),
            *_of(number, "at"),
        ],
    )
    op.create_index("mishu_model_call_age", "mishu_model_call", ["at"])
