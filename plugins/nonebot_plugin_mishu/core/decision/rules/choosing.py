"""Which agent a clause belongs to: every agent's rules look at it, the heaviest match wins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ....agents.api.frame import ReadFrame
from ....language.clause import Clause
from ....language.clauses.elsewhere import elsewhere
from ....language.match import Match


class Recogniser(Protocol):
    """What the decision needs of an agent; every `AgentSpec` has it."""

    @property
    def code(self) -> str:
        """Its name."""
        ...

    @property
    def merges(self) -> bool:
        """Whether neighbouring clauses of one intent are one task."""
        ...

    @property
    def acts(self) -> Mapping[str, str]:
        """By intent: what it does to what is kept (`language.mood.Act`); intents that are not named have no
        mood."""
        ...

    @property
    def rules(self) -> Callable[[Clause], Match | None]:
        """Whether a clause is this agent's."""
        ...

    @property
    def read(self) -> ReadFrame:
        """What a clause tells of an intent."""
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """Whose a clause is. `agent` is the place among the agents given, which is the routing order."""

    agent: int
    intent: str
    weight: int
    sure: bool
    match: Match


def choose(
    clause: Clause, agents: Sequence[Recogniser], before: Callable[[], Choice | None]
) -> Choice | None:
    """The agent with the heaviest match; None where nobody recognises the clause.

    Among equals the agent of the clause before goes first (`before` is asked only then), then whoever is
    sure, then the routing order. Two who are equally sure of one clause make the choice unsure.
    """
    if elsewhere(clause.text):
        return None
    found = [
        (number, match) for number, agent in enumerate(agents) if (match := agent.rules(clause)) is not None
    ]
    if not found:
        return None
    heaviest = max(match.weight for _, match in found)
    equals = [(number, match) for number, match in found if match.weight == heaviest]
    if len(equals) == 1:
        number, match = equals[0]
        return Choice(number, match.intent, match.weight, match.sure, match)
    earlier = before()

    def rank(one: tuple[int, Match]) -> tuple[bool, bool, int]:
        number, match = one
        return (earlier is None or number != earlier.agent, not match.sure, number)

    number, match = min(equals, key=rank)
    contested = any(other is not match and other.sure == match.sure for _, other in equals)
    return Choice(number, match.intent, match.weight, match.sure and not contested, match)
