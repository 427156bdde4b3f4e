"""Owner's choices on the web pages: groups, limits."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0012"
down_revision = "0011"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade(op: Operations) -> None:
    """One table that is empty at first."""
    op.create_table(
        "mishu_choice",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.UniqueConstraint("name", name="mishu_choice_name"),
        sqlite_autoincrement=True,
    )
