"""Silence words, speak words and names: how they are recognised in what somebody says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ..text.normalise import normalise

_FILLERS = "吧啊了呀嘛哦哈啦哟喔噢嘞"
_PUNCTUATION = re.compile(r"[\W_]+")
_READ = 4000
"""Characters in which a name is looked for."""
_KNOWN = 4096
"""Words whose plain form is remembered: they are compared with every message."""
_LONGEST = 60
"""No word with its fillers is longer; more text is a sentence about something else."""


def is_word(text: str, words: Iterable[str]) -> bool:
    """Whether the text, without fillers at its end and punctuation, equals one of the words.

    `闭嘴吧！` is the word 闭嘴; `叫他闭嘴吧他说的不对` is not (pitfall 29).
    """
    if len(text) > _LONGEST:
        return False
    said = _bare(text)
    wanted = {_bare_word(word) for word in words} - {""}
    while said and said not in wanted and said[-1] in _FILLERS:
        said = said[:-1]
    return said in wanted


def names_one(text: str, names: Iterable[str]) -> bool:
    """Whether one of the names stands in the text; a Latin one only as a whole word."""
    said = normalise(text[:_READ]).casefold()
    return any(_stands_in(said, _name(name)) for name in names)


def _stands_in(said: str, name: str) -> bool:
    if not name:
        return False
    if not name.isascii():
        return name in said
    return re.search(rf"(?<![a-z0-9_]){re.escape(name)}(?![a-z0-9_])", said) is not None


@lru_cache(_KNOWN)
def _bare_word(word: str) -> str:
    return _bare(word)


@lru_cache(_KNOWN)
def _name(name: str) -> str:
    return normalise(name).casefold()


def _bare(text: str) -> str:
    return _PUNCTUATION.sub("", normalise(text).casefold())
