"""Every order of the corpus turned round: asked, forbidden, supposed, reported. None of it may be written."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from nonebot_plugin_mishu.config import loading
from nonebot_plugin_mishu.language import words_of
from rows import each_row

from benchmarks.corpus import CORPUS, Row, said_rows
from benchmarks.understanding import NAMES, NOW, ZONE
from bot.explain import explain
from bot.explain.world import world

READ_ONLY = {
    "show",
    "look_up",
    "query",
    "query_tasks",
    "chitchat",
    "fact",
    "facts",
    "sum_up",
    "catch_up",
    "calls",
    "find",
    "decisions",
}
_POLITE = ("能不能", "可不可以", "能否", "可否")
"""能不能提醒我…呀 is an order asked for politely, and turned into nothing by a question mark."""
_WILL_DO = ("就行", "就好", "就可以")
"""帮我记个…打电话就行吗 is an order asked for politely, too."""
TURNS: dict[str, Callable[[str], str]] = {
    "吗": lambda said: f"{said}吗",
    "了没": lambda said: f"{said}了没",
    "？": lambda said: f"{said}？",
    "别": lambda said: f"别{said}",
    "不": lambda said: f"不{said}",
    "没": lambda said: f"没{said}",
    "不用": lambda said: f"不用{said}",
    "要是": lambda said: f"要是{said}的话",
    "如果": lambda said: f"如果{said}，就算了",
    "听说": lambda said: f"听说{said}",
    "小王说": lambda said: f"小王说{said}",
}
_OF_ONESELF = ("schedule.join", "schedule.leave")
ASKED_BEFORE = {"delete_task"}
"""不用提醒我吃药 takes away, and is asked about before it does (agents/tasks/tools.py)."""


_ENDS = "!！。~～ "
_PARTS = " ，,。！!？?\n：:；;、"
"""An order of one piece alone is turned round by a word at its beginning or end."""
SAMPLE = 29
"""Of so many orders one is turned round in every run, all of them in the exhaustive part."""


@cache
def orders() -> list[Row]:
    return [
        row
        for row in said_rows()
        if row.frames
        and all(not one.mood and not one.do.endswith("query") for one in row.frames)
        and not any(mark in row.say.rstrip(_ENDS) for mark in _PARTS)
        and not any(word in row.say for word in _POLITE)
        and not row.say.rstrip(_ENDS).endswith(_WILL_DO)
    ]


@cache
def known() -> dict[str, Any]:
    return {file.stem: world(file, ZONE) for file in (CORPUS / "worlds").glob("*.json")}


def test_there_are_orders() -> None:
    assert len(orders()) > 500


@each_row("turn", list(TURNS), ids=lambda turn: turn)
def test_nothing_is_surely_written(turn: str) -> None:
    assert surely_written(turn, orders()[::SAMPLE]) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("turn", TURNS)
def test_nothing_is_surely_written_of_any_order(turn: str) -> None:
    assert surely_written(turn, orders()) == []


def surely_written(turn: str, rows: list[Row]) -> list[str]:
    """The turned lines of which something is written without a question."""
    config = loading.read({}, {})
    written: list[str] = []
    for row in rows:
        if turn in ("别", "不用") and any(one.do in _OF_ONESELF for one in row.frames):
            continue  # 别小组讨论加我 is no sentence
        said = TURNS[turn](row.say.rstrip(_ENDS))
        if turn == "别" and "mind" in words_of(said)[0].classes:
            continue  # 别忘掉门禁码 is an order of its own, by the words of the lexicon
        frames = explain(said, NOW, ZONE, config, NAMES, known().get(row.world))["frames"]
        sure = [each["intent"] for each in frames if each["sure"] and each["intent"] not in READ_ONLY]
        if [intent for intent in sure if intent not in ASKED_BEFORE or turn not in ("别", "不用")]:
            written.append(f"{said}: {sure}")
    return written
