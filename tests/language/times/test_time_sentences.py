"""Sentences and what they say, from `data/*.yaml`: to add one, add a line there.

`text` and `kind` are always given, every other key that is left out is null.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from nonebot_plugin_mishu.language.recognise.times import parse
from rows import each_row

DATA = Path(__file__).parent / "data"
SHANGHAI = ZoneInfo("Asia/Shanghai")
WEDNESDAY = datetime(2026, 11, 18, 10, 0, tzinfo=SHANGHAI)
KEYS = (
    "text", "date", "start", "end", "end_date", "segment", "recurrence", "kind", "ambiguous", "invalid",
)  # fmt: skip


def _load(name: str) -> Any:
    return yaml.load((DATA / f"{name}.yaml").read_text("utf-8"), yaml.BaseLoader)  # everything stays text


def _cases() -> Iterator[Any]:
    for path in sorted(DATA.glob("*.yaml")):
        if path.stem == "none":
            continue
        for group in _load(path.stem):
            for case in group["cases"]:
                yield group["now"], group["zone"], case["say"], case["times"]


def _expected(times: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for written in times:
        expected = {key: written.get(key) for key in KEYS}
        if expected["recurrence"] is not None:
            numbers = ("interval", "bymonthday", "bymonth")
            expected["recurrence"] = {
                key: int(value) if key in numbers else value for key, value in expected["recurrence"].items()
            }
        found.append(expected)
    return found


@each_row(("now", "zone", "say", "times"), list(_cases()))
def test_says(now: str, zone: str, say: str, times: list[dict[str, Any]]) -> None:
    local = datetime.fromisoformat(now).replace(tzinfo=ZoneInfo(zone))
    assert [found.as_json() for found in parse(say, local, ZoneInfo(zone))] == _expected(times)


@each_row("say", _load("none"))
def test_names_no_time(say: str) -> None:
    assert parse(say, WEDNESDAY, SHANGHAI) == []


@pytest.mark.parametrize(
    ("say", "each_lasts"),
    [
        ("每月10号到15号", True),
        ("每年5月1日到3日", True),
        ("每月10号到年底", False),
        ("12月1号到5号每天", False),
    ],
)
def test_an_end_is_of_each_occurrence_or_of_the_recurrence(say: str, each_lasts: bool) -> None:
    (found,) = parse(say, WEDNESDAY, SHANGHAI)
    assert found.end_date is not None
    assert found.each_lasts is each_lasts


def test_the_data_is_as_much_as_was_asked_for() -> None:
    counted = {path.stem: len(_load(path.stem)) for path in DATA.glob("*.yaml")}
    sentences = [case[2] for case in _cases()]
    assert len(set(sentences)) + counted["none"] >= 200
    assert counted["none"] >= 40
    doubtful = [case for case in _cases() if any(t.get("ambiguous") or t.get("invalid") for t in case[3])]
    assert len(doubtful) >= 40
