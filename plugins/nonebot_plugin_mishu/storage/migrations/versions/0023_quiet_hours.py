"""Quiet hours of groups and of members."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0023"
down_revision = "0022"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade(op: Operations) -> None:
    """A column and a table, without any hours."""
    op.add_column("mishu_conversation", sa.Column("quiet_hours", sa.Text(), nullable=True))
    op.create_table(
        "mishu_member_quiet",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("self_id", "kind", "peer")),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("user_id", "hours")),
        sa.UniqueConstraint("self_id", "user_id", name="mishu_member_quiet_user"),
        sqlite_autoincrement=True,
    )
