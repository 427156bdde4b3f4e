"""What a change says is to stay as it is: 改到19号 时间不变, 同一时间, 还是那个点, 地点照旧. Pure.

It names no new value and is no part of a title: the clause is read as if it had not been said.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..recognise.times import parse
from ..word_lists import table

_SAID: Final = Pattern(
    f"[,，。;； ]*(?:还是|还|就|仍|依然|都|也|在)*{table('change.kept')}(?:不变|吧|哈|啊|了|的)*"
)


def without_kept(clause: Clause) -> Clause:
    """The clause with blanks where something is said to stay, its times read anew."""
    text = _SAID.sub(lambda found: " " * len(found.group()), clause.text)
    if text == clause.text:
        return clause
    situation = clause.situation
    return replace(clause, text=text.rstrip(), times=tuple(parse(text, situation.now, situation.zone)))
