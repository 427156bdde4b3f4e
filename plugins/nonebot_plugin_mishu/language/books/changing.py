"""Fields of a corrected item: type, amount, category, day, words; and the test for a correction. Pure.

* 收入 and the like outright, or by how it came (是收到的, 是别人发的);
* of several amounts the one that is not denied; a day only where it is said as the item's (改成昨天, 前天的);
* an explicit category (分类改成聚餐) is a new one where the item has that already which it would mean;
* a line that asks, or that says more than a correction without a word of correcting (我20号过去, 我收入好低),
  is talk, though a day, a number or 收入 stands in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ...patterns import Pattern
from ..entries.categories import Categories, is_name, said_type
from ..entries.descriptions import without
from ..entries.entry import Entry, Type
from ..entries.reading import past, said_days
from ..recognise.money import Role, find_amounts
from ..recognise.times import TimeExpression
from .pointing import Pending, points_back

CORRECTING: Final = Pattern(
    "没[花付](?=[0-9])|改成|改为|改到|改作|改回|改|修改|更改|更正|换成|换为|调成|变成|设为|设成|应该|应为|不是|而是|不对|错|其实|实际"
    "|算作|算成|归到|归为|记成|多记|少记|多了个|少了个|多写|少写|多打|少打|金额|分类|类别|类型|日期|备注|描述"
)
_DENIED: Final = Pattern("(?:不是|并非|而不是|没花|别记成|从|把|由|原来|本来)(?:[^,，。是改成换为0-9]{0,4})$")
_NEW_AMOUNT: Final = Pattern(
    "(?:花了|付了|改成|改为|改到|换成|应该是|应该|应为|是|成|为|到|金额)[^0-9]{0,4}$"
)
_DESCRIBED: Final = Pattern(
    "(?:描述|备注|名称|名字|说明)(?:一下|下|上)?(?:不对|错了)?[ ,]*"
    "(?:改成|改为|应该叫|叫做|叫|是|为|成|写成|写|说)?[:： ]?(.{1,30})$"
)
_NAMED: Final = Pattern(
    "(?:分类|类别|归到|归为|放到|放进|划到|记到|算作|算成|算(?![了账命什一])|归)"
    "(?:改成|改为|算作|算成|归到|归为|算|是|为|成|到|改)?[:： ]?([^,，。的]{1,8})$"
)
_WITHIN: Final = Pattern("(?<=[^,，]{2})(?:里面?|里头|那?一类|那边|去)$")
"""归到交通里."""
_CALLED: Final = Pattern("分类|类别|归到|归为|归类|算作|算成")
"""Behind one of these a category may be a new one."""
_TO_WORDS: Final = Pattern(
    "(?:改成|改为|换成|写成|(?<=[笔个那该])叫做?|改(?![成为到回作动日期天一下了]))(?!收入|支出|转账)([^,，。0-9]{1,12})$"
)
_IS: Final = "(?<![不还就可但要总])是"
_IS_WORDS: Final = Pattern(f"{_IS}([^,，。0-9的]{{2,6}})(?:的钱|的)?[吧啦啊呀哦]*$")
_TO: Final = Pattern(
    f"(?:改成|改为|换成|应该是|应为|而是|{_IS}|成|改(?![成为到回作动日期天一下了]))([^,，。]{{1,12}})$"
)
_GIVEN_TO_US: Final = "别人|人家|朋友|同事|公司|老板|爸|妈|[他她]"
_KINDS: Final[Mapping[Type, Pattern]] = {
    "INCOME": Pattern(
        f"(?:是|算)(?:我|{_GIVEN_TO_US})?(?:收|领|赚|挣|拿|进账|得|抢)(?:到|来|进)?的"
        f"|(?:{_GIVEN_TO_US})(?:发|给|转|包)(?:给|了)?我?的"
    ),
    "EXPENSE": Pattern("(?:是|算)我?(?:花|付|给|发|交|买|包)(?:掉|出去?)?的|我(?:发|给|付|包)(?:出去?)?的"),
    "TRANSFER": Pattern("(?:是|算)转(?:出去?|过去|给.{1,6})的"),
}
"""Said without the name of a type: 红包那个是收到的."""
_ASKS: Final = Pattern("[?吗]|有没有|[了过]没(?:有)?$|多少|什么时候|几[点号]")
_MEANS: Final = Pattern(f"{_IS}|[算为]|属于|[花付]了|多了|少了|记|写")
_FILLING: Final = Pattern(
    "(?:把|将|应该|那里|那|这|一?[个条项]|一笔|它们?|都|全部?|其实|只有?|就|才|一共|总共"
    "|[的了吧啊呀啦哦呢嘛,。!~块元整笔和跟、 ])+"
)
_TYPES_SAID: Final = ("收入", "支出", "转账", "进账", "开销", "花销")
_MOST_LEFT: Final = 2
_SOMEBODY: Final = Pattern("[我你他她]")
_TO_DAY: Final = Pattern("(?:[是算在到成为改记]|日期|时间)[:： ]?$")


def is_correction(line: str, pending: Pending, categories: Categories, now: datetime, zone: ZoneInfo) -> bool:
    """True for a correcting word, or a line of nothing but item fields."""
    if CORRECTING.search(line) or points_back(line):
        return True
    if _ASKS.search(line):
        return False
    if _MEANS.search(line):
        return True
    amounts = find_amounts(line)
    spans = [span for found in said_days(line, amounts, now, zone) for span in found.spans]
    left = without(line, [*spans, *((found.start, found.end) for found in amounts)])
    known = {entry.description for _, entry in pending} | {*categories.names, *_TYPES_SAID}
    for word in sorted(known, key=len, reverse=True):
        left = left.replace(word, " ") if word else left
    left = _FILLING.sub("", left)
    return len(left) <= _MOST_LEFT and _SOMEBODY.search(left) is None


_DENIES_TYPE: Final = Pattern("[,，]?(?:而|并)?不是(?:收入|支出|转账|进账|开销|花销|消费)[吧了啊哦的]*$")


def fields_of(
    line: str, targets: Sequence[Entry], categories: Categories, now: datetime, zone: ZoneInfo
) -> dict[str, object]:
    """Changed fields, in the form of `correct_transaction`; `targets` are the named items, if any."""
    # 第二笔是还款不是支出: the right type is before the denied one.
    denied = _DENIES_TYPE.search(line)
    line = line[: denied.start()] if denied is not None and denied.start() > 0 else line
    fields: dict[str, object] = {}
    kind = said_type(line) or next((each for each, said in _KINDS.items() if said.search(line)), None)
    if kind is not None:
        fields["type"] = kind
    amount = _amount(line)
    if amount is not None:
        fields["amount"] = amount
    described = _DESCRIBED.search(line)
    if described is not None:
        fields["description"] = described[1].strip(" 。，吧了")
        return fields
    bare = without(line, [(each.start, each.end) for each in find_amounts(line)]).rstrip()
    category = _category(bare, targets, categories)
    if category is not None:
        fields["category"] = category
        words = _words(bare, categories) if len(targets) == 1 and kind is None else None
        if words is not None and (amount is None or categories.thing(words) is not None):
            fields["description"] = words
    today = now.astimezone(zone).date()
    times = said_days(line, find_amounts(line), now, zone)
    meant = [found for found in times if not line[: found.span[0]].endswith("不是")]
    times = meant or times  # 是前天的不是今天
    days = [
        day
        for found in times
        if (day := past(found, today)) is not None and _is_new_day(line, found, targets)
    ]
    if days and amount is None:
        fields["date"] = days[-1].isoformat()
    return fields


def _is_new_day(line: str, found: TimeExpression, targets: Sequence[Entry]) -> bool:
    """True if a day in a line is the item's new day: marked as such, or alone."""
    if _TO_DAY.search(line[: found.span[0]]) or "日期" in line:
        return True
    left = without(line, found.spans)
    for entry in targets:
        left = left.replace(entry.description, " ") if entry.description else left
    return _FILLING.sub("", left) == ""


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
    if _CALLED.search(line):
        return None
    to, is_ = _TO_WORDS.search(line), _IS_WORDS.search(line)
    if to is None and is_ is not None and categories.thing(is_[1]) is not None:
        to = is_
    said = to[1].strip("吧了啊 的") if to is not None else ""
    known = said in categories.names or any(name in said for name in categories.names)
    return None if not said or known else said


def _category(line: str, targets: Sequence[Entry], categories: Categories) -> str | None:
    """The category a correction names, by its name or (fuzzily) by a word for it."""
    said = _NAMED.search(line)
    if said is not None:
        wanted = _WITHIN.sub("", said[1].strip("吧了啊 "))
        known = next((name for name in categories.names if wanted in name or name in wanted), None)
        free = is_name(wanted) and _CALLED.search(said[0]) is not None and not re.search("[不没别了]", wanted)
        alike = categories.named(wanted)
        if free and known is None and any(entry.category == alike for entry in targets):
            return wanted  # 午饭的分类改成聚餐: it has the one that is meant for it already
        return known or alike or (wanted if free else None)
    to = _TO.search(line)
    tail = to[1] if to is not None else line if not targets else ""
    if said_type(tail) == "TRANSFER":
        return None
    name = next((each for each in sorted(categories.names, key=len, reverse=True) if each in tail), None)
    if name is not None:
        return name
    return categories.named(tail) if to is not None and not find_amounts(tail) else None
