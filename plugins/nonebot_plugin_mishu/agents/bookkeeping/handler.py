"""The book-keeper: records as drafts to be confirmed, corrects, undoes, learns (product section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ...drafts import only_items
from ...llm import ModelError
from ...storage.budgets import Budget
from ...storage.changes import CannotUndo
from ...storage.errors import StorageError
from ...storage.records import FrameRecord
from ...storage.transactions import TransactionRecord
from ..clause import Bound, Clause
from ..dispatch import TaskDispatch, TaskResult
from ..drafting import BATCH, concerns
from ..errand import Errand
from . import saved, wording
from .books import AGENT, Books, Session, fields_of
from .categories import Categories
from .entry import Entry, entry_json, spoken
from .orders import BudgetOrder, budget_order, taught
from .queries import Queries
from .reading import read_items
from .repaying import repayment
from .reports import entry_of
from .sharing import is_shared, is_split, meant, people_in, split

SAID: Final = "_said"
"""What was said of an expense whose amount was asked for."""
CHOICE: Final = "_choice"
"""The ids of saved records of which one is meant, and the correction."""

ASK_AMOUNT: Final = "多少钱？"
FOREIGN: Final = "我只会记人民币，换算成多少元再告诉我吧。"
TOO_MUCH: Final = "这个金额太大了，我没有记，请核对一下。"
NOTHING_SAVED: Final = "最近一天里没有找到你记的账。"
UNCLEAR: Final = "没听清要改什么，请再说一次"
TROUBLE: Final = "账本现在打不开，什么都没有改，请稍后再试。"


def answers(frame: FrameRecord, clause: Clause) -> Bound | None:
    """How a line answers a question of ours; with a card open, every line of its owner is the card's."""
    if frame.slots.get(BATCH):
        bound = concerns(frame, clause)
        return replace(bound, weak=True) if bound is not None and _is_of_a_plan(clause) else bound
    if frame.slots.get(SAID) and any(found.fen for found in clause.amounts):
        return Bound("fills")
    choice = frame.slots.get(CHOICE)
    if choice and only_items(clause.text, len(choice["ids"])):
        return Bound("fills")
    return None


def _is_of_a_plan(clause: Clause) -> bool:
    """Whether a line can change nothing on a card: it has no money and names no item, but an hour or a day to
    come, as 打球改到三点 has. A clear order for another agent is then done beside the card."""
    if "笔" in clause.text or any(found.fen for found in clause.amounts):
        return False
    today = clause.situation.now.date()
    return any(
        time.start is not None or (time.date is not None and time.date > today) for time in clause.times
    )


