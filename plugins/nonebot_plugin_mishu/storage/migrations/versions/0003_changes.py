"""The journal of changes, reminders, and the addresses of calendars."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0003"
down_revision = "0002"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(*names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text(), nullable=nullable) for name in names]


def _of(kind: sa.types.TypeEngine[Any], *names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=nullable) for name in names]


def upgrade(op: Operations) -> None:
    """Create the tables."""
    number, flag = sa.Float(53), sa.Boolean()

    def table(name: str, *parts: Any) -> None:
        key: sa.Column[int] = sa.Column("id", _BIG, sa.Identity(), primary_key=True)
        op.create_table(
            f"mishu_{name}", key, *_text("self_id", "kind", "peer"), *parts, sqlite_autoincrement=True
        )

    table(
        "change",
        *_text("user_id", "agent_code", "summary", "rows"),
        *_of(number, "at"),
        *_of(number, "undone_at", nullable=True),
        *_text("undone_by", nullable=True),
    )
    op.create_index("mishu_change_member", "mishu_change", ["self_id", "kind", "peer", "user_id", "id"])
    op.create_index("mishu_change_age", "mishu_change", ["at"])

    table(
        "reminder",
        *_text("agent_code"),
        *_of(_BIG, "item_id"),
        *_text("origin", nullable=True),
        *_text("user_ids"),
        *_of(flag, "everybody"),
        *_text("text"),
        *_text("note", nullable=True),
        *_of(number, "due_at"),
        *_text("wall", "anchor", "zone", "recurrence"),
        *_text("until", nullable=True),
        *_of(_BIG, "lead_minutes"),
        *_text("state"),
        *_text("owner", nullable=True),
        *_of(number, "lease_until", nullable=True),
        *_of(number, "not_before"),
        *_of(_BIG, "failures", "unclear"),
        *_text("message_id", nullable=True),
        *_of(number, "closed_at", nullable=True),
        *_text("trouble", nullable=True),
        sa.UniqueConstraint("origin", name="mishu_reminder_origin"),
    )

    def in_state(state: str) -> dict[str, Any]:
        condition = sa.column("state", sa.Text()) == sa.literal_column(f"'{state}'")
        return {"sqlite_where": condition, "postgresql_where": condition}

    op.create_index("mishu_reminder_due", "mishu_reminder", ["due_at"], **in_state("waiting"))
    place = ["self_id", "kind", "peer", "due_at"]
    op.create_index("mishu_reminder_place", "mishu_reminder", place, **in_state("waiting"))
    op.create_index("mishu_reminder_owner", "mishu_reminder", ["owner"], **in_state("claimed"))
    op.create_index("mishu_reminder_item", "mishu_reminder", ["agent_code", "item_id"])
    op.create_index("mishu_reminder_message", "mishu_reminder", ["self_id", "message_id"])
    op.create_index("mishu_reminder_age", "mishu_reminder", ["closed_at"])

    table(
        "calendar",
        *_text("user_id", "token"),
        sa.UniqueConstraint("self_id", "kind", "peer", "user_id", name="mishu_calendar_owner"),
        sa.UniqueConstraint("token", name="mishu_calendar_token"),
    )
