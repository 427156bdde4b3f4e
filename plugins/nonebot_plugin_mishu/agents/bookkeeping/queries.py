"""What the books answer: sums, lists, who owes whom, budgets, CSV. Others' own records are never in them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from ...storage.transactions import Span, Sum, TransactionRecord
from ..dispatch import TaskResult
from ..errand import Errand
from ..ports import Announcer
from . import reports
from .books import Books
from .chart import chart_of
from .picture import TIMEOUT, drawn
from .questions import Query
from .sharing import settle

MOST_EXPORTED: Final = 100_000


@dataclass
class Queries:
    """Answers queries. Without an announcer an export is given as text."""

    books: Books
    announcer: Announcer | None = None

    async def answer(self, task: str, errand: Errand, asked: Query) -> TaskResult:
        """The answer to a query."""
        match asked.kind:
            case "owes":
                said = await self._owes(errand, mine=asked.mine)
            case "export":
                said = await self._export(errand, asked)
            case "budget":
                said = await self._budget(errand)
            case "picture":
                said = await self._picture(errand, asked)
            case "list":
                said = reports.list_answer(asked, await self._records(errand, asked), names=asked.group)
            case _:
                said = await self._sums(errand, asked)
        return TaskResult(task, "completed", user_response=said)

    def _span(self, errand: Errand, asked: Query) -> Span:
        return Span(
            errand.conversation,
            None if asked.group else errand.actor.user_id,
            asked.first.isoformat(),
            asked.last.isoformat(),
            asked.category,
            asked.type,
        )

    async def _sums(self, errand: Errand, asked: Query) -> str:
        sums = await self._totals(errand, asked)
        if asked.against is None:
            return reports.sums_answer(asked, sums)
        first, last, title = asked.against
        other = replace(asked, first=first, last=last, title=title)
        return reports.comparison(asked, sums, other, await self._totals(errand, other))

    async def _totals(self, errand: Errand, asked: Query) -> list[Sum]:
        if asked.word is None:
            return await self.books.storage.transactions.sums(self._span(errand, asked))
        sums: dict[tuple[str, str], Sum] = {}
        for record in await self._records(errand, asked):
            key = (record.fields.type, record.fields.category)
            known = sums.get(key, Sum(*key, 0, 0))
            sums[key] = Sum(*key, known.fen + record.fields.fen, known.count + 1)
        return list(sums.values())

    async def _picture(self, errand: Errand, asked: Query) -> str:
        """The sums as text, and their picture behind it where one can be drawn."""
        span, books = self._span(errand, asked), self.books.storage.transactions
        sums = await books.sums(span)
        said = reports.sums_answer(asked, sums)
        shown = chart_of(asked, sums, await books.days(span), errand.now.date())
        if shown is None:
            return said
        picture = await drawn(shown, errand.deadline.earlier(TIMEOUT).remaining())
        if isinstance(picture, str):
            return f"{said}\n{picture}"
        errand.pictures.append(picture)
        return said

    async def _records(
        self, errand: Errand, asked: Query, limit: int = MOST_EXPORTED
    ) -> list[TransactionRecord]:
        found = await self.books.storage.transactions.listed(self._span(errand, asked), limit)
        kept = [
            record
            for record in found
            if (asked.word is None or asked.word in record.fields.description)
            and (asked.above is None or record.fields.fen > asked.above)
        ]
        if asked.largest is not None:
            return sorted(kept, key=lambda record: -record.fields.fen)[: asked.largest]
        return kept if asked.newest is None else kept[-asked.newest :]

    async def _owes(self, errand: Errand, *, mine: bool) -> str:
        owed, names = await self.books.owed(errand.conversation)
        names[errand.actor.user_id] = errand.actor.name  # whoever was only mentioned may have had no name yet
        transfers, unnamed = settle(owed), await self.books.unnamed(errand.conversation)
        return reports.owes_answer(transfers, names, unnamed, errand.actor.user_id if mine else None)

    async def _budget(self, errand: Errand) -> str:
        today = errand.now.date()
        books, user = self.books.storage.transactions, errand.actor.user_id
        budgets = await books.budgets.of(errand.conversation, user, f"{today:%Y-%m}")
        month = Span(errand.conversation, user, f"{today:%Y-%m}-01", f"{today:%Y-%m}-31", type="EXPENSE")
        sums = await books.sums(month)
        spent = {each.category: each.fen for each in sums}
        spent[""] = sum(each.fen for each in sums)
        return reports.budget_answer(today, budgets, spent)

    async def _export(self, errand: Errand, asked: Query) -> str:
        records = await self._records(errand, asked)
        if not records:
            return f"{asked.title}{reports.whose(asked)}没有记录可以导出。"
        content = reports.as_csv(records)
        name = f"账单-{asked.first:%Y%m%d}-{min(asked.last, _today(errand)):%Y%m%d}.csv"

        what = f"{asked.title}{reports.whose(asked)}共{len(records)}笔"

        def told(sent: bool) -> str:
            if sent:
                return f"{what}，都在文件 {name} 里，Excel 能打开。"
            return f"文件发不出去，列在这里：\n{reports.list_answer(asked, records, names=asked.group)}"

        here = errand.conversation
        if self.announcer is None:
            return told(False)
        if not here.is_group:
            return told(await self.announcer.give_file(here, name, content))
        handed = await self.announcer.hand_over(here, errand.actor.user_id, told, (name, content))
        if handed:
            return f"{what}，表格私聊发给你了。"
        return "表格私聊发不到你那里，群里不方便贴。加我好友再说一次。"


def _today(errand: Errand) -> date:
    return errand.now.date()
