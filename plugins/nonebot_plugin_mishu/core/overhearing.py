"""Unaddressed talk: fast check for lines an agent would ask about."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from ..agents import Clause, Situation
from ..language.text.fold import normalise
from .situation import whole


class Listener(Protocol):
    """Fields of an agent that overhearing uses; every `AgentSpec` has them."""

    @property
    def listens(self) -> Callable[[str], bool] | None:
        """True if the words of a normalised line alone could be worth a question."""
        ...

    @property
    def overhears(self) -> Callable[[Clause], bool] | None:
        """True if the line is worth a question."""
        ...


def worth_a_question(words: str, agents: Iterable[Listener], where: Callable[[], Situation]) -> bool:
    """True if one of these agents would ask about an unaddressed line.

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
