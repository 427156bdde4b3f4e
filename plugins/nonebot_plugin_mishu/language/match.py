"""Results of an agent's local rules: match of a clause, answer to an open question. Values only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .clause import Clause


@dataclass(frozen=True, slots=True)
class Match:
    """A clause recognised by an agent's rules.

    `weight`: 3 names the agent's own noun (日程, 任务, 记账), 2 has its words (开会, 提醒我, money spent), 1
    by default (any order with a time). The heaviest match wins. `sure` is False if a model, where there is
    one, should be asked first.
    """

    intent: str
    weight: int
    sure: bool = True
    nameless: bool = False
    """Object omitted (改到三点); resolved from the previous clause."""
    unread: tuple[str, ...] = ()
    """Stretches of the clause not covered by any rule."""
    why: str = ""
    """Reason for `sure`, a sentence in Chinese."""
    beside: tuple[tuple[str, str], ...] = ()
    """Agents and intents of other readings, likeliest first."""
    refs: tuple[str, ...] = ()
    """Ids of the stored items referred to: one, or several candidates, or all of several."""
    clause: Clause | None = None
    """Clause with context resolved (half of the day for 八点); None if unchanged."""
    every: bool | None = None
    """`refs` are meant by their number (两个都, 这三个): True for all, False if unclear which."""
    also: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    """Further meanings of the same order: agent, intent and ids."""
    vouched: bool = False
    """The agent's own judge hears an order: a line that sounds like talk is then asked about, not ignored."""


Rules = Callable[[Clause], Match | None]
"""Pure and fast (tens of microseconds): the agent's intent for a clause, None if not its own."""


@dataclass(frozen=True, slots=True)
class AnswerMatch:
    """Answer to an open question: slot values, a yes, a no, or a cancellation."""

    relation: Literal["fills", "corrects", "confirm", "deny", "cancel"]
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    weak: bool = False
    """Weak match: yields to a clear order for another agent."""
    grave: bool = False
    """A yes that deletes: valid only directly after its question."""
    consents: bool = False
    """A yes to a card; the agent decides the action."""
    asks: bool = False
    """Question about the open question's content (每人多少, beside a card of amounts): changes nothing."""
    whole: bool = False
    """Every piece of the line is part of the answer."""
    words: str = ""
    """The answer in words that the rules read, where a model took it out of the line."""
