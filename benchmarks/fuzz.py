"""Fuzz: what any line costs the event loop, whatever it is made of (`instances.fragments`).

In process: everything is real but the platform; there is no model. Each line is said to a bot that was not
called, that observes, that has just shown a card, asked about a task or about a schedule; processor time of
the loop's thread counts, so that a busy machine does not. `step` is the longest that the loop stood still.
Before the first line stands what a running bot has behind it: its rehearsal, and a few lines that make the
database's statements ready. `python -m benchmarks.fuzz LINES [--json]` says so many lines in all, of mixed
lengths.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

from .instances.fragments import line
from .instances.hurried import HurriedLoop, hurried_clock
from .instances.office import load_plugin
from .measurement import Measurement
from .watching import Bot, Group

SHORT, LONG = 32, 20_000
LINES: Final = {SHORT: 400, LONG: 60}
"""Lines of each length in each state."""
GOAL_SHORT, GOAL_LONG = 5.0, 50.0
"""Milliseconds: of a hundred short lines all but one, of any lines all."""
MIXED: Final = (1, 8, 32, 32, 64, 120, 400, 1000, 4000, LONG)
"""Lengths of which many lines are."""
CALLED_BEFORE: Final = (
    "在吗",
    "记账 午饭 20",
    "提醒我明天8点取件",
    "帮大家加个日程，明天下午三点开评审会",
    "今天的日程",
)
STATES: Final = {
    "called": "",
    "observing": "",
    "a card open": "记账 打车ABC 23元",
    "a task asked about": "提醒我明天8点取件",
    "a schedule asked about": "帮大家加个日程，明天下午开评审会",
}
"""By what its member said before."""
SPEED: Final = 20.0
"""Seconds of its time in one of the machine's."""
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
        from nonebot_plugin_mishu.app.runtime import Runtime
        from nonebot_plugin_mishu.config import Config
        from nonebot_plugin_mishu.storage.records import Conversation

        self.group = Group()
        self.clock = hurried_clock(_ZONE, _BEGAN)
        self.conversation = Conversation(self.group.accounts()[0], "group", "20000")
        config = Config.model_validate({"secretary": {"observing_timeout": 1e6}})
        self.runtime = Runtime(config, ["秘书"], cast("Any", self.group), self.clock)
        self._number = 0

    def enter(self, group: str) -> None:
        """Move the talk to another group: in the last one we may have been silenced."""
        self.conversation = replace(self.conversation, peer=group)

    async def rehearsed(self) -> None:
        """Until what the bot does beside its start is done."""
        rehearsing = self.runtime._rehearsing  # pyright: ignore[reportPrivateUsage]
        if rehearsing is not None:
            await asyncio.wait([rehearsing])

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


async def measured(
    state: str, lengths: int | Sequence[int], count: int, seed: int = 1
) -> list[tuple[float, float, str]]:
    """Of each line: the longest step and all that it cost, ms, and the line."""
    chance = random.Random(f"{seed} {state} {lengths}")
    steps = Steps()
    found: list[tuple[float, float, str]] = []
    who = "30001"
    async with _running() as bot:
        await bot.rehearsed()
        for number, words in enumerate(CALLED_BEFORE):
            bot.enter(f"3{number:04}")
            bot.say(who, words, called=True)
            await bot.rest()
        gc.collect()
        gc.freeze()
        gc.disable()
        with steps.watched():
            for number in range(count):
                said = line(chance, lengths if isinstance(lengths, int) else chance.choice(lengths))
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


def _row(state: str, found: list[tuple[float, float, str]], kind: str, *, rare: bool) -> Measurement:
    """A row; `rare`: one line in a hundred may be slower than the goal."""
    steps = sorted(step for step, _, _ in found)
    costs = sorted(cost for _, cost, _ in found)
    p99 = steps[max(0, int(len(steps) * 0.99) - 1)]
    worst, goal = (p99, GOAL_SHORT) if rare else (steps[-1], GOAL_LONG)
    told = f"median {steps[len(steps) // 2]:.1f}, " + (f"worst {steps[-1]:.1f}" if rare else f"p99 {p99:.1f}")
    return Measurement(
        f"fuzz, {state}, {kind}",
        worst,
        "ms",
        against=f"{told}, all {costs[-1]:.0f}: {max(found)[2][:12]!r}",
        ratio=worst / goal,
        goal=f"a step at most {goal:g} ms" + (" (p99)" if rare else ""),
        met=worst <= goal,
    )


def _found(state: str, lengths: int | Sequence[int], count: int) -> list[tuple[float, float, str]]:
    with asyncio.Runner(loop_factory=lambda: HurriedLoop(SPEED)) as runner:
        return runner.run(measured(state, lengths, count))


def run() -> Iterator[Measurement]:
    """By state and length: the longest step, and what a line cost in all."""
    load_plugin()
    for state in STATES:
        for length, count in LINES.items():
            yield _row(state, _found(state, length, count), f"{length} characters", rare=length == SHORT)


def run_many(lines: int) -> Iterator[Measurement]:
    """By state: the longest step of lines of every length."""
    load_plugin()
    for state in STATES:
        found = _found(state, MIXED, lines // len(STATES))
        yield _row(state, found, "any length", rare=False)
        short = [one for one in found if len(one[2]) <= SHORT]
        yield _row(state, short, f"up to {SHORT} characters", rare=True)


if __name__ == "__main__":
    for row in run_many(int(sys.argv[1])):
        print(json.dumps(row.as_json(), ensure_ascii=False) if "--json" in sys.argv else row, flush=True)
