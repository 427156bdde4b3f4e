"""All conversations in memory: opened on the first message, loaded from the database, let go when idle."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator

from ...clock import Clock
from ...config import Config
from ...report import Report
from ...secretary import ConversationSeat, Rules, Speech
from ...storage import Storage, StorageError
from ...storage.records import Conversation, LedgerMessage
from ..lines.ledger import LedgerWindow
from ..outbox import Outbox
from ..tasks import OwnedTasks
from .room import Room
from .views import Audience

IDLE = 1800.0
"""Seconds after which an idle, absent conversation leaves memory. It comes back with its next message."""
LOAD_TIMEOUT = 5.0
"""Seconds for a room, in line and with the database; there it has `LEAST` at least."""
LEAST = 1.0
OPEN_TIMEOUT = 60.0
"""Seconds a message waits for its room, behind the others that are loaded."""
PREPARING = 20.0
"""Seconds that rooms wait for the first reading to be prepared, at the most."""
LOADS = 2
"""Conversations loaded at once: when many wake together, answers being made need the database too."""


class RoomLeft(Exception):
    """A room was taken out of memory before it was loaded. Its lines stand on disk as they are."""


class Rooms:
    """Finds and makes rooms. `transmit` sends for a conversation; `trailing` gets skipped messages."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        storage: Storage,
        audience: Audience,
        tasks: OwnedTasks,
        transmit: Callable[[Room, Speech], Awaitable[str]],
        trailing: Callable[[Room, str], None],
        report: Report,
        prepared: asyncio.Event | None = None,
    ) -> None:
        self._prepared = prepared
        """Set once a line can be read without loading all rules first. Until then no room is loaded, so that
        lines are only taken down: reading one would keep those behind it from the disk for a second."""
        self._prepared_at = float("-inf")
        self._config = config
        self._clock = clock
        self._storage = storage
        self._audience = audience
        self._tasks = tasks
        self._transmit = transmit
        self._trailing = trailing
        self._report = report
        self._rooms: dict[Conversation, Room] = {}
        self._to_load: OrderedDict[Conversation, float] = OrderedDict()
        """Conversations to be loaded, and since when (monotonic seconds)."""
        self._loaders = 0
        secretary = config.secretary
        self._rules = Rules(
            cooldown=secretary.cooldown,
            observing_timeout=secretary.observing_timeout,
            familiar_timeout=secretary.familiar_timeout,
            familiar_cooldown=secretary.familiar_cooldown,
            unasked_gap=secretary.unasked_gap,
        )

    def __iter__(self) -> Iterator[Room]:
        return iter(list(self._rooms.values()))

    def __len__(self) -> int:
        return len(self._rooms)

    def find(self, conversation: Conversation) -> Room | None:
        """The room of a conversation, if it is in memory."""
        return self._rooms.get(conversation)

    def enter(self, conversation: Conversation, *, called: bool = False) -> Room:
        """The room of a conversation, made and being loaded where it is not in memory.

        Where somebody calls us (`called`) it is loaded before those in which people only talk.
        """
        room = self._rooms.get(conversation)
        if room is None:
            room = self._make(conversation)
            self._rooms[conversation] = room
            self._to_load[conversation] = self._clock.monotonic()
            self._start_loading()
        if called and conversation in self._to_load:
            self._to_load.move_to_end(conversation, last=False)
        room.used_at = self._clock.monotonic()
        return room

    async def opened(self, conversation: Conversation) -> Room:
        """The room of a conversation, once it is loaded. Raises `RoomLeft` where it was taken out of memory
        meanwhile, as a group's that another account took over."""
        room = self.enter(conversation)
        async with asyncio.timeout(OPEN_TIMEOUT):
            await room.loaded.wait()
        if room.left:
            raise RoomLeft(conversation)
        return room

    def sweep(self) -> int:
        """Let idle conversations go; how many. Their messages are on disk or queued for it."""
        limit = self._clock.monotonic() - max(IDLE, self._config.secretary.familiar_cooldown)
        now = self._clock.wall()
        gone = [room for room in self if room.used_at < limit and room.idle(now)]
        for room in gone:
            self.leave(room)
        return len(gone)

    def leave(self, room: Room) -> None:
        """Take a room out of memory and end its timer; who waits for it to be loaded waits no longer."""
        room.seat.close()
        if not room.loaded.is_set():
            room.left = True
            room.loaded.set()
        self._rooms.pop(room.conversation, None)
        self._to_load.pop(room.conversation, None)

    async def close(self) -> None:
        """End all timers and outboxes."""
        for room in self:
            room.seat.close()
            await room.outbox.close()
        self._rooms.clear()
        self._to_load.clear()

    def _make(self, conversation: Conversation) -> Room:
        seat = ConversationSeat(
            self._rules,
            self._clock.monotonic,
            changed=lambda: self._audience.presence_changed(room),
            trailing=lambda message_id: self._trailing(room, message_id),
        )
        outbox = Outbox(self._config.qq.send_gap, lambda speech: self._transmit(room, speech))
        room = Room(
            conversation=conversation,
            config=self._config,
            seat=seat,
            outbox=outbox,
            ledger=LedgerWindow(max(self._config.frontdesk.ledger_size, self._config.secretary.dense_count)),
            used_at=self._clock.monotonic(),
        )
        return room

    def _start_loading(self) -> None:
        if self._to_load and self._loaders < LOADS:
            self._loaders += 1
            if self._tasks.spawn(self._load_all(), "mishu load") is None:
                self._loaders -= 1

    async def _load_all(self) -> None:
        """Load what waits to be loaded, one room after the other."""
        try:
            await self._wait_until_prepared()
            while self._to_load:
                conversation, since = self._to_load.popitem(last=False)
                waited = self._clock.monotonic() - max(since, self._prepared_at)
                await self._load(self._rooms[conversation], max(LEAST, LOAD_TIMEOUT - waited))
        finally:
            self._loaders -= 1
            self._start_loading()  # an error nobody foresaw ends this one, not what waits behind it

    async def _wait_until_prepared(self) -> None:
        if self._prepared is None:
            return
        try:
            async with asyncio.timeout(PREPARING):
                await self._prepared.wait()
        except TimeoutError as error:
            self._report("规则还没有读完，先开始答话", error)
        self._prepared = None
        self._prepared_at = self._clock.monotonic()

    async def _load(self, room: Room, seconds: float) -> None:
        """Bring back settings and ledger; a database in trouble leaves the room usable with what it has."""
        known: list[LedgerMessage] = []
        try:
            async with asyncio.timeout(seconds):
                room.settings = await self._storage.settings.load(room.conversation)
                known = await self._storage.ledger.load(room.conversation, self._config.frontdesk.ledger_size)
        except (StorageError, TimeoutError) as error:
            self._report("会话没有读出来", error)
        finally:
            self._merge(room, known)
            room.loaded.set()

    def _merge(self, room: Room, known: list[LedgerMessage]) -> None:
        """Join stored lines with lines heard meanwhile; of a line in both the stored one counts."""
        for said in known:
            received = room.early.get(said.message_id)
            if received is None:
                room.ledger.append(said)
            elif received != said.receipt:  # else it is what we wrote ourselves a moment ago
                room.duplicates.add(said.message_id)
                room.ledger.replace(said)
        room.early.clear()
