"""Corrections by local rules (seed 4, 离线降级纠正): type, amount, category, day, words; or a new item. Pure.

* an item is named by its number or by a word of it; without either it is the only pending one, else a
  question; 都 and 全部 are all of them; 把20改成25 is the one of 20;
* 第一笔改成50，第二笔改成60 are two corrections, applied both or none;
* 少记了5块 and 多写了一个零 are differences of the sum;
* other arithmetic (加10块, 少了5块, 乘以2) is not understood: it is no new amount.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ....drafts import ItemModel, Local
from ....language import Question
from ....language.books.changing import CORRECTING, fields_of, is_correction
from ....language.books.pointing import (
    SAID,
    Pending,
    by_amount,
    by_number,
    by_word,
    called,
    numbered,
    only_day,
    pointed,
    without_items,
)
from ....language.clause import Situation
from ....language.entries.categories import Categories, said_type
from ....language.entries.descriptions import without
from ....language.entries.entry import Entry, entry_json, yuan
from ....language.entries.reading import read_items
from ....language.ledger import difference
from ....language.ledger.shares.participants import division_of
from ....language.recognise.members import names_in
from ....language.recognise.money import find_amounts
from ....language.text.fold import normalise
from ....patterns import Pattern
from ..model.item import ENTRY, changer, creator
from ..rules import told
from .payers import NOBODY, Around
from .sharers import COMING, asks_which, is_own_item, shared_anew

_RECKONED: Final = Pattern(
    "[加减乘除](?:上|去|了|以|个)* ?[0-9]+ ?(?:块|元|$)|[多少](?:了|算了?|记了?|写了?) ?[0-9]"
    "|乘以?|除以|翻倍|打[^,]{1,3}折|对调|对换|互换|调换"
)
_SPENDING: Final = "[买花吃喝打充交付点看坐转加订租给]"
_STILL: Final = Pattern(f"[还又也再](?={_SPENDING})(?!还给)|^要(?=[^0-9]+[0-9])")
"""Words for a further item (又买了, 还吃了, 也花了); no part of its description"""
_ADDING: Final = Pattern(
    f"{_STILL.pattern}|还有|还要|再[加记来]|另外|补[记上一]|(?<![多少重错])记(?:上|个)?一?笔|漏|忘了?记?|加[一个上]|多加"
)
_ADDED: Final = Pattern(
    "^(?:哦|噢|啊|对了|等等|等一下|,|，| )*(?:还|再|又|另外)*(?:加上|加了?|(?<=再)来|漏了?|忘了?|忘记了?|补)"
    "(?:记|写|说)?了?(?:一笔|一个|个|上)?[:： ]*(?=[^0-9油班餐湿热])"
)
_LEAD: Final = Pattern("^(?:等等|等一?下|哦|噢|啊|对了|刚才?|顺手|顺便|顺路|[ ,，])+")
_SPENT: Final = Pattern(
    "[买花吃喝打充交付看坐转加垫出收发领用订租给扣刷缴捐]了|[买花付]的?[^,，]{0,4}[0-9]|我?(?:先|都)*[垫付买出]的$"
)
_NOT_SPENT: Final = Pattern(
    "明天|后天|下[周个]|准备|打算|想|要[花买付交]|得[花买付交]|可能|如果|要是|[没不别未]|[吗?？]|多少|[他她你]|人家|别人|体重|涨"
    "|^我?(?:同事|朋友|同学|老师|领导|邻居|室友|舍友|老板|老公|老婆|我[爸妈哥姐弟妹])(?!请)"
)
"""Not spent yet, or by others"""
_OWN_WORDS: Final = Pattern(
    "把|将|应该|那里|刚才|刚刚|上面|前面|最后|那个?|这个?|一?[笔个条项单]|它们?|都|全部?|其实|只有?|就|才|一共|总共|也|再|帮|请|麻烦|给"
    "|你?我?(?:[记说写打算搞弄看]|可能|好像)|我们?|你|价格?钱?|钱|数[目额字]|名字|名称|标题|不|没|好|嗯|哦|啊|呀|是|收入|支出|转账|元|块|[^\u4e00-\u9fff]"
    "|[的了吧啦呢嘛哈，,]"
)
"""Words before a correction that name nothing"""
_EVERY: Final = Pattern(
    "^(?:把|将)?(?:它们|这些|这几笔|[两三四五六七八九十][笔个])?(?:都|全部|全|所有的?|统统|一起)"
)
_PART: Final = Pattern(f"[,，;；。]+|(?<=[^ 把将和跟与、,及到至]) ?(?=(?:{SAID}))")
_SAYS_WHAT: Final = Pattern("[ ,，]*(?:[那这]一?[笔个条])?(?:应该|其实)?是")
"""是晚饭: description of the only item, unnamed"""
_AFTER_AMOUNT: Final = Pattern(
    "(?<=[0-9块元]) ?(?P<name>[^,，。0-9 块元毛角分是改换为应]{1,8})(?=改成|改为|改|是|应该是|换成)"
)
_TOLD_ANEW: Final = Pattern(
    "(?:那个?|这个?)*(?P<name>[^,，。0-9是也还又第]{1,8})(?:应该|其实|就)?是(?=[^不吗谁什])"
)
_NODS: Final = Pattern("^(?:嗯+|对|好的?|是的?)[ ,，]*(?=[0-9])")
"""嗯99: the sum alone."""
_FURTHER: Final = Pattern(" *(?:再|另外|还有|还要|补|顺便)")
_CALLS_WRONG: Final = Pattern(
    "^(?:不对|[打写记说弄搞]错)(?:了|吧|啊|哦)*[ ,，]+(?=[^,，。0-9 ]{1,8}(?:应该|其实)?是[^,，。]+$)"
)
_LAUGHS: Final = Pattern(" *(?:6{3,}|23{2,}|886)[ !~。]*")
"""Digits that are no amount if alone"""


Share = Callable[[str, Sequence[Entry]], Sequence[Entry]]
"""Division of shared entries by a line"""


def item_model(
    categories: Categories,
    now: datetime,
    zone: ZoneInfo,
    share: Share | None = None,
    around: Around = NOBODY,
    moved: Entry | None = None,
) -> ItemModel[Entry]:
    """Item model of a conversation. `now`: time of the line; `around`: members that may be named; `moved`:
    the payment between two members that the line tells."""

    def correct(text: str, pending: Pending) -> Local:
        line = normalise(text)
        if moved is not None and CORRECTING.search(line) is None and not _is_told_of(line, pending):
            return Local(added=[{ENTRY: moved}])  # 还小雅80, beside a card of something else
        return correct_locally(text, pending, categories, now, zone, share, around)

    return ItemModel(
        changer(around),
        creator(now, zone),
        correct,
        _terms(categories),
        naming=numbered,
        pointing=pointed,
        asked=_asked,
        about=lambda text, pending: (
            shared_anew(normalise(text), pending, share, around) is not None
            or asks_which(normalise(text), pending, around)
        ),
    )


def _is_told_of(line: str, pending: Pending) -> bool:
    """True if a line names an item of the card."""
    return any(len(entry.description) > 1 and entry.description in line for _, entry in pending)


def _asked(entries: Sequence[Entry]) -> Question:
    """Question of a card: keep the items; with a repayment a yes settles."""
    return Question("make", pays=any(each.type == "TRANSFER" and each.shares for each in entries))


def _terms(categories: Categories) -> Callable[[Sequence[Entry]], Collection[str]]:
    def terms(entries: Sequence[Entry]) -> Collection[str]:
        words = {entry.category for entry in entries} | {
            entry.description for entry in entries if 1 < len(entry.description) <= 12
        }
        names = {share.name for entry in entries for share in entry.shares[1:] if len(share.name) > 1}
        # Words for further sharers.
        return words | names | (set(COMING) if names else set[str]()) | set(categories.names)

    return terms


def correct_locally(
    text: str,
    pending: Pending,
    categories: Categories,
    now: datetime,
    zone: ZoneInfo,
    share: Share | None = None,
    around: Around = NOBODY,
) -> Local:
    """Correction by local rules (seed 4): type, amount, category, day, words; or a new item.

    The item is named by its number or by a word of it; without either it is the only pending one, else a
    question. A line with words and a sum is a new item and changes none (聚餐花了300).
    """
    line = normalise(text[:500])
    if (others := shared_anew(line, pending, share, around)) is not None:
        return Local(others)
    if asks_which(line, pending, around):
        return Local(which=True)
    if (own := _own_items(line, pending, categories, now, zone, around)) and share is not None:
        return Local(added=[{ENTRY: entry} for entry in share(line, own)])
    several = _several(line, pending, categories, now, zone)
    found = _corrected(line, pending, categories, now, zone) if several is None else several
    if share is None or not found.added:
        return found
    entries = [create for fields in found.added if (create := creator(now, zone)(fields)) is not None]
    return replace(found, added=[{ENTRY: entry} for entry in share(line, entries)])


def _own_items(
    line: str, pending: Pending, categories: Categories, now: datetime, zone: ZoneInfo, around: Around
) -> tuple[Entry, ...]:
    """Items of a line with a thing, a sum and sharers of its own (蛋糕168 我出一半 剩下阿凯和月月平分);
    empty for every other line."""
    members = around.everybody
    if CORRECTING.search(line) or not is_own_item(line, [entry for _, entry in pending], members):
        return ()
    if not division_of(line, (), members).divides:
        return ()
    entries = read_items(line, now, zone, categories, names_in(line, members)).entries
    return entries if all(entry.description for entry in entries) else ()


def _several(
    line: str,
    pending: Pending,
    categories: Categories,
    now: datetime,
    zone: ZoneInfo,
) -> Local | None:
    """Result of a line with a correction for each of several items; None for any other line."""
    parts = [part for each in _PART.split(line) for part in _apart(each, pending) if part.strip()]
    further = parts[-1:] if len(parts) > 1 and _FURTHER.match(parts[-1]) is not None else []
    if further:
        first = ",".join(parts[:-1])
        added = _corrected(further[0], pending, categories, now, zone)
        found = _several(first, pending, categories, now, zone)
        found = _corrected(first, pending, categories, now, zone) if found is None else found
        return replace(found, added=added.added) if added.added and found.changes else None
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


def _apart(part: str, pending: Pending) -> list[str]:
    """Corrections without a pause between them: 午饭改28 and 早饭改6."""
    starts = [0]
    for said in _AFTER_AMOUNT.finditer(part):
        if len(called(said["name"], pending)) == 1:
            starts.append(said.start("name"))
    return [part[start:end] for start, end in zip(starts, [*starts[1:], len(part)], strict=True)]


def _corrected(
    line: str,
    pending: Pending,
    categories: Categories,
    now: datetime,
    zone: ZoneInfo,
) -> Local:
    numbers = [number for number, _ in pending]
    if (off := _put_off(line, pending, categories)) is not None:
        return off
    line = _NODS.sub("", _CALLS_WRONG.sub("", line))
    line = numbered(line, pending) if len(pending) == 1 and only_day(line) else line  # 是前天打的: a day
    named = by_number(line, pending)
    if named is None or _RECKONED.search(line) or _LAUGHS.fullmatch(line):
        return Local()  # an item not pending; arithmetic
    rest = without_items(line) if named else line
    appended = _appended(line, named, pending, categories, now, zone)
    if appended is not None:
        return appended
    amounts = find_amounts(line)
    if amounts and not named and all(each.approximate for each in amounts) and _tells_anew(line, pending):
        return Local()  # 昨天亏了两百多: another thing
    if not is_correction(rest, pending, categories, now, zone):
        return Local()
    subject = _TOLD_ANEW.match(rest)
    anew = called(subject["name"], pending) if subject is not None else []
    targets = named or (anew if len(anew) == 1 else []) or _by_word(rest, pending, categories)
    targets = targets or by_amount(rest, pending)
    if not targets and (_EVERY.match(rest) or (len(numbers) == 1 and _SAYS_WHAT.match(rest))):
        targets = numbers
    if not targets and (_is_foreign(rest, pending) or _has_words(rest, categories, now, zone)):
        return Local()  # another thing than on the card
    about = targets or (numbers if len(numbers) == 1 else [])
    fields = fields_of(rest, [entry for number, entry in pending if number in about], categories, now, zone)
    if not targets and fields and _is_another(rest, pending, categories, now, zone):
        return Local(elsewhere=True)
    if not fields or (len(targets) > 1 and len(find_amounts(rest)) > 1):
        return Local()
    if not targets and len(numbers) == 1:
        targets = numbers
    if not targets:
        return Local(which=True)
    return Local({number: fields for number in targets})


def _put_off(line: str, pending: Pending, categories: Categories) -> Local | None:
    """Sums corrected by a difference; None without one."""
    off = difference(line, find_amounts(line))
    if off is None:
        return None
    rest = f"{line[: off.start]} {line[off.end :]}"
    targets = by_number(rest, pending) or by_word(rest, pending, categories)
    if not targets and len(pending) == 1:
        targets = [pending[0][0]]
    if len(targets) != 1:
        return Local(which=not targets)
    told = off.applied(dict(pending)[targets[0]].fen)
    return Local() if told is None else Local({targets[0]: {"amount": yuan(told)}})


def _tells_anew(line: str, pending: Pending) -> bool:
    """No correction, and no name of the card."""
    known = any(entry.description and entry.description in line for _, entry in pending)
    return CORRECTING.search(line) is None and not known


def _is_foreign(line: str, pending: Pending) -> bool:
    """True for a correction with a name not on the card (对账改到后天)."""
    verb = CORRECTING.search(line)
    if verb is None:
        return False
    subject = re.split("[,，;；。!！]", line[: verb.start()])[-1]
    left = _OWN_WORDS.sub("", without(subject, [(one.start, one.end) for one in find_amounts(subject)]))
    known = any(entry.description and entry.description in subject for _, entry in pending)
    return len(left) > 1 and not known


def _is_another(line: str, pending: Pending, categories: Categories, now: datetime, zone: ZoneInfo) -> bool:
    """True if a line gives a sum for a thing not on the card (水电也是我付的，328.6, card of a repayment)."""
    entries = read_items(line, now, zone, categories).entries
    known = "".join(f"{entry.description}\n{entry.category}\n" for _, entry in pending)
    names = [entry.description for entry in entries if categories.thing(entry.description) is not None]
    return any(all(name[at : at + 2] not in known for at in range(len(name) - 1)) for name in names)


def _points_at(words: str, known: Collection[str]) -> bool:
    """True if words contain a name of the card and more."""
    return words not in known and any(len(each) > 1 and each in words for each in known)


def _has_words(line: str, categories: Categories, now: datetime, zone: ZoneInfo) -> bool:
    """True if a line has an expense with a description, and no correction."""
    if CORRECTING.search(line) is not None:
        return False
    return any(entry.description for entry in read_items(line, now, zone, categories).entries) and (
        _SPENT.search(line) is not None
    )


def _told_again(entries: Sequence[Entry], pending: Pending, line: str) -> Local | None:
    """Changes of items repeated with the same sums (三个都是收入 微信1830 支付宝642 现金215); None if a sum
    matches no item or several."""
    if len(entries) < 2:
        return None
    said = said_type(line)
    names = {old.description: old.fen for _, old in pending}
    if any(names.get(entry.description, entry.fen) != entry.fen for entry in entries):
        return None  # 午饭20 打车35, card: 午饭35, 打车20
    changes: dict[int, Mapping[str, object]] = {}
    for entry in entries:
        found = [(number, old) for number, old in pending if old.fen == entry.fen and number not in changes]
        if len(found) != 1:
            return None
        number, old = found[0]
        fields: dict[str, object] = {}
        if (said or entry.type) != old.type:
            fields["type"] = said or entry.type
        if entry.description and entry.description != old.description:
            fields["description"] = entry.description
        changes[number] = fields
    changes = {number: fields for number, fields in changes.items() if fields}
    return Local(changes) if changes else None


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
    """New items (还有一笔奶茶15; 打车20): description and amount, no item named and no correction.

    Without a word of adding, known descriptions are items of the card (午饭40).
    """
    if named or CORRECTING.search(line) is not None:
        return None
    anew = _TOLD_ANEW.match(line)
    if anew is not None and find_amounts(line) and len(called(anew["name"], pending)) == 1:
        return None  # 面是20，忘了加蛋, card: 吃面
    adding = _ADDING.search(line) is not None
    said = _STILL.sub("", _ADDED.sub("", _LEAD.sub("", line)))
    spent = _SPENT.search(said) is not None and _NOT_SPENT.search(said) is None
    if not (adding or spent or told(said, Situation(now.astimezone(zone)))):
        return None  # 明天机票要1200: not spent
    items = read_items(said, now, zone, categories)
    fresh = [entry for entry in items.entries if entry.description]
    if not fresh or len(fresh) != len(items.entries):
        return None
    again = _told_again(items.entries, pending, line) if not adding else None
    if again is not None:
        return again
    known: dict[str, list[int]] = {}
    for number, entry in pending:
        known.setdefault(entry.description, []).append(number)
    if not adding and any(_points_at(entry.description, known) for entry in fresh):
        return None  # 打车那里是21块5
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
