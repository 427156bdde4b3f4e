"""The one task that writes: rows that may wait a moment, and jobs that somebody awaits.

Everything queued at one moment becomes one transaction (a commit costs as much for one row as for a
hundred): first the rows, then the jobs in the order they came. Where more rows wait than one transaction
takes, jobs that have to see every row queued before them wait for the last of them. Rows stay queued until
their commit, in order, and are tried again with growing pauses while the database is in trouble; a job that
failed is answered with the error and not tried again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, TypeVar, cast

from sqlalchemy import Executable, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from ..ledger.tables import ledger, model_call
from ..ledger.word_index import index_new, newest_id
from ..records import LedgerMessage, ModelCall
from ..rows import CHUNK, values_of
from .change_notice import Noted, taken
from .database import Database, Work
from .errors import DatabaseGone, DatabaseTimeout, DutyLost, StorageClosed, StorageError
from .queue import Queue, QueuedRows
from .writer_jobs import Job, Kind, alone, done_together

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741 - an item, beside `T`

DELAY = 0.15
"""Seconds a row waits for others."""

OWED = 0.05
"""Seconds a row waits that has to be answered: what comes of it at once goes with it."""

LONGEST_PAUSE = 5.0
"""Seconds between two attempts while the database is in trouble; they start at `DELAY` and double."""

WATCHED = 5.0
"""Seconds between two looks at whether the database's file is still there, where nothing is written."""

_REREADS = 10


class Right(Protocol):
    """The right of this process to write, where several share the database (`duties.Lease`)."""

    async def check(self, connection: AsyncConnection) -> None:
        """Raises `DutyLost` where it is over."""
        ...


