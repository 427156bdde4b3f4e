"""Executor of nudges, for lines and the API: what is open between two members, limits, rows that are due."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncConnection

from ...language.clause import Mention
from ...language.entries.entry import spoken
from ...language.recognise.times import WITHIN_A_DAY, Recurrence, occurrences
from ...storage import Storage
from ...storage.journal.queries import journal
from ...storage.quiet.records import QuietHours
from ...storage.records import Conversation
from ...storage.reminders.queries import drop_row, put
from ...storage.reminders.records import NUDGE, WALL, NewReminder, ReminderRecord
from ...storage.tasks.records import TaskRecord
from ..api.quiet_times import QuietTimes
from ..api.task_context import Asker
from ..bookkeeping.books import debts_of
from ..tasks.frames import TaskReference
from ..tasks.planning.assignees import told_to
from ..tasks.planning.matching import matching
from . import wording

MOST_A_DAY: Final = 2
"""Nudges of one member by another in a day."""
_LONGEST: Final = 40


class NudgeRefused(Exception):
    """A nudge was refused: nobody is reminded. The text is a Chinese sentence; `kind` gives the reason."""

    def __init__(self, text: str, kind: str = "invalid") -> None:
        super().__init__(text)
        self.text = text
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Nudged:
    """A nudge that is on disk: its text, when it is said (wall seconds), and the quiet hours it waits for."""

    text: str
    at: float
    hours: QuietHours | None
    rule: Mapping[str, Any] | None
    slower: bool = False
    """It was to come more than once a day."""


class NudgeExecutor:
    """Writes nudges. Raises `NudgeRefused`, `StorageError`."""

    def __init__(
        self, storage: Storage, quiet: QuietTimes, zone: ZoneInfo, wall: Callable[[], float]
    ) -> None:
        self._storage = storage
        self._quiet = quiet
        self._zone = zone
        self._wall = wall

    async def nudge(
        self,
        place: Conversation,
        asker: Asker,
        member: Mention,
        what: str,
        *,
        origin: str,
        money: bool = False,
        asks: bool = False,
        at: float | None = None,
        rule: Mapping[str, Any] | None = None,
    ) -> Nudged:
        """Nudge a member about `what`; empty: what is open between the two. `at`: the first time, None for
        now; `rule`: recurrence with its `count`."""
        if not place.is_group:
            raise NudgeRefused(wording.NOT_HERE)
        if member.user_id == place.self_id:
            raise NudgeRefused(wording.THE_BOT)
        if member.user_id == asker.user_id:
            raise NudgeRefused(wording.ONESELF)
        now = self._wall()
        slower = rule is not None and rule["freq"] in WITHIN_A_DAY
        rule = {**rule, "freq": "daily", "interval": 1} if rule is not None and slower else rule
        first = now if at is None else at
        if first < now - 60:
            raise NudgeRefused(wording.PAST)
        waits = await self._quiet.until(place, [member.user_id], first, usual=True)
        due, hours = (first, None) if waits is None else waits
        later = rule is not None or due > now
        text, task = await self._sentence(place, asker, member, what[:_LONGEST], money=money, later=later)
        if asks and what and task is None:
            text = wording.about_question(asker.name, told_to(what[:_LONGEST], asker.name))
        local = datetime.fromtimestamp(due, self._zone)
        row = NewReminder(
            place,
            NUDGE,
            0 if task is None else task.id,
            [member.user_id],
            text,
            due,
            local.strftime(WALL),
            self._zone.key,
            recurrence=None if rule is None else dict(rule),
            origin=f"{_begin(place, asker.user_id, member.user_id)}{local:%Y-%m-%d}:{origin}",
        )
        await self._put(row, asker, member, local)
        self._storage.reminders.changed()
        return Nudged(text, due, hours, rule, slower)

    async def stop(self, place: Conversation, asker: Asker, member: Mention) -> bool:
        """Take the nudges that still wait away; whether there were any. Admins stop everybody's."""
        own = _begin(place, asker.user_id, member.user_id)
        found = await self._storage.reminders.nudges_to(place, member.user_id)
        ids = [row.id for row, origin in found if asker.governs or origin.startswith(own)]
        await self._drop(ids)
        return bool(ids)

    async def stop_of(self, place: Conversation, asker: Asker, *, ordered: bool) -> list[str]:
        """Take the waiting nudges of the speaker away; `ordered`: also those that they ordered. The ids
        of who is not nudged any more."""
        by = _begin_of(place, asker.user_id)
        found = [
            row
            for row, origin in await self._storage.reminders.nudges_to(place, None)
            if asker.user_id in row.user_ids or (ordered and origin.startswith(by))
        ]
        await self._drop([row.id for row in found])
        return list(dict.fromkeys(user for row in found for user in row.user_ids))

    async def waiting(self, place: Conversation, asker: Asker) -> list[ReminderRecord]:
        """Nudges that the speaker ordered and that still wait, the next one first."""
        by = _begin_of(place, asker.user_id)
        found = await self._storage.reminders.nudges_to(place, None)
        return [row for row, origin in found if origin.startswith(by)]

    async def waiting_for(self, place: Conversation, asker: Asker) -> list[ReminderRecord]:
        """Nudges of the speaker that still wait, the next one first."""
        return [row for row, _ in await self._storage.reminders.nudges_to(place, asker.user_id)]

    async def last(self, place: Conversation, asker: Asker) -> str | None:
        """Id of the member whom the speaker nudged last in this group; None for nobody."""
        row = await self._storage.reminders.last_of_origin(_begin_of(place, asker.user_id))
        return row.user_ids[0] if row is not None and row.user_ids else None

    async def finish(self, place: Conversation, user_id: str, task_id: int) -> None:
        """The member is done with what they were nudged about: it is not said again."""
        rows = await self._storage.reminders.nudges_to(place, user_id)
        await self._drop([row.id for row, _ in rows if row.item_id == task_id])

    async def _drop(self, ids: Sequence[int]) -> None:
        async def drop_nudges(connection: AsyncConnection) -> None:
            for row_id in ids:
                await drop_row(connection, row_id)

        if ids:
            await self._storage.reminders.write(drop_nudges)
            self._storage.reminders.changed()

    async def _put(self, row: NewReminder, asker: Asker, member: Mention, day: datetime) -> None:
        begins = f"{_begin(row.conversation, asker.user_id, member.user_id)}{day:%Y-%m-%d}:"

        async def put_nudge(connection: AsyncConnection) -> bool:
            said = await self._storage.reminders.count_origins(connection, begins, but=row.origin or "")
            if said >= MOST_A_DAY:
                return False
            change = await put(connection, row)
            summary = f"催{member.name}"
            await journal(connection, row.conversation, asker.user_id, NUDGE, summary, [change], self._wall())
            return True

        if not await self._storage.reminders.write(put_nudge):
            raise NudgeRefused(wording.ENOUGH.format(name=member.name, most=MOST_A_DAY), "conflict")

    async def _sentence(
        self, place: Conversation, asker: Asker, member: Mention, what: str, *, money: bool, later: bool
    ) -> tuple[str, TaskRecord | None]:
        """The sentence, and the task it is about. `later`: a debt may be another by then."""
        debts = debts_of(await self._storage.transactions.split(place))
        fen = debts.between_two(member.user_id, asker.user_id)
        if money:
            if fen > 0:
                return wording.about_debt(asker.name, 0 if later else fen), None
            if any(each.isdigit() for each in what) and not debts.know(member.user_id, asker.user_id):
                return wording.about_words(asker.name, told_to(what, asker.name)), None
            told = wording.OWED_BACK if fen else wording.NOTHING_OWED
            raise NudgeRefused(told.format(name=member.name, sum=spoken(-fen)))
        today = datetime.fromtimestamp(self._wall(), self._zone).date()
        given = [
            each
            for each in await self._storage.tasks.of_member(
                member.user_id, conversation=place, status="pending"
            )
            if each.creator == asker.user_id
        ]
        if what:
            found = matching(given, TaskReference(words=what))
            if len(found) == 1:
                return wording.about_tasks(asker.name, found, today), found[0]
            return wording.about_words(asker.name, told_to(what, asker.name)), None
        if given:
            return wording.about_tasks(asker.name, given[:5], today), given[0] if len(given) == 1 else None
        if fen > 0:
            return wording.about_debt(asker.name, 0 if later else fen), None
        before = await self._storage.reminders.last_of_origin(_begin(place, asker.user_id, member.user_id))
        asked = before is not None and not before.item_id and before.state != "done"
        if before is not None and asked and not wording.is_about_debt(before.text, asker.name):
            return before.text, None  # 再催一下阿凯: about what they were nudged about last
        raise NudgeRefused(wording.ABOUT_WHAT.format(name=member.name))


def first_time(rule: Mapping[str, Any], start: datetime, now: datetime) -> datetime:
    """The first occurrence from now on: 每天早上九点 said at ten is tomorrow."""
    plain = Recurrence.kept({name: of for name, of in rule.items() if name != "count"})
    after = now - timedelta(seconds=1)
    return next((each.at for each in occurrences(plain, start, after=after)), now)


def _begin(place: Conversation, asker: str, member: str) -> str:
    return f"{_begin_of(place, asker)}{member}:"


def _begin_of(place: Conversation, asker: str) -> str:
    return f"nudge:{place.self_id}:{place.peer}:{asker}:"
