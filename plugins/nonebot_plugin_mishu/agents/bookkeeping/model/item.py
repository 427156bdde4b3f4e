"""The item model of transactions: a model's fields strictly checked.

Pure. `change` and `create` take what `correct_transaction` may answer and refuse the whole of it where one
part is not exactly right. What is left without a model is in `correcting`.
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
from ..shares.sharing import split

FIELDS: Final = frozenset({"amount", "type", "category", "description", "date"})
ENTRY: Final = "entry"
"""The field by which code gives a whole new item, shares and all; no model can name one."""
SHARES: Final = "shares"
"""The field by which code divides an item anew; no model can, what it answers is no tuple of shares."""
PAYER: Final = "payer"
SHARERS: Final = "sharers"
"""The fields by which a model says anew who paid and who shares, as names: code knows who is meant."""
_EARLIEST: Final = date(1990, 1, 1)
_LATEST: Final = date(2100, 1, 1)
_LONGEST_SUM: Final = 12
_LONGEST_REST: Final = 4
"""Digits before and behind the point of a sum."""


def creator(now: datetime, zone: ZoneInfo) -> Callable[[Mapping[str, object]], Entry | None]:
    """`ItemModel.create`: a new item from a model's fields, with today where no day is given."""
    today = now.astimezone(zone).date()

    def create(fields: Mapping[str, object]) -> Entry | None:
        whole = fields.get(ENTRY)
        if isinstance(whole, Entry):
            return whole
        return change(Entry(0, day=today), fields) if "amount" in fields else None

    return create


def changer(around: Around) -> Callable[[Entry, Mapping[str, object]], Entry | None]:
    """`ItemModel.change` where these people may be named."""
    return lambda entry, fields: change(entry, fields, around)


def change(entry: Entry, fields: Mapping[str, object], around: Around = NOBODY) -> Entry | None:
    """The entry with these fields of a model's answer; None where one of them is not acceptable."""
    shares = fields.get(SHARES)
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
    """A positive amount in yuan, as a number or a decimal string, exactly; None for anything else."""
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
    return split(fen, (payer.user_id, payer.name), named, len(shares))
