"""Who owes whom, and what one means to spend."""

from __future__ import annotations

from decimal import Decimal
from uuid import uuid4

from nicegui import ui

from ...operations import books
from ...operations.actor import Actor
from ...operations.books import MonthBudgets
from ...operations.refusals import Refused
from ...storage.records import Conversation
from .ledger_state import LedgerState, amount
from .panel import Draw, doing
from .parts import box, button, empty, field, form, heading, text
from .visit import Visit
from .wording import yuan


async def owing(visit: Visit, actor: Actor, place: Conversation, state: LedgerState) -> Draw:
    debts = await books.owes(visit.office, place)
    month = f"{state.month:%Y-%m}"
    budgets: MonthBudgets | None = None
    if visit.me is not None:
        budgets = await books.budgets(visit.office, actor, place, month, user_id=visit.me)
    people = {each for debt in debts for each in (debt.debtor, debt.creditor)} if debts else set[str]()
    names = await visit.office.names_of(place, people)

    async def settle(giver: str, getter: str, fen: int) -> None:
        origin = f"web:{uuid4().hex}"

        async def work(actor: Actor, place: Conversation, yes: bool) -> None:
            if not yes:
                raise Refused(409, "", f"{names[giver]}还给{names[getter]} {yuan(fen)} 元，记下吗？")
            await books.pay_back(
                visit.office,
                actor,
                place,
                giver,
                getter,
                Decimal(fen) / 100,
                origin=origin,
                user_id=visit.me,
                confirm=True,
            )

        await doing(visit, work, "记下了")

    async def budget() -> None:
        inputs: dict[str, ui.input] = {}

        def draw() -> None:
            kept = "" if budgets is None or budgets.total is None else yuan(budgets.total).replace(",", "")
            inputs["total"] = field(f"{int(month[5:])}月总预算（元），空着是不设", kept, longest=14)

        async def work(actor: Actor, place: Conversation, _: bool) -> None:
            said = str(inputs["total"].value or "").strip()
            amounts = {"": amount(said) if said else None}
            await books.set_budgets(visit.office, actor, place, month, amounts, user_id=visit.me)

        await form("预算", draw, lambda: doing(visit, work, "改好了"))

    def draw() -> None:
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
                            button("还清", lambda each=each: settle(each.debtor, each.creditor, each.fen))
        if budgets is not None:
            with box("mi-card"):
                with box("mi-row mi-between"):
                    heading("我的预算")
                    button("改", budget, title="改预算")
                with box("mi-facts"):
                    text("总共")
                    text("没有设" if budgets.total is None else f"{yuan(budgets.total)} 元")
                    for name, fen in budgets.categories.items():
                        _ = text(name), text(f"{yuan(fen)} 元")

    return draw
