"""A flood: thousands of messages into many groups while one other group talks to the bot.

That group's answers beside its answers without the flood, what the flood leaves in memory, and how many
model calls ran at once. The model is scripted: every call takes the same time, and so many run at once as
are allowed. The flood comes in three kinds. Talk is what nobody has to answer: what the other group then
waits for is the bot. In uproar the bot is called by name once in a hundred messages and joins in where all
talk at once, so that fifty groups and the other one stand in line for the model as well. Thrown is uproar
sent without waiting for anything, while each question comes from a group that the bot has not in memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from .instances import BUSY, QUIET, Account, Chatter, Instance, Pace, ScriptedModel, machine
from .instances.account import WINDOW
from .instances.chatter import called
from .measurement import Measurement

FLOOD = 5_000
GROUPS = 50
CALLS = 100
"""One message of so many is a summons."""
CONCURRENCY = 8
MODEL = 0.2
QUIET_ASKS = 30
FLOODS = 4
PROMPT = 3.0
"""Seconds: who asks in another group does not wait longer, of which a model takes 0.4."""
GROUP = 19_999


@dataclass(frozen=True)
class _Kind:
    name: str
    pace: Pace
    calls: bool
    window: int = WINDOW
    cold: bool = False


KINDS = (
    _Kind("talk", QUIET, calls=False),
    _Kind("uproar", BUSY, calls=True),
    _Kind("thrown", BUSY, calls=True, window=FLOOD, cold=True),
)


@dataclass(frozen=True)
class _Result:
    before: list[float]
    during: list[float]
    seconds: float
    memory: list[float]
    """MiB before, and after each flood."""
    most_calls: int
    calls: int


async def _measure(kind: _Kind) -> _Result:
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
            for _ in range(FLOODS):
                flood = asyncio.create_task(account.send_all(_flood(kind), kind.window))
                while not flood.done():
                    group = GROUP - len(during) - 1 if kind.cold else GROUP
                    during.append(await account.ask(group, 1, f"水里第 {len(during)} 问"))
                await flood
                memory.append(instance.memory())
            seconds = loop.time() - began
            return _Result(
                before,
                during,
                seconds,
                memory,
                model.most_at_once,
                model.calls,
            )


def _flood(kind: _Kind) -> Iterator[str]:
    chatter = Chatter(kind.pace, GROUPS, first_group=30_000)
    for number, frame in enumerate(chatter.frames(FLOOD)):
        if kind.calls and number % CALLS == CALLS - 1:
            group = chatter.groups[number % GROUPS]
            yield called(group, group * 1000 + number % 40, "在吗")[1]
        else:
            yield frame


def run() -> Iterator[Measurement]:
    """Latency beside its like without the flood, memory, model calls at once; for each kind of flood."""
    for kind in KINDS:
        yield from _report_flood(kind.name, asyncio.run(_measure(kind)))


def _report_flood(kind: str, result: _Result) -> Iterator[Measurement]:
    before, during = sorted(result.before), sorted(result.during)
    yield Measurement(
        f"flood of {kind}: an answer in another group, median of {len(during)}, "
        f"{FLOODS * FLOOD} in {result.seconds:.0f} s",
        median(during) * 1000,
        "ms",
        against=f"without {median(before) * 1000:.0f} ms; {machine()}",
        ratio=median(during) / median(before),
    )
    yield Measurement(
        f"flood of {kind}: an answer in another group, p99",
        _p99(during) * 1000,
        "ms",
        against=f"without {_p99(before) * 1000:.0f} ms",
        ratio=_p99(during) / _p99(before),
        goal=f"<= {PROMPT * 1000:.0f} ms",
        met=_p99(during) <= PROMPT,
    )
    start, first, *_, last = result.memory
    yield Measurement(
        f"flood of {kind}: memory after {FLOODS} times {FLOOD}",
        last,
        "MiB",
        against=f"before {start:.0f}, after the first {first:.0f} MiB",
        ratio=last / start,
    )
    yield Measurement(
        f"flood of {kind}: most model calls at once, of {result.calls}",
        result.most_calls,
        "calls",
        against=f"CONCURRENCY {CONCURRENCY}",
        goal=f"<= {CONCURRENCY}",
        met=result.most_calls <= CONCURRENCY,
    )


def _p99(values: list[float]) -> float:
    return values[min(len(values) - 1, int(len(values) * 0.99))]
