"""The rows of the account book, the newest first: corrected, taken away, taken along as CSV."""

from __future__ import annotations

import csv
import io
from typing import Any, Final

from nicegui import ui

from ...operations import books
from ...operations.actor import Actor
from ...operations.books import RecordFilter
from ...operations.pages import Key
from ...storage.records import Conversation
from ...storage.transactions import TransactionRecord
from .ledger_state import TYPES, Again, LedgerState, amount, day
from .panel import Draw, doing
from .parts import box, button, empty, field, form, heading, text
from .visit import Visit
from .wording import yuan

MOST: Final = 50
MOST_EXPORTED: Final = 5000


def _wanted(visit: Visit, state: LedgerState) -> RecordFilter:
    first, last = state.days
    return RecordFilter(
        first, last, state.category or None, None, visit.me if state.mine else None, newest=True
    )


async def rows(visit: Visit, actor: Actor, place: Conversation, state: LedgerState, again: Again) -> Draw:
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
            if fields.shares and fields.type == "EXPENSE":
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

    async def work(actor: Actor, place: Conversation, yes: bool) -> None:
        if gone and gone[-1]:
            await books.remove(visit.office, actor, place, each.id, user_id=visit.me, confirm=yes)
            return
        said = {name: str(one.value or "").strip() for name, one in inputs.items()}
        fields: dict[str, Any] = {
            "amount": amount(said["amount"]),
            "type": said["type"],
            "category": said["category"],
            "description": said["description"],
            "date": day(said["date"]),
        }
        await books.change(visit.office, actor, place, each.id, fields, user_id=visit.me)

    await form("改账", draw, lambda: doing(visit, work, "改好了"))
