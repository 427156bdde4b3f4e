"""Candidates with the fields of seed 0 and of the local grammar. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast

Intent = Literal["add", "edit", "delete", "query"]
INTENTS: tuple[Intent, ...] = ("add", "edit", "delete", "query")


def intent_named(name: str) -> Intent:
    """Intent by name; unknown names become `query`, which changes nothing."""
    found: Intent = "query"
    for each in INTENTS:
        found = each if each == name else found
    return found


Doubt = Literal["no_time", "no_description", "am_pm", "which_day", "which_week", "invalid", "past", "several"]
"""Reason why a time or description cannot be used"""


@dataclass(frozen=True, slots=True)
class CandidateTime:
    """Time of a candidate. Wall times `YYYY-MM-DD HH:MM:SS`; empty if not given."""

    start: str
    end: str = ""
    segment: str = ""
    recurrence: dict[str, Any] | None = None
    until: str = ""
    """Last day of a recurrence that ends, `YYYY-MM-DD`."""
    dated: bool = True
    """True if a day was given; in an edit a clock alone keeps the day"""
    clocked: bool = True
    """True if a clock or part of the day was given; in an edit a day alone keeps the clock"""
    weekday_only: bool = False
    """Bare weekday: in an edit it is in the week of the edited schedule"""
    closes: Literal["", "perhaps", "surely"] = ""
    """In an edit: the clock is the new end (`language.timing.moved_end`); the start stays"""


@dataclass(frozen=True, slots=True)
class Problem:
    """Open question of a candidate; `options`: possible readings."""

    doubt: Doubt
    said: str = ""
    reason: str = ""
    options: tuple[CandidateTime, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchSpan:
    """Search range in wall time, both ends included."""

    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """Candidate of a text. The first six fields are seed 0's response, field by field."""

    intent: Intent
    need_confirm: bool = False
    old_time: str = ""
    old_description: str = ""
    new_time: str = ""
    new_description: str = ""
    when: CandidateTime | None = None
    """Full new time; `new_time` is its start"""
    problem: Problem | None = None
    spans: tuple[SearchSpan, ...] = ()
    """Search ranges of the old time; empty: any time"""
    once: bool = False
    """One occurrence (这周的例会, 下次的例会), not the series (周四的例会)"""
    shift: int = 0
    """Shift in minutes (推迟半小时)"""
    lasts: int = 0
    """New duration in minutes (缩短到一小时)"""
    longer: int = 0
    """Shift of the end in minutes, negative for earlier (延长半小时, 提前半小时结束)"""
    end_asked: bool = False
    """Query for the end or duration"""
    yes: str = ""
    """Affirmative word for a yes/no query (有, 对)"""
    place: str = ""
    lead: int | None = None
    further_leads: tuple[int, ...] = ()
    """Further leads in minutes (提前一天和提前十分钟各提醒一次)"""
    also_leads: bool = False
    """Leads in addition to those there are (提前一天再提醒一次)"""
    everybody: bool = False
    called: bool = False
    """Call of the group at that time (提醒大家 18点写日报), without an earlier notice"""
    ids: tuple[int, ...] = ()
    """Ids of the last mentioned schedules, if nothing else names one"""
    every: bool = False
    """All matches (周五俩评审都取消)"""
    nameable: bool = True
    """True if the old description can be quoted as a name; False for a fragment"""
    begins: str = ""
    """In an edit: first day of a recurrence, `YYYY-MM-DD`"""
    ends: str = ""
    """In an edit: last day of a recurrence, `YYYY-MM-DD`"""
    listed: bool = False
    """The spans are an enumeration (11月27号和12月4号), not readings of one day"""

    @property
    def old(self) -> tuple[str, str]:
        """`old_time` and `old_description` for `extract_info` (s3)."""
        return (self.new_time or self.old_time, self.new_description or self.old_description)

    def slots(self) -> dict[str, Any]:
        """Slots with seed 0's names and further values, without empty ones."""
        when = self.when
        found: dict[str, Any] = {}
        if self.intent != "add":
            found |= {"old_time": self.old_time, "old_description": self.old_description}
            if len(self.spans) == 1 and self.spans[0].last != self.spans[0].first:
                found["old_end"] = self.spans[0].last
        if self.intent in ("add", "edit"):
            found |= {"new_time": self.new_time, "new_description": self.new_description, "place": self.place}
            found |= {"shift": self.shift, "lasts": self.lasts, "longer": self.longer}
            if when is not None:
                found |= {"end": when.end, "segment": when.segment, "recurrence": when.recurrence}
        return {name: value for name, value in found.items() if value}


def usable(candidate: Candidate) -> bool:
    """True if the candidate has a description and a time, even one with two readings."""
    if len(candidate.new_description) < 2:
        return False
    return candidate.when is not None or (candidate.problem is not None and bool(candidate.problem.options))


def dump(candidate: Candidate) -> dict[str, Any]:
    """Candidate as JSON values."""
    return asdict(candidate)


def _when(plain: Mapping[str, Any] | None) -> CandidateTime | None:
    return CandidateTime(**plain) if plain is not None else None


def load(plain: Mapping[str, Any]) -> Candidate:
    """Candidate from `dump`. Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    fields: dict[str, Any] = dict(plain)
    if fields["intent"] not in INTENTS:
        raise ValueError("no intent of a schedule")
    problem: Mapping[str, Any] | None = fields["problem"]
    fields["when"] = _when(fields["when"])
    fields["ids"] = tuple(fields.get("ids", ()))
    fields["further_leads"] = tuple(fields.get("further_leads", ()))
    fields["spans"] = tuple(SearchSpan(**each) for each in fields["spans"])
    if problem is not None:
        options = tuple(CandidateTime(**each) for each in problem["options"])
        fields["problem"] = Problem(problem["doubt"], problem["said"], problem["reason"], options)
    return Candidate(**fields)


def loaded(plain: object) -> list[Candidate]:
    """Candidates from slots; empty if malformed."""
    try:
        return [load(cast("Mapping[str, Any]", each)) for each in cast("list[object]", plain or [])]
    except (KeyError, TypeError, ValueError):
        return []


@dataclass(frozen=True, slots=True)
class Operation:
    """One entry of `generate_operation`'s answer (seed 0)."""

    operation: Literal["edit", "delete", "query"]
    id: int
    time: str = ""
    description: str = ""
