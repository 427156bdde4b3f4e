"""Sums that are only talked about: somebody else's, or told for the telling's sake. Pure.

The judge of sums hears whether money of ours has moved, and decides how sure a record is. It does not take
away an order to write something down (记一笔, 记账).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..entries.categories import Categories
from ..entries.entry import OTHER
from ..learned.sums import MOVED_ABOVE, SURELY_MOVED, moved
from ..learned.talk import judge_talk
from ..match import Match
from ..reading import words_of
from ..recognise.money import Role

NAMED: Final = 3
"""The weight of a match that names the books."""
_WRITE: Final = Pattern("记(?!得|者|忆|性|住)|补一?[笔上个下]|入账|登记")
_DOUBTED_BELOW: Final = -1.0
"""Talk score below which an unsure line is not asked about."""
_VOUCHED_ABOVE: Final = 2.0
"""Money score above which a line like talk (我爸转了我1000) is asked about."""
_NEVER_BELOW: Final = -1.5
"""Below this a sum is talked about, whatever its words."""


def weighed(clause: Clause, text: str, match: Match | None, *, told: bool) -> Match | None:
    """A match that records, as sure as the judge of sums is; also where only the judge hears one, if what is
    `told` may be ours and lies behind us."""
    if match is not None and (match.weight >= NAMED or _WRITE.search(text) is not None):
        return match
    if not clause.amounts or not clause.situation.addressed:
        return match
    value = moved(clause.text, clause.times, clause.amounts, clause.situation.now.date())
    if match is None:
        told = told and any(each.role is not Role.ASIDE for each in clause.amounts)
        spent_on = told and Categories().of(text) != OTHER
        return Match("record", 2, sure=False) if spent_on and value > SURELY_MOVED else None
    if value <= _NEVER_BELOW:
        return None
    tokens = words_of(clause.text, clause.times, clause.amounts)
    talk = judge_talk(clause.text, tokens).score <= _DOUBTED_BELOW
    if value <= MOVED_ABOVE or (talk and value <= SURELY_MOVED):
        return replace(match, sure=False, why="像是闲聊", vouched=value > _VOUCHED_ABOVE)
    return replace(match, sure=match.sure or value > SURELY_MOVED)


_GUESS: Final = Pattern(
    "(?:估计|估摸|应该|恐怕|可能|怎么也|怎么着也|少说|起码|(?:大概|大约|差不多|也)?(?:得|要|需要|会要))"
    "[^,，。0-9了]{0,6}$"
)
_NEARLY: Final = Pattern("(?:大概|大约|差不多)[^,，。0-9了]{0,6}$")
_LEFT_SO: Final = Pattern("(?:块|元|钱|左右|上下|多|的样子)*+(?P<so>吧)?[ 。.!~]*")


def only_guessed(clause: Clause) -> bool:
    """True for a mere estimate (这个月水电大概得三百吧): final amount, guess before it, no clock time."""
    sums = [each for each in clause.amounts if each.fen]
    if len(sums) != 1 or any(each.start is not None for each in clause.times):
        return False
    start, end = sums[0].start, sums[0].end
    left = _LEFT_SO.fullmatch(clause.text, end)
    if left is None:
        return False
    span = any(each.end_date is not None for each in clause.times)
    nearly = span and left["so"] is not None and _NEARLY.search(clause.text, 0, start) is not None
    return nearly or _GUESS.search(clause.text, 0, start) is not None
