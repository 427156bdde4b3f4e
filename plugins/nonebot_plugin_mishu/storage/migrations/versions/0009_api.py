"""Columns and tables of the HTTP API: where a moved time came from, own settings, answers for repetition."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0009"
down_revision = "0008"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_PLACE = ("self_id", "kind", "peer")


def upgrade(op: Operations) -> None:
    """Rows of earlier versions say nothing about where they were moved from."""
    op.add_column("mishu_schedule", sa.Column("taken_from", _BIG, nullable=True))
    op.add_column("mishu_schedule", sa.Column("instead_of", sa.Text(), nullable=True))
    for name in ("listen", "digest_time", "weekly_time"):
        op.add_column("mishu_conversation", sa.Column(name, sa.Text(), nullable=True))
    op.create_index("mishu_task_place", "mishu_task", [*_PLACE, "due_date"])
    op.create_index(
        "mishu_schedule_series",
        "mishu_schedule",
        list(_PLACE),
        sqlite_where=sa.text("recurrence != 'null'"),
        postgresql_where=sa.text("recurrence != 'null'"),
    )
    op.create_index("mishu_schedule_end", "mishu_schedule", [*_PLACE, "end", "start"])
    op.create_index(
        "mishu_transaction_shared",
        "mishu_transaction",
        list(_PLACE),
        sqlite_where=sa.text("shared"),
        postgresql_where=sa.text("shared"),
    )
    for name in ("category", "type"):
        op.create_index(f"mishu_transaction_{name}", "mishu_transaction", [*_PLACE, name, "day"])
    op.create_table(
        "mishu_answered",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("scope", "token", "fingerprint")),
        sa.Column("status", _BIG, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.UniqueConstraint("scope", "token", name="mishu_answered_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("mishu_answered_age", "mishu_answered", ["at"])
    op.create_table(
        "mishu_setting_change",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in (*_PLACE, "user_id", "name", "value")),
        sa.Column("at", sa.Float(53), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("mishu_setting_change_order", "mishu_setting_change", [*_PLACE, "id"])
