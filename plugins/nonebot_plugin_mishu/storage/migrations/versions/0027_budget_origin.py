"""The work that set a budget last."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0027"
down_revision = "0026"


def upgrade(op: Operations) -> None:
    """Of budgets from before nobody knows it."""
    op.add_column("mishu_budget", sa.Column("origin", sa.Text(), nullable=False, server_default=""))
