"""Due rows of polls: the end with its result, a call to those without a voice, a place that came free."""

from __future__ import annotations

from typing import Final

from ...storage import Storage
from ...storage.polls.records import seated
from ...storage.reminders.records import POLL_END, ReminderRecord
from . import wording
from .board import PollBoard

_IN: Final = "in:"


class PollNews:
    """Makes the text of a due row; the same row again, after a kill, gives the same."""

    def __init__(self, storage: Storage, board: PollBoard) -> None:
        self._polls = storage.polls
        self._board = board

    async def compose(self, row: ReminderRecord, now: float) -> str | None:
        """The text of a row; None where there is nothing to say any more. Raises `StorageError`."""
        if row.text == POLL_END:
            return await self._ended(row.item_id, now)
        poll = await self._polls.get(row.item_id)
        if poll is None or not poll.open:
            return None
        if row.text.startswith(_IN):
            inside, _ = seated(poll.answers, poll.fields.places)
            user_id = row.text.removeprefix(_IN)
            mine = next((each for each in inside if each.user_id == user_id), None)
            if mine is None:
                return None
            who = "候补第一位" if poll.fields.anonymous else mine.name
            return f"{wording.head(poll)}\n有人退出，{who}补上了（{wording.short(poll)}）。"
        how = {"vote": "回数字就行", "signup": "来的回「+1」", "count": "回数量就行"}[poll.fields.form]
        return f"{wording.head(poll)}\n还没回的说一声，{how}。"

    async def _ended(self, poll_id: int, now: float) -> str | None:
        poll = await self._polls.close_due(poll_id, now)
        if poll is None:
            return None
        self._board.note(poll)
        return f"{wording.result(poll)}\n{wording.offers(poll)}".rstrip()
