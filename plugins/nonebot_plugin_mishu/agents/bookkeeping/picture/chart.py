"""Chart data of a span: parts of a pie, bars by day or month. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from ....language.books.questions import LedgerQuery
from ....language.entries.entry import TYPES, Type, spoken
from ....storage.transactions.queries import CategorySum
from ..reports import whose

MOST_PARTS: Final = 8
"""Most parts of the pie; the smallest are joined"""
MOST_DAYS: Final = 62
"""Most days with daily bars; a longer span has monthly ones"""
REST: Final = "其余"
_KINDS: Final[tuple[Type, ...]] = ("EXPENSE", "INCOME")


@dataclass(frozen=True, slots=True)
class Slice:
    """Part of the pie."""

    name: str
    fen: int
    count: int


@dataclass(frozen=True, slots=True)
class ChartBar:
    """Sum of a day or month."""

    name: str
    fen: int


@dataclass(frozen=True, slots=True)
class Chart:
    """Chart data. `kind`: type of pie and bars; `bars` is empty for a single one."""

    title: str
    kind: Type
    parts: tuple[Slice, ...]
    bars: tuple[ChartBar, ...]
    totals: tuple[str, ...]
    by_month: bool = False
    """True for monthly bars, else daily"""

    @property
    def fen(self) -> int:
        """Sum of the pie."""
        return sum(part.fen for part in self.parts)


def chart_of(
    asked: LedgerQuery, sums: Sequence[CategorySum], days: Sequence[tuple[str, str, int]], today: date
) -> Chart | None:
    """Chart of a span; None without expenses or income.

    Never both in one pie: expenses, unless there are none or income was asked for.
    """
    kinds: tuple[Type, ...] = _KINDS if asked.type is None else (asked.type,)
    there: list[Type] = [one for one in kinds if any(each.type == one for each in sums)]
    if not there:
        return None
    kind = there[0]
    mine = sorted((each for each in sums if each.type == kind), key=lambda each: -each.fen)
    parts = [Slice(each.category, each.fen, each.count) for each in mine[:MOST_PARTS]]
    rest = mine[MOST_PARTS:]
    if rest:
        parts.append(Slice(REST, sum(each.fen for each in rest), sum(each.count for each in rest)))
    totals = tuple(
        f"{words}{spoken(fen)}"
        for one, words in TYPES.items()
        if (fen := sum(each.fen for each in sums if each.type == one))
    )
    title = f"{asked.title}{whose(asked)}" + (f" · {asked.category}" if asked.category else "")
    bars, by_month = _bars(asked, [(day, fen) for day, one, fen in days if one == kind], today)
    return Chart(title, kind, tuple(parts), bars, totals, by_month)


def _bars(
    asked: LedgerQuery, days: Sequence[tuple[str, int]], today: date
) -> tuple[tuple[ChartBar, ...], bool]:
    if not days:
        return (), False
    first = max(asked.first, date.fromisoformat(days[0][0]).replace(day=1))
    last = max(min(asked.last, today), date.fromisoformat(days[-1][0]))
    by_month = (last - first).days >= MOST_DAYS
    names: dict[str, str] = {}
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        key = f"{day:%Y-%m}" if by_month else day.isoformat()
        names.setdefault(key, f"{day.year % 100}/{day.month}" if by_month else f"{day.month}/{day.day}")
    length = 7 if by_month else 10
    found = dict.fromkeys(names, 0)
    for day, fen in days:
        found[day[:length]] += fen
    bars = tuple(ChartBar(names[key], fen) for key, fen in found.items())
    return (bars if len(bars) > 1 else ()), by_month
