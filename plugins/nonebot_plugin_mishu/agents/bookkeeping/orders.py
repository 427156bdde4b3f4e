"""What is asked of the books beside recording: budgets, words for categories, queries. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

from ...text import Role, find_amounts, mask_identifiers, normalise, parse_integer
from ...timeparse import TimeExpression
from ..wording import LONGEST
from .categories import BUILT_IN, Categories, is_name, said_type
from .entry import OTHER, Type, shown
from .repaying import said_to_be_repaid

QueryKind = Literal["sum", "list", "owes", "export", "budget", "picture"]

_NUMBER: Final = "[0-9一二两三四五六七八九十百]{1,4}"
_TEACH: Final = re.compile(
    "(?:以后|今后|从今以后|从现在起|往后)(?:把|将|的)?(?P<word>[^,，。0-9]{1,10}?)(?:都|就|要|请|也)*"
    "(?:算作|算到|算成|算|归到|归为|归入|归|记到|记成|记为|属于|当成|分到)(?:在|为|成|到|进|是)?"
    "(?P<category>[^,，。的]{1,8}?)(?:这?个?分类|这?个?类别|类|里面?|上|吧|了|啊|!|！)*$"
)
_BUDGET: Final = re.compile("预算")
_BUDGET_SET: Final = re.compile(
    "预算.{0,12}?[0-9零一二两三四五六七八九十百千万]|[0-9零一二两三四五六七八九十百千万].{0,12}?预算"
)
"""A number near it, before amounts are read at all."""
_SUBJECT: Final = re.compile(
    "帮?我们?|的|总|请|麻烦|把|将|给|每个?月|[这本下上]个?月|[0-9一二三四五六七八九十]{1,2}月份?|今年|每[周年天]|月度?|设置?|设定|定|一个|个"
    "|记一?下|生活|消费|支出|花费|日常|家庭|方面|上|类|里|,|，|:|：| "
)
_BUDGET_ASKED: Final = re.compile("还剩|多少|够不够|超了|吗$|[?？]|项目|公司|部门")
_AROUND_UNDO: Final = (
    "(?:帮我|能不能|可以|最后|最近|操作|修改|改动|记录|回去|手滑|手误|我(?=刚?刚?才?记|[要想])"
    "|[请麻烦那这要想给快先把将刚才的上个一步下笔条次前面记账帐吗吧啊了掉错重多, ])*"
)
_UNDO: Final = re.compile(
    f"{_AROUND_UNDO}(?:撤销|撤回|撤消|撤了|撤掉|回退|还原|反悔|undo|恢复|收回(?=.*[笔账记])|(?<=[笔账的])收回)"
    f"{_AROUND_UNDO}[!~。?]*"
)
"""Of the last change, however it is pointed at: no thing is named. Each word can be taken one way only."""
_EXPORT: Final = re.compile(
    "(?:导出|下载).{0,12}(?:账(?!号)|流水|支出|收入|消费)|(?:账(?!号)|流水).{0,8}(?:导出|csv|CSV|excel|Excel)"
)
_SPAN_WORDS: Final = (
    "(?:(?:这|本|当|上上?)一?个?(?:月份?|周|星期)|[0-9一二三四五六七八九十]{1,2}月份?|[今昨前]天|[今去]年"
    "|(?:最近|近|过去)[0-9一二两三四五六七八九十]{1,3}个?[天周月])"
)
_PICTURE_OF: Final = (
    f"(?:我们?|群里?|本群|大家|公共|(?:AA|aa)|{_SPAN_WORDS}|账单?|收支|支出|收入|消费|花销|开销|花费|记账|情况"
    "|餐饮|交通|购物|娱乐|的)*"
)
_PICTURE: Final = re.compile(
    "(?:请|麻烦|帮我|给我|我想|我要|能不能|能|可以|再|把|看|发|来|要|出|生成|做|查|显示|一下|下|[一几]?[张个份幅])*"
    f"{_PICTURE_OF}(?:(?:画|做|生成|变|排)(?:成|个|张|一张|一个|出)*+)?"
    "(?:饼状?图|月度图|月报图|账单图|记账图|消费图|支出图|收支图|花销图|开销图"
    "|(?<=[账单支出入费销的])(?:统计图|柱状图|走势图|图表|图))"
    "(?:表|给我|发我|看看|一下|来|吧|呢|吗|呀|啊|谢谢|[!?。~, ])*"
)
_PICTURE_NAMED: Final = re.compile("饼|月度图|月报图|账|支|费|销|收")
_EVERY_MONTH: Final = re.compile("每个?月|月月|以后")
_MONTH: Final = re.compile(r"(?<!\d)(1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?:份)?(?!\d)")
_KINDS: Final[list[tuple[QueryKind, re.Pattern[str]]]] = [
    (
        "owes",
        re.compile(
            "谁欠|欠谁|欠我|我欠|欠多少|谁该给|该给谁|谁还没给|怎么结|结账|结算|(?:AA|aa)(?:情况|怎么|账)"
        ),
    ),
    ("export", re.compile("导出|csv|CSV|excel|Excel|表格|发我文件")),
    ("budget", re.compile("预算")),
    ("list", re.compile("明细|流水|清单|每一?笔|哪几笔|有哪些|列出|列一下|记了什么|记了哪些|几笔|哪些")),
]
_GROUP: Final = re.compile("群里|本群|我们群|全群|群的|群账|大家|公账|共同|(?:AA|aa)(?!制?的?是)|^群")
_RECENT: Final = re.compile(f"(?:最近|近|过去|这)({_NUMBER})(天|周|个星期|个?月)")


@dataclass(frozen=True, slots=True)
class BudgetOrder:
    """Set a budget; `category` empty: for everything; `month` empty: every month."""

    category: str
    month: str
    fen: int


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked after. Days are both included; `category` and `word` narrow it down."""

    kind: QueryKind
    first: date
    last: date
    title: str
    group: bool = False
    category: str | None = None
    word: str | None = None
    type: Type | None = None


