"""Rows of the account book, the newest first: corrected, deleted, exported as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as field_
from typing import Any, Final

from nicegui import ui

from ....services.access.actor import Actor, Write
from ....services.books import books
from ....services.books.books import BUILT_IN, FOREIGN_HEAD, OTHER, RecordFilter, foreign_cells
from ....services.paging import Key
from ....storage.records import Conversation
from ....storage.transactions.queries import TransactionChanges, TransactionRecord
from ..elements.panel import Panel, new_origin, perform
from ..elements.parts import box, button, empty, field, form, heading, select, text
from ..elements.person import ask_person
from ..elements.undo_bar import perform_undoable
from ..elements.wording import yuan
from ..shell.visit import Visit, list_names
from .state import TYPES, Again, LedgerState, parse_amount, parse_day

MOST: Final = 50
MOST_EXPORTED: Final = 5000


async def draw_rows(
    panel: Panel, actor: Actor, place: Conversation, state: LedgerState, again: Again
) -> None:
    """Draw a page of the month's records."""
    visit = panel.visit
    first, last = state.days
    wanted = RecordFilter(
        first,
        last,
        state.category or None,
        None,
        visit.me if state.own_only else None,
        newest=True,
        scope="personal" if state.own_only else "shared",
    )
    page = await books.list_records(visit.office, actor, place, wanted, limit=MOST, after=state.after)

    async def turn_page(after: Key | None) -> None:
        state.after = after
        await again()

    with box("mi-card"):
        with box("mi-row mi-between"):
            heading("明细" + (f" · {state.category}" if state.category else ""))
            if page.rows:
                button("CSV", lambda: _export_records(visit, state, wanted), title="下载成表格")
        with box("mi-list"):
            for each in page.rows:
                _draw_row(visit, each)
        if not page.rows:
            empty("这里没有。", "午饭35")
        with box("mi-row mi-end"):
            if state.after is not None:
                button("回到开头", lambda: turn_page(None))
            if page.cursor is not None:
                button("后面的", lambda: turn_page(books.record_key(page.rows[-1])))


