"""The core without a model: the rules' reading, the looks for the front desk, one whole request."""

from __future__ import annotations

import asyncio
import gc
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import nonebot
import yaml

from .measurement import Measurement

_GOAL_DECISION_MS = 1.0
_GOAL_LOOK_MS = 1.0
_DATA = Path(__file__).parents[1] / "tests" / "core" / "decision" / "data"
_ROUNDS = 5
_REQUESTS = 400


def run() -> Iterable[Measurement]:
    """p99 over different sentences, the best of some runs each, in ms."""
    nonebot.logger.remove()  # standard output is for the numbers
    nonebot.init(driver="~none", log_level="ERROR")  # importing any part of a plugin runs the plugin
    nonebot.load_plugin("nonebot_plugin_mishu")
    return _measured(_sentences())


def _sentences() -> list[str]:
    found: list[str] = []
    for path in sorted(_DATA.glob("*.yaml")):
        for lines in cast("dict[str, Any]", yaml.safe_load(path.read_text("utf-8"))).values():
            found += cast("str", lines).splitlines() if isinstance(lines, str) else []
    return [line.strip() for line in found if line.strip()]


def _measured(said: Sequence[str]) -> Iterable[Measurement]:
    from nonebot_plugin_mishu.agents.builtin import builtin_rules
    from nonebot_plugin_mishu.config import Config
    from nonebot_plugin_mishu.core.decision import read
    from nonebot_plugin_mishu.core.situation import situation

    specs = builtin_rules()
    where = situation(1_800_000_000.0, Config().zone)
    times = _each(said, lambda line: read(line, where, specs))
    yield _p(f"core: rules read a sentence, p99 of {len(said)}", times, 0.99, _GOAL_DECISION_MS)
    yield _p("core: rules read a sentence, median", times, 0.5)
    yield from asyncio.run(_requests(said))


async def _requests(said: Sequence[str]) -> list[Measurement]:
    from nonebot_plugin_mishu.agents.builtin import builtin_rules
    from nonebot_plugin_mishu.core import FramesInMemory
    from nonebot_plugin_mishu.storage import Storage, default_url

    specs = builtin_rules()
    bench = _Bench(specs, FramesInMemory())
    looks = _each(said, bench.order)
    await bench.handle("挂号")
    awaits = _each(said, bench.awaits)
    times = await _each_awaited(said, bench.handle)
    found = [
        _p("core: is an unaddressed line an order, p99", looks, 0.99, _GOAL_LOOK_MS),
        _p("core: does a line answer an open question, p99", awaits, 0.99, 2 * _GOAL_LOOK_MS),
        _p("core: a request, rules to reply, agents that do nothing, p99", times, 0.99),
        _p("core: a request, rules to reply, agents that do nothing, median", times, 0.5),
    ]
    with tempfile.TemporaryDirectory() as home:
        storage = await Storage.open(
            default_url(Path(home)), on_trouble=lambda line: print(line, file=sys.stderr)
        )
        try:
            kept = await _each_awaited(said[:_REQUESTS], _Bench(specs, storage.frames).handle)
        finally:
            await storage.close()
    found.append(_p("core: a request with M3 in SQLite, median", kept, 0.5))
    return found


