"""Tables of the HTTP API: answers by idempotency key, and the log of setting changes."""

from __future__ import annotations

from sqlalchemy import Index, UniqueConstraint

from ..engine.columns import conversation_columns, count, make_table, number, text

answered = make_table(
    "answered",
    text("scope"),
    text("token"),
    text("fingerprint"),
    count("status"),
    text("body"),
    number("at"),
    UniqueConstraint("scope", "token", name="mishu_answered_key"),
)
Index("mishu_answered_age", answered.c.at)

setting_change = make_table(
    "setting_change",
    *conversation_columns(),
    text("user_id"),
    text("name"),
    text("value"),
    number("at"),
)
Index("mishu_setting_change_order", *(setting_change.c[name] for name in ("self_id", "kind", "peer", "id")))
