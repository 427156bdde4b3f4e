"""Fuzz: what any line costs the event loop, whatever it is made of (`instances.fragments`).

In process: everything is real but the platform; there is no model. Each line is said to a bot that was not
called, that observes, that has just shown a card, asked about a task or about a schedule; processor time of
the loop's thread counts, so that a busy machine does not. `step` is the longest that the loop stood still.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import random
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

from .instances.fragments import line, sentences
from .instances.hurried import HurriedLoop, hurried_clock
from .instances.office import load_plugin
from .measurement import Measurement
from .watching import Bot, Group

SHORT, LONG = 32, 20_000
LINES: Final = {SHORT: 100, LONG: 25}
"""Lines of each length in each state."""
GOAL_SHORT, GOAL_LONG = 5.0, 50.0
"""Milliseconds: of a hundred short lines all but one, of long ones all."""
STATES: Final = {
    "called": "",
    "observing": "",
    "a card open": "记账 打车ABC 23元",
    "a task asked about": "提醒我明天8点取件",
    "a schedule asked about": "帮大家加个日程，明天下午开评审会",
}
"""By what its member said before."""
_ZONE: Final = ZoneInfo("Asia/Shanghai")
_BEGAN: Final = 1_795_000_000.0


class Steps:
    """Processor time of the loop's thread: of the longest callback, and of all since `begin`, ms."""

    def __init__(self) -> None:
        self.longest = self.spent = 0.0

    def begin(self) -> None:
        self.longest = self.spent = 0.0

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """While this is entered callbacks of loops are timed."""
        run: Any = asyncio.Handle._run
        steps = self

        def timed(handle: asyncio.Handle) -> None:
            began = time.thread_time()
            run(handle)
            took = (time.thread_time() - began) * 1000
            steps.longest = max(steps.longest, took)
            steps.spent += took

        cast("Any", asyncio.Handle)._run = timed
        try:
            yield
        finally:
            cast("Any", asyncio.Handle)._run = run


class Silent(Bot):
    """A bot without a model, in one group."""

    def __init__(self) -> None:
        from nonebot_plugin_mishu.config import Config
        from nonebot_plugin_mishu.runtime import Runtime
        from nonebot_plugin_mishu.storage.records import Conversation

        self.group = Group()
        self.clock = hurried_clock(_ZONE, _BEGAN)
        self.conversation = Conversation(self.group.accounts()[0], "group", "20000")
        config = Config.model_validate({"secretary": {"observing_timeout": 1e6}})
        self.runtime = Runtime(config, ["秘书"], cast("Any", self.group), self.clock)
        self._number = 0

    def enter(self, group: str) -> None:
        """What is said from now on is said in another group: in the last one we may have been silenced."""
        self.conversation = replace(self.conversation, peer=group)

    async def rest(self) -> None:
        """Until nothing is under way."""
        assert self.runtime.desk is not None
        for _ in range(200):
            await asyncio.sleep(0.3)
            if self.runtime.desk.at_rest(watched=False):
                return


@contextlib.asynccontextmanager
async def _running() -> AsyncIterator[Silent]:
    from nonebot_plugin_mishu.storage import default_url

    with tempfile.TemporaryDirectory(prefix="mishu-bench-") as home:
        bot = Silent()
        await bot.runtime.start(default_url(Path(home)))
        try:
            yield bot
        finally:
            await bot.runtime.stop()


async def measured(state: str, length: int, count: int, seed: int = 1) -> list[tuple[float, float, str]]:
    """Of each line: the longest step and all that it cost, ms, and the line."""
    chance = random.Random(f"{seed} {state} {length}")
    steps = Steps()
    found: list[tuple[float, float, str]] = []
    who = "30001"
    async with _running() as bot:
        for words in sentences()[:: len(sentences()) // 60]:
            bot.enter(f"3{len(words):04}")
            bot.say(who, words, called=True)  # what is compiled when it is first needed
            await bot.rest()
        gc.collect()
        gc.freeze()
        gc.disable()
        with steps.watched():
            for number in range(count):
                said = line(chance, length)
                bot.enter(f"2{number:04}")
                if state == "observing":
                    bot.say(who, "在吗", called=True)
                    await bot.rest()
                if STATES[state]:
                    bot.say(who, STATES[state], called=True)
                    await bot.rest()
                steps.begin()
                began = time.thread_time()
                bot.say(who, said, called=state == "called")
                heard = (time.thread_time() - began) * 1000
                await bot.rest()
                found.append((max(heard, steps.longest), heard + steps.spent, said))
        gc.enable()
    return found


def run() -> Iterator[Measurement]:
    """By state and length: the longest step, and what a line cost in all."""
    load_plugin()
    for state in STATES:
        for length, count in LINES.items():
            with asyncio.Runner(loop_factory=lambda: HurriedLoop(6.0)) as runner:
                found = runner.run(measured(state, length, count))
            steps = sorted(step for step, _, _ in found)
            costs = sorted(cost for _, cost, _ in found)
            worst = steps[-1] if length == LONG else steps[int(len(steps) * 0.99)]
            goal = GOAL_LONG if length == LONG else GOAL_SHORT
            yield Measurement(
                f"fuzz, {state}, {length} characters",
                worst,
                "ms",
                against=f"median {steps[len(steps) // 2]:.1f}, all {costs[-1]:.0f}: {max(found)[2][:12]!r}",
                ratio=worst / goal,
                goal=f"a step at most {goal:g} ms" + ("" if length == LONG else " (p99)"),
                met=worst <= goal,
            )
