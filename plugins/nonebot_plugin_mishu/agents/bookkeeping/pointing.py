"""Which items of a card a line points at: 第一笔, 前两笔, 打车那笔, 把20改成25, 3是收入. Pure.

A bare number is an item only at the beginning, right before what corrects it (1和3都改成昨天), and only where
no pending item is of that amount.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ...drafts.references import read as read_reference
from ...text import find_amounts, normalise
from .categories import Categories
from .entry import Entry

Pending = Sequence[tuple[int, Entry]]
"""The pending items by their number on the card."""

_NUMBER: Final = "[0-9一二三四五六七八九十百零两]{1,4}"
_AND: Final = " ?[和跟与、及到至~] ?"
_NTH: Final = (
    f"(?:倒数)?第 ?{_NUMBER}(?: ?[笔个条项]?{_AND}第? ?{_NUMBER}(?=[笔个条项,改是应都全]|{_AND}))*"
    " ?(?:[笔个条项单件]|(?=[,改是应的都全]))"
)
SAID: Final = (
    f"{_NTH}|(?:最后|[前头后])[面边]?(?:{_NUMBER})?[笔条项]|(?:最后|[前头])[面边]?那?(?:{_NUMBER})?个(?!月|星期|礼拜|人|小时)|最后那一?[笔条]"
    f"|{_NUMBER}号?那一?[笔条]"
)
"""An item, or several, by their numbers."""
_ITEM: Final = re.compile(f"(?P<number>{SAID})|(?:这|那)一?[笔个条项]")
_BARE: Final = re.compile(
    f"(?:把|将)?(?P<number>{_NUMBER}(?:{_AND}{_NUMBER})*)号?(?=(?:都|也|全|全部)?(?:改|是|应该|应为|换|算|归|记成|变成))"
)
_FROM: Final = re.compile(
    "(?:把|将)?(?P<old>[0-9.]{1,9}) ?[块元]?(?:的|那笔|那个)*(?:改成|改为|改到|换成|改|应该是|应为|写成)"
    "|(?:不是|并非) ?(?P<denied>[0-9.]{1,9}|[零一二两三四五六七八九十百千万]{1,6}) ?[块元]?,?(?:而?是|应该是)"
)
_BOTH: Final = re.compile("[和跟与、][^,，。]*(?:都|全)")
"""午饭和打车都是昨天的."""
_LONGEST_CORE: Final = 8


def without_items(line: str) -> str:
    """The line, of which items are named, with a blank for every one of them, and for 那笔."""
    return (
        _ITEM.sub(" ", line) if any(each["number"] for each in _ITEM.finditer(line)) else _BARE.sub(" ", line)
    )


def by_number(line: str, pending: Pending) -> list[int] | None:
    """The pending items named by number; none where no item is named; None where one is not pending."""
    numbers = [number for number, _ in pending]
    highest = max(max(numbers, default=-1) + 1, 1)
    found: list[int] = []
    bare = _BARE.match(line)
    said = [each["number"] for each in _ITEM.finditer(line) if each["number"]]
    if bare is not None and not said and not _is_an_amount(bare["number"], pending):
        said = [f"第{bare['number']}笔"] if re.search(_NUMBER, bare["number"]) else []
        if not _on_card(said[0], highest):
            said = []
    for phrase in said:
        phrase = re.sub("号?那一?([笔条])$", "\\1", phrase)
        named = read_reference(_ordinal(phrase), highest)
        if named is None or named.count is not None:
            continue
        if not set(named.items) <= set(numbers):
            return None
        found += [number for number in named.items if number not in found]
    return found


def _ordinal(phrase: str) -> str:
    phrase = phrase.strip()
    phrase = phrase if phrase[-1] in "笔个条项单件" else f"{phrase}笔"
    return f"第{phrase}" if re.match(_NUMBER, phrase) else phrase


def _on_card(phrase: str, highest: int) -> bool:
    named = read_reference(phrase, highest)
    return named is not None and named.count is None and max(named.items, default=highest) < highest


def _is_an_amount(said: str, pending: Pending) -> bool:
    found = find_amounts(f"花了{said}")
    return bool(found) and any(entry.fen == found[0].fen for _, entry in pending)


def by_amount(line: str, pending: Pending) -> list[int]:
    """The one item of the amount that is to be another (把20改成25, 不是20是25)."""
    said = _FROM.search(line)
    old = find_amounts(f"花了{said['old'] or said['denied']}") if said is not None else []
    found = [number for number, entry in pending if old and entry.fen == old[0].fen]
    return found if len(found) == 1 else []


def by_word(subject: str, pending: Pending, categories: Categories) -> list[int]:
    """The item that a word before the correction stands for, where there is just one (红包那笔改为收入)."""
    found: list[int] = []
    for number, entry in pending:
        words = {entry.description, entry.category}
        if any(word and len(word) > 1 and word in subject for word in words) or (
            subject.strip() and entry.description and (core := _core(subject)) and core in entry.description
        ):
            found.append(number)
    if len(found) > 1:
        exact = [number for number, entry in pending if entry.description and entry.description in subject]
        return exact if len(exact) == 1 or (len(exact) > 1 and _BOTH.search(subject)) else []
    return found or _of_its_kind(subject, pending, categories)


def _of_its_kind(subject: str, pending: Pending, categories: Categories) -> list[int]:
    """The one item of the category that another word for it is of (那个打的费 for 打车)."""
    thing = categories.thing(subject) if subject.strip() else None
    kind = None if thing is None else thing[0] or categories.of(thing[1] or "")
    found = [number for number, entry in pending if kind is not None and entry.category == kind]
    return found if len(found) == 1 else []


def _core(subject: str) -> str:
    """What stands before 那笔 and the like: 奶茶 of 奶茶那笔的."""
    found = re.match(
        f"(?:把|将)?([^,，。 0-9的那这]{{2,{_LONGEST_CORE}}})(?:那|这)?(?:一?[笔个条])?的?", subject.strip()
    )
    return found[1] if found else ""


_ONLY: Final = re.compile(
    "(?:那个?|这个?|其实|应该|就|都|它|,)*是?(?:(?P<day>大?前天|昨[天晚]|今[天早]|上?上?(?:周|星期|礼拜)[一二三四五六日天]|[0-9]{1,2}号)"
    "|(?P<thing>[^,，。0-9的是不吗]{2,6}))的?[吧啊啦呀哦了]*"
)
"""All of a line that says no more than what the item is (是晚饭, 前天的)."""


def numbered(text: str, pending: Pending) -> str:
    """`ItemModel.naming`: 第2笔不要了 for 打车那笔不要了, where just one pending item is called so.

    这笔是晚饭 for 是晚饭, which is about the items since it says nothing else.
    """
    line = normalise(text[:100]).strip(" 。.!~")
    only = _ONLY.fullmatch(line)
    if only is not None and (only["day"] or ("是" in line and Categories().thing(only["thing"]) is not None)):
        return f"这笔是{only['day'] or only['thing']}"
    for words in sorted({entry.description for _, entry in pending}, key=len, reverse=True):
        found = [number for number, entry in pending if entry.description == words]
        if len(words) > 1 and len(found) == 1 and line.count(words) == 1:
            line = re.sub(f"{re.escape(words)}的?(?:[那这]?一?[笔个条项])?的?", f"第{found[0] + 1}笔", line)
    return line
