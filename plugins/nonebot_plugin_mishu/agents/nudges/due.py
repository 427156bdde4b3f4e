"""Due rows of nudges: said only while what they are about is still open."""

from __future__ import annotations

from ...storage import Storage
from ...storage.reminders.records import ReminderRecord
from ..bookkeeping.books import debts_of
from .wording import about_debt


class NudgeNews:
    """Makes the text of a due row; the same row again, after a kill, gives the same."""

    def __init__(self, storage: Storage) -> None:
        self._tasks = storage.tasks
        self._transactions = storage.transactions

    async def compose(self, row: ReminderRecord, now: float) -> str | None:
        """The text of a row; None where the task it is about is done or gone, or nothing is owed any more.
        Raises `StorageError`."""
        if row.item_id:
            task = await self._tasks.get(row.item_id)
            if task is None or task.status == "completed":
                return None
        return row.text if await self._is_owed(row) else None

    async def _is_owed(self, row: ReminderRecord) -> bool:
        """False for a nudge about a debt (别人催还钱) that is even by now."""
        debts = debts_of(await self._transactions.split(row.conversation))
        askers = [user for user, name in debts.names.items() if row.text == about_debt(name, 0)]
        owing = [user for user in askers if debts.between_two(row.user_ids[0], user) > 0]
        return bool(owing) or not askers
