"""Learned second reading of a clause: the judge gives the act, the tagger the words of its free slots.

The agent's own reader makes the frame of it, from the whole clause and the tagger's borders. Which of the two
readings of a line stands, and whether it is sure, `confidence` decides. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log
from typing import Final

from ...agents.api.builtin_codes import intents_that
from ...agents.api.frame import frame_of
from ...language import Token, words_of
from ...language.clause import Clause
from ...language.clauses.segments import Message
from ...language.learned.judge import TALK, Acts, judge_acts
from ...language.learned.tagger import Tagged, tag
from ...language.match import Match
from ...language.names.referents import Meant, beside, meant, spares_some
from ...language.recognise.times import TimeExpression
from ...language.recognise.times.lessons import any_lessons
from .reading import Frame
from .rules.choosing import Recogniser

INTENTS: Final[Mapping[str, tuple[str, str]]] = {
    "schedule.add": ("schedule", "add"),
    "schedule.edit": ("schedule", "edit"),
    "schedule.delete": ("schedule", "delete"),
    "schedule.join": ("schedule", "edit"),
    "schedule.leave": ("schedule", "edit"),
    "schedule.query": ("schedule", "query"),
    "tasks.create": ("tasks", "create_task"),
    "tasks.update": ("tasks", "update_task"),
    "tasks.delete": ("tasks", "delete_task"),
    "tasks.complete": ("tasks", "complete_task"),
    "tasks.query": ("tasks", "query_tasks"),
    "record.remember": ("record", "remember"),
    "record.forget": ("record", "forget"),
    "record.query": ("record", "find"),
}
"""By act: agent and intent that are proposed; sums of the books have judges of their own."""
_KIN: Final[Mapping[tuple[str, str], str]] = {
    ("schedule", "schedule.edit"): "schedule.edit",
    ("tasks", "schedule.edit"): "tasks.update",
    ("schedule", "tasks.update"): "schedule.edit",
    ("tasks", "tasks.update"): "tasks.update",
    ("schedule", "tasks.delete"): "schedule.delete",
    ("tasks", "tasks.delete"): "tasks.delete",
    ("tasks", "schedule.delete"): "tasks.delete",
    ("schedule", "schedule.delete"): "schedule.delete",
}
"""By act: the same act for a thing of another agent."""
_OF_KEPT: Final = frozenset(
    {"schedule.edit", "schedule.delete", "schedule.join", "schedule.leave"}
    | {"tasks.update", "tasks.delete", "tasks.complete"}
)
_FREE: Final = frozenset({"title", "new_title", "ref", "place", "who", "text"})
_CALLS: Final = frozenset({"remind", "rouse", "task_noun", "reminder_noun"})
WHY: Final = "照着学过的句子读的"
LEAST: Final = 0.25
"""Least probability of the judge for a proposal."""


def labels_of(agent_code: str, intent: str) -> tuple[str, ...]:
    """Acts of an agent's intent; empty for agents and intents unknown to the judge."""
    return tuple(act for act, known in ACTS.items() if known[0] == agent_code and intent in known[1])


ACTS: Final[Mapping[str, tuple[str, frozenset[str]]]] = {
    **{act: (code, frozenset({intent})) for act, (code, intent) in INTENTS.items()},
    "books.record": ("bookkeeping", frozenset({"record"})),
    "books.budget": ("bookkeeping", frozenset({"record"})),
    "books.query": ("bookkeeping", frozenset({"query"})),
    "books.correct": ("bookkeeping", frozenset({"correct", "undo"})),
    "record.remember": ("record", frozenset({"remember"})),
    "record.forget": ("record", frozenset({"forget"})),
    "record.query": (
        "record",
        frozenset({"fact", "facts", "sum_up", "catch_up", "calls", "find", "look_up", "shared", "decisions"}),
    ),
    TALK: ("chat", frozenset({"chitchat"})),
}
"""By act: the agent and all intents that do it."""


def tokens_of(clause: Clause) -> tuple[Token, ...]:
    """Words of a clause."""
    return words_of(clause.text, clause.times, clause.amounts)


def acts_of(clause: Clause) -> Acts:
    """The judge's acts of a clause."""
    return judge_acts(clause.text, tokens_of(clause))


def proposed(clause: Clause, agents: Sequence[Recogniser]) -> Frame | None:
    """The frame that was learned for a clause; None where the judge hears talk, or what the books or the
    group's record read themselves."""
    acts = acts_of(clause)
    best = acts.best
    if best not in INTENTS or acts.of(best) < LEAST:
        return None
    tokens = tokens_of(clause)
    borders = _with_owner(clause.text, tokens, tag(clause.text, tokens, best))
    known = _meant(clause, tokens, borders, best) if best in _OF_KEPT or best == "schedule.query" else None
    if known is not None:
        best = _KIN.get((known.agent, best), best)
    if best == "tasks.create" and not clause.situation.private and any_lessons(clause.times):
        calls = any(not token.classes.isdisjoint(_CALLS) for token in tokens)
        best = best if calls else "schedule.add"  # 周三三四节高数: a class has it together
    code, intent = INTENTS[best]
    agent = next((each for each in agents if each.code == code), None)
    if agent is None:
        return None
    free = tuple(each for each in borders if each.slot in _FREE)
    read = replace(clause, act=best, borders=free)
    read = replace(read, times=tuple(each for each in clause.times if not _is_named(read, each)))
    if known is not None and intent in intents_that("change"):
        read = beside(read, known)
    refs = known.refs if known is not None and code == known.agent else ()
    own = frame_of(agent.read(intent, read))
    if code == "record":
        intent = str(getattr(own, "kind", ""))
    if not intent:
        return None  # its reader knows no question of this form
    match = Match(intent, 2, sure=False, why=WHY, refs=refs, unread=_unread(clause.text, tokens, borders))
    return Frame(code, intent, read, own, False, match)


