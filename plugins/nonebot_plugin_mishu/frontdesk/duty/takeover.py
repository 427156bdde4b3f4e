"""Taking over a group from another account of ours, or another process: what it left, and what was heard
since.

A line that both heard is known by group, sender, second and text. What is not in the ledger yet goes into
it; what has to be answered and was not is answered, if it is young. Lines keep their order: what is heard
while others of the group are looked up stands behind them, and behind a reply of another process that was cut
off, for `IN_ORDER` at most. Where the account before answered without its
database (存不进去), nothing says so but its answer, which ours in the group heard: that line is not answered
again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

from ...clock import Clock
from ...secretary import PresenceEvent
from ...storage import Storage, StorageError
from ...storage.duty.inbox import InboxLine
from ...storage.records import Conversation, LedgerMessage
from ..lines.incoming_message import IncomingMessage
from ..rooms.room import Room
from ..rooms.rooms import Rooms
from ..turns import Turns
from .duties import Duties, GroupDuty
from .handing import unpacked
from .standby_lines import KeptLine, Twin, heard_twin, stored_twin

YOUNG = 60.0
"""Seconds: what was said longer ago is kept and not answered."""
STILL_OWED = 180.0
"""The same, where the account that had the group before has it again: its process was killed and is back."""
IN_ORDER = 2.0
"""Seconds for which a line waits for the cut-off reply before it; one that cannot be said holds up nobody."""
_TRIES = 8
_PAUSE = 1.0
_MOST = 2000


class TakingOver:
    """`hear` and `act` are the front desk's, `again` takes up a stored summons, `cut_off` says what was ready
    to be said in some groups when a run before this one ended, `in_hand` tells what is being dealt with."""

    def __init__(
        self,
        clock: Clock,
        storage: Storage,
        rooms: Rooms,
        turns: Turns,
        duties: Duties,
        hear: Callable[[IncomingMessage], object],
        act: Callable[[IncomingMessage], None],
        again: Callable[[Sequence[LedgerMessage]], Coroutine[Any, Any, None]],
        cut_off: Callable[
            [Collection[Conversation], float | None, Collection[str]], Sequence[asyncio.Task[Any]]
        ],
        in_hand: Callable[[LedgerMessage], bool],
        spawn: Callable[[Coroutine[Any, Any, Any], str], asyncio.Task[Any] | None],
        report: Callable[[str, BaseException], None],
    ) -> None:
        self._clock = clock
        self._storage = storage
        self._rooms = rooms
        self._turns = turns
        self._duties = duties
        self._hear = hear
        self._act = act
        self._again = again
        self._cut_off = cut_off
        self._in_hand = in_hand
        self._spawn = spawn
        self._report = report
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._unwritten: dict[str, list[LedgerMessage]] = {}

    def taken(self, groups: Sequence[GroupDuty]) -> None:
        """These groups are ours from now on; what is in memory of them is read anew."""
        if not self._duties.alone:
            for group in groups:
                if (room := self._rooms.find(group.place)) is not None:
                    self._rooms.leave(room)
                if group.stays and group.kept is not None and not group.taking_up:
                    self._hear_all(group, group.kept.take())
        self._spawn(self._take_up_all(list(groups)), "mishu take over")

    def more(self, group: GroupDuty) -> None:
        """Something is kept in a group whose duty passed to us a moment ago, or will be when this returns."""
        self._begin(group, None, fresh=False)

    def handed(self, group: GroupDuty, lines: Sequence[InboxLine]) -> None:
        """Another process heard these while our account there was away."""
        now = self._clock.monotonic()
        kept = [unpacked(line, self._clock.receipt(), now) for line in lines]
        self._begin(group, kept, fresh=False)

    async def lost(self, groups: Sequence[GroupDuty]) -> None:
        """These groups are no longer ours: what is being done there ends without a word."""
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
        alone = self._duties.alone
        left: set[Conversation] = set()
        if not alone:
            self._cut_off({group.place for group in groups if group.stays}, None, ())
            waiting = await self._read_with_retries(
                self._storage.ledger.waiting, self._clock.wall() - STILL_OWED
            )
            left = {said.conversation for said in waiting}
        for group in groups:
            lines = group.kept.take() if group.kept is not None else []
            if lines or group.place in left or group.peer in self._unwritten:
                self._begin(group, lines, fresh=not alone)
            if (seconds := self._duties.muted(group.account, group.peer)) > 0:
                self._rooms.enter(group.place).muted_until = self._clock.wall() + seconds

    def _hear_all(self, group: GroupDuty, lines: Sequence[KeptLine]) -> None:
        """Nobody else can have heard them under another id: they are heard at once. Only what is on disk
        outlives the next kill."""
        for line in lines:
            heard = line.read(group.home)
            if heard is not None and self._hear(heard):
                self._go(line, heard)

    def _begin(self, group: GroupDuty, lines: Sequence[KeptLine] | None, *, fresh: bool) -> None:
        """Begin to take up what was heard (None: what is kept when this has returned) and what was left. With
        `fresh` another process had the group before."""
        group.taking_up += 1
        self._spawn(self._take_up(group, lines, fresh=fresh), "mishu take up")

    async def _take_up(self, group: GroupDuty, lines: Sequence[KeptLine] | None, *, fresh: bool) -> None:
        try:
            async with self._locks.setdefault(group.peer, asyncio.Lock()):
                if lines is None:
                    lines = group.kept.take() if group.kept is not None else []
                if lines or fresh:
                    await self._take_up_now(group, lines, fresh=fresh)
        finally:
            group.taking_up -= 1

    async def _take_up_now(self, group: GroupDuty, lines: Sequence[KeptLine], *, fresh: bool) -> None:
        place, now = group.place, self._clock.wall()
        room = await self._rooms.opened(place)
        # Those of the account on duty first: of what others heard too only what it missed is taken up.
        ordered = sorted(lines, key=lambda line: line.account != group.account)
        said = [(line, one) for line in ordered if (one := line.read(group.home)) is not None]
        young = STILL_OWED if group.stays else YOUNG
        unwritten = self._unwritten.get(group.peer, ())
        since = min([now - young, *(one.time for _, one in said), *(one.time for one in unwritten)]) - 1
        answered = {one.reply_to for _, one in said if one.user_id == place.self_id and one.reply_to}

        async def read(since: float) -> list[LedgerMessage]:
            return await self._storage.ledger.between(place, since, float("inf"), _MOST)

        known = await self._read_with_retries(read, since)
        if room.muted_until and not self._duties.muted(group.account, group.peer):
            room.muted_until = 0.0
        twins: dict[Twin, list[LedgerMessage]] = {}
        for row in known:
            twins.setdefault(stored_twin(row), []).append(row)
        # Before anything is said: whoever speaks quotes a line by the id its account has of it.
        for line, one in said:
            self._row_of(group, line, one, twins, known)
        older = self._own_unwritten(room, twins, {row.message_id for row in known})
        met = {row.message_id for row in older}
        if fresh and not group.stays:
            await _in_order(self._cut_off({place}, now, answered))
        wanted: list[tuple[KeptLine, IncomingMessage]] = []
        for line, one in said:
            if one.user_id == place.self_id:
                continue
            if (row := self._row_of(group, line, one, twins, known)) is not None:
                if one.message_id in answered:
                    met.add(row.message_id)
                elif row.message_id in met:
                    continue  # by the copy of another account
                elif fresh and not (row.recalled or row.addressed) and await self._waits(row):
                    met.add(row.message_id)
                    wanted.append((line, replace(one, message_id=row.message_id)))
            else:
                interest = self._hear(one)
                met.add(one.message_id)
                if (row := room.ledger.get(one.message_id)) is not None:
                    twins.setdefault(heard_twin(one), []).append(row)
                if interest and one.message_id not in answered:
                    wanted.append((line, one))
        left = [
            row
            for row in (known if fresh else ())
            if row.addressed and row.message_id not in met | answered and row.time >= now - young
            if not self._in_hand(row)
            if await self._waits(row)
        ]
        # No line waits for the turns of older ones: until it is admitted, the disk does not call it owed.
        if older := [*older, *left]:
            self._spawn(self._again(older), "mishu resume")
        for line, one in wanted:
            self._go(line, one)

    def _own_unwritten(
        self, room: Room, twins: dict[Twin, list[LedgerMessage]], ids: set[str]
    ) -> list[LedgerMessage]:
        """Append lines heard but not written before the group was lost, unless written by another process;
        those of them that are to be answered."""
        now, owed = self._clock.wall(), list[LedgerMessage]()
        for said in self._unwritten.pop(room.conversation.peer, []):
            if said.message_id in ids or twins.get(stored_twin(said)):
                continue
            room.ledger.append(said)
            self._storage.ledger.append(said)
            twins.setdefault(stored_twin(said), []).append(said)
            if said.addressed and not said.processed and said.time >= now - YOUNG:
                owed.append(said)
        return owed

    def _go(self, line: KeptLine, heard: IncomingMessage) -> None:
        line.heard = heard
        if line.free:
            self._act(heard)

    def _row_of(
        self,
        group: GroupDuty,
        line: KeptLine,
        one: IncomingMessage,
        twins: Mapping[Twin, Sequence[LedgerMessage]],
        known: Sequence[LedgerMessage],
    ) -> LedgerMessage | None:
        """The row of a line that is kept already: from now on the account's id of it is known. The row is no
        other line's of the same account, but those of a third may have it too: each of ours heard it once. Of
        our own words, said several times, it is the one nearest in time."""
        if one.user_id == group.home:
            rows = [row for row in reversed(known) if row.is_bot and row.text.strip() == one.words]
            rows.sort(key=lambda row: abs(row.time - one.time))
        else:
            rows = twins.get(heard_twin(one), ())
        row = next((row for row in rows if row.message_id == one.message_id), None)
        row = row or next((row for row in rows if self._may_be(group, line, one, row)), None)
        if row is not None and one.message_id != row.message_id:
            self._duties.alias(line.account, group.peer, _raw(line, one), row.message_id)
        return row

    def _may_be(self, group: GroupDuty, line: KeptLine, one: IncomingMessage, row: LedgerMessage) -> bool:
        """False if the account knows this row by another id, now or from an earlier taking over: what it
        heard here is another line then, though it says the same (1, 1, said in one second)."""
        raw = self._duties.raw_id(line.account, group.home, group.peer, row.message_id)
        return raw is None or raw == _raw(line, one)

    async def _waits(self, row: LedgerMessage) -> bool:
        """True if a line has no answer, finished or under way."""
        if row.processed:
            return False

        async def claimed(_: float) -> bool:
            return await self._storage.claims.is_claimed(row.conversation.self_id, row.message_id)

        return not await self._read_with_retries(claimed, 0.0)

    async def _read_with_retries(
        self, read: Callable[[float], Coroutine[Any, Any, Any]], since: float
    ) -> Any:
        """Read from the database, again where it is in trouble: without an answer nothing may be taken up."""
        for _ in range(_TRIES - 1):
            try:
                return await read(since)
            except StorageError as error:
                self._report("接手一个群时数据库没有答复，再试", error)
            await asyncio.sleep(_PAUSE)
        return await read(since)


async def _in_order(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Wait for what stands before a line, for `IN_ORDER` at most; what takes longer goes on beside it."""
    if tasks:
        await asyncio.wait(tasks, timeout=IN_ORDER)


def _raw(line: KeptLine, one: IncomingMessage) -> str:
    """The account's own id of a line that is not kept under another one."""
    return one.message_id.removeprefix(f"{line.account}:")
