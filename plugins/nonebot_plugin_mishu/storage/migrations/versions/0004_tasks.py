"""Tasks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0004"
down_revision = "0003"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade(op: Operations) -> None:
    """Create the tables."""

    def text(*names: str, nullable: bool = False) -> list[sa.Column[str]]:
        return [sa.Column(name, sa.Text(), nullable=nullable) for name in names]

    op.create_table(
        "mishu_task",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        *text("self_id", "kind", "peer", "owner", "owner_name", "creator", "title", "due_date"),
        *text("start_time", "end_time", "time_segment", "remind_at", nullable=True),
        *text("zone", "priority", "status"),
        *text("description", nullable=True),
        *text("recurrence", "origin"),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.Column("updated_at", sa.Float(53), nullable=False),
        sa.UniqueConstraint("origin", name="mishu_task_origin"),
        sqlite_autoincrement=True,
    )
    op.create_index("mishu_task_owner", "mishu_task", ["owner", "deleted", "status"])
    op.create_index("mishu_task_creator", "mishu_task", ["creator", "deleted", "status"])
