"""Tokens of a prompt that the endpoint had kept from an earlier call."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0007"
down_revision = "0006"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade(op: Operations) -> None:
    """Calls of earlier versions count as uncached."""
    op.add_column("mishu_model_call", sa.Column("cached_tokens", _BIG, nullable=False, server_default="0"))
