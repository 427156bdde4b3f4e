"""Lines of a group's record, by id and with their neighbours.

Whoever sees the group sees these; a member only from when they joined (`since`, wall seconds, of the
caller)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..storage.records import Conversation, LedgerMessage
from .office import Office

AROUND: Final = 4
"""Lines before and behind a line that are its context."""
MOST: Final = 200


async def list_context(
    office: Office, place: Conversation, line: LedgerMessage, *, since: float | None
) -> list[LedgerMessage]:
    """A line and its neighbours, oldest first, ours included."""
    ledger = office.storage.ledger
    before = await ledger.between(place, since or 0.0, line.time + 0.001, AROUND + 1)
    behind = await ledger.list_page(place, AROUND, line.message_id)
    found = {each.message_id: each for each in (*before, line, *behind) if not each.recalled}
    return sorted(found.values(), key=lambda each: each.order)


async def list_lines(
    office: Office, place: Conversation, message_ids: Sequence[str], *, since: float | None
) -> list[LedgerMessage]:
    """Lines of these ids that are not recalled, oldest first."""
    found = await office.storage.ledger.of_ids(place, message_ids[:MOST])
    return [each for each in found if each.time >= (since or 0.0)]
