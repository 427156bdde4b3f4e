"""Lines of a group's record: with what was said before and behind them, and by the ids a sentence rests on.

Who may look at the group may look at these; a member only at what was said since they came, which the caller
knows (`since`, wall seconds).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..storage.records import Conversation, LedgerMessage
from .office import Office

AROUND: Final = 4
"""Lines before and behind a line that are its context."""
MOST: Final = 200


async def around(
    office: Office, place: Conversation, line: LedgerMessage, *, since: float | None
) -> list[LedgerMessage]:
    """A line with those before and behind it, oldest first, ours among them."""
    ledger = office.storage.ledger
    before = await ledger.between(place, since or 0.0, line.time + 0.001, AROUND + 1)
    behind = await ledger.page(place, AROUND, line.message_id)
    found = {each.message_id: each for each in (*before, line, *behind) if not each.recalled}
    return sorted(found.values(), key=lambda each: each.order)


async def lines(
    office: Office, place: Conversation, message_ids: Sequence[str], *, since: float | None
) -> list[LedgerMessage]:
    """The lines of these ids that still stand there, oldest first."""
    found = await office.storage.ledger.of_ids(place, message_ids[:MOST])
    return [each for each in found if each.time >= (since or 0.0)]
