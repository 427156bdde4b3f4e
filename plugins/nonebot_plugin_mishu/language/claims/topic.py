"""Topic of a clause in a reply: item of its action, and kinds of actions. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from ...patterns import Pattern
from ..text.tokens import Token
from .states import ClaimSentence
from .table import KINDS, Kind, either, words

_NOUNS: Final = frozenset({"unread", "plain", "latin", "personal", "occasion", "hui", "room", "place"})
"""Word classes of an item's name."""
_VERBS: Final = frozenset({"action"})
"""They begin a thing where a word behind them closes it: 打车那笔, 吃药的提醒, 写方案这条."""
_CLOSES: Final = frozenset(
    {"this", "money_noun", "task_noun", "plan_noun", "schedule_noun", "list_noun", "remind"}
)
_SKIPPED: Final = frozenset(
    {"filler", "blank", "mark", "pause", "particle", "courtesy", "this", "time", "day", "clock"}
)
"""Classes before an item's name."""
_BREAKS: Final = frozenset(
    {"make", "change", "take_away", "finish", "later", "pay", "look", "done", "negation", "toward", "help"}
)
_PREPOSITIONS: Final = frozenset("跟和与给帮替为向对同由")
_NAMED: Final[tuple[Kind, ...]] = tuple(kind for kind in KINDS if kind not in ("state", "anything"))
_PAID_BACK: Final = Pattern(
    "(?:钱|款|费用|押金|定金|红包)[^,没不]{0,6}?(?:退|转|还|打)(?:回|给|过|到|完|好|掉)"
)
_TAKES: Final = Pattern("取消|[删撤关]")
_WRITES: Final = Pattern("记|录|登|存|日程|待办|清单|账|备忘")


@dataclass(frozen=True, slots=True)
class ClauseActions:
    """Kinds of actions in a clause; `beyond`: one that the secretary cannot do."""

    kinds: frozenset[Kind]
    beyond: bool = False


def topic(sentence: ClaimSentence) -> str:
    """The thing at the head of a clause, or behind its 把, without words that any thing may have; empty where
    there is none: 奶茶 of 奶茶那笔也删了, 周报 of 顺手把周报标完成了."""
    tokens = sentence.tokens
    start = next((at + 1 for at, each in enumerate(tokens) if "ba" in each.classes), 0)
    run: list[Token] = []
    for each in tokens[start:]:
        if not run and not each.classes.isdisjoint(_SKIPPED) and each.classes.isdisjoint(_NOUNS):
            continue
        nominal = not each.classes.isdisjoint(_NOUNS | _VERBS) and each.classes.isdisjoint(_BREAKS)
        if not nominal or sentence.text[each.start : each.end] in _PREPOSITIONS:
            return _without_generic(sentence.text, run, each)
        run.append(each)
    return ""


def _without_generic(text: str, run: Sequence[Token], behind: Token) -> str:
    if not run:
        return ""
    nouns = any(not each.classes.isdisjoint(_NOUNS) for each in run)
    if not nouns and behind.classes.isdisjoint(_CLOSES | {"of"}):
        return ""
    found = text[run[0].start : run[-1].end]
    for word in words("named", "generic"):
        found = "" if found == word else found.removeprefix(word) if len(word) > 1 else found
    for word in words("named", "generic"):
        found = found.removesuffix(word) if len(word) > 1 else found
    return found if len(found) > 1 else ""


def named_deeds(clause: str) -> ClauseActions:
    """The deeds that a clause names."""
    patterns = _patterns()
    kinds: frozenset[Kind] = frozenset(kind for kind in _NAMED if patterns[kind].search(clause) is not None)
    return ClauseActions(kinds, patterns["beyond"].search(clause) is not None)


def narrowed(kinds: Collection[Kind], clause: str) -> frozenset[Kind]:
    """The kinds without those of words that mean another one here: 标 of 标完成 keeps nothing, nor does 占 of
    占好位子."""
    if _PAID_BACK.search(clause):
        return frozenset({"order"})
    left = set(kinds)
    if "remove" in left and _TAKES.search(clause):
        left.discard("remind")  # 吃药提醒已经取消了 sets none
    if "finish" in left:
        left -= {"note", "order"}
    elif len(left) > 1 and "note" in left and left & {"order", "send"} and not _WRITES.search(clause):
        left.discard("note")
    return frozenset(left)


@cache
def _patterns() -> dict[str, Pattern]:
    return {name: Pattern(either(words("named", name))) for name in (*_NAMED, "beyond")}
