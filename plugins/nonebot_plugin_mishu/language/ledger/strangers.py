"""Unknown people's names. Pure.

A run of words beside known names is split by the number of people still missing: 豆豆可乐 are two names in
四个人 我阿凯豆豆可乐, one in 三个人 我阿凯豆豆可乐.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from ...patterns import Pattern
from ..entries.categories import Categories
from ..entries.entry import OTHER
from ..lexicon import lexicon
from .pieces import ledger_words

LONGEST: Final = 8
"""Characters of a run that may be names without anything between them."""
_NAME: Final = Pattern("[一-鿿]{2,4}|[一-鿿]?[a-zA-Z][a-zA-Z0-9_]{0,9}|[一-鿿]{1,3}[a-zA-Z0-9]{1,3}")
_NO_NAME: Final = Pattern(
    "[的了吗呢吧是不没都也就很真太好还要想会能去来吃喝看说给把被在有哈嘿呵我你他她它这那谁啥]"
)
_COUNTS: Final = Pattern("[一两二三四五六七八九十半几每][张个份杯碗瓶次只条件块顿盒包袋斤支串位人桌间晚天]")
"""Measure words of things, not people (小孩40一张 我和阿凯分)."""
_SCRIPTS: Final = Pattern("[小老阿大]?[a-zA-Z][a-zA-Z0-9_]*|[一-鿿]+?(?=[小老阿大]?[a-zA-Z]|$)")
_PAIR: Final = 2
"""Characters of most nicknames."""


def may_be_name(word: str) -> bool:
    """True if words between names may be an unknown person's name."""
    if _NAME.fullmatch(word) is None or _NO_NAME.search(word) is not None or _COUNTS.match(word) is not None:
        return False
    return word not in ledger_words().words and word not in lexicon().words


def is_surely_name(word: str) -> bool:
    """True if such words are no purchase (浩然, 豆豆; not 门票)."""
    doubled = any(one == other for one, other in pairwise(word))
    return may_be_name(word) and (doubled or _categories().of(word) == OTHER)


def names_of_runs(runs: Sequence[str], missing: int | None) -> tuple[str, ...]:
    """Names in runs of words between known names, for the number `missing` if given; none if they do not
    fit."""
    words = [word for run in runs for word in (_SCRIPTS.findall(run) or [run])]
    pairs = [name for word in words for name in _halved(word)]
    if missing is not None:
        fit = next((each for each in (words, pairs) if len(each) == missing), None)
        if fit is None or not all(may_be_name(each) for each in fit):
            return ()
        return tuple(fit) if len(fit) > 1 or is_surely_name(fit[0]) else ()
    sure = [word for word in words if is_surely_name(word) or all(map(is_surely_name, _halved(word)))]
    listed = len(words) > 1 and bool(sure) and all(may_be_name(each) for each in pairs)
    return tuple(pairs) if listed or len(sure) == len(words) else ()


def _halved(word: str) -> tuple[str, ...]:
    """A word of four or more characters as names of two."""
    if len(word) < 2 * _PAIR or len(word) % _PAIR or not _HAN.fullmatch(word):
        return (word,)
    return tuple(word[at : at + _PAIR] for at in range(0, len(word), _PAIR))


_HAN: Final = Pattern("[一-鿿]+")


@cache
def _categories() -> Categories:
    return Categories()
