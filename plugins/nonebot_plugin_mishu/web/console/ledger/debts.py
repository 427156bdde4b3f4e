"""Debts among members, budgets of a person and their use."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from uuid import uuid4

from nicegui import ui

from ....services.access.actor import Actor
from ....services.books import books, totals
from ....services.books.books import MonthBudgets
from ....services.refusals import invalid
from ....storage.records import Conversation
from ..elements.panel import Draw
from ..elements.parts import box, button, empty, field, form, heading, text
from ..elements.undo_bar import perform_undoable
from ..elements.wording import yuan
from ..shell.visit import Visit
from .state import LedgerState, parse_amount

NEAR = 0.8
"""The part of a budget from which on it is nearly spent."""
_MOST_CATEGORIES = 30


async def load_debts(visit: Visit, actor: Actor, place: Conversation, state: LedgerState) -> Draw:
    debts = await books.list_debts(visit.office, place)
    month = f"{state.month:%Y-%m}"
    budgets: MonthBudgets | None = None
    spent: Mapping[str, int] = {}
    if visit.me is not None:
        budgets = await books.get_budgets(visit.office, actor, place, month, user_id=visit.me)
        spent = await totals.sum_expenses(visit.office, actor, place, month, visit.me)
    people = {each for debt in debts for each in (debt.debtor, debt.creditor)} if debts else set[str]()
    names = await visit.office.names_of(place, people)

    async def settle_debt(giver: str, getter: str, fen: int) -> None:
        origin = f"web:{uuid4().hex}"
        inputs: dict[str, ui.input] = {}

        def draw_fields() -> None:
            text(f"{names[giver]}还给{names[getter]}，账上欠 {yuan(fen)} 元。", "mi-soft")
            whole = yuan(fen).replace(",", "")
            inputs["amount"] = field("还了多少（元）", whole, mark="paid", longest=14)

        async def pay_back(actor: Actor, place: Conversation, yes: bool) -> None:
            paid = parse_amount(str(inputs["amount"].value or "").strip())
            await books.pay_back(
                visit.office,
                actor,
                place,
                giver,
                getter,
                paid,
                origin=origin,
                user_id=visit.me,
                confirm=yes,
            )

        said = f"记下了：{names[giver]}还给{names[getter]}"
        await form("还钱", draw_fields, lambda: perform_undoable(visit, pay_back, said))

    async def edit_budgets() -> None:
        inputs: dict[str, ui.input] = {}
        kept = {} if budgets is None else dict(budgets.categories)
        offered = list(dict.fromkeys([*kept, *(name for name in spent if name)]))[:_MOST_CATEGORIES]

        def draw_fields() -> None:
            whole = "" if budgets is None or budgets.total is None else _plain(budgets.total)
            inputs[""] = field(f"{int(month[5:])}月一共（元），空着是不设", whole, mark="total", longest=14)
            for name in offered:
                limit = _plain(kept[name]) if name in kept else ""
                inputs[name] = field(f"{name}（元）", limit, mark=f"budget-{name}", longest=14)
            inputs["name"] = field("再加一个分类", "", mark="budget-name", longest=20)
            inputs["limit"] = field("这个分类多少（元）", "", mark="budget-limit", longest=14)

        async def set_budgets(actor: Actor, place: Conversation, _: bool) -> None:
            said = {name: str(each.value or "").strip() for name, each in inputs.items()}
            added, limit = said.pop("name"), said.pop("limit")
            if added and not limit:
                raise invalid("budget-limit", "不能缺少")
            if limit and not added:
                raise invalid("budget-name", "不能缺少")
            if added:
                said[added] = limit
            before = {"": None if budgets is None else budgets.total, **kept}
            amounts: dict[str, Decimal | None] = {}
            for name, words in said.items():
                wanted = parse_amount(words) if words else None
                had = before.get(name)
                if wanted != (None if had is None else Decimal(had) / 100):
                    amounts[name] = wanted
            if amounts:
                await books.set_budgets(visit.office, actor, place, month, amounts, user_id=visit.me)

        await form("预算", draw_fields, lambda: perform_undoable(visit, set_budgets, "预算改好了"))

    def draw_debts() -> None:
        with box("mi-card"):
            heading("谁欠谁")
            if not debts:
                empty("都平了。", "聚餐300 我和小雅、阿凯 AA")
            with box("mi-list"):
                for each in debts:
                    with box("mi-item"):
                        text(f"{names[each.debtor]} 欠 {names[each.creditor]}", "mi-what")
                        text(yuan(each.fen), "mi-sum")
                        if visit.governs or visit.me in (each.debtor, each.creditor):
                            title = f"还钱：{names[each.debtor]}给{names[each.creditor]}"
                            button(
                                "还钱",
                                lambda each=each: settle_debt(each.debtor, each.creditor, each.fen),
                                title=title,
                            )
        if budgets is not None:
            with box("mi-card"):
                with box("mi-row mi-between"):
                    heading("我的预算")
                    button("改", edit_budgets, title="改预算")
                if budgets.total is None and not budgets.categories:
                    empty("这个月没有设预算。", "这个月预算2000")
                if budgets.total is not None:
                    _draw_progress("总共", spent.get("", 0), budgets.total)
                for name, fen in budgets.categories.items():
                    _draw_progress(name, spent.get(name, 0), fen)

    return draw_debts


def _plain(fen: int) -> str:
    return yuan(fen).replace(",", "")


def _draw_progress(name: str, spent: int, limit: int) -> None:
    """Draw a budget as a bar: spent, and left or exceeded."""
    part = spent / limit if limit else 1.0
    level = "over" if part > 1 else "near" if part >= NEAR else ""
    left = f"还剩 {yuan(limit - spent)}" if spent <= limit else f"超了 {yuan(spent - limit)}"
    with box("mi-budget"):
        with box("mi-line"):
            text(f"{name} {yuan(spent)} / {yuan(limit)} 元")
            text(left, "mi-trouble-text" if spent > limit else "mi-soft")
        bar = box(f"mi-progress {level}")
        bar.props["role"] = "progressbar"
        bar.props["aria-label"] = f"{name}预算"
        bar.props["aria-valuenow"] = str(round(part * 100))
        bar.props["aria-valuemin"], bar.props["aria-valuemax"] = "0", "100"
        with bar:
            box(tag="span").style(f"width: {min(100, round(part * 100))}%")
