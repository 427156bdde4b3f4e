"""What the HTTP API sees of the running plugin (`web.Backend`)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from zoneinfo import ZoneInfo

from .clock import Clock
from .feed import Feed, News
from .frontdesk import FrontDesk, Platform, Room, view
from .llm import ModelClient
from .storage import Storage, StorageError
from .storage.records import Conversation, DecisionRecord, LedgerMessage
from .web import BackendUnavailable, Health, PresenceView, decision_json, presence_json


class Console:
    """Reads rooms where a conversation is in memory, the database where it is not; tells the feed."""

    def __init__(
        self,
        clock: Clock,
        storage: Storage,
        feed: Feed,
        model: ModelClient,
        platform: Platform,
        version: str,
    ) -> None:
        self._clock = clock
        self._storage = storage
        self._feed = feed
        self._model = model
        self._platform = platform
        self._version = version
        self.desk: FrontDesk | None = None

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which times are shown."""
        return self._clock.zone

    def account_in(self, group_id: str) -> str | None:
        """The newest connected account that has heard this group, else the newest connected one."""
        accounts = list(self._platform.accounts())
        if self.desk is not None:
            for account in accounts:
                if self.desk.rooms.find(Conversation(account, "group", group_id)) is not None:
                    return account
            for room in self.desk.rooms:
                if room.conversation.is_group and room.conversation.peer == group_id:
                    return room.conversation.self_id
        return accounts[0] if accounts else None

    async def health(self) -> Health:
        """Whether model and database work, and who is connected."""
        status, _ = self._storage.status()
        return Health(
            llm={"ok": "ok", "offline": "off", "failing": "down"}[self._model.status()],  # type: ignore[arg-type]
            database="ok" if status == "ok" else "down",
            version=self._version,
            bots=list(self._platform.accounts()),
        )

    async def presence(self, conversation: Conversation) -> PresenceView:
        """The conversation's presence."""
        room = self.desk.rooms.find(conversation) if self.desk is not None else None
        if room is not None and room.loaded.is_set():
            return _seen(room, self._clock)
        try:
            settings = await self._storage.settings.load(conversation)
        except StorageError as error:
            raise BackendUnavailable(str(error)) from None
        silence = settings.silence
        now = self._clock.wall()
        return PresenceView(
            silenced_until=silence.until if silence is not None and silence.until > now else None
        )

    async def decisions(self, conversation: Conversation, *, limit: int) -> Sequence[DecisionRecord]:
        """The last decisions, newest first."""
        try:
            return await self._storage.decisions.latest(conversation, limit)
        except StorageError as error:
            raise BackendUnavailable(str(error)) from None

    async def messages(
        self, conversation: Conversation, *, limit: int, after: str | None
    ) -> Sequence[LedgerMessage]:
        """The ledger, oldest first."""
        try:
            return await self._storage.ledger.page(conversation, limit, after)
        except StorageError as error:
            raise BackendUnavailable(str(error)) from None

    def listen(self) -> AsyncIterator[News]:
        """What happens from now on."""
        return self._feed.listen()

    # The front desk's audience:

    def presence_changed(self, room: Room) -> None:
        """Publish a room's presence."""
        data = presence_json(_seen(room, self._clock), self.zone)
        self._feed.publish(News("presence", room.conversation, data))

    def decision_made(self, record: DecisionRecord) -> None:
        """Publish a decision."""
        self._feed.publish(News("decision", record.conversation, decision_json(record, self.zone)))


def _seen(room: Room, clock: Clock) -> PresenceView:
    now = view(room, clock)
    return PresenceView(
        state=now.state.value,
        since=now.since,
        busy=now.busy,
        held=now.held,
        silenced_until=now.silenced_until,
        cooldown_until=now.cooldown_until,
    )
