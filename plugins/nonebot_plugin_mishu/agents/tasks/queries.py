"""Queries of tasks: recognition and filters. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final, Literal

from ...language.clause import Clause
from ...language.clauses.change_intents import deletes, edits
from ...language.clauses.features import ClauseFeatures
from ...language.recognise.times import names_day
from ...language.timing.days_asked import days_asked
from ...patterns import Pattern
from .frames import TaskQuery
from .planning.new_task import priority_in
from .planning.task_time import say_day

_OVERDUE: Final = Pattern(r"过期|逾期|超期|没按时|拖了")
_PENDING: Final = Pattern(r"未完成|没完成|没有完成|没做|还没|未做|待办|要做|剩|待完成|需要做")
_COMPLETED: Final = Pattern(r"已完成|完成了|完成的|做完了?|办完了?|搞定了|做了(?:什么|哪些|啥)")
_ALL: Final = Pattern(r"所有|全部")
_EVERY: Final = {"daily": "每天", "weekly": "每周", "monthly": "每月", "yearly": "每年"}


def query_of(clause: Clause) -> TaskQuery:
    """Filters of the clause."""
    text, today = clause.text, clause.situation.now.date()
    status: Literal["pending", "completed"] | None = None
    if _PENDING.search(text):
        status = "pending"
    elif _COMPLETED.search(text):
        status = "completed"
    priority = priority_in(text)
    if _OVERDUE.search(text):
        yesterday = (today - timedelta(days=1)).isoformat()
        return TaskQuery(status or "pending", None, yesterday, priority, "过期的")
    days = days_asked(clause)
    if days is not None:
        first, last = days
        label = _label(first, last, today)
        return TaskQuery(status, first.isoformat(), last.isoformat(), priority, label, all_of=days)
    for one in clause.times:
        if one.date is None or one.invalid is not None:
            continue
        every = one.recurrence.freq if one.recurrence is not None and not one.recurrence.byday else ""
        if every in _EVERY and one.start is None:
            return TaskQuery(status, priority=priority, label=_EVERY[every], repeats=every)
        if one.kind == "deadline":
            return TaskQuery(status, None, one.date.isoformat(), priority, f"{say_day(one.date, today)}前")
        if one.start is None and not names_day(one.text) and one.recurrence is None:
            return TaskQuery(status, today.isoformat(), today.isoformat(), priority, say_day(today, today))
        last = one.end_date or one.date if one.kind == "date_range" else one.date
        # In private 我今天有什么安排 means everything of one's own: tasks, and what other calendars have.
        everything = clause.situation.private and status is None and _PLANS.search(text) is not None
        return TaskQuery(
            status,
            one.date.isoformat(),
            last.isoformat(),
            priority,
            _label(one.date, last, today),
            all_of=(one.date, last) if everything else None,
        )
    return TaskQuery(status, priority=priority)


def asked(query: TaskQuery, text: str) -> TaskQuery:
    """Query with the default status: open tasks."""
    if query.status is None and not _ALL.search(text):
        return replace(query, status="pending")
    return query


def _label(first: date, last: date, today: date) -> str:
    if first == last:
        return say_day(first, today)
    return f"{say_day(first, today)}到{say_day(last, today)}"


def query_slots(clause: Clause) -> Mapping[str, Any]:
    """Slots of query_tasks."""
    query = query_of(clause)
    found: dict[str, Any] = {"status": query.status, "priority": query.priority}
    if query.first is not None and query.first == query.last:
        found["dueDate"] = query.first
    else:
        found |= {"dueDateFrom": query.first, "dueDateTo": query.last}
    return {name: value for name, value in found.items() if value is not None}


_TO_DO_BY: Final = Pattern(
    r"(?:前|之前|以前|内|天|周|月|[今明后本下]|点|我)?(?:要|该|得|需要|必须|应该|必)(?:做|完成|干|办|交)完?的(?:任务|待办|事|东西|事项)"
)
_WHICH_DONE: Final = Pattern(
    r"(?:完成|做完|办完|做好|搞定|做)了?(?:哪些|什么|啥|几个|多少|几项)(?!时候)(?:任务|待办|事|事情)?|(?:哪些|什么|几个|多少)(?:任务|待办|事|事情)?(?:已经|都)?(?:完成|做完|办完|做好|搞定)"
)
_LIST: Final = Pattern(
    r"有(?:什么|啥|哪些|没有|几个|几条|几件|多少|几项)[^,]{0,6}?(?:任务|待办"
    r"|todo|提醒|事要做|事情要做|要做|要交|要办|要完成|该做|没做|没完成|未完成|事(?:儿|情)?(?=$"
    r"|\?|吗|没|啊|呢|要))|(?:还|都)?(?:有|剩)(?:什么|啥|哪些|几个|几件|几项|多少)[^,]{0,6}?(?:没做"
    r"|没完成|没弄|没干|没搞|没忙|未完成|要做|该做|没办)"
    r"|(?:任务|待办|待办事项|todo|提醒|清单)(?:列表|清单|一览|有哪些|有什么"
    r"|有啥|都有|情况|还有|是什么|呢)|(?:没做完|没完成|未完成|没做|没干完|做完|完成)的(?:都|全)?(?:列|发|给我看)|(?:没做完|没完成|未完成|没做|已完成"
    r"|完成|逾期|过期|高优先级|优先级高|今天|明天|本周|这周|所有|全部|我)的(?:任务"
    r"|待办|事|提醒|清单)(?:$|[?!~。吧呢])"
    r"|(?:要|该|得|需要|应该)(?:做|干|完成|交|办)(?:些|点)?(?:什么|啥|哪些)|(?:我"
    r"|今天|明天|我今天|我明天)(?:要|该)(?:干|做)(?:嘛|什么|啥)|有(?:任务"
    r"|待办|事)(?:吗|么|没|没有|\?)|(?:几|多少)(?:个|条|项)?(?:任务|待办)"
)
_LOOK: Final = Pattern(
    "查|看看|看下|看一下|列出|列一下|列个|列(?!表)|列出来|发出来|发一?下|发我|显示|告诉我|我要看|想看|看(?!书|病|牙|房|电|剧|完|孩|展|球|比赛|医|望|书|护|着)|汇总|打开"
)
_BARE_LIST: Final = Pattern(
    "(?:我|今天|明天|的|今日|本周|这周|下周|所有|全部|全体|未完成|没完成|没做完|没做|已完成|完成|做完|待完成|逾期|过期|还|[高中低]优先级|优先级[高中低]|普通|重要|紧急"
    "| )*(?:任务|待办|待办事项|todo|todolist|todo list|任务列表|任务清单"
    "|待办清单|提醒列表|提醒)(?:列表|清单|呢|吧)?"
)
_TO_BE_DONE: Final = Pattern("(?:要|得|该|需要|没|未)(?:做|完成|交|办|弄|干)完?的[ ?。!~]*$")
_MAKES: Final = Pattern(
    "添加|新增|新建|创建|建立|(?:加|建|设|定|记|写|来)(?:个|一个|一条|条|一项|上|入|到)|(?:任务|待办(?:事项)?|备忘|提醒)[:,][^,:]{2}"
)
"""Creation words that also name a task (建一个高优先级的任务, 任务：看完这本书)"""


def listing(clause: Clause, heard: ClauseFeatures, named: bool, reminds: bool) -> bool:
    """True if the clause asks for a list of tasks. `named`: it has 任务 or the like; `reminds`: it has
    提醒我."""
    if "群" in heard.text and not named:
        return False
    if heard.reported or heard.wished or heard.third:
        return False
    if named and _BARE_LIST.fullmatch(heard.body.strip(" ?。!~")):
        return True
    changes = edits(heard) or deletes(heard) or _MAKES.search(heard.text) is not None
    if clause.situation.private and _PLANS.search(heard.text) and not heard.advice:
        return True
    if _TO_DO_BY.search(heard.text) and not (changes or heard.ordered):
        return True
    if _WHICH_DONE.search(heard.text) and not heard.advice and (named or "我" in heard.text):
        return True
    if _LIST.search(heard.text) and not heard.advice and not (named and changes):
        return True
    looks = _LOOK.search(heard.text) is not None and not heard.told
    if looks and _TO_BE_DONE.search(heard.body) and not changes:
        return True
    return named and (looks or heard.asks) and not changes and not heard.advice and not reminds


_PLANS: Final = Pattern(
    "有(?:什么|啥|哪些|没有|几个|多少)[^,]{0,4}(?:安排|活动|会|事)|有(?:会"
    "|安排|活动|事)(?:吗|么|没|\\?)|安排(?:是什么|呢|$)"
)
