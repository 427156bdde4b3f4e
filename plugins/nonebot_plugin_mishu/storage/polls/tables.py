"""The tables of polls (docs/polls.md). A deleted poll stays, marked, so that its id does; its answers go."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Index, UniqueConstraint, false

from ..engine.columns import big, conversation_columns, count, flag, json_value, make_table, number, text

poll = make_table(
    "poll",
    *conversation_columns(),
    text("maker"),
    text("maker_name"),
    text("form"),
    text("question"),
    json_value("options"),
    Column("places", big, nullable=True),
    number("closes_at", nullable=True),
    flag("anonymous"),
    Column("several", Boolean, nullable=False, server_default=false()),
    text("status"),
    text("closed_by", nullable=True),
    number("created_at"),
    number("touched_at"),
    number("closed_at", nullable=True),
    count("chased"),
    count("turns"),
    text("origin"),
    UniqueConstraint("origin", name="mishu_poll_origin"),
)
Index("mishu_poll_here", *(poll.c[name] for name in ("self_id", "kind", "peer", "status")))

poll_answer = make_table(
    "poll_answer",
    *conversation_columns(),
    count("poll_id"),
    text("user_id"),
    text("name"),
    Column("choice", big, nullable=True),
    json_value("choices", "[]"),
    count("amount"),
    flag("taken"),
    count("turn"),
    text("said_by"),
    text("said_by_name"),
    text("way"),
    text("said"),
    text("origin"),
    number("at"),
    UniqueConstraint("poll_id", "user_id", name="mishu_poll_answer_voice"),
)
