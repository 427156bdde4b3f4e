"""One database, opened and migrated, with everything that is kept in it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from .claims import Claims
from .decisions import Decisions
from .ledger import Ledger
from .settings import Settings
from .usage import UsageLog

Health = Literal["ok", "degraded"]

DEADLINE = 5.0
"""Seconds any call waits for the database."""


def default_url(data_dir: Path) -> str:
    """The address of the SQLite file in the plugin's data directory."""
    raise NotImplementedError


class Storage:
    """The open database. `open` makes it, `close` ends it."""

    ledger: Ledger
    claims: Claims
    settings: Settings
    decisions: Decisions
    usage: UsageLog

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        on_trouble: Callable[[str], None],
        deadline: float = DEADLINE,
        now: Callable[[], float] = time.time,
    ) -> Storage:
        """Open the database at `url` and bring its tables up to date.

        Args:
            url: `sqlite+aiosqlite:///…` (directories on the way are made) or `postgresql+asyncpg://…`.
            on_trouble: called from the event loop with a Chinese sentence when writing starts to fail,
                when it works again and when something was dropped; once each, not once per attempt.
            deadline: seconds any call waits for the database.
            now: the clock, in seconds; stamps claims.

        Raises:
            StorageError: with a sentence that may be shown. A file that is damaged or of a newer schema
                is left as it is.
        """
        raise NotImplementedError

    async def close(self) -> None:
        """Write what is queued, for at most the deadline, end our tasks and disconnect. Twice is once."""
        raise NotImplementedError

    def status(self) -> tuple[Health, str]:
        """For `/api/health`: `degraded` and a sentence from a failed write to the next that succeeds."""
        raise NotImplementedError

    async def prune(self, now: float, ledger_days: int) -> int:
        """Delete what is older than `ledger_days` days before `now`, in small transactions; how many rows."""
        raise NotImplementedError
