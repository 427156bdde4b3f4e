"""Quality of understanding: messy language, read without a model (docs/language.md, "The corpus").

A row is right where agents, intents, titles, things, times and sums are what its writer meant; it is sure
where the rules would act on it without asking. Wrong and sure is the figure that matters: what is wrong and
not sure is asked about first. A line that speaks of an act without ordering it is right where nothing is
written. One row in five, by hash, is held out: it is scored and never looked at.

    uv run python -m benchmarks understanding            the figures of both parts
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from .corpus import CORPUS, INTENTS, Row, Wanted, kept_names, kept_times, read_corpus
from .measurement import Measurement

ZONE: Final = ZoneInfo("Asia/Shanghai")
NOW: Final = datetime(2026, 11, 18, 10, tzinfo=ZONE)
"""When every line is said: a Wednesday."""
NAMES: Final = ("小秘", "秘书")
_CHANGES: Final = frozenset({"edit", "update_task"})
_OF_KEPT: Final = frozenset({"edit", "delete", "update_task", "complete_task", "delete_task"})
_READS: Final = frozenset(
    {
        *("query", "query_tasks", "chitchat"),
        *("fact", "facts", "sum_up", "catch_up", "calls", "find", "decisions"),
    }
)
"""Intents that write nothing."""
KINDS: Final = ("right and sure", "right", "wrong and sure")
Explained = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict on a row: the faults of its reading, and True if it would be acted on."""

    row: Row
    wrong: tuple[str, ...]
    sure: bool

    @property
    def kind(self) -> str:
        """`right`, `asked` (wrong and not sure), or `wrong and sure`."""
        return "right" if not self.wrong else "wrong and sure" if self.sure else "asked"


def judged(row: Row, explained: Explained) -> Verdict:
    """The verdict on the reading of a row."""
    if row.overheard is not None:
        heard = bool(explained["overheard"])
        return Verdict(row, () if heard == row.overheard else ("overheard",), heard)
    work = [frame for frame in explained["frames"] if frame["agent_code"] != "chat"]
    if any(one.mood for one in row.frames):
        written = [frame["intent"] for frame in work if frame["sure"] and frame["intent"] not in _READS]
        return Verdict(row, tuple(f"written: {intent}" for intent in written), bool(written))
    sure = any(frame["sure"] for frame in work) if not row.frames else bool(explained["sure"])
    if len(work) != len(row.frames):
        return Verdict(row, (f"{len(work)} of {len(row.frames)} orders",), sure)
    wrong, asks = list[str](), False
    for number, (frame, one) in enumerate(zip(work, row.frames, strict=True), 1):
        fault = _fault(frame, one, row, number)
        if fault in ("day", "clock") and _asks_which_half(frame, one, explained.get("times", ())):
            asks = True
        elif fault:
            wrong.append(fault)
    return Verdict(row, tuple(wrong), sure and not asks)


def _asks_which_half(frame: Explained, want: Wanted, times: Sequence[Explained]) -> bool:
    """The clock is right but for its half of the day, and the agent asks which."""
    if len(want.time) < 16:
        return False
    late = int(want.time[11:13]) >= 12
    clock = f"{int(want.time[11:13]) % 12 if late else int(want.time[11:13]):02}{want.time[13:16]}"
    said = [each["start"] for each in times if each["ambiguous"] == "am_pm"]
    settled = [frame["slots"].get(name) for name in ("new_time", "remindAt")]
    return clock in said and not any(settled) and frame["slots"].get("startTime") in (None, clock)


def _fault(frame: Explained, want: Wanted, row: Row, number: int) -> str:
    intent, slots = frame["intent"], frame["slots"]
    agent, intents = INTENTS[want.do]
    if frame["agent_code"] != agent:
        return "agent"
    if intent not in intents:
        return "intent"
    if want.amounts and intent == "record" and want.do == "books.record":
        told = sorted(float(item["amount"]) for item in slots.get("items", []))
        return "" if told == sorted(want.amounts) else "amounts"
    if agent in ("bookkeeping", "record") or intent in _READS:
        return ""
    if not _means(slots, intent, want, row, number):
        return "thing"
    led = any(span.slot == "lead" and span.number == number for span in row.spans)
    time = want.time[:10] if led or _keeps_its_clock(want, row) else want.time
    return _time_fault(slots, intent, time)


def _keeps_its_clock(want: Wanted, row: Row) -> bool:
    """A move to another day at the clock that is kept: it need not be said again."""
    clocks = [kept_times(row.world).get(ref, "")[11:16] for ref in want.refs]
    return want.time[11:16] in clocks


def _means(slots: Mapping[str, Any], intent: str, want: Wanted, row: Row, number: int) -> bool:
    if intent not in _OF_KEPT:
        title = want.thing or row.words("title", number)
        return not title or _alike(title, slots.get("title") or slots.get("new_description") or "")
    refs = [slots["ref"]] if "ref" in slots else list(slots.get("refs", []))
    if want.refs:
        return sorted(refs) == sorted(want.refs)
    thing = want.thing or row.words("ref", number)
    said = slots.get("old_description") or slots.get("reference", {}).get("words", "")
    names = kept_names(row.world)
    return not thing or any(_alike(thing, names.get(ref, "")) for ref in refs) or _alike(thing, said)


def _alike(one: str, other: str) -> bool:
    """One name is the other, but for a word at its end or beginning."""
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


def read_all(chosen: Sequence[Row]) -> list[Verdict]:
    """The verdicts on rows; the plugin must be loaded."""
    from nonebot_plugin_mishu.config import loading

    from bot.explain import explain
    from bot.explain.world import world

    config = loading.read({}, {})
    worlds = {file.stem: world(file, ZONE) for file in (CORPUS / "worlds").glob("*.json")}
    return [judged(row, explain(row.say, NOW, ZONE, config, NAMES, worlds.get(row.world))) for row in chosen]


def run() -> Iterator[Measurement]:
    """Right and sure, right, and wrong and sure, per agent and in sum, in both parts."""
    from .instances.office import load_plugin

    load_plugin()
    for part, held_out in (("open", False), ("held out", True)):
        yield from _figures(part, read_all([row for row in read_corpus() if row.held_out is held_out]))


def _figures(part: str, verdicts: Sequence[Verdict]) -> Iterator[Measurement]:
    counts: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        names = [verdict.row.agent] if verdict.row.overheard is not None else ["all", verdict.row.agent]
        for name in names:
            found = counts.setdefault(name, Counter())
            found[verdict.kind] += 1
            found["rows"] += 1
            found["right and sure"] += verdict.kind == "right" and verdict.sure
    for agent, found in sorted(counts.items()):
        for kind in KINDS:
            yield Measurement(
                f"{part}, {agent}: {kind}", 100 * found[kind] / found["rows"], f"% of {found['rows']}"
            )
