"""Table of members' access tokens, as hashes only."""

from __future__ import annotations

from sqlalchemy import Index, UniqueConstraint

from ..engine.columns import conversation_columns, make_table, number, text

member_token = make_table(
    "member_token",
    *conversation_columns(),
    text("user_id"),
    text("name"),
    text("role"),
    text("label"),
    text("digest"),
    number("created_at"),
    number("checked_at"),
    UniqueConstraint("digest", name="mishu_member_token_digest"),
)
Index("mishu_member_token_user", member_token.c.peer, member_token.c.user_id)
