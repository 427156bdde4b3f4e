"""Polls and their answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0018"
down_revision = "0017"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_PLACE = ("self_id", "kind", "peer")


def upgrade(op: Operations) -> None:
    """Create both tables; nothing was kept of polls before."""

    def table(name: str, *parts: object) -> None:
        key = sa.Column("id", _BIG, sa.Identity(), primary_key=True)
        op.create_table(f"mishu_{name}", key, *_text(*_PLACE), *parts, sqlite_autoincrement=True)  # type: ignore[arg-type]

    table(
        "poll",
        *_text("maker", "maker_name", "form", "question", "options"),
        sa.Column("places", _BIG, nullable=True),
        _number("closes_at", nullable=True),
        sa.Column("anonymous", sa.Boolean(), nullable=False),
        *_text("status"),
        sa.Column("closed_by", sa.Text(), nullable=True),
        _number("created_at"),
        _number("touched_at"),
        _number("closed_at", nullable=True),
        sa.Column("chased", _BIG, nullable=False),
        sa.Column("turns", _BIG, nullable=False),
        *_text("origin"),
        sa.UniqueConstraint("origin", name="mishu_poll_origin"),
    )
    op.create_index("mishu_poll_here", "mishu_poll", [*_PLACE, "status"])
    table(
        "poll_answer",
        sa.Column("poll_id", _BIG, nullable=False),
        *_text("user_id", "name"),
        sa.Column("choice", _BIG, nullable=True),
        sa.Column("amount", _BIG, nullable=False),
        sa.Column("taken", sa.Boolean(), nullable=False),
        sa.Column("turn", _BIG, nullable=False),
        *_text("said_by", "said_by_name", "way", "said", "origin"),
        _number("at"),
        sa.UniqueConstraint("poll_id", "user_id", name="mishu_poll_answer_voice"),
    )


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _number(name: str, *, nullable: bool = False) -> sa.Column[float]:
    return sa.Column(name, sa.Float(53), nullable=nullable)
