"""Votes in which a member may choose several options."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0025"
down_revision = "0024"


def upgrade(op: Operations) -> None:
    """A column each; until then everybody had one voice, which stays in `choice`."""
    op.add_column("mishu_poll", sa.Column("several", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("mishu_poll_answer", sa.Column("choices", sa.Text(), nullable=False, server_default="[]"))
