"""Item numbers of a card in a phrase: 第二笔, 第一和第三笔, 2到4, 前两笔, 最后一笔, 倒数第二个.

Numbers are positions on the card, 0-based, as shown to members (they never shift). Numbers beyond the card
stay, so a caller can refuse the order; nothing is clipped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ...patterns import Pattern
from .numerals import parse_integer

_NUMBER: Final = r"(?:[0-9]{1,3}|[零一二三四五六七八九十百两]{1,5})"
_UNIT: Final = r"(?:[笔条项单比件]|个(?!税|人)|号(?!码|楼|线)|(?:记录|日程|账单|账|帐))"
_SEPARATOR: Final = r" ?(?:以及|还有|[和跟与、,及加&+]) ?"
_RANGE: Final = r" ?(?:[到至~]|-{1,2}|—{1,2}) ?"
_MEMBER: Final = rf"(?:第 ?)?{_NUMBER}(?: ?{_UNIT})?"
_LIST: Final = (
    rf"{_MEMBER}(?:(?:{_SEPARATOR}|{_RANGE}| (?=[0-9第]))(?:{_MEMBER})|第 ?{_NUMBER}(?: ?{_UNIT})?){{0,9}}"
)
_FIRST: Final = rf"[前头][面边]? ?{_NUMBER} ?{_UNIT}?|前[面边头]的?[那这]{_UNIT}"
_LAST: Final = (
    rf"(?:最后|最末|末尾)(?:面|那|的|这)? ?(?:{_NUMBER}? ?{_UNIT})|后[面边]? ?{_NUMBER} ?{_UNIT}|末{_UNIT}"
    rf"|倒数 ?{_NUMBER} ?{_UNIT}|后[面边头]的?[那这]{_UNIT}"
)
_FROM_END: Final = rf"倒数第 ?{_NUMBER} ?{_UNIT}?"
_INITIAL: Final = rf"首{_UNIT}"
_MIDDLE: Final = rf"中间(?:的)?[那这]?一?{_UNIT}"

PATTERN: Final = rf"(?:从 ?)?(?:{_FIRST}|{_LAST}|{_FROM_END}|{_INITIAL}|{_MIDDLE}|{_LIST})"
"""Pattern source of possible references; `read` decides."""

_PART: Final = Pattern(rf"(?P<sign>第)? ?(?P<number>{_NUMBER}) ?(?P<unit>{_UNIT})?(?P<between>{_RANGE})?")
_WHOLE: Final = Pattern(
    rf"(?P<first>{_FIRST})|(?P<last>{_LAST})|(?P<from_end>{_FROM_END})|(?P<initial>{_INITIAL})"
    rf"|(?P<middle>{_MIDDLE})"
)
_HIGHEST: Final = 999
_ORDINAL: Final = Pattern("第 ?(?P<number>[1-9一二三四五六七八九十]) ?[个条项笔]")


def ordinals(text: str) -> tuple[tuple[int, tuple[int, int]], ...]:
    """Ordinals of a line (第二个), 0-based, with their spans, in order."""
    found = ((parse_integer(each["number"]), each.span()) for each in _ORDINAL.finditer(text))
    return tuple((number - 1, span) for number, span in found if number)


@dataclass(frozen=True)
class Reference:
    """Items named by a phrase. `items` are 0-based, ascending, unique, and may lie beyond the card. `count`
    is set instead for a number of items (两笔). `pointed`: with an ordinal or counter; a bare number may be
    an amount."""

    items: tuple[int, ...] = ()
    count: int | None = None
    pointed: bool = False


def read(phrase: str, item_count: int) -> Reference | None:
    """Items of a card with `item_count` items named by `phrase` (matched by `PATTERN`); `None` for none:
    第零笔, more than `item_count` from the end, or no numeral."""
    phrase = phrase.strip().removeprefix("从").strip()
    whole = _WHOLE.match(phrase)
    if whole is not None:
        return _read_relative(phrase, str(whole.lastgroup), item_count)
    return _read_list(phrase)


def _read_relative(phrase: str, kind: str, item_count: int) -> Reference | None:
    if kind == "middle":
        return Reference((item_count // 2,), pointed=True) if item_count % 2 and item_count > 1 else None
    digits = re.search(_NUMBER, phrase)
    amount = 1 if digits is None else parse_integer(digits[0])
    if amount is None or not 0 < amount <= _HIGHEST:
        return None
    if kind == "initial":
        chosen = range(1)
    elif kind == "first":
        chosen = range(amount)
    elif amount > item_count:
        return None
    elif kind == "from_end":
        chosen = range(item_count - amount, item_count - amount + 1)
    else:
        chosen = range(item_count - amount, item_count)
    return Reference(tuple(chosen), pointed=True)


def _read_list(phrase: str) -> Reference | None:
    parts = list(_PART.finditer(phrase))
    pointed = any(part["sign"] or part["unit"] for part in parts)
    counts = len(parts) == 1 and not parts[0]["sign"] and parts[0]["unit"] not in (None, "号")
    if counts and len(_numbers(parts[0]["number"])) < 2:  # 二三四笔 are three, 两笔 is a number of them
        count = parse_integer(parts[0]["number"])
        return None if count is None else Reference(count=count, pointed=True)
    if any("两" in part["number"] for part in parts):
        return None
    numbers: set[int] = set()
    start: int | None = None
    for part in parts:
        spoken = _numbers(part["number"])
        if not spoken or min(spoken) < 1 or max(spoken) > _HIGHEST:
            return None
        if start is not None:
            low, high = sorted((start, spoken[0]))
            numbers.update(range(low, high + 1))
        numbers.update(spoken)
        start = spoken[-1] if part["between"] else None
    if start is not None:
        return None
    return Reference(tuple(number - 1 for number in sorted(numbers)), pointed=pointed)


def _numbers(digits: str) -> list[int]:
    """One number, or single Chinese digits in a row: 第一二笔 names two items; 五一 and 一一 name none."""
    if len(digits) > 1 and not digits.isdigit() and all(digit in "一二三四五六七八九" for digit in digits):
        values = [value for value in map(parse_integer, digits) if value is not None]
        return values if values == sorted(set(values)) else []
    value = parse_integer(digits)
    return [] if value is None else [value]
