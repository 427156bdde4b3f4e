"""账本: a month by category and by day, its rows, who owes whom, budgets."""

from __future__ import annotations

import csv
import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, Final
from uuid import uuid4

from nicegui import ui

from ...operations import books, totals
from ...operations.actor import Actor
from ...operations.books import Budgets, Wanted
from ...operations.pages import Key
from ...operations.refusals import Refused, invalid
from ...operations.totals import Totals
from ...storage.records import Conversation
from ...storage.transactions import TransactionRecord
from .panel import Draw, Panel, doing
from .parts import box, button, empty, field, form, heading, text
from .sentence import Sentence
from .visit import Visit
from .wording import yuan

MOST: Final = 50
MOST_EXPORTED: Final = 5000
TYPES: Final = {"EXPENSE": "支出", "INCOME": "收入", "TRANSFER": "转账"}
Again = Callable[[], Awaitable[None]]


@dataclass
class State:
    """What is shown. `category` empty: all."""

    month: date
    mine: bool
    category: str = ""
    after: Key | None = None


async def page(visit: Visit) -> None:
    """Draw it."""
    state = State(visit.office.now().date().replace(day=1), visit.me is not None)
    Sentence(visit, "说一句：午饭35，打车20")
    kinds = ("transaction",)
    month = Panel(visit, lambda a, p: _month(visit, a, p, state, again), kinds)
    with box("mi-two"):
        rows = Panel(visit, lambda a, p: _rows(visit, a, p, state, again), kinds)
        owing = Panel(visit, lambda a, p: _owing(visit, a, p, state), kinds)

    async def again() -> None:
        for each in (month, rows, owing):
            await each.show()

    await again()


