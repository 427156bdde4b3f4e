"""Bills of WeChat and Alipay read into records. Pure.

The header row is found by the names of its columns, wherever it stands. What counts neither as spent nor as
received is left out, unless it is money that comes back: that is income of the category 退款, with the name
of what it was for.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from ...language.entries.categories import Categories
from ...language.entries.entry import LONGEST_DESCRIPTION, OTHER, fen_of
from ...language.text.fold import normalise
from ...storage.bills.records import BillRecord
from .sheets import Grid, UnreadableBill, read_grid

Source = Literal["wechat", "alipay"]
SOURCES: Final[Mapping[Source, str]] = {"wechat": "微信", "alipay": "支付宝"}
NO_HEADER: Final = "没找到账单的表头，发微信或支付宝导出的账单文件（.csv 或 .xlsx）试试。"
NEUTRAL: Final = "不计收支"
FAILED: Final = "没付成"
BROKEN: Final = "读不懂"
KNOWN: Final = "之前导过"
REFUND: Final = "退款"
_NEEDED: Final = ("time", "direction", "amount", "order")
_FORMATS: Final = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M:%S", "%Y/%m/%d %H:%M", "%Y-%m-%d")
_EMPTY: Final = frozenset({"", "/", "-", "--", "无"})


@dataclass(frozen=True, slots=True)
class BillFile:
    """A bill read: its records, and how many rows were left out for which reason."""

    source: Source
    records: tuple[BillRecord, ...]
    skipped: Mapping[str, int]
    unlinked: tuple[BillRecord, ...] = ()
    """Money that comes back for what stands in no row here: it counts where that was imported before."""

    @property
    def total(self) -> int:
        """All rows of it."""
        return len(self.records) + len(self.unlinked) + sum(self.skipped.values())


@dataclass(frozen=True, slots=True)
class _Row:
    order: str
    merchant_order: str
    day: str
    direction: str
    fen: int
    counterparty: str
    goods: str
    kind: str
    status: str

    @property
    def refund(self) -> bool:
        """True for money that comes back; what was given back later (已全额退款) was spent all the same."""
        words: dict[str, str] = _tables()["words"]
        word = words["refund"]
        return self.direction != words["spent"] and any(
            word in each for each in (self.kind, self.status, self.goods[:6])
        )


@lru_cache(1)
def _tables() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("columns.toml").read_text(encoding="utf-8"))


@lru_cache(1)
def _counterparties() -> tuple[tuple[str, str], ...]:
    kept = tomllib.loads(Path(__file__).with_name("counterparties.toml").read_text(encoding="utf-8"))
    words = [(word, category) for category, listed in kept.items() for word in listed.split()]
    return tuple(sorted(words, key=lambda one: (-len(one[0]), one[0])))


def read_bill(data: bytes, own_words: Mapping[str, str] | None = None) -> BillFile:
    """A file as a bill; `own_words` are the person's own words for categories. Raises `UnreadableBill`."""
    grid = read_grid(data)
    at, columns = _header(grid)
    source = _source(grid[: at + 1])
    skipped: Counter[str] = Counter()
    rows: list[_Row] = []
    for cells in grid[at + 1 :]:
        if not any(cells) or _is_foot(cells, columns):
            continue
        row = _row(cells, columns)
        if row is None:
            skipped[BROKEN] += 1
        else:
            rows.append(row)
    by_order = {row.order: row for row in rows if not row.refund}
    by_merchant = {row.merchant_order: row for row in rows if not row.refund and row.merchant_order}
    records: dict[str, BillRecord] = {}
    unlinked: dict[str, BillRecord] = {}
    categories = Categories(own_words or {})
    received = _tables()["words"]["received"]
    for row in rows:
        reason = _left_out(row)
        if reason is not None:
            skipped[reason] += 1
            continue
        if row.order in records or row.order in unlinked:
            skipped[KNOWN] += 1
            continue
        if not row.refund:
            records[row.order] = _record(row, None, categories)
            continue
        first = row.order.partition("_")[0]
        paid = by_order.get(first) or by_merchant.get(row.merchant_order)
        if paid is not None and _left_out(paid) is not None:
            # Alipay closes an order that was given back whole: nothing was spent, and nothing came back.
            skipped[NEUTRAL] += 1
        elif paid is None and row.direction != received:
            unlinked[row.order] = replace(_record(row, None, categories), refund_of=first)
        else:
            records[row.order] = _record(row, paid, categories)
    return BillFile(source, tuple(records.values()), dict(skipped), tuple(unlinked.values()))


