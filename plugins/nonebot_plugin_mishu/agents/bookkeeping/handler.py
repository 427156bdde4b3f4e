"""Handler of the bookkeeping agent: records drafts to be confirmed, corrects, undoes, learns (product section
6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

from ...drafts import Batch
from ...language import Giving
from ...language.books.budgets import BudgetOrder
from ...language.clause import Situation
from ...language.entries.categories import Categories
from ...language.entries.entry import Entry, Person, foreign_of, kept_as_said, load_entry, spoken
from ...language.ledger.repayments.lending import lent
from ...language.ledger.repayments.repaying import (
    Debts,
    is_repayment,
    others_owed,
    paid_on,
    pays_back,
    repayment,
    settled,
)
from ...language.ledger.shares.participants import kept, known
from ...llm import ModelError
from ...storage.engine.errors import StorageError
from ...storage.journal.queries import CannotUndo
from ...storage.records import FrameRecord
from ...storage.transactions.budgets import BudgetRecord
from ..api.dispatch import TaskDispatch, TaskResult
from ..api.task_context import TaskContext
from ..api.undoing import Undoing
from ..drafting import BATCH, batch_of
from . import wording
from .books import AGENT, Books, Session, debts_of, entries_on
from .cards.claiming import ABROAD, CHOICE, MEMBERS, PROPOSED, SAID, WHO, answers
from .cards.payers import Around
from .frames import BooksFrame, Sharing, order_in, reply_in
from .queries import Queries
from .record_changes import DOES_NOT_FIT, GONE, LEFT_SO, RecordChanges
from .reports import entry_of
from .shares.settling import bill_called, repayments_of
from .shares.sharers import CREDITOR, asking_who, divided_among, divided_like, paid_in_parts, shared_with
from .shares.sharing import paid_by, treated, which

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
BY_MONTH: Final = "预算是按月算的，只这一次就说「不用」，要设成{month}{what}吗？"
NO_BUDGET: Final = "你还没设过预算，要设就说「这个月预算3000」。"
WHICH_BUDGET: Final = "没动，你设了{listed}，连名字一起说，像「餐饮预算加500」「不要餐饮预算了」。"
BUDGET_DROPPED: Final = "好，{what}（{sum}）不设了。要找回就说「撤销」。"
BUDGET_CHANGED: Final = "改好了：{what}{sum}（原来是{before}）。"
BUDGET_TOO_SMALL: Final = "{what}只有{sum}，减不了这么多，没动。不要了就说「不要预算了」。"
WHO_OWES: Final = "「{who}」是谁？还没记，连名字再说一遍，像「{told}」。"
QUITS: Final = "账上{one}和{other}之间没有没结的账。"
THEIRS_TO_SAY: Final = (
    "账上{giver}还欠{getter}{sum}，我没动。"
    "还了的话，{giver}说「和{getter}两清了」，或者{getter}说「{giver}还清了」就行。"
)
OWED_NOTHING: Final = "账上没有这笔欠账，给了多少钱？"
OWES_NOBODY: Final = "账上你没有欠谁。给了谁、多少，连名字一起说，像「给小王30」。"
NOBODY_OWES: Final = "账上没有人欠你。收了谁的、多少，连名字一起说，像「小王转我30」。"
GAVE_WHOM: Final = "给的是谁？账上你该给：{listed}。连名字和数一起说，像「还小王30」。"
GOT_OF: Final = "收到的是谁的？账上该给你的：{listed}。连名字一起说，像「小王还我30」。"
BILL: Final = "结的是「{thing}」{sum}那笔。"
BILL_EVEN: Final = "「{thing}」那笔你已经结清了。"
NO_BILL: Final = "账上没有找到你付过或者分过的「{thing}」。"
ASK_EXACT: Final = "大概的数我不记，具体是多少？"
ASK_ROUGH: Final = "大概的数我不记，像「{what}88元」这样说，{what}具体是多少？"
TREATED: Final = "{payer}请的，没花你的钱，我就不记了。"
BORNE: Final = "{who}出的钱，不算你的开销，我就不记了。要记就在后面加一句「先记上」。"
UNHEARD: Final = "账上还没有{giver}欠{getter}的账，记下后就算{getter}多收了{sum}。"
OVER: Final = "账上{giver}只欠{getter}{debt}，记下后就算{getter}多收了{rest}，数不对就说「改成{plain}」。"
OWED_BY_THEM: Final = (
    "账上是{getter}欠你{debt}，不是你欠{getter}，这笔只记成转账，不抵账。"
    "是{getter}给你的就说「取消」，再说「{getter}转我{plain}」。"
)
ONLY_SENT: Final = "账上你没有欠{getter}的，这笔只记成转账，不抵账。"
SETTLED_ALREADY: Final = "今天已经记过{giver}还{getter}{sum}，没有再记。"
TOLD_BY_OTHER: Final = "「{row}」{owner}已经说过了，{owner}回「确认」就抵账，不用再记一遍。"
TOLD_BEFORE: Final = "那天已经有一笔一样的了，说的是同一笔就回「取消」。"
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


@dataclass(frozen=True, slots=True)
class MemberPayment:
    """Payment between two members, with a note for the reply."""

    entry: Entry
    note: str = ""
    more: tuple[Entry, ...] = ()
    """Further payments of the same kind, with other members"""


@dataclass
class BookKeeper:
    """Handler of the agent."""

    books: Books
    queries: Queries
    undoing: Undoing

    @property
    def changes(self) -> RecordChanges:
        """Changes of saved records."""
        return RecordChanges(self.books)

    async def __call__(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """Execute a line. A storage failure is reported to the member."""
        try:
            return await self._do(dispatch, context)
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

    async def _do(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        categories = Categories(await self.books.storage.transactions.words.load_words(context.conversation))
        task, order = dispatch.task_id, order_in(context.frame)
        session = Session(self.books, categories, context.now)
        moved = await self._moved(order, [Entry(0, day=context.now.date())], context, session)
        session.moved = moved.entry if moved is not None and not moved.more else None
        session.share = lambda text, entries: (
            [moved.entry]
            if moved is not None and len(entries) == 1
            else self._shared(self.books.sharing(text, _around(context)), entries, context) or entries
        )
        others = () if not context.conversation.is_group else _around(context).members
        session.around = Around((context.actor.user_id, context.actor.name), others)
        if context.open is not None:
            slots = context.open.slots
            if slots.get(BATCH):
                out = reply_in(context.frame).out
                if out is not None and context.actor.user_id != context.open.user_id:
                    return await self.changes.out_of_card(task, context, session, out)
                if (shown := batch_of(slots, load_entry)) is not None:
                    session.before = {item.number: item.value for item in shown.items}
                if (rough := reply_in(context.frame).rough) and (card := batch_of(slots, load_entry)):
                    context.keep_until = card.expires_at
                    asked = ASK_ROUGH.format(what=rough)
                    return TaskResult(task, "awaiting_user", user_response=asked)
                if order.lending is not None and (order.lending.fen or 0) >= ABSURD and shown is not None:
                    context.keep_until = shown.expires_at
                    told = ABSURDLY_MUCH.format(sum=spoken(order.lending.fen or 0))
                    return TaskResult(task, "awaiting_user", user_response=told)
                if (asked := reply_in(context.frame).asks) and (card := batch_of(slots, load_entry)):
                    context.keep_until = card.expires_at
                    return TaskResult(task, "awaiting_user", user_response=wording.told_of(card, asked))
                beside = await self.changes.change_other(task, context, session)
                if beside is not None:
                    return beside
                if (
                    moved is not None
                    and (card := batch_of(slots, load_entry))
                    and _stands_on(card, moved.entry)
                ):
                    context.keep_until = card.expires_at
                    said = ON_CARD.format(row=wording.row(moved.entry, context.now.date()))
                    return TaskResult(task, "awaiting_user", user_response=said)
                return _with_notices(await session.runner().hear(dispatch, context), session)
            if slots.get(PROPOSED):
                return await self._agreed(task, context, slots[PROPOSED])
            if slots.get(WHO):
                return await self._completed(dispatch, context, session)
            if slots.get(CHOICE):
                return await self.changes.chosen(task, context, session, slots[CHOICE])
            if slots.get(ABROAD):
                done = await self._record(dispatch, context, session, order)
                return replace(done, slots_update={ABROAD: None, **done.slots_update})
            if slots.get(SAID):
                return await self._record(dispatch, context, session, order)
        writes = order.lesson or order.budget or order.intent == "correct"
        if context.needs_yes and writes and order.guessed:
            return TaskResult(task, "canceled", user_response=NOT_SURE)
        if order.lesson is not None:
            return await self._learn(task, context, *order.lesson)
        if order.budget is not None:
            return await self._budget(task, context, order.budget)
        if order.quits is not None:
            return await self._quits(task, context, *order.quits)
        match order.intent:
            case "query" if order.query is not None:
                return await self.queries.answer(task, context, order.query)
            case "correct":
                return await self.changes.correct(task, context, session, order.correction)
            case "undo":
                return await self._undo(task, context)
            case _:
                return await self._record(dispatch, context, session, order)

    async def _record(
        self, dispatch: TaskDispatch, context: TaskContext, session: Session, order: BooksFrame
    ) -> TaskResult:
        order = await self._as_last(order, context)
        text, items = order.text, order.items
        if (debt := order.lending) is not None and not debt.other.user_id:
            said = _asked_whose(debt.other.name, debt.fen or 0, mine=debt.mine)
            return TaskResult(dispatch.task_id, "canceled", user_response=said)
        if order.borne:
            said = BORNE.format(who=order.borne)
            return TaskResult(dispatch.task_id, "canceled", user_response=said)
        if order.dropped:
            if order.of_some or order.differs:
                said = (
                    OF_WHICH.format(said=order.of_some)
                    if order.of_some
                    else DIFFERS.format(said=order.differs)
                )
                return TaskResult(dispatch.task_id, "canceled", user_response=said)
            if order.told_before:
                return TaskResult(dispatch.task_id, "canceled", user_response=TOLD_ALREADY)
            later = REPEATS if order.repeats else PLANNED if order.planned else NOT_SPENT
            said = later.format(text=order.repeats or order.planned)
            return TaskResult(dispatch.task_id, "canceled", user_response=said)
        if items.foreign:
            told = self.books.converted(order, context.clause.situation)
            if told is None:
                return self._ask_rate(dispatch, order)
            order, text, items = told, told.text, told.items
        entries = items.entries
        if not items.sure and self.books.model.online:
            # The model's reading is shown on the card; if it fails, the rules' own.
            try:
                deadline = context.deadline.earlier(self.books.decide_timeout)
                entries = await session.by_model(text, context, deadline) or entries
            except ModelError:
                pass
        treats = order.sharing.treat and order.sharing.payer is None and order.points_at_sum
        if treats and len(entries) == 1 and context.conversation.is_group:
            found = await self.changes.treats_saved(dispatch.task_id, context, entries[0])
            if found is not None:
                return found
        if (waits := await self._told_by_other(order, context)) is not None:
            return TaskResult(dispatch.task_id, "completed", user_response=waits)
        moved = await self._moved(order, entries, context, session)
        paid_back = moved.entry if moved is not None else None
        if paid_back is None and (nobody := await self._to_whom(order, context)) is not None:
            return TaskResult(dispatch.task_id, "completed", user_response=nobody)
        if (
            paid_back is None
            and (unknown := await self._unknown_getter(dispatch, order, context)) is not None
        ):
            return unknown
        if paid_back is None and not entries and order.sharing.split:
            last = await self.changes.divided_last(dispatch.task_id, context, order)
            if last is not None:
                return last
        if paid_back is None and not entries:
            if items.too_much:
                return TaskResult(dispatch.task_id, "canceled", user_response=TOO_MUCH)
            if order.settles and (told := await self._settled_already(order, context)) is not None:
                return TaskResult(dispatch.task_id, "completed", user_response=told)
            asked = OWED_NOTHING if order.settles and context.conversation.is_group else ASK_AMOUNT
            return TaskResult(
                dispatch.task_id, "awaiting_user", {SAID: text}, ("amount",), user_response=asked
            )
        if paid_back is None and (order.mixed or (items.left and order.sharing.shared)):
            said = MIXED_UP.format(sums="」「".join(order.mixed or items.left))
            return TaskResult(dispatch.task_id, "canceled", user_response=said)
        if paid_back is None and (outcome := self._open(dispatch, order, entries, context)) is not None:
            return outcome
        if paid_back is None and items.about:
            return self._about(dispatch, order)
        if order.lending is not None and any(entry.fen >= ABSURD for entry in entries):
            told = ABSURDLY_MUCH.format(sum=spoken(entries[0].fen))
            return TaskResult(dispatch.task_id, "canceled", user_response=told)
        shared = self._shared_by(order, entries, context) if moved is None else [moved.entry, *moved.more]
        if shared is None:
            return TaskResult(dispatch.task_id, "canceled", user_response=DOES_NOT_FIT)
        told = await self.changes.replaced(context, order.instead) if order.instead is not None else ""
        opened = await session.runner().open(dispatch, context, list(shared), text)
        if told:
            opened = replace(opened, user_response=f"{told}\n{opened.user_response}")
        note = await self._beside_card(order, shared, context) if moved is None else moved.note
        if note:
            opened = replace(opened, user_response=f"{opened.user_response}\n{note}")
        here = {MEMBERS: kept(context.clause.situation.members)} if context.conversation.is_group else {}
        return replace(opened, slots_update={**opened.slots_update, **here, SAID: None, WHO: None})

    async def _as_last(self, order: BooksFrame, context: TaskContext) -> BooksFrame:
        """Order with the sharers, and the parts that it leaves open, of the speaker's last bill, where it is
        divided so too (也六四 他六)."""
        said, me = order.sharing, (context.actor.user_id, context.actor.name)
        if not said.alike or said.among.named or order.sharings or not context.conversation.is_group:
            return order
        records = await self.books.divided(context.conversation, context.clause.situation.members)
        last = next((one for each in reversed(records) if shared_with(me[0], one := entry_of(each))), None)
        return order if last is None else replace(order, sharing=divided_like(said, last, me))

    async def _beside_card(self, order: BooksFrame, entries: Sequence[Entry], context: TaskContext) -> str:
        """Note on what a card does not do: sums left out, money that settles nothing."""
        return _left_out(order) or await self._only_sent(order, entries, context)

    async def _only_sent(self, order: BooksFrame, entries: Sequence[Entry], context: TaskContext) -> str:
        """Note on money sent to a member without a debt."""
        said = next(iter(order.givings), None)
        plain = len(entries) == 1 and entries[0].type == "TRANSFER" and not entries[0].shares
        if said is None or not plain or not said.mine or len(said.who.ids) != 1:
            return ""
        members = context.clause.situation.members
        name = next((one.name for one in members if one.user_id == said.who.ids[0]), said.who.text)
        debt = (await self._debts(context)).of(said.who.ids[0], context.actor.user_id)
        if debt:  # 那20我转阿凯了, where 阿凯 owes the speaker
            plain = spoken(entries[0].fen).removesuffix("元")
            return OWED_BY_THEM.format(getter=name, debt=spoken(debt), plain=plain)
        return ONLY_SENT.format(getter=name)

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
        moved = await self._moved(order, entries, context, session)
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

    async def _moved(
        self, order: BooksFrame, entries: Sequence[Entry], context: TaskContext, session: Session
    ) -> MemberPayment | None:
        """Payment between the speaker and one member: repayment or loan; None for any other line."""
        found = await self._repaid(order, entries, context)
        if found is not None:
            return found
        lent_out = self._lent(order, entries, context, session)
        return None if lent_out is None else MemberPayment(lent_out)

    async def _repaid(
        self, order: BooksFrame, entries: Sequence[Entry], context: TaskContext
    ) -> MemberPayment | None:
        """Repayment of a recorded debt; None for any other line."""
        whole = not entries and order.settles
        if whole and order.settlements and order.settlements[0].bill:
            return await self._bill_evened(order.settlements[0], context)
        if order.each_giving and len(order.each_giving) == len(entries):
            return await self._repaid_to_each(order, entries, context)
        if not context.conversation.is_group or not (whole or (entries and order.givings)):
            return None
        debts = await self._debts(context)
        mentions = [(each.user_id, each.name) for each in context.clause.situation.mentions]
        speaker = (context.actor.user_id, context.actor.name)
        if entries:  # 先还小李100 剩下的下个月: the repayment is today
            entries = [replace(entries[0], day=min(entries[0].day, context.now.date())), *entries[1:]]
        if whole:
            # Of what is saved; of what waits on cards only where nothing else is owed.
            known, day = await self._debts(context, waiting=False), context.now.date()
            entry = settled(order.settlements, speaker, mentions, known, day)
            entry = entry or settled(order.settlements, speaker, mentions, debts, day)
        else:
            entry = repayment(order.givings, entries[0], speaker, mentions, debts)
        if entry is None:
            return None
        giver, getter = entry.shares
        if (giver.user_id, getter.user_id, entry.fen, entry.day) in debts.paid:
            return MemberPayment(entry, TOLD_BEFORE)
        debt = debts.of(giver.user_id, getter.user_id)
        if debt and (rest := debts.over(giver.user_id, getter.user_id, entry.fen)):
            plain = spoken(debt).removesuffix("元")
            over = {"debt": spoken(debt), "rest": spoken(rest), "plain": plain}
            return MemberPayment(entry, OVER.format(giver=giver.name, getter=getter.name, **over))
        if debt:
            return MemberPayment(entry)
        note = UNHEARD.format(giver=giver.name, getter=getter.name, sum=spoken(entry.fen))
        return MemberPayment(entry, note)

    async def _repaid_to_each(
        self, order: BooksFrame, entries: Sequence[Entry], context: TaskContext
    ) -> MemberPayment:
        """Payments to several members: what is owed is repaid, the rest merely sent."""
        debts = await self._debts(context)
        speaker = (context.actor.user_id, context.actor.name)
        found = [
            repayment(said, entry, speaker, (), debts) or entry
            for said, entry in zip(order.each_giving, entries, strict=True)
        ]
        sent = [
            each.description.removeprefix("转给")
            for each in found
            if each.type == "TRANSFER" and not each.shares
        ]
        note = ONLY_SENT.format(getter="、".join(sent)) if sent else ""
        return MemberPayment(found[0], note, tuple(found[1:]))

    async def _quits(self, task: str, context: TaskContext, one: Person, other: Person) -> TaskResult:
        """What is open between two others who are said to be quits; who paid says so themselves."""
        debts = await self._debts(context)
        fen = debts.between_two(one[0], other[0])
        names = {"one": one[1], "other": other[1]}
        if not fen:
            return TaskResult(task, "completed", user_response=QUITS.format(**names))
        giver, getter = (one, other) if fen > 0 else (other, one)
        said = THEIRS_TO_SAY.format(giver=giver[1], getter=getter[1], sum=spoken(abs(fen)))
        return TaskResult(task, "completed", user_response=said)

    async def _settled_already(self, order: BooksFrame, context: TaskContext) -> str | None:
        """Reply where the payment that a line tells without a sum is in the books since today."""
        me, day = context.actor.user_id, context.now.date()
        debts = await self._debts(context)
        for said in order.settlements:
            for giver, getter, fen, paid_day in debts.paid:
                two = (giver, getter) if said.mine else (getter, giver)
                if paid_day == day and two[0] == me and two[1] in said.who.ids:
                    names = (debts.names.get(giver, ""), debts.names.get(getter, ""))
                    return SETTLED_ALREADY.format(giver=names[0], getter=names[1], sum=spoken(fen))
        return None

    async def _bill_evened(self, evened: Giving, context: TaskContext) -> MemberPayment | None:
        """Repayments that settle one bill, with one member alone where one is named; None where nobody owes
        anything for it."""
        bill = await self._bill(evened.bill, context)
        me = (context.actor.user_id, context.actor.name)
        found = repayments_of(bill, me, await self._debts(context), context.now.date())
        if evened.who.text:
            ids = evened.who.ids
            found = [each for each in found if any(one.user_id in ids for one in each.shares)]
        if not found:
            return None
        said = bill[0].description
        note = BILL.format(thing=said, sum=spoken(sum(each.fen for each in bill)))
        return MemberPayment(found[0], note, tuple(found[1:]))

    async def _bill(self, thing: str, context: TaskContext) -> list[Entry]:
        records = await self.books.divided(context.conversation, context.clause.situation.members)
        return bill_called(thing, [entry_of(each) for each in records], context.actor.user_id)

    async def _to_whom(self, order: BooksFrame, context: TaskContext) -> str | None:
        """Question about the other side of a repayment (我也还了42, several creditors); None if not
        needed."""
        said = next(iter((*order.settlements, *order.givings)), None)
        if said is not None and said.bill:
            even = await self._bill(said.bill, context)
            return (BILL_EVEN if even else NO_BILL).format(thing=said.bill)
        alone = not context.clause.situation.mentions and context.conversation.is_group
        if said is not None and alone and said.pronoun:
            return _asked_whom(said)
        if said is None or said.who.text or not said.back or context.clause.situation.mentions:
            return None
        if not context.conversation.is_group:
            return None
        debts = await self._debts(context)
        owed = others_owed(debts, context.actor.user_id, mine=said.mine)
        if not owed and said.amount is None:
            return OWES_NOBODY if said.mine else NOBODY_OWES
        if len(owed) < 2:
            return None
        listed = "、".join(f"{debts.names.get(user, '某人')}{spoken(fen)}" for user, fen in owed.items())
        return (GAVE_WHOM if said.mine else GOT_OF).format(listed=listed)

    async def _unknown_getter(
        self, dispatch: TaskDispatch, order: BooksFrame, context: TaskContext
    ) -> TaskResult | None:
        """Question about an unknown creditor (先转了100给亮哥), if the speaker owes somebody."""
        said = next(iter(order.givings), None)
        situation = context.clause.situation
        if said is None or not said.mine or not said.who.text or said.who.ids or situation.mentions:
            return None
        if order.sharing.creditor or not context.conversation.is_group:
            return None
        debts = await self._debts(context)
        known = any(name.lower() == said.who.text for name in debts.names.values())
        if known or not others_owed(debts, context.actor.user_id, mine=True):
            return None
        who = {
            "text": order.text,
            "at": context.now.timestamp(),
            "members": kept(situation.members),
            "mentions": [],
            "kind": "creditor",
        }
        question = CREDITOR.format(who=said.who.text)
        slots = {WHO: who, SAID: None}
        return TaskResult(dispatch.task_id, "awaiting_user", slots, ("participants",), user_response=question)

    async def _told_by_other(self, order: BooksFrame, context: TaskContext) -> str | None:
        """Reply to a payment that waits on the other's own card (月月 told it, and 收到月月的钱了): it is not
        recorded twice; None for any other line."""
        me, said = context.actor.user_id, (*order.settlements, *order.givings)
        if not said or not context.conversation.is_group:
            return None
        mentioned = tuple(each.user_id for each in context.clause.situation.mentions)
        for frame in await self.books.waiting(context.conversation):
            card = batch_of(frame.slots, load_entry)
            if card is None or card.owner == me or self.books.wall() >= card.expires_at:
                continue
            for entry in (item.value for item in card.pending if pays_back(item.value)):
                two = tuple(share.user_id for share in entry.shares)
                if me in two and any(_is_told(each, entry, me, mentioned) for each in said):
                    owner = next(share.name for share in entry.shares if share.user_id != me)
                    row = f"{entry.description}{spoken(entry.fen)}"
                    return TOLD_BY_OTHER.format(row=row, owner=owner)
        return None

    async def _debts(self, context: TaskContext, *, waiting: bool = True) -> Debts:
        """Debts by saved records and, with `waiting`, by all waiting cards."""
        cards = entries_on(await self.books.waiting(context.conversation))
        on_cards = [entry for entry in cards if waiting and not pays_back(entry)]
        members = context.clause.situation.members
        records = await self.books.divided(context.conversation, members)
        debts = debts_of(records, on_cards)
        names = {one.user_id: one.name for one in members}
        entries = [*(entry_of(record) for record in records), *cards]
        return replace(debts, names={**names, **debts.names}, paid=paid_on(entries))

    def _lent(
        self, order: BooksFrame, entries: Sequence[Entry], context: TaskContext, session: Session
    ) -> Entry | None:
        """Loan between the speaker and one member; None for any other line."""
        said, actor = order.lending, context.actor
        if said is None or len(entries) != 1 or said.other.user_id in ("", actor.user_id):
            return None
        # 先帮老王垫200 他下月还: the coming day is the repayment's.
        day = min(entries[0].day, context.now.date())
        entry = replace(entries[0], fen=entries[0].fen if said.fen is None else said.fen, day=day)
        return lent(said, entry, (actor.user_id, actor.name), session.categories)

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
        for entry, shared in zip(entries, which(said.parts, len(entries)), strict=True):
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

    async def _budget(self, task: str, context: TaskContext, order: BudgetOrder) -> TaskResult:
        if order.change != "set":
            return await self._budget_changed(task, context, order)
        what = f"{order.category or '总'}预算{spoken(order.fen)}"
        month = f"{int(order.month[5:])}月" if order.month else "每月"
        if not order.monthly:
            told = {"category": order.category, "month": order.month, "fen": order.fen}
            return TaskResult(
                task,
                "awaiting_user",
                {PROPOSED: {"budget": told}},
                ("yes",),
                user_response=BY_MONTH.format(month=month, what=what),
            )
        await self.books.storage.transactions.budgets.set_budget(
            context.conversation,
            context.actor.user_id,
            BudgetRecord(order.category, order.month, order.fen),
            f"{month}{what}",
            self.books.wall(),
        )
        context.acted("record", {"budget": order.category, "fen": order.fen, "month": order.month}, {})
        said = f"记下了：{month}{what}。用到80%和100%时我会提醒你。"
        return TaskResult(task, "completed", user_response=said)

    async def _budget_changed(self, task: str, context: TaskContext, order: BudgetOrder) -> TaskResult:
        """Raise, lower or drop the one budget that is meant; nothing where none or several are."""
        budgets, user = self.books.storage.transactions.budgets, context.actor.user_id
        kept = await budgets.list_budgets(context.conversation, user, f"{context.now:%Y-%m}")
        found = [each for each in kept if each.category == order.category]
        if not found and not order.category and len(kept) == 1:
            found = kept
        if not found:
            several = [f"{each.category or '总'}预算{spoken(each.fen)}" for each in kept]
            said = WHICH_BUDGET.format(listed="、".join(several)) if several else NO_BUDGET
            return TaskResult(task, "completed", user_response=said)
        before, at = found[0], self.books.wall()
        month = f"{int(before.month[5:])}月" if before.month else "每月"
        what = f"{month}{before.category or '总'}预算"
        if order.change == "drop":
            place = (context.conversation, user, before.category, before.month)
            if not await budgets.remove(*place, f"不要{what}", at):
                return TaskResult(task, "canceled", user_response=NO_BUDGET)
            context.acted("record", {"budget": before.category, "month": before.month}, {"deleted": True})
            said = BUDGET_DROPPED.format(what=what, sum=spoken(before.fen))
            return TaskResult(task, "completed", user_response=said)
        by = order.fen if order.change == "more" else -order.fen
        fen = before.fen + by
        if before.origin == context.origin:  # done before a kill: 预算加500 is no 1000
            said = BUDGET_CHANGED.format(what=what, sum=spoken(before.fen), before=spoken(before.fen - by))
            return TaskResult(task, "completed", user_response=said)
        if fen <= 0:
            said = BUDGET_TOO_SMALL.format(what=what, sum=spoken(before.fen))
            return TaskResult(task, "canceled", user_response=said)
        record = BudgetRecord(before.category, before.month, fen, context.origin)
        await budgets.set_budget(context.conversation, user, record, f"{what}{spoken(fen)}", at)
        context.acted("record", {"budget": before.category, "fen": fen, "month": before.month}, {})
        said = BUDGET_CHANGED.format(what=what, sum=spoken(fen), before=spoken(before.fen))
        return TaskResult(task, "completed", user_response=said)

    async def _undo(self, task: str, context: TaskContext) -> TaskResult:
        try:
            undone = await self.undoing.undo(context)
        except CannotUndo as refusal:
            return TaskResult(task, "completed", user_response=str(refusal))
        if undone is None:
            again = "刚撤销的找不回来，要就重新说一遍。" if "恢复" in context.text else ""
            nothing = f"最近10分钟没有可以撤销的。{again}"
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
            done = await self._budget(task, context, BudgetOrder(**what["budget"]))
        else:
            records = await self.books.paid_by(context.conversation, context.actor.user_id)
            records = [*records, *await self.changes.recent(context)]
            record = next((each for each in records if each.id == what["id"]), None)
            if record is None:
                return TaskResult(task, "canceled", {PROPOSED: None}, user_response=GONE)
            entry = load_entry(what["entry"])
            done = await self.changes.amend(task, context, record.id, entry_of(record), entry)
        return replace(done, slots_update={**done.slots_update, PROPOSED: None})


def _is_told(said: Giving, entry: Entry, me: str, mentioned: Sequence[str]) -> bool:
    """True if a payment in a line may be the repayment of an entry."""
    giver, getter = (share.user_id for share in entry.shares)
    if said.bill or said.mine != (giver == me):
        return False
    other = getter if said.mine else giver
    named = bool(said.who.text) or bool(mentioned)
    if named and other not in (*said.who.ids, *mentioned):
        return False
    return said.amount is None or said.amount.fen == entry.fen


def _asked_whom(said: Giving) -> str:
    """Question for who is meant by 他 in a payment."""
    plain = spoken(said.amount.fen).removesuffix("元") if said.amount is not None and said.amount.fen else ""
    return WHO_OWES.format(who=said.who.text, told=f"还小王{plain}" if said.mine else f"小王还我{plain}")


def _asked_whose(who: str, fen: int, *, mine: bool) -> str:
    """Question for who is meant by 他 in a debt."""
    plain = spoken(fen).removesuffix("元")
    return WHO_OWES.format(who=who, told=f"小王欠我{plain}" if mine else f"我欠小王{plain}")


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
