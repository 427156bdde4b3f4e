"""The hard facts in a sentence: numbers, times, links, quoted and Latin words. Each stands in a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Final

from ...patterns import Pattern
from ..recognise.numerals import parse_decimal
from ..recognise.times import SEGMENT_BOUNDS, TimeExpression, names_day, parse
from ..text.fold import normalise
from .line import RecordLine
from .marks import LINK, links

_QUOTED: Final = Pattern(r"「([^「」]+)」|『([^『』]+)』|“([^“”]+)”|\"([^\"]+)\"|《([^《》]+)》|'([^']{2,})'")
_DIGITS: Final = Pattern(r"[0-9]+(?:[.,][0-9]+)*")
_CHINESE: Final = Pattern(r"[零〇一二两三四五六七八九十百千万亿]+")
_COUNTED: Final = Pattern(
    r"[个人位块元毛角分点号日月年周天小时刻钟份本台件条张间层楼栋次遍轮场杯瓶箱斤米公里千百万亿成折倍版届班组页题期包袋章节瓶罐支把双套桶趟顿只辆棵封盒箱颗%]"
)
_NO_NUMBER: Final = Pattern(
    r"一(?:起|下|些|直|样|般|致|定|共|切|边|旦|向|同|律|概|遍|并|点(?!钟|[半整一二三四五])|个|位|次|句|条|番|时|方面|开始)"
    r"|统一|唯一|万一|第一时间|十分|千万|周[一二三四五六日]|星期[一二三四五六日]|礼拜[一二三四五六日]"
)
_ORDINAL: Final = Pattern(r"第([一二三四五六七八九十]+)(?!时间)")
_LATIN: Final = Pattern(r"[a-z][a-z0-9_+#.-]*[a-z0-9+#]|[a-z]", re.IGNORECASE)
_LOOSE: Final = Pattern(r"[\s,.!?;:、，。！？；：~…'\"“”「」『』（）()\[\]-]+")


def stands(words: str, cited: Sequence[RecordLine]) -> bool:
    """True if the words are verbatim in a line, without punctuation and spaces."""
    bare = _LOOSE.sub("", normalise(words)).casefold()
    return bool(bare) and any(bare in _LOOSE.sub("", line.text).casefold() for line in cited)


def values(text: str) -> tuple[str, ...]:
    """The words of its times and numbers, as they stand in it; to be left out where words are compared."""
    day = datetime(2026, 1, 1, tzinfo=UTC)
    found = [each.text for each in parse(text, day, day.tzinfo)]  # pyright: ignore[reportArgumentType]
    return (*found, *(words for words, _ in numbers(text)))


def quotations(text: str) -> tuple[str, ...]:
    """Text between quotation marks in a sentence."""
    return tuple(next(part for part in found if part) for found in _QUOTED.findall(text))


def invented_link(text: str, cited: Sequence[RecordLine]) -> str | None:
    """A link of the sentence that no line holds."""
    known = {link.casefold() for line in cited for link in links(line)}
    known |= {name.casefold() for line in cited for name in line.files}
    for found in LINK.findall(text):
        if found.rstrip(".,;:!?)").casefold() not in known:
            return found
    return None


def invented_latin(text: str, cited: Sequence[RecordLine], names: str) -> str | None:
    """Latin word of the sentence in no line and no speaker's name."""
    known = {word.casefold() for line in cited for word in _LATIN.findall(line.text)}
    known |= {word.casefold() for word in _LATIN.findall(names)}
    known |= {word.casefold() for line in cited for name in line.files for word in _LATIN.findall(name)}
    return next((word for word in _LATIN.findall(text) if word.casefold() not in known), None)


def invented_time(text: str, cited: Sequence[RecordLine]) -> tuple[str | None, str]:
    """A time of the sentence that no line names and at which none was said; and the sentence without those
    that stand, for the search for numbers. When it was said counts only where the lines name no time: else
    今天 would do for their 明天."""
    left = text
    zone = cited[0].at.tzinfo
    named = [each for line in cited for each in _read(line.text, line.at)]
    for found in parse(text, cited[0].at, zone):  # pyright: ignore[reportArgumentType]
        if _YEAR.fullmatch(found.text):
            continue
        if _is_there(found, cited, named) or _pieced(found, cited) or _said_apart(found.text, cited):
            left = left.replace(found.text, " ", 1)
        elif found.invalid is None and not _stands_whole(found.text, cited):
            return found.text, left
    return None, left


_YEAR: Final = Pattern(r"(?:19|20)\d\d年?")
"""Looked at as a number."""


def _pieced(found: TimeExpression, cited: Sequence[RecordLine]) -> bool:
    """True if one line has the day and the clock times of a time apart (本周六下午, 两点到四点停用)."""
    if found.start is None or found.recurrence is not None:
        return False
    for line in cited:
        there = _read(line.text, line.at)
        for one in _read(found.text, line.at):
            days = not names_day(one.text) or any(
                names_day(each.text) and each.date == one.date for each in there
            )
            ends = {_half(each.end) for each in there if each.end} | {
                _half(each.start) for each in there if each.start
            }
            clocks = [_half(clock) for clock in (one.start, one.end) if clock is not None]
            if days and clocks and all(clock in ends for clock in clocks):
                return True
    return False


