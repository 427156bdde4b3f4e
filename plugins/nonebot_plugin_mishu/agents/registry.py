"""The agents of this instance: ours, and those other plugins register with one call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from inspect import iscoroutinefunction
from typing import Final, cast

from .dispatch import Priority
from .isolation import Isolation
from .spec import AgentSpec, Intent, Slot

_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")


class AgentRefused(ValueError):
    """A spec cannot be registered; says which and why."""


class Registry:
    """Agents by code. Built-in ones come first, in their order; others in the order of registration."""

    def __init__(self, specs: Iterable[AgentSpec] = ()) -> None:
        self._specs: dict[str, AgentSpec] = {}
        for spec in specs:
            self.add(spec)

    def add(self, spec: AgentSpec) -> None:
        """Add an agent. Raises `AgentRefused` where its code is taken or something is missing."""
        problem = _problem(spec)
        if problem is None and spec.code in self._specs:
            problem = "this code is registered already"
        if problem is not None:
            raise AgentRefused(f"agent {spec.code!r}: {problem}")
        self._specs[spec.code] = spec

    def remove(self, code: str) -> None:
        """Take an agent out; nothing where there is none."""
        self._specs.pop(code, None)

    def get(self, code: str) -> AgentSpec | None:
        """The agent with a code."""
        return self._specs.get(code)

    def __iter__(self) -> Iterator[AgentSpec]:
        return iter(tuple(self._specs.values()))

    def __contains__(self, code: object) -> bool:
        return code in self._specs

    def __len__(self) -> int:
        return len(self._specs)


def _problem(spec: AgentSpec) -> str | None:
    if not _CODE.fullmatch(spec.code):
        return "a code is letters, digits and _ and starts with a letter"
    wrong = _wrong_types(spec)
    if wrong is not None:
        return wrong
    if not spec.intents:
        return "an agent has at least one intent"
    names = spec.intent_names()
    if not all(names):
        return "an intent has a name"
    if len(set(names)) != len(names):
        return "two intents have the same name"
    unknown = {name for slot in spec.slots for name in slot.intents} - set(names)
    if unknown:
        return f"slots name unknown intents: {', '.join(sorted(unknown))}"
    slots = [slot.name for slot in spec.slots]
    if len(set(slots)) != len(slots) or not all(slots):
        return "two slots have the same name, or one has none"
    if set(spec.acts) - set(names):
        return f"acts name unknown intents: {', '.join(sorted(set(spec.acts) - set(names)))}"
    if spec.focus and spec.insertable:
        return "a focus cannot be inserted"
    return None


def _wrong_types(spec: AgentSpec) -> str | None:
    """The first part of a spec that is not what it should be, in words: type hints hold nothing."""
    if not spec.name.strip():
        return "an agent has a name for people"
    if not isinstance(cast("object", spec.intents), tuple) or not all(
        isinstance(cast("object", each), Intent) for each in spec.intents
    ):
        return "intents is a tuple of Intent"
    if not isinstance(cast("object", spec.slots), tuple) or not all(
        isinstance(cast("object", each), Slot) for each in spec.slots
    ):
        return "slots is a tuple of Slot"
    if cast("object", spec.priority) not in tuple(Priority):
        return "priority is one of Priority (1 to 4)"
    for name in ("rules", "read", *_OPTIONAL):
        if not callable(getattr(spec, name)) and not (name in _OPTIONAL and getattr(spec, name) is None):
            return f"{name} is a function"
    for name in ("handler", "expire", "drop"):
        value = getattr(spec, name)
        if value is None and name != "handler":
            continue
        if not callable(value) or not (
            iscoroutinefunction(value) or iscoroutinefunction(type(value).__call__)
        ):
            return f"{name} is an async function"
    return None


_OPTIONAL: Final = ("answers", "replies", "overhears", "listens")


class Joined:
    """Two registries as one: the plugin's own agents, then those of others, whenever they come, each of
    these behind its `Isolation`. `report` tells the log of an error of theirs."""

    def __init__(self, own: Registry, others: Registry, report: Callable[[str, BaseException], None]) -> None:
        self._own = own
        self._others = others
        self._report = report
        self._isolated: dict[str, tuple[AgentSpec, Isolation]] = {}

    def get(self, code: str) -> AgentSpec | None:
        """The agent with a code; the plugin's own first."""
        other = self._others.get(code)
        return self._own.get(code) or (None if other is None else self._guarded(other))

    def __iter__(self) -> Iterator[AgentSpec]:
        yield from self._own
        yield from (self._guarded(spec) for spec in self._others if spec.code not in self._own)

    def _guarded(self, spec: AgentSpec) -> AgentSpec:
        known = self._isolated.get(spec.code)
        if known is None or known[0] is not spec:
            known = self._isolated[spec.code] = (spec, Isolation(spec, self._report))
        return known[1].spec


BUILT_IN: Final = frozenset(
    {"schedule", "tasks", "bookkeeping", "record", "chat", "reminders", "reminder", "calendar"}
)
"""Codes of the plugin's own agents: no other plugin may take one."""
OWN_FEATURES: Final = frozenset(
    {
        *("插话", "复读", "日程监听", "日程", "任务", "记账", "提醒", "日报", "周报"),
        *("群记录", "语音", "图片", "安全", "聊天"),
    }
)
"""Switches and names of the plugin's own: another's agent has a switch and a name of its own."""
REGISTRY = Registry()
"""What other plugins registered. The running plugin puts its own in front of these."""


def register_agent(spec: AgentSpec) -> None:
    """Register an agent of another plugin: it takes part from the next message on.

    Call it while the plugin is imported, after `require("nonebot_plugin_mishu")`. Raises `AgentRefused`.
    """
    if not isinstance(cast("object", spec), AgentSpec):
        raise AgentRefused(f"register_agent takes an AgentSpec, not {type(spec).__name__}")
    if spec.code in BUILT_IN:
        raise AgentRefused(f"agent {spec.code!r}: this code is one of Mishu's own")
    if spec.feature in OWN_FEATURES or spec.name in OWN_FEATURES:
        raise AgentRefused(f"agent {spec.code!r}: this name or feature is one of Mishu's own")
    REGISTRY.add(spec)
