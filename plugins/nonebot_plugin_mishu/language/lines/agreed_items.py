"""Decisions and to-dos of the talk, as items of a card: words around them, and whose they are. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from ...patterns import Pattern
from ..names.naming import extract_title
from ..recognise.times import TimeExpression

_AROUND: Final = Pattern(
    r"^(?:那么?|好的?|行|嗯|ok|就|大家|我们|咱们?|最后|最终|决定|一致|同意|定了|说好了?|(?:时间|地点)?定(?:在|为|到|成|下来)"
    r"|[:,，。 ])+|(?:吧|呗|了|哈|哦|啊|呀|就这么定|[!。~, ])+$",
    re.IGNORECASE,
)
_TODO: Final = Pattern(
    r"^(?:请|麻烦|帮忙?|你|记得|别忘了?|务必|待办|todo|一?下|大家|各位|[:,， ])+", re.IGNORECASE
)
_ASKED: Final = Pattern(
    r"(?:放|定|安排|约|改|挪)?(?:到|在|是)?(?:什么时候|啥时候|哪一?天|哪个时间|几点|几号|周几|礼拜几|何时|哪里|哪儿|哪家|哪|怎么定)"
    r"(?:开始|开|碰头|集合|见面?|出发|合适|好|行|方便|比较|来着|呀|啊|呢|吧|[?!。~ ])*"
)
_PAUSES: Final = Pattern("[,，。;；!！?？ ]+")
_TAKEN: Final = Pattern(
    "^(?P<what>[^我,。?! ]{1,12}?)(?:就|由|还是)?我(?:来|去|会)?(?P<do>负责|买|带|订|定|写|做|交|发|管"
    "|拿|借|联系|准备|整理|打印|安排)[了吧啊呀哈]*$"
)
"""水我来买吧"""
_IDLE: Final = Pattern(r"(?P<twice>.{1,3})(?P=twice)|[哈嗯对好行哦]+[的了啊呀吧]*|够了|ok", re.IGNORECASE)
"""Filler before a to-do (够了够了 记得带充电宝)."""
_AT: Final = Pattern(r"@(\S{1,24})")
_SELF: Final = Pattern(r"^我(?:来|去|会)?(?:负责)?")


@dataclass(frozen=True, slots=True)
class Todo:
    """A to-do as said: its words, and whose it is."""

    text: str
    own: bool = False
    """The speaker takes it: 我来订, 水我来买吧."""
    called: str | None = None
    """The member whose name begins the line."""


def todo_of(line: str, names: Collection[str]) -> Todo:
    """To-do of a line; `names` of the members."""
    text = line.removeprefix("@")
    called = next((each for each in sorted(names, key=len, reverse=True) if text.startswith(each)), None)
    parts = [part for part in _PAUSES.split(text) if part]
    taken = next((found for part in parts if (found := _TAKEN.match(part)) is not None), None)
    if taken is not None:
        return Todo(_TODO.sub("", f"{taken['do']}{taken['what']}"), own=True)
    own = takes_it(text)
    if own:
        text = _SELF.sub("", text)
    elif called is not None:
        text = text.removeprefix(called).strip(" ,:，")
    while len(parts) > 1 and _IDLE.fullmatch(parts[0]) is not None:
        text = text.split(parts.pop(0), 1)[1].strip(" ,，")
    return Todo(_TODO.sub("", text), own, None if own else called)


def todo_title(text: str, times: Sequence[TimeExpression]) -> str:
    """Title of a to-do, without its times and the members it names."""
    title = re.sub(r"别忘了|@\S{1,24}\s*", "", extract_title(text, times) or text)
    return _TODO.sub("", without_agreement(title))


def takes_it(text: str) -> bool:
    """True if the speaker takes the work: 我来订."""
    return _SELF.match(text) is not None


def called_by_at(text: str) -> str | None:
    """Name by which a line @s its one member."""
    found = _AT.search(text)
    return found[1] if found is not None else None


def asking_part(text: str) -> str:
    """The part of a line that asks for a time or a place."""
    parts = [part for part in _PAUSES.split(text) if part]
    return next((part for part in parts if _ASKED.search(part) is not None), text)


def without_asking(text: str) -> str:
    """The text without the words that ask for a time or a place."""
    return _ASKED.sub("", text)


def without_agreement(text: str) -> str:
    """The text without words of agreeing around it."""
    before = ""
    while before != text:
        before, text = text, _AROUND.sub("", text).strip()
    return text
