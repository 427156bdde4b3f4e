"""Hints of the words in a clause that no form covers. Pure.

A hint is never sure: it is worth a question, or a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ...language import Fit, Form, Token
from .acts import THINGS
from .classes import hinted

_Hints = tuple[tuple[str, tuple[frozenset[str], ...]], ...]
_ORDERED: Final = frozenset({"remind", "rouse"})
_HINTS: Final[_Hints] = (
    ("make", (_ORDERED, frozenset({"time"}))),
    ("delete", (frozenset({"take_away", "refuse"}),)),
    ("change", (frozenset({"change", "later", "earlier", "defer"}),)),
    ("finish", (frozenset({"finish"}), frozenset({"done"}))),
    ("query", (frozenset({"what", "whether", "look"}), THINGS)),
    ("join", (frozenset({"join", "cannot"}), THINGS)),
    ("make", (frozenset({"remind", "rouse", "mind", "make", "announce"}),)),
    ("make", (frozenset({"time"}), frozenset({"action", "occasion", "personal"}))),
)
"""Word classes that together hint at an act, the plainest first."""
_HINTS_OF_KEPT: Final[_Hints] = (
    ("query", (frozenset({"what", "whether", "look"}),)),
    ("delete", (frozenset({"take_away", "refuse", "prohibit"}),)),
    ("change", (frozenset({"change", "later", "earlier", "defer", "note_noun"}),)),
    ("finish", (frozenset({"finish"}),)),
    ("join", (frozenset({"join", "cannot"}),)),
    ("finish", (frozenset({"done"}), frozenset({"action", "pay"}))),
    ("change", (frozenset({"time"}),)),
)
"""The same for clauses about a kept thing."""
_TOLD: Final = (frozenset({"says", "reported", "feeling", "advice"}),)
_NOT_MADE: Final = (frozenset({"negation", "whether", "wish"}),)
_WHO: Final = (frozenset({"what"}),)
_SLOTS: Final = (
    ("when", frozenset({"time"})),
    ("noun", frozenset({"task_noun", "reminder_noun", "schedule_noun", "plan_noun"})),
    ("remind", frozenset({"remind"})),
    ("rouse", frozenset({"rouse"})),
    ("whose", frozenset({"group", "announce"})),
    ("ref", frozenset({"ordinal"})),
    ("level", frozenset({"level"})),
)


def begins_new(said: Sequence[Token]) -> bool:
    """True if the line begins with a verb of making: 再加个会…，跟技术那个不是一个."""
    spoken = (token.classes for token in said if token.classes.isdisjoint(_OPENS))
    first = next(spoken, frozenset[str]())
    if "make" in first and "change" not in first:
        return True
    return any("unit" in one.classes and "make" in two.classes for one, two in pairwise(said))  # 新加一个


_OPENS: Final = frozenset(
    {"filler", "courtesy", "call", "pause", "blank", "again", "help", "you", "modal", "time", "at"}
)


def otherwise(said: Sequence[Token]) -> Token | None:
    """Time that replaces a refused one (不要四点 五点, 别七点了 八点半吧); None if there is none."""
    refused = next(
        (at for at, (one, two) in enumerate(pairwise(said)) if _refuses(one) and "time" in two.classes), None
    )
    if refused is None:
        return None
    return next((token for token in reversed(said[refused + 2 :]) if "time" in token.classes), None)


def spares(said: Sequence[Token]) -> bool:
    """True if a reminder is refused: 明天打卡不用提醒, 今天先别提醒打卡."""
    return any(
        not one.classes.isdisjoint({"prohibit", "defer", "negation"})
        and not two.classes.isdisjoint({"remind", "rouse"})
        for one, two in pairwise(said)
    )


def _is_not_gone_to(said: Sequence[Token]) -> bool:
    """True for a negated action: 练琴这周四不去了."""
    return any("negation" in one.classes and "action" in two.classes for one, two in pairwise(said))


def _refuses(token: Token) -> bool:
    return not token.classes.isdisjoint({"prohibit", "negation"})


def _has_happened(said: Sequence[Token]) -> bool:
    """True for a finished action without a new time behind it: 信用卡还完了 提前还的."""
    if not hinted(said, _DONE) or hinted(said, (frozenset({"change", "refuse", "take_away"}),)):
        return False
    moved = next((at for at, token in enumerate(said) if not token.classes.isdisjoint(_SHIFTS)), len(said))
    return not hinted(said[moved:], (frozenset({"time", "length"}),))


def _ticked_off(said: Sequence[Token]) -> bool:
    """True if a done thing is ticked off: 猫的粮到手了 划掉."""
    if hinted(said, (frozenset({"negation", "refuse"}),)):
        return False  # 那个会不开了 划掉
    return hinted(said, (frozenset({"done"}),)) and any(
        {"finish", "take_away"} <= token.classes for token in said
    )


_SHIFTS: Final = frozenset({"earlier", "later", "defer"})
_CHANGED: Final = (frozenset({"change", "later", "earlier", "defer", "note_noun"}),)
_DONE: Final = (frozenset({"done"}), frozenset({"action", "pay"}))


def hint(said: Sequence[Token], *, of_kept: bool, either: bool = False) -> Fit | None:
    """The act that the words hint at, with the words as slots; `of_kept`: something kept is meant; `either`:
    of two times it is asked which (七点还是八点啊).

    None where nothing is hinted at, or where what is not kept is only told.
    """
    hints = _HINTS_OF_KEPT if of_kept else _HINTS
    act = next((act for act, wanted in hints if hinted(said, wanted)), None)
    if of_kept and either:
        act = "query"
    elif of_kept and spares(said):
        act = "delete"
    elif of_kept and otherwise(said) is not None:
        act = "change"
    elif of_kept and ((act == "change" and _has_happened(said)) or (act == "delete" and _ticked_off(said))):
        act = "finish"
    elif of_kept and act == "finish" and _is_not_gone_to(said):
        act = "delete"
    elif of_kept and act == "change" and not hinted(said, _CHANGED) and _is_not_gone_to(said):
        act = "delete"  # 12月16号那次场馆维修 不打
    if act is None or (not of_kept and hinted(said, _TOLD)):
        return None
    if act == "make" and hinted(said, _WHO) and not hinted(said, (_ORDERED,)):
        act = "query"  # 周四下午的面试谁负责
    if act == "make" and hinted(said, _NOT_MADE):
        return None  # 没有提醒我的话我肯定忘了
    if act == "make" and "done" in said[-1].classes and not hinted(said, (_ORDERED,)):
        return None  # 今天还他了
    slots: dict[str, tuple[Token, ...]] = {}
    for token in said:
        name = next((name for name, classes in _SLOTS if not token.classes.isdisjoint(classes)), "name")
        slots[name] = (*slots.get(name, ()), token)
    return Fit(Form(act, ""), slots)
