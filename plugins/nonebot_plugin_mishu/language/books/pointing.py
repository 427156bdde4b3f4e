"""Items of a card in a line: 第一笔, 前两笔, 打车那笔, 把20改成25, 3是收入. Pure.

A bare number is an item only at the start, directly before its correction (1和3都改成昨天), and only if no
pending item has that amount.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from ...patterns import Pattern
from ..cards.pointed import Pointed
from ..entries.categories import BUILT_IN, Categories, alike_to
from ..entries.entry import Entry
from ..ledger import difference
from ..recognise.item_numbers import read as read_reference
from ..recognise.money import find_amounts
from ..recognise.numerals import parse_integer
from ..text.fold import normalise

Pending = Sequence[tuple[int, Entry]]
"""The pending items by their number on the card."""

_NUMBER: Final = "[0-9一二三四五六七八九十百零两]{1,4}"
_AND: Final = " ?[和跟与、及到至~] ?"
_NTH: Final = (
    f"(?:倒数)?第 ?{_NUMBER}(?:(?: ?[笔个条项])?{_AND}(?:第 ?)?{_NUMBER}(?=[笔个条项,改是应都全]|{_AND}))*"
    " ?(?:[笔个条项单件]|(?=[,改是应的都全]))"
)
SAID: Final = (
    f"{_NTH}|(?:最后|[前头后])[面边]?(?:{_NUMBER})?[笔条项]|(?:最后|[前头])[面边]?那?(?:{_NUMBER})?个(?!月|星期|礼拜|人|小时)|最后那一?[笔条]"
    f"|{_NUMBER}号?那一?[笔条]"
)
"""An item, or several, by their numbers."""
_ITEM: Final = Pattern(f"(?P<number>{SAID})|(?:这|那)一?[笔个条项]")
_BARE: Final = Pattern(
    f"(?:把|将)?(?P<number>{_NUMBER}(?:{_AND}{_NUMBER})*)号?(?=(?:都|也|全|全部)?(?:改|是|应该|应为|换|算|归|记成|变成))"
)
_FROM: Final = Pattern(
    "(?:把|将)?(?P<old>[0-9.]{1,9}) ?[块元]?(?:的|那笔|那个)*(?:改成|改为|改到|换成|改|应该是|应为|写成)"
    "|(?:不是|并非) ?(?P<denied>[0-9.]{1,9}|[零一二两三四五六七八九十百千万]{1,6}) ?[块元]?,?(?:而?是|应该是)"
)
_BOTH: Final = Pattern("[和跟与、][^,，。]*(?:都|全)")
"""午饭和打车都是昨天的."""
_LONGEST_CORE: Final = 8
_LEAST: Final = 2
"""Characters before what a line says that name nothing (哎，我)."""


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
    """The only item of the amount to be replaced (把20改成25, 不是20是25)."""
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
    if not found and (name := _name(subject)):
        found = _called(name, pending)
        if len(found) > 1:
            return []
    return found or _of_its_kind(subject, pending, categories)


_SUBJECT_ENDS: Final = Pattern("(?<![不还就可但要总])[是算](?!账)|为|[,，。;；]|不对")
_TO_START: Final = Pattern("[把将,，。 那这个笔的]+")


def _name(subject: str) -> str:
    """Words before 是 or an amount with nothing else: 烟 of 烟是33."""
    said = re.split("[ ,，]+", subject.strip())[-1]
    said = _SUBJECT_ENDS.split(said, maxsplit=1)[0]
    amounts = find_amounts(said)
    said = said[: amounts[0].start] if amounts else said
    name = _TO_START.sub("", said.strip(), count=1) if _TO_START.match(said) else said.strip()
    return re.sub("的?[那这]?一?[笔个条项]?的?$", "", name)


_CALLED_SO: Final = Pattern(
    "(?:把|将|那|这|我|我们|今天|昨天|前天|早上|中午|下午|晚上|刚才|刚刚|上面|前面|第?一?[笔个条单顿杯份](?=.{2}))*+"
    "(?P<words>.*?)"
    "(?:的?(?:[那这]?一?[笔个条项单顿杯份次]|里面?|那里)?(?:的?(?:账|帐|钱|记录|支出|收入|开销|费用?))?的?)"
)
_LONGEST_KIND: Final = 4
_SAYS_MORE: Final = Pattern("[0-9第再加还又要不别是改换]")
_TOGETHER: Final = Pattern("[和跟与、及]|还有|以及")
_IN_SHORT: Final = Pattern("^.{1,4}的(?=.)")
"""我早上的咖啡."""
_LOOSE: Final = Pattern("[给了的我在去买吃喝付花掉]")


def pointed(words: str, pending: Pending) -> Pointed:
    """`ItemModel.pointing`: the items of words that are only a name (转我妈那个, 20的)."""
    named: list[int] = []
    for part in _TOGETHER.split(words):
        found = _called(part.strip(), pending)
        if len(found) != 1:
            return Pointed(which=bool(found) and not named)
        named += [number for number in found if number not in named]
    return Pointed(tuple(sorted(named)))


def _called(words: str, pending: Pending) -> list[int]:
    """Every pending item of these words, this amount or, where there is none, this category."""
    placed = _PLACED.fullmatch(words)
    if placed is not None:
        alike = _called(placed["name"], pending)
        place = parse_integer(placed["place"]) or 0
        return alike[place - 1 : place] if place and len(alike) > 1 else []
    found = _CALLED_SO.fullmatch(words)
    core = found["words"].strip() if found is not None else words
    if not core:
        return []
    said = find_amounts(f"花了{core}")
    if len(said) == 1 and said[0].end == len(core) + 2 and said[0].start <= 2:
        return [number for number, entry in pending if entry.fen == said[0].fen]
    if (priced := _called_with_sum(core, pending)) is not None:
        return priced
    bare = _LOOSE.sub("", core)
    ways: list[Callable[[Entry], bool]] = [
        lambda entry: entry.description == core,
        lambda entry: bool(bare) and _LOOSE.sub("", entry.description) == bare,
        lambda entry: len(bare) > 1 and bare in _LOOSE.sub("", entry.description),
        lambda entry: len(entry.description) > 1 and _IN_SHORT.sub("", core) == entry.description,
        lambda entry: len(core) == 1 and entry.description.endswith(core),
        lambda entry: entry.category == core,
    ]
    for is_called in ways:
        alike = [number for number, entry in pending if is_called(entry)]
        if alike:
            return alike
    alone = len(core) <= _LONGEST_KIND and _SAYS_MORE.search(core) is None
    return _of_its_kind(core, pending, Categories()) if alone else []


_PLACED: Final = Pattern(
    "(?P<name>[^,，。0-9 第]{1,8}?)的?第(?P<place>[0-9一二三四五六七八九]{1,2})[个笔条]?"
)
"""打车第一个: of those called so."""


def _called_with_sum(words: str, pending: Pending) -> list[int] | None:
    """The items of a name with its sum beside it (火锅2块的, 2块的火锅); None for other words."""
    sums = [each for each in find_amounts(words) if each.fen]
    if len(sums) != 1:
        return None
    left = f"{words[: sums[0].start]} {words[sums[0].end :]}"
    name = _AROUND_SUM.sub("", left)
    if not name:
        return None
    return [n for n, each in pending if each.fen == sums[0].fen and each.description == name] or None


_AROUND_SUM: Final = Pattern("^(?:[那这]个|[ 的])+|[块元钱 的]|[那这]?一?[笔个条单]$")


def _of_its_kind(subject: str, pending: Pending, categories: Categories) -> list[int]:
    """The only item that a synonym (那个打的费 for 打车) or a category name (饭钱) means. Two things of a
    category are no synonyms."""
    thing = categories.thing(subject) if subject.strip() else None
    if thing is None:
        return []
    kind, word = thing
    alike = alike_to(word) if word is not None else frozenset[str]()
    found = [
        number
        for number, entry in pending
        if (kind is not None and entry.category == kind) or any(one in entry.description for one in alike)
    ]
    return found if len(found) == 1 else []


def called(words: str, pending: Pending) -> list[int]:
    """Every item of which words are a name, or a part of one that nothing else has."""
    return _called(words.strip(), pending)


def _core(subject: str) -> str:
    """Words before 那笔 and the like: 奶茶 of 奶茶那笔的."""
    found = re.match(
        f"(?:把|将)?([^,，。 0-9的那这]{{2,{_LONGEST_CORE}}})(?:那|这)?(?:一?[笔个条])?的?", subject.strip()
    )
    return found[1] if found else ""


_BY_PART: Final = Pattern(
    "(?:把|将)?(?P<name>[^,，。0-9 第那这是改个]{1,8})(?:的?[那这]?一?[笔个条项])?的?"
    "(?=是[^不吗谁什]|应该是|改成|改为|算[作成]?)"
)
"""蒜是昨天的, of 买蒜."""

_ONLY: Final = Pattern(
    "(?:那个?|这个?|其实|应该|就|都|它|,)*是?(?:(?P<day>大?前天|昨[天晚]|今[天早]|上?上?(?:周|星期|礼拜)[一二三四五六日天]|[0-9]{1,2}号)"
    "|(?P<thing>[^,，。0-9的是不吗]{2,6}))的?[吧啊啦呀哦了]*"
)
"""All of a line that says no more than what the item is (是晚饭, 前天的)."""


_A_DAY: Final = (
    "(?:大?前[天晚]|昨[天晚儿]|今[天早晚儿]|上?上?(?:周|星期|礼拜)[一二三四五六日天](?!共)"
    "|(?:[0-9]{1,2}月)?[0-9]{1,2}[号日])(?:的账)?"
)
_SAYS_DAY: Final = Pattern(
    "(?:[哎噢哦啊对不错了, ]{1,6})?(?:刚才?|上面|前面|[那这])?"
    "(?:[一两俩二三四五六几]?[笔个条])?(?:账)?(?:全?都|应该|其实|也|就)*"
    f"(?:是(?P<day>{_A_DAY})[打买吃付花喝玩坐交去]?的(?:[, ]*(?:不是|而不是){_A_DAY}的?)?"
    f"|不是{_A_DAY}的?[, ]*(?:而?是)(?P<then>{_A_DAY})的?)[吧啊啦呀哦了]*"
)
"""All of a line that says of a record, or of some, on which day it was (是昨天的, 两个都是前天的)."""
_OTHERS_STAY: Final = Pattern(
    "[, ]*(?:其[余他它]|剩下|别|余下)的?(?:[几那]?[个笔条])?(?:都|全|先|就)*"
    "(?:不[变动改用]|别动|留着|保留|照旧|照记|没问题|没错|对的?|不用动|不用改|不要动)[了的吧]*$"
)
"""其余不变: what is said behind an order of one item."""


_OF_ALL: Final = Pattern("都|全|[两俩三四五六几][笔个条]")


def says_difference(line: str) -> bool:
    """True for an amount's error without a name (多写了一个零)."""
    off = difference(line, find_amounts(line))
    return off is not None and off.start <= _LEAST and len(line) - off.end <= 1


