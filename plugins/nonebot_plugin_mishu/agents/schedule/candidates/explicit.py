"""Explicit yes before a deletion: a hum or a part of a name deletes nothing. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from ....storage.schedules.records import ScheduleRecord
from ...api.dispatch import TaskResult
from .. import words


def asked(task_id: str, live: Sequence[ScheduleRecord], ids: Collection[int], now: datetime) -> TaskResult:
    """Request for a yes: about the named schedules, else about those already asked about."""
    named = [each for each in live if each.id in ids]
    if not named:
        return TaskResult(task_id, "awaiting_user", {}, ("which",), user_response=words.SAY_YES)
    slots = {"_choices": [each.id for each in named], "_names": [each.description for each in named]}
    text = "\n".join(["要删掉这个日程吗？", *(words.line(each, now) for each in named)])
    return TaskResult(task_id, "awaiting_user", slots, ("which",), user_response=text)
