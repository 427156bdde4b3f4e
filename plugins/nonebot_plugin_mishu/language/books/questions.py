"""Content of a question to the books: days, things, comparison. Pure.

* without a time it is this month; 最近三天 ends today, 前三天 yesterday, 这几天 are a week;
* 上周三 is a day and 上周 a week; a month of a year that is not said is the last one that was;
* of two spans (这个月比上个月) the first said is asked after, the other is what it is compared with;
* a thing (打车, 奶茶) is looked for in the words of the records; the name of a category, and what stands for
  all of one (吃饭, 出行), is the category.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final, Literal

from ...patterns import Pattern
from ..entries.categories import TRANSFERRED, Categories, said_type
from ..entries.entry import Type, shown
from ..entries.reading import NOBODY, past
from ..ledger import asking, bill_asked, divided
from ..recognise.identifiers import mask_identifiers
from ..recognise.money import find_amounts
from ..recognise.numerals import parse_integer
from ..recognise.times import TimeExpression
from ..text.fold import normalise
from .budgets import budget_asked
from .orders import wants_picture

QueryKind = Literal["sum", "list", "owes", "each", "export", "budget", "picture", "payer"]
Days = tuple[date, date, str]
"""First and last day, both included, and what the span is called."""

_KINDS: Final[list[tuple[QueryKind, Pattern]]] = [
    (
        "owes",
        Pattern(
            "谁[^,，。]{0,3}欠|欠谁|欠我|我还?欠|欠[^,，。]{0,10}多少|谁[该要]给|[该要]给谁|谁还?没(?:有)?[给付转交]|怎么结|怎么分|怎么算|结账|结算"
            "|债[^,，。券基]{0,4}(?:多少|几)|(?:多少|几)[^,，。]{0,2}债(?![券基])|(?:AA|aa)(?:情况|怎么|账)|账[^,，。]{0,4}[平清]|平账|[结还]清|清账"
        ),
    ),
    ("export", Pattern("导出|csv|CSV|excel|Excel|表格|发我文件")),
    (
        "budget",
        Pattern(
            "预算|超支|花超|超没超|(?:花|用)?超了(?:吗|没|么)|(?:还能|还可以)花(?:多少|几)|还?剩(?:多少|几)[^,，。]{0,3}(?:能|可以)花"
        ),
    ),
    (
        "list",
        Pattern(
            "明细|流水|清单|每一?笔|哪几笔|有哪些|列出|列一下|列个|账单列|记了(?:什么|啥|哪些|些)|几笔|哪些|超过|大于|高于"
            "|(?:买|花钱?|花掉|用)(?:了|过)?(?:些|点)?(?:什么|啥)|花(?:在|到|去)?哪"
        ),
    ),
]
_MINE: Final = Pattern("我(?!们)|咱(?!们)")
"""Debts of the speaker: 我欠多少, 谁欠我."""
_GROUP: Final = Pattern(
    "群里|本群|我们群|全群|群的|群账|大家|公账|共同|全家|一家人?|我们家|宿舍|寝室|全班|班费|班级|全队|会费|队费|(?:AA|aa)(?!制?的?是)|^群"
)
_ALL_BOOKS: Final = Pattern("账[目单]?(?:全都|都|全部|全)(?:给我)?(?:拉|列|调|翻|摆|发|亮)")
"""账都拉出来: everybody's."""
_TRIPS: Final = frozenset(
    ["旅游", "旅行", "出游", "自驾", "行程", "趟", "玩", "团建", "聚会", "露营", "轰趴"]
)
_TOGETHER: Final = frozenset(["这次", "这趟", "这一趟", "这回", "本次", "我们", "咱们", "一路"])
"""Words of a joint occasion, or of all together."""
_NUMBER: Final = "[0-9一二两三四五六七八九十百几]{1,4}"
_COUNTED: Final = Pattern(
    f"(?P<lead>最近|近|过去|这(?!一)|前)(?P<count>{_NUMBER})(?P<unit>天|周|个?星期|个?礼拜|个?月|年)"
)
_DAYS: Final = {"天": 1, "周": 7, "星期": 7, "礼拜": 7, "月": 30, "年": 365}
_A_FEW: Final = 7
_DAY: Final = Pattern("(?P<ago>大前[天儿]|前[天儿]|昨[天日晚儿]|今[天日晚早儿]|当天)")
_AGO: Final = {"大": 3, "前": 2, "昨": 1, "今": 0, "当": 0}
_WEEK: Final = Pattern(
    "(?:(?P<last>上{1,3})|[这本])[个一]?(?:周|星期|礼拜)(?!一(?!共)|[二三四五六日天末1-7])"
)
_THIS_MONTH: Final = Pattern(
    "(?:(?P<last>上{1,3})[一个]{0,2}|[这本当][一个]{0,2})月(?!供|租|卡|薪|[0-9]|[一二三四五六七八九十]{1,3}[号日])"
)
_MONTH: Final = Pattern(
    r"(?:(?P<year>[今去前]年|[0-9]{4}年)的?)?(?<!\d)(?P<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?:份)?(?!\d)"
)
_YEAR: Final = Pattern("(?P<year>[今去前]年|全年|年度)|(?P<half>上|下)半年")
_EVER: Final = Pattern("全部|所有|一直以来|历史|迄今")
_YEARS: Final = {"今": 0, "去": 1, "前": 2}
_COMPARES: Final = ("比", "差", "还是", "和", "跟", "与", "及")
_ASKED_TYPE: Final = ("收入", "支出", "花销", "开销", "转账")
_NEWEST: Final = Pattern("(?:最近|最后|最新|近|上)的?(?P<count>[0-9一二两三四五六七八九十]{1,3})?笔")
_LARGEST: Final = Pattern(
    "最(?:大|贵|多|高)的?(?:花销|开销|支出|消费)?(?:是|在)?(?:那|哪)?(?P<count>[0-9一二两三四五六七八九十]{1,3})?笔"
)
_SMALLEST: Final = Pattern("最(?:小|便宜|少|低)的?(?:花销|开销|支出|消费)?(?:是|在)?(?:那|哪)?一?笔")
_THAT_ONE: Final = Pattern(
    "那一?[双件条顿杯份只部台](?P<word>[^,，。0-9多几是花]{1,6})(?:花了?)?多少(?:钱)?来着"
)
"""昨天那双鞋多少钱来着: records with this name."""
_BESIDE: Final = Pattern("(?:比|[跟和与同](?=[^,，。]*(?:比|差|相比)))(?P<other>[^,，。呢]{2,6})")
"""吃饭花了多少比上个月呢: the span behind is what this month is compared with."""
_EVERYTHING: Final = (date(1990, 1, 1), date(2100, 1, 1), "")
_MORE_THAN: Final = Pattern("(?:超过|大于|高于|多于)(?P<amount>[^,，。]{1,12})")