def _header(grid: Grid) -> tuple[int, dict[str, int]]:
    names = {
        spelled: meaning
        for meaning, listed in _tables().items()
        if isinstance(listed, str)
        for spelled in listed.split()
    }
    for at, cells in enumerate(grid[:200]):
        found: dict[str, int] = {}
        for column, cell in enumerate(cells):
            meaning = names.get(cell.replace(" ", "").replace("\t", ""))
            if meaning is not None:
                found.setdefault(meaning, column)
        if all(each in found for each in _NEEDED):
            return at, found
    raise UnreadableBill(NO_HEADER)


def _source(above: Grid) -> Source:
    text = " ".join(cell for cells in above for cell in cells).lower()
    words: dict[str, str] = _tables()["sources"]
    if any(word in text for word in words["alipay"].split()):
        return "alipay"
    if any(word in text for word in words["wechat"].split()):
        return "wechat"
    return "wechat" if "交易单号" in text else "alipay"


def _is_foot(cells: Sequence[str], columns: Mapping[str, int]) -> bool:
    """A line below the table: a rule, a sum, a remark."""
    filled = [cell for cell in cells if cell]
    return len(filled) < len(_NEEDED) or cells[0].startswith(("---", "==="))


def _row(cells: Sequence[str], columns: Mapping[str, int]) -> _Row | None:
    def cell(name: str) -> str:
        column = columns.get(name)
        found = cells[column].strip().strip("\t`'") if column is not None and column < len(cells) else ""
        return "" if found in _EMPTY else found

    order, day, fen = cell("order"), _day(cell("time")), _fen(cell("amount"))
    if not order or len(order) > 100 or day is None or fen is None:
        return None
    return _Row(
        order,
        cell("merchant_order"),
        day,
        cell("direction"),
        fen,
        cell("counterparty"),
        cell("goods"),
        cell("kind"),
        cell("status"),
    )


def _day(text: str) -> str | None:
    for form in _FORMATS:
        try:
            found = datetime.strptime(text, form).date()
        except ValueError:
            continue
        return found.isoformat() if 1971 <= found.year <= 8999 else None
    return None


def _fen(text: str) -> int | None:
    plain = text.replace(",", "").strip("¥￥ 元")
    try:
        return fen_of(abs(Decimal(plain)))
    except InvalidOperation:
        return None


def _left_out(row: _Row) -> str | None:
    """Why a row is left out; None for one that counts."""
    words: dict[str, str] = _tables()["words"]
    if any(word in row.status for word in words["failed"].split()):
        return FAILED
    if row.direction in (words["spent"], words["received"]):
        return None
    return None if row.refund and row.direction else NEUTRAL


def _record(row: _Row, paid: _Row | None, categories: Categories) -> BillRecord:
    words: dict[str, str] = _tables()["words"]
    if row.refund:
        what = _named(paid) if paid is not None else _named(row)
        what = what if what.startswith(REFUND) else f"{REFUND}：{what}"
        refund_of = None if paid is None else paid.order
        return BillRecord(
            row.order, "INCOME", row.fen, REFUND, what[:LONGEST_DESCRIPTION], row.day, refund_of
        )
    kind = "INCOME" if row.direction == words["received"] else "EXPENSE"
    category = category_of(row.counterparty, row.goods, row.kind, kind, categories)
    return BillRecord(row.order, kind, row.fen, category, _named(row), row.day)


def _named(row: _Row) -> str:
    """What a row is called: the thing, and whom it was paid to."""
    goods = " ".join(row.goods.split())
    who = " ".join(row.counterparty.split())
    whole = f"{who} {goods}" if who and goods and who not in goods else goods or who or row.kind
    return whole[:LONGEST_DESCRIPTION]


def category_of(counterparty: str, goods: str, kind: str, type_: str, categories: Categories) -> str:
    """The category of a row: by the person's own words, whom it was paid to, Alipay's class, the thing."""
    text = normalise(f"{counterparty} {goods}")
    for word in sorted(categories.words, key=len, reverse=True):
        if word in text:
            return categories.words[word]
    if type_ != "EXPENSE":
        return OTHER
    who = normalise(counterparty)
    for word, category in _counterparties():
        if word in who:
            return category
    classes: dict[str, str] = _tables()["classes"]
    by_class = next((name for name, listed in classes.items() if kind and kind in listed.split()), None)
    if by_class is not None:
        return by_class
    by_goods = next((category for word, category in _counterparties() if word in text), None)
    return by_goods or categories.of(text)
