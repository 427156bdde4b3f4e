"""Handler of the bookkeeping agent: records drafts to be confirmed, corrects, undoes, learns (product section
6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Final

from ...drafts import Batch
from ...language.books.budgets import BudgetOrder
from ...language.clause import Situation
from ...language.entries.categories import Categories
from ...language.entries.entry import Entry, foreign_of, kept_as_said, load_entry, spoken
from ...language.ledger.repayments.repaying import (
    is_repayment,
)
from ...language.ledger.shares.participants import kept, known
from ...llm import ModelError
from ...storage.engine.errors import StorageError
from ...storage.journal.queries import CannotUndo
from ...storage.records import FrameRecord
from ..api.dispatch import TaskDispatch, TaskResult
from ..api.task_context import TaskContext
from ..api.undoing import Undoing
from ..drafting import BATCH, batch_of
from . import wording
from .books import AGENT, Books, Session
from .budgets import BudgetOrders
from .cards.claiming import ABROAD, CHOICE, MEMBERS, PROPOSED, SAID, WHO, answers
from .cards.payers import Around
from .frames import BooksFrame, BooksReply, Sharing, order_in, reply_in
from .payments import MemberPayment, MemberPayments, asked_whose
from .queries import Queries
from .record_changes import DOES_NOT_FIT, GONE, LEFT_SO, RecordChanges
from .reports import entry_of
from .shares.sharers import asking_who, divided_among, divided_like, paid_in_parts, shared_with
from .shares.sharing import paid_by, shared_items, treated

ASK_AMOUNT: Final = "多少钱？"
NOT_SPENT: Final = "没花出去的钱不记，花了再说一声。"
OF_WHICH: Final = (
    "「{said}」是哪一笔里的？还没记。连那笔一起说，像「火锅486我付的，我小王小李AA，其中86只算我和小王」；"
    "是另一笔就说「我和小王分」，别说「只」。"
)
DIFFERS: Final = (
    "「{said}」是哪一笔的？还没改。连那笔和人一起说，像「火锅300我付的，我和小王AA，小王多出5块」。"
)
TOLD_ALREADY: Final = "好，记过的不再记一遍。"
REPEATS: Final = "到期会再来的钱今天不记，付了再说一声。要我提醒，就说「提醒我{text}」。"
PLANNED: Final = "还没付的钱不记，付了再说一声。要我提醒，就说「提醒我{text}」。"
OWED_NOTHING: Final = "账上没有这笔欠账，给了多少钱？"
ASK_EXACT: Final = "大概的数我不记，具体是多少？"
ASK_ROUGH: Final = "大概的数我不记，像「{what}88元」这样说，{what}具体是多少？"
TREATED: Final = "{payer}请的，没花你的钱，我就不记了。"
BORNE: Final = "{who}出的钱，不算你的开销，我就不记了。要记就在后面加一句「先记上」。"
ON_CARD: Final = "这笔已经在上面了：{row}。回「确认」就记下。"
NAMES_NOBODY: Final = "「{said}」都有谁我不知道。"
NOT_KNOWN_YET: Final = "还不知道和谁分，没法记。"
NOT_READ_YET: Final = "这句没听明白，还没记。先说这个，别的记之前还能改："
NOT_SURE: Final = "还没准的话账先不动，确定了再说一声。"
NOT_OURS: Final = "好，那这笔不记。"
KEPT_SO: Final = "好，没改，账上还是：{row}。不要这笔就说「删掉」和它的名字。"
FOREIGN: Final = "积分和币我不记，合多少元再告诉我吧。"
NO_CURRENCY: Final = "XXX"
"""Code of points and coins"""
ASK_RATE: Final = "没有汇率，我折不了。说汇率也行，像「汇率7.1」：{sum}是多少元人民币？"
TOO_MUCH: Final = "这个数太大了，我没记，核对一下再说。"
ABSURD: Final = 1_000_000_000
"""Fen from which a debt between two members counts as a joke"""
ABSURDLY_MUCH: Final = "{sum}？这么大的数不像是真借了，我没记。要是真的，分成几笔记吧。"
NOT_ON_CARD: Final = "「{sums}」没算在里面，要记就连东西一起再说一句。"
MIXED_UP: Final = "这句里有好几笔，「{sums}」怎么算我没分清，都还没记。一笔一句再说一遍吧。"
NOT_TOLD_WHO: Final = "没等到和谁 AA，刚才那笔没记，要记就再说一遍。"
TROUBLE: Final = "账本现在打不开，什么都没改，过会儿再说。"


@dataclass
class BookKeeper:
    """Handler of the agent."""

    books: Books
    queries: Queries
    undoing: Undoing

    changes: RecordChanges = field(init=False)
    payments: MemberPayments = field(init=False)
    budgets: BudgetOrders = field(init=False)

    def __post_init__(self) -> None:
        self.changes = RecordChanges(self.books)
        self.payments = MemberPayments(self.books)
        self.budgets = BudgetOrders(self.books)

    async def __call__(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """Execute a line. A storage failure is reported to the member."""
        try:
            return await self._execute(dispatch, context)
        except StorageError:
            open_ = context.open is not None and bool(context.open.slots.get(BATCH))
            return TaskResult(
                dispatch.task_id, "awaiting_user" if open_ else "canceled", user_response=TROUBLE
            )

    async def expire(self, frame: FrameRecord) -> str | None:
        """Expire a question; the drafts of an open card are dropped with a notice."""
        if frame.slots.get(WHO):
            return NOT_TOLD_WHO
        if not frame.slots.get(BATCH):
            return None
        session = Session(self.books, Categories(), self.books.local(self.books.wall()))
        return await session.runner().expire(frame)

    async def drop(self, frame: FrameRecord) -> None:
        """End a card without a reply, after a silence, recall or emergency; saved items stay."""
        if frame.slots.get(BATCH):
            session = Session(self.books, Categories(), self.books.local(self.books.wall()))
            await session.runner().drop(frame)

    async def _execute(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        categories = Categories(await self.books.storage.transactions.words.load_words(context.conversation))
        order = order_in(context.frame)
        session = Session(self.books, categories, context.now)
        moved = await self.payments.find(order, [Entry(0, day=context.now.date())], context, categories)
        session.moved = moved.entry if moved is not None and not moved.more else None
        session.share = lambda text, entries: (
            [moved.entry]
            if moved is not None and len(entries) == 1
            else self._shared(self.books.sharing(text, _around(context)), entries, context) or entries
        )
        others = () if not context.conversation.is_group else _around(context).members
        session.around = Around((context.actor.user_id, context.actor.name), others)
        if context.open is not None:
            answered = await self._answered(dispatch, context, session, order, moved)
            if answered is not None:
                return answered
        return await self._ordered(dispatch, context, session, order)

    async def _answered(
        self,
        dispatch: TaskDispatch,
        context: TaskContext,
        session: Session,
        order: BooksFrame,
        moved: MemberPayment | None,
    ) -> TaskResult | None:
        """Result of a line about the open card or question; None where the task has neither."""
        slots = context.open.slots if context.open is not None else {}
        if slots.get(BATCH):
            return await self._on_card(dispatch, context, session, order, moved)
        if slots.get(PROPOSED):
            return await self._agreed(dispatch.task_id, context, slots[PROPOSED])
        if slots.get(WHO):
            return await self._completed(dispatch, context, session)
        if slots.get(CHOICE):
            return await self.changes.chosen(dispatch.task_id, context, session, slots[CHOICE])
        if slots.get(ABROAD):
            done = await self._record(dispatch, context, session, order)
            return replace(done, slots_update={ABROAD: None, **done.slots_update})
        if slots.get(SAID):
            return await self._record(dispatch, context, session, order)
        return None

    async def _on_card(
        self,
        dispatch: TaskDispatch,
        context: TaskContext,
        session: Session,
        order: BooksFrame,
        moved: MemberPayment | None,
    ) -> TaskResult:
        """Result of a line about the open card, or of one beside it."""
        assert context.open is not None
        task, reply = dispatch.task_id, reply_in(context.frame)
        if reply.out is not None and context.actor.user_id != context.open.user_id:
            return await self.changes.out_of_card(task, context, session, reply.out)
        card = batch_of(context.open.slots, load_entry)
        if card is not None:
            session.before = {item.number: item.value for item in card.items}
            if (said := _reply_beside_card(card, reply, order)) is not None:
                context.keep_until = card.expires_at
                return TaskResult(task, "awaiting_user", user_response=said)
        beside = await self.changes.change_other(task, context, session)
        if beside is not None:
            return beside
        if card is not None and moved is not None and _stands_on(card, moved.entry):
            context.keep_until = card.expires_at
            said = ON_CARD.format(row=wording.row(moved.entry, context.now.date()))
            return TaskResult(task, "awaiting_user", user_response=said)
        return _with_notices(await session.runner().hear(dispatch, context), session)

    async def _ordered(
        self, dispatch: TaskDispatch, context: TaskContext, session: Session, order: BooksFrame
    ) -> TaskResult:
        """Result of an order that stands by itself."""
        task = dispatch.task_id
        writes = order.lesson or order.budget or order.intent == "correct"
        if context.needs_yes and writes and order.guessed:
            return TaskResult(task, "canceled", user_response=NOT_SURE)
        if order.lesson is not None:
            return await self._learn(task, context, *order.lesson)
        if order.budget is not None:
            return await self.budgets.execute(task, context, order.budget)
        if order.quits is not None:
            return await self.payments.quits(task, context, *order.quits)
        match order.intent:
            case "query" if order.query is not None:
                return await self.queries.answer(task, context, order.query)
            case "correct":
                return await self.changes.correct(task, context, session, order.correction)
            case "undo":
                return await self._undo(task, context, again=order.again)
            case _:
                return await self._record(dispatch, context, session, order)

    async def _record(
        self, dispatch: TaskDispatch, context: TaskContext, session: Session, order: BooksFrame
    ) -> TaskResult:
        """Card of what a line tells to record; or the question or reason for which there is none."""
        order = await self._as_last(order, context)
        if (refused := _refusal(order)) is not None:
            return TaskResult(dispatch.task_id, "canceled", user_response=refused)
        if order.items.foreign:
            told = self.books.converted(order, context.clause.situation)
            if told is None:
                return self._ask_rate(dispatch, order)
            order = told
        entries = await self._entries(order, context, session)
        treats = order.sharing.treat and order.sharing.payer is None and order.points_at_sum
        if treats and len(entries) == 1 and context.conversation.is_group:
            found = await self.changes.treats_saved(dispatch.task_id, context, entries[0])
            if found is not None:
                return found
        if (waits := await self.payments.told_by_other(order, context)) is not None:
            return TaskResult(dispatch.task_id, "completed", user_response=waits)
        moved = await self.payments.find(order, entries, context, session.categories)
        if (
            moved is None
            and (stopped := await self._unrecorded(dispatch, context, order, entries)) is not None
        ):
            return stopped
        if order.lending is not None and any(entry.fen >= ABSURD for entry in entries):
            told = ABSURDLY_MUCH.format(sum=spoken(entries[0].fen))
            return TaskResult(dispatch.task_id, "canceled", user_response=told)
        shared = self._shared_by(order, entries, context) if moved is None else [moved.entry, *moved.more]
        if shared is None:
            return TaskResult(dispatch.task_id, "canceled", user_response=DOES_NOT_FIT)
        told = await self.changes.replaced(context, order.instead) if order.instead is not None else ""
        opened = await session.runner().open(dispatch, context, list(shared), order.text)
        if told:
            opened = replace(opened, user_response=f"{told}\n{opened.user_response}")
        note = await self._card_note(order, shared, context) if moved is None else moved.note
        if note:
            opened = replace(opened, user_response=f"{opened.user_response}\n{note}")
        here = {MEMBERS: kept(context.clause.situation.members)} if context.conversation.is_group else {}
        return replace(opened, slots_update={**opened.slots_update, **here, SAID: None, WHO: None})

    async def _entries(self, order: BooksFrame, context: TaskContext, session: Session) -> tuple[Entry, ...]:
        """Entries of a line: by a model where the rules are unsure, which the card shows; by the rules where
        it fails."""
        found = order.items.entries
        if order.items.sure or not self.books.model.online:
            return found
        try:
            deadline = context.deadline.earlier(self.books.decide_timeout)
            return await session.by_model(order.text, context, deadline) or found
        except ModelError:
            return found

    async def _unrecorded(
        self, dispatch: TaskDispatch, context: TaskContext, order: BooksFrame, entries: Sequence[Entry]
    ) -> TaskResult | None:
        """Question or reason for which nothing is recorded; None where all is known."""
        task, items = dispatch.task_id, order.items
        if (nobody := await self.payments.ask_recipient(order, context)) is not None:
            return TaskResult(task, "completed", user_response=nobody)
        if (unknown := await self.payments.ask_creditor(dispatch, order, context)) is not None:
            return unknown
        if not entries and order.sharing.split:
            last = await self.changes.divided_last(task, context, order)
            if last is not None:
                return last
        if not entries:
            return await self._without_sum(dispatch, context, order)
        if order.mixed or (items.left and order.sharing.shared):
            said = MIXED_UP.format(sums="」「".join(order.mixed or items.left))
            return TaskResult(task, "canceled", user_response=said)
        if (outcome := self._open(dispatch, order, entries, context)) is not None:
            return outcome
        return self._about(dispatch, order) if items.about else None

    async def _without_sum(
        self, dispatch: TaskDispatch, context: TaskContext, order: BooksFrame
    ) -> TaskResult:
        """Question for the sum of a line without one, or why it is not asked for."""
        task = dispatch.task_id
        if order.items.too_much:
            return TaskResult(task, "canceled", user_response=TOO_MUCH)
        if order.settles and (told := await self.payments.told_before(order, context)) is not None:
            return TaskResult(task, "completed", user_response=told)
        asked = OWED_NOTHING if order.settles and context.conversation.is_group else ASK_AMOUNT
        slots = {SAID: order.text}
        return TaskResult(task, "awaiting_user", slots, ("amount",), user_response=asked)

    async def _as_last(self, order: BooksFrame, context: TaskContext) -> BooksFrame:
        """Order with the sharers, and the parts that it leaves open, of the speaker's last bill, where it is
        divided so too (也六四 他六)."""
        said, me = order.sharing, (context.actor.user_id, context.actor.name)
        if not said.alike or said.among.named or order.sharings or not context.conversation.is_group:
            return order
        records = await self.books.shared_records(context.conversation, context.clause.situation.members)
        last = next((one for each in reversed(records) if shared_with(me[0], one := entry_of(each))), None)
        return order if last is None else replace(order, sharing=divided_like(said, last, me))

    async def _card_note(self, order: BooksFrame, entries: Sequence[Entry], context: TaskContext) -> str:
        """Note on what a card does not do: sums left out, money that settles nothing."""
        return _left_out(order) or await self.payments.note_unowed(order, entries, context)

    def _ask_rate(self, dispatch: TaskDispatch, order: BooksFrame) -> TaskResult:
        """Question for the yuan of a sum whose currency has no rate; the sum as said is kept beside it."""
        known = {**self.books.config.rates, **order.rates}
        open_ = (each for each in order.foreign if each[1] not in known)
        amount, code = next(open_, (Decimal(0), ""))
        if not amount or code == NO_CURRENCY:
            said = FOREIGN if code == NO_CURRENCY else TOO_MUCH
            return TaskResult(dispatch.task_id, "canceled", user_response=said)
        rates = {each: str(rate) for each, rate in known.items()}
        asked = {"text": order.text, "amount": str(amount), "code": code, "rates": rates}
        said = ASK_RATE.format(sum=wording.abroad(amount, code))
        slots = {ABROAD: asked, SAID: None}
        return TaskResult(dispatch.task_id, "awaiting_user", slots, ("amount",), user_response=said)

    def _about(self, dispatch: TaskDispatch, order: BooksFrame) -> TaskResult:
        """Question for the exact sum (花了一百多 is not 100)."""
        return TaskResult(
            dispatch.task_id, "awaiting_user", {SAID: order.exact}, ("amount",), user_response=ASK_EXACT
        )

    def _open(
        self, dispatch: TaskDispatch, order: BooksFrame, entries: Sequence[Entry], context: TaskContext
    ) -> TaskResult | None:
        """Question about payer or sharers; None if known."""
        if any(entry.shares for entry in entries):
            return None  # shares given by a model
        each = order.sharings_of(len(entries))
        said = each or (order.sharing,)
        treats = [one.payer[1] for one in said if one.treat and one.payer is not None]
        if len(treats) == len(said):
            mine = TREATED.format(payer="、".join(dict.fromkeys(treats)))
            return TaskResult(dispatch.task_id, "canceled", user_response=mine)
        if not context.conversation.is_group or not any(entry.type == "EXPENSE" for entry in entries):
            return None
        sums = [entry.fen for entry in entries] if each else [sum(entry.fen for entry in entries)]
        questions = (
            asking_who(one, context.actor.user_id, spoken(fen))
            for one, fen in zip(said, sums, strict=True)
            if not (one.treat and one.payer is not None)
        )
        asked = next((question for question in questions if question is not None), None)
        if asked is None:
            return None
        situation = context.clause.situation
        who = {
            "text": order.text,
            "at": context.now.timestamp(),
            "members": kept(situation.members),
            "mentions": kept(situation.mentions),
            "kind": asked.kind,
            "abroad": [str(each) for each in order.abroad],
        }
        slots = {WHO: who, SAID: None}
        return TaskResult(
            dispatch.task_id, "awaiting_user", slots, ("participants",), user_response=asked.question
        )

    async def _completed(self, dispatch: TaskDispatch, context: TaskContext, session: Session) -> TaskResult:
        """Card of an expense, with the sharers from the answer."""
        order = order_in(context.frame)
        if order.dropped:
            told = await self._kept_so(context)
            return TaskResult(dispatch.task_id, "canceled", {WHO: None}, user_response=told or NOT_OURS)
        if order.unheard and context.open is not None:
            asked = f"{NOT_READ_YET}{(context.open.question or '').removeprefix(NOT_READ_YET)}"
            return TaskResult(dispatch.task_id, "awaiting_user", {}, ("participants",), user_response=asked)
        if order.vague is not None:
            return self._still_open(dispatch, context, order)
        entries = order.items.entries
        about: dict[str, Any] = context.open.slots.get(WHO, {}) if context.open is not None else {}
        said = (foreign_of(str(each)) for each in about.get("abroad", ()))
        entries = kept_as_said(entries, [each for each in said if each is not None])
        if "record" in about:
            records = await self.changes.recent(context)
            record = next((each for each in records if each.id == about["record"]), None)
            if record is None:
                gone = GONE
                return TaskResult(dispatch.task_id, "canceled", {WHO: None}, user_response=gone)
            return await self.changes.divide(dispatch.task_id, context, record, order.sharing)
        if not order.answered and (outcome := self._open(dispatch, order, entries, context)) is not None:
            return outcome
        if order.items.about:
            asked = self._about(dispatch, order)
            return replace(asked, slots_update={**asked.slots_update, WHO: None})
        moved = await self.payments.find(order, entries, context, session.categories)
        shared = self._shared_by(order, entries, context) if moved is None else [moved.entry, *moved.more]
        if shared is None:
            return TaskResult(dispatch.task_id, "canceled", {WHO: None}, user_response=DOES_NOT_FIT)
        opened = await session.runner().open(dispatch, context, shared, order.text)
        if note := _left_out(order):
            opened = replace(opened, user_response=f"{opened.user_response}\n{note}")
        kept_on = {MEMBERS: about.get("members", []), WHO: None}
        return replace(opened, slots_update={**opened.slots_update, **kept_on})

    async def _kept_so(self, context: TaskContext) -> str:
        """Reply for a question about a saved record that is dropped: the record stays as it is. Empty for a
        question about an item that is not saved."""
        about: dict[str, Any] = context.open.slots.get(WHO, {}) if context.open is not None else {}
        if "record" not in about:
            return ""
        records = await self.changes.recent(context)
        record = next((each for each in records if each.id == about["record"]), None)
        return (
            GONE
            if record is None
            else KEPT_SO.format(row=wording.row(entry_of(record), now=context.now.date()))
        )

    def _still_open(self, dispatch: TaskDispatch, context: TaskContext, order: BooksFrame) -> TaskResult:
        """Sharers asked again after an answer without names; nothing is written."""
        asked = asking_who(order.sharing, context.actor.user_id, "")
        question = asked.question if asked is not None else ""
        lead = NAMES_NOBODY.format(said=order.vague) if order.vague else NOT_KNOWN_YET
        return TaskResult(
            dispatch.task_id, "awaiting_user", missing_slots=("participants",), user_response=lead + question
        )

    def _shared_by(
        self, order: BooksFrame, entries: Sequence[Entry], context: TaskContext
    ) -> list[Entry] | None:
        """Entries divided by the line, each by its own sharing; without treats by others. None if the shares
        do not fit a sum."""
        if any(entry.shares for entry in entries):
            return list(entries)
        each = order.sharings_of(len(entries))
        if not each:
            return self._shared(order.sharing, entries, context)
        found: list[Entry] = []
        for said, entry in zip(each, entries, strict=True):
            if said.treat and said.payer is not None:
                continue
            divided = self._shared(said, [entry], context)
            if divided is None:
                return None
            found += divided
        return found

    def _shared(self, said: Sharing, entries: Sequence[Entry], context: TaskContext) -> list[Entry] | None:
        """Entries marked as the group's and divided; None if the shares do not fit the sum."""
        me = (context.actor.user_id, context.actor.name)
        payer = said.paid_anew
        if context.conversation.is_group and payer is not None and payer[0] not in ("", me[0]):
            return [replace(e, shares=paid_by(e.shares, e.fen, payer, me), shared=True) for e in entries]
        if context.conversation.is_group and said.treat and said.payer is None:
            return [treated(each, me) for each in entries]
        if not context.conversation.is_group or not said.shared:
            return list(entries)
        found: list[Entry] = []
        for entry, shared in zip(entries, shared_items(said.parts, len(entries)), strict=True):
            if entry.type != "EXPENSE" or not shared:
                found.append(entry)
                continue
            divided = divided_among(said, entry, me)
            if divided is None:
                return None
            found += paid_in_parts(said, divided, me)
        return found

    async def _learn(self, task: str, context: TaskContext, word: str, category: str) -> TaskResult:
        said = f"好，以后「{word}」记到「{category}」。"
        summary = f"「{word}」归到「{category}」"
        await self.books.storage.transactions.words.set_word(
            context.conversation, context.actor.user_id, word, category, summary, self.books.wall()
        )
        context.acted("record", {"word": word, "category": category}, {"word": word})
        return TaskResult(task, "completed", user_response=said)

    async def _undo(self, task: str, context: TaskContext, *, again: bool) -> TaskResult:
        try:
            if again and (made := await self.undoing.redo(context)) is not None:
                context.acted("redo", {}, {"id": made.change_id, "summary": made.summary})
                return TaskResult(task, "completed", user_response=f"恢复了：{made.summary}。")
            undone = await self.undoing.undo(context)
        except CannotUndo as refusal:
            return TaskResult(task, "completed", user_response=str(refusal))
        if undone is None:
            gone = "刚撤销的找不回来，要就重新说一遍。" if "恢复" in context.text else ""
            nothing = f"最近10分钟没有可以撤销的。{gone}"
            return TaskResult(task, "completed", user_response=nothing)
        context.acted("undo", {}, {"id": undone.change_id, "summary": undone.summary})
        return TaskResult(task, "completed", user_response=f"撤销了：{undone.summary}。")

    async def _agreed(self, task: str, context: TaskContext, what: dict[str, Any]) -> TaskResult:
        """Yes or no to a proposal."""
        if context.bound is None or context.bound.relation != "confirm":
            return TaskResult(task, "canceled", {PROPOSED: None}, user_response=LEFT_SO)
        if "remove" in what:
            done = await self.changes.take_out(task, context, what["remove"])
        elif "owner" in what:
            done = await self.changes.take_over(task, context, what)
        elif "budget" in what:
            done = await self.budgets.execute(task, context, BudgetOrder(**what["budget"]))
        else:
            records = await self.books.paid_by(context.conversation, context.actor.user_id)
            records = [*records, *await self.changes.recent(context)]
            record = next((each for each in records if each.id == what["id"]), None)
            if record is None:
                return TaskResult(task, "canceled", {PROPOSED: None}, user_response=GONE)
            entry = load_entry(what["entry"])
            done = await self.changes.amend(task, context, record.id, entry_of(record), entry)
        return replace(done, slots_update={**done.slots_update, PROPOSED: None})


