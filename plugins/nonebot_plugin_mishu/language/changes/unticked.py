"""A task just ticked that is still open (那个还没做完 恢复一下, 文档改回未完成). Pure."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from ..clause import Situation
from ..reading import words_of

TICKED: Final = "完成任务"
"""Prefix of the note about a ticked task."""
_AGO: Final = 600.0
"""Seconds after which an unnamed tick is no longer meant."""
_PASSED: Final = frozenset(
    {
        *(
            "this",
            "unit",
            "task_noun",
            "filler",
            "pause",
            "already",
            "particle",
            "ba",
            "change",
            "again",
            "of",
        ),
        *("self", "done", "take_back", "soon", "courtesy", "call", "all", "to", "come"),
    }
)
"""Word classes without an action."""
_RESTORES: Final = "恢复"


def takes_back_tick(line: str, where: Situation) -> bool:
    """True for a line that reopens the task just ticked: names it, points at it, or says nothing else shortly
    after."""
    just = where.just_done(_AGO)
    if not where.addressed or just is None or not just.summary.startswith(TICKED):
        return False
    tokens = words_of(line)
    place = next(
        (at for at, (one, two) in enumerate(pairwise(tokens)) if _not_done(one.classes, two.classes)), None
    )
    if place is None:
        return False
    rest = [*tokens[:place], *tokens[place + 2 :]]
    said = [line[token.start : token.end] for token in rest]
    named = any(word in just.summary and len(word) > 1 for word in said)
    pointed = any("this" in token.classes for token in rest)
    known = all(
        word in just.summary or word in _RESTORES or not token.classes.isdisjoint(_PASSED)
        for token, word in zip(rest, said, strict=True)
    )
    return known and (named or pointed or where.just_done() is not None)


def _not_done(one: frozenset[str], two: frozenset[str]) -> bool:
    return "negation" in one and "prohibit" not in one and not two.isdisjoint({"finish", "action"})
