"""Polls and changes in which only a model reads an order, as notes of the task that asks about them. Pure.

Nothing that everybody sees is done before a yes. A note holds plain values alone: it outlasts a restart.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

from ...language.polls.orders import PollDraft, PollOrder
from ...language.polls.poll import PollForm

DRAFTED: Final = "_drafted"
"""The note of a task: the poll that is made by a yes."""
CHANGES: Final = "_changes"
"""The note of a task: the change of a poll that is done by a yes."""
CHASES: Final = "_chases"
"""The note of a task: the poll whose missing voices are called by a yes."""
OPTIONS: Final = "options"
"""The slot that a vote without options asks for."""


def kept_draft(made: PollDraft) -> dict[str, Any]:
    """A poll to be made, as a note."""
    return {
        "form": made.form,
        "question": made.question,
        "options": list(made.options),
        "places": made.places,
        "closes_at": None if made.closes_at is None else made.closes_at.timestamp(),
        "anonymous": made.anonymous,
        "several": made.several,
    }


def draft_in(slots: Mapping[str, Any], zone: ZoneInfo) -> PollDraft | None:
    """The poll that a task asks about; None where it asks about none."""
    kept: object = slots.get(DRAFTED)
    if not isinstance(kept, Mapping):
        return None
    note = cast("Mapping[str, Any]", kept)
    return PollDraft(
        cast("PollForm", note["form"]),
        str(note["question"]),
        tuple(note["options"]),
        note["places"],
        _moment(note["closes_at"], zone),
        bool(note["anonymous"]),
        bool(note["several"]),
    )


def wants_options(made: PollDraft) -> bool:
    """True for a vote of which the options are still to be said."""
    return made.form == "vote" and len(made.options) < _LEAST_OPTIONS


_LEAST_OPTIONS: Final = 2


def listed_options(slots: Mapping[str, Any]) -> tuple[str, ...]:
    """The options that a line gave when it was asked for them; none where it gave none as a list."""
    given: object = slots.get(OPTIONS)
    return tuple(str(each) for each in cast("list[object]", given)) if isinstance(given, list) else ()


def kept_change(order: PollOrder) -> dict[str, Any]:
    """The change of a poll, as a note."""
    return {
        "poll": order.poll,
        "question": order.question,
        "options": list(order.options),
        "places": order.places,
        "unlimited": order.unlimited,
        "closes_at": None if order.closes_at is None else order.closes_at.timestamp(),
        "anonymous": order.anonymous,
    }


def change_in(slots: Mapping[str, Any], zone: ZoneInfo) -> PollOrder | None:
    """The change that a task asks about; None where it asks about none."""
    kept: object = slots.get(CHANGES)
    if not isinstance(kept, Mapping):
        return None
    note = cast("Mapping[str, Any]", kept)
    return PollOrder(
        "change",
        closes_at=_moment(note["closes_at"], zone),
        places=note["places"],
        options=tuple(note["options"]),
        poll=note["poll"],
        anonymous=note["anonymous"],
        unlimited=bool(note["unlimited"]),
        question=str(note["question"]),
    )


def _moment(at: float | None, zone: ZoneInfo) -> datetime | None:
    return None if at is None else datetime.fromtimestamp(at, zone)
