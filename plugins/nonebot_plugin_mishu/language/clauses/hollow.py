"""Order-only pieces: every word belongs to the order (记一下哈, 也记群里, 删掉那条). Pure.

The object is in another piece. Clauses are read and titled without such pieces at their ends; their nouns
(群日程, 待办) still name the agent.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from ...patterns import Pattern
from ..clause import Clause
from ..reading import words_of

_MAKES: Final = frozenset({"make", "enter", "remind", "rouse", "mind", "announce"})
_TAKES: Final = frozenset({"take_away", "refuse", "finish", "ends", "prohibit"})
_CALLS: Final = frozenset({"remind", "rouse", "announce"})
"""Word classes of reminders: more than an order to store."""
_OWN_NOUNS: Final = frozenset({"task_noun", "schedule_noun", "reminder_noun"})
_KEPT: Final = frozenset({"task_noun", "schedule_noun", "reminder_noun", "plan_noun", "list_noun"})
_AROUND: Final = frozenset(
    {
        *("task_noun", "schedule_noun", "reminder_noun", "list_noun", "note_noun", "this", "unit", "of"),
        *("self", "you", "filler", "courtesy", "particle", "help", "modal", "at", "to", "ba", "toward"),
        *("again", "soon", "pause", "blank", "stop", "all", "come", "done", "group", "call", "time"),
        *("result", "aside", "ought", "level", "plan_noun", "is", "look", "member", "earlier", "length"),
    }
)
"""Word classes without content of the order."""
_LONGEST: Final = 20
_IN_THE_GROUP: Final = Pattern("(?:咱们?|本|我们)?群(?:里面?|内|日程)?[哈啊吧呀]*")
_MENTION: Final = Pattern("@[^ ,@]{1,20}")
_PARTS: Final = Pattern("[ ,]+")


def orders_alone(clause: Clause) -> Literal["makes", "takes", "shows"] | None:
    """Act of an order-only piece: create, delete or show (念给我听); None for any other piece."""
    if clause.amounts or len(clause.text) > _LONGEST:
        return None
    line = _MENTION.sub("", clause.text)
    times = clause.times if line == clause.text else ()
    words = [token.classes for token in words_of(line, times, clause.amounts)]
    if any(each.isdisjoint(_MAKES | _TAKES | _AROUND) or "hui" in each for each in words):
        return None
    if any(not each.isdisjoint(_TAKES) for each in words):
        return None if any("plan_noun" in each for each in words) else "takes"  # 会议也取消 names one
    said = frozenset[str]().union(*words)
    if clause.times and said.isdisjoint(_CALLS):
        return None  # 再加一个后天上午的: another one
    if not said.isdisjoint({"earlier", "length"}) and ("earlier" not in said or said.isdisjoint(_CALLS)):
        return None  # only 提前五分钟喊我 says how long ahead of what stands beside it
    if not said.isdisjoint(_MAKES) or all(not each.isdisjoint(_OWN_NOUNS) for each in words):
        return "makes"  # 修水泵 待办
    return "shows" if "look" in said and said.isdisjoint(_KEPT) else None


def without_order(clause: Clause) -> tuple[Clause, frozenset[str]] | None:
    """Clause without store-only pieces at its ends, and their word classes; None if none, or nothing else.
    Pieces with a reminder stay: they name the item."""
    text = clause.text
    parts = [found for found in _spans(text) if found[0] < found[1]]
    if not parts:
        return None
    said: set[str] = set()
    while len(parts) > 1 and (classes := _keeps(text[slice(*parts[-1])], clause)) is not None:
        said |= classes
        parts.pop()
    while len(parts) > 1 and (classes := _keeps(text[slice(*parts[0])], clause)) is not None:
        said |= classes
        parts.pop(0)
    start, end = parts[0][0], parts[-1][1]
    if not said:
        return None
    times = tuple(
        time.moved(-start) for time in clause.times if start <= time.span[0] and time.span[1] <= end
    )
    if len(times) != len(clause.times) or clause.amounts:
        return None
    return replace(clause, text=text[start:end], times=times), frozenset(said)


def _spans(text: str) -> list[tuple[int, int]]:
    cuts = [found.span() for found in _PARTS.finditer(text)]
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(text)]
    return list(zip(starts, ends, strict=True))


def _keeps(piece: str, clause: Clause) -> frozenset[str] | None:
    """Word classes of a store-only piece, also of its place."""
    words = frozenset(name for token in words_of(piece) for name in token.classes)
    if _IN_THE_GROUP.fullmatch(piece):
        return words | {"group"}
    alone = orders_alone(Clause(piece, clause.situation)) == "makes"
    return words if alone and words.isdisjoint(_CALLS) else None
