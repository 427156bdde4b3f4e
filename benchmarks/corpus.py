"""The corpus: lines said to the secretary with what they mean, and lines among members (`tests/corpus`).

One format for tests, benchmarks and training (docs/language.md, "The corpus"). A row is a line in which the
words that fill slots are marked, the world in which it is said, and what it orders:

    - {say: "把[周五的羽毛球](ref)[挪到八点](time)", world: office, do: schedule.edit, ref: s1,
       time: "2026-11-20 20:00"}

`[words](slot@2)` belongs to the second frame, or to the second record of the books. Several orders in one
line stand in `frames`. `mood` says that the line speaks of the act and does not order it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import yaml

CORPUS: Final = Path(__file__).parents[1] / "tests" / "corpus"
PARTS: Final = 5
"""A row belongs to one of so many parts by its checksum: the first is held out, the second calibrates."""
SLOTS: Final = frozenset(
    {
        *("time", "title", "new_title", "ref", "place", "who", "lead", "length", "level"),
        *("amount", "item", "payer", "sharer", "text"),
    }
)
MOODS: Final = frozenset({"question", "negated", "condition", "report", "guess", "wish"})
INTENTS: Final[Mapping[str, tuple[str, frozenset[str]]]] = {
    "schedule.add": ("schedule", frozenset({"add"})),
    "schedule.edit": ("schedule", frozenset({"edit"})),
    "schedule.delete": ("schedule", frozenset({"delete"})),
    "schedule.join": ("schedule", frozenset({"edit"})),
    "schedule.leave": ("schedule", frozenset({"edit"})),
    "schedule.query": ("schedule", frozenset({"query"})),
    "tasks.create": ("tasks", frozenset({"create_task"})),
    "tasks.update": ("tasks", frozenset({"update_task"})),
    "tasks.delete": ("tasks", frozenset({"delete_task"})),
    "tasks.complete": ("tasks", frozenset({"complete_task"})),
    "tasks.query": ("tasks", frozenset({"query_tasks"})),
    "books.record": ("bookkeeping", frozenset({"record"})),
    "books.budget": ("bookkeeping", frozenset({"record"})),
    "books.query": ("bookkeeping", frozenset({"query"})),
    "books.correct": ("bookkeeping", frozenset({"correct", "undo"})),
    "polls.make": ("polls", frozenset({"make"})),
    "polls.order": ("polls", frozenset({"show", "chase", "change", "close", "delete", "follow"})),
    "record.remember": ("record", frozenset({"remember"})),
    "record.forget": ("record", frozenset({"forget"})),
    "record.query": (
        "record",
        frozenset(("fact", "facts", "sum_up", "catch_up", "calls", "find", "decisions", "look_up", "shared")),
    ),
}
"""By what a row does: the agent, and the intents that do it."""
TALK: Final = "talk"
_SPAN: Final = re.compile(r"\[([^\[\]]+)\]\(([a-z_]+)(?:@(\d))?\)")
_KEYS: Final = frozenset(
    {"say", "world", "overheard", "do", "time", "ref", "refs", "amounts", "mood", "frames", "level", "thing"}
)


@dataclass(frozen=True, slots=True)
class Span:
    """Words of a line that fill a slot of its `number`-th frame; half-open, in characters of the line."""

    slot: str
    start: int
    end: int
    number: int = 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """One order of a line: what it does, and the values that are known of it."""

    do: str
    time: str = ""
    refs: tuple[str, ...] = ()
    amounts: tuple[float, ...] = ()
    thing: str = ""
    """The title as its writer would write it, where it is not a part of the line."""
    mood: str = ""

    @property
    def agent(self) -> str:
        """The code of the agent whose work it is."""
        return INTENTS[self.do][0]


@dataclass(frozen=True, slots=True)
class Row:
    """A line and its meaning: `frames` of what is said to us, `overheard` of what is said among members."""

    subject: str
    say: str
    world: str = "empty"
    frames: tuple[Wanted, ...] = ()
    spans: tuple[Span, ...] = ()
    overheard: bool | None = None

    @property
    def part(self) -> int:
        """0 is held out, 1 calibrates, the others may be learned from."""
        return crc32(self.say.encode()) % PARTS

    @property
    def held_out(self) -> bool:
        """It is scored and never looked at."""
        return self.part == 0

    @property
    def agent(self) -> str:
        """The agent whose figure it counts for."""
        if self.overheard is not None:
            return "overheard"
        return self.frames[0].agent if self.frames else TALK

    def words(self, slot: str, number: int = 1) -> str:
        """The marked words of a slot, stretches joined; empty where it has none."""
        return "".join(
            self.say[span.start : span.end]
            for span in self.spans
            if span.slot == slot and span.number == number
        )


@cache
def read_corpus() -> tuple[Row, ...]:
    """Every row, file by file. Raises ValueError with file and line where one is malformed or said twice."""
    found: list[Row] = []
    seen: dict[tuple[str, bool], str] = {}
    for folder in ("said", "overheard"):
        for file in sorted((CORPUS / folder).glob("*.yaml")):
            for number, plain in enumerate(yaml.safe_load(file.read_text("utf-8")), 1):
                where = f"{folder}/{file.name}, row {number}"
                row = read_row(file.stem, plain, where)
                key = (row.say, row.overheard is not None)
                if key in seen:
                    raise ValueError(f"{where}: {row.say!r} stands already in {seen[key]}")
                seen[key] = where
                found.append(row)
    return tuple(found)


def read_row(subject: str, plain: Mapping[str, Any], where: str = "") -> Row:
    """A row as its file has it. Raises ValueError that names what is wrong with it."""
    if unknown := set(plain) - _KEYS:
        raise ValueError(f"{where}: unknown keys {sorted(unknown)}")
    say, spans = unmarked(str(plain["say"]))
    if "](" in say or (unknown := {span.slot for span in spans} - SLOTS):
        raise ValueError(f"{where}: a span of {say!r} is malformed")
    if "overheard" in plain:
        return Row(subject, say, overheard=bool(plain["overheard"]))
    given: Sequence[Mapping[str, Any]] = plain.get("frames") or [plain]
    frames = tuple(_wanted(one, where) for one in given if one.get("do") != TALK)
    return Row(subject, say, str(plain.get("world", "empty")), frames, spans)


def unmarked(say: str) -> tuple[str, tuple[Span, ...]]:
    """A line without its marks, and the spans that they made."""
    text, spans, at = "", list[Span](), 0
    for match in _SPAN.finditer(say):
        text += say[at : match.start()]
        start = len(text)
        text += match[1]
        spans.append(Span(match[2], start, len(text), int(match[3] or 1)))
        at = match.end()
    return text + say[at:], tuple(spans)


def _wanted(plain: Mapping[str, Any], where: str) -> Wanted:
    do, mood = plain.get("do"), plain.get("mood", "")
    if do not in INTENTS:
        raise ValueError(f"{where}: nothing is called {do!r}")
    if mood and mood not in MOODS:
        raise ValueError(f"{where}: there is no mood {mood!r}")
    refs = (str(plain["ref"]),) if "ref" in plain else tuple(map(str, plain.get("refs", ())))
    amounts = tuple(map(float, plain.get("amounts", ())))
    return Wanted(str(do), str(plain.get("time", "")), refs, amounts, str(plain.get("thing", "")), str(mood))


@cache
def kept_names(world: str) -> Mapping[str, str]:
    """The names of the schedules and tasks of a world, by id."""
    file = CORPUS / "worlds" / f"{world}.json"
    if not file.exists():
        return {}
    known = json.loads(file.read_text("utf-8"))
    return {row["id"]: row["title"] for part in ("tasks", "schedules") for row in known.get(part, [])}


@cache
def kept_times(world: str) -> Mapping[str, str]:
    """The times of the schedules and tasks of a world as ISO 8601, by id."""
    file = CORPUS / "worlds" / f"{world}.json"
    if not file.exists():
        return {}
    known = json.loads(file.read_text("utf-8"))
    rows = (row for part in ("tasks", "schedules") for row in known.get(part, []))
    return {row["id"]: row.get("starts_at") or row.get("when") or "" for row in rows}


def said_rows() -> Iterator[Row]:
    """The rows of what is said to us."""
    return (row for row in read_corpus() if row.overheard is None)
