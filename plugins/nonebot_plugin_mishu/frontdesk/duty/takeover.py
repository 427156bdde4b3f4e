"""Taking over a group from another account of ours, or another process: what it left, and what was heard
since.

A line that both heard is known by group, sender, second and text. What is not in the ledger yet goes into
it; what has to be answered and was not is answered, if it is young. Lines keep their order: what is heard
while others of the group are looked up stands behind them, and behind a reply of another process that was cut
off, for `IN_ORDER` at most; before it waits it is on disk as owed, so that a kill in that time does not lose
it. Where the account before answered without its database (存不进去), nothing says so but its answer, which
ours in the group heard: that line is not answered again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol
from weakref import WeakValueDictionary

from ...clock import Clock
from ...report import Report
from ...secretary import PresenceEvent
from ...storage import Storage, StorageError
from ...storage.duty.inbox import InboxLine
from ...storage.records import Conversation, LedgerMessage
from ..lines.incoming_message import IncomingMessage
from ..resuming import STILL_OWED, Resuming
from ..rooms.room import Room
from ..rooms.rooms import RoomLeft, Rooms
from ..tasks import OwnedTasks
from ..turns import Turns
from .duties import Duties, GroupDuty
from .handing import unpacked
from .standby_lines import KeptLine, Twin, heard_twin, stored_twin

YOUNG = 60.0
"""Seconds: what was said longer ago is kept and not answered. `STILL_OWED` where the account that had the
group before has it again: its process was killed and is back."""
IN_ORDER = 2.0
"""Seconds for which a line waits for the cut-off reply before it; one that cannot be said holds up nobody."""
_TRIES = 8
_PAUSE = 1.0
_MOST = 2000


@dataclass(eq=False, slots=True)
class _LineBatch:
    """Lines of one comparison with the ledger, to be acted on in order."""

    cut_off: Sequence[asyncio.Task[Any]] = ()
    """Tasks that send cut-off replies, before which nothing is answered."""
    wanted: list[tuple[KeptLine, IncomingMessage]] = field(
        default_factory=lambda: list[tuple[KeptLine, IncomingMessage]]()
    )
    older: list[LedgerMessage] = field(default_factory=lambda: list[LedgerMessage]())
    """On disk as owed already."""
    acted_on: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(eq=False, slots=True)
class _Comparison:
    """Lines heard in a group, compared with its rows in the ledger."""

    group: GroupDuty
    room: Room
    rows: Sequence[LedgerMessage]
    answered: set[str]
    """Ids of the lines that an answer heard in the group quotes."""
    fresh: bool
    """Another process had the group before."""
    batch: _LineBatch = field(default_factory=_LineBatch)
    twins: dict[Twin, list[LedgerMessage]] = field(default_factory=lambda: dict[Twin, list[LedgerMessage]]())
    met: set[str] = field(default_factory=lambda: set[str]())
    """Ids of the rows that are dealt with."""

    def __post_init__(self) -> None:
        for row in self.rows:
            self.add_twin(stored_twin(row), row)

    def add_twin(self, twin: Twin, row: LedgerMessage) -> None:
        """Index a row by the key under which another account heard it."""
        self.twins.setdefault(twin, []).append(row)


class HeardLines(Protocol):
    """Heard lines, as the front desk serves them (`FrontDesk`)."""

    def hear(self, heard: IncomingMessage) -> object:
        """Take a line into the ledger; false where nothing comes of it."""
        ...

    def mark_owed_later(self, heard: IncomingMessage, row: LedgerMessage | None) -> None:
        """Mark a line that waits behind others as owed an answer on disk."""
        ...

    def act(self, heard: IncomingMessage) -> None:
        """Serve a heard line."""
        ...

    def is_in_hand(self, message: LedgerMessage) -> bool:
        """True for a line that a task of the front desk's serves now."""
        ...


