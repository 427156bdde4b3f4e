"""Sentences as data: what is read in orders about tasks, by the tools' parameter names."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from nonebot_plugin_mishu.agents.tasks import read
from nonebot_plugin_mishu.agents.tasks.planning.new_task import wish_of
from nonebot_plugin_mishu.agents.tasks.planning.policy import settle
from nonebot_plugin_mishu.agents.tasks.planning.task_time import TaskTime
from rows import each_row

from .tasks_support import at, clause_of

FILE = Path(__file__).parent / "data" / "sentences.yaml"
CASES = [
    (intent, case) for intent, cases in yaml.safe_load(FILE.read_text("utf-8")).items() for case in cases
]


@each_row(("intent", "case"), CASES, ids=[f"{intent} {case['text']}" for intent, case in CASES])
def test_slots(intent: str, case: dict[str, Any]) -> None:
    assert dict(read(intent, clause_of(case["text"])).slots) == case["slots"]


def test_there_are_enough_of_each() -> None:
    assert len(CASES) >= 75
    assert {intent for intent, _ in CASES} == {
        f"{verb}_task{'s' * (verb == 'query')}"
        for verb in ("create", "query", "update", "delete", "complete")
    }


def test_one_minute_is_sixty_seconds() -> None:
    """10分钟后 counts from the message's time, its seconds too."""
    slots = read("create_task", clause_of("1分钟后叫我", at("2026-02-05T10:00:50"))).slots
    assert slots["remindAt"] == "2026-02-05T10:01:50+08:00"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("10秒后提醒我喝水", 10),
        ("90秒钟后提醒我喝水", 90),
        ("一分三十秒后提醒我喝水", 90),
        ("1分钟30秒后提醒我喝水", 90),
        ("一分半后提醒我喝水", 90),
        ("半分钟后提醒我喝水", 30),
        ("1小时2分3秒后提醒我喝水", 3723),
        ("一个半小时后提醒我喝水", 5400),
        ("过10分钟提醒我喝水", 600),
    ],
)
@pytest.mark.parametrize("now", ["2026-02-05T10:00:00", "2026-02-05T10:00:57.5", "2026-02-05T23:59:58"])
def test_what_is_counted_is_counted_to_the_second(text: str, seconds: int, now: str) -> None:
    """Also into the next minute and the next day; the thing is at no other time than its reminder."""
    due = at(now).replace(microsecond=0) + timedelta(seconds=seconds)
    clause = clause_of(text, at(now))
    slots = read("create_task", clause).slots
    assert (slots["title"], slots["remindAt"]) == ("喝水", due.isoformat())
    assert slots["dueDate"] == due.date().isoformat()
    settled = settle(wish_of(clause), clause.situation.now, clause.situation.zone)
    assert isinstance(settled, TaskTime)
    assert (settled.remind_at, settled.note) == (due, None)


@pytest.mark.parametrize(
    ("text", "quoted", "title"),
    [
        ("明天下午提醒我这个", "周五交物业费", "周五交物业费"),
        ("记一下", "周五交物业费", "周五交物业费"),
        ("把这个记一下", "周五交物业费", "周五交物业费"),
        ("提醒我明天下午交电费", "周五交物业费", "交电费"),
    ],
)
def test_a_quoted_message_is_what_this_means(text: str, quoted: str, title: str) -> None:
    assert read("create_task", clause_of(text, quoted=quoted)).slots["title"] == title


def test_a_part_of_the_day_that_is_asked_about_is_todays() -> None:
    """下午的任务 said in the evening: no day was named, so it is today's."""
    slots = read("query_tasks", clause_of("下午的任务", at("2026-02-05T21:00:00"))).slots
    assert slots["dueDate"] == "2026-02-05"
