"""Lines that one process heard and another, which is on duty in the group, perhaps did not."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0022"
down_revision = "0021"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade(op: Operations) -> None:
    """A table that is empty but for moments."""
    op.create_table(
        "mishu_inbox",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("self_id", "kind", "peer")),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("user_id", "account", "heard")),
        sa.Column("put_at", sa.Float(53), nullable=False),
        sqlite_autoincrement=True,
    )
