"""Clauses routed to this agent by the language room (agents/routing)."""

from __future__ import annotations

from typing import Final

from ...language.clause import Clause
from ...language.clauses.shared_out import shared_out
from ...language.following.conditions import has_conditional_title, unwatchable
from ...language.following.nudges import nudge_in
from ...language.following.until_done import until_done
from ...language.match import Match
from ...language.mood import ends_in_question, mood_of
from ..routing import TASKS, rules_of

rules = rules_of(TASKS)
_WEIGHT: Final = 4


def claims(clause: Clause) -> Match | None:
    """Match of a whole line with a condition that nobody can watch (下雨的话提醒我带伞), with one beside a
    clock (明天八点提醒我，下雨的话带伞), or with 做完为止."""
    if not clause.situation.addressed or nudge_in(clause) is not None:
        return None
    if shared_out(clause):
        return Match("create_task", _WEIGHT, why="几个人各一件")
    if unwatchable(clause) is not None:
        return Match("create_task", _WEIGHT, why="要在看不到的时候提醒")
    insists = until_done(clause)
    if (
        insists is not None
        and not insists.of_another
        and mood_of(insists.order.text, "make", insists.order.times).plain
    ):
        return Match("create_task", _WEIGHT, why="提醒到做完为止")
    if has_conditional_title(clause) and not ends_in_question(clause.text):
        return Match("create_task", _WEIGHT, why="到点提醒，条件是要提醒的内容")
    return None
