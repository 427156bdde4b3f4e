"""The tables of schedules and of addresses of calendars. A deleted schedule stays, marked, so that its id
and its past do."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, UniqueConstraint, literal_column

from ..engine.columns import big, conversation_columns, flag, json_value, make_table, number, text

schedule = make_table(
    "schedule",
    *conversation_columns(),
    text("start"),
    text("zone"),
    text("end", nullable=True),
    text("segment", nullable=True),
    text("description"),
    text("place", nullable=True),
    json_value("recurrence"),
    text("until", nullable=True),
    Column("lead_minutes", Integer, nullable=True),
    json_value("further_leads", "null"),
    flag("everybody"),
    flag("to_group", nullable=True),
    text("created_by"),
    text("creator"),
    json_value("joined"),
    text("origin"),
    text("touched", nullable=True),
    number("created_at"),
    number("updated_at"),
    flag("deleted"),
    Column("taken_from", big, nullable=True),
    text("instead_of", nullable=True),
    UniqueConstraint("origin", name="mishu_schedule_origin"),
)
Index("mishu_schedule_peer", *(schedule.c[name] for name in ("self_id", "kind", "peer", "start")))
# Written out, not bound: only so do both databases see that a query may use the partial index.
repeats = schedule.c.recurrence != literal_column("'null'")
Index(
    "mishu_schedule_series",
    *(schedule.c[name] for name in ("self_id", "kind", "peer")),
    sqlite_where=repeats,
    postgresql_where=repeats,
)
Index("mishu_schedule_end", *(schedule.c[name] for name in ("self_id", "kind", "peer", "end", "start")))

calendar = make_table(
    "calendar",
    *conversation_columns(),
    text("user_id"),
    text("token"),
    UniqueConstraint("self_id", "kind", "peer", "user_id", name="mishu_calendar_owner"),
    UniqueConstraint("token", name="mishu_calendar_token"),
)
