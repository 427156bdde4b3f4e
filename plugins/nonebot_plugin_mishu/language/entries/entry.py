"""One transaction as a value: amounts in whole fen, the day it belongs to, who shares it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, Literal, cast

Type = Literal["INCOME", "EXPENSE", "TRANSFER"]

TYPES: Final[Mapping[Type, str]] = {"INCOME": "收入", "EXPENSE": "支出", "TRANSFER": "转账"}
"""Names of the types."""

OTHER: Final = "其他"
"""The category of what no other one claims (pitfall 53)."""

MOST_FEN: Final = 10_000_000_000
"""A hundred million yuan: more than this is a slip, not a transaction."""

Person = tuple[str, str]
"""Id and name; the id is empty for somebody who is no member."""
LONGEST_DESCRIPTION: Final = 60
WEEKDAYS: Final = "一二三四五六日"


@dataclass(frozen=True, slots=True)
class Share:
    """One member's share of an expense. `user_id` is empty for somebody unnamed."""

    user_id: str
    name: str
    fen: int


@dataclass(frozen=True, slots=True)
class Foreign:
    """A sum as it was said in another currency, with the yuan that one of it was worth then."""

    amount: str
    code: str
    rate: str

    @property
    def fen(self) -> int:
        """The sum converted, to the nearest fen."""
        yuan = Decimal(self.amount) * Decimal(self.rate)
        return int((yuan * 100).to_integral_value(ROUND_HALF_UP))

    def __str__(self) -> str:
        return f"{self.amount} {self.code} {self.rate}"


def foreign_of(kept: str) -> Foreign | None:
    """A foreign sum from its text; None for an empty one."""
    parts = kept.split()
    return Foreign(*parts) if len(parts) == 3 else None


@dataclass(frozen=True, slots=True)
class Entry:
    """A transaction not saved yet, or the content of a saved one."""

    fen: int
    type: Type = "EXPENSE"
    category: str = OTHER
    description: str = ""
    day: date = date.min
    shared: bool = False
    """Counts in the group's totals (AA, 群账)."""
    shares: tuple[Share, ...] = ()
    """Shares, the payer first; together exactly `fen`. Empty: no debts."""
    foreign: Foreign | None = None
    """The sum as it was said in another currency; see `converted`."""

    @property
    def converted(self) -> Foreign | None:
        """What the sum was converted from; None for a sum in yuan, also one that was corrected since."""
        return self.foreign if self.foreign is not None and self.foreign.fen == self.fen else None

    @property
    def yuan(self) -> str:
        """The amount as a decimal string with two places."""
        return yuan(self.fen)


def kept_as_said(entries: Sequence[Entry], said: Sequence[Foreign]) -> tuple[Entry, ...]:
    """Entries with the foreign sums they were converted from, in order."""
    left = list(said)
    found: list[Entry] = []
    for entry in entries:
        own = next((each for each in left if each.fen == entry.fen), None)
        if own is not None:
            left.remove(own)
        found.append(entry if own is None else replace(entry, foreign=own))
    return tuple(found)


def yuan(fen: int) -> str:
    """Fen as yuan with two decimal places: 35.00, -0.05."""
    sign, whole = ("-" if fen < 0 else ""), abs(fen)
    return f"{sign}{whole // 100}.{whole % 100:02d}"


def spoken(fen: int) -> str:
    """Fen as people write yuan: 60元, 12.80元."""
    text = yuan(fen)
    return f"{text.removesuffix('.00')}元"


def fen_of(amount: Decimal) -> int | None:
    """Yuan as fen; None for what is no positive whole number of fen, or beyond `MOST_FEN`."""
    if not amount.is_finite() or not 0 < amount <= MOST_FEN:
        return None
    fen = amount * 100
    if fen != fen.to_integral_value() or fen > MOST_FEN:
        return None
    return int(fen)


def weekday(day: date) -> str:
    """周六."""
    return f"周{WEEKDAYS[day.weekday()]}"


def shown(day: date, today: date | None = None) -> str:
    """11月21日 周六: a day is always shown with its weekday; with its year where that is not `today`'s."""
    year = "" if today is None or day.year == today.year else f"{day.year}年"
    return f"{year}{day.month}月{day.day}日 {weekday(day)}"


def dump_entry(entry: Entry) -> dict[str, Any]:
    """The entry in values that JSON knows."""
    return {
        "fen": entry.fen,
        "type": entry.type,
        "category": entry.category,
        "description": entry.description,
        "day": entry.day.isoformat(),
        "shared": entry.shared,
        "shares": [[share.user_id, share.name, share.fen] for share in entry.shares],
        "foreign": str(entry.converted or ""),
    }


def load_entry(plain: Any) -> Entry:
    """Entry from `dump_entry`. Raises `KeyError`, `TypeError` or `ValueError` for other data."""
    values = cast("dict[str, Any]", plain)
    if values["type"] not in TYPES:
        raise ValueError("no type of transaction")
    return Entry(
        int(values["fen"]),
        values["type"],
        str(values["category"]),
        str(values["description"]),
        date.fromisoformat(values["day"]),
        bool(values["shared"]),
        tuple(Share(str(user), str(name), int(fen)) for user, name, fen in values["shares"]),
        foreign_of(str(values.get("foreign") or "")),
    )


def entry_json(entry: Entry) -> dict[str, Any]:
    """The entry as models, the API and `explain` see it."""
    return {
        "amount": entry.yuan,
        "type": entry.type,
        "category": entry.category,
        "description": entry.description,
        "date": entry.day.isoformat(),
    }