class _Bench:
    """A core whose agents read as the built-in ones do and do nothing."""

    def __init__(self, halves: Sequence[Any], frames: Any) -> None:
        from nonebot_plugin_mishu.agents import AgentSpec, Intent, Match, Registry, Slot, TaskResult
        from nonebot_plugin_mishu.clock import Clock
        from nonebot_plugin_mishu.config import Config
        from nonebot_plugin_mishu.core import Core
        from nonebot_plugin_mishu.core.decision import read
        from nonebot_plugin_mishu.llm import ModelClient
        from nonebot_plugin_mishu.storage.records import Conversation

        async def done(dispatch: Any, task_context: Any) -> TaskResult:
            return TaskResult(dispatch.task_id, "completed", user_response="好")

        async def asks(dispatch: Any, task_context: Any) -> TaskResult:
            return TaskResult(dispatch.task_id, "awaiting_user", {}, ("days",), None, "几天？")

        def days(clause: Any) -> str | None:
            return clause.text if clause.text.endswith("天") else None

        def spec(half: Any) -> AgentSpec:
            names = ("add", "query", "edit", "delete", "record", "correct", "undo")
            tasks = ("create_task", "query_tasks", "update_task", "delete_task", "complete_task")
            intents = tuple(Intent(name, "") for name in (*names, *tasks))
            return AgentSpec(
                half.code, half.code, intents, "", half.rules, done, half.read, merges=half.merges
            )

        nothing: Callable[[Any], Match | None] = lambda clause: None  # noqa: E731
        one = (Intent("do", ""),)
        asking = AgentSpec(
            "clinic",
            "",
            one,
            "",
            rules=lambda clause: Match("do", 3) if "挂号" in clause.text else None,
            handler=asks,
            slots=(Slot("days", read=days),),
        )
        chat = AgentSpec("chat", "", (Intent("chitchat", ""),), "", nothing, done)
        config = Config()
        self._clock = Clock(config.zone)
        model = ModelClient(config.llm, record=lambda call: None, spent=_spent, warn=lambda line: None)
        agents = Registry([*(spec(half) for half in halves), asking, chat])
        self.core = Core(config, self._clock, agents, model, frames, read=read, report=_report)
        self._where = Conversation("10000", "group", "1")
        self._number = 0

    def order(self, line: str) -> object:
        return self.core.reads_as_order(line)

    def awaits(self, line: str) -> object:
        return self.core.awaits(self._where, "asked", line)

    async def handle(self, line: str) -> object:
        from nonebot_plugin_mishu.agents import DEFAULT, Request, Utterance
        from nonebot_plugin_mishu.llm import CallLog, Deadline
        from nonebot_plugin_mishu.storage.records import LedgerMessage

        self._number += 1
        now = self._clock.wall()
        user = "asked" if line == "挂号" else "other"
        message = LedgerMessage(
            self._where, f"m{self._number}", now, self._number, user, "名", "member", line
        )
        judged: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        judged.set_result(DEFAULT)
        request = Request(
            conversation=self._where,
            utterances=(Utterance(message, line),),
            context=(message,),
            reply_mode="forced",
            persona=None,
            bot_names=("秘书",),
            judgement=judged,
            now=now,
            deadline=Deadline.after(60, self._clock.monotonic),
            calls=CallLog(),
        )
        return replace(await self.core.handle(request), reason="")


async def _spent(conversation: object) -> int:
    return 0


def _trouble(line: str) -> None:
    print(line, file=sys.stderr)


def _report(what: str, error: BaseException) -> None:
    raise AssertionError(what) from error


def _each(said: Sequence[str], work: Callable[[str], object]) -> list[float]:
    """The best of some runs of each sentence, in ms: others may be busy on the same machine."""
    found: list[float] = []
    gc.collect()
    gc.disable()
    try:
        for line in said:
            runs: list[float] = []
            for _ in range(_ROUNDS):
                began = time.perf_counter()
                work(line)
                runs.append((time.perf_counter() - began) * 1e3)
            found.append(min(runs))
    finally:
        gc.enable()
    return found


async def _each_awaited(said: Sequence[str], work: Callable[[str], Awaitable[object]]) -> list[float]:
    found: list[float] = []
    for line in said:
        began = time.perf_counter()
        await work(line)
        found.append((time.perf_counter() - began) * 1e3)
    return found


def _p(name: str, times: Sequence[float], part: float, goal: float | None = None) -> Measurement:
    value = sorted(times)[min(len(times) - 1, int(len(times) * part))]
    if goal is None:
        return Measurement(name, value, "ms")
    return Measurement(name, value, "ms", goal=f"at most {goal:g} ms", met=value <= goal)
