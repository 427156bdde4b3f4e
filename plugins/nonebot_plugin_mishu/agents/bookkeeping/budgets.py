"""Budgets of a month or category: set, raised, lowered, dropped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...language.books.budgets import BudgetOrder
from ...language.entries.entry import spoken
from ...storage.transactions.budgets import BudgetRecord
from ..api.dispatch import TaskResult
from ..api.task_context import TaskContext
from .books import Books
from .cards.claiming import PROPOSED

BY_MONTH: Final = "预算是按月算的，只这一次就说「不用」，要设成{month}{what}吗？"
NO_BUDGET: Final = "你还没设过预算，要设就说「这个月预算3000」。"
WHICH_BUDGET: Final = "没动，你设了{listed}，连名字一起说，像「餐饮预算加500」「不要餐饮预算了」。"
BUDGET_DROPPED: Final = "好，{what}（{sum}）不设了。要找回就说「撤销」。"
BUDGET_CHANGED: Final = "改好了：{what}{sum}（原来是{before}）。"
BUDGET_TOO_SMALL: Final = "{what}只有{sum}，减不了这么多，没动。不要了就说「不要预算了」。"


@dataclass
class BudgetOrders:
    """Carries out orders about budgets. Raises `StorageError`."""

    books: Books

    async def execute(self, task: str, context: TaskContext, order: BudgetOrder) -> TaskResult:
        """Set a budget, after a question for one that is not monthly; or change the one that is meant."""
        if order.change != "set":
            return await self._change(task, context, order)
        what = f"{order.category or '总'}预算{spoken(order.fen)}"
        month = f"{int(order.month[5:])}月" if order.month else "每月"
        if not order.monthly:
            told = {"category": order.category, "month": order.month, "fen": order.fen}
            return TaskResult(
                task,
                "awaiting_user",
                {PROPOSED: {"budget": told}},
                ("yes",),
                user_response=BY_MONTH.format(month=month, what=what),
            )
        await self.books.storage.transactions.budgets.set_budget(
            context.conversation,
            context.actor.user_id,
            BudgetRecord(order.category, order.month, order.fen),
            f"{month}{what}",
            self.books.wall(),
        )
        context.acted("record", {"budget": order.category, "fen": order.fen, "month": order.month}, {})
        said = f"记下了：{month}{what}。用到80%和100%时我会提醒你。"
        return TaskResult(task, "completed", user_response=said)

    async def _change(self, task: str, context: TaskContext, order: BudgetOrder) -> TaskResult:
        """Raise, lower or drop the one budget that is meant; nothing where none or several are."""
        budgets, user = self.books.storage.transactions.budgets, context.actor.user_id
        kept = await budgets.list_budgets(context.conversation, user, f"{context.now:%Y-%m}")
        found = [each for each in kept if each.category == order.category]
        if not found and not order.category and len(kept) == 1:
            found = kept
        if not found:
            several = [f"{each.category or '总'}预算{spoken(each.fen)}" for each in kept]
            said = WHICH_BUDGET.format(listed="、".join(several)) if several else NO_BUDGET
            return TaskResult(task, "completed", user_response=said)
        before, at = found[0], self.books.wall()
        month = f"{int(before.month[5:])}月" if before.month else "每月"
        what = f"{month}{before.category or '总'}预算"
        if order.change == "drop":
            place = (context.conversation, user, before.category, before.month)
            if not await budgets.remove(*place, f"不要{what}", at):
                return TaskResult(task, "canceled", user_response=NO_BUDGET)
            context.acted("record", {"budget": before.category, "month": before.month}, {"deleted": True})
            said = BUDGET_DROPPED.format(what=what, sum=spoken(before.fen))
            return TaskResult(task, "completed", user_response=said)
        by = order.fen if order.change == "more" else -order.fen
        fen = before.fen + by
        if before.origin == context.origin:  # done before a kill: 预算加500 is no 1000
            said = BUDGET_CHANGED.format(what=what, sum=spoken(before.fen), before=spoken(before.fen - by))
            return TaskResult(task, "completed", user_response=said)
        if fen <= 0:
            said = BUDGET_TOO_SMALL.format(what=what, sum=spoken(before.fen))
            return TaskResult(task, "canceled", user_response=said)
        record = BudgetRecord(before.category, before.month, fen, context.origin)
        await budgets.set_budget(context.conversation, user, record, f"{what}{spoken(fen)}", at)
        context.acted("record", {"budget": before.category, "fen": fen, "month": before.month}, {})
        said = BUDGET_CHANGED.format(what=what, sum=spoken(fen), before=spoken(before.fen))
        return TaskResult(task, "completed", user_response=said)