def _with_owner(line: str, tokens: Sequence[Token], borders: Sequence[Tagged]) -> tuple[Tagged, ...]:
    """A name with whose it is, where that is an unknown word right before it (二妹的生日)."""
    found: list[Tagged] = []
    for each in borders:
        start = each.start
        before = [token for token in tokens if token.end <= start]
        free = each.slot == "title"
        while free and before and before[-1].end == start and _is_owner(line, before):
            start = before.pop().start
        found.append(each if start == each.start else replace(each, start=start))
    return tuple(found)


def _is_owner(line: str, before: Sequence[Token]) -> bool:
    last = before[-1]
    if line[last.start : last.end] == "的" and len(before) > 1:
        return before[-2].unread and before[-2].end == last.start
    return last.unread


def _unread(line: str, tokens: Sequence[Token], borders: Sequence[Tagged]) -> tuple[str, ...]:
    """Stretches of unknown words outside all slots."""
    found: list[tuple[int, int]] = []
    for token in tokens:
        if not token.unread or any(each.start <= token.start and token.end <= each.end for each in borders):
            continue
        if found and found[-1][1] == token.start:
            found[-1] = (found[-1][0], token.end)
        else:
            found.append((token.start, token.end))
    return tuple(line[start:end] for start, end in found)


def proposed_parts(said: Message, agents: Sequence[Recogniser]) -> tuple[Frame, ...]:
    """The frames of a line that orders several things, a stretch of its pieces each; none where the whole
    of it is about one act more likely (例会我请假 篮球赛加我)."""
    ends = [token.end for token in words_of(said.text, said.times, said.amounts) if _parts(token)]
    ends = [*ends[: _MOST - 1], len(said.text)]
    starts = [0, *ends[:-1]]
    if len(ends) < 2:
        return ()
    best: list[tuple[float, tuple[tuple[int, int, str], ...]]] = [(0.0, ())]
    for last, end in enumerate(ends):
        found: list[tuple[float, tuple[tuple[int, int, str], ...]]] = []
        for first in range(last + 1):
            clause = said.clause(starts[first], end)
            acts = acts_of(clause) if clause.text else None
            if acts is None:
                found.append(best[first])
                continue
            odds = acts.of(acts.best)
            cost = log(max(odds, 1e-4)) - (0.0 if acts.best == TALK else _COST_OF_A_PART)
            stretch = () if acts.best == TALK else ((starts[first], end, acts.best),)
            found.append((best[first][0] + cost, best[first][1] + stretch))
        best.append(max(found, key=lambda one: one[0]))
    stretches = best[-1][1]
    if len(stretches) < 2:
        return ()
    frames = [proposed(said.clause(start, end), agents) for start, end, _ in stretches]
    return tuple(frame for frame in frames if frame is not None) if all(frames) else ()


def _parts(token: Token) -> bool:
    return not token.classes.isdisjoint({"pause", "blank", "stop", "and"})


_MOST: Final = 7
"""Most pieces of a line for which every partition is tried."""
_COST_OF_A_PART: Final = 1.5
"""Log odds that a further order in a line must be worth."""


def _is_named(clause: Clause, time: TimeExpression) -> bool:
    """True if a time-like word is part of a name: 双十一备货会, 圣诞交换礼物."""
    return clause.within("title", time) or clause.within("new_title", time)


def _meant(clause: Clause, tokens: Sequence[Token], borders: Sequence[Tagged], act: str) -> Meant | None:
    """Kept things that the clause refers to: by its pointing words, else by the whole clause."""
    spans = [(each.start, each.end) for each in borders if each.slot == "ref"]
    pointing = [
        token for token in tokens if any(start <= token.start and token.end <= end for start, end in spans)
    ]
    spares = spares_some(tokens, clause)  # 除了羽毛球其他的都取消: what is named is not what is meant
    found = (
        meant(pointing, replace(clause, times=_pointing(clause, spans))) if pointing and not spares else None
    )
    found = found if found is not None else meant(tokens, clause)
    last = clause.situation.last
    if found is None and not spans and last is not None and last.id and clause.situation.just_shown():
        return Meant(last.agent, (last,))  # 人太少，挪到周日下午: what was just shown, since nothing is named
    return found


def _pointing(clause: Clause, spans: Sequence[tuple[int, int]]) -> tuple[TimeExpression, ...]:
    return tuple(
        each
        for each in clause.times
        if any(start <= each.span[0] and each.span[1] <= end for start, end in spans)
    )
