"""A line that is looked at again at once is read once; anything else is read anew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents import AgentSpec, Situation
from nonebot_plugin_mishu.agents.builtin import builtin_rules
from nonebot_plugin_mishu.core.decision.reading import Frame, MessageReading
from nonebot_plugin_mishu.core.recent_readings import LONGEST, MOST, RecentReadings
from nonebot_plugin_mishu.core.situation import situation
from nonebot_plugin_mishu.language.clause import Clause

HERE = Situation(datetime(2026, 11, 18, 10, tzinfo=ZoneInfo("Asia/Shanghai")))
AGENTS = tuple(builtin_rules())


class _Reader:
    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, text: str, where: Situation, specs: Iterable[AgentSpec]) -> MessageReading:
        self.read.append(text)
        if text == "坏":
            raise ValueError(text)
        return MessageReading((Frame("chat", "chitchat", Clause(text, where)),), sure=True)


def test_the_same_is_read_once() -> None:
    reader = _Reader()
    readings = RecentReadings(reader)
    assert readings("开会", HERE, AGENTS) is readings("开会", HERE, list(AGENTS))
    assert reader.read == ["开会"]


def test_another_situation_or_other_agents_are_read_anew() -> None:
    reader = _Reader()
    readings = RecentReadings(reader)
    for where in (HERE, replace(HERE, addressed=False), replace(HERE, quoted="明天")):
        readings("开会", where, AGENTS)
    readings("开会", HERE, AGENTS[1:])
    assert len(reader.read) == 4


def test_what_fails_is_not_kept() -> None:
    readings = RecentReadings(reader := _Reader())
    for _ in range(2):
        with pytest.raises(ValueError, match="坏"):
            readings("坏", HERE, AGENTS)
    assert reader.read == ["坏", "坏"]


def test_it_keeps_few_and_nothing_long() -> None:
    readings = RecentReadings(reader := _Reader())
    for number in range(MOST + 1):
        readings(str(number), HERE, AGENTS)
    readings(str(MOST), HERE, AGENTS)
    assert len(reader.read) == MOST + 1
    readings("0", HERE, AGENTS)
    assert len(reader.read) == MOST + 2, "the oldest went"
    long = "长" * (LONGEST + 1)
    assert readings(long, HERE, AGENTS) is not readings(long, HERE, AGENTS)


def test_a_situation_is_to_the_second() -> None:
    zone = ZoneInfo("Asia/Shanghai")
    assert situation(1_795_000_000.2, zone) == situation(1_795_000_000.9, zone)
    assert situation(1_795_000_000.2, zone) != situation(1_795_000_001.0, zone)
