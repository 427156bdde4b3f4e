"""Corrections by local rules (seed 4, 离线降级纠正): type, amount, category, day, words; or a new item. Pure.

* an item is named by its number or by a word of it; without either it is the only pending one, else it is
  asked for; 都 and 全部 are all of them; 把20改成25 is the one of 20;
* 第一笔改成50，第二笔改成60 are two corrections, done both or none;
* what is to be reckoned (加10块, 少了5块, 乘以2) is not understood: it is no new amount.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ...drafts import ItemModel, Local
from ...drafts.references import read as read_reference
from ...text import Role, find_amounts, normalise
from .categories import Categories, is_name, said_type
from .entry import Entry, entry_json
from .model import change, creator
from .reading import past, read_items, said_days

_NTH: Final = "(?:倒数)?第 ?[0-9一二三四五六七八九十百零两]{1,4} ?(?:[笔个条项单件]|(?=[,，改是应的]))"
_ITEM_SAID: Final = f"{_NTH}|最后一?[笔个条项]"
_ITEM: Final = re.compile(f"{_ITEM_SAID}|(?:这|那)一?[笔个条项]")
_CORRECTING: Final = re.compile(
    "改成|改为|改到|改作|改回|改|修改|更改|更正|换成|换为|调成|变成|设为|设成|应该|应为|不是|而是|不对|错|其实|实际"
    "|算作|算成|归到|归为|记成|多记|少记|多了个|少了个|多写|少写|多打|少打|金额|分类|类别|类型|日期|备注|描述"
)
_RECKONED: Final = re.compile(
    "[加减乘除](?:上|去|了|以|个)* ?[0-9]+ ?(?:块|元|$)|[多少](?:了|算了?|记了?|写了?) ?[0-9]"
    "|乘以?|除以|翻倍|打[^,]{1,3}折|对调|对换|互换|调换"
)
_ADDING: Final = re.compile(
    "还有|还要|再[加记来]|另外|又|补[记上一]|(?<![多少重错])记(?:上|个)?一?笔|漏|忘了?记?|加[一个上]|多加"
)
_ADDED: Final = re.compile(
    "^(?:哦|噢|啊|对了|等等|等一下|,|，| )*(?:还|再|又|另外)*(?:加上|加了?|漏了?|忘了?|忘记了?|补)"
    "(?:记|写|说)?了?(?:一笔|一个|个|上)?[:： ]*(?=[^0-9油班餐湿热])"
)
_EVERY: Final = re.compile(
    "^(?:把|将)?(?:它们|这些|这几笔|[两三四五六七八九十]笔)?(?:都|全部|全|所有的?|统统|一起)"
)
_PART: Final = re.compile(f"[,，;；。]+|(?<=[^ 把将和跟与、,及到至]) ?(?=(?:{_ITEM_SAID}))")
_FROM: Final = re.compile(
    "(?:把|将)?(?P<old>[0-9.]{1,9}) ?[块元]?(?:的|那笔|那个)*(?:改成|改为|改到|换成|改|应该是|应为|写成)"
)
_DENIED: Final = re.compile("(?:不是|并非|而不是|别记成|从|把|由|原来|本来)(?:[^,，。是改成换为0-9]{0,4})$")
_NEW_AMOUNT: Final = re.compile(
    "(?:花了|付了|改成|改为|改到|换成|应该是|应该|应为|是|成|为|到|金额)[^0-9]{0,4}$"
)
_DESCRIBED: Final = re.compile("(?:描述|备注|名称|名字|说明)(?:改成|改为|是|为|成|写成|写)?[:： ]?(.{1,30})$")
_NAMED: Final = re.compile(
    "(?:分类|类别|归到|归为|算作|算成|算|归)(?:改成|改为|算作|算成|归到|归为|算|是|为|成|到|改)?[:： ]?"
    "([^,，。的]{1,8})$"
)
_CALLED: Final = re.compile("分类|类别|归到|归为|归类|算作|算成")
"""Behind one of these a category may be a new one."""
_TO_WORDS: Final = re.compile("(?:改成|改为|换成|写成)(?!收入|支出|转账)([^,，。0-9]{1,12})$")
_TO: Final = re.compile("(?:改成|改为|换成|应该是|应为|而是|是|成)([^,，。]{1,12})$")


def item_model(categories: Categories, now: datetime, zone: ZoneInfo) -> ItemModel[Entry]:
    """The item model in a conversation with these categories, where `now` is when the line is said."""

    def correct(text: str, pending: Sequence[tuple[int, Entry]]) -> Local:
        return correct_locally(text, pending, categories, now, zone)

    return ItemModel(change, creator(now, zone), correct, _terms(categories), naming=numbered)


def _terms(categories: Categories) -> Callable[[Sequence[Entry]], Collection[str]]:
    def terms(entries: Sequence[Entry]) -> Collection[str]:
        words = {entry.category for entry in entries} | {
            entry.description for entry in entries if 1 < len(entry.description) <= 12
        }
        return words | set(categories.names)

    return terms


def correct_locally(
    text: str,
    pending: Sequence[tuple[int, Entry]],
    categories: Categories,
    now: datetime,
    zone: ZoneInfo,
) -> Local:
    """What local rules make of a correction (seed 4): type, amount, category, day, words; or a new item.

    The item is named by its number or by a word of it; without either it is the only pending one, else it is
    asked for.
    """
    line = normalise(text[:500])
    several = _several(line, pending, categories, now, zone)
    return _corrected(line, pending, categories, now, zone) if several is None else several


def numbered(text: str, pending: Sequence[tuple[int, Entry]]) -> str:
    """`ItemModel.naming`: 第2笔不要了 for 打车那笔不要了, where just one pending item is called so."""
    line = normalise(text[:100])
    for words in sorted({entry.description for _, entry in pending}, key=len, reverse=True):
        found = [number for number, entry in pending if entry.description == words]
        if len(words) > 1 and len(found) == 1 and line.count(words) == 1:
            line = re.sub(f"{re.escape(words)}的?(?:[那这]?一?[笔个条项])?的?", f"第{found[0] + 1}笔", line)
    return line


def _several(
    line: str,
    pending: Sequence[tuple[int, Entry]],
    categories: Categories,
    now: datetime,
    zone: ZoneInfo,
) -> Local | None:
    """What a line with a correction for each of several items comes to; None where it is none."""
    parts = [part for part in _PART.split(line) if part.strip()]
    numbers = [number for number, _ in pending]
    named = [_by_number(part, numbers) or _by_word(part, pending, categories) for part in parts]
    if len(parts) < 2 or not all(named) or len({tuple(each) for each in named}) < 2:
        return None
    changes: dict[int, Mapping[str, object]] = {}
    for part in parts:
        found = _corrected(part, pending, categories, now, zone)
        if not found.changes or found.changes.keys() & changes.keys():
            return None
        changes.update(found.changes)
    return Local(changes)


def _corrected(
    line: str,
    pending: Sequence[tuple[int, Entry]],
    categories: Categories,
    now: datetime,
    zone: ZoneInfo,
) -> Local:
    numbers = [number for number, _ in pending]
    named = _by_number(line, numbers)
    if named is None or _RECKONED.search(line):
        return Local()  # an item that is not pending; a sum
    rest = _ITEM.sub(" ", line) if named else line
    appended = _appended(line, named, pending, categories, now, zone)
    if appended is not None:
        return appended
    targets = named or _by_word(rest, pending, categories) or _by_amount(rest, pending)
    if not targets and _EVERY.match(rest):
        targets = numbers
    fields = _fields(rest, [entry for number, entry in pending if number in targets], categories, now, zone)
    if not fields or (len(targets) > 1 and len(find_amounts(rest)) > 1):
        return Local()
    if not targets and len(numbers) == 1:
        targets = numbers
    if not targets:
        return Local(which=True)
    return Local({number: fields for number in targets})


def _by_amount(line: str, pending: Sequence[tuple[int, Entry]]) -> list[int]:
    """The one item of the amount that is to be another (把20改成25)."""
    said = _FROM.search(line)
    old = find_amounts(said["old"]) if said is not None else []
    found = [number for number, entry in pending if old and entry.fen == old[0].fen]
    return found if len(found) == 1 else []


def _by_number(line: str, numbers: Sequence[int]) -> list[int] | None:
    """The pending items named by number; none where no item is named; None where one is not pending."""
    found: list[int] = []
    highest = max(numbers, default=-1) + 1
    for match in _ITEM.finditer(line):
        phrase = match[0]
        if phrase.startswith(("这", "那")):
            continue
        named = read_reference(
            phrase if phrase[-1] in "笔个条项单件" else f"{phrase.strip()}笔", max(highest, 1)
        )
        if named is None:
            continue
        if not set(named.items) <= set(numbers):
            return None
        found += [number for number in named.items if number not in found]
    return found


def _by_word(line: str, pending: Sequence[tuple[int, Entry]], categories: Categories) -> list[int]:
    """The item that a word of the line stands for, where there is just one (红包那笔改为收入)."""
    subject = _CORRECTING.split(line, maxsplit=1)[0]
    found: list[int] = []
    for number, entry in pending:
        words = {entry.description, entry.category}
        if any(word and len(word) > 1 and word in subject for word in words) or (
            subject.strip() and entry.description and (core := _core(subject)) and core in entry.description
        ):
            found.append(number)
    if len(found) > 1:
        exact = [number for number, entry in pending if entry.description and entry.description in subject]
        return exact if len(exact) == 1 else []
    return found


def _core(subject: str) -> str:
    """What stands before 那笔 and the like: 奶茶 of 奶茶那笔的."""
    found = re.match(r"(?:把|将)?([^,，。 0-9的那这]{2,8})(?:那|这)?(?:一?[笔个条])?的?", subject.strip())
    return found[1] if found else ""


def _fields(
    line: str, targets: Sequence[Entry], categories: Categories, now: datetime, zone: ZoneInfo
) -> dict[str, object]:
    fields: dict[str, object] = {}
    kind = said_type(line)
    if kind is not None:
        fields["type"] = kind
    amount = _amount(line)
    if amount is not None:
        fields["amount"] = amount
    described = _DESCRIBED.search(line)
    if described is not None:
        fields["description"] = described[1].strip(" 。，吧了")
        return fields
    category = _category(line, targets, categories)
    if category is not None:
        fields["category"] = category
        words = _words(line, categories) if len(targets) == 1 and amount is None and kind is None else None
        if words is not None:
            fields["description"] = words
    today = now.astimezone(zone).date()
    times = said_days(line, find_amounts(line), now, zone)
    days = [day for found in times if (day := past(found, today)) is not None]
    if days and amount is None:
        fields["date"] = days[-1].isoformat()
    return fields


def _amount(line: str) -> str | None:
    """The new amount: of several the one not denied, the last one said as what it is to be."""
    found = [
        each
        for each in find_amounts(line)
        if each.fen is not None and each.fen > 0 and each.role is not Role.ASIDE
    ]
    left = [each for each in found if _DENIED.search(line[: each.start]) is None]
    if not left:
        return None
    meant = [each for each in left if _NEW_AMOUNT.search(line[: each.start])]
    chosen = (meant or left)[-1]
    if len(left) > 1 and not meant:
        return None
    fen = chosen.fen or 0
    return f"{fen // 100}.{fen % 100:02d}"


def _words(line: str, categories: Categories) -> str | None:
    """The words an item is to have: what is named instead of it and is no category (打车改成地铁)."""
    to = _TO_WORDS.search(line)
    said = to[1].strip("吧了啊 的") if to is not None else ""
    known = said in categories.names or any(name in said for name in categories.names)
    return None if not said or known else said


def _category(line: str, targets: Sequence[Entry], categories: Categories) -> str | None:
    """The category a correction names, by its name or (fuzzily) by a word for it."""
    said = _NAMED.search(line)
    if said is not None:
        wanted = said[1].strip("吧了啊 ")
        known = next((name for name in categories.names if wanted in name or name in wanted), None)
        free = is_name(wanted) and _CALLED.search(said[0]) is not None and not re.search("[不没别了]", wanted)
        return known or categories.named(wanted) or (wanted if free else None)
    to = _TO.search(line)
    tail = to[1] if to is not None else line if not targets else ""
    if said_type(tail) == "TRANSFER":
        return None
    name = next((each for each in sorted(categories.names, key=len, reverse=True) if each in tail), None)
    if name is not None:
        return name
    return categories.named(tail) if to is not None and not find_amounts(tail) else None


def _appended(
    line: str,
    named: Sequence[int],
    pending: Sequence[tuple[int, Entry]],
    categories: Categories,
    now: datetime,
    zone: ZoneInfo,
) -> Local | None:
    """New items (还有一笔奶茶15; 打车20): words and an amount, no item named and nothing corrected.

    Without a word of adding, what is on the card already is meant (午饭40), each of them by its words.
    """
    if named or _CORRECTING.search(line) is not None:
        return None
    adding = _ADDING.search(line) is not None
    items = read_items(_ADDED.sub("", line), now, zone, categories)
    fresh = [entry for entry in items.entries if entry.description]
    if not fresh or len(fresh) != len(items.entries):
        return None
    known: dict[str, list[int]] = {}
    for number, entry in pending:
        known.setdefault(entry.description, []).append(number)
    if not adding and all(entry.description in known for entry in fresh):
        if len(fresh) == 1:
            return None
        changes: dict[int, Mapping[str, object]] = {}
        for entry in fresh:
            numbers = known[entry.description]
            if len(numbers) != 1 or numbers[0] in changes:
                return Local()
            changes[numbers[0]] = {"amount": entry.yuan}
        return Local(changes)
    return Local(added=[dict(entry_json(entry)) for entry in fresh])
