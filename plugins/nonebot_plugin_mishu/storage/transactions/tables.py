"""The tables: Account books."""

from __future__ import annotations

from sqlalchemy import Index, UniqueConstraint

from ..engine.columns import conversation_columns, count, flag, json_value, make_table, number, text

transaction = make_table(
    "transaction",
    *conversation_columns(),
    text("user_id"),
    text("user_name"),
    text("type"),
    count("fen"),
    text("category"),
    text("description"),
    text("day"),
    flag("shared"),
    json_value("shares"),
    text("foreign_sum"),
    text("batch"),
    count("place"),
    count("ticket"),
    number("created_at"),
    number("updated_at"),
    UniqueConstraint("batch", "place", name="mishu_transaction_origin"),
)
Index(
    "mishu_transaction_member",
    transaction.c.self_id,
    transaction.c.kind,
    transaction.c.peer,
    transaction.c.user_id,
    transaction.c.day,
)
Index(
    "mishu_transaction_day",
    transaction.c.self_id,
    transaction.c.kind,
    transaction.c.peer,
    transaction.c.day,
)
for _name in ("category", "type"):
    _columns = (transaction.c[name] for name in ("self_id", "kind", "peer", _name, "day"))
    Index(f"mishu_transaction_{_name}", *_columns)
Index(
    "mishu_transaction_shared",
    *(transaction.c[name] for name in ("self_id", "kind", "peer")),
    sqlite_where=transaction.c.shared,
    postgresql_where=transaction.c.shared,
)

category_word = make_table(
    "category_word",
    *conversation_columns(),
    text("word"),
    text("category"),
    UniqueConstraint("self_id", "kind", "peer", "word", name="mishu_category_word_key"),
)

budget = make_table(
    "budget",
    *conversation_columns(),
    text("user_id"),
    text("category"),
    text("month"),
    count("fen"),
    text("noticed_month"),
    count("noticed_level"),
    text("origin", default=""),
    UniqueConstraint("self_id", "kind", "peer", "user_id", "category", "month", name="mishu_budget_key"),
)
