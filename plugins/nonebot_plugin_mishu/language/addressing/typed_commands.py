"""Pieces of a typed command (`/秘书 …`): the word it begins with, minutes, a weekday and a clock. Pure."""

from __future__ import annotations

import re
from datetime import time
from typing import Final

from ...patterns import Pattern
from ..text.fold import normalise

_COMMAND: Final = Pattern(r"\s*秘[书書](?P<gap>\s*+)(?P<rest>.*)$", re.DOTALL)
_MINUTES: Final = Pattern(r"(\d{1,6}(?:\.\d+)?)\s*(?:分钟|分|min)?")
_CLOCK: Final = Pattern(
    r"(?:每?(?:周|星期|礼拜)(?P<day>[一二三四五六日天]))? *"
    r"(?P<hour>\d{1,2}) ?[:点时](?P<minute>\d{1,2}|半)?分?"
)
WEEKDAYS: Final = "一二三四五六日"


def behind_secretary(line: str) -> tuple[str, bool] | None:
    """The words behind 秘书, and whether a space parts them; None where a line begins otherwise."""
    found = _COMMAND.match(line)
    return (found["rest"].strip(), bool(found["gap"])) if found else None


def minutes(argument: str) -> float | None:
    """A number of minutes, and nothing else."""
    found = _MINUTES.fullmatch(normalise(argument))
    return float(found[1]) if found else None


def day_and_clock(argument: str) -> tuple[int | None, time] | None:
    """A weekday (0 is Monday) if one is said, and a clock; None for anything else."""
    found = _CLOCK.fullmatch(normalise(argument))
    if found is None:
        return None
    hour, minute = int(found["hour"]), 30 if found["minute"] == "半" else int(found["minute"] or 0)
    if hour > 23 or minute > 59:
        return None
    day = found["day"]
    return WEEKDAYS.index(day.replace("天", "日")) if day else None, time(hour, minute)
