"""Schedules: a query among many, from the words to the reply, without a model; and the looking up alone."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import nonebot
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from .instances import machine
from .measurement import Measurement

ROWS = 10_000
CHUNK = 1000
ROUNDS = 10
GOAL_MS = 20.0
NOW = datetime(2026, 11, 23, 9)
WORDS = ("本周日程", "明天有什么安排", "下次读书会是什么时候")


def run() -> Iterable[Measurement]:
    """Medians in ms."""
    nonebot.init(driver="~none", log_level="ERROR")
    nonebot.load_plugin("nonebot_plugin_mishu")
    answered, looked = asyncio.run(_measure_answers())
    for words, took in answered.items():
        yield Measurement(f"schedules, {words} among {ROWS:,}, median", took, "ms", against=machine())
    for how, took in looked.items():
        name = f"schedules, looked up {how} among {ROWS:,}, median"
        yield Measurement(name, took, "ms", goal=f"≤ {GOAL_MS:g} ms", met=took <= GOAL_MS)


async def _measure_answers() -> tuple[dict[str, float], dict[str, float]]:
    from bot.replay.sample import Line, Sample
    from bot.replay.stage import Stage

    talk = [{"who": "小明", "say": f"@秘书 {words}"} for words in WORDS]
    sample = Sample.model_validate({"name": "many", "now": NOW.isoformat(), "talk": talk})
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as directory:
        async with Stage.open(sample, Path(directory)) as stage:
            await _fill(stage)
            for words in WORDS:
                times: list[float] = []
                for _ in range(ROUNDS):
                    began = time.perf_counter()
                    heard = await stage.say(Line(who="小明", say=f"@秘书 {words}"))
                    times.append((time.perf_counter() - began) * 1000)
                    assert heard.dispatched == ["schedule"], heard
                found[words] = statistics.median(times)
            return found, await _looked_up(stage)


async def _looked_up(stage: object) -> dict[str, float]:
    """The part of it that reads the schedules and finds those that are meant."""
    from nonebot_plugin_mishu.agents.schedule.candidates.candidate import Candidate, SearchSpan
    from nonebot_plugin_mishu.agents.schedule.search import find

    storage = stage._storage  # type: ignore[attr-defined]
    where = stage._conversation  # type: ignore[attr-defined]
    day = SearchSpan("2026-11-24 00:00:00", "2026-11-24 23:59:59")
    found: dict[str, float] = {}
    for how, wanted in (
        ("by date", Candidate("query", spans=(day,))),
        ("by words", Candidate("query", old_description="读书会")),
    ):
        times: list[float] = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            hits = find(
                await storage.schedules.live(where), wanted, NOW.replace(tzinfo=ZoneInfo("Asia/Shanghai"))
            )
            times.append((time.perf_counter() - began) * 1000)
            assert hits
        found[how] = statistics.median(times)
    return found


async def _fill(stage: object) -> None:
    from nonebot_plugin_mishu.storage.schedules.tables import schedule

    storage = stage._storage  # type: ignore[attr-defined]
    where = stage._conversation  # type: ignore[attr-defined]
    rows = [
        {
            "self_id": where.self_id,
            "kind": where.kind,
            "peer": where.peer,
            "start": (NOW + timedelta(hours=number - ROWS // 2)).strftime("%Y-%m-%d %H:%M:%S"),
            "zone": "Asia/Shanghai",
            "end": None,
            "segment": None,
            "description": "读书会" if number % 500 == 0 else f"评审{number}",
            "place": None,
            "recurrence": None,
            "until": None,
            "lead_minutes": None,
            "everybody": False,
            "created_by": "30001",
            "creator": "小明",
            "joined": [],
            "origin": f"made:{number}",
            "touched": None,
            "created_at": float(number),
            "updated_at": float(number),
            "deleted": False,
        }
        for number in range(ROWS)
    ]
    for start in range(0, ROWS, CHUNK):
        part = rows[start : start + CHUNK]

        async def insert_schedules(connection: AsyncConnection, part: list[dict[str, object]] = part) -> None:
            await connection.execute(insert(schedule), part)

        await storage._writer.run(insert_schedules)
