"""Findings of a span by rules, for its plain summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import timedelta
from math import log, sqrt
from typing import Final

from ..language.lines.line import RecordLine
from ..language.lines.marks import asks, assents, assigns, decided, links, plans, settling
from ..language.lines.shared import to_files
from ..language.lines.unanswered import unanswered
from ..memory.terms import terms
from .line import called

PAUSE: Final = timedelta(minutes=15)
"""A pause this long parts two stretches of talk."""
ANSWERED_WITHIN: Final = timedelta(minutes=10)
"""The asker's own next line this soon after a question is taken as the answer to it."""
STRETCHES: Final = 3
_TELLING: Final = range(6, 80)
"""Characters of a line that may stand for a stretch."""


@dataclass(frozen=True, slots=True)
class BusyStretch:
    """A busy stretch of talk: when, how much, and the line that tells most of what it was about."""

    first: RecordLine
    last: RecordLine
    count: int
    telling: RecordLine


@dataclass(frozen=True, slots=True)
class Findings:
    """All of it, each in the order it was said."""

    lines: tuple[RecordLine, ...]
    """Lines of members, without our own."""
    by_member: tuple[tuple[str, int], ...]
    """Names and how much they said, most first."""
    asked: tuple[RecordLine, ...] = ()
    """@s and quotes of the asker, and questions to them, that they have not answered."""
    decided: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Ids of lines that decide something, with the ids of the assents."""
    about: Mapping[str, RecordLine] = field(default_factory=dict[str, RecordLine])
    """By the ids of such lines: the question that they answer."""
    plans: tuple[RecordLine, ...] = ()
    todos: tuple[RecordLine, ...] = ()
    links: tuple[tuple[RecordLine, str], ...] = ()
    files: tuple[tuple[RecordLine, str], ...] = ()
    stretches: tuple[BusyStretch, ...] = ()
    open: tuple[RecordLine, ...] = ()
    """Questions to everybody that nobody seems to have answered."""


def gather(
    lines: Sequence[RecordLine],
    asker: str | None = None,
    before: Mapping[str, int] | None = None,
    names: Mapping[str, str] | None = None,
) -> Findings:
    """Collect the findings of a span's lines, oldest first.

    `asker` is whose questions are looked for, None for nobody's. `before` counts in how many earlier lines
    of the group a term stood (`words_of`), so that a line can be told by words that are new here. `names`
    has ids of members by names under which none of the lines was said.
    """
    lines = called(lines, names or {})
    said = tuple(line for line in lines if not (line.bot or line.to_us))
    settled = settling(lines)
    made = decided(lines, settled)
    names = dict((line.user_id, line.name) for line in said)
    counts = Counter(line.user_id for line in said)
    pairs = dict.fromkeys((link, line) for line in said for link in links(line))
    first: dict[str, RecordLine] = {}
    for link, line in pairs:
        first.setdefault(link, line)
    coming = tuple(line for line in said if line.id not in made and plans(line))
    to_do = tuple(line for line in said if line.id not in made and assigns(line))
    asked_by = {each.id for key, each in settled.about.items() if key in made}
    unclear = unanswered(said, made, asked_by)
    asked = _unanswered(said, asker) if asker is not None else ()
    shown = {*made, *asked_by, *(line.id for line in (*coming, *to_do, *unclear, *asked))}
    return Findings(
        lines=said,
        by_member=tuple((names[user_id], count) for user_id, count in counts.most_common()),
        asked=asked,
        decided=made,
        about={key: question for key, question in settled.about.items() if key in made},
        plans=coming,
        todos=to_do,
        links=tuple((line, link) for link, line in first.items()),
        files=_files(said),
        stretches=_stretches(said, before or {}, shown),
        open=unclear,
    )


def _files(lines: Sequence[RecordLine]) -> tuple[tuple[RecordLine, str], ...]:
    """Files with the first line of their member's that has them; 传群文件了 by its words."""
    found: dict[tuple[str, str], RecordLine] = {}
    for line in lines:
        for name in line.files or ((f"「{line.text}」",) if to_files(line) else ()):
            found.setdefault((line.user_id, name), line)
    return tuple((line, name) for (_, name), line in found.items())


def words_of(lines: Sequence[RecordLine]) -> Counter[str]:
    """In how many of the lines each term stands."""
    counted: Counter[str] = Counter()
    for line in lines:
        counted.update(_terms(line))
    return counted


def _terms(line: RecordLine) -> set[str]:
    return {term for term in terms(line.text[:200]) if len(term) > 1}


def _unanswered(lines: Sequence[RecordLine], asker: str) -> tuple[RecordLine, ...]:
    """Lines of others that @ or quote the asker and that they did not answer: by a quote of it, by an @ of
    who said it, or by their own next line soon after."""
    own = {line.id for line in lines if line.user_id == asker}
    open_: list[RecordLine] = []
    for line in lines:
        if line.user_id == asker:
            open_ = [each for each in open_ if not _answers(line, each)]
        elif not (assents(line) or line.to_us) and (
            asker in line.mentions or (line.reply_to in own and asks(line))
        ):
            open_.append(line)
    return tuple(open_)


def _answers(line: RecordLine, question: RecordLine) -> bool:
    return (
        line.reply_to == question.id
        or question.user_id in line.mentions
        or (line.reply_to is None and not line.mentions and line.at - question.at <= ANSWERED_WITHIN)
    )


def _stretches(
    lines: Sequence[RecordLine], before: Mapping[str, int], shown: Set[str]
) -> tuple[BusyStretch, ...]:
    parts: list[list[RecordLine]] = []
    for line in lines:
        if not parts or line.at - parts[-1][-1].at > PAUSE:
            parts.append([])
        parts[-1].append(line)
    busiest = sorted(parts, key=len, reverse=True)[:STRETCHES]
    made = [_stretch(part, before, shown) for part in busiest if len(part) > 1]
    return tuple(sorted((each for each in made if each is not None), key=lambda each: each.first.at))


def _stretch(part: Sequence[RecordLine], before: Mapping[str, int], shown: Set[str]) -> BusyStretch | None:
    """Told by the line whose words are frequent here and rare before, and that is not shown anyway; None
    where no line tells anything."""
    here = words_of(part)

    def weight(line: RecordLine) -> float:
        found = _terms(line)
        total = sum(log(here[term] + 1) / (1 + log(1 + before.get(term, 0))) for term in found)
        return total / sqrt(len(found) + 4)

    able = [
        line
        for line in part
        if len(line.text) in _TELLING and not assents(line) and line.id not in shown and not links(line)
    ]
    if not able:
        return None
    return BusyStretch(part[0], part[-1], len(part), max(able, key=weight))
