"""Unchanged parts of a change: 改到19号 时间不变, 同一时间, 还是那个点, 地点照旧. Pure.

No new value and no title: the clause is read without these words.
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
    """Clause with blanks for unchanged parts, its times parsed again."""
    text = _SAID.sub(lambda found: " " * len(found.group()), clause.text)
    if text == clause.text:
        return clause
    situation = clause.situation
    return replace(clause, text=text.rstrip(), times=tuple(parse(text, situation.now, situation.zone)))