def _days(state: State) -> tuple[str, str]:
    last = (state.month + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return state.month.isoformat(), last.isoformat()


async def _month(visit: Visit, actor: Actor, place: Conversation, state: State, again: Again) -> Draw:
    first, last = _days(state)
    whose = visit.me if state.mine else None
    found = await totals.of_span(visit.office, actor, place, first, last, whose)

    async def show(**changed: Any) -> None:
        for name, value in {"category": "", "after": None, **changed}.items():
            setattr(state, name, value)
        await again()

    def draw() -> None:
        with box("mi-row mi-between"):
            with box("mi-row tight"):
                before = (state.month - timedelta(days=1)).replace(day=1)
                behind = (state.month + timedelta(days=31)).replace(day=1)
                button("‹", lambda: show(month=before), title="上个月")
                heading(f"{state.month.year}年{state.month.month}月")
                button("›", lambda: show(month=behind), title="下个月")
            with box("mi-row tight"):
                if visit.me is not None:
                    button("我的", lambda: show(mine=True), "mi-on" if state.mine else "")
                button("群账", lambda: show(mine=False), "" if state.mine else "mi-on")
        if not found.sums:
            with box("mi-card"):
                empty("这个月没有账。", "午饭35，打车20")
            return
        with box("mi-card"):
            with box("mi-facts"):
                for kind, name in TYPES.items():
                    fen = sum(each.fen for each in found.sums if each.type == kind)
                    if fen:
                        text(name)
                        text(f"{yuan(fen)} 元")
            with box("mi-two"):
                ui.echart(_by_category(found)).classes("mi-chart")
                ui.echart(_by_day(found, state)).classes("mi-chart")
            with box("mi-row"):
                for name in dict.fromkeys(each.category for each in found.sums):
                    on = name == state.category
                    button(
                        name,
                        lambda name=name, on=on: show(category="" if on else name),
                        "mi-on" if on else "",
                    )

    return draw


def _by_category(found: Totals) -> dict[str, Any]:
    spent = [each for each in found.sums if each.type == "EXPENSE"] or list(found.sums)
    data = [{"name": each.category, "value": each.fen / 100} for each in spent]
    return {
        "tooltip": {"trigger": "item"},
        "series": [
            {
                "type": "pie",
                "radius": ["42%", "72%"],
                "data": data,
                "label": {"color": "inherit"},
                "minAngle": 4,
            }
        ],
    }


def _by_day(found: Totals, state: State) -> dict[str, Any]:
    spent = {day: fen / 100 for day, kind, fen in found.days if kind == "EXPENSE"}
    _, last = _days(state)
    days = [f"{state.month:%Y-%m}-{number:02d}" for number in range(1, int(last[8:]) + 1)]
    return {
        "grid": {"left": 8, "right": 8, "top": 16, "bottom": 8, "containLabel": True},
        "tooltip": {"trigger": "axis"},
        "xAxis": {"type": "category", "data": [str(int(each[8:])) for each in days]},
        "yAxis": {"type": "value", "splitNumber": 3},
        "series": [
            {
                "type": "bar",
                "name": "支出",
                "data": [spent.get(each, 0) for each in days],
                "itemStyle": {"color": "#4f7fdc"},
            }
        ],
    }


def _wanted(visit: Visit, state: State) -> Wanted:
    first, last = _days(state)
    return Wanted(first, last, state.category or None, None, visit.me if state.mine else None)


async def _rows(visit: Visit, actor: Actor, place: Conversation, state: State, again: Again) -> Draw:
    wanted = _wanted(visit, state)
    page = await books.listed(visit.office, actor, place, wanted, limit=MOST, after=state.after)

    async def turn(after: Key | None) -> None:
        state.after = after
        await again()

    async def export() -> None:
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(["日期", "类型", "金额", "分类", "说明", "谁记的", "群账"])

        async def work(actor: Actor, place: Conversation, _: bool) -> None:
            after: Key | None = None
            for _page in range(MOST_EXPORTED // 200):
                part = await books.listed(visit.office, actor, place, wanted, limit=200, after=after)
                writer.writerows(_exported(each) for each in part.rows)
                if part.cursor is None:
                    return
                after = books.record_key(part.rows[-1])

        if await doing(visit, work):
            name = f"mishu-{state.month:%Y-%m}.csv"
            ui.download.content("\ufeff" + out.getvalue(), name, "text/csv")

    def draw() -> None:
        with box("mi-card"):
            with box("mi-row mi-between"):
                heading("明细" + (f" · {state.category}" if state.category else ""))
                if page.rows:
                    button("CSV", export, title="下载成表格")
            with box("mi-list"):
                for each in page.rows:
                    _row(visit, each)
            if not page.rows:
                empty("这里没有。", "午饭35")
            with box("mi-row mi-end"):
                if state.after is not None:
                    button("回到开头", lambda: turn(None))
                if page.cursor is not None:
                    button("后面的", lambda: turn(books.record_key(page.rows[-1])))

    return draw


def _exported(each: TransactionRecord) -> list[str]:
    fields = each.fields
    shared = "是" if fields.shared else ""
    cells = [fields.day, TYPES[fields.type], yuan(fields.fen).replace(",", ""), fields.category]
    return [_plain(cell) for cell in (*cells, fields.description, each.user_name, shared)]


def _plain(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def _row(visit: Visit, each: TransactionRecord) -> None:
    fields = each.fields
    with box("mi-item"):
        text(f"{int(fields.day[5:7])}月{int(fields.day[8:])}日", "mi-when")
        with box("mi-what"):
            text(fields.description or fields.category)
            more = [fields.category, each.user_name, "群账" if fields.shared else ""]
            if fields.shares:
                more.append(f"{len(fields.shares)} 人分摊")
            text(" · ".join(part for part in more if part), "mi-soft")
        sign = "+" if fields.type == "INCOME" else ""
        text(f"{sign}{yuan(fields.fen)}", f"mi-sum {'in' if sign else ''}")
        if each.user_id == visit.me:
            button("改", lambda: _edit(visit, each), title=f"改：{fields.description or fields.category}")


async def _edit(visit: Visit, each: TransactionRecord) -> None:
    kept = each.fields
    inputs: dict[str, Any] = {}
    gone: list[bool] = []

    def draw() -> None:
        inputs["amount"] = field("金额（元）", yuan(kept.fen).replace(",", ""), mark="amount", longest=14)
        inputs["type"] = (
            ui.select(TYPES, value=kept.type, label="类型").props("outlined dense").classes("mi-field")
        )
        inputs["category"] = field("分类", kept.category, longest=20)
        inputs["description"] = field("说明", kept.description, longest=60)
        inputs["date"] = field("日期", kept.day, kind="date")
        drop = ui.checkbox("删掉这一笔", on_change=lambda event: gone.append(bool(event.value)))
        drop.classes("mi-danger")

    if not await form("改账", draw):
        return

    async def work(actor: Actor, place: Conversation, yes: bool) -> None:
        if gone and gone[-1]:
            await books.remove(visit.office, actor, place, each.id, user_id=visit.me, confirm=yes)
            return
        said = {name: str(one.value or "").strip() for name, one in inputs.items()}
        fields: dict[str, Any] = {
            "amount": _amount(said["amount"]),
            "type": said["type"],
            "category": said["category"],
            "description": said["description"],
            "date": _day(said["date"]),
        }
        await books.change(visit.office, actor, place, each.id, fields, user_id=visit.me)

    await doing(visit, work, "改好了")


def _amount(said: str) -> Decimal:
    try:
        return Decimal(said)
    except InvalidOperation:
        raise invalid("金额", "应是数，如 35 或 35.50") from None


def _day(said: str) -> date:
    try:
        return date.fromisoformat(said)
    except ValueError:
        raise invalid("日期", "不对") from None


async def _owing(visit: Visit, actor: Actor, place: Conversation, state: State) -> Draw:
    debts = await books.owes(visit.office, place)
    month = f"{state.month:%Y-%m}"
    budgets: Budgets | None = None
    if visit.me is not None:
        budgets = await books.budgets(visit.office, actor, place, month, user_id=visit.me)
    people = {each for debt in debts for each in (debt.debtor, debt.creditor)} if debts else set[str]()
    names = {each: await visit.office.name_of(place, each) for each in people}

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

        if await form("预算", draw):

            async def work(actor: Actor, place: Conversation, _: bool) -> None:
                said = str(inputs["total"].value or "").strip()
                amounts = {"": _amount(said) if said else None}
                await books.set_budgets(visit.office, actor, place, month, amounts, user_id=visit.me)

            await doing(visit, work, "改好了")

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
