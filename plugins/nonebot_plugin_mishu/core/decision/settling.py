"""Choice between the rules' reading and a learned one, and its certainty. Pure.

`confidence` gives each reading a probability; thresholds chosen on rows of the corpus decide above which one
it is acted on without a question (docs/language.md, "The judge, the tagger, and what stands").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...language import is_bare, is_guarded
from ...language.books.hearsay import only_guessed
from ...language.clause import Clause, Situation
from ...language.clauses.segments import Message
from .confidence import Confidence, confidence, grounds_of
from .learned import ACTS, acts_of, proposed, proposed_parts, tokens_of
from .reading import Cover, Frame, MessageReading
from .rules.choosing import Recogniser
from .rules.veto import FALLBACK, apply_mood

LONGEST = 120
"""Longest line (characters) with a learned reading; longer ones are read by the rules only."""
SEVERAL = 0.1
"""Least probability of several orders for a reading in parts: it costs a judgement of every stretch."""
CLEAR = 0.75
"""Least probability of a learned reading against the rules' "talk"."""
DOUBTFUL = 0.4
"""Least probability of a learned reading to replace an order."""
ALIKE = 0.05
"""Least gain in probability of a learned reading of the same act."""
_KNOWN = frozenset(code for code, _ in ACTS.values())


@dataclass(frozen=True, slots=True)
class CandidateReading:
    """One reading of a line, with its features and its probability. `rules`: the agents' rules made it."""

    frames: tuple[Frame, ...]
    rules: bool
    grounds: Mapping[str, float]
    probability: float
    reads: bool = False
    """True if no frame writes."""


def choose_reading(
    found: MessageReading, said: Message, agents: Sequence[Recogniser], *, complete: bool
) -> MessageReading:
    """The rules' reading or a more probable learned one, with its certainty.

    An order that the rules are sure of stays sure above `keep`; any other reading is sure from its act's
    threshold on. Talk by the rules becomes an order only where a learned reading is clear.

    Args:
        found: reading of the message by the agents' rules.
        said: the message.
        agents: the agents, in routing order.
        complete: the rules left nothing of the message out.
    """
    if not is_comparable(found, said):
        return found
    scale = confidence()
    shown = _tells_more(said.situation)
    talk = not _works(found.frames)
    if only_guessed(said.clause(0, len(said.text))):
        return found  # 这个月水电大概得三百吧: what something may cost is no plan
    if shown and talk:
        return found  # 改到六点 behind a card: the rules and the answers read that better
    first, *others = list_readings(found, said, agents, scale)
    if shown:
        others = [each for each in others if _means_more(each, first)]
    chosen = first if shown and not others else preferred(first, others, scale, sure=found.sure)
    covers = tuple(sorted((_cover(each) for each in (first, *others)), key=lambda each: each.cost))
    bar = scale.threshold(chosen.frames)
    if talk and chosen is first:
        sure = found.sure and chosen.probability >= scale.leave
        return replace(found, sure=sure, covers=covers, threshold=bar)
    sure = (
        found.sure
        if shown and chosen is first
        else is_sure(chosen, scale, vouched=found.sure, complete=complete)
    )
    if sure == found.sure and chosen.rules:
        frames = tuple(replace(frame, probability=chosen.probability) for frame in chosen.frames)
    else:
        frames = tuple(replace(frame, sure=sure, probability=chosen.probability) for frame in chosen.frames)
    return MessageReading(frames, sure, covers, bar)


def _tells_more(where: Situation) -> bool:
    """True if the situation gives the line a meaning that learned readings do not see: something was just
    shown, a line is quoted, somebody is @-ed, or the conversation is private."""
    return where.just_shown() or where.quoted is not None or bool(where.mentions) or where.private


def is_sure(chosen: CandidateReading, scale: Confidence, *, vouched: bool, complete: bool) -> bool:
    """True if the chosen reading may be acted on.

    Args:
        chosen: the reading; of something to do.
        scale: weights and thresholds.
        vouched: the rules are sure of theirs.
        complete: the rules left nothing of the line out.
    """
    if chosen.rules and vouched:
        return chosen.reads or _reminds_the_group(chosen) or chosen.probability >= scale.keep
    able = (complete or not chosen.rules) and all(map(may_be_sure, chosen.frames))
    return able and chosen.probability >= scale.threshold(chosen.frames)


def _works(frames: Sequence[Frame]) -> bool:
    """True if any of the frames is work."""
    return any(frame.agent_code != FALLBACK[0] for frame in frames)


