"""Plans told only as background of a question outside all records. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ....language.clause import Clause
from ....language.clauses.change_intents import deletes, edits
from ....language.clauses.features import hear
from ....language.word_lists import table
from ....patterns import Pattern
from .unit import Unit

_ADVISE: Final = Pattern(
    "你说|你觉得|你看|你认为|多少|怎么|怎样|咋|什么|啥|合适|该不该|要不要|能不能|行不行|值不值|贵不贵"
)
_NOTED: Final = Pattern("记|提醒|日程|任务|待办|安排|大家|群里|[^,]{2,}通知")
_APART: Final = Pattern(f"(?:{table('decision.connective')}|再)")


def talks_of_itself(units: Sequence[Unit]) -> bool:
    """True if a plan-like clause is only background of the question behind it.

    我下个月搬去杭州 冰箱二手能卖多少: no order to keep anything stands in it.
    """
    plans = [unit.clause for unit in units if unit.recognised]
    return any(_asks_about(*both) for both in pairwise(units)) and all(map(_only_told, plans))


def _asks_about(plan: Unit, question: Unit) -> bool:
    if question.recognised or not plan.recognised or _APART.match(question.clause.text):
        return False
    heard = hear(question.clause)
    return heard.asks and not heard.weather and _ADVISE.search(heard.text) is not None


def _only_told(clause: Clause) -> bool:
    heard = hear(clause)
    orders = heard.ordered or heard.asks or edits(heard) or deletes(heard)
    return not (clause.amounts or orders or _NOTED.search(heard.text))
