"""Words of a line usable as an item's name (「评审」, never 「就」). Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from ..reading import words_of

_ORDERS: Final = frozenset(
    {
        *(
            "prohibit",
            "negation",
            "take_away",
            "change",
            "refuse",
            "hold_off",
            "defer",
            "cannot",
            "condition",
        ),
        *("what", "who_asked", "whether", "how_much", "pause", "stop", "time", "length", "offset", "remind"),
        *(
            "done",
            "already",
            "particle",
            "join",
            "degree",
            "again",
            "finish",
            "reported",
            "help",
            "mind",
            "ought",
        ),
    }
)
"""Word classes never inside a name after its first word."""
_EMPTY: Final = frozenset(
    {
        *("filler", "particle", "of", "or", "this", "unit", "self", "you", "group", "all", "blank", "modal"),
        *("at", "to", "with", "is", "degree", "courtesy", "tag", "soon", "moment", "again", "ba", "aside"),
        *("late", "may", "come", "have", "number", "done", "plain_yes"),
    }
)
"""Word classes without a name of their own."""
_LONGEST: Final = 20
_LISTS: Final = Pattern("(?:日程|安排|任务|待办|日历|账单|行程表?|计划表|日程表)的?[呢啊呀]?$")
_SUITS: Final = Pattern(
    "(?:我们?|俺|咱)[ ,]*(?:都|也|应该|肯定)?"
    "(?:可以|行|ok|能来|能去|有空|没空|有时间|没时间|不行|得空|不得空|方便|不方便)"
    "[的吧啊呀哦了滴哈]*"
)
_NO_NAME: Final = Pattern("已记下|(?:记下|改好|删掉|打勾)了[:：]|日程[:：]|任务[:：]|被|^[只再也]")


def is_name(words: str, line: str = "") -> bool:
    """True if words may be quoted as a name; with `line`, if they are one piece of it."""
    said = words.strip()
    if not said or len(said) > _LONGEST or _NO_NAME.search(said):
        return False
    if line and said.lower().replace(" ", "") not in line.lower().replace(" ", ""):
        return False
    tokens = words_of(said)
    if any(not token.classes.isdisjoint(_ORDERS) for token in tokens[1:]):
        return False
    first = tokens[0].classes
    if not first.isdisjoint(
        {"prohibit", "negation", "what", "whether", "refuse", "change", "this", "take_away"}
    ):
        return False
    return any(not token.classes <= _EMPTY for token in tokens)


def asks_for_a_list(words: str) -> bool:
    """True for a final noun of stored items (考试安排, 我的任务): a query, no new name."""
    return _LISTS.search(words.strip(" ,。!?~")) is not None


def tells_availability(words: str) -> bool:
    """True for availability beside a time (周日我可以, 我周六没空)."""
    return _SUITS.fullmatch(words.strip(" ,。!?~")) is not None


def tells_of_state(words: str) -> bool:
    """True for a state of the speaker or the weather (我饿了, 困死我了, 外面下雨了, 我先走了): talk, no
    answer."""
    said = [
        token for token in words_of(words) if token.classes.isdisjoint({"blank", "pause", "stop", "particle"})
    ]
    if not said:
        return False
    over = "done" in said[-1].classes or words[said[-1].start : said[-1].end].endswith("了")
    if any("feeling" in token.classes for token in said):
        return True
    return over and ("self" in said[0].classes or any("weather" in token.classes for token in said))
