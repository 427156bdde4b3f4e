"""Wording of answers about free time. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from itertools import groupby
from typing import Final

from ....storage.schedules.records import WALL
from .. import words
from .busy import Busy
from .spans import FreeSpan, Window, this_minute

OFF: Final = "这里把「空闲」关了，管理员发「/秘书 开关 空闲 开」就打开。"
PAST: Final = "那会儿已经过去了，换个以后的时间问我。"
NOBODY: Final = "这里还没人说过话，我不知道问谁有没有空。"
NOT_KNOWN: Final = "我不认识{names}，@TA 或者说群名片上的名字。"
ONLY_REMINDERS: Final = "你只定了这些提醒，别的安排没记过，有没有空我不知道：\n{listed}"
ALL_UNKNOWN: Final = "{who}在我这儿没记过安排，有没有空我不知道。"
REST_UNKNOWN: Final = "别的没记过，其余时间有没有空我不知道。"
NO_SPAN: Final = "{when}{who}没有都空着的时间{long}。"
SOMETHING: Final = "有事"
"""A reminder of elsewhere, told in a group."""
PICK_ONE: Final = "回编号就记到群日程。"
NO_OTHERS: Final = "先列到这儿，回前面的编号就记；都不合适就说哪几天、要多久，我再找。"
PICK: Final = "回编号就记到群日程（回「确认」是第 1 个）。"
TOLD_BUSY: Final = "这个没记：谁有没有空，我只看记着的安排。要算进去就说是什么事，比如「周三晚上七点 加班」。"
TOLD_FREE: Final = "有空的时间我不另记，只看记着的安排；要约就说是什么事、几点。"
TIMETABLE: Final = (
    "贴成文字的课表我读不进去，没有记。导出成 .ics 私聊发我，或者一门一门说，比如「每周一 8:00到9:40 高数」。"
)
TIMETABLE_NOT_KEPT: Final = "你贴的课表没有记，有没有课不知道。"
UNREAD_TIMETABLE: Final = f"{{when}} 没记着安排，但{TIMETABLE_NOT_KEPT}"
WHO_COMES: Final = "谁来？说「参加{what}」就算上你。"
OUTDATED: Final = "那几个时间过期了，再问我一次。"
_SHOWN: Final = 8
_MIDNIGHT: Final = time(0)


def clock(begins: datetime, ends: datetime) -> str:
    """14:00–16:00; the end of a day is 24:00."""
    end = "24:00" if ends.time() == _MIDNIGHT and ends.date() > begins.date() else f"{ends:%H:%M}"
    days = (ends - timedelta(microseconds=1)).date() - begins.date()
    return f"{begins:%H:%M}–{'次日' if days.days == 1 else ''}{end}"


def span_line(span: FreeSpan | Window, now: datetime) -> str:
    """11月20日 周五 14:00–16:00."""
    return f"{words.day(span.begins, now)} {clock(span.begins, span.ends)}"


def names_line(names: Sequence[str]) -> str:
    """小明、小雅, of many the first ones and how many."""
    shown = "、".join(names[:_SHOWN])
    return f"{shown}等{len(names)}人" if len(names) > _SHOWN else shown


def unknown_line(names: Sequence[str]) -> str:
    """Who has nothing recorded; empty for nobody."""
    return f"{names_line(names)}没记过安排，有没有空不知道。" if names else ""


def asked_line(windows: Sequence[Window], now: datetime) -> str:
    """The time asked about: 11月20日 周五 14:00–18:00; of several days the first and the last."""
    first, last = windows[0], windows[-1]
    if first == this_minute(now):
        return f"现在（{first.begins:%H:%M}）"
    if first.begins.date() == last.begins.date():
        return f"{words.day(first.begins, now)} {clock(first.begins, last.ends)}"
    days = list(dict.fromkeys(each.begins.date() for each in windows))
    if len(days) <= (days[-1] - days[0]).days and len(days) <= _SHOWN:  # 周二和周四
        starts = {each.begins.date(): each.begins for each in reversed(windows)}
        return "、".join(words.day(starts[each], now) for each in days)
    return f"{words.day(first.begins, now)}到{words.day(last.begins, now)}"


def reminders_line(reminders: Sequence[tuple[datetime, str]], now: datetime) -> str:
    """The asker's reminders within the time asked about; a reminder makes nobody busy."""
    return "\n".join(f"  {words.day(at, now)} {at:%H:%M} {title}" for at, title in sorted(reminders)[:_SHOWN])


def offers(spans: Sequence[FreeSpan], who: str, now: datetime, *, pick: bool) -> list[str]:
    """The offered spans, numbered."""
    lines = [f"{who}{'都' if who != '你' else ''}有空的时间："]
    lines += [f"{number}. {span_line(each, now)}" for number, each in enumerate(spans, 1)]
    if pick:
        lines.append(PICK)
    return lines


def offered_too(spans: Sequence[Sequence[str]], first: int, now: datetime) -> list[str]:
    """Further spans, in stored form, numbered on from `first`."""
    found = [
        Window(*(datetime.strptime(each, WALL).replace(tzinfo=now.tzinfo) for each in span)) for span in spans
    ]
    return [*(f"{number}. {span_line(each, now)}" for number, each in enumerate(found, first)), PICK_ONE]


def days_line(days: Sequence[date], who: str, now: datetime) -> str:
    """Whole days that are free."""
    said = [words.day(datetime.combine(each, _MIDNIGHT), now.replace(tzinfo=None)) for each in days]
    return f"{who}整天都没安排的：{'、'.join(said)}。"


def busy_lines(
    found: Sequence[Busy], windows: Sequence[Window], now: datetime, shows: Callable[[Busy], bool]
) -> list[str]:
    """When somebody is busy, a line a day; the name of an entry only where `shows` allows."""
    lines: list[str] = []
    days = list(dict.fromkeys(each.begins.date() for each in windows))
    cut: list[tuple[date, str]] = []
    for day in days:
        opens = min(each.begins for each in windows if each.begins.date() == day)
        closes = max(each.ends for each in windows if each.begins.date() == day)
        for each in found:
            if each.begins < closes and each.ends > opens:
                begins = max(each.begins, datetime.combine(day, _MIDNIGHT, opens.tzinfo))
                ends = min(each.ends, datetime.combine(day + timedelta(days=1), _MIDNIGHT, opens.tzinfo))
                whole = ends - begins >= timedelta(hours=23, minutes=59)
                what = f" {each.what}" if each.what and shows(each) else " 有事"
                cut.append((day, f"{'全天' if whole else clock(begins, ends)}{what}"))
    for day, entries in groupby(cut, key=lambda one: one[0]):
        said = "、".join(dict.fromkeys(one for _, one in entries))
        lines.append(f"  {words.day(datetime.combine(day, _MIDNIGHT, now.tzinfo), now)} {said}")
    return lines


def long_line(minutes: int) -> str:
    """（要 1小时）; empty where no length is said."""
    return f"（要{words.lasting(minutes)}）" if minutes else ""


def spent(minutes: int) -> str:
    """3.5 小时, 40 分钟, 没安排."""
    if not minutes:
        return "没安排"
    return f"{minutes} 分钟" if minutes < 60 else f"{minutes / 60:.1f}".removesuffix(".0") + " 小时"
