"""Payments between members: repayments of recorded debts, loans, money that settles nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...language import Giving
from ...language.entries.categories import Categories
from ...language.entries.entry import Entry, Person, load_entry, spoken
from ...language.ledger.repayments.lending import lent
from ...language.ledger.repayments.repaying import (
    Debts,
    others_owed,
    paid_on,
    pays_back,
    repayment,
    settled,
)
from ...language.ledger.shares.participants import kept
from ..api.dispatch import TaskDispatch, TaskResult
from ..api.task_context import TaskContext
from ..drafting import batch_of
from .books import Books, debts_of, entries_on
from .cards.claiming import SAID, WHO
from .frames import BooksFrame
from .reports import entry_of
from .shares.settling import bill_called, repayments_of
from .shares.sharers import CREDITOR

WHO_OWES: Final = "「{who}」是谁？还没记，连名字再说一遍，像「{told}」。"
QUITS: Final = "账上{one}和{other}之间没有没结的账。"
THEIRS_TO_SAY: Final = (
    "账上{giver}还欠{getter}{sum}，我没动。"
    "还了的话，{giver}说「和{getter}两清了」，或者{getter}说「{giver}还清了」就行。"
)
OWES_NOBODY: Final = "账上你没有欠谁。给了谁、多少，连名字一起说，像「给小王30」。"
NOBODY_OWES: Final = "账上没有人欠你。收了谁的、多少，连名字一起说，像「小王转我30」。"
GAVE_WHOM: Final = "给的是谁？账上你该给：{listed}。连名字和数一起说，像「还小王30」。"
GOT_OF: Final = "收到的是谁的？账上该给你的：{listed}。连名字一起说，像「小王还我30」。"
BILL: Final = "结的是「{thing}」{sum}那笔。"
BILL_EVEN: Final = "「{thing}」那笔你已经结清了。"
NO_BILL: Final = "账上没有找到你付过或者分过的「{thing}」。"
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


@dataclass(frozen=True, slots=True)
class MemberPayment:
    """Payment between two members, with a note for the reply."""

    entry: Entry
    note: str = ""
    more: tuple[Entry, ...] = ()
    """Further payments of the same kind, with other members"""


@dataclass
class MemberPayments:
    """Reads payments between the speaker and members against the books. Raises `StorageError`."""

    books: Books

    async def find(
        self, order: BooksFrame, entries: Sequence[Entry], context: TaskContext, categories: Categories
    ) -> MemberPayment | None:
        """Payment between the speaker and one member: repayment or loan; None for any other line."""
        found = await self._repaid(order, entries, context)
        if found is not None:
            return found
        lent_out = _loan(order, entries, context, categories)
        return None if lent_out is None else MemberPayment(lent_out)

    async def quits(self, task: str, context: TaskContext, one: Person, other: Person) -> TaskResult:
        """What is open between two others who are said to be quits; who paid says so themselves."""
        debts = await self._debts(context)
        fen = debts.between_two(one[0], other[0])
        names = {"one": one[1], "other": other[1]}
        if not fen:
            return TaskResult(task, "completed", user_response=QUITS.format(**names))
        giver, getter = (one, other) if fen > 0 else (other, one)
        said = THEIRS_TO_SAY.format(giver=giver[1], getter=getter[1], sum=spoken(abs(fen)))
        return TaskResult(task, "completed", user_response=said)

    async def told_before(self, order: BooksFrame, context: TaskContext) -> str | None:
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

    async def told_by_other(self, order: BooksFrame, context: TaskContext) -> str | None:
        """Reply to a payment that waits on the other's own card (月月 told it, and 收到月月的钱了): it is not
        recorded twice; None for any other line."""
        me, said = context.actor.user_id, (*order.settlements, *order.givings)
        if not said or not context.conversation.is_group:
            return None
        mentioned = tuple(each.user_id for each in context.clause.situation.mentions)
        for frame in await self.books.waiting_tasks(context.conversation):
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

    async def ask_recipient(self, order: BooksFrame, context: TaskContext) -> str | None:
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

    async def ask_creditor(
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

    async def note_unowed(self, order: BooksFrame, entries: Sequence[Entry], context: TaskContext) -> str:
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
        records = await self.books.shared_records(context.conversation, context.clause.situation.members)
        return bill_called(thing, [entry_of(each) for each in records], context.actor.user_id)

    async def _debts(self, context: TaskContext, *, waiting: bool = True) -> Debts:
        """Debts by saved records and, with `waiting`, by all waiting cards."""
        cards = entries_on(await self.books.waiting_tasks(context.conversation))
        on_cards = [entry for entry in cards if waiting and not pays_back(entry)]
        members = context.clause.situation.members
        records = await self.books.shared_records(context.conversation, members)
        debts = debts_of(records, on_cards)
        names = {one.user_id: one.name for one in members}
        entries = [*(entry_of(record) for record in records), *cards]
        return replace(debts, names={**names, **debts.names}, paid=paid_on(entries))


def _loan(
    order: BooksFrame, entries: Sequence[Entry], context: TaskContext, categories: Categories
) -> Entry | None:
    """Loan between the speaker and one member; None for any other line."""
    said, actor = order.lending, context.actor
    if said is None or len(entries) != 1 or said.other.user_id in ("", actor.user_id):
        return None
    # 先帮老王垫200 他下月还: the coming day is the repayment's.
    day = min(entries[0].day, context.now.date())
    entry = replace(entries[0], fen=entries[0].fen if said.fen is None else said.fen, day=day)
    return lent(said, entry, (actor.user_id, actor.name), categories)


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


def asked_whose(who: str, fen: int, *, mine: bool) -> str:
    """Question for who is meant by 他 in a debt."""
    plain = spoken(fen).removesuffix("元")
    return WHO_OWES.format(who=who, told=f"小王欠我{plain}" if mine else f"我欠小王{plain}")
