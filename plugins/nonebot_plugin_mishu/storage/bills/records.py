"""Rows of bills as values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BillRecord:
    """One row of a bill to be written. `day` is `YYYY-MM-DD`, `refund_of` the order it gives back."""

    order_no: str
    type: str
    fen: int
    category: str
    description: str
    day: str
    refund_of: str | None = None
