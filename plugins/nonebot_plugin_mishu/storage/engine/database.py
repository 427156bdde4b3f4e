"""Connections and transactions: the part that differs between SQLite and PostgreSQL.

SQLite has one connection that writes, in WAL mode with `synchronous=FULL` and `BEGIN IMMEDIATE` (a
transaction that starts by reading could fail later for a lock), and a few that read in autocommit and so
never hold a transaction. PostgreSQL has one pool. Every use of a connection runs in a task of ours with a
deadline: a caller that is cancelled stops waiting, its transaction does not stop in the middle.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from sqlalchemy import URL, ColumnElement, Executable, Float, Row, event, literal, literal_column, text
from sqlalchemy import Connection as SyncConnection
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from . import schema
from .address import parse_address
from .errors import (
    UNUSUAL,
    DatabaseCorrupt,
    DatabaseGone,
    DatabaseLocked,
    DatabaseTimeout,
    DatabaseUnreachable,
    DriverMissing,
    StorageClosed,
    is_away,
    may_retry,
    translate,
)
from .opened_file import OpenedFile
from .process_lock import ProcessLock
from .row_cache import Writes

T = TypeVar("T")
Work = Callable[[AsyncConnection], Awaitable[T]]

SERVER_CLOCK: Final = "extract(epoch from clock_timestamp())"
"""Seconds since the epoch by PostgreSQL's clock, as SQL."""

READERS = 4
"""Connections that read a SQLite file beside the one that writes; each is a thread."""

POOL = 5
"""Default number of connections to PostgreSQL."""

ATTEMPTS = 3
"""Attempts of a transaction whose connection was stale or that lost a race."""

PATIENCE = 3.0
"""Seconds from its first refusal in which a server that restarts is tried again by whoever needs it; after
that everybody is told at once that it is away. At most a part of what a caller waits."""
PART = 0.6
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.4
"""Seconds between two tries; they double."""

MIGRATION_DEADLINE = 60.0
"""Seconds the steps of a migration may take, waiting for another process's included."""

CHECKED_SIZE = 64 * 2**20
"""A SQLite file up to this many bytes is checked in full when it is opened."""


