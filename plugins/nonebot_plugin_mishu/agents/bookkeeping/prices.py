"""What was paid where a sentence says how it came about: 其中, 八折, 减50, 5块一斤买了3斤. Pure.

* 午饭花了35，其中奶茶15: the 15 are within the 35 and no item;
* 原价100打八折 is 80, where no price behind the discount says what was paid; 399减50 is 349;
* a price per unit beside a quantity of that unit, said once, is multiplied: 3杯咖啡每杯20 is 60.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from ...text import Amount, Role, parse_decimal

_PART: Final = re.compile(r"(?:其中|里面|这里面|当中|包括|包含|内含)[^0-9,，。;；]{0,10}$")
_DISCOUNT: Final = re.compile(
    r"(?:打了?|享受?|全场|现在|有)?(?P<rate>[0-9]{1,2}(?:\.[0-9])?|[一二三四五六七八九]{1,2}|对|半)折"
    r"(?:后|价|优惠|券)*|半价"
)
_REDUCED: Final = re.compile(
    r"(?:[块元]|钱|立|又|再|,|，| |用了?|优惠|代金|抵用|券|红包|积分|会员)*"
    r"(?:减|立减|减免|优惠了?|便宜了?|抵扣|少)了? ?$"
)
_SAID_PAID: Final = re.compile("(?:实付|到手|最后|最终|实际|付了|花了)[^0-9,]{0,3}$")
_UNIT: Final = "[斤个瓶杯份张件只盒袋包条双本支串碗台节片根箱桶罐次晚天人位盘顿套朵颗]"
_BEHIND: Final = re.compile(rf" ?(?:钱)?(?:[一每/])(?P<unit>{_UNIT}|公斤|千克)")
_BEFORE: Final = re.compile(rf"每(?P<unit>{_UNIT}|公斤|千克)(?:是|约|:|才|要|卖)? ?$")
_EACH: Final = re.compile(r"(?:来回|往返|两边|双程)[^0-9,，]{0,4}各(?:自|要|花)? ?$")
_NUMBER: Final = "[0-9]{1,3}(?:\\.[0-9])?|[一二两三四五六七八九十半俩仨]{1,3}"
_REACH: Final = 24


@dataclass(frozen=True, slots=True)
class Paid:
    """The amounts as they were paid, whether none was reckoned, and the stretches that only say how."""

    amounts: tuple[Amount, ...]
    plain: bool = True
    gone: tuple[tuple[int, int], ...] = ()


def paid(line: str, amounts: Sequence[Amount]) -> Paid:
    """What was paid, of the amounts found in a normalised line."""
    kept = list(amounts)
    gone: list[tuple[int, int]] = []
    kept, within = _without_parts(line, kept)
    kept, reduced = _reduced(line, kept, gone)
    kept, cheaper = _discounted(line, kept, gone)
    kept, counted = _multiplied(line, kept, gone)
    return Paid(tuple(kept), not (within or reduced or cheaper or counted), tuple(gone))


def _without_parts(line: str, amounts: list[Amount]) -> tuple[list[Amount], bool]:
    kept: list[Amount] = []
    rest: Decimal | None = None
    for amount in amounts:
        before = line[max(0, amount.start - _REACH) : amount.start]
        if _PART.search(before) and kept and kept[-1].yuan >= amount.yuan:
            rest = kept[-1].yuan - amount.yuan
            continue
        if rest is not None and amount.yuan <= rest and re.search("[,，、和]", before[-8:]):
            rest -= amount.yuan
            continue
        rest = None
        kept.append(amount)
    return kept, len(kept) < len(amounts)


def _reduced(line: str, amounts: list[Amount], gone: list[tuple[int, int]]) -> tuple[list[Amount], bool]:
    """399减50: taken off right behind the price, with nothing behind that says what was paid."""
    for at in range(1, len(amounts)):
        price, off = amounts[at - 1], amounts[at]
        between = line[price.end : off.start]
        if price.role is not Role.PLAIN or not _REDUCED.fullmatch(between) or off.yuan >= price.yuan:
            continue
        if len(amounts) > at + 1:
            behind = amounts[at + 1]
            paid_so = _SAID_PAID.search(line, off.end, behind.start) is not None
            if not paid_so and behind.yuan != price.yuan - off.yuan:
                return amounts, False
            gone.append((price.start, off.end))  # 25减5 实付20
            return [*amounts[: at - 1], *amounts[at + 1 :]], True
        gone.append((price.end, off.end))
        return [*amounts[: at - 1], replace(price, yuan=price.yuan - off.yuan)], True
    return amounts, False


def _discounted(line: str, amounts: list[Amount], gone: list[tuple[int, int]]) -> tuple[list[Amount], bool]:
    said = _DISCOUNT.search(line)
    if said is None or not amounts:
        return amounts, False
    gone.append(said.span())
    rate = _rate(said["rate"])
    before = [at for at, one in enumerate(amounts) if one.end <= said.start()]
    behind = [one for one in amounts if one.start >= said.end()]
    original = (
        before[-1] if before else next((at for at, one in enumerate(amounts) if one.role is Role.ASIDE), None)
    )
    if rate is None or original is None or any(one.role is not Role.ASIDE for one in behind):
        return amounts, False
    price = amounts[original]
    if said.start() - price.end > _REACH or (before and behind):
        return amounts, False
    value = (price.yuan * rate).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return [*amounts[:original], replace(price, yuan=value, role=Role.PLAIN), *amounts[original + 1 :]], True


def _rate(spoken: str | None) -> Decimal | None:
    if spoken in (None, "对", "半"):
        return Decimal("0.5")
    if spoken.isdigit() or "." in spoken:
        number = Decimal(spoken)
    else:
        digits = "".join(str("一二三四五六七八九".index(c) + 1) for c in spoken)
        number = Decimal(digits)
    while number >= 10:
        number /= 10
    return number / 10 if number > 0 else None


def _multiplied(line: str, amounts: list[Amount], gone: list[tuple[int, int]]) -> tuple[list[Amount], bool]:
    if len(amounts) != 1:
        return amounts, False
    price = amounts[0]
    each = _EACH.search(line[: price.start])
    if each is not None:
        return [replace(price, yuan=price.yuan * 2, role=Role.PLAIN)], True
    behind = _BEHIND.match(line, price.end)
    tail = _BEHIND.search(price.text) if behind is None else None
    before = _BEFORE.search(line[: price.start])
    found = behind or before or tail
    if price.role is not Role.PER_UNIT or found is None:
        return amounts, False
    stretch = found.span() if found is not tail else (price.end, price.end)
    quantities = [
        one
        for one in re.finditer(rf"(?<![0-9.第])(?P<count>{_NUMBER}) ?{found['unit']}", line)
        if (one.end() <= price.start or one.start() >= price.end)
        and not (stretch[0] < one.end() and one.start() < stretch[1])
    ]
    if len(quantities) != 1:
        return amounts, False
    count = Decimal("0.5") if quantities[0]["count"] == "半" else parse_decimal(quantities[0]["count"])
    if count is None or not 0 < count <= 999:
        return amounts, False
    gone.append(stretch)
    return [replace(price, yuan=price.yuan * count, role=Role.PLAIN)], True