def _cover(reading: CandidateReading) -> Cover:
    acts = tuple(f"{frame.agent_code}.{frame.intent}" for frame in reading.frames)
    return Cover(acts, reading.probability, "rules" if reading.rules else "learned")


def preferred(
    first: CandidateReading, others: Sequence[CandidateReading], scale: Confidence, *, sure: bool
) -> CandidateReading:
    """The rules' reading, or a more probable learned one: never instead of an order that the rules are sure
    of, and only a clear one instead of sure talk."""
    work = _works(first.frames)
    if work and (sure or _lasts(first) or _reminds_the_group(first)):
        return first
    bar = DOUBTFUL if work else CLEAR if sure else scale.ask
    least = max(first.probability, bar)
    better = [each for each in others if each.probability > least + (ALIKE if _same(each, first) else 0.0)]
    return max(better, key=lambda each: each.probability, default=first)


def _means_more(other: CandidateReading, first: CandidateReading) -> bool:
    """True if both have the same acts and only the learned one refers to a kept thing."""
    return _same(other, first) and bool(_refs(other)) and not _refs(first)


def _refs(reading: CandidateReading) -> list[str]:
    return [ref for frame in reading.frames if frame.match is not None for ref in frame.match.refs]


def _lasts(reading: CandidateReading) -> bool:
    """True for tasks with a duration: 备课, 看店; their end is asked."""
    if len(reading.frames) != 1 or reading.frames[0].intent != "create_task":
        return False
    slots, times = reading.frames[0].slots, reading.frames[0].clause.times
    begins = bool(slots.get("startTime")) and not slots.get("endTime")
    return begins and all(each.ambiguous is None for each in times)


def _reminds_the_group(reading: CandidateReading) -> bool:
    """True for a reminder to the group, which is a schedule: 一刻钟后提醒群里关投影."""
    if len(reading.frames) != 1 or reading.frames[0].intent != "add":
        return False
    words = [token.classes for token in tokens_of(reading.frames[0].clause)]
    announced = any("announce" in each for each in words)
    return announced or (any("group" in each for each in words) and any(each & _CALLS for each in words))


_CALLS = frozenset({"remind", "rouse"})


def _same(one: CandidateReading, other: CandidateReading) -> bool:
    """True if both have the same acts."""
    first, second = (
        [(each.agent_code, each.intent) for each in frames] for frames in (one.frames, other.frames)
    )
    return first == second


def list_readings(
    found: MessageReading, said: Message, agents: Sequence[Recogniser], scale: Confidence
) -> tuple[CandidateReading, ...]:
    """The rules' reading and the learned ones, each with its probability: the line as one order, and as
    several."""
    whole = said.clause(0, len(said.text))
    line = acts_of(whole)
    second = proposed(whole, agents)
    parts = proposed_parts(said, agents) if line.several >= SEVERAL else ()
    others = [frames for frames in ((second,) if second is not None else (), parts) if frames]

    def weigh(frames: Sequence[Frame], *, rules: bool) -> CandidateReading:
        sure = rules and found.sure
        grounds = grounds_of(frames, line, second, rules=rules, sure=sure, text=whole.text)
        judged = tuple(frames) if rules else tuple(map(veto, frames))
        return CandidateReading(
            judged, rules, grounds, scale.of(grounds), all(act(each) is None for each in judged)
        )

    def act(frame: Frame) -> str | None:
        """Act on kept things; None for a query."""
        agent = next((each for each in agents if each.code == frame.agent_code), None)
        found = None if agent is None else agent.acts.get(frame.intent)
        return found if found != "query" else None

    def veto(frame: Frame) -> Frame:
        own = replace(frame.clause, act="", borders=())
        return apply_mood(frame, own, "", Clause("", own.situation), False, agents)

    return (weigh(found.frames, rules=True), *(weigh(frames, rules=False) for frames in others))


def is_comparable(found: MessageReading, said: Message) -> bool:
    """True for a line addressed to us whose frames are all of built-in agents, none declined or nameless."""
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
    """True for a frame that may be sure though the rules are not: a plain order without an opening negation,
    a guess or a report, about one thing, with every time used."""
    clause, match = frame.clause, frame.match
    guarded = is_guarded(clause.text, clause.times, clause.amounts)
    several = match is not None and len(match.refs) > 1
    return frame.mood.plain and not guarded and not several and not frame.idle
