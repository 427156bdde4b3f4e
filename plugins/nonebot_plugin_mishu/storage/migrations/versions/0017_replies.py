"""Reply text stored with a claim."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0017"
down_revision = "0016"


def upgrade(op: Operations) -> None:
    """Of claims from before nobody knows it: none of them is said again."""
    op.add_column("mishu_claim", sa.Column("reply", sa.Text(), nullable=True))
