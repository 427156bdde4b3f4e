"""Check of a fitting form: reports, fragments and other agents' work are none. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from ...language import Fit, Reading, Token
from ...language.clause import Clause, Situation
from ...language.clauses.reports import begins_in_past, drags_on, speaks_for_all, tells_own_deed
from ...language.recognise.times import SEGMENT_BOUNDS, TimeExpression
from .classes import classes
from .owners import SCHEDULE

THINGS: Final = frozenset({"occasion", "hui", "task_noun", "schedule_noun", "reminder_noun", "plan_noun"})
"""Word classes of kept things."""
_COUNTS_DOWN: Final = ("倒计时", "定时", "计时")
"""Lengths that are an order by themselves."""
_THIS_WEEK: Final = frozenset("这本")
"""Determiners of the current week: 这周三 is ordered even on a Sunday, and the agent reports the past
date."""
_TELLS_NOTHING: Final = frozenset({"amount", "number", "pause", "of", "unit"})
_AROUND: Final = frozenset({"ought", "filler", "modal", "particle"})
_HANGS: Final = frozenset({"to", "at"})
"""Word classes at the end of a title that make it a fragment."""


def is_work(said: Reading, act: str, fit: Fit, clause: Clause, weight: int, *, weak: bool) -> bool:
    slots = fit.slots
    if weak and act == "make" and not any("clock" in token.classes for token in slots.get("when", ())):
        return False  # 星期天乐队: a day and a word make no order
    if weak and act == "finish" and not clause.situation.open_tasks:
        return False
    if weak and "title" in slots and all("this" in token.classes for token in slots["title"]):
        return False  # 那个弄一下
    if "title" in slots and all(not token.classes.isdisjoint(_TELLS_NOTHING) for token in slots["title"]):
        return False
    told = any("ba" in token.classes for token in said.tokens)  # 四点前把合同送到 is whole
    if "title" in slots and len(slots["title"]) > 1 and not told and _hangs(said.line, slots["title"][-1]):
        return False  # 开会开到十二点
    if (
        weak
        and act == "delete"
        and classes((*slots.get("name", ()), *slots.get("noun", ()))).isdisjoint(THINGS)
    ):
        return False  # 雨停了
    if act == "delete" and "enter" in classes(slots.get("name", ())):
        return False  # 把记账关了
    if act == "change" and tells_own_deed(clause.text):
        return False  # 我把闹钟设成晚上七点了 今早直接迟到
    named = not slots.keys().isdisjoint({"remind", "noun"})
    told = tells_sums(clause) and not named and "shift" not in slots and not _plans(act, fit, clause)
    if told and not (act == "make" and _minds(said)):
        return False  # with a sum in it, it is the books' (午饭35，记一下)
    if act == "make" and "remind" not in slots and drags_on(clause.text):
        return False  # 开会开到十二点
    if act == "make" and not named and "remind" not in slots and "of" in classes(slots.get("title", ())[-1:]):
        return False  # 今天交的
    if "name" in slots and all("help" in token.classes for token in slots["name"]):
        return False  # 帮我搞定
    if act == "make" and "remind" not in slots and not named and _is_shown(said, fit):
        return False  # 周报发我看看
    if act == "make" and set(slots) == {"when"} and "offset" in classes(slots["when"]):
        return clause.text.startswith(_COUNTS_DOWN)
    if act == "make" and slots.keys() <= {"whose"}:
        return False  # 通知全班
    if act == "change" and slots.keys() <= {"ahead", "shift", "when"} and "mind" in said.tokens[0].classes:
        return False  # 记得提前十分钟
    alone = len(said.line.strip(" ,.!?~。")) == 1
    if act == "join" and alone and all(each.agent != SCHEDULE for each in clause.situation.shown):
        return False  # 去, 来: of nothing that was spoken of
    if act == "join" and set(slots) == {"when"} and not _any_planned(clause):
        return False  # 下周三我来, where nothing is planned
    if act == "join" and speaks_for_all(said.line):
        return False  # 都来
    if act == "join" and "name" in slots and all("group" in token.classes for token in slots["name"]):
        return False  # 全体参加
    if act == "finish" and any(_is_later(time, clause.situation.now) for time in clause.times):
        return False  # 三点开始，一小时搞定
    if act == "join" and clause.times and not _ahead(clause.times, clause.situation):
        return False
    if not clause.situation.addressed and (act == "join" or (act == "make" and not named)):
        return False
    if (
        not clause.situation.addressed
        and act == "query"
        and not named
        and "occasion" not in classes(slots.get("name", ()))
    ):
        return False  # 完成了多少, said among members
    return not (act == "make" and weight < 3 and clause.times and not _ahead(clause.times, clause.situation))


def _any_planned(clause: Clause) -> bool:
    return any(each.agent == SCHEDULE for each in clause.situation.things)


def _is_shown(said: Reading, fit: Fit) -> bool:
    """True if something is to be shown; not for 下班前把日报发了, a deadline."""
    by_then = "when" in fit.slots and any("ba" in token.classes for token in said.tokens)
    return "look" in fit.slots.get("title", (said.tokens[0],))[-1].classes and not by_then


def is_a_name(title: Sequence[Token]) -> bool:
    """True if unknown words in a title are part of a name: before its noun (技术评审), behind its verb
    (去买猫砂盆)."""
    if not title:
        return False
    thing = title[-1].classes & {"occasion", "hui"}
    return bool(thing) or not title[0].classes.isdisjoint({"action", "to", "pay"})


def says_too_little(fit: Fit) -> bool:
    """True if the title is a single character."""
    title = [
        token
        for token in fit.slots.get("title", ())
        if token.classes.isdisjoint(_AROUND) or "action" in token.classes
    ]
    return len(title) == 1 and title[0].end - title[0].start == 1


def _hangs(line: str, token: Token) -> bool:
    return not _HANGS.isdisjoint(token.classes) or line[token.end - 1] in "到在进给"


def tells_sums(clause: Clause) -> bool:
    """True if there are sums outside all times (九点十五)."""
    spans = [span for time in clause.times for span in time.spans]
    return any(not any(start <= each.start < end for start, end in spans) for each in clause.amounts)


def _minds(said: Reading) -> bool:
    """True for a to-do introduced by "do not forget": 记得还小雅30, 别忘了交电费50."""
    first = next((token for token in said.tokens if token.classes.isdisjoint(_SILENT_BEFORE)), None)
    return first is not None and "mind" in first.classes


_SILENT_BEFORE: Final = frozenset({"pause", "filler", "particle", "self", "time"})


def _plans(act: str, fit: Fit, clause: Clause) -> bool:
    """True if the sum only accompanies a plan: 周五晚上聚餐，人均100."""
    title = fit.slots.get("title", ())
    if act != "make" or "occasion" not in classes(title):
        return False
    named = max(token.end for token in title if "occasion" in token.classes)
    return all(
        "," in clause.text[named : each.start + 1] or clause.text[max(0, each.start - 1)] in "在到去"
        for each in clause.amounts
    )


def happened(said: Reading, clause: Clause) -> bool:
    """True if the action is done and all its times are past: 今天下午把快递取了, said at night."""
    if not said.tokens or "done" not in said.tokens[-1].classes or not clause.times:
        return False
    now = clause.situation.now
    return all(time.recurrence is None and _is_over(time, now) for time in clause.times)


def _is_over(time: TimeExpression, now: datetime) -> bool:
    if time.date is None or time.date > now.date():
        return False
    until = time.end or time.start or (SEGMENT_BOUNDS[time.segment][1] if time.segment else None)
    return time.date < now.date() or (until is not None and until <= now.time())


def _is_later(time: TimeExpression, now: datetime) -> bool:
    if time.date is None or time.recurrence is not None:
        return False
    return time.date > now.date() or (
        time.date == now.date() and time.start is not None and time.start > now.time()
    )


def _ahead(times: Iterable[TimeExpression], situation: Situation) -> bool:
    """True if any of the times is today, in the future, without a date, or recurring."""
    if any(begins_in_past(time.text) for time in times):
        return False  # 昨晚十二点 is of today by the clock
    today = situation.now.date()
    return any(
        time.recurrence is not None
        or time.date is None
        or (time.end_date or time.date) >= today
        or time.text[:1] in _THIS_WEEK
        for time in times
    )
