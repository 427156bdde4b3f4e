"""Sentences as data: whose order each is, tasks' or schedules', and what it asks for (product section 3)."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml
from nonebot_plugin_mishu.agents import Situation
from nonebot_plugin_mishu.agents.builtin import builtin_rules
from nonebot_plugin_mishu.core.decision import read

FILE = Path(__file__).parent / "data" / "whose.yaml"
SUNDAY = datetime(2026, 11, 22, 10, 30, tzinfo=ZoneInfo("Asia/Shanghai"))


def _cases() -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for key, lines in yaml.safe_load(FILE.read_text("utf-8")).items():
        for line in filter(None, lines.splitlines()):
            said, _, frames = line.partition(" => ")
            found.append((said, frames.split() or [key]))
    return found


CASES = _cases()


def frames(said: str, now: datetime = SUNDAY, *, open_tasks: bool = True) -> list[str]:
    """The frames as `agent/intent`, said to the bot in a group."""
    situation = Situation(now, open_tasks=open_tasks)
    return [f"{one.agent_code}/{one.intent}" for one in read(said, situation, builtin_rules()).frames]


def test_whose() -> None:
    """Scored, as in tests/core/decision/test_sentences.py."""
    wrong: list[str] = []
    sure = 0
    for said, expected in CASES:
        found = read(said, Situation(SUNDAY, open_tasks=True), builtin_rules())
        named = [f"{one.agent_code}/{one.intent}" for one in found.frames]
        if named != expected:
            sure += found.sure and named != ["chat/chitchat"]
            wrong.append(f"{said}: {named}, not {expected}{' surely' if found.sure else ''}")
    assert len(wrong) <= 0.06 * len(CASES), "\n".join(wrong)
    # 不用叫我起床了, where nothing of it is kept, is talk: nothing is deleted (agents know of nothing here).
    assert sure <= 0.02 * len(CASES), "\n".join(wrong)


def test_there_are_enough() -> None:
    assert len(CASES) >= 250


@pytest.mark.parametrize(
    ("hour", "expected"), [(10, "tasks/create_task"), (21, "tasks/complete_task")], ids=["before", "after"]
)
def test_a_thing_put_away_is_an_order_as_long_as_its_time_is_to_come(hour: int, expected: str) -> None:
    """今天下午把快递取了: said in the morning what is to be done, at night what was done."""
    assert frames("今天下午把快递取了", SUNDAY.replace(hour=hour)) == [expected]