@dataclass(frozen=True, slots=True)
class LedgerQuery:
    """Query of the books. Days are both included; `category`, `word`, `type` and `above` are filters."""

    kind: QueryKind
    first: date
    last: date
    title: str
    group: bool = False
    category: str | None = None
    word: str | None = None
    type: Type | None = None
    against: Days | None = None
    """Span of comparison."""
    above: int | None = None
    """Only records of more than so many fen."""
    newest: int | None = None
    """Only the last so many."""
    largest: int | None = None
    """Only the so many of the highest amount."""
    smallest: bool = False
    """Only the one of the lowest amount."""
    mine: bool = False
    """Debts of the speaker only."""
    other: tuple[str, ...] = ()
    """Debts between the speaker and the one member of these ids."""
    supposed: int | None = None
    """A sum in fen that is only supposed (要是请大家吃饭200 每人多少), to be divided"""
    people: int | None = None
    """Number of people who would share it, if given"""


def query(
    text: str,
    today: date,
    times: Sequence[TimeExpression],
    categories: Categories,
    *,
    private: bool,
    people: Mapping[str, tuple[str, ...]] = NOBODY,
) -> LedgerQuery:
    """Query of the books in a line; without a time, this month. `people` are members' names, with their
    ids."""
    line = mask_identifiers(normalise(text))
    kind: QueryKind = "picture" if wants_picture(line) else _kind(line, people)
    spans = _spans(line, today, times)
    beside = _BESIDE.search(line)
    if len(spans) == 1 and beside is not None and next(_said(beside["other"], today), None) is not None:
        spans = [_whole_month(today), *spans] if "月" in beside["other"] else spans
    first, last, title = spans[0]
    against = (
        spans[1] if len(spans) == 2 and kind == "sum" and any(word in line for word in _COMPARES) else None
    )
    names = [each for each in categories.names if each in line and each != TRANSFERRED]
    thing = None if names else categories.thing(line)
    name, word = thing if thing is not None else (names[0] if len(names) == 1 else None, None)
    if name is None and word is None and (that := _THAT_ONE.search(line)) is not None:
        word = that["word"]
    trip = not private and all(any(each in line for each in said) for said in (_TRIPS, _TOGETHER))
    group = trip or (not private and any(said.search(line) is not None for said in (_GROUP, _ALL_BOOKS)))
    if trip and word in _TRIPS:
        word = None  # 这次旅游总共花了多少: of all shared expenses, not of records with that name
    asked = said_type(line) if any(each in line for each in _ASKED_TYPE) else None
    both = "收入" in line and any(each in line for each in ("支出", "花销", "开销", "收支"))
    if (fen := supposed(line)) is not None:
        return LedgerQuery("each", first, last, title, supposed=fen, people=divided(line, (), people).count)
    found = LedgerQuery(kind, first, last, title, group, name, word, None if both else asked, against)
    if kind == "budget":
        return replace(found, word=budget_asked(line) or None)
    if kind == "payer":
        return replace(found, word=bill_asked(line))
    if kind == "owes":
        named = {ids for name, ids in people.items() if name in line.lower()}
        alone = len(named) == 1 and asking(line, people) == "owes"  # 小李还了没
        mine = alone or _MINE.search(line) is not None
        return replace(found, mine=mine, other=next(iter(named)) if mine and len(named) == 1 else ())
    return _chosen(found, line, spanless=not _is_spanned(line, times)) if kind in ("sum", "list") else found


