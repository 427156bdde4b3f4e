"""Index of replies that are not known to be sent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0026"
down_revision = "0025"


def upgrade(op: Operations) -> None:
    """They are looked for whenever something can be said again: among all claims that is a long way."""
    unsent = sa.column("reply", sa.Text()).is_not(None)
    op.create_index(
        "mishu_claim_unsent", "mishu_claim", ["self_id"], sqlite_where=unsent, postgresql_where=unsent
    )
