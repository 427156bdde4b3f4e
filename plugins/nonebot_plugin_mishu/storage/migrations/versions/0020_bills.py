"""Imported bills: order numbers that were taken in, and previews."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0020"
down_revision = "0019"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_OWNER = ("self_id", "kind", "peer", "user_id")


def upgrade(op: Operations) -> None:
    """Two tables that are empty at first."""
    op.create_table(
        "mishu_imported_order",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in (*_OWNER, "source", "order_no")),
        sa.Column("refund_of", sa.Text(), nullable=True),
        sa.Column("transaction_id", _BIG, nullable=False),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.UniqueConstraint("user_id", "source", "order_no", name="mishu_imported_order_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("mishu_imported_order_member", "mishu_imported_order", list(_OWNER))
    op.create_table(
        "mishu_bill_preview",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        *(
            sa.Column(name, sa.Text(), nullable=False)
            for name in (*_OWNER, "source", "origin", "rows", "skipped")
        ),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.UniqueConstraint("origin", name="mishu_bill_preview_origin"),
        sqlite_autoincrement=True,
    )
    op.create_index("mishu_bill_preview_member", "mishu_bill_preview", list(_OWNER))
