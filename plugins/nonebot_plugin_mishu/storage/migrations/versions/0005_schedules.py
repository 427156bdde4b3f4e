"""Schedules."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0005"
down_revision = "0004"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade(op: Operations) -> None:
    """Create the tables."""
    op.create_table(
        "mishu_schedule",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        *(
            sa.Column(name, sa.Text(), nullable=False)
            for name in ("self_id", "kind", "peer", "start", "zone")
        ),
        *(sa.Column(name, sa.Text(), nullable=True) for name in ("end", "segment")),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=True),
        sa.Column("recurrence", sa.Text(), nullable=False),
        sa.Column("until", sa.Text(), nullable=True),
        sa.Column("lead_minutes", sa.Integer(), nullable=True),
        sa.Column("everybody", sa.Boolean(), nullable=False),
        *(
            sa.Column(name, sa.Text(), nullable=False)
            for name in ("created_by", "creator", "joined", "origin")
        ),
        sa.Column("touched", sa.Text(), nullable=True),
        *(sa.Column(name, sa.Float(53), nullable=False) for name in ("created_at", "updated_at")),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("origin", name="mishu_schedule_origin"),
        sqlite_autoincrement=True,
    )
    op.create_index("mishu_schedule_peer", "mishu_schedule", ["self_id", "kind", "peer", "start"])
