"""Quiet hours as a value: 23:00–8:00. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Hours of every day in which nothing unasked is said, `end` not included. Kept as `23:00-08:00`."""

    start: time
    end: time

    @classmethod
    def kept(cls, text: str) -> QuietHours:
        """From the stored form. Raises `ValueError`."""
        start, _, end = text.partition("-")
        hours = cls(time.fromisoformat(start), time.fromisoformat(end))
        if hours.start == hours.end:
            raise ValueError("quiet hours need a length")
        return hours

    def as_kept(self) -> str:
        """The stored form."""
        return f"{self.start:%H:%M}-{self.end:%H:%M}"

    @property
    def shown(self) -> str:
        """23:00–8:00."""
        return f"{_clock(self.start)}–{_clock(self.end)}"

    def until(self, at: datetime) -> datetime | None:
        """Their end, where `at` (aware) lies in them; else None."""
        clock = at.time().replace(tzinfo=None)
        over_night = self.end < self.start
        inside = clock >= self.start or clock < self.end if over_night else self.start <= clock < self.end
        if not inside:
            return None
        day = at.date() + timedelta(days=over_night and clock >= self.start)
        return datetime.combine(day, self.end, at.tzinfo)


def _clock(clock: time) -> str:
    return f"{clock.hour}:{clock:%M}"


USUAL = QuietHours(time(23), time(8))
"""In which nobody is nudged or called where a group has set none."""
