"""The tables of memory: turns (M1) with their digests, summaries (M2).

Beside `mishu_summary` stands a full-text index over its `terms`, which only the migration and `fulltext`
know: on SQLite the FTS5 table `mishu_summary_words` kept by triggers, on PostgreSQL a GIN index.
"""

from __future__ import annotations

from sqlalchemy import Column, Index, LargeBinary, UniqueConstraint

from ..engine.columns import conversation_columns, count, make_table, number, text

_MEMBER = ("self_id", "kind", "peer", "user_id")

turn = make_table(
    "turn",
    *conversation_columns(),
    text("user_id"),
    text("role"),
    text("content"),
    number("at"),
)
Index("mishu_turn_order", *(turn.c[name] for name in (*_MEMBER, "id")))
Index("mishu_turn_member", turn.c.user_id, turn.c.id)
Index("mishu_turn_age", turn.c.at)

digest = make_table(
    "digest",
    *conversation_columns(),
    text("user_id"),
    text("content"),
    count("through"),
    number("at"),
    UniqueConstraint(*_MEMBER, name="mishu_digest_member"),
)
Index("mishu_digest_age", digest.c.at)

summary = make_table(
    "summary",
    *conversation_columns(),
    text("user_id"),
    text("task_id"),
    text("agent_code"),
    text("content"),
    text("terms"),
    Column("vector", LargeBinary, nullable=True),
    text("vector_model", nullable=True),
    number("at"),
    UniqueConstraint("task_id", name="mishu_summary_task"),
)
Index("mishu_summary_order", *(summary.c[name] for name in (*_MEMBER, "id")))
Index("mishu_summary_age", summary.c.at)