def _said_apart(words: str, cited: Sequence[RecordLine]) -> bool:
    """True if one line has the words in two pieces (昨晚又挂了，凌晨两点报的警)."""
    return any(
        words[:at] in line.text and words[at:] in line.text
        for line in cited
        for at in range(2, len(words) - 1)
    )


def _half(clock: time) -> tuple[int, int]:
    """A clock as it is spoken, without its half of the day."""
    return clock.hour % 12, clock.minute


def _is_there(found: TimeExpression, cited: Sequence[RecordLine], named: Sequence[TimeExpression]) -> bool:
    """True if the lines name this time in any form, or name none and were written then."""
    if any(found.text.replace(" ", "") == each.text.replace(" ", "") for each in named):
        return True
    for line in cited:
        for reading in _read(found.text, line.at):
            if any(_same(reading, each) for each in named) or (not named and _said_then(reading, line.at)):
                return True
    return False


def invented_number(text: str, cited: Sequence[RecordLine]) -> str | None:
    """A number of the sentence that stands in no line, in whatever numerals, or counts something else there
    (三楼 where a line says 三台)."""
    known = {
        (value, counted)
        for line in cited
        for words in (line.text, *line.files)
        for _, value, counted in _counts(words, every=True)
    }
    for words, value, counted in _counts(text):
        if not any(value == other and (counted == what or not (counted and what)) for other, what in known):
            return words
    return None


def _counts(text: str, *, every: bool = False) -> list[tuple[str, Decimal, str]]:
    """The numbers of a text with what they count; 块 and 元 are one."""
    found: list[tuple[str, Decimal, str]] = []
    at = 0
    for words, value in numbers(text, every=every):
        place = text.find(words, at)
        place = place if place >= 0 else text.find(words)
        at = place + len(words) if place >= 0 else at
        ordinal = place > 0 and text[place - 1] == "第"
        counted = _COUNTED.match(text, at) if place >= 0 and not ordinal else None
        found.append((words, value, counted.group().replace("块", "元") if counted else ""))
    return found


def numbers(text: str, *, every: bool = False) -> list[tuple[str, Decimal]]:
    """The numbers of a text. Chinese numerals count where they are long or something is counted with them;
    `every`: always, for what a number may be compared with."""
    found: list[tuple[str, Decimal]] = []
    for match in _DIGITS.finditer(text):
        after = text[match.end() : match.end() + 1]
        value = parse_decimal(match.group().replace(",", ""))
        if value is not None:
            found.append((match.group(), value))
            if after in ("万", "千", "百", "亿"):
                scaled = parse_decimal(match.group().replace(",", "") + after)
                found[-1] = (match.group() + after, scaled if scaled is not None else value)
    for match in _ORDINAL.finditer(text):
        value = parse_decimal(match[1])
        if value is not None and not every:
            found.append((match[1], value))
    bare = text if every else _NO_NUMBER.sub(" ", _ORDINAL.sub(" ", text))
    for match in _CHINESE.finditer(bare):
        counted = _COUNTED.match(bare, match.end()) is not None
        if every or counted or len(match.group()) > 1:
            value = parse_decimal(match.group())
            if value is not None:
                found.append((match.group(), value))
    return found


def _read(text: str, at: datetime) -> list[TimeExpression]:
    return parse(text[:500], at, at.tzinfo)  # pyright: ignore[reportArgumentType]


def _same(one: TimeExpression, other: TimeExpression) -> bool:
    """True if two readings are one time; a day alone is compared as a day, a clock time alone as such."""
    if one.recurrence != other.recurrence:
        return False
    if names_day(one.text) and (one.date != other.date or one.end_date not in (None, other.end_date)):
        return False
    clock = (one.start, one.end, one.segment if one.start is None and one.segment != "all_day" else None)
    if clock == (None, None, None):
        return names_day(one.text)
    if one.start is not None:
        return one.start == other.start and one.end in (None, other.end)
    return one.segment == other.segment or (
        one.segment is not None
        and other.start is not None
        and SEGMENT_BOUNDS[one.segment][0] <= other.start <= SEGMENT_BOUNDS[one.segment][1]
    )


def _said_then(one: TimeExpression, at: datetime) -> bool:
    """True if the reading is the moment of the line: its clock time, part of the day, or day."""
    if names_day(one.text) and one.date != at.date():
        return False
    if one.start is not None:
        return (one.start.hour, one.start.minute) == (at.hour, at.minute) and one.end is None
    if one.segment is None or one.segment == "all_day":
        return names_day(one.text)
    first, last = SEGMENT_BOUNDS[one.segment]
    return first <= at.time().replace(second=0, microsecond=0) <= last


def _stands_whole(words: str, cited: Sequence[RecordLine]) -> bool:
    """True if the words are in a line and not inside a longer number (3点 in 13点)."""
    pattern = Pattern(rf"(?<![0-9一二三四五六七八九十]){re.escape(words)}(?![0-9])")
    return any(pattern.search(line.text) for line in cited)
