"""账本: a month by category and by day, its rows, who owes whom, budgets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from ....services.access.actor import Actor
from ....services.books import totals
from ....services.books.totals import BookTotals
from ....storage.records import Conversation
from ....storage.transactions.queries import CategorySum
from ..elements.panel import Draw, Panel
from ..elements.parts import box, button, empty, heading, text
from ..elements.sentence import SentenceBox
from ..elements.wording import yuan
from ..shell.visit import Visit
from . import debts as owing
from . import rows as ledger_rows
from .charts import chart, over_axes, pie
from .state import TYPES, Again, LedgerState


async def draw_ledger_page(visit: Visit) -> None:
    """Draw the page 账本."""
    # Who governs a group comes for the group's books; whoever else looks, for their own.
    mine = visit.me is not None and visit.actor.role != "admin"
    state = LedgerState(visit.office.now().date().replace(day=1), mine)
    await SentenceBox(visit, "说一句：午饭35，打车20").show()
    kinds = ("transaction",)
    month = Panel(visit, lambda a, p: _load_month(visit, a, p, state, again), kinds)
    with box("mi-two"):
        rows = Panel(visit, lambda a, p: ledger_rows.load_rows(visit, a, p, state, again), kinds)
        debts = Panel(visit, lambda a, p: owing.load_debts(visit, a, p, state), kinds)

    async def again() -> None:
        for each in (month, rows, debts):
            await each.show()

    await again()


async def _load_month(
    visit: Visit, actor: Actor, place: Conversation, state: LedgerState, again: Again
) -> Draw:
    first, last = state.days
    whose = visit.me if state.mine else None
    found = await totals.sum_span(visit.office, actor, place, first, last, whose, own_only=state.mine)
    shared = await totals.sum_span(visit.office, actor, place, first, last, None) if state.mine else found

    async def show(**changed: Any) -> None:
        for name, value in {"category": "", "after": None, **changed}.items():
            setattr(state, name, value)
        await again()

    def draw_month() -> None:
        with box("mi-row mi-between"):
            with box("mi-row tight"):
                before = (state.month - timedelta(days=1)).replace(day=1)
                behind = (state.month + timedelta(days=31)).replace(day=1)
                button("", lambda: show(month=before), title="上个月", sign="chevron_left")
                heading(f"{state.month.year}年{state.month.month}月")
                button("", lambda: show(month=behind), title="下个月", sign="chevron_right")
            with box("mi-row tight"):
                if visit.me is not None:
                    button("我的", lambda: show(mine=True), "mi-on" if state.mine else "")
                button("群账", lambda: show(mine=False), "" if state.mine else "mi-on")
                button("记一笔", lambda: ledger_rows.add_record(visit, state), mark="add", title="记一笔账")
        group = sum(each.fen for each in shared.sums if each.type == "EXPENSE")
        if not found.sums:
            with box("mi-card"):
                empty("这个月没有账。", "午饭35，打车20")
                if group and state.mine:
                    text(f"群账这个月一共支出 {yuan(group)} 元，不算在这里。", "mi-soft")
            return
        with box("mi-card"):
            with box("mi-facts mi-sums"):
                for kind, name in TYPES.items():
                    fen = sum(each.fen for each in found.sums if each.type == kind)
                    if fen:
                        text(f"我的{name}" if state.mine else f"群账{name}")
                        text(f"{yuan(fen)} 元")
                if state.mine and group:
                    text("群账支出（不算在我的里面）")
                    text(f"{yuan(group)} 元")
            with box("mi-two"):
                parts = "、".join(f"{each.category} {yuan(each.fen)} 元" for each in _spent(found))
                chart(_draw_categories(found), f"按分类：{parts}")
                chart(_draw_days(found, state), f"逐天的支出，这个月一共 {_total(found, 'EXPENSE')} 元")
            with box("mi-row"):
                for name in dict.fromkeys(each.category for each in found.sums):
                    on = name == state.category
                    button(
                        name,
                        lambda name=name, on=on: show(category="" if on else name),
                        "mi-on" if on else "",
                    )

    return draw_month


def _total(found: BookTotals, kind: str) -> str:
    return yuan(sum(each.fen for each in found.sums if each.type == kind))


def _spent(found: BookTotals) -> Sequence[CategorySum]:
    """Expenses by category; where nothing was spent, what there is."""
    return [each for each in found.sums if each.type == "EXPENSE"] or list(found.sums)


def _draw_categories(found: BookTotals) -> dict[str, Any]:
    spent = _spent(found)
    data = [
        {
            "name": each.category,
            "value": each.fen / 100,
            "label": {"formatter": f"{{b}}\n{yuan(each.fen)}"},  # 249.50, not 249.5
        }
        for each in spent
    ]
    return pie(data, total=yuan(sum(each.fen for each in spent)))


def _draw_days(found: BookTotals, state: LedgerState) -> dict[str, Any]:
    spent = {day: fen / 100 for day, kind, fen in found.days if kind == "EXPENSE"}
    _, last = state.days
    days = [f"{state.month:%Y-%m}-{number:02d}" for number in range(1, int(last[8:]) + 1)]
    bars = {"type": "bar", "name": "支出", "data": [spent.get(each, 0) for each in days]}
    across = {"type": "category", "data": [str(int(each[8:])) for each in days]}
    total = f"逐天支出 {_total(found, 'EXPENSE')} 元"
    return over_axes(across, {"type": "value", "splitNumber": 3}, [bars], total=total)