def asked_of_books(text: str) -> Literal["record", "query"] | None:
    """The intent of a line that names what only the books have: a budget, a category's word, an export."""
    text = text[:LONGEST]
    if "预算" in text:
        line = normalise(text)
        if (
            _BUDGET_SET.search(line) is not None
            and not _BUDGET_ASKED.search(line)
            and _is_ours(line)
            and find_amounts(_BUDGET.sub("花了", line))
        ):
            return "record"
    if _EXPORT.search(text) is not None or wants_picture(text):
        return "query"
    if "还" in text and said_to_be_repaid(text):
        return "record"
    if "算" in text or "归" in text or "记" in text:
        lesson = taught(text)
        if lesson is not None:
            word, category = lesson
            known = category in BUILT_IN or Categories().of(word) != OTHER or "分类" in text
            return "record" if known else None
    return None


def takes_back(line: str, *, addressed: bool) -> bool:
    """Whether all of a line wants the last change undone (撤销, 把刚记的那笔账撤回).

    What is only overheard of 那条 may be a message.
    """
    if _UNDO.fullmatch(line.strip()) is None:
        return False
    return addressed or "条" not in line or re.search("[笔账帐记]", line) is not None


def _is_ours(line: str) -> bool:
    """Whether the budget spoken of is one of the books: for a span, a category or everything."""
    subject = _SUBJECT.sub("", line.partition("预算")[0])
    return subject in ("", *BUILT_IN) or Categories().of(subject) != OTHER or subject.endswith("分类")


def wants_picture(text: str) -> bool:
    """Whether all of a line asks for the picture of a span: 月度图, 上个月的账单图, 这个月的账画成饼图."""
    if "图" not in text:
        return False
    line = normalise(text).strip()
    drawn = re.search("画(?:成|个|张|一张|一个|出)*图", line)
    if drawn is not None:  # 这个月的账画成图
        line = f"{line[: drawn.start()]}饼图{line[drawn.end() :]}" if _PICTURE_NAMED.search(line) else ""
    return _PICTURE.fullmatch(line) is not None and _PICTURE_NAMED.search(line) is not None


def taught(text: str) -> tuple[str, str] | None:
    """(word, category) of 以后奶茶算饮品; None where nothing is taught."""
    found = _TEACH.search(normalise(text).strip(" 。.!~"))
    if found is None:
        return None
    word, category = found["word"].strip(), found["category"].strip()
    if not word or not is_name(category) or word == category:
        return None
    return word, category


def budget_order(text: str, today: date, categories: Categories) -> BudgetOrder | None:
    """The budget that a line sets (这个月餐饮预算1000); None where it sets none."""
    line = normalise(text)
    if _BUDGET.search(line) is None:
        return None
    plain = _BUDGET.sub("花了", line)  # behind 预算 a number is no money spent; here it is what counts
    amounts = [
        found for found in find_amounts(plain) if found.fen and found.fen > 0 and found.role is not Role.ASIDE
    ]
    if len(amounts) != 1 or _BUDGET_ASKED.search(line):
        return None
    month = f"{today:%Y-%m}"
    named = _MONTH.search(line)
    if named is not None:
        number = parse_integer(named[1]) or today.month
        month = f"{today.year + (1 if number < today.month else 0)}-{number:02d}"
    elif re.search("下个?月", line):
        month = f"{_next_month(today):%Y-%m}"
    elif _EVERY_MONTH.search(line):
        month = ""
    rest = plain[: amounts[0].start] + plain[amounts[0].end :]
    name = next((each for each in sorted(categories.names, key=len, reverse=True) if each in rest), None)
    return BudgetOrder(name or categories.named(rest) or "", month, amounts[0].fen or 0)


