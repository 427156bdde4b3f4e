"""Category and type of a text, by tables (`categories.toml`). Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from ...patterns import Pattern
from .entry import OTHER, TYPES, Type

_TABLES: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("categories.toml").read_text(encoding="utf-8")
)
BUILT_IN: Final[tuple[str, ...]] = (*_TABLES["words"], OTHER)
"""The categories every conversation has, in the order they are listed."""
_WORDS: Final[dict[str, str]] = {
    word: category for category, words in _TABLES["words"].items() for word in words.split()
}
_WEAK: Final = frozenset(_TABLES["weak"]["words"].split())
TRANSFERRED: Final = "转账"
_INCOME: Final = frozenset(_TABLES["income"])
_STRONG: Final = {word: category for word, category in _WORDS.items() if word not in _WEAK}
THINGS: Final = tuple(word for word in _STRONG if len(word) > 1)
"""Words that name what money is spent on or received for, without a doubt."""
_FAINT: Final = {word: category for word, category in _WORDS.items() if word in _WEAK}
_PAYABLE: Final = {
    word: category
    for word, category in _STRONG.items()
    if category in {*_TABLES["spent_only"], "居住"} - {TRANSFERRED}
}
"""Money that is moved for one of these is spent: 房租转给房东."""
_GIVEN_AWAY: Final = ("花", "买", "交", "付", "充", "请")
_EARNED: Final = {word: category for word, category in _WORDS.items() if category in _INCOME}
_RECEIVED: Final = {
    word: category for category, words in _TABLES["received"].items() for word in words.split()
}
_SPENT_ONLY: Final = frozenset(_TABLES["spent_only"])
BOUGHT: Final = "购物"
_BOUGHT: Final = Pattern("(?<!收)买(?!单|的?$|菜|卖)|入手了?|下单了?|剁手|团购")
"""Something was bought, whatever it is."""
_PURPOSE: Final = Pattern("(?<!^)(?:去(?!了?$)|给(?!我|了)|到(?!了|账|付|期|手|家|位|$))")
_DECISIVE: Final = frozenset(_TABLES["decisive"]["words"].split())
_EXACT: Final = {word: category for category, words in _TABLES["exact"].items() for word in words.split()}
DUES: Final = tuple(
    word
    for word, category in _WORDS.items()
    if category in ("工资", "居住", "通讯", "保险", "报销") and len(word) > 1
)
"""Words for what falls due for a span (上个月的奖金, 十月的电费)."""
_GENERAL: Final = {word: category for category, words in _TABLES["general"].items() for word in words.split()}
"""Words that stand for all of a category."""
_ASKABLE: Final = {**{word: _WORDS[word] for word in THINGS}, **_GENERAL}
_ALIKE: Final[tuple[frozenset[str], ...]] = tuple(
    frozenset(str(words).split()) for words in _TABLES["alike"]["words"]
)
_BESIDE: Final = ("和", "跟", "与", "及", "、", "还是")
_PEOPLE: Final = ("person", "giver", "own")


def _pattern(name: str) -> Pattern:
    said = _TABLES["types"][name]
    pattern = said if isinstance(said, str) else "|".join(said)
    for who in _PEOPLE:
        pattern = pattern.replace(f"{{{who}}}", f"(?:{_TABLES['types'][who]})")
    return Pattern(pattern)


_TYPE: Final = {name: _pattern(name) for name in _TABLES["types"] if name not in _PEOPLE}
_NAME: Final = Pattern(r"[a-z0-9_一-鿿]{1,8}")

_SAID: Final[Mapping[str, Type]] = {
    **dict.fromkeys(("收入", "进账", "入账", "进帐", "入帐"), "INCOME"),
    **dict.fromkeys(("支出", "花销", "开销", "出账", "出帐"), "EXPENSE"),
    **dict.fromkeys(("转账", "转帐"), "TRANSFER"),
}
_SAID_AT: Final = Pattern("|".join(_SAID))
_NOT: Final = Pattern(r"(?:不是|并非|不算|而不是|别记成|不该是|不应该是)(?:一笔|个)?$")


@dataclass(frozen=True)
class Categories:
    """The categories of a conversation: the built-in ones, and its own words for them.

    `words` are the conversation's own: a word to the category it stands for, which may be a new one.
    """

    words: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def names(self) -> tuple[str, ...]:
        """Every category, the built-in ones first."""
        own = [name for name in dict.fromkeys(self.words.values()) if name not in BUILT_IN]
        return (*BUILT_IN, *own)

    def of(self, text: str) -> str:
        """The category that a text speaks of; `其他` where it speaks of none, never just the first."""
        line = text.lower()
        own = _longest(line, self.words)
        if own is not None:
            return self.words[own]
        return _built_in(line)

    def thing(self, text: str) -> tuple[str | None, str | None] | None:
        """Object of a question: (category, None) for a whole category (吃饭), (None, word) for a thing. None
        if unknown, or two."""
        line = text.lower()
        own = _longest(line, self.words)
        if own is not None:
            return None, own
        found = [(line.rindex(word) + len(word), len(word), word) for word in _ASKABLE if word in line]
        found = [each for each in found if each[2] not in _GENERAL] or found
        if not found:
            return None
        end, length, word = max(found)
        rest = line[: end - length] + line[end:]
        if any(word in rest for word in _BESIDE) and any(other in rest for other in _ASKABLE):
            return None  # 奶茶和咖啡, 吃的还是玩的: no single thing
        return (_GENERAL[word], None) if word in _GENERAL else (None, word)

    def named(self, text: str) -> str | None:
        """The category whose name, or one of whose words, stands in a text; None for none."""
        line = text.lower()
        name = _longest(line, self.names)
        if name is not None:
            return name
        found = self.of(text)
        return None if found == OTHER else found


def alike_to(word: str) -> frozenset[str]:
    """The words that name the same thing as this one (打的, 滴滴 and 打车), itself among them."""
    return next((words for words in _ALIKE if word in words), frozenset[str]())


def is_name(text: str) -> bool:
    """True if a text may be a category's name."""
    return _NAME.fullmatch(text.lower()) is not None


