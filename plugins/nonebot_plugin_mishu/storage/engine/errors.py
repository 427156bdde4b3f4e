"""Errors of storage, each with one Chinese sentence that may be shown.

    StorageError
     +-- DatabaseUnreachable    no such file or server, no right to open it, connection lost
     |    +-- DriverMissing     the PostgreSQL extra is not installed
     |    +-- DatabaseGone      the file was deleted, moved or replaced while we had it open
     +-- DatabaseInUse          a bot uses this database already
     +-- DatabaseLocked         another program held the write lock for longer than the deadline
     +-- DatabaseReadOnly       the file, its directory or the server takes no writes
     +-- DatabaseFull           no room left on the disk
     +-- DatabaseCorrupt        the file is no database, or damaged
     +-- DatabaseTimeout        no answer within the deadline; a write may or may not have happened
     +-- DataRefused            the database refused this very data, and would again
     +-- SchemaNewer            written by a newer version of the plugin
     +-- MoveUnfinished         a move into this database was cut off
     +-- DutyLost               another process has taken over from this one
     +-- StorageClosed          used after `Storage.close`

The sentences hold no address, no password and no text of members. What the driver said is the
`__cause__`.
"""

from __future__ import annotations

import sqlite3
from typing import ClassVar

from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    SQLAlchemyError,
    StatementError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout


class StorageError(Exception):
    """Base of all errors of this room. `str(error)` is a Chinese sentence that is safe to show."""

    sentence: ClassVar[str] = "数据库出错了。"
    told: ClassVar[str] = "现在存不进去，过会儿再说一次。"
    """Sentence for members; `sentence` is for the owner of the bot."""
    passing: ClassVar[bool] = True
    """True when the same write may succeed later, so that queued rows are kept."""

    def __init__(self, sentence: str | None = None) -> None:
        super().__init__(sentence or self.sentence)


class DatabaseUnreachable(StorageError):
    sentence = "连不上数据库，请检查地址、权限和数据库是否在运行。"


class DriverMissing(DatabaseUnreachable):
    sentence = "没有安装 PostgreSQL 驱动，请安装 nonebot-plugin-mishu[postgresql]。"


class DatabaseGone(DatabaseUnreachable):
    sentence = "数据库文件被删掉或换掉了，什么都存不下；请停掉机器人，把文件放回去或从备份恢复，再启动。"


class DatabaseInUse(StorageError):
    sentence = "已经有一个机器人在用这个数据库文件，一个文件只给一个进程用；先停掉那一个，或换成 PostgreSQL。"


class DatabaseLocked(StorageError):
    sentence = "数据库被别的程序占用着，暂时写不进去。"


class DatabaseReadOnly(StorageError):
    sentence = "数据库是只读的，写不进去，请检查文件和目录的权限。"


class DatabaseFull(StorageError):
    sentence = "磁盘满了，数据库写不进去。"
    told = "磁盘满了，存不进去。"


class DatabaseCorrupt(StorageError):
    sentence = "数据库文件已损坏或不是数据库，没有改动它；请从备份恢复，或移走它再启动。"


class DatabaseTimeout(StorageError):
    sentence = "数据库没有按时答复。"


class DataRefused(StorageError):
    sentence = "有一条数据数据库不接受，没有写入。"
    told = "这条存不进去，换个说法再说一次。"
    passing = False


class SchemaNewer(StorageError):
    sentence = "数据库由更新版本的插件写成，这个版本读不了；请升级插件。"


class MoveUnfinished(StorageError):
    sentence = "往这个数据库的搬家还没有做完；用原来的地址再运行一次 python -m bot move，或换一个数据库。"
    passing = False


class DutyLost(StorageError):
    sentence = "这个进程停顿太久，已经由另一个进程接手。"


class StorageClosed(StorageError):
    sentence = "数据库已经关闭。"
    passing = False


