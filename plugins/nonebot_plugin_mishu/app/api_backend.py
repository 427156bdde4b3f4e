"""Backend of the HTTP API over the running plugin (`web.Backend`)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from ..clock import Clock
from ..config import Config
from ..events import BotEvent, EventBus
from ..frontdesk import FrontDesk, Platform, Room, view
from ..llm import ModelClient
from ..services.office import Office
from ..storage import Storage, StorageError
from ..storage.records import Conversation, DecisionRecord, FrameRecord, LedgerMessage, RoundSide
from ..web import BackendUnavailable, Health, HttpAnswer, PresenceView, decision_json, presence_json
from .http_conversation import NO_ACCOUNT, HttpConversation
from .usage_and_corrections import Came, StoredReads


class ApiBackend(StoredReads):
    """Reads rooms where a conversation is in memory, the database where it is not; tells the feed."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        storage: Storage,
        feed: EventBus,
        model: ModelClient,
        platform: Platform,
        version: str,
        decided: Callable[[DecisionRecord], None] = lambda record: None,
        came: Came | None = None,
    ) -> None:
        super().__init__(config, clock, storage, model, came)
        self._feed = feed
        self._platform = platform
        self._version = version
        self._decided = decided
        self.desk: FrontDesk | None = None
        self.caller: HttpConversation | None = None
        self.office: Office | None = None
        """Office of the operations, once everything is built."""

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which times are shown."""
        return self._clock.zone

    async def account_in(self, group_id: str, self_id: str | None = None) -> str:
        """Under which account a group is kept: the one that is asked for, or the home of its group. Without
        one, where the group has no home, the newest connected account that knows this group, else the
        one that did last, else the newest connected one, else the one that stands for conversations over
        HTTP."""
        if self_id and self.office is not None:
            return self.office.resolve_place(Conversation(self_id, "group", group_id)).self_id
        if self.office is not None:
            try:
                found = await self.office.find_group(group_id)
            except StorageError:
                found = None  # what is read next says that the database does not answer
            if found is not None:
                return found.self_id
        accounts = list(self._platform.accounts())
        return accounts[0] if accounts else NO_ACCOUNT

    async def health(self) -> Health:
        """Health of model and database, and the connected accounts."""
        status, _ = self._storage.status()
        return Health(
            llm={"ok": "ok", "offline": "off", "failing": "down"}[self._model.status()],  # type: ignore[arg-type]
            database="ok" if status == "ok" else "down",
            version=self._version,
            bots=list(self._platform.accounts()),
            trouble=self._model.trouble() if self._model.status() == "failing" else "",
            mute={each: why for each in self._platform.accounts() if (why := self._platform.trouble(each))},
        )

    async def presence(self, conversation: Conversation) -> PresenceView:
        """The conversation's presence."""
        room = self.desk.rooms.find(conversation) if self.desk is not None else None
        served = self.office is None or self.office.duties.serves(conversation)
        if room is not None and room.loaded.is_set() and served:
            return replace(_seen(room, self._clock), unasked=self._platform.means(conversation).unasked)
        try:
            settings = await self._storage.settings.load(conversation)
        except StorageError as error:
            raise BackendUnavailable(str(error)) from None
        silence = settings.silence
        now = self._clock.wall()
        return PresenceView(
            silenced_until=silence.until if silence is not None and silence.until > now else None,
            unasked=self._platform.means(conversation).unasked,
        )

    async def decisions(
        self, conversation: Conversation, *, limit: int, before: int | None = None
    ) -> Sequence[DecisionRecord]:
        """The last decisions, newest first."""
        try:
            return await self._storage.decisions.latest(conversation, limit, before)
        except StorageError as error:
            raise BackendUnavailable(str(error)) from None

    async def messages(
        self, conversation: Conversation, *, limit: int, after: str | None
    ) -> Sequence[LedgerMessage]:
        """The ledger, oldest first."""
        try:
            return await self._storage.ledger.list_page(conversation, limit, after)
        except StorageError as error:
            raise BackendUnavailable(str(error)) from None

    def group_enabled(self, group_id: str) -> bool:
        """True if the plugin is enabled in this group."""
        return self._config.group_enabled(group_id)

    async def ask(self, group_id: str | None, user_id: str, name: str, text: str) -> HttpAnswer:
        """Say something to the secretary as this member."""
        if self.caller is None:
            raise BackendUnavailable("秘书正在启动，过会儿再说")
        conversation = await self.conversation_with(group_id, user_id)
        try:
            outcome = await self.caller.ask(conversation, user_id, name, text)
        except TimeoutError:
            return HttpAnswer("这次没来得及办完，过会儿再说一次。", "canceled")
        return HttpAnswer(
            outcome.text or "",
            outcome.status,
            outcome.task_id,
            [(action.tool, action.arguments, action.result) for action in outcome.actions],
        )

    async def conversation_with(self, group_id: str | None, user_id: str) -> Conversation:
        """The conversation meant where a request names a group or none."""
        if group_id is not None:
            return Conversation(await self.account_in(group_id), "group", group_id)
        accounts = list(self._platform.accounts())
        return Conversation(accounts[0] if accounts else NO_ACCOUNT, "private", user_id)

    async def frames(self, conversation: Conversation, *, limit: int) -> Sequence[FrameRecord]:
        """The tasks that changed last, newest first."""
        try:
            return await self._storage.frames.latest(conversation, limit)
        except StorageError as error:
            raise BackendUnavailable(str(error)) from None

    async def turns(
        self, user_id: str, group_id: str | None, *, limit: int, before: int | None
    ) -> Sequence[RoundSide]:
        """Turns between this member and the bot, oldest first."""
        try:
            return await self._storage.turns.of_user(user_id, limit, before, group_id)
        except StorageError as error:
            raise BackendUnavailable(str(error)) from None

    @property
    def events(self) -> EventBus:
        """Recent events by id."""
        return self._feed

    def listen(self) -> AsyncIterator[BotEvent]:
        """Subscription to events from now on."""
        return self._feed.listen()

    # The front desk's audience:

    def presence_changed(self, room: Room) -> None:
        """Publish a room's presence."""
        if self._feed.heard:
            data = presence_json(_seen(room, self._clock), self.zone)
            self._feed.publish(BotEvent("presence", room.conversation, data))

    def decision_made(self, record: DecisionRecord) -> None:
        """Count a decision, and publish it."""
        self._decided(record)
        if self._feed.heard:
            self._feed.publish(BotEvent("decision", record.conversation, decision_json(record, self.zone)))


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
