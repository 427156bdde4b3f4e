"""Times and amounts as the pages show them. Pure."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

WEEKDAYS: Final = "一二三四五六日"


def day(when: date, today: date) -> str:
    """今天, 明天, 11月25日 周三; of another year with it."""
    gap = (when - today).days
    if -1 <= gap <= 2:
        return ("昨天", "今天", "明天", "后天")[gap + 1]
    year = "" if when.year == today.year else f"{when.year}年"
    return f"{year}{when.month}月{when.day}日 周{WEEKDAYS[when.weekday()]}"


def span(start: datetime, end: datetime | None, *, all_day: bool) -> str:
    """全天, 15:00, 15:00–16:30."""
    if all_day:
        return "全天"
    if end is None or end == start:
        return f"{start:%H:%M}"
    if end.date() == start.date():
        return f"{start:%H:%M}–{end:%H:%M}"
    return f"{start:%H:%M}–{end.month}月{end.day}日"


def yuan(fen: int) -> str:
    """1,234.50."""
    sign, whole = ("-" if fen < 0 else ""), abs(fen)
    return f"{sign}{whole // 100:,}.{whole % 100:02d}"


def moment(at: datetime, today: date) -> str:
    """今天 15:00."""
    return f"{day(at.date(), today)} {at:%H:%M}"


def ahead(minutes: int) -> str:
    """到点提醒, 提前10分钟, 提前2小时, 提前1天."""
    if minutes <= 0:
        return "到点提醒"
    if minutes % 1440 == 0:
        return f"提前{minutes // 1440}天"
    return f"提前{minutes // 60}小时" if minutes % 60 == 0 else f"提前{minutes}分钟"