def only_day(text: str) -> bool:
    """True for a line that is only a day."""
    return _SAYS_DAY.fullmatch(normalise(text[:40]).strip(" 。.!~")) is not None


def points_back(text: str) -> bool:
    """True for a correction of an unnamed 那笔 (那笔算到交通里)."""
    line = normalise(text[:40])
    return _POINTS_BACK.match(line) is not None or _TO_CATEGORY.fullmatch(line.strip(" 。.!~")) is not None


def points_at_sum(text: str) -> bool:
    """True for a sum that was told before (打车那38我请客的)."""
    return _THAT_SUM.search(normalise(text[:40])) is not None


_THAT_SUM: Final = Pattern("[那这](?:一?[笔个])?(?=[0-9])")
_POINTS_BACK: Final = Pattern(
    "(?:把|将)?(?:刚才|刚刚|上面)?[那这]一?[笔条](?:账|钱)?(?:应该|其实|给我|帮我|你)?(?:算|归|记到|记成|记在|放到?|划到|改|换|挪)(?![了命错])"
)


_TO_CATEGORY: Final = Pattern(
    f"(?:应该)?(?:算|归|记|放|划)(?:到|进|在|成)(?:{'|'.join(BUILT_IN)})(?:里面?|里头|那?一?类|分类)?[吧了啊呀]*"
)
"""放到娱乐里吧."""


