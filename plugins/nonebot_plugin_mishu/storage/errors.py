"""What can go wrong with the database, each with one Chinese sentence that may be shown.

    StorageError
     +-- DatabaseUnreachable    no such file or server, no right to open it, connection lost
     |    +-- DriverMissing     the PostgreSQL extra is not installed
     +-- DatabaseLocked         another program held the write lock for longer than the deadline
     +-- DatabaseReadOnly       the file, its directory or the server takes no writes
     +-- DatabaseFull           no room left on the disk
     +-- DatabaseCorrupt        the file is no database, or damaged
     +-- DatabaseTimeout        no answer within the deadline; a write may or may not have happened
     +-- DataRefused            the database refused this very data, and would again
     +-- SchemaNewer            written by a newer version of the plugin
     +-- StorageClosed          used after `Storage.close`

The sentences hold no address, no password and no text of members. What the driver said is the
`__cause__`.
"""

from __future__ import annotations

from typing import ClassVar


class StorageError(Exception):
    """Base of all errors of this room. `str(error)` is a Chinese sentence that is safe to show."""

    sentence: ClassVar[str] = "数据库出错了。"
    passing: ClassVar[bool] = True
    """Whether the same write may succeed later, so that queued rows wait for it."""

    def __init__(self, sentence: str | None = None) -> None:
        super().__init__(sentence or self.sentence)


class DatabaseUnreachable(StorageError):
    sentence = "连不上数据库，请检查地址、权限和数据库是否在运行。"


class DriverMissing(DatabaseUnreachable):
    sentence = "没有安装 PostgreSQL 驱动，请安装 nonebot-plugin-mishu[postgresql]。"


class DatabaseLocked(StorageError):
    sentence = "数据库被别的程序占用着，暂时写不进去。"


class DatabaseReadOnly(StorageError):
    sentence = "数据库是只读的，写不进去，请检查文件和目录的权限。"


class DatabaseFull(StorageError):
    sentence = "磁盘满了，数据库写不进去。"


class DatabaseCorrupt(StorageError):
    sentence = "数据库文件已损坏或不是数据库，没有改动它；请从备份恢复，或移走它再启动。"


class DatabaseTimeout(StorageError):
    sentence = "数据库没有按时答复。"


class DataRefused(StorageError):
    sentence = "有一条数据数据库不接受，没有写入。"
    passing = False


class SchemaNewer(StorageError):
    sentence = "数据库由更新版本的插件写成，这个版本读不了；请升级插件。"


class StorageClosed(StorageError):
    sentence = "数据库已经关闭。"
    passing = False
