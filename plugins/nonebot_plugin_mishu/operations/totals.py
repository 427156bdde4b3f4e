"""What a group's books come to in a span of days, by category and by day: summed by the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..storage.records import Conversation
from ..storage.transactions import BookSpan, Sum
from .actor import Actor, sees_person
from .office import Office
from .refusals import forbidden


@dataclass(frozen=True, slots=True)
class Totals:
    """`days` are (day, type, fen), by day."""

    sums: Sequence[Sum]
    days: Sequence[tuple[str, str, int]]


async def of_span(
    office: Office, actor: Actor, place: Conversation, first: str, last: str, user_id: str | None
) -> Totals:
    """The totals of a person's own records, or (None) of the shared ones of the group. Raises `Refused`."""
    if user_id is not None and not sees_person(actor, user_id):
        raise forbidden("只能看自己的账")
    span = BookSpan(place, user_id, first=first, last=last)
    books = office.storage.transactions
    return Totals(await books.sums(span), await books.days(span))
