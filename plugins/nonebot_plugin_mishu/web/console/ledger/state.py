"""State of the ledger page. Pure."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Final

from ....services.paging import Key
from ....services.refusals import invalid

TYPES: Final = {"EXPENSE": "支出", "INCOME": "收入", "TRANSFER": "转账"}
Again = Callable[[], Awaitable[None]]


@dataclass
class LedgerState:
    """State of the page. `category` empty: all."""

    month: date
    own_only: bool
    category: str = ""
    after: Key | None = None

    @property
    def days(self) -> tuple[str, str]:
        """The month's first and last day."""
        last = (self.month + timedelta(days=31)).replace(day=1) - timedelta(days=1)
        return self.month.isoformat(), last.isoformat()


def parse_amount(said: str) -> Decimal:
    """A typed amount in yuan. Raises `Refused`."""
    try:
        return Decimal(said.replace(",", "").replace("，", "").removesuffix("元").strip())
    except InvalidOperation:
        raise invalid("金额", "应是数，如 35 或 35.50") from None


def parse_day(said: str) -> date:
    """A typed day. Raises `Refused`."""
    try:
        return date.fromisoformat(said)
    except ValueError:
        raise invalid("日期", "不对") from None
