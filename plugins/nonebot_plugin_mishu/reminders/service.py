"""Sends reminders when they are due, in the order they are due, and none of them silently lost.

The rows are the truth and the wall clock is asked at every look: an alarm that rings late, early or never,
a blocked loop, a clock that was set, change nothing but when we look. One task looks; each conversation
that has something due gets a task of its own, so that none waits for another.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar
from uuid import uuid4

from ..agents import Announcer, NotAnnounced
from ..clock import FAR, ClockSeen
from ..storage import Conversation, StorageError
from ..storage.reminders.queries import Reminders
from ..storage.reminders.records import APART, DIGEST, NOTICE, POLL, ReminderRecord
from .alarm import Alarm
from .plan import (
    JOINT,
    LOOK,
    MOST_FAILURES,
    RESEND_AFTER,
    SINGLES,
    Gathered,
    MaySpeak,
    ReminderMessage,
    late,
    next_look,
    plan,
    retry_after,
)
from .recurring import following
from .sent_reminders import SentReminders
from .wording import gathered, joint, noticed, single

LOOK_EVERY = 60.0
"""Seconds between looks where nothing wakes us."""
SEND_TIMEOUT = 30.0
"""Seconds a message may wait in the outbox and at the platform."""
LEASE = 90.0
"""Seconds a claim holds. Longer than any send, so that a claim that is over is one nobody works at."""
AT_ONCE = 16
"""Steps in the database at the same moment: more would only wait for one another, past its deadline."""
WRITES_AT_ONCE = 64
"""Claims, and notes of what was sent, at the same moment: those that wait together are one write."""
PLACES_AT_ONCE = 100
"""Conversations whose due rows are read together."""
LOOK_GAP, BUSY_GAP = 0.1, 0.5
"""Seconds between two looks at least, and while something is being sent."""
MENTIONS = 20
"""Members mentioned in one message."""
SETTLE_WITHIN = 600.0
"""Seconds for writing down what was sent while the database is in trouble."""
STOP_WITHIN = 5.0
"""Seconds that sends under way are given at shutdown."""
HELD_BACK_FOR = 3600.0
"""Seconds after which it is tried again where nothing may be said unasked, if nobody says anything before."""
BUTTONS = (("完成", "完成"), ("推迟", "推迟10分钟"))
"""Under a reminder, where the platform has buttons."""
KEEP = 30 * 86400.0
"""Seconds after which what has ended is deleted."""
_TIDY_EVERY = 3600.0
MENDED = 500
"""Rows looked at in one transaction after the clock came back."""

FEATURE = "提醒"

Compose = Callable[[ReminderRecord, float], Awaitable[str | None]]
"""Makes the text of a row when it is due, by code; None: nothing to say. Raises `StorageError`."""
T = TypeVar("T")
Spoke = Callable[[Conversation, list[ReminderRecord], float], Awaitable[None]]
"""Hears which rows were just told in a conversation, at wall seconds. Raises nothing."""
NameIn = Callable[[Conversation, str], str | None]
"""A member's name in a conversation, where it is known."""


Waits = Callable[[ReminderRecord, float], Awaitable[float | None]]
"""Until when (wall seconds) a due row waits for quiet hours; None: not at all. Raises `StorageError`."""


async def _never_waits(row: ReminderRecord, now: float) -> float | None:
    return None