class TakingOver:
    """Takes up the lines of groups whose duty passed to us.

    Args:
        lines: hears and serves them.
        resuming: takes up what the account before left on disk.
    """

    def __init__(
        self,
        clock: Clock,
        storage: Storage,
        rooms: Rooms,
        turns: Turns,
        duties: Duties,
        lines: HeardLines,
        resuming: Resuming,
        tasks: OwnedTasks,
        report: Report,
    ) -> None:
        self._clock = clock
        self._storage = storage
        self._rooms = rooms
        self._turns = turns
        self._duties = duties
        self._lines = lines
        self._resuming = resuming
        self._tasks = tasks
        self._report = report
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._unwritten: dict[str, list[LedgerMessage]] = {}
        self._last_batches: dict[str, _LineBatch] = {}
        """By group: the newest batch that is not acted on."""

    def take_groups(self, groups: Sequence[GroupDuty]) -> None:
        """Take up groups that are ours from now on; their rooms are read anew."""
        if not self._duties.alone:
            for group in groups:
                if (room := self._rooms.find(group.place)) is not None:
                    self._rooms.leave(room)
                if group.stays and group.kept is not None and not group.taking_up:
                    self._hear_all(group, group.kept.take())
        self._tasks.spawn(self._take_up_all(list(groups)), "mishu take over")

    def take_up_kept(self, group: GroupDuty) -> None:
        """Take up the kept lines of a group whose duty passed to us a moment ago, also one that is kept only
        after this returns."""
        self._start_taking_up(group, None, fresh=False)

    def take_handed_lines(self, group: GroupDuty, lines: Sequence[InboxLine]) -> None:
        """Take up lines that another process heard while our account in the group was away."""
        now = self._clock.monotonic()
        kept = [unpacked(line, self._clock.receipt(), now) for line in lines]
        self._start_taking_up(group, kept, fresh=False)

    async def give_up_groups(self, groups: Sequence[GroupDuty]) -> None:
        """End the holds and turns of groups that are no longer ours, without a word."""
        places = {group.place for group in groups}
        held = self._storage.ledger.withdraw(lambda said: said.conversation in places)
        for said in held:
            self._unwritten.setdefault(said.conversation.peer, []).append(said)
        for group in groups:
            if (room := self._rooms.find(group.place)) is not None:
                self._turns.give_up(room, "由另一个账号当班了")
                room.seat.apply(PresenceEvent.INVALID)
                self._rooms.leave(room)
                await room.outbox.close()

    async def _take_up_all(self, groups: Sequence[GroupDuty]) -> None:
        try:
            await self._start_taking_up_all(groups)
        finally:
            for group in groups:
                group.opening = False

    async def _start_taking_up_all(self, groups: Sequence[GroupDuty]) -> None:
        alone = self._duties.alone
        left: set[Conversation] = set()
        if not alone:
            self._resuming.say_cut_off({group.place for group in groups if group.stays}, None, ())
            waiting = await self._read_with_retries(
                self._storage.ledger.waiting, self._clock.wall() - STILL_OWED
            )
            left = {said.conversation for said in waiting}
        for group in groups:
            lines = group.kept.take() if group.kept is not None else []
            if lines or group.place in left or group.peer in self._unwritten:
                self._start_taking_up(group, lines, fresh=not alone)
            if (seconds := self._duties.muted(group.account, group.peer)) > 0:
                self._rooms.enter(group.place).muted_until = self._clock.wall() + seconds

    def _hear_all(self, group: GroupDuty, lines: Sequence[KeptLine]) -> None:
        """Hear lines that nobody else can have heard under another id, without a look at the ledger: only
        lines on disk outlive the next kill."""
        for line in lines:
            heard = line.read(group.home)
            if heard is not None and self._lines.hear(heard):
                self._act_on(line, heard)

    def _start_taking_up(self, group: GroupDuty, lines: Sequence[KeptLine] | None, *, fresh: bool) -> None:
        """Spawn the task that takes up heard lines (None: those kept by the time it runs) and lines left open
        on disk. `fresh`: another process had the group before."""
        group.taking_up += 1
        self._tasks.spawn(self._take_up(group, lines, fresh=fresh), "mishu take up")

    async def _take_up(self, group: GroupDuty, lines: Sequence[KeptLine] | None, *, fresh: bool) -> None:
        try:
            async with self._locks.setdefault(group.peer, asyncio.Lock()):
                if lines is None:
                    lines = group.kept.take() if group.kept is not None else []
                if not (lines or fresh):
                    return
                found = await self._look_up(group, lines, fresh=fresh)
                before, self._last_batches[group.peer] = self._last_batches.get(group.peer), found
            # Nobody is kept waiting for the ledger here: what is heard meanwhile has to be owed on disk too.
            await self._act_in_order(group, found, before)
        except RoomLeft:
            for line in lines or ():  # for when the group is taken again
                self._duties.keep_line(group.peer, line)
        finally:
            group.taking_up -= 1

    async def _act_in_order(self, group: GroupDuty, found: _LineBatch, before: _LineBatch | None) -> None:
        try:
            if before is not None:
                await before.acted_on.wait()  # for `IN_ORDER` at most: one of them may have a cut-off reply
            await _await_cut_off(found.cut_off)
            # No line waits for the turns of older ones: they may take minutes.
            if found.older:
                self._tasks.spawn(self._resuming.take_up(found.older), "mishu resume")
            for line, one in found.wanted:
                self._act_on(line, one)
        finally:
            found.acted_on.set()
            if self._last_batches.get(group.peer) is found:
                del self._last_batches[group.peer]

    async def _look_up(self, group: GroupDuty, lines: Sequence[KeptLine], *, fresh: bool) -> _LineBatch:
        """Compare lines with the ledger, and write those that are not there; lines to be answered are owed on
        disk when this returns, or in a moment."""
        place, now = group.place, self._clock.wall()
        room = await self._rooms.opened(place)
        # Those of the account on duty first: of what others heard too only what it missed is taken up.
        ordered = sorted(lines, key=lambda line: line.account != group.account)
        said = [(line, one) for line in ordered if (one := line.read(group.home)) is not None]
        young = STILL_OWED if group.stays else YOUNG
        answered = {one.reply_to for _, one in said if one.user_id == place.self_id and one.reply_to}
        rows = await self._read_rows(group, [one for _, one in said], now - young)
        if room.muted_until and not self._duties.muted(group.account, group.peer):
            room.muted_until = 0.0
        look = _Comparison(group, room, rows, answered, fresh)
        # Before anything is said: whoever speaks quotes a line by the id its account has of it.
        for line, one in said:
            self._find_row(look, line, one)
        older = self._append_unwritten(look)
        look.met.update(row.message_id for row in older)
        if fresh and not group.stays:
            look.batch.cut_off = self._resuming.say_cut_off({place}, now, answered)
        for line, one in said:
            if one.user_id != place.self_id:
                await self._compare(look, line, one)
        look.batch.older = [*older, *await self._list_left_open(look, now - young)]
        return look.batch

    async def _read_rows(
        self, group: GroupDuty, heard: Sequence[IncomingMessage], since: float
    ) -> Sequence[LedgerMessage]:
        """Rows of the group since then (wall seconds), or since the oldest line to be compared."""
        unwritten = self._unwritten.get(group.peer, ())
        oldest = min([since, *(one.time for one in heard), *(one.time for one in unwritten)]) - 1

        async def read(since: float) -> list[LedgerMessage]:
            return await self._storage.ledger.between(group.place, since, float("inf"), _MOST)

        return await self._read_with_retries(read, oldest)

    async def _compare(self, look: _Comparison, line: KeptLine, one: IncomingMessage) -> None:
        """Queue a member's line that is not answered; one that is not in the ledger is heard first."""
        if (row := self._find_row(look, line, one)) is None:
            interest = self._lines.hear(one)
            look.met.add(one.message_id)
            if (row := look.room.ledger.get(one.message_id)) is not None:
                look.add_twin(heard_twin(one), row)
            if interest and one.message_id not in look.answered:
                self._queue_line(look.batch, line, one, None)
        elif one.message_id in look.answered:
            look.met.add(row.message_id)
        elif row.message_id in look.met:
            pass  # by the copy of another account
        elif look.fresh and not (row.recalled or row.addressed) and await self._is_unanswered(row):
            look.met.add(row.message_id)
            self._queue_line(look.batch, line, replace(one, message_id=row.message_id), row)

    async def _list_left_open(self, look: _Comparison, since: float) -> list[LedgerMessage]:
        """Rows since then (wall seconds) that the former process left unanswered."""
        done = look.met | look.answered
        return [
            row
            for row in (look.rows if look.fresh else ())
            if row.addressed and row.message_id not in done and row.time >= since
            if not self._lines.is_in_hand(row)
            if await self._is_unanswered(row)
        ]

    def _queue_line(
        self, found: _LineBatch, line: KeptLine, heard: IncomingMessage, row: LedgerMessage | None
    ) -> None:
        """Queue a line to be acted on; `row`: its row of another process, which did not mark it as owed."""
        found.wanted.append((line, heard))
        if line.free:
            self._lines.mark_owed_later(heard, row)

    def _append_unwritten(self, look: _Comparison) -> list[LedgerMessage]:
        """Append lines heard but not written before the group was lost, unless written by another process;
        those of them that are to be answered."""
        now, owed = self._clock.wall(), list[LedgerMessage]()
        ids = {row.message_id for row in look.rows}
        for said in self._unwritten.pop(look.group.peer, []):
            twin = stored_twin(said)
            if said.message_id in ids or look.twins.get(twin):
                continue
            look.room.ledger.append(said)
            self._storage.ledger.append(said)
            look.add_twin(twin, said)
            if said.addressed and not said.processed and said.time >= now - YOUNG:
                owed.append(said)
        return owed

    def _act_on(self, line: KeptLine, heard: IncomingMessage) -> None:
        line.heard = heard
        if line.free:
            self._lines.act(heard)

    def _find_row(self, look: _Comparison, line: KeptLine, one: IncomingMessage) -> LedgerMessage | None:
        """Row of a line in the ledger; the account's own id of it is an alias from now on.

        One row belongs to one line of an account, and to one of each other account: each of ours heard it
        once. Of several lines of ours with the same words the nearest in time is meant.
        """
        group = look.group
        if one.user_id == group.home:
            rows = [row for row in reversed(look.rows) if row.is_bot and row.text.strip() == one.words]
            rows.sort(key=lambda row: abs(row.time - one.time))
        else:
            rows = look.twins.get(heard_twin(one), [])
        row = next((row for row in rows if row.message_id == one.message_id), None)
        row = row or next((row for row in rows if self._may_be_same(group, line, one, row)), None)
        if row is not None and one.message_id != row.message_id:
            self._duties.add_alias(line.account, group.peer, _raw_id(line, one), row.message_id)
        return row

    def _may_be_same(
        self, group: GroupDuty, line: KeptLine, one: IncomingMessage, row: LedgerMessage
    ) -> bool:
        """False if the account has another id for this row, from now or an earlier takeover: the line is
        another one then, with the same words (1, 1, said in one second)."""
        raw = self._duties.raw_id(line.account, group.home, group.peer, row.message_id)
        return raw is None or raw == _raw_id(line, one)

    async def _is_unanswered(self, row: LedgerMessage) -> bool:
        """True if a line is neither processed nor claimed."""
        if row.processed:
            return False

        async def claimed(_: float) -> bool:
            return await self._storage.claims.is_claimed(row.conversation.self_id, row.message_id)

        return not await self._read_with_retries(claimed, 0.0)

    async def _read_with_retries(
        self, read: Callable[[float], Coroutine[Any, Any, Any]], since: float
    ) -> Any:
        """Read from the database, `_TRIES` times while it is in trouble: without an answer nothing may be
        taken up. Raises `StorageError`."""
        for _ in range(_TRIES - 1):
            try:
                return await read(since)
            except StorageError as error:
                self._report("接手一个群时数据库没有答复，再试", error)
            await asyncio.sleep(_PAUSE)
        return await read(since)


async def _await_cut_off(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Wait for the cut-off replies before a line, `IN_ORDER` seconds at most; slower ones go on beside it."""
    if tasks:
        await asyncio.wait(tasks, timeout=IN_ORDER)


def _raw_id(line: KeptLine, one: IncomingMessage) -> str:
    """The account's own id of a line without an alias."""
    return one.message_id.removeprefix(f"{line.account}:")
