"""Numerals as Chinese chat writes them: Arabic, full-width, Chinese, financial and mixed.

A numeral here is a bare number: no currency, no counter, no ordinal prefix. `parse_integer` and
`parse_decimal` read a whole string or answer `None`; they never raise and look at no more than
`MAX_LENGTH` characters. Values are exact (`int`, `Decimal`), never floats.

Decided here, because nobody else says:

* a single digit behind a unit counts in the next smaller one: 一百五 = 150, 三千二 = 3200, 1万2 = 12000;
  after 零 it counts as itself: 一百零五 = 105; several Arabic digits count as themselves: 1万500 = 10500;
* digits in a row are read by place (二〇二六 = 2026), but two neighbours are an estimate (三四, 两三, 三五)
  and no numeral;
* 两, 俩 and 仨 stand alone or before 百千万亿; they never end a numeral (一百两 is a weight);
* 百, 千, 万 without a digit are no numerals (百元 is a note, 万 a surname); 十 is.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final

MAX_LENGTH: Final = 40
"""A longer string is no numeral."""

_DIGITS: Final[dict[str, int]] = {
    **dict(zip("〇零○一二三四五六七八九", (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), strict=True)),
    **dict(zip("壹贰叁肆伍陆柒捌玖貳參叄陸", (1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 3, 6), strict=True)),
    "弍": 2,
    "两": 2,
    "兩": 2,
    "俩": 2,
    "倆": 2,
    "仨": 3,
    "幺": 1,
}
_NEVER_LAST: Final = frozenset("两兩俩倆仨")
_ZEROS: Final = frozenset("〇零○")
_SMALL_UNITS: Final[dict[str, int]] = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_LARGE_UNITS: Final[dict[str, int]] = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_LATIN_UNITS: Final[dict[str, int]] = {"k": 1000, "w": 10**4}
_TENS: Final[dict[str, str]] = {"廿": "二十", "卅": "三十", "卌": "四十"}
_SIGNS: Final[dict[str, int]] = {"-": -1, "−": -1, "负": -1, "負": -1, "+": 1, "正": 1}
_ESTIMATES: Final = frozenset({"三五", "一两", "一兩", "两三", "兩三", "两四", "三两", "三兩"})
_HALF: Final = frozenset({"半"})
_FOLD: Final = str.maketrans(
    "０１２３４５６７８９，．－＋ｋｗＫＷ", "0123456789,.-+kwkw"
)  # full-width to ASCII

_CHARACTERS: Final = (
    "".join(key for key in _DIGITS if key != "幺")
    + "".join(_SMALL_UNITS)
    + "".join(_LARGE_UNITS)
    + "".join(_TENS)
)
_ARABIC: Final = "0-9０-９"
_THOUSANDS: Final = rf"[{_ARABIC}]{{1,3}}(?:,[{_ARABIC}]{{3}}){{1,5}}(?![{_ARABIC}])"

INTEGER: Final = rf"(?:{_THOUSANDS}|[{_ARABIC}{_CHARACTERS}]{{1,24}})"
"""Regular-expression source for a whole numeral, to embed; holds no group. It matches a little more than
`parse_integer` accepts, so give what it matched to `parse_integer`. Every repetition is bounded."""

NUMERAL: Final = (
    rf"(?:[{_ARABIC}]{{1,16}}[.．][{_ARABIC}]{{1,8}}[{''.join(_SMALL_UNITS)}{''.join(_LARGE_UNITS)}]{{0,2}}"
    rf"|{INTEGER})"
)
"""As `INTEGER`, with a decimal point allowed (35.5, 1.2万). Without 三点五: 点 may be a clock time, which
only the caller can tell."""

ENDS_IN_ONE: Final = "[万统唯专划](?=一)"
"""Before a 一 that ends a word (万一周二, 统一周三); for a lookbehind."""


def parse_integer(text: str) -> int | None:
    """The whole number that `text` is, or `None`: 十五, 廿三, 一百五, 1,299, 1.2万, -5, 两, 〇.

    Surrounding blanks are ignored. A numeral with a fraction (35.5, 半) is `None`.
    """
    value = parse_decimal(text)
    if value is None or value != value.to_integral_value():
        return None
    return int(value)


def parse_decimal(text: str) -> Decimal | None:
    """The number that `text` is, exactly, or `None`: as `parse_integer`, and 35.5, .5, 三点五, 半, 1.25万."""
    if len(text) > MAX_LENGTH + 8:
        return None
    numeral = text.strip().translate(_FOLD)
    sign = _SIGNS.get(numeral[:1])
    if sign is not None:
        numeral = numeral[1:]
    if not numeral or len(numeral) > MAX_LENGTH:
        return None
    value = _unsigned(numeral.lower())
    if value is None:
        return None
    return value if sign is None else sign * value


def _unsigned(numeral: str) -> Decimal | None:
    if numeral in _HALF:
        return Decimal("0.5")
    for tens, spelled in _TENS.items():
        numeral = numeral.replace(tens, spelled)
    if "," in numeral:
        numeral = _without_separators(numeral)
    for point in "点點":
        whole, found, fraction = numeral.partition(point)
        if found:
            return _with_fraction(whole, fraction)
    if len(numeral) > 1 and all(character in _DIGITS for character in numeral):
        return _by_place(numeral)
    return _by_units(numeral)


def _without_separators(numeral: str) -> str:
    """`numeral` without its thousands separators; unreadable (so refused later) where they stand wrongly."""
    digits = numeral
    while digits and not _is_arabic(digits[-1]):
        digits = digits[:-1]
    groups = digits.partition(".")[0].split(",")
    right = all(_is_arabic(group) and len(group) == 3 for group in groups[1:])
    if right and _is_arabic(groups[0]) and len(groups[0]) <= 3:
        return numeral.replace(",", "")
    return "?"


def _is_arabic(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _with_fraction(whole: str, fraction: str) -> Decimal | None:
    """三点一四, 十二点五, 一点二万: a whole part, digits by place, at most one unit."""
    unit = 1
    if fraction and fraction[-1] in _LARGE_UNITS:
        unit = _LARGE_UNITS[fraction[-1]]
        fraction = fraction[:-1]
    digits = [str(_DIGITS[c]) if c in _DIGITS else c for c in fraction if c not in _NEVER_LAST]
    if not digits or len(digits) != len(fraction) or not _is_arabic("".join(digits)):
        return None
    units = None if not whole or "." in whole else _by_units(whole)
    if units is None:
        return None
    return (units + Decimal("0." + "".join(digits))) * unit


def _by_place(numeral: str) -> Decimal | None:
    if numeral in _ESTIMATES or any(character in _NEVER_LAST for character in numeral):
        return None
    digits = [_DIGITS[character] for character in numeral]
    if len(digits) == 2 and digits[0] > 0 and digits[1] - digits[0] == 1:
        return None  # 三四, 七八: an estimate
    return Decimal("".join(map(str, digits)))


def _by_units(numeral: str) -> Decimal | None:
    """Digits and units: 一千零五十, 1万2, 2k5, 十五, 1.2万, 35.5, 35."""
    total = section = Decimal(0)  # finished 万 and 亿; what is before the next of them
    pending: Decimal | None = None  # a number that waits for its unit
    pending_text = ""
    smallest = 10**9  # the last unit within the section
    largest = 10**17  # the last 万 or 亿
    last_unit = 0
    after_zero = False
    position = 0
    while position < len(numeral):
        character = numeral[position]
        if character.isascii() and (character.isdigit() or character == "."):
            end = position
            while end < len(numeral) and numeral[end].isascii() and numeral[end] in "0123456789.":
                end += 1
            number = _arabic(numeral[position:end])
            if number is None or pending is not None:
                return None
            pending, pending_text = number, numeral[position:end]
            position = end
            continue
        position += 1
        if character in _ZEROS:
            if pending is not None or after_zero or (last_unit == 0 and len(numeral) > 1):
                return None
            after_zero = True
        elif character in _DIGITS:
            if pending is not None or character == "幺":
                return None
            pending, pending_text = Decimal(_DIGITS[character]), character
        elif character in _SMALL_UNITS:
            unit = _SMALL_UNITS[character]
            if pending is None and unit == 10:
                pending = Decimal(1)
            if pending is None or unit >= smallest:
                return None
            section += pending * unit
            pending, smallest, last_unit, after_zero = None, unit, unit, False
        elif character in _LARGE_UNITS or (character in _LATIN_UNITS and _is_arabic(pending_text[:1])):
            unit = _LARGE_UNITS.get(character) or _LATIN_UNITS[character]
            group = section + (pending or 0)
            if group == 0 and (total == 0 or unit < largest):
                return None
            if unit < largest:
                total += group * unit
            elif unit == 10**8 and largest == 10**4:
                total = (total + group) * unit  # 一万亿
            else:
                return None
            section, pending, smallest = Decimal(0), None, min(10**9, unit)
            largest, last_unit, after_zero = unit, unit, False
        else:
            return None
    if pending is None:
        if after_zero and last_unit:
            return None  # 一百零
        return total + section
    if pending_text in _NEVER_LAST and len(numeral) > 1:
        return None
    if last_unit and "." in numeral:
        return None  # 1.5万2
    if last_unit and not after_zero and len(pending_text) == 1:
        return total + section + pending * last_unit / 10
    if last_unit and pending >= last_unit:
        return None
    return total + section + pending


def _arabic(text: str) -> Decimal | None:
    whole, point, fraction = text.partition(".")
    if point and not _is_arabic(fraction):
        return None
    if whole and not _is_arabic(whole):
        return None
    return Decimal(text)
