"""Form of a schedule: start, end, recurrence, reminder, people reminded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock
from typing import Any, Final
from zoneinfo import ZoneInfo

from nicegui import ui

from ....services.refusals import invalid
from ....services.schedules.phrases import describe_schedule_recurrence
from ....services.schedules.schedules import Time
from ....storage.schedules.records import SchedulePlan
from ..elements.parts import box, field, select
from ..elements.wording import ahead
from .days import last_day
from .repetition import KEPT, ONCE, chosen, offers, rule_of

LEADS: Final = (0, 5, 10, 30, 60, 120, 1440)
"""Minutes before it that are offered for a reminder."""
USUAL: Final = "usual"


@dataclass(frozen=True, slots=True)
class FormValues:
    """Initial values of the form."""

    description: str = ""
    day: date | None = None
    start: str = ""
    last: str = ""
    """The last day, where that is another."""
    end: str = ""
    place: str = ""
    lead: str = USUAL
    everybody: bool = False
    until: str = ""
    plan: SchedulePlan | None = None

    @property
    def recurrence(self) -> Mapping[str, Any] | None:
        """Key of the recurrence."""
        return None if self.plan is None else self.plan.recurrence


def initial_values(time: Time) -> FormValues:
    """Initial values from an occasion."""
    plan = time.schedule.plan
    first, last = time.starts_at.date(), last_day(time)
    clocked = plan.segment is None
    end = time.ends_at if clocked else None
    return FormValues(
        plan.description,
        first,
        f"{time.starts_at:%H:%M}" if clocked else "",
        (end.date() if end is not None else last).isoformat()
        if (end is not None and end.date() != first) or last != first
        else "",
        "" if end is None else f"{end:%H:%M}",
        plan.place or "",
        USUAL if plan.lead_minutes is None else str(plan.lead_minutes),
        plan.everybody,
        plan.until or "",
        plan,
    )


class ScheduleForm:
    """Fields of the form, and the operation's fields they give."""

    def __init__(self, kept: FormValues, zone: ZoneInfo, usual_lead: int, *, governs: bool) -> None:
        self._kept = kept
        self._zone = zone
        self._usual = usual_lead
        self._governs = governs
        self._inputs: dict[str, Any] = {}

    def draw(self) -> None:
        """Draw the fields."""
        kept, inputs = self._kept, self._inputs
        day = kept.day or date.today()
        words = "" if kept.plan is None else describe_schedule_recurrence(kept.plan)
        inputs["description"] = field("什么事", kept.description, mark="description")
        with box("mi-pair"):
            inputs["date"] = field("哪天", day.isoformat(), kind="date", mark="date")
            inputs["time"] = field("几点（空着是全天）", kept.start, kind="time", mark="time")
            inputs["last"] = field("到哪天（同一天不填）", kept.last, kind="date", mark="last")
            inputs["end"] = field("到几点（可不填）", kept.end, kind="time", mark="end")
            inputs["repeats"] = select(
                offers(day, kept.recurrence, words), chosen(day, kept.recurrence), "重复", "repeats"
            )
            inputs["until"] = field("重复到哪天（可不填）", kept.until, kind="date", mark="until")
            inputs["lead"] = select(_leads(kept.lead, self._usual), kept.lead, "提醒", "lead")
            inputs["place"] = field("地点", kept.place, mark="place", longest=100)
        if self._governs or kept.everybody:
            inputs["everybody"] = ui.checkbox("提醒全体成员", value=kept.everybody)
            inputs["everybody"].props["data-mishu"] = "everybody"
            inputs["everybody"].set_enabled(self._governs)

    def fields(self) -> dict[str, Any]:
        """Changed fields. Raises `Refused` with the field."""
        said = {name: each.value for name, each in self._inputs.items()}
        return changed_fields(self._kept, said, self._zone)


def changed_fields(kept: FormValues, said: Mapping[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    """Fields of the operation that a form changes. Pure. Raises `Refused` with the field."""
    words = {name: str(value or "").strip() for name, value in said.items() if name != "everybody"}
    fields: dict[str, Any] = {}
    if words["description"] != kept.description:
        fields["description"] = words["description"]
    if words["place"] != kept.place:
        fields["place"] = words["place"] or None
    if not words["description"]:
        raise invalid("description", "不能缺少")
    day = parse_day("date", words["date"])
    before = (kept.day.isoformat() if kept.day is not None else "", kept.start, kept.last, kept.end)
    if kept.plan is None or (words["date"], words["time"], words["last"], words["end"]) != before:
        fields |= _time_fields(kept, words, day, zone)
    key = words["repeats"]
    follows = key not in (KEPT, ONCE) and kept.recurrence is not None and day != kept.day
    if key != KEPT and (follows or key != chosen(kept.day or day, kept.recurrence)):
        fields["recurrence"] = rule_of(key, day)
    if words["until"] != kept.until and key != ONCE:
        fields["until"] = date.fromisoformat(words["until"]) if words["until"] else None
    if words["lead"] != kept.lead:
        fields["lead_minutes"] = None if words["lead"] == USUAL else int(words["lead"])
    if "everybody" in said and bool(said["everybody"]) != kept.everybody:
        fields["everybody"] = bool(said["everybody"])
    return fields


def parse_day(name: str, words: str) -> date:
    """A typed day. Raises `Refused` with the field's name."""
    try:
        return date.fromisoformat(words)
    except ValueError:
        raise invalid(name, "不对" if words else "不能缺少") from None


def _time_fields(kept: FormValues, words: Mapping[str, str], day: date, zone: ZoneInfo) -> dict[str, Any]:
    last = date.fromisoformat(words["last"]) if words["last"] else day
    if last < day:
        raise invalid("last", "结束比开始早")
    if not words["time"] and words["end"]:
        raise invalid("time", "填了到几点，就要填几点开始")
    if not words["time"]:
        segment = kept.plan.segment if kept.plan is not None else None
        whole = segment in (None, "all_day") or last != day
        end = datetime.combine(last + timedelta(days=1), clock.min, zone) if last > day else None
        return {
            "starts_at": datetime.combine(day, clock.min, zone),
            "ends_at": end,
            "segment": "all_day" if whole else segment,
        }
    start = datetime.combine(day, clock.fromisoformat(words["time"]), zone)
    if kept.start and kept.end and (words["last"], words["end"]) == (kept.last, kept.end):
        return {"starts_at": start, "segment": None}  # begun at another time it lasts as long as before
    fields: dict[str, Any] = {"starts_at": start, "ends_at": None, "segment": None}
    if words["end"]:
        end = datetime.combine(last, clock.fromisoformat(words["end"]), zone)
        if end <= start:  # 22:00 到 1:00 says the day on which it ends
            raise invalid("end", "结束比开始早；过了零点的填上「到哪天」")
        fields["ends_at"] = end
    elif last > day:
        fields["ends_at"] = datetime.combine(last + timedelta(days=1), clock.min, zone)
    return fields


def _leads(kept: str, usual: int) -> dict[str, str]:
    offered = {USUAL: f"{ahead(usual)}（平常）", **{str(each): ahead(each) for each in LEADS}}
    return offered if kept in offered else {**offered, kept: ahead(int(kept))}
