"""The table of reminders: due rows, and what became of them."""

from __future__ import annotations

from sqlalchemy import Index, UniqueConstraint, literal_column

from ..engine.columns import conversation_columns, count, flag, json_value, make_table, number, text

reminder = make_table(
    "reminder",
    *conversation_columns(),
    text("agent_code"),
    count("item_id"),
    text("origin", nullable=True),
    json_value("user_ids"),
    flag("everybody"),
    text("text"),
    text("note", nullable=True),
    number("due_at"),
    text("wall"),
    text("anchor"),
    text("zone"),
    json_value("recurrence"),
    text("until", nullable=True),
    count("lead_minutes"),
    text("state"),
    text("owner", nullable=True),
    number("lease_until", nullable=True),
    number("not_before"),
    count("failures"),
    count("unclear"),
    text("message_id", nullable=True),
    number("closed_at", nullable=True),
    text("trouble", nullable=True),
    UniqueConstraint("origin", name="mishu_reminder_origin"),
)
# Written out, not bound: only so do both databases see that a query may use the partial indexes.
waiting = reminder.c.state == literal_column("'waiting'")
claimed = reminder.c.state == literal_column("'claimed'")
Index("mishu_reminder_due", reminder.c.due_at, sqlite_where=waiting, postgresql_where=waiting)
Index(
    "mishu_reminder_place",
    *(reminder.c[name] for name in ("self_id", "kind", "peer", "due_at")),
    sqlite_where=waiting,
    postgresql_where=waiting,
)
Index("mishu_reminder_owner", reminder.c.owner, sqlite_where=claimed, postgresql_where=claimed)
Index("mishu_reminder_item", reminder.c.agent_code, reminder.c.item_id)
Index("mishu_reminder_message", reminder.c.self_id, reminder.c.message_id)
Index("mishu_reminder_age", reminder.c.closed_at)
