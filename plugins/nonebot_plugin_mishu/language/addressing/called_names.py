"""Silence words, speak words and names: how they are recognised in what somebody says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from ...patterns import Pattern
from ..forms.phrases import bare
from ..text.fold import fold, normalise

_FILLERS = "吧啊了呀嘛哦哈啦哟喔噢嘞"
_READ = 4000
"""Characters in which a name is looked for."""
_TYPED = 2_000
"""Characters of a message out of which a call is taken; a longer one was pasted, and is no order."""
_KNOWN = 4096
"""Words whose plain form is remembered: they are compared with every message."""
_LONGEST_CALL = 500
"""Characters of a message that may be a call and nothing else."""
_LONGEST = 60
"""No word with its fillers is longer; more text is a sentence about something else."""


def is_word(text: str, words: Iterable[str]) -> bool:
    """True if the text, without fillers at its end and punctuation, equals one of the words.

    `闭嘴吧！` is the word 闭嘴; `叫他闭嘴吧他说的不对` is not (pitfall 29).
    """
    if len(text) > _LONGEST:
        return False
    said = bare(text)
    wanted = {_bare_word(word) for word in words} - {""}
    while said and said not in wanted and said[-1] in _FILLERS:
        said = said[:-1]
    return said in wanted


def names_one(text: str, names: Iterable[str]) -> bool:
    """True if one of the names stands in the text; a Latin one only as a whole word."""
    said = normalise(text[:_READ]).casefold()
    return any(_stands_in(said, _name(name)) for name in names)


def is_only_a_call(text: str, names: Iterable[str], *, at_bot: bool) -> bool:
    """True if the text holds a name of the bot and nothing else, or nothing at all beside an @ of the bot."""
    if len(text) > _LONGEST_CALL:
        return False
    words = normalise(text).casefold()
    if at_bot and _NOTHING.match(words):
        return True
    rest = words
    for name in sorted(map(_name, names), key=len, reverse=True):
        rest = rest.replace(name, "")
    return rest != words and bool(_NOTHING.match(rest))


def uncalled(text: str, names: Iterable[str]) -> str:
    """The text without the names by which the bot is called in it: 小秘 10秒后提醒我关火 is 10秒后提醒我关火.

    A name is a call at the beginning and at the end, between pauses, and before an order (…3点小秘提醒我…).
    Where it is part of a word or spoken about (秘书处, 给秘书买花) it stays; a text that is nothing but calls
    stays as it is.
    """
    if len(text) > _TYPED:
        return text
    form = fold(text)
    said = form.text.casefold()
    if len(said) != len(form.text):
        return text
    called = sorted({_name(name) for name in names} - {""}, key=len, reverse=True)
    found = tuple(name for name in called if _stands_in(said, name))
    if not found:
        return text
    kept = set(range(len(said)))
    for call in _calls(found).finditer(said):
        inside = call.start() > 0 and call.end() < len(said)
        kept.difference_update(range(call.start() + (inside and said[call.start()] in _PAUSES), call.end()))
    places = dict.fromkeys(form.origin[place] for place in sorted(kept))
    left = "".join(text[place] for place in places).strip(" ,，、")
    return left if bare(left) else text


_NOTHING: Final = Pattern(r"^[\s\W_]*$")
_PAUSES: Final = ",.:;!?~、。… "
_BEFORE: Final = "(?:(?:那个|哎|诶|欸|喂|嘿|嗨|哈喽|你好|您好|亲爱的|hi|hello|hey)[,:!~ ]*)?"
_BEHIND: Final = (
    "(?:大人|同学|老师|宝贝|宝|姐姐?|哥哥?|酱|君|亲)?"
    "(?:啊|呀|哇|哎|诶|呐|呢|哈|啦|哦|喔|噢|吖|你好|在吗|麻烦)*"
)
_ORDERS: Final = (
    "提醒|叫我|喊我|催我|通知|告诉|记(?![者忆])|帮|给我|替我|麻烦|请|把|查|看|加|建|设|定|订|安排|取消|删|改|推迟"
    "|我|你"
)
_SCHOOL: Final = "现在|谁|本?学期|[单双]周|第[0-9一二三四五六七八九十]{1,3}周"
_TIMES: Final = f"[0-9今明每过半有来在]|后天|大后|周|下[周个午]|这|早上|上午|中午|晚上|导出|{_SCHOOL}"
_SPOKEN_OF: Final = "(?<![给跟和找问叫让对当做的位名个是])"


@lru_cache(64)
def _calls(names: tuple[str, ...]) -> Pattern:
    """The calls by one of the names, with the pauses and fillers that belong to them."""
    whole = (
        rf"(?<![a-z0-9_]){re.escape(name)}(?![a-z0-9_])" if name.isascii() else re.escape(name)
        for name in names
    )
    call = f"@?小?(?:{'|'.join(whole)})书?{_BEHIND}"
    pause = f"[{_PAUSES}]"
    return Pattern(
        f"^(?>{pause}*{_BEFORE}{call}(?:{pause}+|$|(?={_ORDERS}|{_TIMES})))+"
        f"|{pause}+{call}(?:{pause}+|$|(?={_ORDERS}))"
        f"|{_SPOKEN_OF}{call}(?:(?={_ORDERS})|{pause}*$)"
    )


def _stands_in(said: str, name: str) -> bool:
    if not name:
        return False
    if not name.isascii():
        return name in said
    return re.search(rf"(?<![a-z0-9_]){re.escape(name)}(?![a-z0-9_])", said) is not None


@lru_cache(_KNOWN)
def _bare_word(word: str) -> str:
    return bare(word)


@lru_cache(_KNOWN)
def _name(name: str) -> str:
    return normalise(name).casefold()
