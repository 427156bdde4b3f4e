"""Plans told only as background of a question outside all records. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ....language.clause import Clause
from ....language.clauses.change_intents import deletes, edits
from ....language.clauses.features import hear
from ....language.clauses.joined_pieces import asks_advice, begins_anew, is_to_be_noted
from .unit import Unit


def talks_of_itself(units: Sequence[Unit]) -> bool:
    """True if a plan-like clause is only background of the question behind it.

    我下个月搬去杭州 冰箱二手能卖多少: no order to keep anything stands in it.
    """
    plans = [unit.clause for unit in units if unit.recognised]
    return any(_asks_about(*both) for both in pairwise(units)) and all(map(_only_told, plans))


def _asks_about(plan: Unit, question: Unit) -> bool:
    if question.recognised or not plan.recognised or begins_anew(question.clause.text):
        return False
    heard = hear(question.clause)
    return heard.asks and not heard.weather and asks_advice(heard.text)


def _only_told(clause: Clause) -> bool:
    heard = hear(clause)
    orders = heard.ordered or heard.asks or edits(heard) or deletes(heard)
    return not (clause.amounts or orders or is_to_be_noted(heard.text))
