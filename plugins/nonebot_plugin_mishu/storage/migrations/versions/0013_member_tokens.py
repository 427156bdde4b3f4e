"""For which member a model was asked, and an index for the tokens of one conversation's day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0013"
down_revision = "0012"


def upgrade(op: Operations) -> None:
    """Calls of earlier versions were made for nobody in particular."""
    op.add_column("mishu_model_call", sa.Column("member", sa.Text(), nullable=True))
    op.create_index("mishu_model_call_where", "mishu_model_call", ["self_id", "kind", "peer", "at"])