def query(
    text: str, today: date, times: Sequence[TimeExpression], categories: Categories, *, private: bool
) -> Query:
    """What a line asks of the books; without a time, this month."""
    line = mask_identifiers(normalise(text))
    kind = _kind(line)
    first, last, title = _span(line, today, times)
    name = next((each for each in categories.names if each in line and each not in ("转账",)), None)
    word = None
    if name is None:
        word = _word(line, categories)
    group = not private and _GROUP.search(line) is not None
    asked = said_type(line) if re.search("收入|支出|花销|开销", line) else None
    both = "收入" in line and re.search("支出|花销|开销|收支", line) is not None
    return Query(kind, first, last, title, group, name, word, None if both else asked)


def _kind(line: str) -> QueryKind:
    if wants_picture(line):
        return "picture"
    for kind, pattern in _KINDS:
        if pattern.search(line):
            return kind
    return "sum"


def _word(line: str, categories: Categories) -> str | None:
    """A thing asked after by its own word (奶茶花了多少): found in what was written down."""
    found = re.search("(?:在|买|喝|吃)?([^,，。? 0-9的]{1,6}?)(?:上|方面)?(?:一共|总共|共)?花了?多少", line)
    if found is None:
        return None
    word = re.sub(
        "^(?:我|今天|昨天|这个?月|本月|上个?月|这周|本周|上周|今年|一共|总共|总|共|群里|大家)+", "", found[1]
    )
    word = re.sub("^(?:在|买|喝|吃)", "", word) if len(word) > 2 else word
    return word if len(word) > 1 and categories.named(word) is not None else None


def _span(line: str, today: date, times: Sequence[TimeExpression]) -> tuple[date, date, str]:
    monday = today - timedelta(days=today.weekday())
    month = today.replace(day=1)
    recent = _RECENT.search(line)
    if recent is not None:
        count = min(parse_integer(recent[1]) or 1, 3650)
        days = count * {"天": 1, "周": 7, "个星期": 7}.get(recent[2], 30)
        return today - timedelta(days=max(1, days) - 1), today, f"最近{recent[1]}{recent[2]}"
    if re.search("前天", line):
        return _day(today - timedelta(days=2))
    if re.search("昨[天日晚]", line):
        return _day(today - timedelta(days=1))
    if re.search("今[天日晚]|当天", line):
        return _day(today)
    if re.search("上上?个?(?:周|星期|礼拜)", line):
        return monday - timedelta(days=7), monday - timedelta(days=1), "上周"
    if re.search("[这本](?:个|一)?(?:周|星期|礼拜)", line):
        return monday, today, "本周"
    if re.search("上个?月", line):
        last = month - timedelta(days=1)
        return last.replace(day=1), last, f"{last.month}月"
    if re.search("[这本当]个?月|[这本]一个月", line):
        return month, _next_month(today) - timedelta(days=1), f"{today.month}月"
    if re.search("去年", line):
        return date(today.year - 1, 1, 1), date(today.year - 1, 12, 31), f"{today.year - 1}年"
    named = _MONTH.search(line)
    if named is not None and not any(found.kind in ("point", "day") for found in times):
        number = parse_integer(named[1]) or today.month
        first = date(today.year - (1 if number > today.month else 0), number, 1)
        return first, _next_month(first) - timedelta(days=1), f"{first.year}年{number}月"
    if re.search("今年|全年|年度", line):
        return date(today.year, 1, 1), today, f"{today.year}年"
    if re.search("全部|所有|一直以来|历史", line):
        return date(1990, 1, 1), today + timedelta(days=366), "全部"
    dated = [found for found in times if found.date is not None and found.date <= today]
    if dated:
        found = dated[0]
        assert found.date is not None
        if found.end_date is not None and found.end_date > found.date:
            return found.date, found.end_date, f"{shown(found.date)}到{shown(found.end_date)}"
        return _day(found.date)
    return month, _next_month(today) - timedelta(days=1), f"{today.month}月"


def _day(day: date) -> tuple[date, date, str]:
    return day, day, shown(day)


def _next_month(day: date) -> date:
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)
