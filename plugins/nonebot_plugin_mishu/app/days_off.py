"""Days off that the owner drops into the data directory: `holidays/YYYY.json`, read at start.

Two shapes are read: `{"off": ["2027-01-01", "2027-02-05/2027-02-11"], "work": ["2027-02-14"]}`, and the one
in which such lists are shared, `{"days": [{"date": "2027-01-01", "isOffDay": true}]}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final, cast

from ..language.recognise.times.days.almanac import take_published

FOLDER: Final = "holidays"
_LARGEST: Final = 1 << 20
_LONGEST: Final = 62


class WrongDays(ValueError):
    """A file of days off cannot be read; the text is Chinese and gives the reason."""


def load_days_off(folder: Path) -> tuple[list[int], list[str]]:
    """Take every year of a data directory; which years, and a sentence for each file that is wrong."""
    years: list[int] = []
    wrong: list[str] = []
    place = folder / FOLDER
    for path in sorted(place.glob("*.json")) if place.is_dir() else ():
        try:
            year, days = read_days(path.stem, _text(path))
        except WrongDays as error:
            wrong.append(f"{FOLDER}/{path.name} 读不了：{error}，没有用它")
            continue
        take_published(year, days)
        years.append(year)
    return years, wrong


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST:
            raise WrongDays("太大了")
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise WrongDays("打不开，或者不是 UTF-8") from None


def read_days(name: str, text: str) -> tuple[int, dict[date, bool]]:
    """The year of a file and its days: off is False, a make-up workday True. Raises `WrongDays`."""
    if not (name.isascii() and name.isdigit() and len(name) == 4 and 1971 <= int(name) <= 2099):
        raise WrongDays("文件名应是年份，比如 2027.json")
    year = int(name)
    try:
        plain: Any = json.loads(text)
    except ValueError:
        raise WrongDays("不是 JSON") from None
    if not isinstance(plain, dict):
        raise WrongDays('应是 {"off": [日期], "work": [日期]}')
    days: dict[date, bool] = {}
    for day, worked in _days(cast("Mapping[str, Any]", plain)):
        if day.year == year:
            days[day] = worked
    if not days:
        raise WrongDays(f"里面没有 {year} 年的日子")
    return year, days


def _days(plain: Mapping[str, Any]) -> Iterator[tuple[date, bool]]:
    listed: Any = plain.get("days")
    if isinstance(listed, list):
        for each in cast("list[Any]", listed):
            entry: Mapping[str, Any] = cast("Mapping[str, Any]", each) if isinstance(each, dict) else {}
            if not isinstance(entry.get("isOffDay"), bool):
                raise WrongDays("days 里的每一项应有 date 和 isOffDay")
            yield _day(entry.get("date")), not entry["isOffDay"]
    for key, worked in (("off", False), ("work", True)):
        given: Any = plain.get(key, [])
        if not isinstance(given, list):
            raise WrongDays(f"{key} 应是一串日期")
        for each in cast("list[Any]", given):
            first, _, last = str(each).partition("/")
            begins, ends = _day(first), _day(last or first)
            if not 0 <= (ends - begins).days <= _LONGEST:
                raise WrongDays(f"「{str(each)[:30]}」的头尾不对")
            for after in range((ends - begins).days + 1):
                yield begins + timedelta(days=after), worked


def _day(given: Any) -> date:
    try:
        return date.fromisoformat(str(given))
    except ValueError:
        raise WrongDays(f"「{str(given)[:30]}」不是日期，应写成 2027-01-01") from None
