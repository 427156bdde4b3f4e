"""Commands in plain words: be quiet, speak again, forget me, give me my data. Pure.

The words are data, `spoken_commands.toml`. A line is one of these only where nothing of it is left over: a
sentence about somebody else (让他闭嘴) or about the words themselves never counts (pitfall 29).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from ...patterns import Pattern
from ..answers.answer import Question, answer
from ..forms.phrases import LONGEST, Phrasebook
from ..recognise.numerals import parse_decimal
from ..recognise.times import parse
from ..text.fold import normalise

LONGEST_SILENCE: Final = 7 * 86400.0
_DATA: Final = tomllib.loads(Path(__file__).with_name("spoken_commands.toml").read_text("utf-8"))
_NUMBER = r"(?:\d+(?:\.\d+)?|[零〇一二两俩三四五六七八九十百]+|半)"
_UNITS = (
    *(("分钟", 60), ("分", 60), ("mins?", 60), ("秒钟?", 1), ("刻钟", 900)),
    *(("小时", 3600), ("钟头", 3600), ("钟", 3600), ("天", 86400)),
)
_FOR = Pattern(
    rf"(?P<number>{_NUMBER})个?(?P<half>半)?(?P<unit>{'|'.join(unit for unit, _ in _UNITS)})"
    r"(?P<more>半)?(?:之内|以内|内|里)?"
)
_UNTIL = Pattern(r"(?:直?到|等到)(?P<when>.{1,12}?)(?:为止|之前|以前|前)?(?:[吧啊呀再]|$)")


@dataclass(frozen=True, slots=True)
class Quiet:
    """A wish for silence; `seconds` None where no time was said."""

    seconds: float | None = None


class _Silence:
    def __init__(self, words: dict[str, list[str]]) -> None:
        self._book = Phrasebook(words)

    def wishes(self, text: str, names: Collection[str]) -> bool:
        labels = self._book.read(text, names)
        if labels is None or not {"quiet", "noisy"} & set(labels):
            return False
        return "particle" not in labels or "asking" in labels


_SILENCE = _Silence(_DATA["silence"])
_SPEAK = Phrasebook({"says": _DATA["speak"]["says"], "": _DATA["silence"]["around"]})
_FORGET = Phrasebook({"says": _DATA["forget"]["says"]})
_CONFIRM = Phrasebook({"says": _DATA["forget"]["confirm"]})
_REFUSE = Phrasebook({"says": _DATA["forget"]["refuse"]})
_EXPORT = Phrasebook({"says": _DATA["export"]["says"]})


def quiet(text: str, names: Collection[str], now: datetime, zone: ZoneInfo) -> Quiet | None:
    """Silence asked for in a line said to us; None for any other line."""
    if len(text) > LONGEST:
        return None
    line, seconds = _without_time(normalise(text).replace(" ", ""), now, zone)
    return Quiet(seconds) if _SILENCE.wishes(line, names) else None


def speak_again(text: str, names: Collection[str]) -> bool:
    """True if a line said to us ends a silence."""
    return "says" in (_SPEAK.read(text, names) or ())


def forget_me(text: str, names: Collection[str]) -> bool:
    """True if a line said to us asks to forget its speaker."""
    return "says" in (_FORGET.read(text, names) or ())


def confirms_forgetting(text: str, names: Collection[str]) -> bool:
    """True if a line is 确认忘记."""
    return "says" in (_CONFIRM.read(text, names) or ())


def leaves_it(text: str, names: Collection[str]) -> bool:
    """True if a line cancels a forgetting that waits for confirmation."""
    if "says" in (_REFUSE.read(text, names) or ()):
        return True
    line = normalise(text)
    for name in names:
        line = line.replace(normalise(name), "")
    return answer(line.strip("@ "), Question("delete")).refuses


def export_mine(text: str, names: Collection[str]) -> bool:
    """True if a line said to us asks for the speaker's own data."""
    return "says" in (_EXPORT.read(text, names) or ())


def _without_time(line: str, now: datetime, zone: ZoneInfo) -> tuple[str, float | None]:
    """The line without a time said for the silence, and how many seconds that is."""
    if (found := _FOR.search(line)) is not None:
        seconds = _seconds(found)
        if seconds is not None:
            return line[: found.start()] + line[found.end() :], min(seconds, LONGEST_SILENCE)
    if (found := _UNTIL.search(line)) is not None:
        seconds = _until(found["when"], now, zone)
        if seconds is not None:
            return line[: found.start()] + line[found.end() :], min(seconds, LONGEST_SILENCE)
    return line, None


def _seconds(found: re.Match[str]) -> float | None:
    number = parse_decimal(found["number"])
    unit = next((size for unit, size in _UNITS if re.fullmatch(unit, found["unit"])), None)
    if number is None or unit is None:
        return None
    halves = sum(found[part] is not None for part in ("half", "more"))
    return float((number + halves * Decimal("0.5")) * unit) or None


def _until(words: str, now: datetime, zone: ZoneInfo) -> float | None:
    for read in parse(words, now, zone):
        if read.text == words and read.start is not None and (moment := read.begins_at(zone)) is not None:
            return (moment - now).total_seconds() if moment > now else None
    return None
