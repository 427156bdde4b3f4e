"""One database, opened and migrated, with everything that is kept in it."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Column, ColumnElement, Table, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from .access.idempotent_answers import Answers
from .access.sessions import SessionStore
from .access.tokens import TokenStore
from .bills.queries import Bills
from .bills.tables import bill_preview
from .calendars.queries import ImportedCalendars
from .core_tasks.finished import FinishedWork
from .core_tasks.queries import Frames
from .core_tasks.references import SpokenOf
from .core_tasks.tables import frame, spoken_of
from .duty.queries import DutyRows
from .engine.change_notice import Noted
from .engine.columns import metadata as metadata
from .engine.database import POOL, Database
from .engine.writer import Writer
from .groups.owner_choices import Choices
from .groups.queries import Groups
from .groups.settings import SettingsStore
from .journal.queries import Changes
from .journal.tables import change
from .ledger import tables
from .ledger.account_merge import MergeCounts, merge_accounts
from .ledger.claims import Claims
from .ledger.decisions import Decisions
from .ledger.queries import Ledger
from .ledger.word_index import begin_again, drop_words
from .member_data import MemberDataExport
from .memory import tables as tables_memory
from .memory.memories import Memories
from .memory.summaries import Summaries
from .memory.turns import RoundStore
from .personal import Personal
from .polls.queries import Polls
from .quiet.queries import MemberQuiet
from .record import tables as tables_record
from .record.facts import FactRows
from .record.joins import Joins
from .record.span_digests import SpanDigests
from .reminders.queries import Reminders
from .rows import CHUNK
from .schedules.agreed import Agreed
from .schedules.calendar_tokens import Calendars
from .schedules.queries import Schedules
from .tasks.queries import Tasks
from .transactions.queries import Transactions
from .usage import UsageLog

Health = Literal["ok", "degraded"]


@dataclass(frozen=True, slots=True)
class StorageCounters:
    """Since the storage was opened, and what waits now."""

    messages: Mapping[str, int]
    """Handed to the ledger, by who spoke: `member`, `bot`."""
    waiting_rows: int
    waiting_jobs: int
    errors: Mapping[str, int]
    """Failures by kind, each attempt its own."""


DEADLINE = 5.0
"""Seconds any call waits for the database."""

_DAY = 86400.0

_AGED: list[tuple[Table, Column[float]]] = [
    (tables.ledger, tables.ledger.c.time),
    (tables.claim, tables.claim.c.claimed_at),
    (tables.decision, tables.decision.c.at),
    (tables.model_call, tables.model_call.c.at),
    (frame, frame.c.updated_at),
    (spoken_of, spoken_of.c.at),
    (change, change.c.at),
    (bill_preview, bill_preview.c.created_at),
    (tables_memory.turn, tables_memory.turn.c.at),
    (tables_memory.digest, tables_memory.digest.c.at),
    (tables_memory.summary, tables_memory.summary.c.at),
    (tables_record.span_digest, tables_record.span_digest.c.since),
]


class Storage:
    """The open database. `open` makes it, `close` ends it."""

    def __init__(self, database: Database, writer: Writer, now: Callable[[], float]) -> None:
        self._database = database
        self._writer = writer
        self.ledger = Ledger(database, writer)
        self.claims = Claims(database, writer, now)
        self.settings = SettingsStore(database, writer)
        self.decisions = Decisions(database, writer)
        self.usage = UsageLog(database, writer)
        self.frames = Frames(database, writer)
        self.finished = FinishedWork(database, writer)
        self.spoken_of = SpokenOf(database, writer)
        self.turns = RoundStore(database, writer)
        self.summaries = Summaries(database, writer)
        self.reminders = Reminders(database, writer)
        self.calendars = Calendars(database, writer)
        self.bills = Bills(database, writer)
        self.imported_calendars = ImportedCalendars(database, writer)
        self.changes = Changes(database, writer, self.reminders.changed)
        self.tasks = Tasks(database, writer)
        self.schedules = Schedules(database, writer)
        self.transactions = Transactions(database, writer)
        self.groups = Groups(database, writer)
        self.memories = Memories(database, writer)
        self.answers = Answers(database, writer)
        self.sessions = SessionStore(database, writer)
        self.tokens = TokenStore(database, writer)
        self.choices = Choices(database, writer)
        self.agreed = Agreed(database, writer, self.schedules, self.tasks)
        self.facts = FactRows(database, writer)
        self.span_digests = SpanDigests(database, writer)
        self.joins = Joins(database, writer)
        self.polls = Polls(database, writer)
        self.member_quiet = MemberQuiet(database, writer)
        self.duties = DutyRows(database, writer)
        self.members = Personal(database, writer, self.ledger, [MemberDataExport(), self.usage])
        """Personal data of one member: `/秘书 导出` and `/秘书 忘记我`."""
        self.members.on_forgotten(lambda _where, _who: self.reminders.changed())

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        on_trouble: Callable[[str], None],
        deadline: float = DEADLINE,
        now: Callable[[], float] = time.time,
        pool: int = POOL,
    ) -> Storage:
        """Open the database at `url` and bring its tables up to date.

        Args:
            url: `sqlite+aiosqlite:///…` (directories on the way are made) or `postgresql+asyncpg://…`.
            on_trouble: called from the event loop with a Chinese sentence when writing starts to fail,
                when it works again and when something was dropped; once each, not once per attempt.
            deadline: seconds any call waits for the database.
            now: the clock, in seconds; stamps claims.
            pool: connections to PostgreSQL.

        Raises:
            StorageError: with a sentence that may be shown. A file that is damaged or of a newer schema
                is left as it is.
        """
        database = Database(url, deadline, pool)
        try:
            await database.open()
        except BaseException:
            await database.close()
            raise
        storage = cls(database, Writer(database, on_trouble, deadline), now)
        try:
            await storage._writer.run(begin_again)
        except BaseException:
            await storage.close()
            raise
        return storage

    async def close(self) -> None:
        """Write what is queued, for at most the deadline, end our tasks and disconnect. Twice is once."""
        try:
            await self._writer.close()
        finally:
            await self._database.close()

    async def merge_accounts(self) -> list[MergeCounts]:
        """Give every group a home, and join what a group has under several accounts. Once at each start."""
        return await merge_accounts(self._database, self._writer)

    def on_recovered(self, listener: Callable[[], None]) -> None:
        """Tell `listener`, from the event loop, that the database can be written to again after a failure."""
        self._writer.on_recovered = listener

    def on_noted(self, listener: Callable[[list[Noted]], None]) -> None:
        """Tell `listener` what was changed, once it is on disk. It must not raise."""
        self._writer.on_noted = listener

    def status(self) -> tuple[Health, str]:
        """For `/api/health`: `degraded` and a sentence from a failed write to the next that succeeds."""
        trouble = self._writer.trouble
        return ("ok", "") if trouble is None else ("degraded", str(trouble))

    def counters(self) -> StorageCounters:
        """Counters for metrics."""
        rows, jobs = self._writer.waiting
        return StorageCounters(dict(self.ledger.appended), rows, jobs, dict(self._database.errors))

    async def prune(self, now: float, ledger_days: int) -> int:
        """Delete what is older than `ledger_days` days before `now`, in small transactions; how many rows."""
        before = now - ledger_days * _DAY
        return sum([await self._prune_table(table, age, before) for table, age in _AGED])

    async def prune_ledger(self, now: float, days: float, accounts: Collection[str]) -> int:
        """Delete what was said in conversations of these accounts more than `days` days before `now`; how
        many lines."""
        ledger = tables.ledger
        theirs = ledger.c.self_id.in_(sorted(accounts))
        return await self._prune_table(ledger, ledger.c.time, now - days * _DAY, theirs)

    async def _prune_table(
        self, table: Table, age: Column[float], before: float, among: ColumnElement[bool] | None = None
    ) -> int:
        old = age < before if among is None else (age < before) & among
        oldest = select(table.c.id).where(old).order_by(age).limit(CHUNK)

        async def delete_oldest(connection: AsyncConnection) -> int:
            if table is tables.ledger:
                await drop_words(connection, list(await connection.scalars(oldest)))
            return (await connection.execute(delete(table).where(table.c.id.in_(oldest)))).rowcount

        total = 0
        while deleted := await self._writer.run(delete_oldest):
            total += deleted
        return total