async def _export_records(visit: Visit, state: LedgerState, wanted: RecordFilter) -> None:
    out = io.StringIO()
    writer = csv.writer(out)
    head = ("日期", "类型", "金额", "分类", "说明", "谁记的", "群账", "谁付的", "怎么分")
    writer.writerow([*head, *FOREIGN_HEAD])

    async def write_all_records(write: Write, place: Conversation) -> None:
        after: Key | None = None
        for _page in range(MOST_EXPORTED // 200):
            part = await books.list_records(visit.office, write.actor, place, wanted, limit=200, after=after)
            writer.writerows(_csv_cells(each) for each in part.rows)
            if part.cursor is None:
                return
            after = books.record_key(part.rows[-1])

    if await perform(visit, write_all_records):
        name = f"mishu-{state.month:%Y-%m}.csv"
        ui.download.content("\ufeff" + out.getvalue(), name, "text/csv")


def _csv_cells(each: TransactionRecord) -> list[str]:
    fields = each.fields
    payer = fields.shares[0][1] if fields.shares else ""
    parts = "、".join(f"{name or '外人'} {yuan(fen)}" for _, name, fen in fields.shares if fen)
    amount, shared = yuan(fields.fen).replace(",", ""), "是" if fields.shared else ""
    cells = (fields.day, TYPES[fields.type], amount, fields.category, fields.description)
    # No spreadsheet reads a cell as a formula.
    told = [
        f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
        for cell in (*cells, each.user_name, shared, payer, parts)
    ]
    return [*told, *foreign_cells(each)]


def _draw_row(visit: Visit, each: TransactionRecord) -> None:
    fields = each.fields
    with box("mi-item"):
        text(f"{int(fields.day[5:7])}月{int(fields.day[8:])}日", "mi-when")
        with box("mi-what"):
            text(fields.description or fields.category)
            text(" · ".join(describe_details(each, visit.me)), "mi-soft")
        sign = "+" if fields.type == "INCOME" else ""
        text(f"{sign}{yuan(fields.fen)}", f"mi-sum {'in' if sign else ''}")
        if each.user_id == visit.me:
            button(
                "改", lambda: _edit_record(visit, each), title=f"改：{fields.description or fields.category}"
            )


def describe_details(each: TransactionRecord, me: str | None) -> list[str]:
    """Details below a row: category, author, payer, shares."""
    fields = each.fields
    found = [fields.category if fields.description else ""]
    if each.user_id != me:
        found.append(f"{each.user_name}记的，只有本人能改")
    elif fields.shared:
        found.append(f"{each.user_name}记的")
    if fields.shares and fields.type == "TRANSFER":
        found += [f"{fields.shares[0][1]}给{fields.shares[1][1]}"]
    elif fields.shares:
        found.append(f"{fields.shares[0][1] or '外人'}付的")
        bearing = [(name or "外人", fen) for _, name, fen in fields.shares if fen]
        equal = max(fen for _, fen in bearing) - min(fen for _, fen in bearing) <= len(bearing)
        if equal and len(bearing) > 1:
            names = "、".join(name for name, _ in bearing)
            found.append(f"{len(bearing)} 人各 {yuan(min(fen for _, fen in bearing))}：{names}")
        else:
            found.append("、".join(f"{name} {yuan(fen)}" for name, fen in bearing))
    elif fields.shared:
        found.append("不分摊")
    return [part for part in found if part]


@dataclass(frozen=True, slots=True)
class EntryForm:
    """The fields of an entry."""

    people: Mapping[str, str]
    inputs: dict[str, Any] = field_(default_factory=dict[str, Any])

    def draw(self, kept: TransactionChanges, *, payer: str, bearing: Sequence[str]) -> None:
        """Draw the fields."""
        inputs = self.inputs
        fen = yuan(kept.fen).replace(",", "") if kept.fen else ""
        with box("mi-pair"):
            inputs["amount"] = field("金额（元）", fen, mark="amount", longest=14)
            inputs["type"] = select(TYPES, kept.type, "类型", "type")
            inputs["category"] = field("分类", kept.category, longest=20, mark="category", offers=BUILT_IN)
            inputs["date"] = field("日期", kept.day, kind="date", mark="date")
        inputs["description"] = field("说明", kept.description, longest=60, mark="description")
        if kept.type == "TRANSFER" and kept.shares:
            return  # who gave whom is no matter of sharing
        inputs["bearing"] = ui.select(
            dict(self.people), value=list(bearing), label="和谁分（不选是自己的账）", multiple=True
        )
        inputs["bearing"].props("outlined dense use-chips stack-label").classes("mi-field")
        inputs["bearing"].props["data-mishu"] = "bearing"
        inputs["payer"] = select(dict(self.people), payer, "谁付的", "payer")

    def said(self, kept: TransactionChanges | None) -> dict[str, Any]:
        """Fields of the operation. Raises `Refused`."""
        said = {name: one.value for name, one in self.inputs.items()}
        fields: dict[str, Any] = {
            "amount": parse_amount(str(said["amount"] or "").strip()),
            "type": said["type"],
            "category": str(said["category"] or "").strip() or None,
            "description": str(said["description"] or "").strip(),
            "date": parse_day(str(said["date"] or "")),
        }
        if "bearing" not in said:
            return fields
        before: tuple[list[str], str] = ([], "") if kept is None else describe_shares(kept)
        chosen = [str(each) for each in said["bearing"] or ()]
        payer = str(said["payer"] or "")
        if kept is not None and (sorted(chosen), payer) == (sorted(before[0]), before[1] or payer):
            return fields  # as it is divided now, perhaps unevenly
        if not chosen:
            return {**fields, "participants": None, "scope": "personal"} if kept is not None else fields
        bears = [(each, None) for each in chosen]
        return {**fields, "scope": "shared", "participants": bears, "payer": payer}


def describe_shares(kept: TransactionChanges) -> tuple[list[str], str]:
    """Sharers and payer; empty without shares."""
    if not kept.shares:
        return [], ""
    return [str(user) for user, _, fen in kept.shares if fen and user], str(kept.shares[0][0])


async def _list_people(visit: Visit, kept: TransactionChanges | None) -> dict[str, str]:
    found = {} if kept is None else {str(user): str(name) for user, name, _ in kept.shares if user}
    found |= await list_names(visit.office, visit.place)
    if visit.me is not None and visit.me not in found:
        found[visit.me] = "我"
    return found


async def add_record(visit: Visit, state: LedgerState) -> None:
    """Form for a new entry."""
    if visit.me is None and not await ask_person(visit):
        return
    now = visit.office.now().date()
    blank = TransactionChanges("EXPENSE", 0, OTHER, "", now.isoformat())
    asks = EntryForm(await _list_people(visit, None))
    origin = new_origin()

    async def create_record(write: Write, place: Conversation) -> None:
        await books.create_record(visit.office, write, place, asks.said(None))

    await form(
        "记一笔",
        lambda: asks.draw(blank, payer=visit.me or "", bearing=()),
        lambda: perform_undoable(visit, create_record, "记下了", origin=origin),
    )


async def _edit_record(visit: Visit, each: TransactionRecord) -> None:
    kept = each.fields
    asks = EntryForm(await _list_people(visit, kept))
    gone: list[bool] = []
    bearing, payer = describe_shares(kept)
    what = kept.description or kept.category

    def draw_fields() -> None:
        asks.draw(kept, payer=payer or each.user_id, bearing=bearing)
        drop = ui.checkbox("删掉这一笔", on_change=lambda event: gone.append(bool(event.value)))
        drop.classes("mi-danger").props["data-mishu"] = "drop"

    async def delete_record(write: Write, place: Conversation) -> None:
        # No question first: the bar at the page's foot brings it back.
        await books.delete_record(visit.office, replace(write, confirm=True), place, each.id)

    async def update_record(write: Write, place: Conversation) -> None:
        await books.update_record(visit.office, write, place, each.id, asks.said(kept))

    async def keep() -> bool:
        if gone and gone[-1]:
            return await perform_undoable(visit, delete_record, f"删掉了：{what} {yuan(kept.fen)} 元")
        return await perform_undoable(visit, update_record, f"改好了：{what}")

    await form("改账", draw_fields, keep)
