"""Choice of a clause's agent: every agent's rules match it, the heaviest match wins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ....agents.api.frame import ReadFrame
from ....language.clause import Clause
from ....language.clauses.elsewhere import elsewhere
from ....language.match import Match


class Recogniser(Protocol):
    """Fields of an agent that the decision uses; every `AgentSpec` has them."""

    @property
    def code(self) -> str:
        """Agent code."""
        ...

    @property
    def merges(self) -> bool:
        """True if neighbouring clauses of one intent are one task."""
        ...

    @property
    def acts(self) -> Mapping[str, str]:
        """Act of each intent on kept things (`language.mood.Act`); mood is not read for intents without
        one."""
        ...

    @property
    def rules(self) -> Callable[[Clause], Match | None]:
        """Match of a clause by this agent's rules."""
        ...

    @property
    def read(self) -> ReadFrame:
        """Slots of an intent in a clause."""
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """Agent of a clause. `agent` is its index among the agents given, the routing order."""

    agent: int
    intent: str
    weight: int
    sure: bool
    match: Match


def choose(
    clause: Clause, agents: Sequence[Recogniser], before: Callable[[], Choice | None]
) -> Choice | None:
    """The agent with the heaviest match; None if none recognises the clause.

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
