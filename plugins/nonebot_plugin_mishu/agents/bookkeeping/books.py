"""Batches of the bookkeeping agent: drafts of transactions, saving, model calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from ...config import Bookkeeping
from ...drafts import AskModel, Batch, Commit, Limits, Mode, OwnerNotice, Say
from ...language.clause import Mention, Situation
from ...language.entries.categories import Categories
from ...language.entries.entry import OTHER, Entry, dump_entry, entry_json, load_entry, spoken
from ...language.entries.entry import Share as Part
from ...language.entries.reading import read_items
from ...language.ledger.amount_check import is_said
from ...language.ledger.repayments.repaying import Debts, pays_back
from ...language.ledger.shares.participants import MOST_KEPT
from ...language.recognise.members import matched
from ...language.text.fold import normalise
from ...llm import Deadline, ModelClient
from ...storage.records import Conversation, FrameRecord
from ...storage.store import Storage
from ...storage.transactions.queries import (
    BookSpan,
    NewTransactions,
    Saved,
    TransactionChanges,
    TransactionRecord,
)
from ..api.task_context import TaskContext
from ..drafting import DraftAdapter, DraftRunner, DraftWording, batch_of
from . import wording
from .cards.correcting import Share, correct_locally, item_model
from .cards.payers import NOBODY, Around, by_names
from .cards.sharers import shared_anew
from .frames import BooksFrame, Sharing
from .listed_records import ListedRecords
from .model.asking import (
    People,
    correct_transaction,
    in_own_words,
    parse_transactions,
    shown_to_model,
)
from .model.item import ENTRY, PAYER, SHARERS, creator
from .reader import converted, sharing_on_card
from .reports import entry_of
from .shares.sharing import balances, pair_debts, with_member_ids
from .shares.staying_out import open_to_sharers

_TOLD: Final = 3600.0

AGENT: Final = "bookkeeping"
MOST_WAITING: Final = 50
"""Most tasks of a conversation searched for waiting ones"""


def fields_of(entry: Entry) -> TransactionChanges:
    """Storage fields of an entry."""
    shares = [[share.user_id, share.name, share.fen] for share in entry.shares]
    return TransactionChanges(
        entry.type,
        entry.fen,
        entry.category,
        entry.description,
        entry.day.isoformat(),
        entry.shared,
        shares,
        str(entry.converted or ""),
    )


def entries_on(frames: Sequence[FrameRecord]) -> list[Entry]:
    """Pending entries on the cards of these tasks."""
    cards = [card for frame in frames if (card := batch_of(frame.slots, load_entry)) is not None]
    return [item.value for card in cards for item in card.pending]


def debts_of(records: Sequence[TransactionRecord], further: Sequence[Entry] = ()) -> Debts:
    """Debts by these records and by unsaved entries."""
    entries = [entry for entry in (*(entry_of(record) for record in records), *further) if entry.shares]
    names = {share.user_id: share.name for each in entries for share in each.shares if share.user_id}
    names |= {record.user_id: record.user_name for record in records}
    return Debts(
        balances((each.shares[0].user_id, each.shares) for each in entries),
        pair_debts((each.shares, pays_back(each)) for each in entries),
        names,
    )


@dataclass
class Books:
    """State shared by the parts of the agent."""

    storage: Storage
    model: ModelClient
    config: Bookkeeping
    zone: ZoneInfo
    wall: Callable[[], float]
    decide_timeout: float = 10.0
    listed: ListedRecords = field(default_factory=ListedRecords)
    claims: dict[tuple[str, int], tuple[str, str, str]] = field(
        default_factory=dict[tuple[str, int], tuple[str, str, str]]
    )
    """Claims about items of other members' cards, by card id and number: claimant's name, id and name of the
    payer. Repeated when the card is saved; lost at a restart"""
    _told: dict[str, float] = field(default_factory=dict[str, float])
    """Wall seconds of the last note on limits without a model, by conversation"""

    def tells_limits(self, conversation: str) -> bool:
        """True if the note on limits without a model is due: once an hour."""
        now = self.wall()
        self._told = {where: at for where, at in self._told.items() if 0 <= now - at < _TOLD}
        first = conversation not in self._told
        if first:
            self._told[conversation] = now
        return first

    @property
    def limits(self) -> Limits:
        """Configured limits."""
        config = self.config
        return Limits(
            max_items=config.max_items,
            timeout=config.session_timeout,
            correction_timeout=config.correction_timeout,
            record_timeout=self.decide_timeout,
            confidence=config.confidence,
        )

    async def member_balances(self, conversation: Conversation) -> tuple[dict[str, int], dict[str, str]]:
        """Net balances of members in fen (positive: is owed), and their names.

        The payer is the first of the shares; the record's owner does not matter. Raises `StorageError`.
        """
        debts = debts_of(await self.shared_records(conversation))
        return dict(debts.owed), dict(debts.names)

    async def shared_records(
        self, conversation: Conversation, members: Sequence[Mention] = ()
    ) -> list[TransactionRecord]:
        """Divided records, oldest first. A name without an id gets the id of the one member or payer with
        that name. Raises `StorageError`."""
        records = await self.storage.transactions.split(conversation)
        known = {record.user_id: record.user_name for record in records}
        known |= {user: name for record in records for user, name, _ in record.fields.shares if user}
        known |= {one.user_id: one.name for one in members}
        people = [Mention(user, name) for user, name in known.items()]

        def called(name: str) -> tuple[str, str] | None:
            found = matched(name, people)
            return (found[0].user_id, found[0].name) if len(found) == 1 else None

        def told(record: TransactionRecord) -> TransactionRecord:
            shares = with_member_ids(entry_of(record).shares, called)
            plain = [[share.user_id, share.name, share.fen] for share in shares]
            return replace(record, fields=replace(record.fields, shares=plain))

        return [told(record) for record in records]

    async def sum_balances(self, conversation: Conversation) -> dict[str, int]:
        """`member_balances` without names, summed by the database. Raises `StorageError`."""
        sums = await self.storage.transactions.debts.sums(conversation)
        return balances((payer, [Part(user, "", fen)]) for payer, user, fen in sums)

    async def waiting_tasks(self, conversation: Conversation) -> list[FrameRecord]:
        """Waiting cards and questions of the books. Raises `StorageError`."""
        frames = await self.storage.frames.latest(conversation, MOST_WAITING)
        return [each for each in frames if each.agent_code == AGENT and each.status == "awaiting_user"]

    def sharing(self, text: str, situation: Situation) -> Sharing:
        """Sharing given in a line about a card."""
        return sharing_on_card(text, situation)

    def converted(self, order: BooksFrame, situation: Situation) -> BooksFrame | None:
        """Order to record sums of other currencies, in yuan by the configured rates and those told; None
        without a rate."""
        return converted(order, situation, {**self.config.rates, **order.rates})

    async def save_items(
        self,
        conversation: Conversation,
        owner: tuple[str, str],
        batch: str,
        ticket: int,
        items: Sequence[tuple[int, Entry]],
    ) -> Saved:
        """Save items (number and entry) of `owner` (id, name), all or none, once for a batch and number."""
        return await self.storage.transactions.commit(
            NewTransactions(
                conversation,
                *owner,
                batch,
                ticket,
                [(number, fields_of(entry)) for number, entry in items],
                wording.summary([entry for _, entry in items]),
            ),
            self.wall(),
        )

    async def count_expenses(self, conversation: Conversation, of: str | None = None) -> tuple[int, int]:
        """Number of expenses of a conversation, or of one member there, with shares, and without. Raises
        `StorageError`."""
        listed = await self.storage.transactions.list_records(
            BookSpan(conversation, None, type="EXPENSE", everything=True)
        )
        divided = sum(1 for record in listed if record.fields.shares)
        whole = sum(1 for record in listed if not record.fields.shares and of in (None, record.user_id))
        return divided, whole

    async def paid_by(self, conversation: Conversation, user_id: str) -> list[TransactionRecord]:
        """A member's shared records, latest first. Raises `StorageError`."""
        listed = await self.storage.transactions.list_records(BookSpan(conversation, user_id))
        return [record for record in reversed(listed) if record.fields.shares]

    async def change(
        self, record: int, before: Entry, user_id: str, entry: Entry | None, *, by: str | None = None
    ) -> TransactionRecord | None:
        """Change or delete (None) a member's saved record; `by`: acting member for 撤销, if another. None:
        not found."""
        name = before.description or before.category
        summary = f"{'删掉' if entry is None else '修改'} {name}{spoken(before.fen)}"
        fields = None if entry is None else fields_of(entry)
        return await self.storage.transactions.change(record, user_id, fields, summary, self.wall(), by=by)

    def local(self, wall: float) -> datetime:
        """Moment in our zone."""
        return datetime.fromtimestamp(wall, self.zone)


