"""Tables of M3: core tasks, and last mentioned items."""

from __future__ import annotations

from sqlalchemy import Index, UniqueConstraint

from ..engine.columns import conversation_columns, count, flag, json_value, make_table, number, text

frame = make_table(
    "frame",
    text("task_id"),
    *conversation_columns(),
    text("user_id"),
    text("agent_code"),
    text("intent"),
    text("text"),
    text("status"),
    count("priority"),
    flag("focus"),
    text("origin"),
    text("message_id"),
    count("place"),
    text("parent_task_id", nullable=True),
    json_value("slots"),
    json_value("missing_slots"),
    text("question", nullable=True),
    json_value("question_ids"),
    text("handoff", nullable=True),
    number("created_at"),
    number("updated_at"),
    number("expires_at", nullable=True),
    text("moved_by"),
    text("said", nullable=True),
    UniqueConstraint("task_id", name="mishu_frame_task"),
)
Index("mishu_frame_member", *(frame.c[name] for name in ("self_id", "kind", "peer", "user_id")))
Index("mishu_frame_age", frame.c.updated_at)
Index("mishu_frame_status", frame.c.status)

spoken_of = make_table(
    "spoken_of",
    *conversation_columns(),
    text("user_id"),
    text("agent_code"),
    json_value("ids"),
    number("at"),
    UniqueConstraint("self_id", "kind", "peer", "user_id", name="mishu_spoken_of_key"),
)
Index("mishu_spoken_of_age", spoken_of.c.at)
