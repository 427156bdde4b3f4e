"""Texts of due reminders, with marks for late and repeated ones. Pure; no model is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from ..storage.reminders.records import ReminderRecord, Unsent
from .plan import JOINT, late
from .recurring import missed

NameOf = Callable[[str], str | None]
"""A member's name in the conversation."""

_WEEKDAYS = "一二三四五六日"

LONGEST_LINE = 60
"""Characters of a reminder's text in a list."""


def unsent_lines(found: Sequence[Unsent]) -> list[str]:
    """3 条提醒还没发出去：这里不允许主动消息. A line for each reason."""
    return [
        f"{each.count} 条提醒{'发不出去，不再试了' if each.given_up else '还没发出去'}：{each.reason}"
        for each in found
    ]


def lateness(seconds: float) -> str:
    """By how much: 12 秒, 5 分钟, 2 小时 5 分钟, 3 天 1 小时."""
    whole = max(1, int(seconds))
    if whole < 60:
        return f"{whole} 秒"
    minutes = whole // 60
    if minutes < 60:
        return f"{minutes} 分钟"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} 小时" + (f" {minutes} 分钟" if minutes else "")
    days, hours = divmod(hours, 24)
    return f"{days} 天" + (f" {hours} 小时" if hours else "")


def weekday(at: datetime) -> str:
    """周一 … 周日."""
    return f"周{_WEEKDAYS[at.weekday()]}"


def day_and_clock(wall: float, zone: str) -> str:
    """11月20日（周五）09:00."""
    at = datetime.fromtimestamp(wall, ZoneInfo(zone))
    return f"{at.month}月{at.day}日（{weekday(at)}）{at:%H:%M}"


def _compose_mark(row: ReminderRecord, now: float, hindered_at: float) -> str:
    marks: list[str] = []
    if row.unclear or row.held_back:
        marks.append("补发")
    if late(row, now, hindered_at):
        marks.append(f"迟到 {lateness(now - row.due_at)}")
        if not _same_day(row, now):
            marks.append(f"原定 {day_and_clock(row.due_at, row.zone)}")
        if (count := missed(row, now)) > 0:
            marks.append(f"其间还错过 {count} 次")
    return f"【{'，'.join(marks)}】" if marks else ""


def _same_day(row: ReminderRecord, now: float) -> bool:
    zone = ZoneInfo(row.zone)
    return datetime.fromtimestamp(row.due_at, zone).date() == datetime.fromtimestamp(now, zone).date()


def single(row: ReminderRecord, now: float, hindered_at: float) -> str:
    """One reminder."""
    note = f"（{row.note}）" if row.note else ""
    return f"{_compose_mark(row, now, hindered_at)}{row.text}{note}"


def noticed(rows: Sequence[ReminderRecord]) -> str:
    """Text of changes made on the web pages while the bot could not speak in the group."""
    if len(rows) == 1:
        return f"刚才说不了话，补一句：{rows[0].text}"
    return "\n".join(["刚才说不了话，补上网页上的改动：", *(row.text for row in rows)])


def joint(rows: Sequence[ReminderRecord], now: float, hindered_at: float, name_of: NameOf) -> str:
    """Several reminders at the same moment."""
    lines = [_list_line(number, row, now, hindered_at, name_of) for number, row in enumerate(rows, 1)]
    return "\n".join([f"有 {len(rows)} 件事到时间了：", *lines])


def gathered(
    rows: Sequence[ReminderRecord], count: int, now: float, hindered_at: float, name_of: NameOf
) -> str:
    """The first of `count` reminders that wait, and the number of the others."""
    marked = any(late(row, now, hindered_at) for row in rows)
    head = f"【迟到】有 {count} 条提醒没能按时发出：" if marked else f"有 {count} 件事到时间了："
    shown = rows[:JOINT]
    lines = [_list_line(number, row, now, hindered_at, name_of) for number, row in enumerate(shown, 1)]
    rest = [f"……还有 {count - len(shown)} 条。"] if count > len(shown) else []
    return "\n".join([head, *lines, *rest])


def _list_line(number: int, row: ReminderRecord, now: float, hindered_at: float, name_of: NameOf) -> str:
    names = "、".join(name for each in row.user_ids[:3] if (name := name_of(each)))
    text = " ".join(row.text.split())
    if len(text) > LONGEST_LINE:
        text = text[: LONGEST_LINE - 1] + "…"
    return f"{number}. {names + '：' if names else ''}{_compose_mark(row, now, hindered_at)}{text}"
