"""The tables of the group's record: facts of a group, kept digests of spans, when members joined.

The search index over the ledger stands beside them; only the migration and `ledger_words` know it.
"""

from __future__ import annotations

from sqlalchemy import Index, UniqueConstraint

from ..engine.columns import conversation_columns, count, json_value, make_table, number, text

_PLACE = ("self_id", "kind", "peer")

fact = make_table(
    "fact",
    *conversation_columns(),
    text("user_id"),
    text("name"),
    text("subject"),
    text("content"),
    text("message_id"),
    text("origin"),
    number("at"),
    UniqueConstraint("origin", name="mishu_fact_origin"),
    UniqueConstraint(*_PLACE, "subject", name="mishu_fact_subject"),
)

span_digest = make_table(
    "span_digest",
    *conversation_columns(),
    text("first_id"),
    text("last_id"),
    number("since"),
    number("until"),
    count("lines"),
    json_value("sentences"),
)
Index("mishu_span_digest_order", *(span_digest.c[name] for name in (*_PLACE, "since")))
Index("mishu_span_digest_age", span_digest.c.since)

joined = make_table(
    "joined",
    *conversation_columns(),
    text("user_id"),
    number("at"),
    UniqueConstraint(*_PLACE, "user_id", name="mishu_joined_member"),
)
