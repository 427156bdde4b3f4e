"""The tables: imported calendars."""

from __future__ import annotations

from sqlalchemy import Column, Index, UniqueConstraint

from ..engine.columns import big, conversation_columns, count, json_value, make_table, number, text

calendar_source = make_table(
    "calendar_source",
    *conversation_columns(),
    text("user_id"),
    text("key"),
    text("name"),
    text("address", nullable=True),
    text("header"),
    text("etag", nullable=True),
    text("modified", nullable=True),
    json_value("shared"),
    count("entries"),
    count("skipped"),
    text("trouble", nullable=True),
    number("checked_at"),
    number("next_at", nullable=True),
    number("created_at"),
    UniqueConstraint("self_id", "kind", "peer", "user_id", "key", name="mishu_calendar_source_key"),
)
Index("mishu_calendar_source_due", calendar_source.c.next_at)
Index("mishu_calendar_source_member", calendar_source.c.user_id)

calendar_entry = make_table(
    "calendar_entry",
    *conversation_columns(),
    text("user_id"),
    Column("source_id", big, nullable=False),
    text("uid"),
    count("sequence"),
    text("title"),
    text("place", nullable=True),
    text("text"),
    number("first_at"),
    number("last_at", nullable=True),
    UniqueConstraint("source_id", "uid", name="mishu_calendar_entry_uid"),
)
Index("mishu_calendar_entry_time", calendar_entry.c.source_id, calendar_entry.c.first_at)
Index(
    "mishu_calendar_entry_member",
    *(calendar_entry.c[name] for name in ("self_id", "kind", "peer", "user_id")),
)
