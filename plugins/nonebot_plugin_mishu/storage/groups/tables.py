"""Tables of groups: settings, switches, words, and the owner's choices on the web pages."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, UniqueConstraint, false

from ..engine.columns import conversation_columns, flag, json_value, make_table, number, text

conversation = make_table(
    "conversation",
    *conversation_columns(),
    text("persona", nullable=True),
    number("silent_until", nullable=True),
    Column("silent_by_command", Boolean, nullable=False, server_default=false()),
    text("listen", nullable=True),
    text("digest_time", nullable=True),
    text("weekly_time", nullable=True),
    text("quiet_hours", nullable=True),
    text("term", nullable=True),
    UniqueConstraint("self_id", "kind", "peer", name="mishu_conversation_peer"),
)

feature = make_table(
    "feature",
    *conversation_columns(),
    text("name"),
    flag("enabled"),
    UniqueConstraint("self_id", "kind", "peer", "name", name="mishu_feature_name"),
)

word = make_table(
    "word",
    *conversation_columns(),
    text("word_kind"),
    text("word"),
    flag("removed"),
    UniqueConstraint("self_id", "kind", "peer", "word_kind", "word", name="mishu_word_word"),
)

choice = make_table(
    "choice",
    text("name"),
    json_value("value"),
    number("at"),
    UniqueConstraint("name", name="mishu_choice_name"),
)
