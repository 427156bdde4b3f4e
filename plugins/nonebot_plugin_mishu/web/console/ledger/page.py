"""账本: a month by category and by day, its rows, who owes whom, budgets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from ....services.access.actor import Actor
from ....services.books import totals
from ....services.books.totals import BookTotals
from ....storage.records import Conversation
from ....storage.transactions.queries import CategorySum
from ..elements.panel import Panel
from ..elements.parts import box, button, empty, facts, heading, tabs, text
from ..elements.sentence import SentenceBox
from ..elements.wording import yuan
from ..shell.visit import Visit
from .charts import chart, over_axes, pie
from .debts import draw_debts
from .rows import add_record, draw_rows
from .state import TYPES, Again, LedgerState


async def draw_ledger_page(visit: Visit) -> None:
    # Who governs a group comes for the group's books; whoever else looks, for their own.
    own_only = visit.me is not None and visit.actor.role != "admin"
    state = LedgerState(visit.office.now().date().replace(day=1), own_only)
    await SentenceBox(visit, "说一句：午饭35，打车20").show()
    kinds = ("transaction",)
    panels = [Panel(visit, lambda panel, a, p: _draw_month(panel, a, p, state, again), kinds)]
    with box("mi-two"):
        panels.append(Panel(visit, lambda panel, a, p: draw_rows(panel, a, p, state, again), kinds))
        panels.append(Panel(visit, lambda panel, a, p: draw_debts(panel, a, p, state), kinds))

    async def again() -> None:
        for each in panels:
            await each.show()

    await again()


async def _draw_month(
    panel: Panel, actor: Actor, place: Conversation, state: LedgerState, again: Again
) -> None:
    visit, office = panel.visit, panel.visit.office
    first, last = state.days
    whose = visit.me if state.own_only else None
    found = await totals.sum_span(office, actor, place, first, last, whose, own_only=state.own_only)
    shared = await totals.sum_span(office, actor, place, first, last, None) if state.own_only else found

    async def show(**changed: Any) -> None:
        for name, value in {"category": "", "after": None, **changed}.items():
            setattr(state, name, value)
        await again()

    with box("mi-row mi-between"):
        with box("mi-row tight"):
            before = (state.month - timedelta(days=1)).replace(day=1)
            behind = (state.month + timedelta(days=31)).replace(day=1)
            button("", lambda: show(month=before), title="上个月", sign="chevron_left")
            heading(f"{state.month.year}年{state.month.month}月")
            button("", lambda: show(month=behind), title="下个月", sign="chevron_right")
        with box("mi-row tight"):
            books = {False: "群账"} if visit.me is None else {True: "我的", False: "群账"}
            tabs(books, state.own_only, lambda own_only: show(own_only=own_only))
            button("记一笔", lambda: add_record(visit, state), mark="add", title="记一笔账")
    group = _sum(shared, "EXPENSE")
    if not found.sums:
        with box("mi-card"):
            empty("这个月没有账。", "午饭35，打车20")
            if group and state.own_only:
                text(f"群账这个月一共支出 {yuan(group)} 元，不算在这里。", "mi-soft")
        return
    whose_books = "我的" if state.own_only else "群账"
    sums = {f"{whose_books}{name}": _sum(found, kind) for kind, name in TYPES.items()}
    if state.own_only:
        sums["群账支出（不算在我的里面）"] = group
    with box("mi-card"):
        facts({name: f"{yuan(fen)} 元" for name, fen in sums.items() if fen}, "mi-sums")
        with box("mi-two"):
            parts = "、".join(f"{each.category} {yuan(each.fen)} 元" for each in _list_spent(found))
            chart(_make_pie(found), f"按分类：{parts}")
            spent = yuan(_sum(found, "EXPENSE"))
            chart(_make_bars(found, state, spent), f"逐天的支出，这个月一共 {spent} 元")
        with box("mi-row"):
            for name in dict.fromkeys(each.category for each in found.sums):
                on = name == state.category
                category = "" if on else name
                act = partial(show, category=category)
                button(name, act, "mi-on" if on else "")


def _sum(found: BookTotals, kind: str) -> int:
    return sum(each.fen for each in found.sums if each.type == kind)


def _list_spent(found: BookTotals) -> Sequence[CategorySum]:
    """Expenses by category; where nothing was spent, what there is."""
    return [each for each in found.sums if each.type == "EXPENSE"] or list(found.sums)


def _make_pie(found: BookTotals) -> dict[str, Any]:
    spent = _list_spent(found)
    data = [
        {
            "name": each.category,
            "value": each.fen / 100,
            "label": {"formatter": f"{{b}}\n{yuan(each.fen)}"},  # 249.50, not 249.5
        }
        for each in spent
    ]
    return pie(data, total=yuan(sum(each.fen for each in spent)))


def _make_bars(found: BookTotals, state: LedgerState, total: str) -> dict[str, Any]:
    spent = {day: fen / 100 for day, kind, fen in found.days if kind == "EXPENSE"}
    _, last = state.days
    days = [f"{state.month:%Y-%m}-{number:02d}" for number in range(1, int(last[8:]) + 1)]
    bars = {"type": "bar", "name": "支出", "data": [spent.get(each, 0) for each in days]}
    across = {"type": "category", "data": [str(int(each[8:])) for each in days]}
    return over_axes(across, {"type": "value", "splitNumber": 3}, [bars], total=f"逐天支出 {total} 元")
