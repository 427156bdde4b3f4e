"""Table of members' own quiet hours; they hold everywhere on the account that they were said to."""

from __future__ import annotations

from sqlalchemy import UniqueConstraint

from ..engine.columns import conversation_columns, make_table, text

member_quiet = make_table(
    "member_quiet",
    *conversation_columns(),
    text("user_id"),
    text("hours"),
    UniqueConstraint("self_id", "user_id", name="mishu_member_quiet_user"),
)
