"""Duty of groups and leases of processes. What groups have under several accounts is joined
at start (`storage.ledger.account_merge`)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0016"
down_revision = "0015"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade(op: Operations) -> None:
    """Two tables that are empty at first."""
    op.create_table(
        "mishu_duty",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("kind", "peer", "home")),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("account", "process")),
        sa.Column("epoch", _BIG, nullable=False),
        sa.UniqueConstraint("kind", "peer", name="mishu_duty_peer"),
        sqlite_autoincrement=True,
    )
    op.create_index("mishu_duty_process", "mishu_duty", ["process"])
    op.create_table(
        "mishu_process",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("name", "instance", "accounts")),
        sa.Column("expires_at", sa.Float(53), nullable=False),
        sa.UniqueConstraint("name", name="mishu_process_name"),
        sqlite_autoincrement=True,
    )
