"""Title and length of a new item, from its order. Pure. Word rules are in `language.names.titles`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...patterns import Pattern
from ..reading import words_of
from ..recognise.numerals import NUMERAL, parse_decimal
from ..recognise.times import TimeExpression
from ..word_lists import table
from .titles import title


def extract_title(text: str, times: Sequence[TimeExpression]) -> str:
    """Title of a new item; empty if none."""
    return title(text, words_of(text, tuple(times)))


def fronted(text: str, times: Sequence[TimeExpression]) -> str | None:
    """Title with a fronted object (药每天早上八点都得吃 is 吃药); None if not fronted."""
    if not times:
        return None
    first, last = min(one.span[0] for one in times), max(one.span[1] for one in times)
    words = words_of(text, tuple(times))
    before = [each for each in words if each.end <= first]
    behind = [each for each in words if each.start >= last and each.classes.isdisjoint(_PASSED)]
    thing = text[:first].strip()
    if not before or len(thing) > _LONGEST_THING or any(not each.classes <= _THING for each in before):
        return None
    if not behind or "action" not in behind[0].classes:
        return None
    if any(each.classes.isdisjoint(_COUNTED) for each in behind[1:]):
        return None
    return f"{text[behind[0].start : behind[0].end]}{thing}"


def used_up(text: str) -> str | None:
    """Shopping title for a thing that has run out (牛奶没了记得买 is 买牛奶); None otherwise."""
    found = _RUN_OUT.fullmatch(text.strip(" ,，。.!！~"))
    if found is None:
        return None
    thing = (found["thing"] or found["lacked"]).strip()
    said = words_of(thing)
    if not said or any(not one.classes.isdisjoint(_NO_THING) for one in said):
        return None
    return f"{found['verb']}{thing}"


_GONE: Final = f"(?:又|都|也|快|要|已经|马上)*+(?:{table('tasks.run_out')})"
_TO_BUY: Final = (
    f"(?:你|大家|下班|回头|路上|顺便|顺路)*+(?:{table('tasks.remind')})?(?:去|再|要|得|我|下班|顺路|顺便)*"
    f"(?P<verb>{table('tasks.buys')})(?:点|些|一下|上|回来|一[瓶袋包盒箱桶提]|一点)*[啊呀哈啦吧哦嘞了]*"
)
_RUN_OUT: Final = Pattern(
    f"(?:(?:{table('tasks.at_home')})的?)?"
    f"(?:(?P<thing>[^ ,，。]{{1,8}}?){_GONE}|没(?:有)?(?P<lacked>[^ ,，。了]{{1,6}})了)"
    f"[啊呀哈啦嘞,， ]*{_TO_BUY}"
)
_NO_THING: Final = frozenset(
    {"self", "you", "what", "negation", "finish", "who", "time", "amount", "prohibit"}
)
_PASSED: Final = frozenset({"all", "ought", "modal", "filler", "blank", "particle", "pause"})
_COUNTED: Final = frozenset({"unit", "number", "amount", "done"})
_THING: Final = frozenset({"unread", "plain", "personal", "latin"})
_LONGEST_THING: Final = 8
_AND: Final = Pattern(" *(?:和|跟|与|及|以及|还有|、|&) *")


def several_names(words: str) -> tuple[str, ...]:
    """Names joined in words (作业和还书); one if not joined."""
    parts = tuple(dict.fromkeys(part.strip() for part in _AND.split(words)))
    return parts if len(parts) > 1 and all(parts) else (words,)


_DOING: Final = f"(?:练习|学习|睡|复习|{table('lasting.doing')})"
_LASTS: Final = Pattern(
    f"(?:[ ,]+{_DOING}?|(?<=[^ ,]{{2}})(?<![前迟后晚早隔每过再延提第短长等了共约到])"
    f"(?:{_DOING}(?=[0-9一两俩二三四五六七八九十半]))?)"
    "(?:大概|大约|差不多|预计|持续|需要|一共|时长|约|要|就)*:?"
    rf"(?:(?P<half>半)个?|(?P<number>\d{{1,3}}(?:\.5)?|俩|{NUMERAL})个?(?P<more>半)?)"
    "(?P<unit>小时|钟头|分钟|刻钟)(?P<tail>半)?"
    "(?:左右|吧|的?样子|就够了?|就行|就好|结束)*$"
)
"""Trailing length: 开会，两个小时; 健身一个半小时."""
_LONGEST: Final = 1440


def lasting(text: str) -> tuple[int, int] | None:
    """Start of a trailing length in a text, and its minutes; None if none."""
    found = _LASTS.search(text, max(0, len(text) - 24))
    if found is None:
        return None
    unit = {"小": 60, "钟": 60, "分": 1, "刻": 15}[found["unit"][0]]
    if found["half"]:
        return found.start(), unit // 2
    number = 2 if found["number"] == "俩" else parse_decimal(found["number"])
    if number is None:
        return None
    minutes = int(number * unit) + (unit // 2 if found["more"] or found["tail"] else 0)
    return (found.start(), minutes) if 0 < minutes < _LONGEST else None
