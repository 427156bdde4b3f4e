"""Time slots of a model, in words of the line (startTime 八点), merged into the open wish. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, time
from typing import Any, Final

from ...language.clause import Clause, Situation
from ...language.recognise.times import names_day, parse
from ...language.timing.day_half import half_of_day
from .answering import renewed
from .planning.new_task import best, expressed, priority_in
from .planning.policy import moment
from .planning.task_time import Wish, pm

_BEGINS: Final = ("dueDate", "startTime")
_PART: Final = "timeSegment"
_ENDS: Final = "endTime"
_CALLS: Final = "remindAt"


def retimed(wish: Wish, slots: Mapping[str, Any], where: Situation, names: tuple[str, ...] = ()) -> Wish:
    """Wish with the slots' times, as words or as date and clock; unchanged if there are none.

    Args:
        wish: time known before.
        slots: the model's, by the names of the tools' parameters.
        where: situation of the line: zone and moment.
        names: titles, for the half of the day of a clock.
    """
    found = _exact(wish, slots)
    half = half_of_day(str(slots.get(_PART) or ""), names)
    if found.start is not None and found.ambiguous == "am_pm" and half is not None:
        return replace(found, start=pm(found.start) if half else found.start, ambiguous=None)
    begins = _clause([slots.get(name) for name in (*_BEGINS, _PART)], where)
    if begins.times:
        found = replace(
            renewed("start", found, begins, names), spans=wish.spans
        )  # the end is still asked for
    ends = _clause([slots.get(_ENDS)], where)
    if ends.times and found.start is not None:
        found = renewed("end", found, ends, names)
    calls = _clause([slots.get(_CALLS)], where)
    return _called(found, calls, names) if calls.times else found


def priority_told(slots: Mapping[str, Any]) -> str | None:
    """Priority of a model's slot, in words or as the tools' code."""
    said = slots.get("priority")
    if not isinstance(said, str):
        return None
    return said if said in _LEVELS else priority_in(f"{said}优先级")


_LEVELS: Final = ("low", "medium", "high")


def _called(wish: Wish, calls: Clause, names: tuple[str, ...]) -> Wish:
    """Wish with the reminder's moment; for a mere reminder it is also the task's time."""
    if wish.empty or (wish.reminded and wish.remind_at is None) or wish.start is None:
        return replace(renewed("start", wish, calls, names), reminded=True)
    said = expressed(best(calls.times), calls)
    day = said.date if names_day(said.phrase) else wish.date or said.date
    if day is None or said.start is None:
        return wish
    return replace(wish, reminded=True, remind_at=moment(day, said.start, calls.situation.zone))


def _clause(values: list[Any], where: Situation) -> Clause:
    """Slots' words as one clause; a word contained in another is used once."""
    said = [value for value in values if isinstance(value, str) and _tells_when(value, where)]
    whole = [value for value in said if not any(value != other and value in other for other in said)]
    text = "".join(dict.fromkeys(whole))
    return Clause(text, where, tuple(parse(text, where.now, where.zone)))


def _tells_when(value: str, where: Situation) -> bool:
    """True if at least half of a value is words of time: 周五学校放假也不用送 says something of a day."""
    said = value.strip()
    timed = {at for one in parse(said, where.now, where.zone) for at in range(*one.span)}
    return not timed or 2 * len(timed) >= len(said)


def _exact(wish: Wish, slots: Mapping[str, Any]) -> Wish:
    found: dict[str, Any] = {}
    readers = {"dueDate": ("date", date), "startTime": ("start", time), "endTime": ("end", time)}
    for slot, (name, kind) in readers.items():
        try:
            if isinstance(slots.get(slot), str):
                found[name] = kind.fromisoformat(slots[slot])
        except ValueError:
            continue
    return replace(wish, **found, ambiguous=None, invalid=None) if found else wish