class Database:
    """One database, either kind. `open` connects and migrates."""

    def __init__(self, url: str, deadline: float, pool: int = POOL) -> None:
        self._deadline = deadline
        self._busy = round(deadline * 800)
        """Milliseconds the database waits for a lock: below our deadline, so that its own error is seen."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._opened = False
        self._away_since: float | None = None
        """Loop time of the first failed connection; None while the server answers."""
        self._file: OpenedFile | None = None
        """The SQLite file we opened."""
        self.writes = Writes("mishu_schedule")
        self.errors: Counter[str] = Counter()
        """Failures by kind, for metrics."""
        try:
            parsed = parse_address(url)
            if parsed.get_backend_name() == "sqlite":
                self._path = _file_of(parsed)
                self._lock = ProcessLock(self._path)
                self._write_engine = self._sqlite_engine(parsed, writes=True)
                self._read_engine = self._sqlite_engine(parsed, writes=False)
            else:
                self._path = self._lock = None
                self._write_engine = self._postgresql_engine(parsed, pool)
                self._read_engine = self._write_engine.execution_options(isolation_level="AUTOCOMMIT")
        except ModuleNotFoundError as error:
            raise DriverMissing from error
        except ArgumentError as error:
            raise DatabaseUnreachable("看不懂数据库地址。") from error
        self.insert = sqlite_insert if self._path is not None else postgresql_insert
        """The dialect's `insert`, for its ON CONFLICT; both have the same methods."""
        self.writes.listen(self._write_engine.sync_engine)

    async def open(self) -> None:
        """Connect and bring the tables up to date.

        Raises:
            StorageError: as `Storage.open`.
        """
        if self._path is not None:
            await self._run_owned(asyncio.to_thread(_make_directory, self._path), self._deadline)
            await self._run_owned(self._acquire_lock(), self._deadline)
            await self._run_owned(self._check_file(self._path), MIGRATION_DEADLINE)
        await self._run_owned(self._migrate(), 2 * MIGRATION_DEADLINE)
        self._file = OpenedFile(self._path) if self._path is not None else None
        self._opened = True

    @property
    def gone(self) -> bool:
        """True when the opened SQLite file was moved, replaced or deleted."""
        return self._file is not None and self._file.gone

    @property
    def alone(self) -> bool:
        """True when no other process writes to the database."""
        return self._path is not None

    def clock(self, now: float) -> ColumnElement[float]:
        """The time by which leases and claims are counted: the database's where several processes share it,
        whose machines' clocks may differ; else the caller's `now`."""
        return literal(now, Float) if self.alone else server_clock()

    async def read(self, work: Work[T]) -> T:
        """Run `work`, which only reads, and return what it returns.

        Raises:
            StorageError: where the database does not answer, or not in time.
        """

        async def reading() -> T:
            async with self._read_engine.connect() as connection:
                return await work(connection)

        return await self._run_owned(self._run_attempts(reading, self._deadline), self._deadline)

    async def fetch_rows(self, statement: Executable) -> Sequence[Row[Any]]:
        """Rows of one SELECT. Raises `StorageError`, as `read`."""

        async def fetch(connection: AsyncConnection) -> Sequence[Row[Any]]:
            return (await connection.execute(statement)).all()

        return await self.read(fetch)

    async def write(self, work: Work[T]) -> T:
        """Run `work` in one transaction, whole or not at all. Called by the writer's task only.

        Raises:
            StorageError: the transaction did not happen; at a `DatabaseTimeout` it may have.
        """
        return await self._run_owned(self._transaction(work, self._deadline), self._deadline + 1)

    async def run_apart(self, work: Work[T]) -> T:
        """Run `work` in one transaction of its own, beside the writer's: only for what many processes share
        (PostgreSQL), and what must not wait behind a flood.

        Raises:
            StorageError: as `write`.
        """

        async def writing() -> T:
            async with self._write_engine.begin() as connection:
                return await work(connection)

        return await self._run_owned(self._run_attempts(writing, self._deadline), self._deadline)

    async def close(self) -> None:
        """End our tasks and disconnect, within the deadline."""
        self._closed = True
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._deadline)
        for task in self._tasks:
            task.cancel()
        for engine in (self._read_engine, self._write_engine):
            disposing = asyncio.ensure_future(engine.dispose())
            await asyncio.wait({disposing}, timeout=self._deadline)
        if self._lock is not None:
            self._lock.release()

    async def _acquire_lock(self) -> None:
        if self._lock is not None:
            await asyncio.to_thread(self._lock.acquire)

    async def _migrate(self) -> None:
        clock = asyncio.get_running_loop().time
        until = clock() + self._deadline / 2
        while True:
            try:
                return await self._transaction(schema.upgrade, MIGRATION_DEADLINE)
            except DatabaseLocked:
                # Turning a new file to WAL is refused at once, not after the busy timeout, while
                # another process does the same.
                if clock() > until:
                    raise
            await asyncio.sleep(0.02)

    async def _transaction(self, work: Work[T], deadline: float) -> T:
        async def writing() -> T:
            sound, number, done = False, None, None
            try:
                if self.gone:
                    raise DatabaseGone
                try:
                    async with self._write_engine.begin() as connection:
                        done = await work(connection)
                        number = await self._transaction_number(connection)
                except UNUSUAL as error:
                    # With a number only the commit is left to fail, and the server knows whether it did.
                    if number is None or not is_away(error) or not await self._is_committed(number):
                        raise
                if self.gone:
                    raise DatabaseGone  # it went meanwhile: what was written is nowhere
                sound = True
                return cast("T", done)
            finally:
                self.writes.ended(sound=sound)

        return await self._run_attempts(writing, deadline)

    async def _run_attempts(self, run: Callable[[], Awaitable[T]], deadline: float) -> T:
        try:
            async with asyncio.timeout(deadline):
                attempt, pause = 0, FIRST_PAUSE
                while True:
                    attempt += 1
                    try:
                        done = await run()
                        self._away_since = None
                        return done
                    except UNUSUAL as error:
                        if may_retry(error) and attempt < ATTEMPTS:
                            continue
                        if not self._may_wait(error, min(PATIENCE, PART * deadline)):
                            raise
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
        except (*UNUSUAL, DatabaseGone) as error:
            told = translate(error)
            self.errors[type(told).__name__] += 1
            raise told from error

    def _may_wait(self, error: BaseException, patience: float) -> bool:
        """True while the server may be back in a moment: nothing was committed, and the transaction is run
        again."""
        if self.alone or not self._opened or not is_away(error):
            return False
        now = asyncio.get_running_loop().time()
        if self._away_since is None:
            self._away_since = now
        return now < self._away_since + patience

    async def _transaction_number(self, connection: AsyncConnection) -> int | None:
        """The server's transaction id; None on SQLite, or where nothing was written."""
        return None if self.alone else await connection.scalar(_NUMBER)

    async def _is_committed(self, number: int) -> bool:
        """True when a transaction whose commit was cut off is on disk. Waits for a server that restarts; the
        caller's deadline ends it."""
        pause = FIRST_PAUSE
        while True:
            try:
                async with self._read_engine.connect() as connection:
                    status = await connection.scalar(_STATUS, {"number": number})
                if status != "in progress":
                    return status == "committed"
            except UNUSUAL as error:
                if not is_away(error):
                    raise
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _run_owned(self, work: Coroutine[Any, Any, T], deadline: float) -> T:
        """Run `work` in a task of ours. The caller may be cancelled, the task goes on to its end."""
        if self._closed:
            work.close()
            raise StorageClosed
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._discard_task)
        await asyncio.wait({task}, timeout=deadline)
        if task.done() and not task.cancelled():
            return task.result()
        # It has its own deadline: being here means that even its clean-up hangs, in a thread or a
        # socket, or that the loop is being taken down.
        task.cancel()
        self.errors[DatabaseTimeout.__name__] += 1
        raise DatabaseTimeout

    def _discard_task(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # Its caller may be gone; then nobody else asks for it.

    def _sqlite_engine(self, url: URL, *, writes: bool) -> AsyncEngine:
        engine = create_async_engine(
            url,
            poolclass=AsyncAdaptedQueuePool,  # before SQLAlchemy 2.0.38 files were opened anew each time
            pool_size=1 if writes else READERS,
            max_overflow=0,
            hide_parameters=True,
        )

        def connected(connection: Any, _record: Any) -> None:
            # The driver's own BEGIN comes only before the first change, too late for us.
            connection.isolation_level = None
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout = {self._busy}")
            if writes:
                cursor.execute("PRAGMA journal_mode = WAL")
                cursor.execute("PRAGMA synchronous = FULL")
                cursor.execute("PRAGMA journal_size_limit = 67108864")
            else:
                cursor.execute("PRAGMA query_only = ON")
            cursor.close()

        event.listen(engine.sync_engine, "connect", connected)
        if writes:
            event.listen(engine.sync_engine, "invalidate", _roll_back)
            event.listen(engine.sync_engine, "begin", _begin_immediate)
        return engine

    def _postgresql_engine(self, url: URL, pool: int) -> AsyncEngine:
        engine = create_async_engine(
            url,
            pool_size=pool,
            max_overflow=0,
            hide_parameters=True,
            connect_args={"timeout": self._deadline, "server_settings": {"application_name": "mishu"}},
        )
        # The server's own limits, below ours: its refusal leaves a whole connection, our deadline does
        # not. A process that is paused within a transaction does not hold its locks for ever.
        limits = {
            "lock_timeout": self._busy,
            "statement_timeout": round(self._deadline * 900),
            "idle_in_transaction_session_timeout": round(self._deadline * 1000),
        }

        def connected(connection: Any, _record: Any) -> None:
            cursor = connection.cursor()
            for name, milliseconds in limits.items():
                cursor.execute(f"SET {name} = {milliseconds}")
            cursor.close()
            connection.commit()

        event.listen(engine.sync_engine, "connect", connected)
        return engine

    async def _check_file(self, path: Path) -> None:
        """Refuse a damaged file before anything is written to it."""
        size = await asyncio.to_thread(_file_size, path)
        if not size:
            return

        async def checking() -> str:
            async with self._read_engine.connect() as connection:
                pragma = "quick_check(1)" if size <= CHECKED_SIZE else "schema_version"
                return str((await connection.exec_driver_sql(f"PRAGMA {pragma}")).scalar())

        found = await self._run_attempts(checking, MIGRATION_DEADLINE)
        if size <= CHECKED_SIZE and found != "ok":
            raise DatabaseCorrupt


_NUMBER = text("SELECT txid_current_if_assigned()")
_STATUS = text("SELECT txid_status(:number)")


def occupy(url: str) -> ProcessLock | None:
    """Keep other processes from the SQLite file at `url` until the returned lock is released or this process
    ends; None where the database is no file.

    Raises:
        DatabaseInUse: another process has it.
    """
    parsed = parse_address(url)
    if parsed.get_backend_name() != "sqlite":
        return None
    lock = ProcessLock(_file_of(parsed))
    lock.acquire()
    return lock


def _begin_immediate(connection: SyncConnection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _roll_back(connection: Any, _record: Any, _error: BaseException | None) -> None:
    """Undo before closing what was cut off by a cancellation.

    SQLite closes a connection for good only when its last statement is finalised, and the statement that
    was cut off lives in the cancellation's traceback: until the garbage collector comes by, the file would
    stay locked by a transaction nobody can end.
    """
    connection.rollback()


def _file_of(url: URL) -> Path:
    if not url.database or ":memory:" in url.database:
        raise DatabaseUnreachable("数据库必须是一个文件，不能只在内存里。")
    return Path(url.database.removeprefix("file:"))


def _make_directory(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseUnreachable("建不了数据库所在的目录，请检查路径和权限。") from error


def _file_size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def server_clock() -> ColumnElement[float]:
    """PostgreSQL's clock in an expression."""
    return literal_column(SERVER_CLOCK, Float)
