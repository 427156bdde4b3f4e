"""Reminders that go on until something is done: 每半小时提醒我交表直到我做完, 做完为止. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ...patterns import Pattern
from ..clause import Clause
from ..recognise.leads import LENGTH
from ..recognise.times import TimeExpression
from ..timing.reminder_leads import minutes_of

MOST: Final = 8
"""Times that it is said at most."""
_HALF_HOUR: Final[Mapping[str, Any]] = {"freq": "minutely", "interval": 30}
"""Where no interval is said."""
_DOES: Final = "[^,。!?; 0-9]"
_DONE: Final = (
    "(?:完成?|做好|弄好|搞定|好|定|掉|上|停|了|到|过|成|交|回|还|醒|来|起床?|发|给|写|填|收|付|转|寄"
    "|应声|出声|吱声|答应|拿|取|接|见)"
)
_WHO: Final = "(?:我|俺|他|她|ta|你|人家)?"
_ENDS: Final = "[吧啊哈哦呗]?(?=$|[,。!?; ])"
_AGAIN: Final = "(?:提醒|催|叫|喊)?[我他她]?"
_TILL: Final = f"(?:[, ]*(?:提醒|催|叫|喊)?[我他她]?(?:一?直)?到{_WHO}{_DOES}{{0,6}}?{_DONE}了?(?:为止)?)"
_UNTIL: Final = Pattern(
    f"[, ]*(?:(?:一直|反复|不停地?|不断)?{_AGAIN})(?:一?直到|到|等到){_WHO}{_DOES}{{0,11}}?{_DONE}"
    f"(?:为止|才停|才算完){_ENDS}"
    f"|[, ]*一?直到(?:{_WHO}{_DOES}{{0,11}}?{_DONE}|[我他她]{_DOES}{{1,11}}?){_ENDS}"
    f"|(?:[, ]+|(?<=次)){_WHO}{_DOES}{{0,6}}?{_DONE}了?(?:为止|才停|才算完|算|就停|再停){_ENDS}"
    f"|[, ]*(?:只要|如果)?{_WHO}[没不]{_DOES}{{0,6}}?{_DONE}?(?:完|做|的话)?你?就?"
    "(?:一直|继续|接着|不停地?|不断|反复|再(?=提醒|催|叫|喊)|(?:不许|别|不要|不能|不准)停)地?"
    f"{_AGAIN}(?:[一几]?[次下遍声]|下去)?{_TILL}?{_ENDS}"
    f"|[, ]*(?:啥|什么)时候{_DOES}{{0,6}}?{_DONE}了?(?:啥|什么)时候"
    f"(?:拉倒|停|算完|为止|罢休|才算|才停|结束){_ENDS}"
)
_ALWAYS_TO: Final = Pattern(f"(?<=[我他她])到[我他她]{_DOES}{{1,11}}{_ENDS}")
"""一直催我到我交完报告"""
_CALLS: Final = Pattern("提醒|叫|喊|催|通知|戳|闹")
_ONLY_ALWAYS: Final = Pattern("(?:一直|反复|不停地?|不断地?|循环|轮番|定时)(?=提醒|叫|喊|催|通知|戳)")
_PER: Final = Pattern("(?<=提醒|叫我|喊我|催我|醒我)一?[次下遍]")


@dataclass(frozen=True, slots=True)
class UntilDone:
    """An order to remind until something is done."""

    order: Clause
    """The order without these words."""
    rhythm: Mapping[str, Any]
    """Recurrence as it is stored, with its `count`."""
    of_another: bool = False
    """Somebody who is not named is to be urged (催他一次): no reminder of the speaker's."""
    until: str = ""
    """The awaited action, where the words say it whole: 把合同给我 of 直到她把合同给我."""


def until_done(clause: Clause) -> UntilDone | None:
    """The order of a clause; None for any other line."""
    text, until = clause.text.lower(), ""
    if len(text) != len(clause.text) or len(text) > _LONGEST or not _CALLS.search(text):
        return None
    found = None if _UNLESS_EVERY.search(text) is not None else _UNTIL.search(text)
    found = found or (_ALWAYS_TO.search(text) if "一直" in text else None)
    if found is not None and not any(
        found.start() < end and begin < found.end() for each in clause.times for begin, end in each.spans
    ):
        order = clause.without(*found.span())
        handed = _HANDED.search(clause.text[found.start() : found.end()])
        until = handed["what"] if handed is not None else ""
    elif (unless := _unless(clause, text)) is not None:
        order = unless
    else:
        return None
    of_another = _URGES_ANOTHER.search(order.text) is not None
    for pattern in (_ONLY_ALWAYS, _PER):
        said = pattern.search(order.text)
        order = order if said is None else order.without(*said.span())
    rule = next((each.recurrence for each in order.times if each.recurrence is not None), None)
    if rule is not None:
        return UntilDone(order, {**rule.as_kept(), "count": MOST}, of_another, until)
    rhythm, every = _HALF_HOUR, _EVERY.search(order.text)
    if every is not None and (minutes := minutes_of(every["length"])):
        rhythm, order = {"freq": "minutely", "interval": minutes}, order.without(*every.span())
    return UntilDone(order, {**rhythm, "count": MOST}, of_another, until)


