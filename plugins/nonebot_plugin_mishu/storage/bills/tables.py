"""The tables: imported bills."""

from __future__ import annotations

from sqlalchemy import Column, Index, UniqueConstraint

from ..engine.columns import big, conversation_columns, json_value, make_table, number, text

imported_order = make_table(
    "imported_order",
    *conversation_columns(),
    text("user_id"),
    text("source"),
    text("order_no"),
    text("refund_of", nullable=True),
    Column("transaction_id", big, nullable=False),
    number("created_at"),
    UniqueConstraint("user_id", "source", "order_no", name="mishu_imported_order_key"),
)
Index(
    "mishu_imported_order_member",
    *(imported_order.c[name] for name in ("self_id", "kind", "peer", "user_id")),
)

bill_preview = make_table(
    "bill_preview",
    *conversation_columns(),
    text("user_id"),
    text("source"),
    text("origin"),
    json_value("rows"),
    json_value("skipped"),
    number("created_at"),
    UniqueConstraint("origin", name="mishu_bill_preview_origin"),
)
Index("mishu_bill_preview_member", *(bill_preview.c[name] for name in ("self_id", "kind", "peer", "user_id")))