class Writer:
    """Owns the queue, the task that writes and the one that looks after the file. Not for use from other
    threads, as all of asyncio."""

    def __init__(self, database: Database, on_trouble: Callable[[str], None], deadline: float) -> None:
        self._database = database
        self._on_trouble = on_trouble
        self._deadline = deadline
        self._jobs: deque[Job] = deque()
        self._something = asyncio.Event()
        self._urgent = asyncio.Event()
        self._pause = DELAY
        self._hastened: asyncio.TimerHandle | None = None
        self._closed = False
        self._trouble: StorageError | None = None
        self._told_drop = False
        self.queue = Queue()
        """Rows that are not on disk yet, added by `add` and `add_call`, which wake the task."""
        self.on_noted: Callable[[list[Noted]], None] = lambda notes: None
        """Listener for change notices, called after the commit. It must not raise."""
        self.on_recovered: Callable[[], None] = lambda: None
        """Listener for the recovery of the database after a failure. It must not raise."""
        self.lease: Right | None = None
        """Lease checked at the start of every transaction, where several processes share the database."""
        self._departures = 0
        """Grows whenever rows leave the queue for the disk."""
        self._task = asyncio.create_task(self._run())
        self._watch = asyncio.create_task(self._watch_file())

    @property
    def trouble(self) -> StorageError | None:
        """Error of the last transaction; None after one that succeeded."""
        return self._trouble

    @property
    def waiting(self) -> tuple[int, int]:
        """Number of rows and number of jobs not on disk yet."""
        return len(self.queue), len(self._jobs)

    def add(self, message: LedgerMessage) -> None:
        """Queue a message; dropped after `close`."""
        if not self._closed:
            self.queue.add(message)
            self._wake_task()

    def hasten(self) -> None:
        """Write what is queued in a moment: somebody waits for an answer, and a kill must not lose that."""
        if self._hastened is None and self._trouble is None and not self._closed:
            self._hastened = asyncio.get_running_loop().call_later(OWED, self._write_soon)

    def _write_soon(self) -> None:
        self._hastened = None
        if self.queue and self._trouble is None:
            self._something.set()
            self._urgent.set()

    def add_call(self, call: ModelCall) -> None:
        """Queue a model call; dropped after `close`."""
        if not self._closed:
            self.queue.add_call(call)
            self._wake_task()

    async def run(self, work: Work[T]) -> T:
        """Run `work` behind everything queued now; return what it returned once it is on disk.

        Raises:
            StorageError: it did not happen; at a `DatabaseTimeout` it may have.
        """
        if self._closed:
            raise StorageClosed
        return await self._submit(alone(work), None, after_rows=True)

    async def execute(self, *statements: Executable) -> int:
        """Execute statements in one transaction, as `run`; the row count of the last one."""

        async def execute_all(connection: AsyncConnection) -> int:
            count = 0
            for statement in statements:
                count = (await connection.execute(statement)).rowcount
            return count

        return await self.run(execute_all)

    async def run_batched(self, kind: Kind[I, T], item: I) -> T:
        """As `run`, for work that is done for many at once where several wait (see `jobs`) and that does not
        look at rows: it does not wait for those that are queued."""
        if self._closed:
            raise StorageClosed
        return await self._submit(kind, item, after_rows=False)

    async def flush(self) -> None:
        """Return once everything queued before this call is on disk; raises as `run`."""
        await self.run(_do_nothing)

    async def read_settled(self, work: Work[T]) -> T:
        """Read, again where rows went from the queue to the disk meanwhile.

        So a row is on disk as `work` saw it, or still in the queue when this returns; perhaps both.
        """
        for _ in range(_REREADS - 1):
            departures = self._departures
            result = await self._database.read(work)
            if departures == self._departures:
                return result
        return await self._database.read(work)

    async def close(self) -> None:
        """Write what is queued, for at most the deadline, and end the task."""
        if self._closed:
            return
        self._closed = True
        if self._hastened is not None:
            self._hastened.cancel()
        try:
            with suppress(StorageError):  # What is lost is counted and said below.
                await self._submit(alone(_do_nothing), None, after_rows=True)
        finally:
            self._task.cancel()
            self._watch.cancel()
        await asyncio.wait({self._task, self._watch}, timeout=self._deadline)
        for job in self._take_jobs():
            job.fail(StorageClosed())
        if self.queue:
            self._report(f"数据库关闭时还有 {len(self.queue)} 条记录没能写入。")

    async def _submit(self, kind: Kind[I, T], item: I, *, after_rows: bool) -> T:
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        done.add_done_callback(_consume_error)
        job = Job(kind, item, done, after_rows, self.lease)
        self._jobs.append(job)
        self._something.set()
        self._urgent.set()
        await asyncio.wait({done}, timeout=self._deadline)
        if done.done():
            return cast("T", done.result())
        job.abandoned = True
        raise type(self._trouble)() if self._trouble is not None else DatabaseTimeout()

    def _wake_task(self) -> None:
        self._something.set()
        if self.queue.dropped and not self._told_drop:
            self._told_drop = True
            self._report("等待写入数据库的记录太多，开始丢弃最旧的。")

    async def _run(self) -> None:
        while True:
            await self._something.wait()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause):
                    await self._urgent.wait()
            self._something.clear()
            self._urgent.clear()
            await self._write_batch()
            if self.queue or self._jobs:
                self._something.set()
                # What came during the batch waits for company as the batch did: else a flood makes a
                # transaction of every twenty rows.
                if self._jobs or (self._trouble is None and len(self.queue) >= CHUNK):
                    self._urgent.set()

    async def _watch_file(self) -> None:
        """Say that the file went, and that it is back (moved there again, the same one)."""
        while True:
            await asyncio.sleep(WATCHED)
            if self._database.gone:
                self._note_failure(DatabaseGone(), [])
            elif isinstance(self._trouble, DatabaseGone):
                self._note_recovery()

    async def _write_batch(self) -> None:
        """One transaction. Jobs after rows wait until every row that is queued goes with them."""
        part = self.queue.first(CHUNK)
        whole = len(part) == len(self.queue)
        jobs = self._take_jobs(after_rows=whole)
        if not part and not jobs:
            return
        try:
            await self._write(part, jobs)
        except StorageError as error:
            if error.passing:
                # Jobs that came meanwhile have their own try, unless rows stand before them.
                self._note_failure(error, jobs if whole else [*jobs, *self._take_jobs()])
            else:
                await self._write_singly(part, jobs)
        except Exception:  # noqa: BLE001 - a job's own error; the job alone meets it again and is told
            await self._write_singly(part, jobs)

    async def _write_singly(self, part: QueuedRows, jobs: list[Job]) -> None:
        """Each in its own transaction, so that only what the database refuses is lost."""
        for row in part.single():
            try:
                await self._write(row, [])
            except StorageError as error:
                if error.passing:
                    self._note_failure(error, jobs)
                    return
                self.queue.remove(row)
                self._report(str(error))
        for index, job in enumerate(jobs):
            try:
                await self._write(QueuedRows(), [job])
            except StorageError as error:
                if error.passing:
                    self._note_failure(error, jobs[index:])
                    return
                job.fail(error)
            except Exception as error:  # noqa: BLE001 - handed to the one who awaits the job
                job.fail(error)

    async def _write(self, part: QueuedRows, jobs: list[Job]) -> None:
        """One transaction; what went into it leaves the queue, and jobs are answered, after its commit."""
        lease = self.lease

        async def write_batch(connection: AsyncConnection) -> tuple[list[Any], list[Noted]]:
            taken(connection)  # what an attempt before this one noted did not happen
            if lease is not None:
                await lease.check(connection)
            if part.messages:
                above = await newest_id(connection)
                adding = self._database.insert(ledger).on_conflict_do_nothing(
                    index_elements=["self_id", "message_id"]
                )
                await connection.execute(adding, [values_of(each, ledger) for each in part.messages.values()])
                await index_new(connection, part.messages.values(), above)
            if part.calls:
                await connection.execute(
                    insert(model_call), [values_of(each, model_call) for each in part.calls.values()]
                )
            return await done_together(connection, jobs), taken(connection)

        results, notes = await self._database.write(write_batch)
        self.queue.remove(part)
        self._departures += 1
        self._pause = DELAY
        self._note_recovery()
        for job, result in zip(jobs, results, strict=True):
            job.answer(result)
        if notes:
            # From the loop: those whose job it was are told first.
            asyncio.get_running_loop().call_soon(self.on_noted, notes)

    def _take_jobs(self, *, after_rows: bool = True) -> list[Job]:
        """The jobs that wait; without `after_rows` those that need not wait for rows."""
        for job in self._jobs:
            if job.lease is not self.lease:
                job.fail(DutyLost())  # whoever took over does it, or has done it
        waiting = [job for job in self._jobs if not job.abandoned and job.lease is self.lease]
        taken = [job for job in waiting if after_rows or not job.after_rows]
        self._jobs = deque(job for job in waiting if job.after_rows and not after_rows)
        return taken

    def _note_failure(self, error: StorageError, jobs: list[Job]) -> None:
        if type(self._trouble) is not type(error):
            self._report(str(error))
        self._trouble = error
        self._pause = min(self._pause * 2, LONGEST_PAUSE)
        for job in jobs:
            job.fail(type(error)())

    def _note_recovery(self) -> None:
        if self._trouble is None and not self._told_drop:
            return
        dropped, self.queue.dropped = self.queue.dropped, 0
        self._trouble, self._told_drop = None, False
        lost = f"其间丢弃了 {dropped} 条旧记录。" if dropped else "没有丢失记录。"
        self._report(f"数据库恢复正常，{lost}")
        asyncio.get_running_loop().call_soon(self.on_recovered)

    def _report(self, sentence: str) -> None:
        # From the loop, not from here: what the listener raises is its own affair.
        asyncio.get_running_loop().call_soon(self._on_trouble, sentence)


def _consume_error(done: asyncio.Future[Any]) -> None:
    if not done.cancelled():
        done.exception()  # Its caller may be gone; then nobody else asks for it.


async def _do_nothing(_connection: AsyncConnection) -> None:
    """The job of a flush: standing behind the rows is all of it."""