def supposed(line: str) -> int | None:
    """The one sum of a question what each would bear of it, were it so; None for every other line."""
    if _SUPPOSED.search(line) is None or _EACH.search(line) is None:
        return None
    sums = [each.fen for each in find_amounts(line) if each.fen and each.fen > 0 and not each.approximate]
    return sums[0] if len(sums) == 1 else None


_SUPPOSED: Final = Pattern("要是|如果|假如|假设|假使|万一|若是")
_EACH: Final = Pattern("(?:每人|每个人|人均|一人|一个人|各自|平均)[^,，。]{0,8}(?:多少|几)")


def in_whole_words(about: str, period: str, names: Mapping[str, tuple[str, ...]] = NOBODY) -> list[str]:
    """A question to the books in the words that are read as one: what it is about (打车, 谁欠谁, 我欠多少,
    明细) and the span it names; the first that is read is meant."""
    line = normalise(about)
    if wants_picture(line) or (kind := _kind(line, names)) in ("export", "budget", "list"):
        return [f"{period}{about}", f"看看{period}的{about}"]
    if kind != "sum" or any(word in line for word in _DEBTS):
        whose = "我欠多少" if _MINE.search(line) is not None else "谁欠谁"
        return [about, whose]
    asks = any(word in line for word in ("多少", "花"))
    return [f"{period}{about}", f"{period}花了多少"] if asks else [f"{period}{about}花了多少"]


_DEBTS: Final = ("欠", "债", "该还", "该给", "没还", "没给", "转给", "互相")


def _chosen(asked: LedgerQuery, line: str, *, spanless: bool) -> LedgerQuery:
    """The question with what it wants of the records: those above an amount, the last ones, the largest."""
    newest, largest = _NEWEST.search(line), _LARGEST.search(line)
    if newest is not None:
        count = parse_integer(newest["count"] or "1") or 1
        days = _EVERYTHING if spanless else (asked.first, asked.last, asked.title)
        return replace(asked, kind="list", first=days[0], last=days[1], title=days[2], newest=count)
    if largest is not None:
        return replace(asked, kind="list", largest=parse_integer(largest["count"] or "1") or 1)
    if _SMALLEST.search(line) is not None:
        return replace(asked, kind="list", smallest=True)
    return replace(asked, above=_above(line)) if asked.kind == "list" else asked


def _kind(line: str, names: Mapping[str, tuple[str, ...]]) -> QueryKind:
    asked = asking(line, names)
    if asked is not None:
        return asked
    for kind, pattern in _KINDS:
        if pattern.search(line):
            return kind
    return "sum"


