"""M2: searching one member's summaries, and a member's among everybody's, on SQLite; forgetting one."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import nonebot

from .measurement import Measurement

SUMMARIES = 10_000
MEMBERS = 50
OWN = 2_000
SEARCHES = 300
GOAL_MS = 50.0

_WHO = ("老王", "小李", "妈妈", "客户", "房东", "同学", "会计", "医生", "教练", "队友")
_WHAT = (
    "开会",
    "体检",
    "交房租",
    "打球",
    "报销",
    "买菜",
    "修电脑",
    "订酒店",
    "取快递",
    "写总结",
    "爬山",
    "续费",
)
_WHERE = ("会议室", "医院", "香山", "公司", "学校", "上海", "小区东门", "体育馆", "咖啡馆", "车站")
_WHEN = ("明天下午三点", "周五之前", "下周一上午", "月底", "今晚八点", "十二号", "后天中午", "周末")


def _line(chance: Random) -> str:
    what, who = chance.choice(_WHAT), chance.choice(_WHO)
    return f"要求：{chance.choice(_WHEN)}和{who}在{chance.choice(_WHERE)}{what}；结果：好的，记下了：{what}"


async def _times(search: Callable[[str], Awaitable[Any]], chance: Random) -> list[float]:
    taken: list[float] = []
    for _ in range(SEARCHES):
        asked = f"和{chance.choice(_WHO)}{chance.choice(_WHAT)}的事怎么样了，是在{chance.choice(_WHERE)}吗"
        began = time.perf_counter()
        found = await search(asked)
        taken.append((time.perf_counter() - began) * 1000)
        if not found:
            raise RuntimeError(f"nothing found for {asked}")
    return sorted(taken)


async def _measured(folder: Path) -> list[Measurement]:
    from nonebot_plugin_mishu.clock import Clock
    from nonebot_plugin_mishu.config import Config, Llm
    from nonebot_plugin_mishu.llm import ModelClient
    from nonebot_plugin_mishu.memory import Recollection, terms
    from nonebot_plugin_mishu.storage import Conversation, Storage, default_url
    from nonebot_plugin_mishu.storage.memory.summaries import Summaries
    from nonebot_plugin_mishu.storage.records import Summary

    async def spent(_: object) -> int:
        return 0

    chance = Random(1)
    here = Conversation("10000", "group", "20000")
    storage = await Storage.open(default_url(folder), on_trouble=print)
    model = ModelClient(Llm(), record=lambda _: None, spent=spent, warn=print)
    memory = Recollection(Config(), Clock(ZoneInfo("Asia/Shanghai")), storage, model, print)

    async def fill(summaries: Summaries, user: Callable[[int], str], first: int, count: int) -> None:
        # Side by side, so that many go into one transaction.
        for start in range(first, first + count, 50):
            lines = [(number, _line(chance)) for number in range(start, min(start + 50, first + count))]
            made = [
                Summary(here, user(number), str(number), "tasks", line, tuple(terms(line)), 1.0)
                for number, line in lines
            ]
            await asyncio.gather(*(summaries.store_summary(each) for each in made))

    def search_of(user: str) -> Callable[[str], Awaitable[Any]]:
        return lambda text: memory.alike(here, user, text, 5)

    results: list[Measurement] = []

    def note(name: str, value: float, goal: float | None = None) -> None:
        words = None if goal is None else f"at most {goal:.0f} ms"
        met = None if goal is None else value <= goal
        results.append(Measurement(name, value, "ms", goal=words, met=met))

    try:
        began = time.perf_counter()
        await fill(storage.summaries, lambda number: f"u{number % MEMBERS}", 0, SUMMARIES)
        note("recollection: storing one", (time.perf_counter() - began) * 1000 / SUMMARIES)
        among = await _times(search_of("u7"), chance)
        note(f"recollection: own among {SUMMARIES:,}, p99", among[int(len(among) * 0.99)], GOAL_MS)
        note(f"recollection: own among {SUMMARIES:,}, median", statistics.median(among))
        await fill(storage.summaries, lambda _: "one", SUMMARIES, OWN)
        alone = await _times(search_of("one"), chance)
        note(f"recollection: {OWN:,} own, p99", alone[int(len(alone) * 0.99)])
        note(f"recollection: {OWN:,} own, median", statistics.median(alone))
        began = time.perf_counter()
        await storage.members.delete_member(here, "one")
        note(f"recollection: forgetting {OWN:,}", (time.perf_counter() - began) * 1000)
    finally:
        await memory.close()
        await storage.close()
    return results


def run() -> Iterator[Measurement]:
    """Measure with a database of its own in a temporary directory."""
    nonebot.logger.remove()  # standard output is for the numbers
    nonebot.init(driver="~none", log_level="ERROR")
    nonebot.load_plugin("nonebot_plugin_mishu")
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_measured(Path(folder)))