def said_type(text: str) -> Type | None:
    """The type that a text names outright: the one not preceded by 不是; else 收入 before 支出 (seed 4)."""
    found = [
        (_SAID[match[0]], _NOT.search(text, 0, match.start()) is not None)
        for match in _SAID_AT.finditer(text)
    ]
    left = {kind for kind, denied in found if not denied}
    for kind in TYPES:
        if kind in left:
            return kind
    return None


_TO_RECORD: Final = Pattern("给我(?=(?:都|也|先|一起)?(?:记|入账|录))")
"""给我 in an order to record, not a gift (把看牙那一千二给我记上)."""


def is_refund(text: str) -> bool:
    """True for a refund."""
    return _TYPE["refund"].search(text) is not None


def type_of(text: str, category: str) -> Type:
    """Type of a text: spent, received or moved."""
    text = _TO_RECORD.sub("", text)
    outright = said_type(text)
    if outright in ("INCOME", "EXPENSE"):
        return outright
    if _TYPE["fee"].search(text):
        return "EXPENSE"
    if _TYPE["returned"].search(text):
        return "TRANSFER"
    if is_refund(text):
        return "INCOME"
    given = _TYPE["given"].search(text)
    received = _last(_TYPE["received"], text)
    spent = _last(_TYPE["spent"], text)
    if given is not None and (
        spent <= given.end() or not any(word in text[given.end() :] for word in _GIVEN_AWAY)
    ):
        return "INCOME"
    if spent >= 0 and spent >= received:
        return "EXPENSE"
    if received >= 0:
        return "INCOME"
    if _TYPE["transfer"].search(text):
        return "EXPENSE" if _last_of(text.lower(), _PAYABLE) is not None else "TRANSFER"
    return "INCOME" if category in _INCOME else "EXPENSE"


def received(text: str) -> str | None:
    """The category of what is received for, or with, what a text speaks of (家教课收了300); None for none."""
    return _last_of(text.lower(), _RECEIVED)


def moves(text: str) -> bool:
    """True if a text says that money was spent, received or moved; amounts in it are 0."""
    return any(_TYPE[name].search(text) for name in ("given", "spent", "received", "transfer", "refund"))


def category_of(text: str, around: str, kind: Type, known: Categories) -> str:
    """The category of an item with these words (`around`: the whole of what is said of it) and type."""
    category = known.of(text) if text else OTHER
    if category == OTHER:
        category = known.of(around)
    if is_refund(around):
        return "退款"
    if kind == "INCOME" and category in (*_SPENT_ONLY, OTHER) and category not in known.words.values():
        return received(around) or _last_of(around.lower(), _EARNED) or OTHER
    if kind == "TRANSFER" and category not in known.words.values():
        return TRANSFERRED
    if category == TRANSFERRED and kind == "EXPENSE":  # 转账给房东3500房租
        category = _last_of(around.lower(), _PAYABLE) or category
    return OTHER if category == TRANSFERRED and _TYPE["fee"].search(around) else category


def _last(pattern: Pattern, text: str) -> int:
    return max((found.end() for found in pattern.finditer(text)), default=-1)


def _longest(line: str, words: Iterable[str]) -> str | None:
    found = [word for word in words if word and word.lower() in line]
    return max(found, key=len) if found else None


def _last_of(line: str, words: Mapping[str, str]) -> str | None:
    """The category of the word that ends last in a line, the longest of those."""
    found = [(line.rindex(word) + len(word), len(word), word) for word in words if word in line]
    return words[max(found)[2]] if found else None


NO_THING: Final = Pattern(
    "面试|面谈|面对|面积|面子|当面|见面|碰面|方面|[上下里外对正反全页界表桌书后前背]面|水平|水准|菜鸟|书记"
)
"""Words that hold the word of a thing and are none."""


@lru_cache(1024)
def _built_in(line: str) -> str:
    if line in _EXACT:
        return _EXACT[line]
    line = NO_THING.sub("～", line)
    decisive = _longest(line, _DECISIVE)
    if decisive is not None:
        return _WORDS[decisive]
    purpose = _PURPOSE.search(line)
    if purpose is not None:  # 打车去医院, 买花给妈妈
        named = _last_of(line[: purpose.start()], _STRONG)
        if named is not None:
            return named
    return _last_of(line, _STRONG) or _last_of(line, _FAINT) or (BOUGHT if _BOUGHT.search(line) else OTHER)


__all__ = ["BUILT_IN", "Categories", "category_of", "is_name", "is_refund", "said_type", "type_of"]
