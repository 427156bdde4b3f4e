"""`read`: the frames of a message by the rules of the agents given, without a model (docs/decision.md).

No agent is known by name here but the one that answers where nothing else fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ...agents.api.builtin_codes import intents_that
from ...agents.api.frame import frame_of
from ...language import Mood, TalkScore, ends_in_question, judge_talk, words_of
from ...language.clause import Clause, KeptThing, Situation
from ...language.clauses.elsewhere import others_business
from ...language.clauses.pasted import is_pasted
from ...language.clauses.segments import ClauseCandidate, Message, message
from ...language.match import Match
from ...language.mood import leaves_open, mood_of
from ...language.recognise.times import TimeExpression
from ..situation import whole
from .reading import Frame, MessageReading
from .rules.choosing import Choice, Recogniser
from .rules.doubt import may_be_work
from .rules.merging import ClauseMerger
from .rules.neighbours import NAMED_WEIGHT, another_record
from .rules.state import answer_creator, answer_state, find_asked_when, find_asked_who
from .rules.telling import talks_of_itself
from .rules.undoing import answer_last_change, answer_spared, read_recent_deletion, read_undo
from .rules.unit import Unit
from .rules.veto import FALLBACK, apply_mood
from .settling import choose_reading

NOT_ALL_READ: Final = "没有全读懂"
_ENDS: Final = "。!?;"
_TAGS: Final = frozenset(
    {
        *("whether", "tag", "modal", "particle", "filler", "blank", "pause", "stop", "sign", "mark", "aside"),
        *("make", "enter", "remind", "help", "self", "you", "group", "at", "done", "already", "courtesy"),
        *("schedule_noun", "task_noun", "note_noun", "toward", "to", "negation", "is", "take_away", "all"),
    }
)
"""Word classes of an order's trailing words: a request for assent (，可以吗; 记一下吗)."""


def read(text: str, situation: Situation, specs: Iterable[Recogniser]) -> MessageReading:
    """Reading of a message: at least one frame, in spoken order. Pure; linear in the length of the text.

    `specs` stand in routing order: where two agents claim a clause with the same weight, the first has it and
    the reading is not sure. Raises nothing by itself; what an agent's own rules raise comes through.
    """
    agents = [spec for spec in specs if spec.code != FALLBACK[0]]
    claimed = claimed_line(text, situation, agents)
    if claimed is not None:
        return MessageReading((claimed,), sure=True)
    if is_pasted(text):
        return MessageReading((Frame(*FALLBACK, Clause("", situation)),), sure=True)
    said, pieces = message(text, situation)
    found, complete = read_by_rules(said, pieces, agents)
    found = choose_reading(found, said, agents, complete=complete)
    return replace(found, talk=_talk_in(said.clause(0, len(said.text))))


def claimed_line(text: str, situation: Situation, agents: Sequence[Recogniser]) -> Frame | None:
    """Frame of a line that an agent takes as a whole (投个票 周六还是周日, 周五截止; a pasted 接龙); None for
    any other line."""
    for agent in agents:
        claims = getattr(agent, "claims", None)
        if claims is None:
            continue
        line = whole(text, situation)
        match = claims(line)
        if match is not None:
            return Frame(
                agent.code, match.intent, line, frame_of(agent.read(match.intent, line)), True, match
            )
    return None


def read_by_rules(
    said: Message, pieces: Sequence[ClauseCandidate], agents: Sequence[Recogniser]
) -> tuple[MessageReading, bool]:
    """Reading of a message by the agents' rules alone, and True if they left nothing of it out."""
    joiner = ClauseMerger(said, agents)
    units = joiner.units(pieces)
    whole = said.clause(0, len(said.text))
    frame = _read_whole(whole, units, agents)
    if frame is not None:
        return MessageReading((frame,), sure=True), True
    if all(unit.choice is None for unit in units):
        sure = not said.cut and not may_be_work(whole, agents)
        return MessageReading((Frame(*FALLBACK, whole),), sure=sure), True
    kept, frames = _read_units(said, units, agents)
    if all(map(_only_perhaps, frames)) and _sounds_like_talk(whole):
        return MessageReading((Frame(*FALLBACK, whole),), sure=False), True
    missed = (
        said.cut
        or any(may_be_work(clause, agents) for clause in joiner.left_out)
        or _loses_a_time(said, kept)
    )
    return MessageReading(frames, sure=all(frame.sure for frame in frames) and not missed), not missed


