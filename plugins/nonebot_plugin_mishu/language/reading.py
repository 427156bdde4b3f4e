"""Reading a clause: its words, and the forms that cover all of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from ..patterns import Pattern
from .forms.forms import Fit
from .grammar import grammar
from .lexicon import lexicon
from .recognise.money import Amount
from .recognise.numerals import ENDS_IN_ONE, NUMERAL
from .recognise.times import TimeExpression, names_day
from .text.tokens import UNREAD, Thing, Token, tokens

LONGEST: Final = 200
"""Most characters of a clause compared with forms."""
_LENGTH: Final = Pattern(
    rf"(?<!{ENDS_IN_ONE})(?<![同每某])(?!万一)(?:{NUMERAL}|\d+(?:\.5)?|半|一|俩|仨)个?半?"
    r"(?:分钟|小时半?|钟头半?|钟(?!头)|刻钟|天半?(?!两头)|周(?![年知转边围岁刊到])|个?星期|个?礼拜|秒钟?|个?月)"
    r"(?![后前内里份号])"
)
_ORDINAL: Final = Pattern(
    r"第 ?(?:\d{1,3}|[一二三四五六七八九十两]{1,3})(?:[个条项件笔场次]|(?![天周年月季届期章节]))"
    r"|最后一?[个条项件笔场次]"
    r"|(?<=任务)[一二三四五六七八九十](?![个条项月])|倒数第[一二三两]个?|[前头](?:\d|[一二两三四五])[个条项件笔场次]"
)
_QUOTED: Final = Pattern(r"「[^「」]+」|『[^『』]+』|“[^“”]+”|\"[^\"]+\"|《[^《》]+》")
_SILENT: Final = frozenset({"pause", "blank", "mark", "filler", "courtesy", "particle", "help", "call"})
"""Word classes without content of their own."""
_MAKES: Final = frozenset({"make"})
_CHANGED: Final = frozenset({"change", "action"})
_DONE: Final = frozenset({"action"})
_LOOKED_AT: Final = 2000
"""Most characters searched for lengths, ordinals and quotations."""
_PATTERNS: Final = (("length", _LENGTH), ("ordinal", _ORDINAL), ("quoted", _QUOTED))


@dataclass(frozen=True, slots=True)
class Reading:
    """Words of a clause, and the forms that cover all of it, best first; none if unknown."""

    line: str
    tokens: tuple[Token, ...]
    fits: tuple[Fit, ...]

    def unread(self, free: AbstractSet[Token] = frozenset()) -> tuple[str, ...]:
        """Stretches not explained by any word; `free` are in a slot that takes any word."""
        return self._stretches(token for token in self.tokens if token.unread and token not in free)

    def unused(self, used: AbstractSet[Token]) -> tuple[str, ...]:
        """Stretches of words not in `used`, without pauses and fillers."""
        return self._stretches(
            token for token in self.tokens if token not in used and token.classes.isdisjoint(_SILENT)
        )

    def _stretches(self, tokens: Iterable[Token]) -> tuple[str, ...]:
        found: list[str] = []
        end = -1
        for token in tokens:
            text = self.line[token.start : token.end]
            if token.start == end:
                found[-1] += text
            else:
                found.append(text)
            end = token.end
        return tuple(found)


@lru_cache(maxsize=1024)
def words_of(
    line: str, times: tuple[TimeExpression, ...] = (), amounts: tuple[Amount, ...] = ()
) -> tuple[Token, ...]:
    """Words of a clause, without forms; otherwise as `read`."""
    lower = _lower(line)
    return _whole(tokens(lower, lexicon(), _things(lower, times, amounts)))


def _whole(found: tuple[Token, ...]) -> tuple[Token, ...]:
    """Joins a one-character create word to the unknown word before it (固定); a change word before an unknown
    one becomes an action (换季)."""
    listed = list(found)
    for at, token in enumerate(found):
        if token.end - token.start > 1:
            continue
        behind = at > 0 and found[at - 1].classes == UNREAD
        before = at + 1 < len(found) and found[at + 1].classes == UNREAD
        if token.classes == _MAKES and behind:
            listed[at] = replace(token, classes=UNREAD)
        elif before and token.classes == _CHANGED:
            listed[at] = replace(token, classes=_DONE)
    return tuple(listed)


@lru_cache(maxsize=512)
def read(line: str, times: tuple[TimeExpression, ...] = (), amounts: tuple[Amount, ...] = ()) -> Reading:
    """Read a folded clause (`language.text.fold`); times and amounts are those found in it.

    Never raises. A clause longer than `LONGEST` is read as words only.
    """
    found = words_of(line, times, amounts)
    return Reading(line, found, grammar().fits(_lower(line), found) if len(line) <= LONGEST else ())


def _lower(line: str) -> str:
    """Line in lower case, character by character: letters that would become two stay."""
    lower = line.lower()
    if len(lower) == len(line):
        return lower
    return "".join(small if len(small := each.lower()) == 1 else each for each in line)


def _things(line: str, times: Sequence[TimeExpression], amounts: Sequence[Amount]) -> list[Thing]:
    """Recognised times and amounts of a line, with lengths, ordinals and quotations."""
    found = [
        Thing(start, _before_again(line, start, end), _classes(time), time)
        for time in times
        for start, end in time.spans
    ]
    found += [Thing(amount.start, amount.end, frozenset({"amount"}), amount) for amount in amounts]
    days = [span for time in times for span in time.spans]
    for name, pattern in _PATTERNS:
        for match in pattern.finditer(line, 0, _LOOKED_AT):
            whole = _behind_days(match, days) if name == "length" else match
            if whole is not None:
                found.append(Thing(*whole.span(), frozenset({name}), whole.group()))
    return found


def _behind_days(match: re.Match[str], days: Sequence[tuple[int, int]]) -> re.Match[str] | None:
    """Length without the characters of a day before it (周三|半天课); None if nothing remains
    (周一小时工)."""
    start, end = match.span()
    cut = next((last for first, last in days if first < start < last < end), None)
    return match if cut is None else match.re.match(match.string, cut, _LOOKED_AT)


def _before_again(line: str, start: int, end: int) -> int:
    """End of a time without a trailing 再 (过10分钟再)."""
    return end - 1 if end - start > 1 and line[end - 1 : end] == "再" else end


def _classes(time: TimeExpression) -> frozenset[str]:
    kinds = {
        "recurring": time.recurrence is not None,
        "offset": time.moment is not None,
        "clock": time.start is not None or time.segment not in (None, "all_day"),
        "day": names_day(time.text),
    }
    return frozenset({"time", *(kind for kind, is_so in kinds.items() if is_so)})


_NAMES_THINGS: Final = frozenset({"unread", "occasion", "hui", "personal", "latin"})


def things_named(line: str) -> tuple[str, ...]:
    """Names in a line, in order: runs of two characters and more of nouns and unknown words."""
    found: list[str] = []
    run = ""
    for token in words_of(line):
        if token.classes.isdisjoint(_NAMES_THINGS) or "number" in token.classes:
            found.append(run)
            run = ""
        else:
            run += line[token.start : token.end]
    return tuple(each for each in (*found, run) if len(each) > 1)
