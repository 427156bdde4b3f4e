"""Account books."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0006"
down_revision = "0005"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade(op: Operations) -> None:
    """Create the tables."""

    def text(*names: str) -> list[sa.Column[str]]:
        return [sa.Column(name, sa.Text(), nullable=False) for name in names]

    def whole(*names: str) -> list[sa.Column[int]]:
        return [sa.Column(name, _BIG, nullable=False) for name in names]

    def key() -> sa.Column[int]:
        return sa.Column("id", _BIG, sa.Identity(), primary_key=True)

    op.create_table(
        "mishu_transaction",
        key(),
        *text("self_id", "kind", "peer", "user_id", "user_name", "type"),
        *whole("fen"),
        *text("category", "description", "day"),
        sa.Column("shared", sa.Boolean(), nullable=False),
        *text("shares", "batch"),
        *whole("place", "ticket"),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.Column("updated_at", sa.Float(53), nullable=False),
        sa.UniqueConstraint("batch", "place", name="mishu_transaction_origin"),
        sqlite_autoincrement=True,
    )
    peer = ["self_id", "kind", "peer"]
    op.create_index("mishu_transaction_member", "mishu_transaction", [*peer, "user_id", "day"])
    op.create_index("mishu_transaction_day", "mishu_transaction", [*peer, "day"])
    op.create_table(
        "mishu_category_word",
        key(),
        *text("self_id", "kind", "peer", "word", "category"),
        sa.UniqueConstraint("self_id", "kind", "peer", "word", name="mishu_category_word_key"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "mishu_budget",
        key(),
        *text("self_id", "kind", "peer", "user_id", "category", "month"),
        *whole("fen"),
        *text("noticed_month"),
        *whole("noticed_level"),
        sa.UniqueConstraint(
            "self_id", "kind", "peer", "user_id", "category", "month", name="mishu_budget_key"
        ),
        sqlite_autoincrement=True,
    )
