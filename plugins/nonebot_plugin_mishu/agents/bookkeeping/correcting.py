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
from ...text import find_amounts, normalise
from ..clause import Situation
from .categories import Categories
from .changing import CORRECTING, fields_of, is_correction
from .entry import Entry, entry_json
from .model import change, creator
from .pointing import SAID, Pending, by_amount, by_number, by_word, numbered, without_items
from .reading import read_items
from .rules import told

_RECKONED: Final = re.compile(
    "[加减乘除](?:上|去|了|以|个)* ?[0-9]+ ?(?:块|元|$)|[多少](?:了|算了?|记了?|写了?) ?[0-9]"
    "|乘以?|除以|翻倍|打[^,]{1,3}折|对调|对换|互换|调换"
)
_ADDING: Final = re.compile(
    "还有|还要|再[加记来]|另外|又(?=[买花吃喝打充交付点])|补[记上一]|(?<![多少重错])记(?:上|个)?一?笔|漏|忘了?记?|加[一个上]|多加"
)
_ADDED: Final = re.compile(
    "^(?:哦|噢|啊|对了|等等|等一下|,|，| )*(?:还|再|又|另外)*(?:加上|加了?|(?<=再)来|漏了?|忘了?|忘记了?|补)"
    "(?:记|写|说)?了?(?:一笔|一个|个|上)?[:： ]*(?=[^0-9油班餐湿热])"
)
_EVERY: Final = re.compile(
    "^(?:把|将)?(?:它们|这些|这几笔|[两三四五六七八九十]笔)?(?:都|全部|全|所有的?|统统|一起)"
)
_PART: Final = re.compile(f"[,，;；。]+|(?<=[^ 把将和跟与、,及到至]) ?(?=(?:{SAID}))")
_LAUGHS: Final = re.compile(" *(?:6{3,}|23{2,}|886)[ !~。]*")
"""Digits that are no amount where they stand alone."""


def item_model(categories: Categories, now: datetime, zone: ZoneInfo) -> ItemModel[Entry]:
    """The item model in a conversation with these categories, where `now` is when the line is said."""

    def correct(text: str, pending: Pending) -> Local:
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
    pending: Pending,
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


def _several(
    line: str,
    pending: Pending,
    categories: Categories,
    now: datetime,
    zone: ZoneInfo,
) -> Local | None:
    """What a line with a correction for each of several items comes to; None where it is none."""
    parts = [part for part in _PART.split(line) if part.strip()]
    named = [by_number(part, pending) or _by_word(part, pending, categories) for part in parts]
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
    pending: Pending,
    categories: Categories,
    now: datetime,
    zone: ZoneInfo,
) -> Local:
    numbers = [number for number, _ in pending]
    named = by_number(line, pending)
    if named is None or _RECKONED.search(line) or _LAUGHS.fullmatch(line):
        return Local()  # an item that is not pending; a sum
    rest = without_items(line) if named else line
    appended = _appended(line, named, pending, categories, now, zone)
    if appended is not None:
        return appended
    if not is_correction(rest, pending, categories, now, zone):
        return Local()
    targets = named or _by_word(rest, pending, categories) or by_amount(rest, pending)
    if not targets and _EVERY.match(rest):
        targets = numbers
    fields = fields_of(rest, [entry for number, entry in pending if number in targets], categories, now, zone)
    if not fields or (len(targets) > 1 and len(find_amounts(rest)) > 1):
        return Local()
    if not targets and len(numbers) == 1:
        targets = numbers
    if not targets:
        return Local(which=True)
    return Local({number: fields for number in targets})


def _by_word(line: str, pending: Pending, categories: Categories) -> list[int]:
    return by_word(CORRECTING.split(line, maxsplit=1)[0], pending, categories)


def _appended(
    line: str,
    named: Sequence[int],
    pending: Pending,
    categories: Categories,
    now: datetime,
    zone: ZoneInfo,
) -> Local | None:
    """New items (还有一笔奶茶15; 打车20): words and an amount, no item named and nothing corrected.

    Without a word of adding, what is on the card already is meant (午饭40), each of them by its words.
    """
    if named or CORRECTING.search(line) is not None:
        return None
    adding = _ADDING.search(line) is not None
    said = _ADDED.sub("", line)
    if not (adding or told(said, Situation(now.astimezone(zone)))):
        return None  # 明天机票要1200: a number that is no money spent
    items = read_items(said, now, zone, categories)
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
