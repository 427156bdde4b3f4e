"""The registry: codes are unique, a spec that is none is refused with a reason, others come after ours."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.agents import (
    REGISTRY,
    AgentRefused,
    AgentSpec,
    Intent,
    RegisteredAgents,
    Registry,
    Slot,
    TaskContext,
    TaskDispatch,
    TaskResult,
    register_agent,
)


async def nothing(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    return TaskResult(dispatch.task_id, "completed")


def spec(code: str = "rooms", **changed: Any) -> AgentSpec:
    values: dict[str, Any] = {
        "code": code,
        "name": "会议室",
        "intents": (Intent("book", "订"),),
        "boundary": "",
        "handler": nothing,
        "rules": lambda clause: None,
    }
    return AgentSpec(**{**values, **changed})


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"code": "a b"}, "a code is"),
        ({"code": ""}, "a code is"),
        ({"code": "1st"}, "a code is"),
        ({"intents": ()}, "at least one intent"),
        ({"intents": (Intent("book", "订"), Intent("book", "再订"))}, "the same name"),
        ({"slots": (Slot("room", intents=("buy",)),)}, "unknown intents: buy"),
        ({"focus": True, "insertable": True}, "cannot be inserted"),
    ],
)
def test_what_is_no_agent_is_refused_with_a_reason(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(AgentRefused, match=words):
        Registry().add(spec(**changed))


def test_a_code_is_registered_once() -> None:
    registry = Registry([spec()])
    with pytest.raises(AgentRefused, match="'rooms': this code is registered already"):
        registry.add(spec())
    registry.remove("rooms")
    registry.add(spec())
    assert "rooms" in registry
    assert len(registry) == 1


@pytest.mark.parametrize("code", ["chat", "tasks", "schedule", "bookkeeping"])
def test_our_own_codes_are_nobody_elses(code: str) -> None:
    with pytest.raises(AgentRefused, match="one of Mishu's own"):
        register_agent(spec(code))
    assert code not in REGISTRY


def test_ours_come_first_and_others_whenever_they_come() -> None:
    others = Registry()
    joined = RegisteredAgents(Registry([spec("tasks")]), others, lambda what, error: None)
    others.add(spec("rooms"))
    others.add(spec("tasks"))
    assert [each.code for each in joined] == ["tasks", "rooms"]
    assert joined.get("tasks") is not others.get("tasks")
    assert joined.get("rooms") is joined.get("rooms")
    assert joined.get("nobody") is None


def test_slots_of_an_intent() -> None:
    slots = (Slot("room"), Slot("day", intents=("book",)), Slot("why", intents=("cancel",)))
    made = spec(intents=(Intent("book", "订"), Intent("cancel", "退")), slots=slots)
    assert [slot.name for slot in made.slots_of("book")] == ["room", "day"]
    assert [slot.name for slot in made.slots_of("cancel")] == ["room", "why"]
