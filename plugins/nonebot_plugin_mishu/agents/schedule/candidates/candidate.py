"""What was found in a text: candidates as seed 0 has them, and what the local grammar knows. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast

Intent = Literal["add", "edit", "delete", "query"]
INTENTS: tuple[Intent, ...] = ("add", "edit", "delete", "query")


def intent_named(name: str) -> Intent:
    """The intent of that name; looking up, which changes nothing, where there is none."""
    found: Intent = "query"
    for each in INTENTS:
        found = each if each == name else found
    return found


Doubt = Literal["no_time", "no_description", "am_pm", "which_day", "which_week", "invalid", "past", "several"]
"""Why a time or description cannot be taken as it was said."""


@dataclass(frozen=True, slots=True)
class CandidateTime:
    """A time something is to happen. Wall times `YYYY-MM-DD HH:MM:SS`; empty where nothing was said."""

    start: str
    end: str = ""
    segment: str = ""
    recurrence: dict[str, Any] | None = None
    until: str = ""
    """Last day of a recurrence that ends, `YYYY-MM-DD`."""
    dated: bool = True
    """Whether a day was said; False for a clock alone, which in an edit keeps the day."""
    clocked: bool = True
    """Whether a clock or a part of the day was said; a day alone keeps the clock in an edit."""
    weekday_only: bool = False
    """The day was said as a bare weekday: in an edit it is of the week of what is moved."""
    closes: Literal["", "perhaps", "surely"] = ""
    """In an edit: the clock is the new end (`language.timing.moved_end`), the beginning stays."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What must be asked before a candidate can be used; `options` are the readings there are."""

    doubt: Doubt
    said: str = ""
    reason: str = ""
    options: tuple[CandidateTime, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchSpan:
    """A stretch of wall time in which an existing schedule is looked for; both ends belong to it."""

    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing found in a text. The first six fields are seed 0's response, field by field."""

    intent: Intent
    need_confirm: bool = False
    old_time: str = ""
    old_description: str = ""
    new_time: str = ""
    new_description: str = ""
    when: CandidateTime | None = None
    """The new time in full; `new_time` is where it starts."""
    problem: Problem | None = None
    spans: tuple[SearchSpan, ...] = ()
    """Where the old time may lie; empty: anywhere."""
    once: bool = False
    """What names it is one time of what repeats (这周的例会, 下次的例会), not all of it (周四的例会)."""
    shift: int = 0
    """Minutes an existing schedule is moved by (推迟半小时)."""
    lasts: int = 0
    """Minutes that an existing schedule is to last in all (缩短到一小时)."""
    longer: int = 0
    """Minutes by which its end moves, negative for earlier (延长半小时, 提前半小时结束)."""
    end_asked: bool = False
    """A query for when it ends or how long it takes."""
    yes: str = ""
    """What a query whether it is there is answered with where it is (有, 对)."""
    place: str = ""
    lead: int | None = None
    further_leads: tuple[int, ...] = ()
    """Leads said beside it (提前一天和提前十分钟各提醒一次)."""
    everybody: bool = False
    called: bool = False
    """All of it is to be said to the group then (提醒大家 18点写日报): no plan that is told of ahead."""
    ids: tuple[int, ...] = ()
    """Those that were spoken of last, where nothing else says which."""
    every: bool = False
    """All that it names (周五俩评审都取消)."""
    nameable: bool = True
    """Its old description may be said back as a name; False for a piece of a line that names nothing."""
    begins: str = ""
    """In an edit: the first day of what repeats, `YYYY-MM-DD`."""
    listed: bool = False
    """The spans are days that were all said (11月27号和12月4号), no readings of one."""

    @property
    def old(self) -> tuple[str, str]:
        """What `extract_info` is told as `old_time` and `old_description` when this is changed (s3)."""
        return (self.new_time or self.old_time, self.new_description or self.old_description)

    def slots(self) -> dict[str, Any]:
        """As slots: seed 0's names and what goes with them; only what was found."""
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
    """Whether a candidate has time and content, the time perhaps open to two readings."""
    if len(candidate.new_description) < 2:
        return False
    return candidate.when is not None or (candidate.problem is not None and bool(candidate.problem.options))


def dump(candidate: Candidate) -> dict[str, Any]:
    """In values that JSON knows."""
    return asdict(candidate)


def _when(plain: Mapping[str, Any] | None) -> CandidateTime | None:
    return CandidateTime(**plain) if plain is not None else None


def load(plain: Mapping[str, Any]) -> Candidate:
    """What `dump` wrote. Raises `KeyError`, `TypeError` or `ValueError` where it is another thing."""
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
    """The candidates of a list that slots keep; none where it is another thing."""
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
