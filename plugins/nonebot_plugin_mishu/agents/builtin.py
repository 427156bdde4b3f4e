"""The built-in agents as far as they only read: code, rules and slots, without a handler. Pure.

For whatever looks at a sentence and does nothing: `explain`, replay tables, benchmarks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import Final

from ..language.clause import Clause
from ..language.match import Match
from .api.frame import NOTHING_READ, AgentFrame, ReadFrame

ROUTING: Final = ("schedule", "tasks", "bookkeeping", "record")
"""The built-in agents in routing order."""
ACTS: Final[Mapping[str, Mapping[str, str]]] = {
    "schedule": {"add": "make", "query": "query", "edit": "change", "delete": "delete"},
    "tasks": {
        "create_task": "make",
        "query_tasks": "query",
        "update_task": "change",
        "delete_task": "delete",
        "complete_task": "finish",
    },
    "bookkeeping": {"record": "record", "query": "query", "correct": "amend", "undo": "amend"},
    "record": {"remember": "make", "forget": "amend"},
}
"""By agent and intent: what it does to what is kept."""
_MERGING: Final = frozenset({"bookkeeping"})


@dataclass(frozen=True, slots=True)
class ReadingAgent:
    """The pure half of a built-in agent."""

    code: str
    rules: Callable[[Clause], Match | None]
    read: ReadFrame
    merges: bool
    acts: Mapping[str, str]
    listens: Callable[[str], bool] | None = None
    overhears: Callable[[Clause], bool] | None = None


def builtin_rules() -> tuple[ReadingAgent, ...]:
    """The pure halves of the built-in agents, in routing order."""
    return tuple(_agent(code) for code in ROUTING)


def _agent(code: str) -> ReadingAgent:
    rules = import_module(f".{code}.rules", __package__).rules
    name = f"{__package__}.{code}.overhearing"
    hears = import_module(name) if find_spec(name) is not None else None
    listens, overhears = (None, None) if hears is None else (hears.listens, hears.overhears)
    return ReadingAgent(code, rules, _slot_reader(code), code in _MERGING, ACTS[code], listens, overhears)


def _slot_reader(code: str) -> ReadFrame:
    """`read(intent, clause)` of the agent's `reader`, or `reading`; nothing is read where there is none."""
    for part in ("reader", "reading"):
        name = f"{__package__}.{code}.{part}"
        read = getattr(import_module(name), "read", None) if find_spec(name) is not None else None
        if read is not None and list(signature(read).parameters) == ["intent", "clause"]:
            return read
    return _nothing


def _nothing(intent: str, clause: Clause) -> AgentFrame:
    return NOTHING_READ