@dataclass
class BookKeeper:
    """The handler of the agent."""

    books: Books
    queries: Queries

    async def __call__(self, dispatch: TaskDispatch, errand: Errand) -> TaskResult:
        """Do what a line asks. What cannot be done for the database's sake is said so."""
        try:
            return await self._do(dispatch, errand)
        except StorageError:
            open_ = errand.open is not None and bool(errand.open.slots.get(BATCH))
            return TaskResult(
                dispatch.task_id, "awaiting_user" if open_ else "canceled", user_response=TROUBLE
            )

    async def expire(self, frame: FrameRecord) -> str | None:
        """A question's time is over; an open card's drafts are dropped, and that is said."""
        if not frame.slots.get(BATCH):
            return None
        session = Session(self.books, Categories(), self.books.local(self.books.wall()))
        return await session.runner().expire(frame)

    async def drop(self, frame: FrameRecord) -> None:
        """A silence, a recall or an emergency ends a card without a word; what is saved stays saved."""
        if frame.slots.get(BATCH):
            session = Session(self.books, Categories(), self.books.local(self.books.wall()))
            await session.runner().drop(frame)

    async def _do(self, dispatch: TaskDispatch, errand: Errand) -> TaskResult:
        categories = Categories(await self.books.storage.transactions.words.of(errand.conversation))
        session = Session(self.books, categories, errand.now)
        task = dispatch.task_id
        if errand.open is not None:
            slots = errand.open.slots
            if slots.get(BATCH):
                return _with_notices(await session.runner().hear(dispatch, errand), session)
            if slots.get(CHOICE):
                return await self._chosen(task, errand, session, slots[CHOICE])
            if slots.get(SAID):
                return await self._record(dispatch, errand, session, f"{slots[SAID]} {errand.text}")
        lesson = taught(errand.text)
        if lesson is not None:
            return await self._learn(task, errand, *lesson)
        budget = budget_order(errand.text, errand.now.date(), categories)
        if budget is not None:
            return await self._budget(task, errand, budget)
        match errand.intent:
            case "query":
                return await self.queries.answer(task, errand, categories)
            case "correct":
                return await self._correct(task, errand, session)
            case "undo":
                if saved.deletes(errand.text) and not saved.undoes(errand.text):
                    return await self._correct(
                        task, errand, session
                    )  # 上一笔删掉: the record, not the last change
                return await self._undo(task, errand)
            case _:
                return await self._record(dispatch, errand, session, errand.text)

    async def _record(
        self, dispatch: TaskDispatch, errand: Errand, session: Session, text: str
    ) -> TaskResult:
        items = read_items(text, errand.now, self.books.zone, session.categories)
        quoted = errand.clause.situation.quoted
        if not items.entries and quoted:
            text = f"{text}，{quoted}"
            items = read_items(quoted, errand.now, self.books.zone, session.categories)
        entries = items.entries
        if not items.sure and self.books.model.online:
            # The model's reading is shown on the card; where it fails, the rules' own is.
            try:
                deadline = errand.deadline.earlier(self.books.decide_timeout)
                entries = await session.by_model(text, errand, deadline) or entries
            except ModelError:
                pass
        if not entries:
            if items.foreign or items.too_much:
                why = FOREIGN if items.foreign else TOO_MUCH
                return TaskResult(dispatch.task_id, "canceled", user_response=why)
            return TaskResult(
                dispatch.task_id, "awaiting_user", {SAID: text}, ("amount",), user_response=ASK_AMOUNT
            )
        repaid = await self._repaid(text, entries, errand)
        shared = self._shared(text, entries, errand) if repaid is None else [repaid]
        opened = await session.runner().open(dispatch, errand, list(shared), text)
        return replace(opened, slots_update={**opened.slots_update, SAID: None})

    async def _repaid(self, text: str, entries: Sequence[Entry], errand: Errand) -> Entry | None:
        """An entry that pays back what the books say is owed; None for any other."""
        if not errand.conversation.is_group or len(entries) != 1 or "还" not in text:
            return None
        owed, names = await self.books.owed(errand.conversation)
        mentions = [(each.user_id, each.name) for each in errand.clause.situation.mentions]
        return repayment(text, entries[0], (errand.actor.user_id, errand.actor.name), mentions, names, owed)

    def _shared(self, text: str, entries: Sequence[Entry], errand: Errand) -> list[Entry]:
        """Mark what is the group's, and divide what is said to be divided."""
        mentions = [(each.user_id, each.name) for each in errand.clause.situation.mentions]
        people = people_in(text)
        if not errand.conversation.is_group or not is_shared(text):
            return list(entries)
        payer = (errand.actor.user_id, errand.actor.name)
        divides = is_split(text) and (bool(mentions) or people is not None)
        said_of = meant(
            text, len(entries), lambda part: len(read_items(part, errand.now, self.books.zone).entries)
        )
        return [
            replace(
                entry,
                shared=True,
                shares=split(entry.fen, payer, mentions, people) if divides else (),
            )
            if entry.type == "EXPENSE" and shared
            else entry
            for entry, shared in zip(entries, said_of, strict=True)
        ]

    async def _learn(self, task: str, errand: Errand, word: str, category: str) -> TaskResult:
        said = f"好的，以后「{word}」记到「{category}」分类。"
        summary = f"「{word}」归到「{category}」"
        await self.books.storage.transactions.words.put(
            errand.conversation, errand.actor.user_id, word, category, summary, self.books.wall()
        )
        errand.acted("record", {"word": word, "category": category}, {"word": word})
        return TaskResult(task, "completed", user_response=said)

    async def _budget(self, task: str, errand: Errand, order: BudgetOrder) -> TaskResult:
        what = f"{order.category or '总'}预算{spoken(order.fen)}"
        month = f"{int(order.month[5:])}月" if order.month else "每月"
        await self.books.storage.transactions.budgets.put(
            errand.conversation,
            errand.actor.user_id,
            Budget(order.category, order.month, order.fen),
            f"{month}{what}",
            self.books.wall(),
        )
        errand.acted("record", {"budget": order.category, "fen": order.fen, "month": order.month}, {})
        said = f"记下了：{month}{what}。用到80%和100%时我会提醒你。"
        return TaskResult(task, "completed", user_response=said)

    async def _undo(self, task: str, errand: Errand) -> TaskResult:
        try:
            undone = await self.books.storage.changes.undo(
                errand.conversation, errand.actor.user_id, self.books.wall(), origin=errand.origin
            )
        except CannotUndo as refusal:
            return TaskResult(task, "completed", user_response=str(refusal))
        if undone is None:
            return TaskResult(task, "completed", user_response="最近10分钟里没有可以撤销的操作。")
        errand.acted("undo", {}, {"id": undone.change_id, "summary": undone.summary})
        return TaskResult(task, "completed", user_response=f"已撤销：{undone.summary}。")

    async def _correct(self, task: str, errand: Errand, session: Session) -> TaskResult:
        records = await self._recent(errand)
        found = saved.meant(errand.text, records)
        if not found:
            return TaskResult(task, "completed", user_response=NOTHING_SAVED)
        if len(found) == 1:
            return await self._change(task, errand, session, found[0], errand.text)
        lines = [f"{number}. {wording.row(entry_of(record))}" for number, record in enumerate(found, 1)]
        question = "\n".join(["要改第几笔？", *lines])
        choice = {"ids": [record.id for record in found], "text": errand.text}
        return TaskResult(task, "awaiting_user", {CHOICE: choice}, ("item",), user_response=question)

    async def _chosen(
        self, task: str, errand: Errand, session: Session, choice: dict[str, Any]
    ) -> TaskResult:
        named = only_items(errand.text, len(choice["ids"]))
        wanted = {choice["ids"][number] for number in named if number < len(choice["ids"])}
        records = [record for record in await self._recent(errand) if record.id in wanted]
        if len(records) != 1:
            again = "一次只改一笔，要改第几笔？" if len(records) > 1 else NOTHING_SAVED
            return TaskResult(
                task,
                "awaiting_user" if records else "canceled",
                missing_slots=("item",) * bool(records),
                user_response=again,
            )
        done = await self._change(task, errand, session, records[0], str(choice["text"]))
        return replace(done, slots_update={**done.slots_update, CHOICE: None})

    async def _recent(self, errand: Errand) -> list[TransactionRecord]:
        since = self.books.wall() - saved.WITHIN
        return await self.books.storage.transactions.recent(
            errand.conversation, errand.actor.user_id, saved.MOST, since
        )

    async def _change(
        self, task: str, errand: Errand, session: Session, record: TransactionRecord, text: str
    ) -> TaskResult:
        before = entry_of(record)
        removes = saved.deletes(text)
        entry = None
        if not removes:
            entry = saved.corrected(text, record, session.categories, errand.now, self.books.zone)
            if entry is None:
                return TaskResult(task, "canceled", user_response=UNCLEAR)
        name = before.description or before.category
        summary = f"{'删掉' if entry is None else '修改'} {name}{spoken(before.fen)}"
        done = await self.books.storage.transactions.change(
            record.id,
            errand.actor.user_id,
            None if entry is None else fields_of(entry),
            summary,
            self.books.wall(),
        )
        if done is None:
            return TaskResult(task, "canceled", user_response="那笔账已经不在了。")
        errand.acted("correct", {"id": record.id}, entry_json(entry) if entry else {"deleted": True})
        if entry is None:
            said = f"已删掉：{wording.row(before)}。要找回请说「撤销」。"
        else:
            said = f"已改好：{wording.row(entry)}（原来是{wording.brief(before)}）。"
        return TaskResult(task, "completed", user_response=said)


def _with_notices(done: TaskResult, session: Session) -> TaskResult:
    if not session.notices:
        return done
    lines = [done.user_response, *session.notices] if done.user_response else session.notices
    return replace(done, user_response="\n".join(lines))


__all__ = ["AGENT", "BookKeeper", "answers"]
