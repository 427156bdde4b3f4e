"""The slots of an order about tasks, with the tools' parameter names. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from ..clause import Clause
from ..routing import begins_now
from .new_task import creation, raw_slots
from .queries import query_slots
from .references import change, target


def read(intent: str, clause: Clause) -> Mapping[str, Any]:
    """The slots of an intent, with the tools' parameter names, as far as the clause tells them."""
    if intent == "create_task":
        return creation(clause)
    if intent == "query_tasks":
        return query_slots(clause)
    found: dict[str, Any] = {"reference": target(intent, clause).as_json()}
    if intent == "update_task":
        wanted = change(clause)
        found |= raw_slots(wanted.wish)
        found |= {"title": wanted.title, "priority": wanted.priority, "description": wanted.description}
        found["shiftMinutes"] = wanted.shift
        at = begins_now(clause) if wanted.shift else None
        at = None if at is None else at + timedelta(minutes=wanted.shift or 0)
        found |= {} if at is None else {"dueDate": f"{at:%Y-%m-%d}", "startTime": f"{at:%H:%M}"}
    return {name: value for name, value in found.items() if value}