def _refusal(order: BooksFrame) -> str | None:
    """Why a line is not recorded, by its words alone; None where it may be."""
    if (debt := order.lending) is not None and not debt.other.user_id:
        return asked_whose(debt.other.name, debt.fen or 0, mine=debt.mine)
    if order.borne:
        return BORNE.format(who=order.borne)
    if not order.dropped:
        return None
    if order.of_some:
        return OF_WHICH.format(said=order.of_some)
    if order.differs:
        return DIFFERS.format(said=order.differs)
    if order.told_before:
        return TOLD_ALREADY
    later = REPEATS if order.repeats else PLANNED if order.planned else NOT_SPENT
    return later.format(text=order.repeats or order.planned)


def _reply_beside_card(card: Batch[Entry], reply: BooksReply, order: BooksFrame) -> str | None:
    """Reply that leaves the card as it is: a question back, or an answer about it; None for other lines."""
    if reply.rough:
        return ASK_ROUGH.format(what=reply.rough)
    if order.lending is not None and (order.lending.fen or 0) >= ABSURD:
        return ABSURDLY_MUCH.format(sum=spoken(order.lending.fen or 0))
    return wording.told_of(card, reply.asks) if reply.asks else None


def _left_out(order: BooksFrame) -> str:
    """Note on the sums of a line that are in no item."""
    return NOT_ON_CARD.format(sums="」「".join(order.items.left)) if order.items.left else ""


def _around(context: TaskContext) -> Situation:
    """Situation of a line with the members stored with its card."""
    situation = context.clause.situation
    members = known(context.open.slots.get(MEMBERS)) if context.open is not None else ()
    fresh = [one for one in members if all(one.user_id != other.user_id for other in situation.members)]
    return replace(situation, members=(*situation.members, *fresh)) if fresh else situation


def _stands_on(card: Batch[Entry], entry: Entry) -> bool:
    """True if the same repayment waits on the card."""
    return any(is_repayment(item.value.shares) and item.value.shares == entry.shares for item in card.pending)


def _with_notices(done: TaskResult, session: Session) -> TaskResult:
    if not session.notices:
        return done
    lines = [done.user_response, *session.notices] if done.user_response else session.notices
    return replace(done, user_response="\n".join(lines))


__all__ = ["AGENT", "BookKeeper", "answers"]
