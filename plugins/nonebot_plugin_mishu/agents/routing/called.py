"""Reminder of another member at the beginning of the thing mentioned last: 到时候叫一下小王. Pure."""

from __future__ import annotations

from dataclasses import replace

from ...language.clause import Clause
from ...language.recognise.members import called_then, is_a_name, matched
from ...language.recognise.times import parse

_A_WHILE = 600.0


def as_reminder(clause: Clause) -> Clause | None:
    """The line as a reminder of that member for that thing at its beginning (11月19日15点提醒小王开会).

    None where it is none, or nothing was spoken of a moment ago.
    """
    where = clause.situation
    names = called_then(clause.text)
    last = where.last if where.just_shown(_A_WHILE) else None
    if not names or last is None or last.at is None or not last.name:
        return None
    people = (*where.mentions, *where.members)
    if any(len(matched(name, people)) != 1 for name in names) and not (
        len(names) == 1 and is_a_name(names[0])
    ):
        return None
    at = last.at
    clock = f"{at.hour}点" if (at.hour, at.minute) != (0, 0) else ""
    clock += f"{at.minute}分" if at.minute else ""
    text = f"{at.year}年{at.month}月{at.day}日{clock}提醒{'和'.join(names)}{last.name}"
    return replace(clause, text=text, times=tuple(parse(text, where.now, where.zone)), amounts=())
