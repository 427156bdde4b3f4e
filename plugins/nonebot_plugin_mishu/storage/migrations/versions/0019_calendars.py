"""Imported calendars of members: sources, and entries by UID."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0019"
down_revision = "0018"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_OWNER = ("self_id", "kind", "peer", "user_id")


def upgrade(op: Operations) -> None:
    """Two tables that are empty at first."""
    op.create_table(
        "mishu_calendar_source",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in (*_OWNER, "key", "name")),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("header", sa.Text(), nullable=False),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("modified", sa.Text(), nullable=True),
        sa.Column("shared", sa.Text(), nullable=False),
        sa.Column("entries", _BIG, nullable=False),
        sa.Column("skipped", _BIG, nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("checked_at", sa.Float(53), nullable=False),
        sa.Column("next_at", sa.Float(53), nullable=True),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.UniqueConstraint(*_OWNER, "key", name="mishu_calendar_source_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("mishu_calendar_source_due", "mishu_calendar_source", ["next_at"])
    op.create_index("mishu_calendar_source_member", "mishu_calendar_source", ["user_id"])
    op.create_table(
        "mishu_calendar_entry",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in _OWNER),
        sa.Column("source_id", _BIG, nullable=False),
        sa.Column("uid", sa.Text(), nullable=False),
        sa.Column("sequence", _BIG, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("first_at", sa.Float(53), nullable=False),
        sa.Column("last_at", sa.Float(53), nullable=True),
        sa.UniqueConstraint("source_id", "uid", name="mishu_calendar_entry_uid"),
        sqlite_autoincrement=True,
    )
    op.create_index("mishu_calendar_entry_time", "mishu_calendar_entry", ["source_id", "first_at"])
    op.create_index("mishu_calendar_entry_member", "mishu_calendar_entry", list(_OWNER))
