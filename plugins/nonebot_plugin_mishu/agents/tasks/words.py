"""Reply texts of tasks: short, plain, with date and weekday; made by code, never by a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

from ...language.recognise.times import WITHIN_A_DAY
from ...storage.tasks.records import TaskChanges, TaskRecord
from .planning.revision import when_of
from .planning.task_time import SEGMENT_NAMES, WEEKDAY_NAMES, TaskTime, clock_text, say_day

PRIORITIES: Final = {"high": "高优先级", "low": "低优先级"}
LONGEST_LIST: Final = 20
SERIES: Final = (
    "「{title}」是重复的，只这一次就另说个时间提醒你；要以后每次都这样改吗？回「好」就都改，不回就不动。"
)
KEPT_WHICH: Final = "好，没删。要删哪个、哪次，说日期和名字，比如「取消明天的吃药」。"
SAY_YES: Final = "要删就回「确认」，不删就回「留着」。"
SKIPS_NOTHING: Final = "「{title}」没法只停这几次，什么都没动，要整个删掉就说「删除{title}」。"
NOT_THEN: Final = "「{title}」那几天本来就没有，什么都没动。"
NO_TITLE: Final = "要做什么事？"
NOW_AT: Final = "好，是{when}。"
NOBODY_TO_HAND: Final = "群里没找到叫「{name}」的，没改，可以 @ 一下TA再说。"
SEVERAL_TO_HAND: Final = "叫「{name}」的有{count}位，没改，@ 一下要交给的那位再说。"
ALREADY_THEIRS: Final = "「{title}」本来就是{whose}的。"
ONE_TIME: Final = "说了好几个时间，这里只能定一个："
NO_ANSWER: Final = "没听到明确的「确认」，先不删，还留着。"
AWAITED: Final = "看看{event}没"
UNWATCHED: Final = {
    "weather": "天气我没法盯着，说个时间吧，到点提醒{whom}「{title}」。",
    "place": "人在哪儿我没法盯着，说个时间吧，到点提醒{whom}「{title}」。",
    "event": "这个我没法盯着，说个时间吧，到点提醒{whom}「{title}」。",
}
"""Where a reminder waits for something that nobody here can watch"""
_CODES: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_PLACES: Final = {"-1": "最后一个", "1": "第一个", "2": "第二个", "3": "第三个", "4": "第四个", "5": "第五个"}


def say_recurrence(values: Mapping[str, Any]) -> str:
    """每天, 每周一三五, 每两周周五, 每月15号, 每个工作日, 每天到11月30日为止."""
    off = "、".join(
        f"{day.month}月{day.day}日" for day in map(date.fromisoformat, values.get("without") or ())
    )
    rhythm = f"{_rhythm(values)}（{off}除外）" if off else _rhythm(values)
    last = values.get("until")
    if values.get("count"):
        return f"{rhythm}一次，做完为止（最多{values['count']}次）"
    if last is None:
        return rhythm
    until = date.fromisoformat(last)
    return f"{rhythm}到{until.month}月{until.day}日为止"


def _rhythm(values: Mapping[str, Any]) -> str:
    freq, count = values["freq"], int(values.get("interval", 1))
    many = "" if count == 1 else str(count)
    days = cast("list[str]", values.get("byday") or [])
    month, day = values.get("bymonth"), values.get("bymonthday")
    if freq == "workday":
        return "每个工作日"
    if freq in WITHIN_A_DAY:
        unit = "分钟" if freq == "minutely" else "小时"
        return f"每{many}{unit}"
    if freq == "daily":
        return f"每{many}天"
    if freq == "weekly":
        return f"每{many}周{_weekdays(days)}"
    on = f"{month}月" if month else ""
    if day is not None:
        on += "最后一天" if day == -1 else f"{day}号"
    elif days:
        on += _weekdays(days, placed=True)
    if freq == "monthly":
        return f"每{many + '个' if many else ''}月{on}"
    return f"每{many}年{'农历' if freq == 'lunar_yearly' else ''}{on}"


def _weekdays(codes: Sequence[str], *, placed: bool = False) -> str:
    names = [
        _PLACES.get(code[:-2], "") + ("周" if placed else "") + WEEKDAY_NAMES[_CODES.index(code[-2:])]
        for code in codes
    ]
    return "、".join(names) if placed else "".join(names)


def say_when(when: TaskTime, today: date) -> str:
    """Time of a task: 11月23日（周一）下午, 11月23日（周一）16:00–17:00, 每天20:00–21:00（从…起）."""
    if when.start is not None and when.end is not None:
        over = "次日" if when.end <= when.start else ""
        part = f"{clock_text(when.start)}–{over}{clock_text(when.end)}"
    elif when.remind_at is not None and when.segment != "all_day":
        part = ""
    else:
        part = "" if when.segment is None else SEGMENT_NAMES[when.segment]
    day = say_day(when.day, today)
    text = f"{day}{part}"
    if when.recurrence is not None:
        text = f"{say_recurrence(when.recurrence)}{part}（从{day}起）"
    if when.remind_at is not None:
        text += f" {say_reminder(when)}"
    return text.strip()


def say_reminder(when: TaskTime) -> str:
    """Clocks of the reminders, with the date on another day."""
    assert when.remind_at is not None
    at = when.remind_at
    said = [
        f"{each:%H:%M}" if each.date() == when.day else f"{say_day(each.date(), when.day)}{each:%H:%M}"
        for each in (at, *when.remind_more)
    ]
    return f"{'和'.join(said)}提醒"


def task_line(task: TaskRecord, now: datetime, *, mine: bool = True) -> str:
    """One task in one line."""
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    parts = [task.title, say_when(when_of(task.fields, zone), now.date())]
    if task.fields.priority in PRIORITIES:
        parts.append(PRIORITIES[task.fields.priority])
    if task.fields.description:
        parts.append(f"备注：{task.fields.description[:60]}")
    if not mine:
        parts.append(f"{task.owner_name}的")
    if task.status == "completed":
        parts.append("已完成")
    return "，".join(parts)


def numbered(tasks: Sequence[TaskRecord], now: datetime, user_id: str) -> str:
    """Tasks as a numbered list."""
    shown = [
        f"{number}. {task_line(task, now, mine=task.owner == user_id)}"
        for number, task in enumerate(tasks[:LONGEST_LIST], 1)
    ]
    if len(tasks) > LONGEST_LIST:
        shown.append(f"……共{len(tasks)}个，只列前{LONGEST_LIST}个。")
    return "\n".join(shown)


def of_others(tasks: Sequence[TaskRecord], doing: str) -> str:
    """「给妈过生日」是大姐的任务，只有TA自己或管理员能改."""
    names = "、".join(dict.fromkeys(task.owner_name for task in tasks[:LONGEST_LIST]))
    titles = "、".join(dict.fromkeys(f"「{task.title}」" for task in tasks[:LONGEST_LIST]))
    who = "本人" if len({task.owner for task in tasks}) == 1 else "各人自己"
    return f"{titles}是{names}的任务，只有{who}或管理员能{doing}。"


def created(task: TaskRecord, now: datetime, *, mine: bool, promised: bool = True) -> str:
    """好，00:38提醒你喝水; 记下了：买菜，11月23日（周一）下午; 交给阿凯了：交表，….

    `promised`: reminders are on.
    """
    whom = "你" if mine else task.owner_name
    call = (_insisting(task, now, whom) or _call(task, now, whom)) if promised else None
    if call is not None:
        return f"好，{call}"
    return f"{'记下了' if mine else f'交给{task.owner_name}了'}：{task_line(task, now)}"


def changed(task: TaskRecord, now: datetime, *, mine: bool = True) -> str:
    """改好了：…"""
    return f"改好了：{task_line(task, now, mine=mine)}"


def handed(task: TaskRecord, now: datetime, *, mine: bool, promised: bool = True) -> str:
    """改好了，11月27日（周五） 14:00提醒老猫交水费; 改好了，交给老猫：交表，….

    `promised`: reminders are on.
    """
    whose = "你" if mine else task.owner_name
    call = _call(task, now, whose) if promised else None
    return f"改好了，{call}" if call is not None else f"改好了，交给{whose}：{task_line(task, now)}"


def _insisting(task: TaskRecord, now: datetime, whom: str) -> str | None:
    """10:30起每30分钟提醒你交表，做完说一声「完成」就停，最多8次. None for any other task."""
    fields = task.fields
    count = (fields.recurrence or {}).get("count")
    if fields.recurrence is None or not count or fields.remind_at is None:
        return None
    at = datetime.fromisoformat(fields.remind_at).astimezone(now.tzinfo)
    day = "" if at.date() == now.date() else f"{say_day(at.date(), now.date())} "
    every = _rhythm(fields.recurrence)
    return f"{day}{at:%H:%M}起{every}提醒{whom}{task.title}，做完说一声「完成」就停，最多{count}次。"


def _call(task: TaskRecord, now: datetime, whom: str) -> str | None:
    """Reminder in one phrase (00:38提醒你喝水), without the date if today. None if the task has more to
    show."""
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    fields = task.fields
    when = when_of(fields, zone)
    more = fields.description or fields.recurrence or fields.priority in PRIORITIES or when.start is not None
    if more or when.remind_more or when.remind_at is None or when.remind_at.date() != when.day:
        return None
    day = "" if when.day == now.date() else f"{say_day(when.day, now.date())} "
    what = "" if task.title in _NAMELESS else task.title
    return f"{day}{when.remind_at:%H:%M}{'提醒' if what else '叫'}{whom}{what}"


_NAMELESS: Final = frozenset({"提醒", "叫我", "闹钟", "倒计时"})
"""Titles of reminders without a content"""


def completed(tasks: Sequence[TaskRecord], now: datetime) -> str:
    """打勾了：…, with the next day of a recurring task."""
    lines: list[str] = []
    for task in tasks:
        repeats = task.status == "pending"
        following = say_day(date.fromisoformat(task.fields.due_date), now.date())
        lines.append(f"「{task.title}」" + (f"（下一次是{following}）" if repeats else ""))
    return "打勾了：" + "、".join(lines)


def deleted(tasks: Sequence[TaskRecord]) -> str:
    """删掉了：…"""
    return "删掉了：" + "、".join(f"「{task.title}」" for task in tasks)


def skipped(task: TaskRecord, days: Sequence[date], now: datetime) -> str:
    """Skipped days of a recurring task, and its next day."""
    following = say_day(date.fromisoformat(task.fields.due_date), now.date())
    return f"停掉了{say_days(days, now)}的「{task.title}」，其余照常，下次是{following}"


def say_days(days: Sequence[date], now: datetime) -> str:
    """Dates; a range and a count if there are many."""
    if len(days) > _DAYS_NAMED:
        return f"{say_day(days[0], now.date())}到{say_day(days[-1], now.date())}共{len(days)}次"
    return "、".join(say_day(each, now.date()) for each in days)


_DAYS_NAMED: Final = 5


def named(tasks: Sequence[TaskRecord]) -> str:
    """Tasks by their titles: 「买菜」「取快递」."""
    return "".join(f"「{task.title}」" for task in tasks)


def delete_question(tasks: Sequence[TaskRecord], now: datetime, user_id: str) -> str:
    """Question before a deletion (always asked)."""
    if len(tasks) == 1:
        return f"要删掉这个任务吗：{task_line(tasks[0], now, mine=tasks[0].owner == user_id)}？"
    return f"要删掉这{len(tasks)}个任务吗？\n{numbered(tasks, now, user_id)}"


def choose_question(tasks: Sequence[TaskRecord], now: datetime, user_id: str, what: str) -> str:
    """Question for one of several tasks."""
    return f"有{len(tasks)}个任务，要{what}第几个？\n{numbered(tasks, now, user_id)}"


def conflict_question(title: str | None, other: TaskChanges | None, now: datetime, *, editing: bool) -> str:
    """Question about a conflict; a task of another conversation is not named."""
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    what = "你在别处的安排" if title is None else f"「{title}」"
    span = f"（{say_when(when_of(other, zone), now.date())}）" if title is not None and other else ""
    asked = "还要改吗" if editing else "还要记吗"
    return f"这个时间和{what}{span}冲突了，换个时间也行，{asked}？"


def reminder_text(task: TaskChanges, owner_name: str) -> str:
    """Text of a due reminder; the front desk mentions the owner."""
    note = f"（{task.description[:100]}）" if task.description else ""
    return f"提醒：{task.title}{note}"