def _above(line: str) -> int | None:
    said = _MORE_THAN.search(line)
    found = find_amounts(said["amount"]) if said is not None else []
    return found[0].fen if len(found) == 1 else None


def _spans(line: str, today: date, times: Sequence[TimeExpression]) -> list[Days]:
    """The spans said, in spoken order, at least one."""
    found = sorted(_said(line, today), key=lambda each: each[0])
    dated = any(each.kind in ("point", "day") for each in times)
    spans = [days for _, days, named in found if not (named and dated)]
    if spans:
        return list(dict.fromkeys(spans))
    said = [each for each in times if (each.date or today) <= today or each.end_date is None]
    days = [(each, day) for each in said if (day := past(each, today)) is not None and day <= today]
    if not days:
        return [_whole_month(today)]
    if days[0][0].end_date is None:
        return list(dict.fromkeys(_one(day) for _, day in days))
    return [_between(each.date or day, each.end_date or day) for each, day in days]


def _is_spanned(line: str, times: Sequence[TimeExpression]) -> bool:
    return bool(times) or next(_said(line, date(2000, 1, 1)), None) is not None


def _said(line: str, today: date) -> Iterator[tuple[int, Days, bool]]:
    """The spans that are named: where, which days, and whether it is a month by its name."""
    for said in _COUNTED.finditer(line):
        yield said.start(), _counted(said, today), False
    for said in _DAY.finditer(line):
        yield said.start(), _one(today - timedelta(days=_AGO[said["ago"][0]])), False
    for said in _WEEK.finditer(line):
        back = len(said["last"] or "")
        monday = today - timedelta(days=today.weekday() + 7 * back)
        days = (monday, monday + timedelta(days=6), "上" * back + "周") if back else (monday, today, "本周")
        yield said.start(), days, False
    for said in _THIS_MONTH.finditer(line):
        first = today.replace(day=1)
        for _ in said["last"] or "":
            first = (first - timedelta(days=1)).replace(day=1)
        yield said.start(), _whole_month(first), False
    for said in _MONTH.finditer(line):
        number = parse_integer(said["month"]) or today.month
        year = today.year - (1 if number > today.month else 0)
        if said["year"]:
            year = _year(said["year"], today)
        first = date(year, number, 1)
        yield said.start(), (first, _whole_month(first)[1], f"{year}年{number}月"), True
    for said in _YEAR.finditer(_MONTH.sub(lambda month: "~" * len(month[0]), line)):
        yield said.start(), _of_year(said, today), False
    for said in _EVER.finditer(line):
        yield said.start(), (date(1990, 1, 1), today + timedelta(days=366), "全部"), False


def _counted(said: re.Match[str], today: date) -> Days:
    unit = said["unit"].removeprefix("个")
    count = _A_FEW if "几" in said["count"] else min(parse_integer(said["count"]) or 1, 3650)
    last = today - timedelta(days=1) if said["lead"] == "前" and unit == "天" else today
    shown_count = f"{count}" if "几" in said["count"] else said["count"]
    title = f"{'前' if last < today else '最近'}{shown_count}{said['unit']}"
    return last - timedelta(days=count * _DAYS[unit] - 1), last, title


def _of_year(said: re.Match[str], today: date) -> Days:
    if said["half"]:
        first, last = ((1, 1), (6, 30)) if said["half"] == "上" else ((7, 1), (12, 31))
        return date(today.year, *first), date(today.year, *last), f"{today.year}年{said['half']}半年"
    year = _year(said["year"], today)
    return date(year, 1, 1), today if year == today.year else date(year, 12, 31), f"{year}年"


def _year(said: str, today: date) -> int:
    number = parse_integer(said[:4]) if said[0].isdigit() else None
    return number if number is not None and 1990 <= number <= 9999 else today.year - _YEARS.get(said[0], 0)


def _one(day: date) -> Days:
    return day, day, shown(day)


def _between(first: date, last: date) -> Days:
    return (first, last, f"{shown(first)}到{shown(last)}") if first < last else _one(first)


def _whole_month(day: date) -> Days:
    first = day.replace(day=1)
    return first, (first + timedelta(days=32)).replace(day=1) - timedelta(days=1), f"{first.month}月"
