"""Orders about a month's budget, by `budget_forms.toml`: set, raised, lowered, dropped. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Final, Literal, cast

from ...patterns import Pattern
from ..clause import Clause
from ..entries.categories import BUILT_IN, Categories
from ..entries.entry import OTHER
from ..forms.forms import Fit, Grammar
from ..forms.tables import read_grammar, read_lexicon
from ..lexicon import Lexicon
from ..recognise.money import Amount, Role, find_amounts
from ..recognise.numerals import parse_integer
from ..text.fold import normalise
from ..text.tokens import Thing, tokens

BudgetChange = Literal["set", "more", "less", "drop"]
BUDGET: Final = "预算"
LONGEST: Final = 40
"""Characters of a line that is an order about a budget and nothing else."""
_HERE: Final = Path(__file__).parent
_BORDERS: Final = ("budget", "to_sum", "more", "less", "drop", "end", "pause")
_SPENT: Final = "花了"
"""As long as the word for a budget, behind which a number is no amount."""
_NUMBER: Final = "0-9零一二两三四五六七八九十百千万"
_SET: Final = Pattern(f"预算.{{0,12}}?[{_NUMBER}]|[{_NUMBER}].{{0,12}}?预算")
"""A number near it, before amounts are read at all."""
_SUBJECT: Final = Pattern(
    "帮?我们?|的|总|请|麻烦|把|将|给|每个?月|[这本下上]个?月|[0-9一二三四五六七八九十]{1,2}月份?|今年"
    "|每[周年天]|一个月|[这那]一?块|我|[0-9零一二两三四五六七八九十百千万.]+(?:块钱?|元)?|月度?|设置?|设定|定|一个|个"
    "|记一?下|生活|消费|支出|花费|日常|家庭|方面|上|类|里|,|，|:|：| "
)
_ASKED: Final = Pattern(
    "想[买换入整]|打算[买换去]|还剩|多少|够不够|超了(?!.{0,6}(?:提醒|告诉|通知|喊|叫|说))|吗$|[?？]|项目|公司|部门"
)
_OF_BOOKS: Final = ("月", "以后", "账", "记一下", "记一笔", "记一上", "记下", "记笔", "记上")
_OF_MONTHS: Final = Pattern("月|以后|账(?!号)")
_NOT_EXACTLY: Final = ("左右", "上下", "大概", "差不多", "大约", "最多", "以内")
_NAMED_BUDGET: Final = Pattern(
    "(?:我的?|我们的?|群里的?|这个月的?|本月的?|看看|查一?下|查|看)*+(?P<what>[^,，。0-9?？]{0,8}?)的?预算"
    "(?:呢|啊|是?多少|有多少|多少钱|情况|怎么样|[?？ ])*"
)
_ASKS_LEFT: Final = ("剩", "多少", "够", "超", "花", "没", "不", "是", "有", "设", "定", "改")
_GONE_OVER: Final = (
    "过下",
    "过一下",
    "过一遍",
    "过个",
    "对下",
    "对一下",
    "审",
    "讨论",
    "商量",
    "碰一下",
    "聊",
)
"""约个会 过下预算: what people sit down for is no budget of the books."""
_EVERY_MONTH: Final = ("每月", "每个月", "月月", "以后")
_MONTH: Final = Pattern(r"(?<!\d)(1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?:份)?(?!\d)")


@dataclass(frozen=True, slots=True)
class BudgetOrder:
    """Change of a budget; `category` empty: for everything; `month` empty: every month."""

    category: str
    month: str
    fen: int
    monthly: bool = True
    """Months or the books are named; a trip's budget may be meant where they are not."""
    change: BudgetChange = "set"
    """`more` and `less` by `fen`; `drop` without it."""


def orders_budget(text: str, *, addressed: bool) -> BudgetChange | None:
    """Change of a budget of the books that a line orders; None for every other line. One that is to be there
    already (预算加500, 不要预算了) is ordered only of us."""
    if BUDGET not in text:
        return None
    line = normalise(text)
    fit = _fit(line)
    if fit is not None and fit.form.reads != "set":
        order = _change_in(line, fit, Categories()) if addressed else None
        return None if order is None else order.change
    sets = (
        _SET.search(line) is not None
        and not _ASKED.search(line)
        and (_says(line, _OF_BOOKS) or fit is not None or (_subject(line) and not _says(line, _NOT_EXACTLY)))
        and _is_ours(line)
        and bool(_sums(line))
    )
    return "set" if sets else None


def budget_of_a_day(clause: Clause) -> bool:
    """12月20号年会 预算8000: what is planned for one day is no budget of the books, which have months."""
    days = any(each.kind in ("day", "point", "segment", "range") and each.date for each in clause.times)
    return days and "预算" in clause.text


