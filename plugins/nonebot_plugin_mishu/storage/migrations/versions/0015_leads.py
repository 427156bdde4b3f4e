"""Several leads: a plan and a task may be reminded of more than once; a plan of which the group is told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0015"
down_revision = "0014"


def upgrade(op: Operations) -> None:
    """A column each, without further leads."""
    for table, name in (("mishu_task", "remind_more"), ("mishu_schedule", "further_leads")):
        op.add_column(table, sa.Column(name, sa.Text(), nullable=False, server_default="null"))
    op.add_column("mishu_schedule", sa.Column("to_group", sa.Boolean(), nullable=True))
