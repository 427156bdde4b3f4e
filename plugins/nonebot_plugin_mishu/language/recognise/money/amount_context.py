"""Context of a number: money or not, for one item or for all."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from ..dotted_dates import DOTTED_DATE
from . import money_words as words

CHINESE: Final = "一二两三四五六七八九十百千万亿〇零俩"
_COMPARED_REACH: Final = 16
"""Characters before a sum in which 比 is looked for."""
_CLAUSE_REACH: Final = 60
_ABOUT: Final = ("多", "来", "余", "几")
"""Between a number and its noun: 300多条, 20来人."""


class Role(StrEnum):
    """Role of an amount in its sentence."""

    PLAIN = "plain"
    PER_HEAD = "per_head"
    PER_UNIT = "per_unit"
    TOTAL = "total"
    ASIDE = "aside"


@dataclass
class AmountReading:
    """An amount being read; positions in the normalised text."""

    start: int
    end: int
    value: Decimal
    spoken: bool = False
    currency: str = "CNY"
    approximate: bool = False


def is_named(line: str, at: int) -> bool:
    """True for a number in a name (车牌尾号2231): no money."""
    return words.NAMED.search(line[max(0, at - 12) : at]) is not None


def is_money(line: str, found: AmountReading, run: str, scaled: bool) -> bool:
    """True if a number without a currency word is money."""
    start, end = found.start, found.end
    before, behind = line[max(0, start - 12) : start], line[end : end + 8]
    ends = words.CLAUSE_END.match(line, end) is not None
    if not run[0].isdigit():
        if all(c in "〇零一二两三四五六七八九俩" for c in run) and len(run) > 1:
            return False  # read by place: 五一, 二八
        ends = ends or (behind[:1] == "几" and words.CLAUSE_END.match(line, end + 1) is not None)
        if len(run) == 1 and not scaled and not (ends and words.SPENT_BEFORE.search(before)):
            return False
    digits = run.replace(",", "")
    if digits.isdigit() and ((len(digits) > 1 and digits[0] == "0") or len(digits) > 8):
        return False
    if line[start : start + 1] == "+" and found.value == 1:
        return False
    latin = words.LATIN_WORD.search(before)
    named = words.LATIN_NICK.search(before) is not None  # 还老K42
    other = latin is not None and latin[0].strip() not in words.LATIN_BEFORE and not latin[1]
    if run[0].isdigit() and other and not named:
        return False
    if words.NAMED.search(before) or (len(digits) > 6 and words.LONG_NAMED.search(before)):
        return False
    if before[-1:] in (".", "/", ":", "*", "×", "_") and before[-2:-1].isdigit():
        return False
    if before[-1:] in ("-", "比", "点") and before[-2:-1].isdigit() and not found.spoken:
        return False
    if behind[:1].isascii() and behind[:1].isalpha() and not words.SPLIT_BEHIND.match(line, end):
        return False
    if behind[:1] in (".", ":", "/") and behind[1:2].isdigit():
        return False
    if (
        counts(line, end)
        and not _is_named_next(line, end)
        and not (behind.lstrip()[:1] == "晚" and before[-1:] in ("中", "午"))
    ):  # 早8中25晚40
        return False
    if len(digits) >= 3 and digits.isdigit() and words.CALLED.match(line, end):
        return False  # 收到95528的短信
    if behind[:1] in _ABOUT and counts(line, end + 1):
        return False  # 300多条
    if behind[:1] == "后" and run in words.AGES and words.AGES_BEHIND.match(behind):
        return False
    if (
        len(digits) == 4
        and digits.isdigit()
        and "1900" <= digits <= "2099"
        and words.YEAR_BEHIND.match(behind)
    ):
        return False
    if _marks_list(line, start, end, digits):
        return False
    later = any(c.isdigit() for c in rest_of_clause(line, end))
    return not (words.DAYPART.search(before) and found.value <= 24 and later)


def _marks_list(line: str, start: int, end: int, digits: str) -> bool:
    """The 1 of 「1. 午饭35 2. 打车20」."""
    if not digits.isdigit() or len(digits) > 2 or line[end : end + 1] not in (".", "、", ")"):
        return False
    before = line[max(0, start - 4) : start].rstrip(" (")[-1:]
    if before and (
        line[start - 1] not in " ,;。(" or (before not in ",;。:块元毛角" and not before.isdigit())
    ):
        return False
    if line[end + 1 : end + 2].isdigit():
        return False
    rest = line[end + 1 : end + 40]
    return any(c.isdigit() or c in CHINESE for c in rest)


def is_date(line: str, one: AmountReading, later: list[AmountReading]) -> bool:
    """The 2.15 of 2.15吃饭50: a month and a day before an item whose amount ends the clause."""
    run = line[one.start : one.end]
    month, point, day = run.partition(".")
    if one.spoken or not point or not (month.isdigit() and day.isdigit()) or len(day) > 2:
        return False
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return False
    if DOTTED_DATE.match(line, one.start):
        return True  # 3.18交房租
    if one.start and not words.CLAUSE.match(line, one.start - 1):
        return False
    if one.start == 0 and line[one.end : one.end + 1] == " ":  # 11.11 淘宝 衣服 299
        sentence = words.SENTENCE.search(line, one.end)
        clause_end = min(sentence.start() if sentence else len(line), one.end + _CLAUSE_REACH)
    else:
        clause_end = one.end + len(rest_of_clause(line, one.end))
    inside = [other for other in later if other.start < clause_end]
    return bool(inside) and words.CLAUSE_END.match(line, inside[-1].end) is not None


def role_of(line: str, one: AmountReading) -> Role:
    before = line[max(0, one.start - 10) : one.start]
    if words.PER_HEAD.search(before) or words.PER_HEAD_BEHIND.match(line, one.end):
        return Role.PER_HEAD
    if words.COMPARED.search(line, max(0, one.start - _COMPARED_REACH), one.start):
        return Role.ASIDE
    begins = one.start == 0 or words.CLAUSE.match(line, one.start - 1) is not None
    if begins and words.PORTION.match(line, one.end):
        return Role.PLAIN
    if words.PER_UNIT.search(before) or words.PER_UNIT_BEHIND.match(line, one.end):
        return Role.PER_UNIT
    if words.TOTAL.search(before):
        return Role.TOTAL
    if not words.ASIDE.search(before) or words.GIVEN_BACK_BEHIND.match(line, one.end):
        return Role.PLAIN
    return Role.ASIDE


def _is_named_next(line: str, at: int) -> bool:
    """啤酒45 串120: a name after a blank and directly before another number belongs to that one."""
    counted = words.COUNTED.match(line, at) if line[at : at + 1] == " " else None
    return counted is not None and line[counted.end() : counted.end() + 1].isdigit()


def counts(line: str, at: int) -> bool:
    """True for a counter (个, 瓶, 号), not a word that starts with one (包子)."""
    counted = words.COUNTED.match(line, at)
    return counted is not None and not words.COUNTED_NOT.match(line, counted.start("word"))


def rest_of_clause(line: str, at: int) -> str:
    """Rest of the clause from here, within `_CLAUSE_REACH`."""
    limit = min(len(line), at + _CLAUSE_REACH)
    end = words.CLAUSE.search(line, at, limit)
    return line[at : end.start() if end else limit]
