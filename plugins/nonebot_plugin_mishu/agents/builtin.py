"""The built-in agents as far as they only read: code, rules and slots, without a handler. Pure.

For whatever looks at a sentence and does nothing: `explain`, replay tables, benchmarks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import Final

from ..language.clause import Clause
from ..language.match import Match
from .api.builtin_codes import ACTS, ROUTING
from .api.frame import NOTHING_READ, AgentFrame, ReadFrame

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
    claims: Callable[[Clause], Match | None] | None = None


@cache
def builtin_rules() -> tuple[ReadingAgent, ...]:
    """The pure halves of the built-in agents, in routing order."""
    return tuple(_agent(code) for code in ROUTING)


def _agent(code: str) -> ReadingAgent:
    rules = import_module(f".{code}.rules", __package__).rules
    name = f"{__package__}.{code}.overhearing"
    hears = import_module(name) if find_spec(name) is not None else None
    listens, overhears = (None, None) if hears is None else (hears.listens, hears.overhears)
    claims = getattr(import_module(f".{code}.rules", __package__), "claims", None)
    reads = _slot_reader(code)
    return ReadingAgent(code, rules, reads, code in _MERGING, ACTS[code], listens, overhears, claims)


def _slot_reader(code: str) -> ReadFrame:
    """`read(intent, clause)` of the agent's `reader`, or `rules`; nothing is read where there is none."""
    for part in ("reader", "rules"):
        name = f"{__package__}.{code}.{part}"
        read = getattr(import_module(name), "read", None) if find_spec(name) is not None else None
        if read is not None and list(signature(read).parameters) == ["intent", "clause"]:
            return read
    return _nothing


def _nothing(intent: str, clause: Clause) -> AgentFrame:
    return NOTHING_READ
