"""Possible work in a line that no agent's rules recognise: a model is worth asking.

Talk is sure where nothing of this is found. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ....agents.api.builtin_codes import KNOWN_BY_RULES
from ....language.clause import Clause
from ....language.clauses.features import LONGEST, hints_at_work
from ....language.clauses.order_words import orders_us
from ....language.text.letters import runs_of
from .choosing import Recogniser


def may_be_work(line: Clause, agents: Iterable[Recogniser]) -> bool:
    """True if the line has an agent's word, an order to us, or a run of an agent's description."""
    if hints_at_work(line):
        return True
    text = line.text[:LONGEST].lower()
    if orders_us(line):
        return True
    runs = runs_of(text)
    return any(not runs.isdisjoint(_told(intents)) for intents in map(_intents, agents) if intents)


def _intents(agent: Recogniser) -> tuple[Any, ...]:
    """Intents of an agent known by its own description; none for agents known by their rules (你们到哪了
    shares 到哪了 with the polls' 问统计到哪了)."""
    return () if agent.code in KNOWN_BY_RULES else getattr(agent, "intents", ())


@lru_cache(maxsize=64)
def _told(intents: tuple[Any, ...]) -> frozenset[str]:
    """The runs of characters in the descriptions and examples of an agent's intents."""
    told = [text for intent in intents for text in (intent.description, *intent.examples)]
    return frozenset(run for text in told for run in runs_of(text.lower()))
