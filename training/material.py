"""The lines that the judge and the tagger learn from, read as tokens: the corpus, orders and talk.

Of the corpus the held-out part and the part that calibrates are left out (`benchmarks.corpus`). Lines are
read at one moment, so that nothing depends on when this runs, and in the form in which the reader gives
them to the models: folded, with what a member corrected in the same breath taken out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import yaml
from nonebot_plugin_mishu.core.decision.learned import tokens_of
from nonebot_plugin_mishu.language import Token
from nonebot_plugin_mishu.language.clause import Situation
from nonebot_plugin_mishu.language.clauses.segments import message
from nonebot_plugin_mishu.language.learned.judge import TALK

from benchmarks.corpus import Row, Span, Wanted, read_row, said_rows

from .judges import HERE, NOW

OF_CORPUS, OF_TALK = 2.0, 0.3
"""Weights of a row of the corpus and of a line of talk, where an order has 1: the corpus is said to the
secretary in many voices, talk is there in any amount."""
AMONG_MEMBERS = frozenset(
    {"among_members", "to_other_members", "plans_told", "told_with_times", "told_with_money"}
)
"""Talk that would be an order if it were said to us."""
CALIBRATES = 1
"""The part of the corpus on which thresholds are chosen; 0 is held out."""


@dataclass(frozen=True)
class Line:
    """A line as the models see it: its words, the act that it is about, and its marked spans."""

    text: str
    tokens: tuple[Token, ...]
    act: str
    spans: tuple[Span, ...]
    part: int
    """Of the corpus; -1 of what belongs to none."""
    single: bool
    """It is about one act alone."""
    borders: bool
    """Its spans are marked."""
    weight: float = 1.0
    """Weight of the example, relative to others."""


WHOLE_LINES = frozenset({"polls", "free_time"})
"""Files of the corpus whose lines are read whole, by `language/polls` and `language/free_time`."""


def read_line(row: Row, part: int, weight: float = 1.0, *, borders: bool = True) -> Line:
    """A row as the models see it."""
    said, _ = message(row.say, Situation(NOW))
    act = row.frames[0].do if row.frames else TALK
    clause = said.clause(0, len(said.text))
    left = said.text.find(clause.text)
    origin = said.written.origin[left : left + len(clause.text)]
    spans = tuple(moved for span in row.spans if (moved := _moved(span, origin)) is not None)
    whole = len(spans) == len(row.spans)
    return Line(
        clause.text,
        tokens_of(clause),
        act,
        spans,
        part,
        len(row.frames) < 2,
        borders and whole and bool(spans),
        weight,
    )


def _moved(span: Span, origin: tuple[int, ...]) -> Span | None:
    """A span in the form that was folded; None where nothing is left of it."""
    inside = [at for at, source in enumerate(origin) if span.start <= source < span.end]
    return replace(span, start=inside[0], end=inside[-1] + 1) if inside else None


JOINTS = (" ", " ", " ", "，", " 然后", " 顺便", "，另外", " 还有", " 再")
"""Joints between two orders of one line."""
LONGEST_JOINED = 20
"""Characters of an order that is joined with another one."""


def _joined(rows: Sequence[Row]) -> Iterator[Line]:
    """Lines that order two things, made of two rows each: people say them more often than rows show."""
    short = [
        row
        for row in rows
        if len(row.frames) == 1 and len(row.say) <= LONGEST_JOINED and not row.frames[0].mood
    ]
    for at, row in enumerate(short):
        other = short[(at * 7 + 13) % len(short)]
        if other.part == row.part and other.say != row.say:
            say = row.say.rstrip("。！!~ ") + JOINTS[at % len(JOINTS)] + other.say
            yield read_line(Row(row.subject, say, frames=(row.frames[0], SOMETHING)), row.part, borders=False)


SOMETHING = Wanted("record.query")
"""The second of two orders: that there is one is all that is learned of it."""


@cache
def learned_lines() -> tuple[Line, ...]:
    """Every line that may be learned from, in the order of files."""
    return tuple(_lines())


def judged_rows() -> list[Row]:
    """Rows of the corpus without those that forms of their own read as whole lines (`WHOLE_LINES`): the
    judge is not asked about them, and what it makes of them says nothing of how far it is to be trusted."""
    return [row for row in said_rows() if row.subject not in WHOLE_LINES]


def _lines() -> Iterator[Line]:
    said = judged_rows()
    seen: set[str] = {row.say for row in said}
    yield from (read_line(row, row.part, OF_CORPUS) for row in said if row.part > CALIBRATES)
    for file in sorted((HERE / "orders").glob("*.yaml")):
        for number, plain in enumerate(yaml.safe_load(file.read_text("utf-8")), 1):
            row = read_row(file.stem, plain, f"{file.name}, row {number}")
            if row.say not in seen:
                seen.add(row.say)
                yield read_line(row, -1)
    yield from _joined([row for row in said if row.part > CALIBRATES])
    for file in sorted((HERE / "talk").glob("*.txt")):
        if file.stem in AMONG_MEMBERS:
            continue
        for say in file.read_text("utf-8").splitlines():
            if say.strip() and say[0] != "#" and say not in seen:
                seen.add(say)
                yield read_line(Row(file.stem, say), -1, OF_TALK, borders=False)
