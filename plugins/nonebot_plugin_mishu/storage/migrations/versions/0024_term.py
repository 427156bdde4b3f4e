"""School term of conversations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0024"
down_revision = "0023"


def upgrade(op: Operations) -> None:
    """A column, without any term."""
    op.add_column("mishu_conversation", sa.Column("term", sa.Text(), nullable=True))
