"""What the decision finds in a message: frames, in spoken order."""

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
    """One intent of one message: which agent, what, with which slots, said in which clause."""

    agent_code: str
    intent: str
    clause: Clause
    read: AgentFrame = NOTHING_READ
    sure: bool = True
    match: Match | None = None
    """What the agent's rules said of the clause; None where a model or nobody did."""
    priority: int | None = None
    """As a model gave it; clamped to the agent's class by the orchestrator."""
    idle: tuple[str, ...] = ()
    """Times that were said and that nothing is made of."""
    mood: Mood = ORDER
    """How the clause is said, by the scope of its head verb."""
    probability: float = 1.0
    """How probable it is that it is right (`confidence`); 1 where nobody reckoned."""
    contested: bool = False
    """A model's, and the rules read the line otherwise: its agent asks before it writes."""
    declined: str = ""
    """The answer to a clause of which nothing may be written; its agent is not asked then."""

    @property
    def slots(self) -> Mapping[str, Any]:
        """What was said, by the names of the agent's slots, and the ids of what is meant by it."""
        if self.match is None or not self.match.refs:
            return self.read.slots
        return {**self.read.slots, **ref_slots(self.match.refs, every=self.match.every)}

    @property
    def text(self) -> str:
        """The words."""
        return self.clause.text


@dataclass(frozen=True, slots=True)
class Cover:
    """One way to read the whole of a line: what it orders, in spoken order, and how probable that is."""

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
        """The judge objects to reading the line as work."""
        return self.talk is not None and self.talk.talk
