"""Chinese time grammar: time expressions of a sentence, the remaining text, and recurrences. Pure: text and
`now` in, values out. No clock, no database, no model, no NoneBot."""

from .days.almanac import add_months
from .expression import (
    SEGMENT_BOUNDS,
    WEEKDAYS,
    WITHIN_A_DAY,
    Ambiguity,
    Frequency,
    Kind,
    Recurrence,
    RecurrenceJson,
    Segment,
    TimeExpression,
    TimeJson,
    names_day,
)
from .grammar import MAX_LENGTH, parse
from .recurrences.occurrences import RecurrenceTime, dates, occurrences

__all__ = [
    "MAX_LENGTH",
    "SEGMENT_BOUNDS",
    "WEEKDAYS",
    "WITHIN_A_DAY",
    "Ambiguity",
    "Frequency",
    "Kind",
    "Recurrence",
    "RecurrenceJson",
    "RecurrenceTime",
    "Segment",
    "TimeExpression",
    "TimeJson",
    "add_months",
    "dates",
    "names_day",
    "occurrences",
    "parse",
]
