"""The table of the journal of changes."""

from __future__ import annotations

from sqlalchemy import Index

from ..engine.columns import conversation_columns, json_value, make_table, number, text

change = make_table(
    "change",
    *conversation_columns(),
    text("user_id"),
    text("agent_code"),
    text("summary"),
    json_value("rows"),
    number("at"),
    number("undone_at", nullable=True),
    text("undone_by", nullable=True),
)
Index("mishu_change_member", *(change.c[name] for name in ("self_id", "kind", "peer", "user_id", "id")))
Index("mishu_change_age", change.c.at)