def without_sum_refused(line: str) -> tuple[str, int | None]:
    """A line that refuses something by its name and its sum (火锅2块那笔删了) without the sum, and that in
    fen; every other line as it is."""
    sums = [each for each in find_amounts(line) if each.fen]
    if len(sums) != 1 or _AWAY.search(line, sums[0].end) is None or _CHANGED.search(line) is not None:
        return line, None
    before, behind = line[: sums[0].start].rstrip(" ,"), line[sums[0].end :].lstrip(" 块元钱")
    return f"{before}{behind.removeprefix('的')}", sums[0].fen


_AWAY: Final = Pattern("删|撤|去掉|划掉|取消|作废|不要|不记|别记|不用记|不算|不是(?:账|钱|花)")
_CHANGED: Final = Pattern("改|换成|应该|其实|不是[0-9]|是[0-9]")


def numbered(text: str, pending: Pending) -> str:
    """`ItemModel.naming`: 第2笔不要了 for 打车那笔不要了, where just one pending item is called so.

    这笔是晚饭 for 是晚饭, which is about the items since it says nothing else.
    """
    line = _OTHERS_STAY.sub("", normalise(text[:100]).strip(" 。.!~"))
    line, fen = without_sum_refused(line)
    if fen is not None and not any(
        entry.fen == fen and entry.description and entry.description in line for _, entry in pending
    ):
        line = normalise(text[:100]).strip(" 。.!~")
    only = _ONLY.fullmatch(line)
    if only is not None and (only["day"] or ("是" in line and Categories().thing(only["thing"]) is not None)):
        return f"这笔是{only['day'] or only['thing']}"
    days = _SAYS_DAY.fullmatch(line)
    if days is not None and len(pending) > 1 and _OF_ALL.search(line):
        return f"都改成{days['day'] or days['then']}"  # 两个都是昨天的
    if days is not None and len(pending) == 1:
        return f"这笔是{days['day'] or days['then']}"  # 是前天打的
    if len(pending) == 1 and says_difference(line):
        return f"第{pending[0][0] + 1}笔{line}"
    whole = True
    for words in sorted(dict.fromkeys(entry.description for _, entry in pending), key=len, reverse=True):
        found = [number for number, entry in pending if entry.description == words]
        if len(words) > 1 and len(found) == 1 and line.count(words) == 1:
            line = re.sub(f"{re.escape(words)}的?(?:[那这]?一?[笔个条项])?的?", f"第{found[0] + 1}笔", line)
            whole = False
    said = _BY_PART.match(line) if whole else None
    found = _called(said["name"], pending) if said is not None else []
    if said is not None and len(found) == 1:
        return f"第{found[0] + 1}笔{line[said.end() :]}"
    return line
