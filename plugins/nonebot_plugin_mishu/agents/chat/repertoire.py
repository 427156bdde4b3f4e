"""The small talk that needs no model: greetings by the hour, thanks, who, what, the time and the day. Pure.

The words are data (`repertoire.toml`). Only whole lines count, and only lines that no agent took: an order
with a greeting before it is an order. The same message always gets the same line.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from ...language.clauses.features import topic_of
from ...language.forms.phrases import Phrasebook
from ...language.recognise.times.days.almanac import lunar_name
from .calendar import work_of

INTRODUCTION: Final = (
    "我是群里的秘书，管日程、任务、提醒和账。@ 我说一句就行，比如「明天下午三点开会」「提醒我8点吃药」"
    "「午饭35，打车20」。嫌吵说「闭嘴」，全部用法发「/秘书 帮助」。"
)
_DATA: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("repertoire.toml").read_text("utf-8"))
_AROUND: Final = "around"
_WEEKDAYS: Final = "一二三四五六日"
_PARTS: Final = ((0, "凌晨"), (5, "早上"), (9, "上午"), (11, "中午"), (13, "下午"), (18, "晚上"))
_DAYS: Final = {"大后": 3, "后天": 2, "明": 1, "昨": -1, "前天": -2}
"""Words that a day other than today is called by, the longer ones first."""
_CALLED: Final = {-2: "前天", -1: "昨天", 0: "今天", 1: "明天", 2: "后天", 3: "大后天"}
_LATE: Final = "这么晚还没睡呀"


@dataclass(frozen=True, slots=True)
class _Answers:
    hours: tuple[int, int]
    lines: tuple[str, ...]

    def covers_hour(self, hour: int) -> bool:
        first, until = self.hours
        if first == until:
            return True
        return first <= hour < until if first < until else hour >= first or hour < until


def _answers(row: dict[str, Any]) -> _Answers:
    return _Answers((row.get("from", 0), row.get("until", 0)), tuple(row["lines"]))


_TALKS: Final = {row["name"]: tuple(map(_answers, row["answers"])) for row in _DATA["talk"]}
_SHOWN: Final = {row["name"]: (_answers(row),) for row in _DATA["shown"]}
_BOOK: Final = Phrasebook({**{row["name"]: row["says"] for row in _DATA["talk"]}, _AROUND: _DATA["around"]})
NAMES: Final = (*_TALKS, *_SHOWN)
"""Everything `line` has an answer to."""


def talk_of(words: str, names: Collection[str]) -> str | None:
    """Name of the small talk that a whole line is; None where a part of it is none. `names` are ours."""
    labels = _BOOK.read(words, names)
    said = set(labels or ())
    return next((name for name in _TALKS if name in said), None)


def line(name: str, seed: str, now: datetime, own_name: str, words: str = "") -> str:
    """The answer to a talk, or to something shown, at this hour; `seed` picks one of several. The day that
    `words` ask about is the one that is told."""
    answers = next(each for each in (_TALKS.get(name) or _SHOWN[name]) if each.covers_hour(now.hour))
    chosen = answers.lines[crc32(seed.encode()) % len(answers.lines)]
    return chosen.format_map(
        {**_fill_values(now, own_name, _days_ahead(words)), **_DATA["hints"][topic_of(words)]}
    )


def _days_ahead(words: str) -> int:
    """Days from today to the day that a line names; 0 where it names none."""
    return next((days for word, days in _DAYS.items() if word in words), 0)


def _fill_values(now: datetime, own_name: str, ahead: int) -> dict[str, str]:
    day = now.date() + timedelta(days=ahead)
    part = [name for first, name in _PARTS if first <= now.hour][-1]
    hour = now.hour if now.hour <= 12 else now.hour - 12
    lunar = lunar_name(day)
    return {
        "clock": f"{hour}点{f'{now.minute:02}分' if now.minute else '整'}",
        "part": part,
        "greet": _LATE if now.hour < 5 else f"{part}好",
        "date": f"{day.month}月{day.day}日",
        "weekday": f"周{_WEEKDAYS[day.weekday()]}",
        "lunar": lunar if lunar is not None else "我查不到",
        "work": work_of(day),
        "day": _CALLED[ahead],
        "name": own_name,
        "introduction": INTRODUCTION,
    }
