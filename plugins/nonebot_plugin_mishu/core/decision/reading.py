"""Reading of a message: frames, in spoken order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Any

from ...agents.api.frame import NOTHING_READ, AgentFrame, ref_slots
from ...language import ORDER, Mood, TalkScore
from ...language.clause import Clause
from ...language.match import Match


@dataclass(frozen=True, slots=True)
class Frame:
    """One intent of a message: agent, intent, slots, clause."""

    agent_code: str
    intent: str
    clause: Clause
    read: AgentFrame = NOTHING_READ
    sure: bool = True
    match: Match | None = None
    """The agent's match of the clause; None if a model or nobody gave one."""
    priority: int | None = None
    """As a model gave it; clamped to the agent's class by the orchestrator."""
    idle: tuple[str, ...] = ()
    """Time expressions not used by any slot."""
    mood: Mood = ORDER
    """Mood of the clause, by the scope of its head verb."""
    probability: float = 1.0
    """Probability that it is right (`confidence`); 1 if not computed."""
    contested: bool = False
    """A model's frame that the rules read otherwise: its agent asks before it writes."""
    declined: str = ""
    """Answer to a clause that must not write; its agent is not called."""

    @property
    def slots(self) -> Mapping[str, Any]:
        """Slot values by name, and the ids of the things referred to."""
        if self.match is None or not self.match.refs:
            return self.read.slots
        return {**self.read.slots, **ref_slots(self.match.refs, every=self.match.every)}

    @property
    def text(self) -> str:
        """The words."""
        return self.clause.text


@dataclass(frozen=True, slots=True)
class Cover:
    """One reading of the whole line: its orders, in spoken order, and their probability."""

    acts: tuple[str, ...]
    """Agent and intent of each frame: `schedule.add`."""
    probability: float
    by: str
    """`rules` or `learned`."""

    @property
    def cost(self) -> float:
        """The negative logarithm of the probability: the cheapest cover is the most probable."""
        return -log(max(self.probability, 1e-6))


@dataclass(frozen=True, slots=True)
class MessageReading:
    """All frames of a message, never empty: a `chat` frame where nothing else fits.

    `sure`: it may be acted on as it stands, so that no model need be asked. `covers`: the readings that were
    compared, the most probable first; none where only the rules read the line. `threshold`: the probability
    from which what was read is sure; None where nothing was compared. `talk`: what the judge of acts makes of
    the whole line, as talk; None where it was not asked. Nobody behind the reading judges that anew.
    """

    frames: tuple[Frame, ...]
    sure: bool
    covers: tuple[Cover, ...] = ()
    threshold: float | None = None
    talk: TalkScore | None = None

    @property
    def sounds_like_talk(self) -> bool:
        """True if the judge reads the line as talk."""
        return self.talk is not None and self.talk.talk
