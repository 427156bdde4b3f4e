"""A flood: thousands of messages into many groups while one other group talks to the bot.

That group's answers beside its answers without the flood, what the flood leaves in memory, and how many
model calls ran at once. The model is scripted: every call takes the same time. One message of the flood in a
hundred calls the bot by name, so that the model is wanted everywhere at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from .instances import BUSY, Account, Chatter, Instance, ScriptedModel, machine
from .instances.chatter import called
from .measurement import Measurement

FLOOD = 5_000
GROUPS = 50
CALLS = 100
"""One message of so many is a summons."""
CONCURRENCY = 8
MODEL = 0.2
QUIET_ASKS = 30
GROUP = 19_999


@dataclass(frozen=True)
class _Result:
    before: list[float]
    during: list[float]
    seconds: float
    memory: tuple[float, float, float]
    """MiB before, after the first flood, after the second."""
    most_calls: int
    calls: int


async def _measure() -> _Result:
    async with ScriptedModel(MODEL) as model:
        settings = {
            "NICKNAME": ["小秘"],
            "MISHU__LLM__BASE_URL": model.url,
            "MISHU__LLM__API_KEY": "sk-bench",
            "MISHU__LLM__MODEL": "scripted",
            "MISHU__LLM__CONCURRENCY": CONCURRENCY,
            "MISHU__QQ__SEND_GAP": 0,
        }
        started = Instance("bot", settings, ready="/api/health")
        async with started as instance, Account(instance.onebot_url) as account:
            await account.ask(GROUP, 1, "预热")
            before = [await account.ask(GROUP, 1, f"第 {number} 问") for number in range(QUIET_ASKS)]
            memory = [instance.memory()]
            loop = asyncio.get_running_loop()
            began = loop.time()
            during: list[float] = []
            for _ in range(2):
                flood = asyncio.create_task(account.send_all(_flood()))
                while not flood.done():
                    during.append(await account.ask(GROUP, 1, f"水里第 {len(during)} 问"))
                await flood
                memory.append(instance.memory())
            seconds = loop.time() - began
            return _Result(
                before,
                during,
                seconds,
                (memory[0], memory[1], memory[2]),
                model.most_at_once,
                model.calls,
            )


def _flood() -> Iterator[str]:
    chatter = Chatter(BUSY, GROUPS, first_group=30_000)
    for number, frame in enumerate(chatter.frames(FLOOD)):
        if number % CALLS == CALLS - 1:
            group = chatter.groups[number % GROUPS]
            yield called(group, group * 1000 + number % 40, "在吗")[1]
        else:
            yield frame


def run() -> Iterator[Measurement]:
    """Latency beside its like without the flood, memory, model calls at once."""
    result = asyncio.run(_measure())
    before, during = sorted(result.before), sorted(result.during)
    yield Measurement(
        f"flood: an answer in another group, median of {len(during)}, {2 * FLOOD} in {result.seconds:.0f} s",
        median(during) * 1000,
        "ms",
        against=f"without {median(before) * 1000:.0f} ms; {machine()}",
        ratio=median(during) / median(before),
    )
    yield Measurement(
        "flood: an answer in another group, p99",
        _p99(during) * 1000,
        "ms",
        against=f"without {_p99(before) * 1000:.0f} ms",
        ratio=_p99(during) / _p99(before),
    )
    start, first, second = result.memory
    yield Measurement(
        f"flood: memory after the second {FLOOD}",
        second,
        "MiB",
        against=f"before {start:.0f}, after the first {first:.0f} MiB",
        ratio=second / start,
    )
    yield Measurement(
        f"flood: most model calls at once, of {result.calls}",
        result.most_calls,
        "calls",
        against=f"CONCURRENCY {CONCURRENCY}",
        goal=f"<= {CONCURRENCY}",
        met=result.most_calls <= CONCURRENCY,
    )


def _p99(values: list[float]) -> float:
    return values[min(len(values) - 1, int(len(values) * 0.99))]
