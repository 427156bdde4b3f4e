"""Actions of the page 机器人 that the API lacks, given by whoever mounts the console."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caretaker:
    """For the owner of the bot alone. What fails is a `StorageError`, in words."""

    back_up: Callable[[], Awaitable[str]]
    """Makes a backup now; where it lies."""
    backups: Callable[[], Awaitable[Sequence[str]]]
    """The backups there are, the newest first, in words."""
    log: Callable[[], Sequence[str]]
    """The end of the log: lines of the bot about itself, nothing that was said; the newest first."""
