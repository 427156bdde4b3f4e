"""The tables of ledger, claims, and traces. How they came to be is `migrations/`.

Uniqueness is the database's, so several processes may share it. Each entity has its own `tables.py`, made of
the same `columns` and the same `metadata`.
"""

from __future__ import annotations

from sqlalchemy import Index, UniqueConstraint

from ..engine.columns import (
    conversation_columns,
    count,
    flag,
    json_value,
    make_table,
    metadata,
    number,
    storable,
    text,
)

__all__ = ["claim", "decision", "ledger", "metadata", "model_call", "storable"]

ledger = make_table(
    "ledger",
    *conversation_columns(),
    text("message_id"),
    number("time"),
    count("receipt"),
    text("user_id"),
    text("name"),
    text("role"),
    text("text"),
    json_value("segments"),
    json_value("captions"),
    text("reply_to", nullable=True),
    flag("is_bot"),
    flag("addressed"),
    flag("processed"),
    flag("recalled"),
    count("tries", default="0"),
    UniqueConstraint("self_id", "message_id", name="mishu_ledger_message"),
)
Index("mishu_ledger_order", *(ledger.c[name] for name in ("self_id", "kind", "peer", "time", "receipt")))
Index("mishu_ledger_age", ledger.c.time)
_open = ledger.c.addressed & ~ledger.c.processed
Index("mishu_ledger_open", ledger.c.self_id, ledger.c.time, sqlite_where=_open, postgresql_where=_open)

claim = make_table(
    "claim",
    text("self_id"),
    text("message_id"),
    text("token"),
    number("claimed_at"),
    text("sent_message_id", nullable=True),
    text("reply", nullable=True),
    UniqueConstraint("self_id", "message_id", name="mishu_claim_message"),
)
Index("mishu_claim_age", claim.c.claimed_at)
_unsent = claim.c.reply.is_not(None)
Index("mishu_claim_unsent", claim.c.self_id, sqlite_where=_unsent, postgresql_where=_unsent)

decision = make_table(
    "decision",
    *conversation_columns(),
    text("message_id"),
    text("user_id"),
    text("trigger"),
    text("state_before"),
    text("state_after"),
    flag("should_reply"),
    text("strategy"),
    text("reason"),
    json_value("timings"),
    json_value("calls"),
    count("tokens"),
    number("at"),
)
Index("mishu_decision_order", *(decision.c[name] for name in ("self_id", "kind", "peer", "id")))
Index("mishu_decision_age", decision.c.at)

model_call = make_table(
    "model_call",
    *conversation_columns(nullable=True),
    text("name"),
    text("model"),
    count("prompt_tokens"),
    count("completion_tokens"),
    count("cached_tokens", default="0"),
    number("seconds"),
    text("outcome"),
    number("at"),
    text("member", nullable=True),
)
Index("mishu_model_call_age", model_call.c.at)
Index("mishu_model_call_where", *(model_call.c[name] for name in ("self_id", "kind", "peer", "at")))
