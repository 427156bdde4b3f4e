"""Item model of transactions: strict check of a model's fields.

Pure. `change` and `create` take an answer of `correct_transaction` and refuse all of it if one part is
invalid. Corrections without a model are in `correcting`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Final, cast
from zoneinfo import ZoneInfo

from ....language.entries.categories import is_name
from ....language.entries.entry import LONGEST_DESCRIPTION, TYPES, Entry, Share, fen_of
from ....language.ledger.repayments.repaying import is_repayment
from ..cards.payers import NOBODY, Around, by_names
from ..shares.sharing import rescaled_shares, split

FIELDS: Final = frozenset({"amount", "type", "category", "description", "date"})
ENTRY: Final = "entry"
"""Field for a complete item with its shares; set by code only, no model can name it"""
SHARES: Final = "shares"
"""Field for new shares; set by code only, a model's answer is no tuple of shares"""
PAYER: Final = "payer"
SHARERS: Final = "sharers"
"""Fields for a model's payer and sharers, by name: code resolves them"""
_EARLIEST: Final = date(1990, 1, 1)
_LATEST: Final = date(2100, 1, 1)
_LONGEST_SUM: Final = 12
_LONGEST_REST: Final = 4
"""Most digits before and after the point of a sum"""


def creator(now: datetime, zone: ZoneInfo) -> Callable[[Mapping[str, object]], Entry | None]:
    """`ItemModel.create`: new item from a model's fields; without a day it is today."""
    today = now.astimezone(zone).date()

    def create(fields: Mapping[str, object]) -> Entry | None:
        whole = fields.get(ENTRY)
        if isinstance(whole, Entry):
            return whole
        return change(Entry(0, day=today), fields) if "amount" in fields else None

    return create


def changer(around: Around) -> Callable[[Entry, Mapping[str, object]], Entry | None]:
    """`ItemModel.change` with these people."""
    return lambda entry, fields: change(entry, fields, around)


def change(entry: Entry, fields: Mapping[str, object], around: Around = NOBODY) -> Entry | None:
    """Entry with a model's fields; None if one is invalid."""
    whole, shares = fields.get(ENTRY), fields.get(SHARES)
    if len(fields) == 1 and isinstance(whole, Entry):
        return whole
    if len(fields) == 1 and isinstance(shares, tuple):
        divided = cast("tuple[Share, ...]", shares)
        return replace(entry, shares=divided, shared=divided != ())
    if fields.keys() & {PAYER, SHARERS}:
        left = {name: value for name, value in fields.items() if name not in (PAYER, SHARERS)}
        plain = change(entry, left, around) if left else entry
        if plain is None or plain.type != "EXPENSE":
            return None
        told = by_names(plain, fields.get(PAYER), fields.get(SHARERS), around)
        return None if told is None else replace(plain, shares=told, shared=told != ())
    if not fields or not fields.keys() <= FIELDS:
        return None
    changed = entry
    if "amount" in fields:
        fen = _fen(fields["amount"])
        if fen is None:
            return None
        changed = replace(changed, fen=fen, shares=_shared_anew(changed.shares, fen))
    if "type" in fields:
        kind = next((each for each in TYPES if each == fields["type"]), None)
        if kind is None:
            return None
        changed = replace(changed, type=kind)
    if "category" in fields:
        name = fields["category"]
        if not isinstance(name, str) or not is_name(name):
            return None
        changed = replace(changed, category=name)
    if "description" in fields:
        words = fields["description"]
        if not isinstance(words, str):
            return None
        words = " ".join(words.split())
        if len(words) > LONGEST_DESCRIPTION:
            return None
        changed = replace(changed, description=words)
    if "date" in fields:
        day = _day(fields["date"])
        if day is None:
            return None
        changed = replace(changed, day=day)
    return changed


def _fen(said: object) -> int | None:
    """Positive amount in yuan (number or decimal string) as exact fen; None for anything else."""
    if isinstance(said, bool) or not isinstance(said, int | float | str | Decimal):
        return None
    text = str(said).strip()
    whole, point, rest = text.partition(".")
    digits = (
        whole.isascii() and whole.isdecimal() and (rest.isascii() and rest.isdecimal() if point else True)
    )
    if not digits or len(whole) > _LONGEST_SUM or len(rest) > _LONGEST_REST:
        return None
    try:
        return fen_of(Decimal(text))
    except InvalidOperation:
        return None


def _day(said: object) -> date | None:
    if not isinstance(said, str):
        return None
    try:
        day = date.fromisoformat(said)
    except ValueError:
        return None
    return day if day.isoformat() == said and _EARLIEST <= day <= _LATEST else None


def _shared_anew(shares: tuple[Share, ...], fen: int) -> tuple[Share, ...]:
    if not shares:
        return ()
    payer, *others = shares
    if is_repayment(shares):
        return (payer, replace(others[0], fen=fen))
    named = [(share.user_id, share.name) for share in others if share.user_id]
    parts = [each.fen for each in shares]
    if max(parts) - min(parts) >= len(parts):
        return rescaled_shares(shares, fen)  # 水电不是240是260, of 3:2:1
    return split(fen, (payer.user_id, payer.name), named, len(shares))
