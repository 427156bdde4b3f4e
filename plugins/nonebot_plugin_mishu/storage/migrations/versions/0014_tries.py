"""Number of retries of a message after restarts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0014"
down_revision = "0013"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade(op: Operations) -> None:
    """Add the column; existing messages have no retries."""
    op.add_column("mishu_ledger", sa.Column("tries", _BIG, nullable=False, server_default="0"))