def _read_whole(whole: Clause, units: Sequence[Unit], agents: Sequence[Recogniser]) -> Frame | None:
    """Sure frame of a line that is read before its clauses, of the first kind that it is; None for any other.

    Talk about others or itself; an undo (撤回刚才那笔); a deletion of the last things made
    (早上加的那个任务删掉); a question after the last change (刚才改成啥了), a creator (周会谁定的), time or
    place (几点在哪来着), the state of a thing (羽毛球取消了啊？), who takes part (参加的都有谁); a line that
    spares a thing (千万别动剧本杀).
    """
    if others_business(whole.text) or talks_of_itself(units):
        return Frame(*FALLBACK, whole)
    frame = read_undo(whole, agents) or read_recent_deletion(whole, agents)
    if frame is not None:
        return frame
    answer = answer_last_change(whole) or answer_creator(whole)
    if answer is not None:
        return Frame(*FALLBACK, whole, mood=Mood("question"), declined=answer)
    spared = None if any(map(_is_sure, units)) else answer_spared(whole)
    if spared is not None:
        return Frame(*FALLBACK, whole, mood=Mood("order", "minus"), declined=spared)
    thing = find_asked_when(whole)
    if thing is not None and (frame := _query_thing(thing, whole.situation, agents)) is not None:
        return frame
    if not all(map(_is_sure, units)):
        looked_up = any(_looks_up(unit, agents) for unit in units)
        answer = answer_state(whole, looked_up=looked_up)
        if answer is not None:
            return Frame(*FALLBACK, whole, mood=Mood("question"), declined=answer)
    thing = find_asked_who(whole) if all(unit.choice is None for unit in units) else None
    return None if thing is None else _query_thing(thing, whole.situation, agents)


def _read_units(
    said: Message, units: Sequence[Unit], agents: Sequence[Recogniser]
) -> tuple[Sequence[Unit], tuple[Frame, ...]]:
    """Units that are work or need a reply, and their frames."""
    kept = _merged(said, [unit for unit in units if unit.choice is not None or unit.talk], agents)
    kept = [unit for unit in kept if not leaves_open(unit.clause.text)] or kept
    frames = tuple(
        _left_open(frame, said, unit)
        for at, unit in enumerate(kept)
        for one in _frames(unit, agents, doubted=said.cut)
        for frame in (apply_mood(one, unit.clause, *_around(said, kept, at), agents),)
    )
    frames = _of_one_condition(_without_reasons(frames))
    if said.amends:
        frames = tuple(
            replace(frame, sure=frame.sure and frame.agent_code == FALLBACK[0]) for frame in frames
        )
    return kept, frames


def _left_open(frame: Frame, said: Message, unit: Unit) -> Frame:
    """The frame, to be asked about if an open point follows it (周六聚餐 待定)."""
    behind = said.text[unit.end :].lstrip(_BETWEEN)
    end = min((at for mark in f"{_BETWEEN}{_ENDS}" if (at := behind.find(mark)) >= 0), default=len(behind))
    if not frame.mood.plain or frame.declined or not leaves_open(behind[:end]):
        return frame
    return replace(frame, mood=replace(frame.mood, modality="may"), sure=False)


_BETWEEN: Final = " ,，"


