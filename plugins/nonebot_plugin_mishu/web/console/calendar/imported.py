"""Entries of imported calendars on the pages: the visitor's own, and those shared with the group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from ....services.access.actor import Actor
from ....services.imports.calendars import Occurrence, list_named_occurrences
from ....storage.records import Conversation
from ..elements.parts import box, text
from ..elements.wording import span
from ..shell.visit import Visit


@dataclass(frozen=True, slots=True)
class ImportedTime:
    """One time of an imported entry; `whose` is empty for the visitor's own."""

    times: Occurrence
    source: str
    whose: str


Entries = Mapping[date, Sequence[ImportedTime]]
MOST: Final = 50
"""Entries of one day that are shown."""
_MOMENT: Final = timedelta(microseconds=1)


async def load_entries(visit: Visit, actor: Actor, place: Conversation, first: date, last: date) -> Entries:
    """Entries of each day from `first` to before `last`. Raises `Refused`."""
    zone = visit.office.zone
    begins, ends = datetime.combine(first, time(), zone), datetime.combine(last, time(), zone)
    found: dict[date, list[ImportedTime]] = {}
    names: dict[str, str] = {visit.me or "": ""}
    for each in await list_named_occurrences(visit.office, actor, place, visit.me, begins, ends):
        times, user_id = each.occurrence, each.user_id
        if user_id not in names:
            names[user_id] = await visit.office.name_of(place, user_id)
        day = max(first, times.begins.date())
        over = max(times.begins, times.ends - _MOMENT).date()
        while day <= over and day < last:
            here = found.setdefault(day, [])
            if len(here) < MOST:
                here.append(ImportedTime(times, each.source, names[user_id]))
            day += timedelta(days=1)
    return found


def draw_entry(each: ImportedTime, on: date) -> None:
    """Draw an entry of a day; it is changed where it comes from."""
    times = each.times
    begun, over = times.begins.date(), max(times.begins, times.ends - _MOMENT).date()
    when = span(times.begins, times.ends, all_day=times.all_day)
    if over > begun:
        when = f"第 {(on - begun).days + 1}/{(over - begun).days + 1} 天"
    with box("mi-item"):
        text(when, "mi-when")
        with box("mi-what"):
            text(times.title)
            if times.place:
                text(times.place, "mi-soft")
            text(f"{each.whose}的{each.source}" if each.whose else each.source, "mi-soft")
        text("日历", "mi-tag")
