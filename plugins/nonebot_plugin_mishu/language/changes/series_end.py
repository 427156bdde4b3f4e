"""Last day of what repeats: told right behind its making (到月底), or by its name (例会到年底为止). Pure."""

from __future__ import annotations

from datetime import date
from typing import Final

from ...patterns import Pattern
from ..clause import Clause, Situation
from ..recognise.times import TimeExpression, names_day, parse
from ..timing.series import last_day
from .corrections import Edit, only_trails

LONGEST: Final = 24
"""Most characters of such a line."""
_ENDS_ON: Final = "改成一直到"
"""Stands before the last day in the order that such a line is put into."""
_LEADS: Final = Pattern("(?:嗯|对|就|先|那|都|一直|持续|坚持|重复|提醒|循环|截止|截至|做|开|吃|弄|搞|上)*到?")
_CLOSES: Final = Pattern("(?:为止|结束|停|就(?:行|好|够|可以|结束|停)了?)?")
_NAMED: Final = Pattern("改[成到为]一直到")


def end_of_series_told(line: str, where: Situation) -> tuple[Edit, ...]:
    """The line as an order for the last day of the speaker's series, directly behind its making or change, or
    of the one that it names (例会到年底为止); empty for any other line."""
    text = line.strip(" ,。.!~")
    if not where.addressed or not 0 < len(text) <= LONGEST or not any(sign in text for sign in _SIGNS):
        return ()
    last = where.last
    if last is not None and last.id and last.repeats and where.just_done() and where.just_shown():
        found = _last_day_in(text, where)
        if found and last.name:
            return ((0, len(line), f"把{last.name}{_ENDS_ON}{found}"),)
    for thing in where.things:
        if thing.repeats and thing.name and text.startswith(thing.name):
            rest = text[len(thing.name) :]
            found = _last_day_in(rest, where) if any(word in rest for word in _PLAINLY) else ""
            return ((0, len(line), f"把{thing.name}{_ENDS_ON}{found}"),) if found else ()
    return ()


def _last_day_in(text: str, where: Situation) -> str:
    """The words of the day up to which something goes, not past, in a line of nothing else; empty if none."""
    times = parse(text, where.now, where.zone)
    if len(times) != 1 or not _is_day(times[0]) or len(times[0].spans) > 1:
        return ""
    start, end = times[0].span
    lead = _LEADS.fullmatch(text[:start])
    closes = _CLOSES.match(text, end)
    goes = text[:start].endswith("到") or times[0].text.startswith("到") or times[0].text.endswith(_TO)
    if lead is None or closes is None or not goes or not only_trails(text, closes.end()):
        return ""
    return times[0].text.removeprefix("到") if last_day(times[0]) >= where.now.date() else ""


_PLAINLY: Final = ("为止", "结束", "一直到", "持续到")
"""Words by which it ends then, and is not moved there (例会到周五)."""
_SIGNS: Final = ("到", "为止")
_TO: Final = ("为止", "止")


def _is_day(one: TimeExpression) -> bool:
    plain = one.start is None and one.recurrence is None and one.invalid is None
    return plain and one.date is not None and names_day(one.text)


def end_of_series(clause: Clause) -> date | None:
    """Last day in an order that puts an end to a series (把晨会改成一直到月底); None for other orders."""
    found = _NAMED.search(clause.text)
    if found is None or len(clause.times) != 1 or not _is_day(clause.times[0]):
        return None
    last = last_day(clause.times[0])
    return last if clause.times[0].span[0] == found.end() and last >= clause.situation.now.date() else None
