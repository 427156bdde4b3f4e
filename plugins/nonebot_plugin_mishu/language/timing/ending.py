"""End of a recurrence: 吃一个星期, 坚持一个月, 到月底, 下周一到周五每天, 连续三天. Pure."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..recognise.numerals import NUMERAL, parse_decimal
from ..recognise.times import Recurrence, TimeExpression, add_months
from ..word_lists import table


def _counted(name: str) -> str:
    return (
        rf"(?P<{name}n>俩|两|\d{{1,3}}|{NUMERAL})个?(?P<{name}half>半)?(?P<{name}u>天|日|周|星期|礼拜|月|年)"
    )


FOR: Final = Pattern(
    r"[,，;； ]*(?:连续|连着|连|一连|接连)(?:提醒|催|叫|喊|通知|发)?(?:我|大家)?"
    rf"{_counted('a')}(?![内后前])(?:每天|天天|都|的)*"
    r"|[,，;； ]*(?:要|先|一共|总共|共|为期|就)*"
    r"(?:(?:坚持|持续|维持)[^,， 0-9一二两三四五六七八九十半]{0,2}|(?<=[,，;； ])[一-鿿]?)"
    rf"(?<![每隔过第]){_counted('b')}(?:就行|就好|为止|吧|哈|啊)*$"
)
"""Duration, behind (吃一个星期) or before (连续三天)."""
_DOES_TO: Final = Pattern(
    f"[,，;； ]+(?:要|就|得|一直|连续|先)*(?:{table('lasting.doing')}|坚持|持续|提醒|敷|打卡|练习)"
    "我?(?:一直)?到$"
)
"""吃药 吃到下周五: repeated action with its last day."""
_TO: Final = Pattern("(?:一直|持续)?(?:到|至|直到)$")
_BEHIND: Final = Pattern("(?:为止|结束|止|就行|就好|吧|哈|啊|[。!！~ ])*(?:$|[,，。;； ])")


def ending_of(clause: Clause, thing: TimeExpression, first: date) -> date | None:
    """Last day of a recurrence from `first` on, if given."""
    if thing.recurrence is not None and thing.end_date is not None and not thing.each_lasts:
        return thing.end_date
    said = last_day_said(clause)
    if said is not None and said.date is not None and (said.end_date or said.date) >= first:
        return said.end_date or said.date
    for one in clause.times:
        if (
            one.recurrence is not None
            or one.start is not None
            or one.date is None
            or one.spans == thing.spans
        ):
            continue
        last = one.end_date or one.date
        behind = _BEHIND.match(clause.text, one.span[1]) or clause.text[one.span[1] :].startswith("为止")
        if last >= first and behind and _TO.search(clause.text[: one.span[0]]):
            return last
    found = FOR.search(clause.text)
    if found is None:
        return None
    part = "a" if found["an"] else "b"
    number = 2 if found[f"{part}n"] == "俩" else parse_decimal(found[f"{part}n"])
    if number is None or not 0 < number <= 400:
        return None
    return _after(first, int(number), found[f"{part}u"], half=found[f"{part}half"] is not None)


def _after(first: date, count: int, unit: str, *, half: bool) -> date:
    if unit in ("天", "日"):
        return first + timedelta(days=count - 1)
    if unit == "年":
        return add_months(first, 12 * count + 6 * half) - timedelta(days=1)
    if unit == "月":
        return add_months(first, count) + timedelta(days=15 * half - 1)
    return first + timedelta(days=7 * count + 4 * half - 1)


def last_day_said(clause: Clause) -> TimeExpression | None:
    """Trailing last day of a daily action (提醒我吃药 吃到下周五); None for a day not to come."""
    last = clause.times[-1] if clause.times else None
    if last is None or last.start is not None or last.date is None or last.recurrence is not None:
        return None
    if (last.end_date or last.date) <= clause.situation.now.date():
        return None
    tied = _DOES_TO.search(clause.text[: last.span[0]]) is not None
    return last if tied and _BEHIND.match(clause.text, last.span[1]) else None


def said_again(clause: Clause) -> tuple[int, int] | None:
    """Span of the last day with its action; outside the title."""
    last = last_day_said(clause)
    tie = None if last is None else _DOES_TO.search(clause.text[: last.span[0]])
    return None if last is None or tie is None else (tie.start(), last.span[1])


def daily_of(clause: Clause) -> Recurrence | None:
    """连续三天晚上八点 repeats daily without 每天, and so does 吃药 吃到下周五."""
    if last_day_said(clause) is not None:
        return Recurrence("daily")
    found = FOR.search(clause.text)
    return Recurrence("daily") if found is not None and found["an"] and found["au"] in ("天", "日") else None
