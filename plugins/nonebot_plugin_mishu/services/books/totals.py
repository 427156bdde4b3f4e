"""Totals of a group's books in a span of days, by category and by day: summed by the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...storage.records import Conversation
from ...storage.transactions.queries import BookSpan, CategorySum
from ..access.actor import Actor, sees_person
from ..office import Office
from ..refusals import forbidden


@dataclass(frozen=True, slots=True)
class BookTotals:
    """`days` are (day, type, fen), by day."""

    sums: Sequence[CategorySum]
    days: Sequence[tuple[str, str, int]]


async def sum_span(
    office: Office,
    actor: Actor,
    place: Conversation,
    first: str,
    last: str,
    user_id: str | None,
    *,
    own_only: bool = False,
) -> BookTotals:
    """Totals of a person's records, or (None) of the group's shared ones. Raises `Refused`.

    `own_only`: without the shared ones among a person's, so that both can be shown side by side."""
    if user_id is not None and not sees_person(actor, user_id):
        raise forbidden("只能看自己的账")
    shared = False if own_only else None
    span = BookSpan(place, user_id, first=first, last=last, shared=shared)
    books = office.storage.transactions
    return BookTotals(await books.sums(span), await books.days(span))


async def sum_expenses(
    office: Office, actor: Actor, place: Conversation, month: str, user_id: str
) -> dict[str, int]:
    """A person's expenses of a month (`YYYY-MM`) by category, and under "" in all, in fen, as their
    budgets count them: of a divided one their own share. Raises `Refused`."""
    if not sees_person(actor, user_id):
        raise forbidden("只能看自己的账")
    return await office.storage.transactions.budgets.spent(place, user_id, month)