@dataclass
class Session:
    """One call about a batch: its runner, and the notices of its commits."""

    books: Books
    categories: Categories
    now: datetime
    share: Share | None = None
    """Division of shared entries by a line; None without a speaker"""
    notices: list[str] = field(default_factory=list[str])
    moved: Entry | None = None
    """Payment between two members that the line tells"""
    around: Around = NOBODY
    """Members who may be payer or sharer on a card"""
    before: Mapping[int, Entry] = field(default_factory=dict[int, Entry])
    """Items of the open card before the line, by number"""

    def runner(self) -> DraftRunner[Entry]:
        """Runner of this call's batch."""
        return DraftRunner(
            DraftAdapter(
                agent_code=AGENT,
                model=item_model(
                    self.categories, self.now, self.books.zone, self.share, self.around, self.moved
                ),
                limits=self.books.limits,
                dump_item=dump_entry,
                load_item=load_entry,
                item_json=entry_json,
                wording=DraftWording(
                    lambda batch: wording.card(batch, self.now.date()),
                    self._line,
                    lambda batch: wording.changed_card(batch, self.now.date()),
                    gone=wording.GONE,
                    told_by_card=True,
                ),
                ask=self._ask,
                commit=self._commit,
                saved=self.books.storage.transactions.saved,
                online=lambda: self.books.model.online,
                wall=self.books.wall,
                notes=open_to_sharers,
            )
        )

    def _line(self, say: Say, batch: Batch[Entry]) -> str | None:
        if say.line is OwnerNotice.OFFLINE and not self.books.tells_limits(batch.conversation):
            return None
        return wording.line(say, batch, self.now.date(), self.before)

    async def _ask(
        self, ask: AskModel[Entry], context: TaskContext, deadline: Deadline
    ) -> Mapping[str, object]:
        if ask.mode is Mode.RECORD:
            entries = self._divided(ask.text, await self.read(ask.text, context, deadline))
            added = [{"index": -1, "updatedFields": {ENTRY: entry}} for entry in entries]
            return {"intent": "append" if added else "unclear", "corrections": added}
        answer = await correct_transaction(
            self.books.model,
            shown_to_model([entry for _, entry in ask.pending]),
            ask.text,
            deadline=deadline,
            conversation=context.conversation,
            log=context.calls,
            today=self.now.date().isoformat(),
            categories=self.categories.names,
            numbers=[number for number, _ in ask.pending],
            people=self._people(),
        )
        if _says_nothing(answer, len(ask.pending)) and self._is_known(ask):
            return self._by_rules(ask) or answer
        return {**answer, "added": [self._new(fields, ask.text) for fields in answer["added"]]}

    def _is_known(self, ask: AskModel[Entry]) -> bool:
        """True if a line names an item, or changes its payer or sharers."""
        if any(_names(ask.text, each) for _, each in ask.pending):
            return True
        return shared_anew(normalise(ask.text), ask.pending, None, self.around) is not None

    def _by_rules(self, ask: AskModel[Entry]) -> Mapping[str, object] | None:
        """Corrections by rules in a model's form, for a line naming an item the model could not read; None if
        none."""
        found = correct_locally(
            ask.text, ask.pending, self.categories, self.now, self.books.zone, self.share, self.around
        )
        if not (found.changes or found.added):
            return None
        places = {number: place for place, (number, _) in enumerate(ask.pending)}
        changed = [
            {"index": places[number], "updatedFields": dict(fields)}
            for number, fields in found.changes.items()
        ]
        kind = "correction" if changed else "append"
        return {"intent": kind, "corrections": changed, "added": list(found.added), "removed": []}

    def _new(self, fields: Mapping[str, object], text: str) -> Mapping[str, object]:
        """New item of a model, divided by its line; raw fields if invalid."""
        entry = creator(self.now, self.books.zone)(fields)
        return fields if entry is None else {ENTRY: self._divided(text, (entry,))[0]}

    def _divided(self, text: str, entries: Sequence[Entry]) -> Sequence[Entry]:
        return entries if self.share is None else self.share(text, entries)

    async def read(self, text: str, context: TaskContext, deadline: Deadline) -> tuple[Entry, ...]:
        """Items of a sentence: by rules if sure, else by a model.

        Raises `ModelError` if the rules are unsure and the model fails.
        """
        items = read_items(text, self.now, self.books.zone, self.categories)
        if items.sure and items.entries:
            return items.entries
        return await self.by_model(text, context, deadline) or items.entries

    async def by_model(self, text: str, context: TaskContext, deadline: Deadline) -> tuple[Entry, ...]:
        """Items by a model; empty if one is invalid. Raises `ModelError`.

        It gets the original words, never a rewritten frame.
        """
        if context.open is None:
            text = in_own_words(text, context.utterance.words, context.clause.situation.quoted)
        plain = await parse_transactions(
            self.books.model,
            text,
            self.now.date().isoformat(),
            self.categories.names,
            people=self._people(),
            deadline=deadline,
            conversation=context.conversation,
            log=context.calls,
        )
        entries = [self._parsed(each, text) for each in plain]
        if any(entry is None for entry in entries):
            return ()
        own = read_items(text, self.now, self.books.zone, self.categories).entries
        known = frozenset(entry.fen for entry in own)
        return tuple(e for e in entries if e is not None and (e.fen in known or is_said(e.fen, text)))

    def _people(self) -> People:
        """Speaker and members, as a model is told them."""
        me = self.around.me
        names = dict.fromkeys(one.name for one in self.around.members if one.name and one.user_id != me[0])
        return People(me[1], tuple(names)[:MOST_KEPT])

    def _parsed(self, fields: Mapping[str, Any], text: str) -> Entry | None:
        """Item of a model, divided among members that the text names too."""
        plain = {name: value for name, value in fields.items() if name not in (PAYER, SHARERS)}
        entry = creator(self.now, self.books.zone)(self._known(plain))
        payer, sharers = fields.get(PAYER), fields.get(SHARERS) or None
        named = [*([] if payer is None else [payer]), *(sharers or ())]
        if entry is None or entry.type != "EXPENSE" or not named or self.around is NOBODY:
            return entry
        if not all(self.around.is_said(name, text) for name in named):
            return entry
        shares = by_names(entry, payer, sharers, self.around)
        return entry if not shares else replace(entry, shares=shares, shared=True)

    def _known(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Fields with 其他 for an unknown category, never silently another one (pitfall 53)."""
        known = fields.get("category") in self.categories.names
        return fields if known else {**fields, "category": OTHER}

    async def _commit(self, batch: Batch[Entry], commit: Commit[Entry], context: TaskContext) -> None:
        entries = [entry for _, entry in commit.items]
        owner = (batch.owner, context.actor.name)
        saved = await self.books.save_items(
            context.conversation, owner, batch.id, commit.ticket, commit.items
        )
        ids = [record.id for record in saved.records]
        self.books.listed.note(context.conversation, batch.owner, ids, self.books.wall())
        for record, entry in zip(saved.records, entries, strict=True):
            context.acted("record", entry_json(entry), {"id": record.id})
        self.notices.extend(wording.notice(found) for found in saved.notices)
        for number, entry in commit.items:
            claim = self.books.claims.pop((batch.id, number), None)
            if claim is not None and entry.shares and entry.shares[0].user_id != claim[1]:
                self.notices.append(wording.claimed(entry, *claim[::2]))


def _says_nothing(answer: Mapping[str, Any], pending: int) -> bool:
    """True if a model's answer is empty or has unknown items."""
    if answer["intent"] in ("confirm", "cancel"):
        return False
    indices = [*(each["index"] for each in answer["corrections"]), *answer["removed"]]
    heard = bool(indices or answer["added"])
    return not heard or answer["intent"] == "unclear" or any(not -1 <= each < pending for each in indices)


def _names(text: str, entry: Entry) -> bool:
    """True if a line names an item: by its sum, or by two characters of its description."""
    name = entry.description
    return f"{entry.fen / 100:g}" in text or any(name[at : at + 2] in text for at in range(len(name) - 1))