_URGES_ANOTHER: Final = Pattern("[催戳盯](?:一?下|一催|着|紧)?(?:他|她|ta)(?!们)")
_LONGEST: Final = 80
_HANDED: Final = Pattern(f"直到{_WHO}(?P<what>把.{{1,60}}?)(?:了|为止|才停|才算完){{0,3}}{_ENDS}")
_EVERY: Final = Pattern(f"(?:每隔|隔|每过|每)(?P<length>{LENGTH})")
"""An interval that is no time of the grammar: 隔一刻钟."""
_NOT_DONE: Final = f"(?:只要|如果|要是)?{_WHO}[没不]{_DOES}{{1,6}}?"
_UNLESS: Final = Pattern(f"(?:[, ]*{_NOT_DONE}(?:(?:的话)?你?就|的话|的)|[, ]+{_NOT_DONE})(?:给我|再)?$")
_UNLESS_EVERY: Final = Pattern(
    f"[, ]*{_NOT_DONE}(?:的话)?你?就?(?:给我|再)?(?P<every>(?:每隔|隔|每过){LENGTH})"
    f"(?P<then>(?:就|再)?(?:提醒|催|叫|喊|问|戳)(?:一?下)?[我他她]?[一几]?[次下遍声]?{_TILL}?){_ENDS}"
)
"""没回你就隔十分钟再喊"""
_CALLED_THEN: Final = Pattern(
    "^(?:再)?(?:提醒|催|叫|喊)(?:一?下)?(?:我|他|她)?一?[次下遍]?(?:吧|哈|啊|哦|呗)?"
)


@dataclass(frozen=True, slots=True)
class HowOften:
    """How often somebody is to be urged, said behind what about."""

    order: Clause
    """The order without these words."""
    minutes: int = 0
    when: TimeExpression | None = None
    """Recurrence of the grammar (每天十点); None where an interval is said."""


def how_often(clause: Clause) -> HowOften | None:
    """Words behind an order that only say how often: 五分钟催一次, 没给就一小时烦他一次, 每天十点催."""
    text = clause.text.lower()
    found = _OFTEN.search(text)
    minutes = minutes_of(found["length"]) if found is not None else None
    if found is not None and minutes and found.start() > 0:
        return HowOften(clause.without(*found.span()), minutes)
    for each in clause.times:
        start, end = each.span
        lead = _UNLESS_BEFORE.search(text[:start])
        calls = each.recurrence is not None and _URGES_THEN.fullmatch(text[end:]) is not None
        if calls and lead is not None and lead.start() > 0:
            return HowOften(clause.without(lead.start(), len(text)), when=each)
    return None


def reminds_all_until(clause: Clause) -> str:
    """Order of 两分钟后提醒大家交周报,没交的每5分钟催 without how often; empty for any other line. Who of a
    group has done it nobody tells us."""
    often = how_often(clause)
    text = clause.text if often is None else often.order.text.rstrip(" ,")
    behind = clause.text[len(text) :].lower().lstrip(" ,")
    told = often is not None and _ALL_TOLD.search(text.lower()) is not None
    return text if told and _NOT_YET.match(behind) is not None else ""


_ALL_TOLD: Final = Pattern("(?:提醒|叫|喊|通知|催)(?:一?下)?(?:大家|大伙儿?|所有人|全体|全员|各位|群里)")
_NOT_YET: Final = Pattern(f"{_WHO}[没不]")
_UNLESS_SAID: Final = f"(?:{_WHO}[没不]{_DOES}{{1,6}}?(?:(?:的话)?就|的话|的|[, ]))?"
_URGES: Final = (
    "(?:就|再|都|给我)*(?:提醒|催|问|烦|喊|叫|戳|敲|艾特|@)(?:他们?|她们?|ta|一下)?"
    "(?:[一1]?[次下遍回])?[吧哈呗啊~。!]*"
)
_OFTEN: Final = Pattern(
    f"[, ]+{_UNLESS_SAID} ?(?:就|再|给我)?(?:每隔|每过|每|隔)?(?P<length>{LENGTH}){_URGES} *$"
)
_URGES_THEN: Final = Pattern(f"{_URGES} *")
_UNLESS_BEFORE: Final = Pattern(f"[, ]*{_UNLESS_SAID}$")


def _unless(clause: Clause, text: str) -> Clause | None:
    """The order without 没交就 … 催一次, where an interval stands between (没交就每20分钟催一次)."""
    for each in clause.times:
        if each.recurrence is None or not each.recurrence.within_a_day:
            continue
        start, end = each.span
        before, behind = _UNLESS.search(text[:start]), _CALLED_THEN.match(text[end:])
        if before is None or not _CALLS.search(text[: before.start()]):
            return None
        if behind is None and "就" not in before.group() and "的" not in before.group():
            return None  # 提醒我交表,没交每天: nothing calls again
        order = clause.without(*before.span())
        return order if behind is None else order.without(end, end + behind.end())
    found = _UNLESS_EVERY.search(text)
    if found is None or not _CALLS.search(text[: found.start()]):
        return None
    return clause.without(found.start(), found.start("every")).without(*found.span("then"))
