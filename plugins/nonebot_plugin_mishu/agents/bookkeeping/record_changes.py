"""Changes of saved records: correction, deletion, division, waived shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ...drafts import dump
from ...language.books.pointing import called
from ...language.entries.entry import Entry, Person, dump_entry, entry_json, load_entry, spoken
from ...language.ledger.repayments.repaying import is_repayment, others_owed
from ...language.ledger.shares.participants import kept
from ...storage.transactions.queries import TransactionRecord
from ..api.dispatch import TaskResult
from ..api.task_context import TaskContext
from ..drafting import BATCH, batch_of
from . import saved_records, wording
from .books import Books, Session, debts_of, entries_on
from .cards.claiming import CHOICE, PROPOSED, WHO
from .cards.payers import with_payer
from .frames import BooksFrame, RecordCorrection, Sharing, order_in, reply_in
from .reports import entry_of
from .shares.sharers import asking_who, divided_among, divided_like, shared_with
from .shares.sharing import treated, with_share_taken_over
from .shares.staying_out import (
    bills_with_member,
    find_bills,
    name_of,
    open_to_sharers,
    with_members,
    without_member,
)

NOTHING_OF: Final = "最近一天没有{sum}的账。"
TAKEN: Final = "改好了：{row}。"
TAKE: Final = "「{what}」里{who}那份{part}算你的，对吗？"
WAIVE: Final = "「{what}」里{who}那份{part}不要了，算你的，对吗？"
TREAT: Final = "「{what}」都算你的，别人不用给了，对吗？"
TREATED_SO: Final = "好，{row}，没算别人的。"
ON_CARD_STILL: Final = "「{name}」还没记下，不分了就对着那张账单说「不是AA 我请客」。"
NOT_YOURS: Final = "「{what}」是{payer}付的，没动。要替谁出就说「小王那份我出」。"
WAIVE_REST: Final = "「{what}」里{who}还差的{part}不要了，算你的，对吗？"
WHOSE_REST: Final = "谁的不要了？账上该给你的：{listed}。连名字一起说，像「小王剩下的不要了」。"
OWES_ONLY: Final = "账上{who}还差你{sum}，对不上，没动。连那笔的名字一起说一遍吧。"
NOBODY_OWES_YOU: Final = "账上没有人欠你。"
PAID_BY: Final = "「{what}」是{payer}付的，改成{row}，对吗？回「对」就改。"
OWES_NOTHING: Final = "账上没有{who}要给你的份。"
LEFT_SO: Final = "好，没改。"
PAID_ANEW: Final = "改好了：{row}（{who}记的，原来是{old}付的）。{who}觉得不对就说「{what}是{old}付的」。"
ON_CARD_PAID: Final = (
    "{what}还没记下，{owner}看一下：{me}说是{payer}付的。对就说「{plain}是{payer}付的」，"
    "回「确认」就还照原来的记。"
)
WHAT_OF_IT: Final = "{row}，哪里不对？像「改成30」这样说我就改，不要了就说「删掉」。"
ANOTHERS_CARD: Final = "{what}还在等{owner}确认，只有{owner}能改，让{owner}自己说一声就行。我没动它。"
NOTHING_SAVED: Final = "最近一天没找到你记的账。"
ONE_BY_ONE: Final = "记下的账一次删一笔，还没删，要删第几笔？"
NOT_CALLED: Final = "没找到叫「{name}」的账。"
NO_SUCH: Final = "没找到你说的那笔账。"
ONLY_OTHERS: Final = "最近一天你自己没有记过账。群里别人记的有这些，要改得记的人自己说："
LONGEST_NAME: Final = 12
MOST_OF_OTHERS: Final = 3
"""Most records of others shown if the speaker has none"""
_EVERYTHING: Final = frozenset("光全都所空")
"""Characters for a deletion of several records (记账删光)"""
UNCLEAR: Final = "没听清要改什么，请再说一次"
DOES_NOT_FIT: Final = "各人的份加起来和总数对不上，没记，再说一遍吧。"
JUST_NOW: Final = 600.0
"""Seconds in which a line with only sharers is about the last record"""
TAKE_OUT: Final = "要删掉这{count}吗？"
ONLY_SO_MANY: Final = "最近一天你记的账只有{count}笔，没删。"
OTHERS: Final = "「{what}」是{who}记的，让{who}自己来改吧。"
NOT_TWICE: Final = "没看到记了两遍的账，没删。"
NOT_TAKEN_OUT: Final = "没认出要删哪一笔，原来的账没动。"
LIKE_THAT: Final = "「{row}」本来就是这样。"
NOBODY_MISSING: Final = "最近一天你记的账里没有没记名的份。"
TOO_MANY: Final = "没记名的没那么多份，没改。"
NOT_GIVEN: Final = "最近一天的账上没有{giver}给你的。还差多少就问「{giver}欠我多少」。"
GIVERS_OWN: Final = "「{what}」是{who}记的，我没动，让{who}说一声「删掉{plain}那笔」就撤掉。"
GIVERS_SUM: Final = "「{what}」是{who}记的，我没动，让{who}说一声「那{plain}应该是{new}」就改过来。"
WHO_INSTEAD: Final = "没改，现在是{row}。要换人分就连名字一起说，像「我和小王AA」。"
GONE: Final = "那笔账已经不在了。"
OUT: Final = "好，不算你了：{row}。"
OUT_OF_CARD: Final = "好，不算你了：{row}。{owner}回「确认」就记下。"
OUT_OF_WHICH: Final = "你在这几笔里，是哪一笔不算你？带上名字再说一遍。"
OUT_OF_NOTHING: Final = "最近一天没有要你分的账。"
UNEVEN: Final = "「{what}」各人的份不一样多，让{owner}说一声怎么分吧，我没动它。"


_ME: Final = ("", "")
"""The speaker, as named in a line"""


@dataclass
class RecordChanges:
    """Changes of the speaker's saved records."""

    books: Books

    async def correct(
        self, task: str, context: TaskContext, session: Session, wanted: RecordCorrection
    ) -> TaskResult:
        """Change or delete the record that is meant; ask where several may be. Raises `StorageError`."""
        if wanted.stays_out is not None:
            return await self._out_of(task, context, wanted.stays_out)
        records = await self.recent(context)
        if wanted.payer == _ME:
            wanted = replace(wanted, payer=(context.actor.user_id, context.actor.name))
        done = await self._change_shares(task, context, session, wanted, records)
        if done is not None:
            return done
        if wanted.place:
            placed = self._at_place(task, context, session, wanted, records)
            if isinstance(placed, TaskResult):
                return placed
            if placed is not None:
                records, wanted = [placed], replace(wanted, last=True, name="")
        if (waits := await self._on_anothers_card(context, wanted, records)) is not None:
            return TaskResult(task, "completed", user_response=waits)
        found = saved_records.find_meant(replace(wanted, last=False) if wanted.repeated else wanted, records)
        if not found:
            return await self._not_found(task, context, wanted, records)
        return await self._change_meant(task, context, session, wanted, found, records)

    async def _change_shares(
        self,
        task: str,
        context: TaskContext,
        session: Session,
        wanted: RecordCorrection,
        records: Sequence[TransactionRecord],
    ) -> TaskResult | None:
        """Result of a correction that names what it is of by its members, or by a count of records; None for
        any other."""
        if wanted.payer is not None and (
            done := await self._paid_on_anothers(task, context, wanted, records)
        ):
            return done
        if wanted.waived is not None:
            return await self._waived(task, context, wanted.waived, wanted.name, takes=wanted.takes)
        if wanted.treats:
            return await self._treated(task, context, wanted.treats)
        if wanted.rest is not None:
            return await self._rest_waived(task, context, *wanted.rest)
        if wanted.unreceived is not None:
            return await self._unreceived(task, context, session, wanted, wanted.unreceived)
        if wanted.joins:
            return await self._joined(task, context, wanted.joins)
        if wanted.count is not None:
            return self._several(task, context, records[: wanted.count], wanted.count)
        if wanted.filled:
            return await self._filled(task, context, wanted, records)
        return None

    def _at_place(
        self,
        task: str,
        context: TaskContext,
        session: Session,
        wanted: RecordCorrection,
        records: Sequence[TransactionRecord],
    ) -> TransactionRecord | TaskResult | None:
        """Record at a place of the list last shown; a question where the line fits no one record, or says no
        change. None beyond the list."""
        alike = saved_records.find_named(wanted.words, records)
        one = self._listed(context, wanted.place, records)
        if alike and one not in alike[: len(alike) == 1]:
            one = self._of_its_name(context, wanted.place, alike)
            if one is None:
                return self._asked_which(task, context, wanted, alike, _which(wanted))
        if one is None:
            return None
        self.books.listed.note(context.conversation, context.actor.user_id, [one.id], self.books.wall())
        if not (wanted.removes or wanted.sharing or wanted.sole or wanted.payer):
            anew = saved_records.with_correction(
                wanted, one, session.categories, context.now, self.books.zone
            )
            if anew is None:
                row = wording.row(entry_of(one), now=context.now.date())
                return TaskResult(task, "completed", user_response=WHAT_OF_IT.format(row=row))
        return one

    async def _change_meant(
        self,
        task: str,
        context: TaskContext,
        session: Session,
        wanted: RecordCorrection,
        found: Sequence[TransactionRecord],
        records: Sequence[TransactionRecord],
    ) -> TaskResult:
        """Change the one record of those found that is meant; ask where several are left. `records`: all
        that the line may be about."""
        newest = self.books.listed.newest(context.conversation, context.actor.user_id, self.books.wall())
        if len(found) > 1 and newest is not None and not (wanted.repeated or wanted.name or wanted.old):
            # 改成18: the record just changed or shown
            found = [record for record in found if record.id == newest] or found
        if wanted.repeated:
            found = _alike(found)
            if len(found) < 2:
                return TaskResult(task, "completed", user_response=NOT_TWICE)
            return self._several(task, context, found[:1], 1)
        if len(found) == 1 and wanted.payer is not None:
            return self._paid_by(task, context, found[0], wanted.payer)
        everything = wanted.removes and _EVERYTHING.intersection(wanted.words)
        if len(found) > 1 and wanted.removes and (everything or "几笔" in wanted.words):
            named = saved_records.find_named(wanted.words, records)
            if len(named) == len(found):
                return self._several(task, context, named, len(named))
        if len(found) == 1 and wanted.sole is not None:
            return await self._borne_alone(task, context, session, found[0], wanted)
        if len(found) == 1 and wanted.sharing is not None:
            return await self._shared_after_all(task, context, found[0], wanted, wanted.sharing)
        if len(found) == 1 and not everything:
            return await self._change(task, context, session, found[0], wanted)
        return self._asked_which(task, context, wanted, found, ONE_BY_ONE if everything else _which(wanted))

    async def _out_of(self, task: str, context: TaskContext, thing: str) -> TaskResult:
        """Withdrawal of the speaker from a bill of any owner (火锅我没吃 别算我)."""
        me, today = context.actor.user_id, context.now.date()
        records = await bills_with_member(self.books.storage, context.conversation, me, context.now)
        cards = [
            entry
            for entry in entries_on(await self.books.waiting_tasks(context.conversation))
            if any(share.user_id == me and share.fen for share in entry.shares)
        ]
        found = find_bills(thing, [*(entry_of(each) for each in records), *cards])
        meant = [each for each in records if entry_of(each) in found]
        if not found:
            return TaskResult(task, "completed", user_response=OUT_OF_NOTHING)
        if len(found) > 1 or not meant or (context.partial and not thing):
            rows = [wording.row(each, today, me, now=today) for each in found]
            return TaskResult(task, "completed", user_response="\n".join([OUT_OF_WHICH, *rows]))
        before = entry_of(meant[0])
        entry = without_member(before, me)
        if entry is None:
            said = UNEVEN.format(what=name_of(before), owner=meant[0].user_name)
            return TaskResult(task, "completed", user_response=said)
        done = await self.books.change(meant[0].id, before, meant[0].user_id, entry, by=me)
        if done is None:
            return TaskResult(task, "canceled", user_response=GONE)
        context.acted("correct", {"id": meant[0].id}, entry_json(entry))
        row = wording.row(entry, today, me, now=today)
        return TaskResult(task, "completed", user_response=OUT.format(row=row))

    async def out_of_card(self, task: str, context: TaskContext, session: Session, thing: str) -> TaskResult:
        """Withdrawal from another member's open card, still to be confirmed by its owner."""
        card = batch_of(context.open.slots, load_entry) if context.open is not None else None
        if card is None:
            return TaskResult(task, "awaiting_user", user_response=GONE)
        context.keep_until = card.expires_at
        me = context.actor.user_id
        bears = [
            each for each in card.pending if any(one.user_id == me and one.fen for one in each.value.shares)
        ]
        meant = find_bills(thing, [each.value for each in bears])
        owner = _name_of(context, card.owner)
        if len(meant) != 1:
            rows = [wording.row(each.value, context.now.date()) for each in bears]
            return TaskResult(task, "awaiting_user", user_response="\n".join([OUT_OF_WHICH, *rows]))
        entry = without_member(meant[0], me)
        if entry is None:
            said = UNEVEN.format(what=name_of(meant[0]), owner=owner)
            return TaskResult(task, "awaiting_user", user_response=said)
        items = tuple(replace(one, value=entry) if one.value is meant[0] else one for one in card.items)
        changed = replace(card, items=items)
        slots = {BATCH: dump(changed, dump_entry), **open_to_sharers(changed)}
        said = OUT_OF_CARD.format(owner=owner, row=wording.row(entry, context.now.date()))
        return TaskResult(task, "awaiting_user", slots, user_response=said)

    def _asked_which(
        self,
        task: str,
        context: TaskContext,
        wanted: RecordCorrection,
        found: Sequence[TransactionRecord],
        question: str,
    ) -> TaskResult:
        """Question for one of the numbered records."""
        lines = [
            f"{number}. {wording.row(entry_of(record), now=context.now.date())}"
            for number, record in enumerate(found, 1)
        ]
        choice = {"ids": [record.id for record in found], "text": wanted.words}
        asked = "\n".join([question, *lines])
        return TaskResult(task, "awaiting_user", {CHOICE: choice}, ("item",), user_response=asked)

    async def _not_found(
        self,
        task: str,
        context: TaskContext,
        wanted: RecordCorrection,
        records: Sequence[TransactionRecord],
    ) -> TaskResult:
        """Reply for an unknown name (把灯泡那笔改成29.9), with the speaker's own records to choose from."""
        of_another = await self._of_another(context, wanted)
        if of_another is not None:
            return TaskResult(task, "completed", user_response=of_another)
        if records:
            name = wanted.name.strip()
            said = NOT_CALLED.format(name=name) if 0 < len(name) <= LONGEST_NAME else NO_SUCH
            said = NOTHING_OF.format(sum=spoken(wanted.old)) if wanted.old else said
            question = f"{said}最近一天你记的有这些，{_which(wanted)}"
            return self._asked_which(task, context, wanted, records, question)
        others = await self._others(context)
        if not others:
            return TaskResult(task, "completed", user_response=NOTHING_SAVED)
        rows = [
            f"{wording.row(entry_of(each), now=context.now.date())}（{each.user_name}记的）"
            for each in others
        ]
        return TaskResult(task, "completed", user_response="\n".join([ONLY_OTHERS, *rows]))

    def _of_its_name(
        self, context: TaskContext, place: int, alike: Sequence[TransactionRecord]
    ) -> TransactionRecord | None:
        """Record at a place among those of one name (打车第一个); None if the list last recorded or shown has
        not all of these, or the place is beyond them."""
        ids = self.books.listed.of(context.conversation, context.actor.user_id, self.books.wall())
        shown = [record for each in ids for record in alike if record.id == each]
        if len(shown) < len(alike) or not 0 < abs(place) <= len(shown):
            return alike[0] if len(alike) == 1 and abs(place) == 1 else None
        return shown[place - 1] if place > 0 else shown[place]

    def _listed(
        self, context: TaskContext, place: int, records: Sequence[TransactionRecord]
    ) -> TransactionRecord | None:
        """Record at a place of the list last recorded or shown."""
        ids = self.books.listed.of(context.conversation, context.actor.user_id, self.books.wall())
        if not 0 < abs(place) <= len(ids):
            return None
        wanted = ids[place - 1] if place > 0 else ids[place]
        return next((record for record in records if record.id == wanted), None)

    async def _on_anothers_card(
        self, context: TaskContext, wanted: RecordCorrection, own: Sequence[TransactionRecord]
    ) -> str | None:
        """Reply for a correction of another member's open card, if an item is named, or the speaker shares it
        and has no records; else None. Only its owner changes a card."""
        me = context.actor.user_id
        if not context.conversation.is_group:
            return None
        names = [each.fields.description for each in own]
        called_so = any(len(name) > 1 and name in wanted.words for name in names)
        for frame in await self.books.waiting_tasks(context.conversation):
            card = batch_of(frame.slots, load_entry)
            if card is None or card.owner == me or self.books.wall() >= card.expires_at:
                continue
            for item in card.pending:
                entry = item.value
                if not entry.shared:
                    continue  # another member's own item
                named = len(entry.description) > 1 and entry.description in wanted.words and not called_so
                shares = any(share.user_id == me for share in entry.shares) and not own
                if named or shares:
                    sharers = {share.user_id: share.name for share in entry.shares}
                    owner = sharers.get(card.owner) or _name_of(context, card.owner)
                    what = f"{entry.description or entry.category}{spoken(entry.fen)}"
                    return ANOTHERS_CARD.format(what=what, owner=owner)
        return None

    async def _paid_on_anothers(
        self,
        task: str,
        context: TaskContext,
        wanted: RecordCorrection,
        own: Sequence[TransactionRecord],
    ) -> TaskResult | None:
        """New payer of another member's bill (不对 停车是我付的): a saved one is changed with notice to all;
        the owner of an open card is asked. None if the speaker's own record is meant, or the payer does not
        concern them."""
        me, payer = context.actor, wanted.payer
        if payer is None or not payer[0] or not context.conversation.is_group:
            return None
        if not wanted.name and own:
            return None
        if any(called(wanted.name, [(0, entry_of(each))]) for each in own):
            return None

        def fits(entry: Entry) -> bool:
            on_it = {share.user_id for share in entry.shares}
            concerns = me.user_id in (payer[0], *(share.user_id for share in entry.shares[:1]))
            named = not wanted.name or called(wanted.name, [(0, entry)]) != []
            spent = entry.type == "EXPENSE" and not is_repayment(entry.shares)
            return spent and concerns and named and me.user_id in on_it

        if (asked := await self._asked_of_owner(context, payer, fits)) is not None:
            return TaskResult(task, "completed", user_response=asked)
        found = [each for each in await self._others(context) if fits(entry_of(each))]
        if len(found) != 1:
            return None
        record, before = found[0], entry_of(found[0])
        entry = replace(before, shares=with_payer(before, payer, (me.user_id, me.name)))
        row = wording.row(entry, speaker=me.user_id, now=context.now.date())
        if entry == before:
            return TaskResult(task, "completed", user_response=LIKE_THAT.format(row=row))
        if await self.books.change(record.id, before, record.user_id, entry, by=me.user_id) is None:
            return TaskResult(task, "canceled", user_response=GONE)
        context.acted("correct", {"id": record.id}, entry_json(entry))
        what = before.description or before.category
        told = {"who": record.user_name, "old": before.shares[0].name, "what": what}
        return TaskResult(task, "completed", user_response=PAID_ANEW.format(row=row, **told))

    async def _asked_of_owner(
        self, context: TaskContext, payer: Person, fits: Callable[[Entry], bool]
    ) -> str | None:
        """Question to the owner of the one open card with such an item; stored beside the card and repeated
        if it is saved unchanged."""
        for frame in await self.books.waiting_tasks(context.conversation):
            card = batch_of(frame.slots, load_entry)
            if card is None or card.owner == context.actor.user_id or self.books.wall() >= card.expires_at:
                continue
            found = [item for item in card.pending if fits(item.value)]
            if len(found) != 1 or found[0].value.shares[0].user_id == payer[0]:
                continue
            plain = found[0].value.description or found[0].value.category
            self.books.claims[card.id, found[0].number] = (context.actor.name, *payer)
            return ON_CARD_PAID.format(
                what=f"{plain}{spoken(found[0].value.fen)}",
                owner=_name_of(context, card.owner),
                me=context.actor.name,
                payer=payer[1],
                plain=plain,
            )
        return None

    async def _others(self, context: TaskContext) -> list[TransactionRecord]:
        """Recent shared records of other members, latest first."""
        if not context.conversation.is_group:
            return []
        me, since = context.actor.user_id, self.books.wall() - saved_records.WITHIN
        found = await self.books.shared_records(context.conversation)
        fresh = [each for each in found if each.user_id != me and each.created_at >= since]
        return fresh[: -MOST_OF_OTHERS - 1 : -1]

    def _paid_by(
        self, task: str, context: TaskContext, record: TransactionRecord, payer: Person
    ) -> TaskResult:
        """New payer (不是我付的 是小李): debts change, so only after a yes."""
        me, before = (context.actor.user_id, context.actor.name), entry_of(record)
        if not context.conversation.is_group or not payer[0] or before.type != "EXPENSE":
            return TaskResult(task, "completed", user_response=UNCLEAR)
        shares = with_payer(before, payer, me)
        entry = replace(before, shares=shares, shared=shares != ())
        row = wording.row(entry, now=context.now.date())
        if entry == before:
            return TaskResult(task, "completed", user_response=LIKE_THAT.format(row=row))
        said = PAID_BY.format(what=wording.brief(before), payer=payer[1], row=row)
        return self._proposed(task, {"id": record.id, "entry": dump_entry(entry)}, said)

    async def _of_another(self, context: TaskContext, wanted: RecordCorrection) -> str | None:
        """Reply for a correction naming another member's record."""
        if not context.conversation.is_group:
            return None
        me = context.actor.user_id
        for record in reversed(await self.books.shared_records(context.conversation)):
            what = record.fields.description
            fresh = self.books.wall() - record.created_at <= saved_records.WITHIN
            if fresh and record.user_id != me and len(what) > 1 and what in wanted.words:
                return OTHERS.format(what=what, who=record.user_name)
        return None

    def _several(
        self, task: str, context: TaskContext, records: Sequence[TransactionRecord], count: int
    ) -> TaskResult:
        """Deletion of the latest records after a yes (撤回刚才四笔)."""
        if len(records) < count:
            said = ONLY_SO_MANY.format(count=len(records)) if records else NOTHING_SAVED
            return TaskResult(task, "completed", user_response=said)
        lines = [wording.row(entry_of(record), now=context.now.date()) for record in records]
        numbered = [f"{number}. {line}" for number, line in enumerate(lines, 1)] if count > 1 else lines
        question = "\n".join([TAKE_OUT.format(count=f"{count}笔" if count > 1 else "一笔"), *numbered])
        return self._proposed(task, {"remove": [record.id for record in records]}, question)

    async def take_out(self, task: str, context: TaskContext, ids: Sequence[int]) -> TaskResult:
        """Delete the records of an accepted proposal."""
        records = [record for record in await self.recent(context) if record.id in ids]
        gone: list[str] = []
        for record in records:
            entry = entry_of(record)
            if await self.books.change(record.id, entry, context.actor.user_id, None) is not None:
                context.acted("correct", {"id": record.id}, {"deleted": True})
                gone.append(f"{entry.description or entry.category}{spoken(entry.fen)}")
        if not gone:
            return TaskResult(task, "canceled", user_response=GONE)
        return TaskResult(task, "completed", user_response=f"删掉了{len(gone)}笔：{'、'.join(gone)}。")

    async def replaced(self, context: TaskContext, wanted: RecordCorrection) -> str:
        """Delete the record replaced in the same line; returns the reply."""
        found = saved_records.find_meant(wanted, await self.recent(context))
        alike = (_alike(found) or found)[:1] if wanted.old else _alike(found) or found
        if not wanted.words or len(alike) != 1:
            return NOT_TAKEN_OUT
        before = entry_of(alike[0])
        done = await self.amend("", context, alike[0].id, before, None)
        return done.user_response or ""

    async def _filled(
        self,
        task: str,
        context: TaskContext,
        wanted: RecordCorrection,
        records: Sequence[TransactionRecord],
    ) -> TaskResult:
        """Names of sharers only counted so far (没记名的两份是阿明和阿ken)."""
        open_ = [record for record in records if any(not each.name for each in entry_of(record).shares)]
        record = next((each for each in open_ if wanted.old in (None, each.fields.fen)), None)
        if record is None:
            return TaskResult(task, "completed", user_response=NOBODY_MISSING)
        before = entry_of(record)
        entry = saved_records.with_names(before, wanted.filled)
        if entry is None:
            return TaskResult(task, "completed", user_response=TOO_MANY)
        return await self.amend(task, context, record.id, before, entry)

    async def _unreceived(
        self, task: str, context: TaskContext, session: Session, wanted: RecordCorrection, giver: Person
    ) -> TaskResult:
        """Repayment that its getter says did not come, or was another sum: their own record is taken out on a
        yes, or changed; of the giver's it is said whose it is."""
        me, since = context.actor.user_id, self.books.wall() - saved_records.WITHIN
        records = [
            record
            for record in reversed(await self.books.shared_records(context.conversation))
            if record.created_at >= since and is_repayment(entry_of(record).shares)
        ]
        found = next(
            (each for each in records if [one.user_id for one in entry_of(each).shares] == [giver[0], me]),
            None,
        )
        if found is None:
            return TaskResult(task, "completed", user_response=NOT_GIVEN.format(giver=giver[1]))
        if found.user_id == me and wanted.new is not None:
            return await self._change(task, context, session, found, wanted)
        if found.user_id == me:
            return self._several(task, context, [found], 1)
        what = wording.brief(entry_of(found))
        plain = spoken(found.fields.fen).removesuffix("元")
        told = GIVERS_OWN if wanted.new is None else GIVERS_SUM
        new = spoken(wanted.new or 0).removesuffix("元")
        said = told.format(what=what, who=found.user_name, plain=plain, new=new)
        return TaskResult(task, "completed", user_response=said)

    async def _joined(self, task: str, context: TaskContext, more: Sequence[Person]) -> TaskResult:
        """Further sharers of the newest bill that the speaker paid, shares or recorded."""
        me = context.actor.user_id
        fresh = self.books.wall() - saved_records.WITHIN
        for record in reversed(await self.books.shared_records(context.conversation)):
            before = entry_of(record)
            on_it = me == record.user_id or any(share.user_id == me for share in before.shares)
            if record.created_at < fresh or before.type != "EXPENSE" or not on_it:
                continue
            entry = with_members(before, more)
            if entry is None:
                said = UNEVEN.format(what=name_of(before), owner=record.user_name)
                return TaskResult(task, "completed", user_response=said)
            if record.user_id == me:
                return await self.amend(task, context, record.id, before, entry)
            said = OTHERS.format(what=name_of(before), who=record.user_name)
            return TaskResult(task, "completed", user_response=said)
        return TaskResult(task, "completed", user_response=OUT_OF_NOTHING)

    async def _waived(
        self, task: str, context: TaskContext, whose: Person, name: str, *, takes: bool
    ) -> TaskResult:
        """Waiver of a share after a yes (石头那份算了), of the last expense the speaker paid and they share;
        of one of this name where one is called so."""
        paid = await self.books.paid_by(context.conversation, context.actor.user_id)
        if name:
            paid = [each for each in paid if called(name, [(0, entry_of(each))])] or paid
        for record in paid:
            entry = saved_records.with_share_waived(whose, record)
            if entry is None:
                continue
            part = sum(each.fen for each in entry_of(record).shares if each.user_id == whose[0])
            said = WAIVE.format(who=whose[1], what=wording.brief(entry_of(record)), part=spoken(part))
            return self._proposed(task, {"id": record.id, "entry": dump_entry(entry)}, said)
        if takes:
            return await self._taken_over(task, context, whose)
        return TaskResult(task, "completed", user_response=OWES_NOTHING.format(who=whose[1]))

    async def _treated(self, task: str, context: TaskContext, thing: str) -> TaskResult:
        """A bill of which the speaker treats the others (炭那笔我请了), after a yes."""
        me = context.actor.user_id
        divided = await self.books.shared_records(context.conversation, context.clause.situation.members)
        found = [each for each in reversed(divided) if called(thing, [(0, entry_of(each))])]
        if not found:
            waits = entries_on(await self.books.waiting_tasks(context.conversation))
            said = ON_CARD_STILL if called(thing, list(enumerate(waits))) else NOT_CALLED
            return TaskResult(task, "completed", user_response=said.format(name=thing[:LONGEST_NAME]))
        record = found[0]
        before, entry = entry_of(record), saved_records.with_payer_alone(record, me)
        what = name_of(before)
        if record.user_id != me:
            return TaskResult(task, "completed", user_response=OTHERS.format(what=what, who=record.user_name))
        if entry is None:
            payer = before.shares[0].name
            return TaskResult(task, "completed", user_response=NOT_YOURS.format(what=what, payer=payer))
        said = TREAT.format(what=wording.brief(before))
        return self._proposed(task, {"id": record.id, "entry": dump_entry(entry)}, said)

    async def treats_saved(self, task: str, context: TaskContext, entry: Entry) -> TaskResult | None:
        """Reply for a saved bill of the speaker that is pointed at as treated (打车那38我请客的); None if it
        is not saved."""
        for record in await self.recent(context):
            before = entry_of(record)
            if before.fen != entry.fen or not called(entry.description, [(0, before)]):
                continue
            anew = saved_records.with_payer_alone(record, context.actor.user_id)
            if anew is not None:
                said = TREAT.format(what=wording.brief(before))
                return self._proposed(task, {"id": record.id, "entry": dump_entry(anew)}, said)
            if before.type != "EXPENSE" or len(before.shares) > 1:
                return None
            treat = treated(before, (context.actor.user_id, context.actor.name))
            if treat != before and await self.books.change(record.id, before, record.user_id, treat) is None:
                return None
            row = wording.row(treat, now=context.now.date())
            return TaskResult(task, "completed", user_response=TREATED_SO.format(row=row))
        return None

    async def _rest_waived(
        self, task: str, context: TaskContext, whose: Person | None, fen: int | None
    ) -> TaskResult:
        """What is left of a debt to the speaker and not wanted (剩下的5块不要了): after a yes borne by the
        speaker, of the newest bill that has so much of it."""
        me = context.actor.user_id
        divided = await self.books.shared_records(context.conversation, context.clause.situation.members)
        debts = debts_of(divided)
        owed = others_owed(debts, me, mine=False)
        if whose is not None:
            owed = {user: debt for user, debt in owed.items() if user == whose[0]}
        exactly = {user: debt for user, debt in owed.items() if debt == fen}
        owed = exactly or owed
        if not owed:
            said = OWES_NOTHING.format(who=whose[1]) if whose is not None else NOBODY_OWES_YOU
            return TaskResult(task, "completed", user_response=said)
        if len(owed) > 1:
            listed = "、".join(
                f"{debts.names.get(user, '某人')}{spoken(debt)}" for user, debt in owed.items()
            )
            return TaskResult(task, "completed", user_response=WHOSE_REST.format(listed=listed))
        ((user, debt),) = owed.items()
        name, part = debts.names.get(user, ""), debt if fen is None else fen
        changed = (
            (each, saved_records.with_share_lessened(user, part, each, me)) for each in reversed(divided)
        )
        record, entry = next(((each, new) for each, new in changed if new is not None), (None, None))
        if part > debt or record is None or entry is None or record.user_id != me:
            said = OWES_ONLY.format(who=name, sum=spoken(debt))
            return TaskResult(task, "completed", user_response=said)
        said = WAIVE_REST.format(what=wording.brief(entry_of(record)), who=name, part=spoken(part))
        return self._proposed(task, {"id": record.id, "entry": dump_entry(entry)}, said)

    async def _taken_over(self, task: str, context: TaskContext, whose: Person) -> TaskResult:
        """Takeover of a share after a yes (阿May那份我出), of a bill of another payer that both share."""
        me = context.actor.user_id
        records = await self.books.shared_records(context.conversation)
        for record in reversed(records):
            before = entry_of(record)
            shares = (
                None if is_repayment(before.shares) else with_share_taken_over(before.shares, whose[0], me)
            )
            if shares is None:
                continue
            part = sum(each.fen for each in before.shares if each.user_id == whose[0])
            what = {
                "id": record.id,
                "owner": record.user_id,
                "entry": dump_entry(replace(before, shares=shares)),
            }
            said = TAKE.format(what=wording.brief(before), who=whose[1], part=spoken(part))
            return self._proposed(task, what, said)
        return TaskResult(task, "completed", user_response=OWES_NOTHING.format(who=whose[1]))

    async def take_over(self, task: str, context: TaskContext, what: dict[str, Any]) -> TaskResult:
        """Add a share of the speaker to another member's record; for 撤销 it is theirs."""
        me, today = context.actor.user_id, context.now.date()
        records = await self.books.shared_records(context.conversation)
        record = next((each for each in records if each.id == what["id"]), None)
        entry = load_entry(what["entry"])
        owner = str(what["owner"])
        done = (
            None
            if record is None
            else await self.books.change(record.id, entry_of(record), owner, entry, by=me)
        )
        if done is None:
            return TaskResult(task, "canceled", user_response=GONE)
        context.acted("correct", {"id": what["id"]}, entry_json(entry))
        row = wording.row(entry, today, me, now=today)
        return TaskResult(task, "completed", user_response=TAKEN.format(row=row))

    async def divided_last(self, task: str, context: TaskContext, order: BooksFrame) -> TaskResult | None:
        """Division of the speaker's latest record by a line with only sharers (我们三个人的).

        None if there is none, or it is shared.
        """
        records = await self.recent(context)
        fresh = [each for each in records if self.books.wall() - each.created_at <= JUST_NOW]
        if not fresh or len(fresh[0].fields.shares) > 1 or fresh[0].fields.type != "EXPENSE":
            return None
        wanted = RecordCorrection(order.text, sharing=order.sharing)
        return await self._shared_after_all(task, context, fresh[0], wanted, order.sharing)

    async def _shared_after_all(
        self,
        task: str,
        context: TaskContext,
        record: TransactionRecord,
        wanted: RecordCorrection,
        sharing: Sharing,
    ) -> TaskResult:
        """Division of a saved record (那三百是三个人的); unknown sharers are asked for."""
        before, me = entry_of(record), (context.actor.user_id, context.actor.name)
        sharing = _counted_before(sharing, before, me[0])
        if shared_with(me[0], before) and sharing.among.unknown:
            sharing = divided_like(sharing, before, me)  # 那笔改成我四他六
        if before.shares and not (
            sharing.among.others or sharing.among.people or sharing.bears or sharing.open
        ):
            # 下个月房租也这么分: nobody is named, and the parts that are there stay
            row = wording.row(before, now=context.now.date())
            return TaskResult(task, "completed", user_response=WHO_INSTEAD.format(row=row))
        asked = asking_who(sharing, context.actor.user_id, spoken(before.fen))
        if asked is not None:
            situation = context.clause.situation
            who = {
                "text": wanted.words,
                "at": context.now.timestamp(),
                "members": kept(situation.members),
                "mentions": kept(situation.mentions),
                "kind": asked.kind,
                "record": record.id,
            }
            question = asked.question
            if wanted.new is not None:
                changed = saved_records.with_sum(before, wanted.new)
                done = await self.amend(task, context, record.id, before, changed)
                question = f"{done.user_response}\n{question}"
            return TaskResult(task, "awaiting_user", {WHO: who}, ("participants",), user_response=question)
        return await self.divide(task, context, record, sharing, wanted.new)

    async def _borne_alone(
        self,
        task: str,
        context: TaskContext,
        session: Session,
        record: TransactionRecord,
        wanted: RecordCorrection,
    ) -> TaskResult:
        """A saved record that one person alone bears after all (药妆那笔应该大刘一个人出)."""
        me = (context.actor.user_id, context.actor.name)
        entry = saved_records.with_one_bearer(wanted, record, me, session.categories)
        if entry is None:
            return TaskResult(task, "canceled", user_response=UNCLEAR)
        return await self.amend(task, context, record.id, entry_of(record), entry)

    async def divide(
        self,
        task: str,
        context: TaskContext,
        record: TransactionRecord,
        sharing: Sharing,
        fen: int | None = None,
    ) -> TaskResult:
        """Divide a saved record, of another sum where one is told with it."""
        me = (context.actor.user_id, context.actor.name)
        before = entry_of(record)
        sharing = _with_those_before(sharing, before, me[0])
        whole = replace(before, shares=(), fen=before.fen if fen is None else fen)
        entry = divided_among(sharing, whole, me)
        if entry is None:
            return TaskResult(task, "canceled", {WHO: None}, user_response=DOES_NOT_FIT)
        done = await self.amend(task, context, record.id, before, entry)
        return replace(done, slots_update={**done.slots_update, WHO: None})

    def _proposed(self, task: str, what: dict[str, Any], question: str) -> TaskResult:
        return TaskResult(task, "awaiting_user", {PROPOSED: what}, ("yes",), user_response=question)

    async def change_other(self, task: str, context: TaskContext, session: Session) -> TaskResult | None:
        """Change of a thing not on the open card; None for any other line.

        The one saved record with that name is changed; nothing if none or several have it.
        """
        card = batch_of(context.open.slots, load_entry) if context.open is not None else None
        if card is None or self.books.wall() >= card.expires_at:
            return None
        name = reply_in(context.frame).stray
        if name is None:
            return None
        if name.elsewhere:
            context.passed_on, context.keep_until = True, card.expires_at
            return TaskResult(task, "awaiting_user")
        saved_so = [
            record for record in await self.recent(context) if called(name.words, [(0, entry_of(record))])
        ]
        if name.fen is not None:
            saved_so = [record for record in saved_so if record.fields.fen == name.fen] or saved_so
        context.keep_until = card.expires_at
        if len(saved_so) == 1:
            done = await self._change(task, context, session, saved_so[0], order_in(context.frame).correction)
        elif not saved_so and (others := await self._of_another(context, order_in(context.frame).correction)):
            done = TaskResult(task, "awaiting_user", user_response=others)
        elif saved_so or name.known:
            many = f"记过的「{name.words}」不止一笔，先确认或取消这张账单再改吧。"
            none = f"没找到「{name.words}」这一笔，没改，要改哪一笔？"
            done = TaskResult(task, "awaiting_user", user_response=many if saved_so else none)
        else:
            return None
        return replace(done, status="awaiting_user")

    async def chosen(
        self, task: str, context: TaskContext, session: Session, choice: dict[str, Any]
    ) -> TaskResult:
        named = reply_in(context.frame).picked
        wanted = {choice["ids"][number] for number in named if number < len(choice["ids"])}
        records = [record for record in await self.recent(context) if record.id in wanted]
        if len(records) != 1:
            again = "一次只改一笔，要改第几笔？" if len(records) > 1 else NOTHING_SAVED
            return TaskResult(
                task,
                "awaiting_user" if records else "canceled",
                missing_slots=("item",) * bool(records),
                user_response=again,
            )
        said = order_in(context.frame).correction
        if said.name and said.name not in records[0].fields.description:
            # 把灯泡那笔改成29.9, record: 节能灯
            said = replace(said, change=said.change.replace(said.name, "", 1))
        done = await self._change(task, context, session, records[0], said)
        return replace(done, slots_update={**done.slots_update, CHOICE: None})

    async def recent(self, context: TaskContext) -> list[TransactionRecord]:
        since = self.books.wall() - saved_records.WITHIN
        return await self.books.storage.transactions.recent(
            context.conversation, context.actor.user_id, saved_records.MOST, since
        )

    async def _change(
        self,
        task: str,
        context: TaskContext,
        session: Session,
        record: TransactionRecord,
        wanted: RecordCorrection,
    ) -> TaskResult:
        before = entry_of(record)
        removes = wanted.removes
        entry = None
        if not removes:
            entry = saved_records.with_correction(
                wanted, record, session.categories, context.now, self.books.zone
            )
            if entry is None:
                return TaskResult(task, "canceled", user_response=UNCLEAR)
        return await self.amend(task, context, record.id, before, entry)

    async def amend(
        self, task: str, context: TaskContext, record: int, before: Entry, entry: Entry | None
    ) -> TaskResult:
        """Change a saved record, or delete it (None); returns the reply."""
        if entry == before:
            row = wording.row(before, speaker=context.actor.user_id, now=context.now.date())
            return TaskResult(task, "completed", user_response=LIKE_THAT.format(row=row))
        done = await self.books.change(record, before, context.actor.user_id, entry)
        if done is None:
            return TaskResult(task, "canceled", user_response=GONE)
        context.acted("correct", {"id": record}, entry_json(entry) if entry else {"deleted": True})
        if entry is None:
            said = f"删掉了：{wording.row(before, now=context.now.date())}。要找回就说「撤销」。"
        else:
            now = wording.row(entry, speaker=context.actor.user_id, now=context.now.date())
            said = f"改好了：{now}（原来是{wording.brief(before)}）。"
            me, at = context.actor.user_id, self.books.wall()
            self.books.listed.note_changed(context.conversation, me, record, at)
        return TaskResult(task, "completed", user_response=said)


