"""How well lines are understood: messy language, read without a model (understanding.md, section 7).

A row is right where agents, intents, things, times and sums are what its writer meant; it is sure where the
rules would act on it without asking. Wrong and sure is the figure that matters: what is wrong and not sure is
asked about first. Of every file one part in five, by hash, is held out: it is scored and never looked at.

    uv run python -m benchmarks understanding            the figures of both parts
"""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch
from zoneinfo import ZoneInfo

import yaml

from .measurement import Measurement

CORPUS: Final = Path(__file__).parents[1] / "tests" / "corpus"
ZONE: Final = ZoneInfo("Asia/Shanghai")
NOW: Final = datetime(2026, 11, 18, 10, tzinfo=ZONE)
"""When every line is said: a Wednesday."""
NAMES: Final = ("小秘", "秘书")
HELD_OUT: Final = 5
"""One row in so many is held out."""
_CHANGES: Final = frozenset({"edit", "update_task"})
_OF_KEPT: Final = frozenset({"edit", "delete", "update_task", "complete_task", "delete_task"})
_TAKES_BACK: Final = frozenset({"correct", "undo"})
Explained = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """A line and what its writer meant by it: `want` for what is said to us, `overheard` for the rest."""

    subject: str
    say: str
    world: str = "a"
    want: tuple[Mapping[str, Any], ...] = ()
    overheard: bool | None = None

    @property
    def held_out(self) -> bool:
        """Whether nobody looks at it."""
        return zlib.crc32(self.say.encode()) % HELD_OUT == 0

    @property
    def agent(self) -> str:
        """Whose figure it counts for."""
        return self.subject if self.overheard is not None or not self.want else str(self.want[0]["agent"])


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a row: what is wrong with its reading, and whether it would be acted on."""

    row: Row
    wrong: tuple[str, ...]
    sure: bool

    @property
    def kind(self) -> str:
        """`right`, `asked` (wrong and not sure), or `wrong and sure`."""
        return "right" if not self.wrong else "wrong and sure" if self.sure else "asked"


def rows() -> Iterator[Row]:
    """Every row of the corpus, file by file."""
    for file in sorted(CORPUS.glob("*/*.yaml")):
        for plain in yaml.safe_load(file.read_text("utf-8")):
            want = tuple(plain.get("want", ()))
            yield Row(file.parent.name, plain["say"], plain.get("world", "a"), want, plain.get("overheard"))


def judged(row: Row, explained: Explained) -> Verdict:
    """What is to be said of the reading of a row."""
    if row.overheard is not None:
        heard = bool(explained["overheard"])
        return Verdict(row, () if heard == row.overheard else ("overheard",), heard)
    work = [frame for frame in explained["frames"] if frame["agent_code"] != "chat"]
    want = [one for one in row.want if one["agent"] != "chat"]
    sure = any(frame["sure"] for frame in work) if not want else bool(explained["sure"])
    if len(work) != len(want):
        return Verdict(row, (f"{len(work)} of {len(want)} orders",), sure)
    names = _names(row.world)
    wrong = [fault for frame, one in zip(work, want, strict=True) if (fault := _fault(frame, one, names))]
    return Verdict(row, tuple(wrong), sure)


def _fault(frame: Explained, want: Mapping[str, Any], names: Mapping[str, str]) -> str:
    intent, slots = frame["intent"], frame["slots"]
    if frame["agent_code"] != want["agent"]:
        return "agent"
    if intent != want["intent"] and not {intent, want["intent"]} <= _TAKES_BACK:
        return "intent"
    if "amounts" in want and intent == "record":
        told = sorted(float(item["amount"]) for item in slots.get("items", []))
        return "" if told == sorted(map(float, want["amounts"])) else "amounts"
    if want["agent"] == "bookkeeping" or intent.startswith("query"):
        return ""
    if "thing" in want and not _means(slots, intent, want["thing"], names):
        return "thing"
    return _time_fault(slots, intent, str(want.get("time", "")))


def _means(slots: Mapping[str, Any], intent: str, thing: str, names: Mapping[str, str]) -> bool:
    if intent not in _OF_KEPT:
        return _alike(thing, slots.get("title") or slots.get("new_description") or "")
    refs = [slots["ref"]] if "ref" in slots else slots.get("refs", [])
    said = slots.get("old_description") or slots.get("reference", {}).get("words", "")
    return any(_alike(thing, names.get(ref, "")) for ref in refs) or _alike(thing, said)


def _alike(one: str, other: str) -> bool:
    first, second = re.sub(r"\W", "", one.lower()), re.sub(r"\W", "", other.lower())
    return bool(first and second) and (first in second or second in first)


def _time_fault(slots: Mapping[str, Any], intent: str, time: str) -> str:
    """A day that is kept need not be said again in a change; a clock must."""
    said = json.dumps(slots, ensure_ascii=False)
    if time and intent not in _CHANGES and intent not in _OF_KEPT and time[:10] not in said:
        return "day"
    if len(time) > 10 and (intent in _CHANGES or intent not in _OF_KEPT) and time[11:16] not in said:
        return "clock"
    return ""


def _names(world: str) -> dict[str, str]:
    """The names of what is kept in a world, by id."""
    file = CORPUS / "worlds" / f"{world}.json"
    if not file.exists():
        return {}
    known = json.loads(file.read_text("utf-8"))
    return {row["id"]: row["title"] for part in ("tasks", "schedules") for row in known.get(part, [])}


def read_all(chosen: Sequence[Row]) -> list[Verdict]:
    """The verdicts on rows; the plugin must be loaded."""
    from nonebot_plugin_mishu import settings

    from bot.explain import explain
    from bot.explain.world import world

    config = settings.read({}, {})
    worlds = {file.stem: world(file, ZONE) for file in (CORPUS / "worlds").glob("*.json")}
    return [judged(row, explain(row.say, NOW, ZONE, config, NAMES, worlds.get(row.world))) for row in chosen]


def run() -> Iterator[Measurement]:
    """Right, and wrong and sure, per agent, in both parts, with the talk judge and without it."""
    from .instances.office import load_plugin

    load_plugin()
    for part, held_out in (("open", False), ("held out", True)):
        chosen = [row for row in rows() if row.held_out is held_out]
        yield from _figures(part, read_all(chosen))
        with _no_judge():
            yield from _figures(f"{part}, without the talk judge", read_all(chosen))


def _figures(part: str, verdicts: Sequence[Verdict]) -> Iterator[Measurement]:
    counts: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        counts.setdefault(verdict.row.agent, Counter())[verdict.kind] += 1
    for agent, found in sorted(counts.items()):
        total = found.total()
        for kind in ("right", "wrong and sure"):
            yield Measurement(f"{part}, {agent}: {kind}", 100 * found[kind] / total, f"% of {total}")


@contextmanager
def _no_judge() -> Iterator[None]:
    """The talk judge hears an order in everything."""
    from nonebot_plugin_mishu.agents import routing
    from nonebot_plugin_mishu.language import talk

    routing.route.cache_clear()
    try:
        with patch.object(talk, "score", return_value=9.0):
            yield
    finally:
        routing.route.cache_clear()
