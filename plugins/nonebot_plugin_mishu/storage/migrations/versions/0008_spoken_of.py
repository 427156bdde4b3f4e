"""Items last mentioned to each member."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0008"
down_revision = "0007"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade(op: Operations) -> None:
    """Create the table."""

    def text(*names: str) -> list[sa.Column[str]]:
        return [sa.Column(name, sa.Text(), nullable=False) for name in names]

    op.create_table(
        "mishu_spoken_of",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        *text("self_id", "kind", "peer", "user_id", "agent_code", "ids"),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.UniqueConstraint("self_id", "kind", "peer", "user_id", name="mishu_spoken_of_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("mishu_spoken_of_age", "mishu_spoken_of", ["at"])
