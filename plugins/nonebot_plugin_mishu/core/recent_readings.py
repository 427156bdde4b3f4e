"""Recent readings: cache of `read` for lines read several times at once. Pure.

A line is read when it is heard (is it work, does it answer?), when its turn comes and with every question of
its member's that it may answer: by the same rules, of the same words, in the same situation.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from ..agents import AgentSpec, Situation
from .decision.reading import MessageReading
from .protocols import Read

MOST: Final = 32
"""Most cached readings, over all conversations."""
LONGEST: Final = 2000
"""Longest cached line (characters)."""


class RecentReadings:
    """`read` with a cache of its last readings."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._kept: OrderedDict[
            tuple[str, Situation, tuple[int, ...]], tuple[tuple[AgentSpec, ...], MessageReading]
        ] = OrderedDict()

    def __call__(self, text: str, situation: Situation, specs: Iterable[AgentSpec]) -> MessageReading:
        """The reading; raises what an agent's own rules raise, and keeps nothing then."""
        agents = tuple(specs)
        if len(text) > LONGEST:
            return self._read(text, situation, agents)
        key = (text, situation, tuple(map(id, agents)))
        kept = self._kept.get(key)
        if kept is None:
            kept = (agents, self._read(text, situation, agents))
            while len(self._kept) >= MOST:
                self._kept.popitem(last=False)
            self._kept[key] = kept  # the agents too: an id is one's own only while its owner lives
        else:
            self._kept.move_to_end(key)
        return kept[1]
