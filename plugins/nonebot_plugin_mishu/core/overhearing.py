"""What is said among members: whether an agent would ask about it. Nearly every line of talk comes here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from ..agents import Clause, Situation
from ..language.text.fold import normalise
from .situation import whole


class Listener(Protocol):
    """What is needed of an agent here; every `AgentSpec` has it."""

    @property
    def listens(self) -> Callable[[str], bool] | None:
        """Whether the words of a normalised line alone could be worth a question."""
        ...

    @property
    def overhears(self) -> Callable[[Clause], bool] | None:
        """Whether a line is."""
        ...


def worth_a_question(words: str, agents: Iterable[Listener], where: Callable[[], Situation]) -> bool:
    """Whether one of these agents takes an unaddressed line for worth a question.

    The times in it are looked for only where its words alone let somebody listen.
    """
    line = normalise(words)
    listening = [
        spec.overhears
        for spec in agents
        if spec.overhears is not None and (spec.listens is None or spec.listens(line))
    ]
    if not listening:
        return False
    clause = whole(words, where())
    return any(overhears(clause) for overhears in listening)
