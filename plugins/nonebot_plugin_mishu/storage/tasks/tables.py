"""The table `mishu_task`."""

from __future__ import annotations

from sqlalchemy import Index, UniqueConstraint

from ..engine.columns import conversation_columns, flag, json_value, make_table, number, text

task = make_table(
    "task",
    *conversation_columns(),
    text("owner"),
    text("owner_name"),
    text("creator"),
    text("title"),
    text("due_date"),
    text("start_time", nullable=True),
    text("end_time", nullable=True),
    text("time_segment", nullable=True),
    text("remind_at", nullable=True),
    json_value("remind_more", "null"),
    text("zone"),
    text("priority"),
    text("status"),
    text("description", nullable=True),
    json_value("recurrence"),
    text("origin"),
    flag("deleted"),
    number("created_at"),
    number("updated_at"),
    UniqueConstraint("origin", name="mishu_task_origin"),
)
Index("mishu_task_owner", task.c.owner, task.c.deleted, task.c.status)
Index("mishu_task_creator", task.c.creator, task.c.deleted, task.c.status)
Index("mishu_task_place", *(task.c[name] for name in ("self_id", "kind", "peer", "due_date")))
