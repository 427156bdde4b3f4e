"""The agents of this instance: ours, and those other plugins register with one call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .spec import AgentSpec

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
    if not spec.intents:
        return "an agent has at least one intent"
    names = spec.intent_names()
    if len(set(names)) != len(names):
        return "two intents have the same name"
    unknown = {name for slot in spec.slots for name in slot.intents} - set(names)
    if unknown:
        return f"slots name unknown intents: {', '.join(sorted(unknown))}"
    if spec.focus and spec.insertable:
        return "a focus cannot be inserted"
    return None


class Joined:
    """Two registries as one: the plugin's own agents, then those of others, whenever they come."""

    def __init__(self, own: Registry, others: Registry) -> None:
        self._own = own
        self._others = others

    def get(self, code: str) -> AgentSpec | None:
        """The agent with a code; the plugin's own first."""
        return self._own.get(code) or self._others.get(code)

    def __iter__(self) -> Iterator[AgentSpec]:
        yield from self._own
        yield from (spec for spec in self._others if spec.code not in self._own)


BUILT_IN = frozenset({"schedule", "tasks", "bookkeeping", "record", "chat"})
"""Codes of the plugin's own agents: no other plugin may take one."""
REGISTRY = Registry()
"""What other plugins registered. The running plugin puts its own in front of these."""


def register_agent(spec: AgentSpec) -> None:
    """Register an agent of another plugin: it takes part from the next message on.

    Call it while the plugin is imported, after `require("nonebot_plugin_mishu")`. Raises `AgentRefused`.
    """
    if spec.code in BUILT_IN:
        raise AgentRefused(f"agent {spec.code!r}: this code is one of Mishu's own")
    REGISTRY.add(spec)