def _without_reasons(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Frames without those that only give the reason for another one: 明早课取消了, of no kept thing, beside
    不用叫我了."""
    known = [frame for frame in frames if frame.match is not None and frame.match.refs]
    left = any(frame.declined and frame.mood.polarity == "minus" for frame in frames)
    return tuple(
        frame
        for frame in frames
        if not (left and _changes_nothing(frame))
        and (frame.mood.plain or frame in known or not any(_is_same_act(frame, one) for one in known))
    )


def _of_one_condition(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Frames with one declined condition at most: words behind it without a condition of their own are part
    of it (先按后天记, behind 客户要是说不行就挪大后天)."""
    hanging = [frame for frame in frames if frame.declined and frame.mood.kind == "condition"]
    return tuple(frame for frame in frames if frame not in hanging[1:] or _has_a_condition(frame.clause))


def _has_a_condition(clause: Clause) -> bool:
    return mood_of(clause.text, "make", clause.times, clause.amounts).kind == "condition"


def _changes_nothing(frame: Frame) -> bool:
    """True for a change without a thing and a time: the reason beside another order (我还要去呢,
    别删剧本杀)."""
    if frame.declined or frame.clause.times or frame.clause.amounts:
        return False
    change = frame.intent in _CHANGES and getattr(frame.read, "attendance", None) is None
    return change and (frame.match is None or not frame.match.refs)


_CHANGES: Final = intents_that("change")


def _is_same_act(frame: Frame, other: Frame) -> bool:
    return frame.intent.partition("_")[0] == other.intent.partition("_")[0]


def _query_thing(thing: KeptThing, situation: Situation, agents: Sequence[Recogniser]) -> Frame | None:
    """Query frame for one kept thing, by its own agent; None if that has no query."""
    agent = next((each for each in agents if each.code == thing.agent), None)
    intent = (
        None if agent is None else next((name for name, act in agent.acts.items() if act == "query"), None)
    )
    if agent is None or intent is None:
        return None
    clause = Clause(thing.name, situation)
    refs = (thing.id,) if thing.id else ()
    return Frame(
        agent.code, intent, clause, frame_of(agent.read(intent, clause)), True, Match(intent, 2, refs=refs)
    )


def _looks_up(unit: Unit, agents: Sequence[Recogniser]) -> bool:
    return unit.choice is not None and agents[unit.choice.agent].acts.get(unit.choice.intent) == "query"


def _is_sure(unit: Unit) -> bool:
    return unit.choice is not None and unit.choice.sure


def _around(said: Message, units: Sequence[Unit], at: int) -> tuple[str, Clause, bool]:
    """Text behind a unit that belongs to no other, text before it in its sentence, and True if that
    sentence ends in a question further on."""
    unit, line = units[at], said.text
    after = next((each.start for each in units[at + 1 :] if each.choice is not None), len(line))
    ended = line[unit.end - 1 : unit.end] in _ENDS
    trailing = "" if ended else _sentence(line[unit.end : after])
    if any(token.classes.isdisjoint(_TAGS) for token in words_of(trailing)):
        trailing = ""
    rest = "" if ended else _sentence(line[unit.end :])
    asks = rest.strip() != trailing.strip() and ends_in_question(rest)
    lead = line[: unit.start]
    cut = max((lead.rfind(mark) for mark in _ENDS), default=-1)
    return trailing, said.clause(cut + 1, unit.start), asks


def _sentence(text: str) -> str:
    """The text up to the end of its sentence, a question mark included."""
    end = min((found for mark in _ENDS if (found := text.find(mark)) >= 0), default=len(text))
    return text[: end + 1] if text[end : end + 1] == "?" else text[:end]


def _only_perhaps(frame: Frame) -> bool:
    """True if only the form of the words supports the frame: no noun of an agent's, no kept thing."""
    match = frame.match
    if frame.declined:
        return False
    if match is None:
        return True
    return not (match.sure or match.weight >= NAMED_WEIGHT or match.refs or match.vouched)


def _loses_a_time(said: Message, units: Sequence[Unit]) -> bool:
    """True if a time of the line is outside every unit."""
    return any(
        not any(unit.start <= time.span[0] and time.span[1] <= unit.end for unit in units)
        for time in said.times
    )


def _sounds_like_talk(line: Clause) -> bool:
    """True if the talk judge is sure of talk; never right after something was made or shown
    (周末就不用了)."""
    if line.situation.just_shown():
        return False
    return _talk_in(line).surely_talk


def _talk_in(line: Clause) -> TalkScore:
    return judge_talk(line.text, words_of(line.text, line.times, line.amounts))


def _merged(said: Message, units: Sequence[Unit], agents: Sequence[Recogniser]) -> list[Unit]:
    """Neighbours of one intent made one task where their agent wants it; neighbouring talk is one."""
    merged: list[Unit] = []
    for unit in units:
        last = merged[-1] if merged else None
        one = last is not None and _are_one(last.choice, unit.choice, agents)
        if last is not None and one and not another_record(last, unit):
            last.clause, last.end = said.clause(last.start, unit.end), unit.end
            if last.choice is not None and unit.choice is not None and not unit.choice.sure:
                last.choice = unit.choice
        else:
            merged.append(unit)
    return merged


def _are_one(last: Choice | None, new: Choice | None, agents: Sequence[Recogniser]) -> bool:
    if last is None or new is None:
        return last is new
    same = (last.agent, last.intent) == (new.agent, new.intent)
    return same and agents[last.agent].merges


def _frames(unit: Unit, agents: Sequence[Recogniser], *, doubted: bool) -> list[Frame]:
    """The unit's frame, and one for each other agent that the same order concerns."""
    first = _frame(unit, agents, doubted=doubted)
    found = [first]
    for code, intent, refs in first.match.also if first.match is not None else ():
        agent = next((each for each in agents if each.code == code), None)
        if agent is not None and first.match is not None:
            match = replace(first.match, intent=intent, refs=refs, also=())
            read = frame_of(agent.read(intent, first.clause))
            found.append(replace(first, agent_code=code, intent=intent, read=read, match=match))
    return found


def _frame(unit: Unit, agents: Sequence[Recogniser], *, doubted: bool) -> Frame:
    if unit.choice is None:
        return Frame(*FALLBACK, unit.clause)
    agent, intent = agents[unit.choice.agent], unit.choice.intent
    clause = unit.choice.match.clause or unit.clause
    match, sure = unit.choice.match, unit.choice.sure and not doubted
    own = frame_of(agent.read(intent, clause))
    idle = _idle(clause, own.slots, lambda less: frame_of(agent.read(intent, less)).slots) if sure else ()
    if idle:
        match, sure = replace(match, unread=(*match.unread, *idle), why=NOT_ALL_READ), False
    return Frame(agent.code, intent, clause, own, sure, match, idle=idle)


def _idle(
    clause: Clause, slots: Mapping[str, Any], read: Callable[[Clause], Mapping[str, Any]]
) -> tuple[str, ...]:
    """Times of a clause without which the slots stay the same: one of the two clocks of 每天七点半叫我起床
    周末八点半."""
    if len(clause.times) < 2:
        return ()
    return tuple(
        time.text
        for time in clause.times
        if time.start is not None and not _repeats(time, clause.times) and read(_less(clause, time)) == slots
    )


def _repeats(time: TimeExpression, times: Sequence[TimeExpression]) -> bool:
    """True if another time has the same date and clock: 周四 19号."""
    return any(
        other is not time and (time.date, time.start) in ((other.date, other.start), (None, other.start))
        for other in times
    )


def _less(clause: Clause, time: TimeExpression) -> Clause:
    """The clause with blanks where a time stood."""
    text = clause.text
    for start, end in time.spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return replace(clause, text=text, times=tuple(each for each in clause.times if each is not time))
