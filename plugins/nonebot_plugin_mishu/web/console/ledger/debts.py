"""Debts among members, budgets of a person and their use."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from nicegui import ui

from ....services.access.actor import Actor, Write
from ....services.books import books, totals
from ....services.books.books import MonthBudgets, Transfer
from ....services.refusals import invalid
from ....storage.records import Conversation
from ..elements.panel import Panel, new_origin
from ..elements.parts import box, button, card, empty, field, form, text
from ..elements.undo_bar import perform_undoable
from ..elements.wording import yuan
from ..shell.visit import Visit
from .state import LedgerState, parse_amount

NEAR = 0.8
"""The part of a budget from which on it is nearly spent."""
_MOST_CATEGORIES = 30


async def draw_debts(panel: Panel, actor: Actor, place: Conversation, state: LedgerState) -> None:
    """Draw the debts, and the visitor's budgets of the month."""
    visit, office = panel.visit, panel.visit.office
    debts = await books.list_debts(office, place)
    month = f"{state.month:%Y-%m}"
    budgets: MonthBudgets | None = None
    spent: Mapping[str, int] = {}
    if visit.me is not None:
        budgets = await books.get_budgets(office, actor, place, month, user_id=visit.me)
        spent = await totals.sum_expenses(office, actor, place, month, visit.me)
    people = {each for debt in debts for each in (debt.debtor, debt.creditor)}
    names = await office.names_of(place, people)
    with card("谁欠谁"):
        if not debts:
            empty("都平了。", "聚餐300 我和小雅、阿凯 AA")
        with box("mi-list"):
            for debt in debts:
                debtor, creditor = names[debt.debtor], names[debt.creditor]
                with box("mi-item"):
                    text(f"{debtor} 欠 {creditor}", "mi-what")
                    text(yuan(debt.fen), "mi-sum")
                    if visit.governs or visit.me in (debt.debtor, debt.creditor):
                        button(
                            "还钱",
                            lambda debt=debt: _settle_debt(visit, debt, names),
                            title=f"还钱：{debtor}给{creditor}",
                        )
    if budgets is None:
        return
    with card("我的预算", lambda: button("改", lambda: _edit_budgets(visit, budgets, spent), title="改预算")):
        if budgets.total is None and not budgets.categories:
            empty("这个月没有设预算。", "这个月预算2000")
        if budgets.total is not None:
            _draw_progress("总共", spent.get("", 0), budgets.total)
        for name, fen in budgets.categories.items():
            _draw_progress(name, spent.get(name, 0), fen)


async def _settle_debt(visit: Visit, debt: Transfer, names: Mapping[str, str]) -> None:
    giver, getter, origin = names[debt.debtor], names[debt.creditor], new_origin()
    inputs: list[ui.input] = []

    def draw_fields() -> None:
        text(f"{giver}还给{getter}，账上欠 {yuan(debt.fen)} 元。", "mi-soft")
        inputs.append(field("还了多少（元）", _plain(debt.fen), mark="paid", longest=14))

    async def pay_back(write: Write, place: Conversation) -> None:
        paid = parse_amount(str(inputs[0].value or "").strip())
        await books.pay_back(visit.office, write, place, debt.debtor, debt.creditor, paid)

    said = f"记下了：{giver}还给{getter}"
    await form("还钱", draw_fields, lambda: perform_undoable(visit, pay_back, said, origin=origin))


async def _edit_budgets(visit: Visit, budgets: MonthBudgets, spent: Mapping[str, int]) -> None:
    inputs: dict[str, ui.input] = {}
    kept = {name: _plain(fen) for name, fen in budgets.categories.items()}
    offered = list(dict.fromkeys([*kept, *(name for name in spent if name)]))[:_MOST_CATEGORIES]

    def draw_fields() -> None:
        whole = "" if budgets.total is None else _plain(budgets.total)
        label = f"{int(budgets.month[5:])}月一共（元），空着是不设"
        inputs[""] = field(label, whole, mark="total", longest=14)
        for name in offered:
            inputs[name] = field(f"{name}（元）", kept.get(name, ""), mark=f"budget-{name}", longest=14)
        inputs["name"] = field("再加一个分类", "", mark="budget-name", longest=20)
        inputs["limit"] = field("这个分类多少（元）", "", mark="budget-limit", longest=14)

    async def set_budgets(write: Write, place: Conversation) -> None:
        said = {name: str(each.value or "").strip() for name, each in inputs.items()}
        added, limit = said.pop("name"), said.pop("limit")
        if added and not limit:
            raise invalid("budget-limit", "不能缺少")
        if limit and not added:
            raise invalid("budget-name", "不能缺少")
        if added:
            said[added] = limit
        before = {"": budgets.total, **budgets.categories}
        amounts: dict[str, Decimal | None] = {}
        for name, words in said.items():
            wanted = parse_amount(words) if words else None
            had = before.get(name)
            if wanted != (None if had is None else Decimal(had) / 100):
                amounts[name] = wanted
        if amounts:
            await books.set_budgets(visit.office, write, place, budgets.month, amounts)

    await form("预算", draw_fields, lambda: perform_undoable(visit, set_budgets, "预算改好了"))


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
