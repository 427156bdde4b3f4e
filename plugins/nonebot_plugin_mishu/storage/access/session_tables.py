"""Tables of web login: one-time codes and sessions, as hashes only."""

from __future__ import annotations

from sqlalchemy import Index, UniqueConstraint

from ..engine.columns import conversation_columns, make_table, number, text

web_code = make_table(
    "web_code",
    *conversation_columns(),
    text("user_id"),
    text("name"),
    text("role"),
    text("digest"),
    number("expires_at"),
    UniqueConstraint("digest", name="mishu_web_code_digest"),
)
Index("mishu_web_code_age", web_code.c.expires_at)

web_session = make_table(
    "web_session",
    *conversation_columns(),
    text("user_id"),
    text("name"),
    text("role"),
    text("digest"),
    number("created_at"),
    number("expires_at"),
    number("checked_at"),
    UniqueConstraint("digest", name="mishu_web_session_digest"),
)
Index("mishu_web_session_age", web_session.c.expires_at)
Index("mishu_web_session_user", web_session.c.self_id, web_session.c.user_id)