def _which(wanted: RecordCorrection) -> str:
    """Question for a number of the list."""
    return "要删第几笔？" if wanted.removes else "要改第几笔？"


def _with_those_before(said: Sharing, before: Entry, me: str) -> Sharing:
    """Sharing by those who share the record already, where only one of them is said to bear half a part
    (月月没唱多久 她算一半)."""
    sharers = {share.user_id: (share.user_id, share.name) for share in before.shares}
    bearing = {each.who[0] for each in said.bears}
    only = all(each.kind == "half" for each in said.bears) and bearing <= {*sharers, ""}
    if not said.bears or not only or not before.shares or {user for user, _ in said.among.named} - bearing:
        return said
    payer = before.shares[0]
    among = replace(said.among, named=tuple(who for user, who in sharers.items() if user != me))
    theirs = None if payer.user_id == me else (payer.user_id, payer.name)
    return replace(said, among=among, payer=theirs, ours=me in sharers)


def _counted_before(said: Sharing, before: Entry, me: str) -> Sharing:
    """Sharing by those who share the record already, where a line only counts them (四个人不是十四个) and
    they are not more than it counts."""
    bearing = [(each.user_id, each.name) for each in before.shares if each.fen and each.name]
    count = said.among.people
    if count is None or said.bears or said.among.others or said.payer is not None or len(bearing) > count:
        return said
    payer = before.shares[0] if before.shares else None
    if payer is None or not payer.fen:
        return said
    named = tuple(who for who in bearing if who[0] and who[0] != me)
    unknown = tuple(name for user, name in bearing if not user)
    theirs = None if payer.user_id == me else (payer.user_id, payer.name)
    among = replace(said.among, named=named, unknown=unknown)
    return replace(said, among=among, payer=theirs, ours=any(user == me for user, _ in bearing))


def _name_of(context: TaskContext, user_id: str) -> str:
    """Name of a card's owner in this group."""
    return next((one.name for one in context.clause.situation.members if one.user_id == user_id), "记的人")


def _alike(records: Sequence[TransactionRecord]) -> list[TransactionRecord]:
    """Newest records with equal fields: recorded twice."""
    for record in records:
        same = [each for each in records if each.fields == record.fields]
        if len(same) > 1:
            return same
    return []
