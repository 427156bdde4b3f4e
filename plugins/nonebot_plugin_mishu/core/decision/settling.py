"""Which reading of a line stands: the rules', or where they take it for talk a learned one. Pure.

`confidence` says of each reading how probable it is. A learned one that is probable enough is asked back; it
is never acted on by itself, so what is written stays with the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...agents.clause import Clause
from ...language import is_bare
from .choosing import Recogniser
from .confidence import Confidence, confidence, grounds_of
from .learned import ACTS, acts_of, proposed, proposed_parts
from .reading import Frame, MessageReading
from .segments import Message
from .veto import FALLBACK, vetoed

LONGEST = 120
"""Characters of a line that is read a second time: of a longer one the pieces are the rules'."""
SEVERAL = 0.1
"""How likely a line must order several things to be read in parts: that costs a judgement of every
stretch."""
CLEAR = 0.75
"""The probability of a learned reading of what the rules take for talk."""
ALIKE = 0.05
"""How much more probable a learned reading of the same act must be: the rules' slots are kept otherwise."""
_KNOWN = frozenset(code for code, _ in ACTS.values())


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a line, with what speaks for it."""

    frames: tuple[Frame, ...]
    rules: bool
    grounds: Mapping[str, float]
    probability: float


def settled(found: MessageReading, said: Message, agents: Sequence[Recogniser]) -> MessageReading:
    """The reading that stands: the rules' own, or where they take the line for talk a learned one that is
    probable. That one is asked back in a line before anything is done: what is sure the rules say.

    Args:
        found: as the agents' rules read the message.
        said: the message.
        agents: those that read.
    """
    talk = all(frame.agent_code == FALLBACK[0] for frame in found.frames)
    if not talk or said.situation.just_shown() or not is_comparable(found, said):
        return found
    scale = confidence()
    first, *others = readings(found, said, agents, scale)
    chosen = preferred(first, others, scale, sure=found.sure)
    if chosen is first:
        return found
    frames = tuple(replace(frame, sure=False, probability=chosen.probability) for frame in chosen.frames)
    return MessageReading(frames, sure=False)


def preferred(first: Reading, others: Sequence[Reading], scale: Confidence, *, sure: bool) -> Reading:
    """The rules' reading, or a learned one that is more probable: never in place of an order that the rules
    vouch for, and only a clear one in place of talk that they vouch for."""
    work = any(frame.agent_code != FALLBACK[0] for frame in first.frames)
    if work and (sure or any(frame.match is not None and frame.match.refs for frame in first.frames)):
        return first  # what is kept and meant the rules know from what was shown, too
    least = max(first.probability, CLEAR if sure else scale.ask)
    better = [each for each in others if each.probability > least + (ALIKE if _same(each, first) else 0.0)]
    return max(better, key=lambda each: each.probability, default=first)


def _same(one: Reading, other: Reading) -> bool:
    """Both read the same acts."""
    first, second = (
        [(each.agent_code, each.intent) for each in frames] for frames in (one.frames, other.frames)
    )
    return first == second


def readings(
    found: MessageReading, said: Message, agents: Sequence[Recogniser], scale: Confidence
) -> tuple[Reading, ...]:
    """The rules' reading, and the learned ones: of the line as one order, and as several, where there are
    such; each with its probability."""
    whole = said.clause(0, len(said.text))
    line = acts_of(whole)
    second = proposed(whole, agents)
    parts = proposed_parts(said, agents) if line.several >= SEVERAL else ()
    others = [frames for frames in ((second,) if second is not None else (), parts) if frames]

    def reckoned(frames: Sequence[Frame], *, rules: bool) -> Reading:
        sure = rules and found.sure
        grounds = grounds_of(frames, line, second, rules=rules, sure=sure, text=whole.text)
        judged = tuple(frames) if rules else tuple(map(veto, frames))
        return Reading(judged, rules, grounds, scale.of(grounds))

    def veto(frame: Frame) -> Frame:
        own = replace(frame.clause, act="", borders=())
        return vetoed(frame, own, "", Clause("", own.situation), False, agents)

    return (reckoned(found.frames, rules=True), *(reckoned(frames, rules=False) for frames in others))


def is_comparable(found: MessageReading, said: Message) -> bool:
    """A line said to us, of which no frame is an agent's from outside, a refusal by its mood, or nameless."""
    whole = said.clause(0, len(said.text))
    return (
        said.situation.addressed
        and len(whole.text) <= LONGEST
        and not said.cut
        and all(frame.agent_code in _KNOWN and not frame.declined for frame in found.frames)
        and all(frame.match is None or not frame.match.nameless for frame in found.frames)
        and not is_bare(whole.text, whole.times, whole.amounts)
    )


def may_be_sure(frame: Frame) -> bool:
    several = frame.match is not None and len(frame.match.refs) > 1
    return frame.mood.plain and not several and not frame.idle