def budget_asked(line: str) -> str | None:
    """Name in a line that is only a budget's name (办公用品预算); None for another line."""
    found = _NAMED_BUDGET.fullmatch(line.strip(" .!~。"))
    what = "" if found is None else _SUBJECT.sub("", found["what"])
    return None if found is None or _says(what, (*_ASKS_LEFT, *_GONE_OVER)) else what


def _subject(line: str) -> str:
    return _SUBJECT.sub("", line.partition("预算")[0])


def _is_ours(line: str) -> bool:
    """True for a budget of the books: of a span, a category or everything."""
    subject = _subject(line)
    return subject in ("", *BUILT_IN) or Categories().of(subject) != OTHER or subject.endswith("分类")


def budget_order(text: str, today: date, categories: Categories) -> BudgetOrder | None:
    """The budget that a line sets or changes (这个月餐饮预算1000); None where it changes none."""
    line = normalise(text)
    if BUDGET not in line:
        return None
    fit = _fit(line)
    if fit is not None and fit.form.reads != "set":
        return _change_in(line, fit, categories)
    amounts, plain = _sums(line), _as_expense(line)
    if len(amounts) != 1 or _ASKED.search(line):
        return None
    month = f"{today:%Y-%m}"
    named = _MONTH.search(line)
    if named is not None:
        number = parse_integer(named[1]) or today.month
        month = f"{today.year + (1 if number < today.month else 0)}-{number:02d}"
    elif "下月" in line or "下个月" in line:
        month = f"{_next_month(today):%Y-%m}"
    elif _says(line, _EVERY_MONTH):
        month = ""
    rest = plain[: amounts[0].start] + plain[amounts[0].end :]
    name = next((each for each in sorted(categories.names, key=len, reverse=True) if each in rest), None)
    # 餐饮预算1500: a category is of the books alone; 旅行预算 may be of one trip.
    monthly = _OF_MONTHS.search(line) is not None or _subject(line) in BUILT_IN
    return BudgetOrder(name or categories.named(rest) or "", month, amounts[0].fen or 0, monthly)


def _change_in(line: str, fit: Fit, categories: Categories) -> BudgetOrder | None:
    """Change of a budget by what a form took of the line; None where what is named is no category."""
    named = fit.slots.get("what", ())
    words = _SUBJECT.sub("", line[named[0].start : named[-1].end]) if named else ""
    category = (categories.named(words) or (words if words in categories.names else "")) if words else ""
    if words and not category:
        return None  # 旅行团的预算不要了
    sums = fit.slots.get("sum", ())
    fen = cast("Amount", sums[0].value).fen if sums else 0
    change = cast("BudgetChange", fit.form.reads)
    return BudgetOrder(category, "", fen or 0, change=change) if fen or change == "drop" else None


def _as_expense(line: str) -> str:
    """The line with its budget as an expense, as long as before: after 预算 a number is none, but here it
    counts."""
    plain = line.replace(BUDGET, _SPENT)
    for token in tokens(line, _words()):
        if not token.classes.isdisjoint(_LEADS_TO_SUM):
            plain = f"{plain[: token.start]}{' ' * (token.end - token.start)}{plain[token.end :]}"
    return plain


_LEADS_TO_SUM: Final = frozenset({"to_sum", "more", "less"})


def _sums(line: str) -> list[Amount]:
    """Sums that a budget may be set to: none by which it would only be changed."""
    by = {token.end for token in tokens(line, _words()) if not token.classes.isdisjoint({"more", "less"})}
    found = find_amounts(_as_expense(line))
    return [
        each
        for each in found
        if each.fen and each.fen > 0 and each.role is not Role.ASIDE and each.start not in by
    ]


def _fit(line: str) -> Fit | None:
    """The form that a whole line about a budget fits."""
    if len(line) > LONGEST:
        return None
    low = line.lower() if len(line.lower()) == len(line) else line
    things = [
        Thing(each.start, each.end, frozenset({"amount"}), each) for each in find_amounts(_as_expense(line))
    ]
    return next(iter(_grammar().fits(low, tokens(low, _words(), things))), None)


@cache
def _words() -> Lexicon:
    return read_lexicon(_HERE / "budget_words.toml")


@cache
def _grammar() -> Grammar:
    return read_grammar(_HERE / "budget_forms.toml", _words(), borders=_BORDERS, hard_borders=_BORDERS)


def _says(text: str, words: Sequence[str]) -> bool:
    """One of these words stands in a text."""
    return any(word in text for word in words)


def _next_month(day: date) -> date:
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)
