"""What an agent's local rules say of a clause, and of an answer to a question of its own. Values only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .clause import Clause


@dataclass(frozen=True, slots=True)
class Match:
    """An agent's rules recognise a clause.

    `weight`: 3 it names what is the agent's own (日程, 任务, 记账), 2 it has its words (开会, 提醒我, money
    spent), 1 by default (any order with a time). The heaviest match wins. `sure` is False where a model, if
    there is one, should be asked before anything is done.
    """

    intent: str
    weight: int
    sure: bool = True
    nameless: bool = False
    """It says what to do and not with what (改到三点): what was said before it tells."""
    unread: tuple[str, ...] = ()
    """The stretches of the clause that no rule explains."""
    why: str = ""
    """In Chinese, a sentence: why it is sure, or is not."""
    beside: tuple[tuple[str, str], ...] = ()
    """The agents and intents of other readings, the likelier first."""
    refs: tuple[str, ...] = ()
    """The ids of what is kept and meant: one, or several that it may be or that are all meant."""
    clause: Clause | None = None
    """The clause with what the world tells of it (which half of the day 八点 is); None: as it was."""
    every: bool | None = None
    """`refs` are meant by how many they are (两个都, 这三个): all; False where it is unclear which."""
    also: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    """What else the same order means: agent, intent and ids."""
    vouched: bool = False
    """A judge of the agent's own hears an order: where the line sounds like talk it is asked about all the
    same, not passed over."""


Rules = Callable[[Clause], Match | None]
"""Pure and fast (tens of microseconds): whether the clause is this agent's, and which intent."""


@dataclass(frozen=True, slots=True)
class AnswerMatch:
    """How a line answers an open question: with slot values, a yes, a no, or by calling it off."""

    relation: Literal["fills", "corrects", "confirm", "deny", "cancel"]
    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    weak: bool = False
    """For want of anything better: a line that is a clear order for another agent is that agent's."""
    grave: bool = False
    """A yes by which something is deleted: it counts right behind its question only."""
    consents: bool = False
    """A yes to a card, of which its agent makes what it does."""
    asks: bool = False
    """A question about what the open question shows (每人多少, beside a card of sums): it changes nothing."""
    whole: bool = False
    """Every piece of the line is read as a part of the answer: also what stands beside the value."""
