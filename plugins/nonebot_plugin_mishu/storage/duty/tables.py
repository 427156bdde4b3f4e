"""Tables of duty: the answering account of each group, process leases, and lines handed to who is on duty."""

from __future__ import annotations

from sqlalchemy import Index, UniqueConstraint

from ..engine.columns import conversation_columns, count, json_value, make_table, number, text

duty = make_table(
    "duty",
    text("kind"),
    text("peer"),
    text("home"),
    text("account"),
    text("process"),
    count("epoch"),
    UniqueConstraint("kind", "peer", name="mishu_duty_peer"),
)
Index("mishu_duty_process", duty.c.process)

process = make_table(
    "process",
    text("name"),
    text("instance"),
    json_value("accounts"),
    number("expires_at"),
    UniqueConstraint("name", name="mishu_process_name"),
)

inbox = make_table(
    "inbox",
    *conversation_columns(),
    text("user_id"),
    text("account"),
    json_value("heard"),
    number("put_at"),
)
