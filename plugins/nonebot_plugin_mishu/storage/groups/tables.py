"""Table of the owner's choices on the web pages."""

from __future__ import annotations

from sqlalchemy import UniqueConstraint

from ..engine.columns import json_value, make_table, number, text

choice = make_table(
    "choice",
    text("name"),
    json_value("value"),
    number("at"),
    UniqueConstraint("name", name="mishu_choice_name"),
)
