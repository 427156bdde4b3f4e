"""What talk that nobody addressed to us is worth: rules hear all of it, a model little."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from nonebot_plugin_mishu.agents.schedule.watching import FREE, ORDERED, REST, UNASKED, Watching

HERE, THERE = "group 1", "group 2"


def context(now: float, *, reply_mode: str = "overheard", task: str | None = None, where: str = HERE) -> Any:
    asked = None if task is None else SimpleNamespace(task_id=task)
    return SimpleNamespace(
        conversation=where, request=SimpleNamespace(now=now, reply_mode=reply_mode), open=asked
    )


def test_plans_become_rare_until_one_leads_to_something() -> None:
    seen = Watching()
    assert [seen.plan(context(at)) for at in range(FREE + 3)] == [True] * FREE + [False] * 3
    assert seen.plan(context(FREE, where=THERE))
    assert seen.plan(context(FREE + REST))
    assert not seen.plan(context(FREE + REST + 1))
    seen.led(HERE)  # type: ignore[arg-type]
    assert seen.plan(context(FREE + REST + 2))


def test_a_question_nobody_asked_us_for_is_worth_one_line() -> None:
    seen = Watching()
    seen.asked("t")
    free = [seen.answer(context(at, reply_mode="core", task="t")) for at in range(UNASKED + 2)]
    assert free == [True] * UNASKED + [False] * 2


def test_one_of_an_order_is_worth_some_and_a_call_by_name_always() -> None:
    seen = Watching()
    free = [seen.answer(context(at, reply_mode="core", task="t")) for at in range(ORDERED + 2)]
    assert free == [True] * ORDERED + [False] * 2
    assert seen.answer(context(99, reply_mode="forced", task="t"))
