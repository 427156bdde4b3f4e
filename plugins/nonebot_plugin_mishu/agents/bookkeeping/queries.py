"""Ledger queries: sums, lists, debts, budgets, CSV. Other members' own records are never included."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from ...language.books.pointing import called
from ...language.books.questions import LedgerQuery
from ...language.clause import Mention
from ...language.entries.entry import Entry, spoken
from ...storage.records import FrameRecord
from ...storage.transactions.queries import BookSpan, CategorySum, TransactionRecord
from ..api.dispatch import TaskResult
from ..api.ports import Announcer
from ..api.task_context import TaskContext
from . import reports, wording
from .books import Books, debts_of, entries_on
from .cards.claiming import WHO
from .picture.chart import chart_of
from .picture.picture import TIMEOUT, drawn
from .reports import entry_of
from .shares.sharing import settling_transfers, unnamed_shares
from .wording import converted_note

MOST_EXPORTED: Final = 100_000
MOST_QUOTED: Final = 20
"""Characters of an unrecorded bill that are shown"""
ONLY_IN_GROUPS: Final = "和别人的账记在群里，私聊里看不到，也改不了：到那个群里问我「谁欠谁」就行。"
SUPPOSED: Final = "{sum}按{whose}平摊，每人{each}。只是算算，没有记账。"
SUPPOSED_ALONE: Final = "几个人分？连人数一起说我就算，像「要是200块5个人分 每人多少」。"
NO_BILL: Final = "账上没有找到分过的「{thing}」。"


@dataclass
class Queries:
    """Answers to queries. Without an announcer an export is text."""

    books: Books
    announcer: Announcer | None = None

    async def answer(self, task: str, context: TaskContext, asked: LedgerQuery) -> TaskResult:
        """Answer to a query."""
        match asked.kind:
            case "owes":
                context.tells_waiting = True
                said = await self._owes(context, asked)
            case "payer":
                said = await self._payer(context, asked.word or "")
            case "each" if asked.supposed is not None:
                said = self._supposed(context, asked, asked.supposed)
            case "each":
                said = reports.each_bears(asked, await self.books.shared_records(context.conversation))
            case "export":
                said = await self._export(context, asked)
            case "budget":
                said = await self._budget(context, asked)
            case "picture":
                said = await self._picture(context, asked)
            case "list":
                records = await self._records(context, asked)
                said = reports.list_answer(asked, records, names=asked.group)
                me, now = context.actor.user_id, self.books.wall()
                self.books.listed.note(context.conversation, me, [each.id for each in records], now)
            case _:
                said = await self._sums(context, asked)
        return TaskResult(task, "completed", user_response=said)

    def _supposed(self, context: TaskContext, asked: LedgerQuery, fen: int) -> str:
        """What each would bear of a sum that is only supposed: of so many people, or of the known members."""
        here = {context.actor.user_id, *(one.user_id for one in context.clause.situation.members)}
        people = asked.people or len(here)
        if people < 2:
            return SUPPOSED_ALONE
        whose = f"{people}个人" if asked.people else f"群里我认得的{people}个人"
        each = f"{spoken(fen // people)}{'左右' if fen % people else ''}"
        return SUPPOSED.format(sum=spoken(fen), whose=whose, each=each)

    def _span(self, context: TaskContext, asked: LedgerQuery) -> BookSpan:
        return BookSpan(
            context.conversation,
            None if asked.group else context.actor.user_id,
            asked.first.isoformat(),
            asked.last.isoformat(),
            asked.category,
            asked.type,
        )

    async def _sums(self, context: TaskContext, asked: LedgerQuery) -> str:
        sums = await self._totals(context, asked)
        note = await self._converted(context, asked)
        if asked.against is None:
            return reports.sums_answer(asked, sums) + note
        first, last, title = asked.against
        other = replace(asked, first=first, last=last, title=title)
        return reports.comparison(asked, sums, other, await self._totals(context, other)) + note

    async def _converted(self, context: TaskContext, asked: LedgerQuery) -> str:
        """Note on the records of a total that were said in other currencies."""
        if asked.word is None:
            found = await self.books.storage.transactions.converted(self._span(context, asked))
            return converted_note(*found)
        abroad = [each.fields.fen for each in await self._records(context, asked) if each.fields.foreign]
        return converted_note(len(abroad), sum(abroad))

    async def _totals(self, context: TaskContext, asked: LedgerQuery) -> list[CategorySum]:
        if asked.word is None:
            return await self.books.storage.transactions.sums(self._span(context, asked))
        sums: dict[tuple[str, str], CategorySum] = {}
        for record in await self._records(context, asked):
            key = (record.fields.type, record.fields.category)
            known = sums.get(key, CategorySum(*key, 0, 0))
            sums[key] = CategorySum(*key, known.fen + record.fields.fen, known.count + 1)
        return list(sums.values())

    async def _picture(self, context: TaskContext, asked: LedgerQuery) -> str:
        """Sums as text, with a chart if one can be drawn."""
        span, books = self._span(context, asked), self.books.storage.transactions
        sums = await books.sums(span)
        said = reports.sums_answer(asked, sums) + await self._converted(context, asked)
        shown = chart_of(asked, sums, await books.days(span), context.now.date())
        if shown is None:
            return said
        picture = await drawn(shown, context.deadline.earlier(TIMEOUT).remaining())
        if isinstance(picture, str):
            return f"{said}\n{picture}"
        context.pictures.append(picture)
        return said

    async def _records(
        self, context: TaskContext, asked: LedgerQuery, limit: int = MOST_EXPORTED
    ) -> list[TransactionRecord]:
        found = await self.books.storage.transactions.list_records(self._span(context, asked), limit)
        kept = [
            record
            for record in found
            if (asked.word is None or asked.word in record.fields.description)
            and (asked.above is None or record.fields.fen > asked.above)
        ]
        if asked.largest is not None:
            return sorted(kept, key=lambda record: -record.fields.fen)[: asked.largest]
        if asked.smallest:
            return sorted(kept, key=lambda record: record.fields.fen)[:1]
        return kept if asked.newest is None else kept[-asked.newest :]

    async def _payer(self, context: TaskContext, thing: str) -> str:
        """The newest bill of a name, with who paid it."""
        records = await self.books.shared_records(context.conversation)
        entries = [entry for record in records if (entry := entry_of(record)).type == "EXPENSE"]
        called_so = [each for each in entries if called(thing, [(0, each)])]
        if not called_so:
            return NO_BILL.format(thing=thing)
        return wording.row(called_so[-1], now=context.now.date())

    async def _owes(self, context: TaskContext, asked: LedgerQuery) -> str:
        me = Mention(context.actor.user_id, context.actor.name)
        if not context.conversation.is_group:
            return ONLY_IN_GROUPS
        records = await self.books.shared_records(
            context.conversation, (*context.clause.situation.members, me)
        )
        debts = debts_of(records)
        names = {**debts.names, me.user_id: me.name}  # a member only mentioned may lack a name
        asker = me.user_id if asked.mine else None
        if asked.word is not None:
            of_it = [entry for record in records if asked.word in (entry := entry_of(record)).description]
            if of_it:
                return reports.owed_for(asked.word, of_it, debts, asker)
        if len(asked.other) == 1 and asker is not None and asked.other[0] != asker:
            other = asked.other[0]
            name = next((one.name for one in context.clause.situation.members if one.user_id == other), "")
            said = reports.owed_between(debts, asker, (other, names.get(other, name)))
            return reports.with_waiting(
                said, await self._waiting(context, {asker, other}, both=True), even=False
            )
        transfers, unnamed = (
            settling_transfers(debts.owed),
            unnamed_shares(entry_of(record).shares for record in records),
        )
        said = reports.owes_answer(transfers, names, unnamed, asker)
        divided, whole = await self.books.count_expenses(context.conversation, asker)
        even = not transfers and not unnamed
        entries = [entry_of(record) for record in records]
        said = "\n".join(filter(None, [said, reports.directly(entries, debts, asker, transfers)]))
        told = reports.with_undivided(said, divided, whole, even=even)
        of = None if asker is None else {asker}
        return reports.with_waiting(told, await self._waiting(context, of), even=even)

    async def _waiting(
        self, context: TaskContext, of: Collection[str] | None, *, both: bool = False
    ) -> list[str]:
        """Names of the shared expenses and repayments waiting for an answer; for a member's own debts only
        those that may concern them, for those of two only what is of `both`."""
        waiting = await self.books.waiting_tasks(context.conversation)
        cards = [entry for entry in entries_on(waiting) if len(entry.shares) > 1 or _is_undivided(entry)]
        if of is not None:
            on_it = [(entry, {share.user_id for share in entry.shares}.intersection(of)) for entry in cards]
            cards = [
                entry for entry, found in on_it if not entry.shares or len(found) >= (len(of) if both else 1)
            ]
        asked = [frame for frame in waiting if frame.slots.get(WHO)]
        if of is not None:
            asked = [frame for frame in asked if frame.user_id in of or _may_share(frame)]
        named = [f"{entry.description or entry.category}{spoken(entry.fen)}" for entry in cards]
        return [*named, *(f"「{str(frame.slots[WHO]['text'])[:MOST_QUOTED]}」" for frame in asked)]

    async def _budget(self, context: TaskContext, asked: LedgerQuery) -> str:
        today = context.now.date()
        books, user = self.books.storage.transactions, context.actor.user_id
        budgets = await books.budgets.list_budgets(context.conversation, user, f"{today:%Y-%m}")
        spent = await books.budgets.spent(context.conversation, user, f"{today:%Y-%m}")
        return reports.budget_answer(today, budgets, spent, asked.word)

    async def _export(self, context: TaskContext, asked: LedgerQuery) -> str:
        records = await self._records(context, asked)
        if not records:
            return f"{asked.title}{reports.whose(asked)}没有账可以导出。"
        content = reports.as_csv(records)
        name = f"账单-{asked.first:%Y%m%d}-{min(asked.last, _today(context)):%Y%m%d}.csv"

        what = f"{asked.title}{reports.whose(asked)}共{len(records)}笔"

        def told(sent: bool) -> str:
            if sent:
                return f"{what}，都在文件 {name} 里，Excel 能打开。"
            return f"文件发不出去，列在这里：\n{reports.list_answer(asked, records, names=asked.group)}"

        here = context.conversation
        if self.announcer is None:
            return told(False)
        if not here.is_group:
            return told(await self.announcer.give_file(here, name, content))
        handed = await self.announcer.hand_over(here, context.actor.user_id, told, (name, content))
        if handed:
            return f"{what}，表格私聊发给你了。"
        return "表格私聊发不到你那里，群里不方便贴。加我好友再说一次。"


def _is_undivided(entry: Entry) -> bool:
    """True for a bill of the group whose sharers nobody said."""
    return entry.shared and entry.type == "EXPENSE" and not entry.shares


def _may_share(frame: FrameRecord) -> bool:
    """True if the open question may concern further sharers; a question about a creditor concerns nobody
    else."""
    return str(frame.slots[WHO].get("kind", "who")) != "creditor"


def _today(context: TaskContext) -> date:
    return context.now.date()