_SQLITE: dict[int, type[StorageError]] = {
    3: DatabaseUnreachable,  # PERM
    5: DatabaseLocked,  # BUSY
    6: DatabaseLocked,  # LOCKED
    8: DatabaseReadOnly,
    10: DatabaseUnreachable,  # IOERR
    11: DatabaseCorrupt,
    13: DatabaseFull,
    14: DatabaseUnreachable,  # CANTOPEN
    18: DataRefused,  # TOOBIG
    19: DataRefused,  # CONSTRAINT
    20: DataRefused,  # MISMATCH
    23: DatabaseUnreachable,  # AUTH
    26: DatabaseCorrupt,  # NOTADB
}
"""By SQLite's primary result code."""

_POSTGRESQL: dict[str, type[StorageError]] = {
    "08": DatabaseUnreachable,  # connection exceptions
    "22": DataRefused,  # data exceptions
    "23": DataRefused,  # constraints
    "25006": DatabaseReadOnly,
    "28": DatabaseUnreachable,  # not authorised
    "3D": DatabaseUnreachable,  # no such database
    "40": DatabaseLocked,  # deadlock, serialization
    "42501": DatabaseUnreachable,  # no right to this table
    "53100": DatabaseFull,
    "53": DatabaseUnreachable,  # out of connections or memory
    "55P03": DatabaseLocked,
    "57014": DatabaseTimeout,
    "57": DatabaseUnreachable,  # shut down
    "58": DatabaseUnreachable,  # its own I/O failed
    "XX": DatabaseCorrupt,
}
"""By PostgreSQL's error code, whole or its class."""

UNUSUAL = (SQLAlchemyError, sqlite3.Error, OSError, ValueError, TypeError, OverflowError, RecursionError)
"""Exceptions of the database, its drivers and the binding of values. `TimeoutError` is an `OSError`."""


def translate(error: BaseException) -> StorageError:
    """The `StorageError` for an error of the database, the driver or of binding a value."""
    if isinstance(error, StorageError):
        return error
    return _error_class(error)()


def _error_class(error: BaseException) -> type[StorageError]:
    source = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    if isinstance(source, sqlite3.Error):
        code = getattr(source, "sqlite_errorcode", None)
        return _SQLITE.get(code & 0xFF, StorageError) if code is not None else StorageError
    state = getattr(source, "sqlstate", None)
    if isinstance(state, str):
        return _POSTGRESQL.get(state) or _POSTGRESQL.get(state[:2], StorageError)
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return DatabaseUnreachable
    if isinstance(error, TimeoutError | PoolTimeout):
        return DatabaseTimeout
    if isinstance(error, OSError | InterfaceError):
        return DatabaseUnreachable
    if isinstance(error, DBAPIError) and not isinstance(error, DataError | IntegrityError):
        return StorageError
    # A value that could not be bound: a number beyond 64 bits, JSON without end, a wrong type.
    if isinstance(error, StatementError | ValueError | TypeError | OverflowError | RecursionError):
        return DataRefused
    return StorageError


def is_away(error: BaseException) -> bool:
    """True when the server closed the connection or accepts none at the moment (stop, restart)."""
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or _is_driver_away(error.orig)
    return _is_driver_away(error)


def _is_driver_away(error: BaseException | None) -> bool:
    """`is_away` for the driver's error and its causes: a connection cut while connecting is wrapped twice."""
    while error is not None:
        state = getattr(error, "sqlstate", None)
        if isinstance(state, str) and (state in _RESTARTING or state.startswith(_CUT_OFF)):
            return True
        if isinstance(error, OSError):
            return not isinstance(error, TimeoutError)
        error = error.__cause__
    return False


_CUT_OFF = "08"
"""SQLSTATE class of connection exceptions."""
_RESTARTING = ("57P01", "57P02", "57P03")
"""PostgreSQL shuts down, has crashed, or takes no connections yet."""


def may_retry(error: BaseException) -> bool:
    """True when a transaction may be run again at once: stale connection, deadlock, serialization error."""
    if not isinstance(error, DBAPIError):
        return False
    state = getattr(error.orig, "sqlstate", None)
    return error.connection_invalidated or state in ("40001", "40P01")