class ReminderService:
    """Owner of the tasks that send reminders. `start` and `stop` once each."""

    def __init__(
        self,
        reminders: Reminders,
        announcer: Announcer,
        wall: Callable[[], float],
        report: Callable[[str], None],
        *,
        name_in: NameIn = lambda conversation, user_id: None,
        compose: Mapping[str, Compose] | None = None,
        spoke: Spoke | None = None,
        waits: Waits = _never_waits,
    ) -> None:
        self._reminders = reminders
        self._rows = reminders.rows
        self._announcer = announcer
        self._wall = wall
        self._report = report
        self._name_in = name_in
        self._compose = dict(compose or {})
        self._spoke = spoke
        self._waits = waits
        self.told = SentReminders()
        """Sent reminders in memory."""
        self.sent: Counter[bool] = Counter()
        """Reminders sent since the start, by whether they were late."""
        self._alarm: Alarm | None = None
        self._look_now = asyncio.Event()
        self._runner: asyncio.Task[None] | None = None
        self._speaking: dict[Conversation, asyncio.Task[None]] = {}
        self._reading: set[asyncio.Task[dict[Conversation, list[ReminderRecord]]]] = set()
        """Reads of what is due, each waited for by the conversations it is for."""
        self._tokens: set[str] = set()
        self._paused: dict[Conversation, float] = {}
        self._hindered: dict[Conversation, float] = {}
        self._held_back: dict[Conversation, str] = {}
        """Where a message was refused because nobody had asked for it, and why."""
        self._chances: set[Conversation] = set()
        """Where somebody has said something while a message was on its way, or since one was refused."""
        self._began = 0.0
        self._tidied = 0.0
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._writing = asyncio.Semaphore(WRITES_AT_ONCE)
        self._seen: ClockSeen | None = None

    def wake(self) -> None:
        """Look at the rows now."""
        self._look_now.set()

    def chance(self, where: Conversation) -> None:
        """Something may be said in a conversation in which nothing may be said unasked."""
        if where in self._held_back or where in self._speaking:
            self._chances.add(where)
            self._paused.pop(where, None)
            self.wake()

    async def start(self, alarm: Alarm | None = None) -> None:
        """Begin to look. Raises nothing: a database in trouble is tried again."""
        self._alarm = alarm
        self._began = self._wall()
        self._reminders.on_changed = self.wake
        self._look_now.set()
        self._runner = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Let sends under way end, for a moment, and end our tasks. What was cut off is sent marked later."""
        self._reminders.on_changed = None
        if self._alarm is not None:
            self._alarm.off()
        if self._runner is not None:
            self._runner.cancel()
            await asyncio.wait({self._runner})
        if self._speaking:
            await asyncio.wait(self._speaking.values(), timeout=STOP_WITHIN)
        tasks = {*self._speaking.values(), *self._reading}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    @property
    def busy(self) -> bool:
        """True while reminders are being sent."""
        return bool(self._speaking)

    async def idle(self) -> None:
        """Return when nothing is being sent."""
        while self._speaking:
            await asyncio.wait(set(self._speaking.values()))

    async def _run(self) -> None:
        first = True
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY):
                    await self._look_now.wait()
            self._look_now.clear()
            try:
                await self.send_due(first=first)
                first = False
            except StorageError as error:
                # The next look is at most a minute away, and any change brings it at once.
                self._report(f"到时间的提醒暂时读不出来：{error}")
            await asyncio.sleep(BUSY_GAP if self._speaking else LOOK_GAP)

    async def send_due(self, *, first: bool = False) -> None:
        """One look: recover what died, speak where we may, set the alarm. Raises `StorageError`."""
        now = self._wall()
        await self._mend_clock(now)
        await self._rows.recover(now, self._tokens, following, everything=first and self._rows.alone)
        waits: list[float] = []
        ready: list[Conversation] = []
        backlog = await self._rows.backlog(now)
        self._forget_places({each.conversation for each in backlog}, now)
        for each in backlog:
            where = each.conversation
            if where in self._speaking:
                continue
            standing = await self._read_standing(where)
            if not standing.allowed or not standing.open(now):
                self._hindered[where] = now
            if standing.open(now) and (standing.allowed or each.digests):
                ready.append(where)
            elif (until := standing.wait_until(now)) is not None:
                waits.append(until)
        for start in range(0, len(ready), PLACES_AT_ONCE):
            self._start_sends(ready[start : start + PLACES_AT_ONCE])
        if self._alarm is not None:
            self._alarm.at(next_look(now, await self._rows.next_due(now), waits, LOOK_EVERY))
        if not 0 <= now - self._tidied < _TIDY_EVERY:
            self._tidied = now
            if self._seen is None or self._seen.deletes(asyncio.get_running_loop().time()):
                await self._rows.prune(now - KEEP)

    async def _mend_clock(self, now: float) -> None:
        """Mend rows that were sent too early by a clock far ahead, once it is back."""
        monotonic = asyncio.get_running_loop().time()
        seen = self._seen
        self._seen = seen = seen.then(now, monotonic) if seen is not None else ClockSeen.first(now, monotonic)
        if not seen.mending(monotonic) or self._speaking:
            return
        ids = await self._rows.closed_after(now + FAR)
        changed = left = 0
        for start in range(0, len(ids), MENDED):
            done, hindered = await self._rows.mend(ids[start : start + MENDED], now, following)
            changed, left = changed + done, left + hindered
        if not left:
            self._seen = seen.mended()
        if changed:
            self._report(f"时钟曾经快了很多，现在拨回来了：{changed} 条提醒照现在的时间重新排好")

    def _forget_places(self, behind: set[Conversation], now: float) -> None:
        """Keep notes only of conversations where something waits."""
        behind |= self._speaking.keys()
        self._hindered = {where: at for where, at in self._hindered.items() if where in behind}
        self._paused = {where: until for where, until in self._paused.items() if until > now}

    async def _read_standing(self, where: Conversation) -> MaySpeak:
        if not self._announcer.connected(where):
            # Another account's, perhaps in another process: what is in memory of it here may be old.
            return MaySpeak(connected=False, allowed=True, silent_until=None, paused_until=None)
        # Asked first: it brings the conversation into memory, where its silence is known.
        allowed = await self._announcer.allows(where, FEATURE)
        return MaySpeak(
            connected=self._announcer.connected(where),
            allowed=allowed,
            silent_until=self._announcer.silent_until(where),
            paused_until=self._paused.get(where),
        )

    def _start_sends(self, places: Sequence[Conversation]) -> None:
        """A task for each conversation; what is due in them is read together."""
        reading = asyncio.create_task(self._read_due(places))
        self._reading.add(reading)
        reading.add_done_callback(self._discard_read)
        for where in places:
            self._start_send(where, reading)

    def _discard_read(self, reading: asyncio.Task[dict[Conversation, list[ReminderRecord]]]) -> None:
        self._reading.discard(reading)
        if not reading.cancelled():
            reading.exception()  # whoever waited for it reports it, or is gone

    async def _read_due(self, places: Sequence[Conversation]) -> dict[Conversation, list[ReminderRecord]]:
        async with self._turn:
            return await self._rows.due_in(places, self._wall(), LOOK)

    def _start_send(
        self, where: Conversation, reading: asyncio.Task[dict[Conversation, list[ReminderRecord]]]
    ) -> None:
        task = asyncio.create_task(self._send_all(where, reading))
        self._speaking[where] = task

        def ended(done: asyncio.Task[None]) -> None:
            self._speaking.pop(where, None)
            if not done.cancelled() and (error := done.exception()) is not None:
                self._paused[where] = self._wall() + retry_after(0)
                self._report(f"发提醒时出错：{type(error).__name__}")
            self._look_now.set()

        task.add_done_callback(ended)

    async def _send_all(
        self, where: Conversation, reading: asyncio.Task[dict[Conversation, list[ReminderRecord]]]
    ) -> None:
        """Send the due rows of a conversation, message by message, until one cannot be sent."""
        try:
            rows = (await asyncio.shield(reading))[where]
            singles = SINGLES
            self._chances.discard(where)
            if (why := self._held_back.pop(where, None)) is not None:
                singles = 1  # a chance is good for few messages
                async with self._turn:
                    await self._rows.hold_back(where, self._wall(), why)
                    rows = await self._rows.due(where, self._wall(), LOOK)
            async with self._turn:
                now, standing = self._wall(), await self._read_standing(where)
                if not standing.allowed:
                    rows = await self._rows.due(where, now, LOOK, only_digests=True)
            rows = await self._defer_quiet(rows, now)
            for batch in plan(rows, now, singles=singles):
                if not (await self._read_standing(where)).open(self._wall()):
                    return
                if not await self._send_batch(where, batch):
                    return
        except StorageError as error:
            self._paused[where] = self._wall() + retry_after(0)
            self._report(f"提醒暂时发不出去：{error}")

    async def _defer_quiet(self, rows: Sequence[ReminderRecord], now: float) -> list[ReminderRecord]:
        """The rows that may be said now; what nobody asked to hear at this time waits for the end of quiet
        hours."""
        left: list[ReminderRecord] = []
        for row in rows:
            until = await self._waits(row, now) if row.agent_code in APART else None
            if until is None:
                left.append(row)
            else:
                async with self._writing:
                    await self._rows.defer(row.id, until)
        return left

    async def _send_batch(self, where: Conversation, batch: ReminderMessage | Gathered) -> bool:
        """One message: claimed, sent, written down. False where it was not sent."""
        token = uuid4().hex
        self._tokens.add(token)
        try:
            clock = asyncio.get_running_loop().time
            async with self._writing:
                begun, lease_ends = self._wall(), clock() + LEASE
                if isinstance(batch, ReminderMessage):
                    rows = await self._rows.claim(batch.ids, token, begun, LEASE)
                    count = len(rows)
                else:
                    rows, count = await self._rows.gather(where, batch.due_by, token, begun, LEASE, JOINT)
            if not rows:
                return True
            if clock() + SEND_TIMEOUT > lease_ends:
                # The claim took so long that it may be another's before we have spoken.
                await self._rows.release(token)
                return False
            return await self._send_message(where, rows, count, token)
        finally:
            self._tokens.discard(token)

    async def _send_message(
        self, where: Conversation, rows: list[ReminderRecord], count: int, token: str
    ) -> bool:
        try:
            text = await self._compose_text(where, rows, count)
        except StorageError:
            await self._write_outcome(lambda: self._rows.release(token))
            raise
        if text is None:
            await self._write_outcome(lambda: self._rows.sent(token, None, self._wall(), following))
            return True
        few = len(rows) == count
        mentions = list(dict.fromkeys(user for row in rows for user in row.user_ids))[:MENTIONS]
        try:
            message_id = await self._announcer.announce(
                where,
                text,
                mentions=mentions,
                everybody=few and any(row.everybody for row in rows),
                timeout=SEND_TIMEOUT,
                buttons=BUTTONS if count == 1 and rows[0].agent_code not in APART else (),
            )
        except NotAnnounced as error:
            await self._handle_failure(where, rows, token, error)
            return False
        reminds = rows[0].agent_code not in (NOTICE, POLL)
        if reminds:
            self.told.note_sent(where, message_id, rows, self._wall())
        hindered = self._hindered.get(where, self._began)
        marked = sum(late(row, self._wall(), hindered) for row in rows)
        if reminds:
            self.sent[True] += marked
            self.sent[False] += count - marked
        ids = [row.id for row in rows]
        recurs = not few or any(row.recurrence is not None for row in rows)
        await self._write_outcome(
            lambda: self._rows.sent(
                token, message_id, self._wall(), following, ids, count=count, recurs=recurs
            )
        )
        if self._spoke is not None and reminds:
            await self._spoke(where, rows, self._wall())
        return True

    async def _compose_text(self, where: Conversation, rows: list[ReminderRecord], count: int) -> str | None:
        now, hindered = self._wall(), self._hindered.get(where, self._began)
        if rows[0].agent_code == NOTICE:
            return noticed(rows)
        if len(rows) == count == 1:
            [row] = rows
            if (compose := self._compose.get(row.agent_code)) is not None:
                return await compose(row, now)
            return None if row.agent_code == DIGEST else single(row, now, hindered)

        def name_of(user_id: str) -> str | None:
            return self._name_in(where, user_id)

        if count > len(rows) or count > JOINT:
            return gathered(rows, count, now, hindered, name_of)
        return joint(rows, now, hindered, name_of)

    async def _handle_failure(
        self, where: Conversation, rows: list[ReminderRecord], token: str, error: NotAnnounced
    ) -> None:
        now = self._wall()
        if error.perhaps:
            again = now + RESEND_AFTER
            await self._write_outcome(lambda: self._rows.unclear(token, now, again, str(error), following))
            return
        if error.not_now:
            # Every row that is due there waits for somebody to speak, without a failure being counted.
            self._held_back[where] = str(error)
            self._hindered[where] = now
            await self._write_outcome(lambda: self._rows.hold_back(where, now, str(error), token))
            if where not in self._chances:  # else somebody spoke while it was refused
                self._paused[where] = now + HELD_BACK_FOR
            return
        standing = await self._read_standing(where)
        if not standing.open(now):
            # A silence began or the account left while the message waited: no fault of the message's.
            self._hindered[where] = now
            await self._write_outcome(lambda: self._rows.release(token))
            return
        again = now + retry_after(min(row.failures for row in rows))
        self._paused[where] = min(again, now + retry_after(0))
        given_up = await self._write_outcome(
            lambda: self._rows.failed(token, now, again, str(error), following, most=MOST_FAILURES)
        )
        if given_up:
            self._report(f"有 {given_up} 条提醒多次发送失败，不再重试：{error}")

    async def _write_outcome(self, write: Callable[[], Awaitable[T]]) -> T | None:
        """Write the outcome of a send, with retries; rows of an unwritten outcome are sent again, marked."""
        clock = asyncio.get_running_loop().time
        until, pause = clock() + SETTLE_WITHIN, 0.5
        while True:
            try:
                async with self._writing:
                    return await write()
            except StorageError as error:
                if clock() + pause > until:
                    self._report(f"提醒的发送结果没能写入：{error}")
                    return None
            await asyncio.sleep(pause)
            pause = min(2 * pause, 30.0)
