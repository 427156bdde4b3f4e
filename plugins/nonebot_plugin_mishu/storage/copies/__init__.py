"""Copies of the whole database: backup, restore, move between SQLite and PostgreSQL (scale.md, Operations).

`back_up` works while a bot runs, in one snapshot; `restore` and `move` want the place for themselves. Each
opens what it wrote and counts before it says so; each returns the rows of every table. What is refused is a
`StorageError` whose text is one Chinese sentence.
"""

from .backup import Backup, back_up
from .daily import DailyBackup, DailyPlan
from .errors import CopyRefused
from .moving import MoveCounts, move
from .restoring import Restored, restore

__all__ = [
    "Backup",
    "CopyRefused",
    "DailyBackup",
    "DailyPlan",
    "MoveCounts",
    "Restored",
    "back_up",
    "move",
    "restore",
]
