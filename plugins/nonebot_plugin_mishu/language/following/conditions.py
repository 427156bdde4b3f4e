"""Conditions of a reminder that nobody here can watch: weather, a place, somebody's coming. Pure.

下雨的话提醒我带伞, 到公司了提醒我打卡, 快递到了叫我. Not 下雨的话就不去了 (no reminder), nor
明天八点提醒我，下雨的话带伞 (the clock is what one is reminded at).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal, cast

from ..clause import Clause
from ..forms.forms import Grammar
from ..lexicon import Lexicon
from ..mood import ends_in_question
from ..text.tokens import Token, tokens
from .tables import grammar_of, lexicon_of, things_in

LONGEST: Final = 60
"""Characters of a line that may be such an order."""
Watched = Literal["weather", "place", "event", "timed"]
_CALLS: Final = (
    *("提醒", "叫", "喊", "通知", "告诉", "说一声", "吱", "催", "滴滴", "艾特", "弹我", "知会"),
    *("跟我说", "和我说"),
)
"""Every such order has one of them."""
_BORDERS: Final = (
    "if",
    "then",
    "call",
    "came",
    "weather",
    "degrees",
    "moves",
    "clocklike",
    "time",
    "pause",
    "going",
)
_HARD: Final = ("call", "say", "time", "stop", "clocklike")


@dataclass(frozen=True, slots=True)
class Unwatchable:
    """A reminder under a condition."""

    kind: Watched
    event: str
    """The condition itself: 下雨, 到公司, 快递到了."""
    order: Clause
    """The order without it."""
    titled: bool
    """It says what to be reminded of."""


def unwatchable(clause: Clause) -> Unwatchable | None:
    """The condition of an order to remind; None for any other line, and where a clock is said."""
    found = _read(clause) if _may_be(clause) else None
    return None if found is None or found.kind == "timed" else found


def has_conditional_title(clause: Clause) -> bool:
    """True for an order to remind at a clock of something under a condition (明天八点提醒我，下雨的话带伞):
    the condition is part of what is reminded of."""
    found = _read(clause) if _may_be(clause) else None
    return found is not None and found.kind == "timed"


def _may_be(clause: Clause) -> bool:
    line = clause.text.lower()
    if not 4 <= len(line) <= LONGEST or len(line) != len(clause.text) or clause.lines:
        return False
    return any(each in line for each in _CALLS)


@lru_cache(maxsize=256)
def _read(clause: Clause) -> Unwatchable | None:
    line = clause.text.lower()
    clocked = any(each.start is not None or each.moment is not None for each in clause.times)
    people = (*clause.situation.mentions, *clause.situation.members)
    read = tokens(line, _lexicon(), things_in(clause, line, people))
    if _supposes(tokens(line, _lexicon(), ())) or _puts_off(read):
        return None
    if ends_in_question(line) and not any("polite" in each.classes for each in read):
        return None  # 今天下班提醒我关投影了没
    for fit in _grammar().fits(line, read):
        if (fit.form.reads == "timed") is not clocked:
            continue
        if clocked:
            return Unwatchable("timed", "", clause, True)
        core, cond = fit.slots["core"], fit.slots["cond"]
        event = "".join(line[each.start : each.end] for each in core if "if" not in each.classes)
        if any(len(each.name) > 1 and each.name.lower() in event for each in clause.situation.things):
            continue  # 例会开始了叫我: that has a time
        kind = cast("Watched", fit.form.reads)
        return Unwatchable(kind, event, _without(clause, cond), bool(fit.slots.get("title")))
    return None


def _supposes(read: Sequence[Token]) -> bool:
    """True if the whole line is a condition (要是今天下班提醒我关投影的话), by its words alone.

    A time may have taken half of the first word (是进货提前半小时).
    """
    return bool(read) and "if" in read[0].classes and not {"stated", "drops"}.isdisjoint(read[-1].classes)


def _puts_off(read: Sequence[Token]) -> bool:
    """True if the order puts off what was spoken of (等尾款到了再提醒我订蛋糕)."""
    waits = bool(read) and "waits" in read[0].classes
    return waits and any("again" in each.classes for each in read)


def _without(clause: Clause, cond: Sequence[Token]) -> Clause:
    """The clause without a condition; the day in it stays (明天下雨的话提醒我)."""
    for token in cond:
        if "time" not in token.classes:
            clause = clause.without(token.start, token.end)
    return clause


@cache
def _lexicon() -> Lexicon:
    return lexicon_of("condition")


@cache
def _grammar() -> Grammar:
    return grammar_of("condition", _lexicon(), borders=_BORDERS, hard_borders=_HARD)
