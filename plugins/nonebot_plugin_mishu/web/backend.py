"""Interface of the running plugin to the HTTP API: one protocol and its values.

Free of any web framework, so that the runtime can implement it without one being installed. The ledger's
and the decisions' own records (`storage.records`) are handed out as they are; `schemas` turns them into
what `contracts.md` pins."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, Protocol
from zoneinfo import ZoneInfo

from ..events import BotEvent, EventBus
from ..storage.records import Conversation, DecisionRecord, FrameRecord, LedgerMessage, ModelUsage, RoundSide

State = Literal["absent", "familiar", "summoned", "observing"]


class BackendUnavailable(Exception):
    """The database cannot be read now. The answer is 503 with `message`, in Chinese, and nothing else."""

    def __init__(self, message: str = "数据库暂时不可用，请稍后再试") -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Health:
    """State of the plugin."""

    llm: Literal["off", "ok", "down"]
    """`off`: no key or model configured, local rules only; `down`: configured, but failing now."""
    database: Literal["ok", "down"]
    version: str
    bots: Sequence[str] = ()
    """Connected accounts, newest first."""
    trouble: str = ""
    """Why the model is down, in a few Chinese words."""
    mute: Mapping[str, str] = field(default_factory=dict[str, str])
    """Connected accounts through which nothing can be said, and why."""

    @property
    def status(self) -> Literal["ok", "degraded"]:
        """`ok` unless something that is configured does not work."""
        return "degraded" if "down" in (self.llm, self.database) else "ok"


@dataclass(frozen=True, slots=True)
class PresenceView:
    """The front desk of one conversation now. Times are seconds since the epoch; none means not in force."""

    state: State = "absent"
    since: float | None = None
    """When this state began; none for a conversation never seen."""
    busy: bool = False
    held: int = 0
    """Events waiting for the Secretary."""
    silenced_until: float | None = None
    cooldown_until: float | None = None
    unasked: bool = True
    """Something may be said there unasked; shown on the page only where not."""


@dataclass(frozen=True, slots=True)
class DayOfUsage:
    """Calls of one model under one name on one day."""

    day: str
    """`YYYY-MM-DD` in our zone."""
    used: ModelUsage
    yuan: Decimal | None
    """None where the model has no price (MISHU__LLM__PRICES)."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """The secretary's answer over HTTP. `actions` are tool, arguments and result of completed calls."""

    reply: str
    status: Literal["completed", "awaiting_user", "canceled", "blocked"]
    task_id: str | None = None
    actions: Sequence[tuple[str, dict[str, Any], Any]] = ()


@dataclass(frozen=True, slots=True)
class Caretaker:
    """Actions of the page 机器人, for the bot's owner alone. What fails is a `StorageError`, in words."""

    back_up: Callable[[], Awaitable[str]]
    """Makes a backup now; where it lies."""
    backups: Callable[[], Awaitable[Sequence[str]]]
    """The backups there are, the newest first, in words."""
    log: Callable[[], Sequence[str]]
    """The end of the log: lines of the bot about itself, nothing that was said; the newest first."""


class Backend(Protocol):
    """The running plugin as the HTTP API sees it. Ids are text, as in storage.

    Every coroutine may raise `BackendUnavailable`; a conversation never seen is no error.
    """

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which times are shown."""
        ...

    async def account_in(self, group_id: str, self_id: str | None = None) -> str | None:
        """The account of a request that names none: the newest connected one in this group.

        Where none of the connected is known to be in it, or none is connected, the account that last was;
        none if the group was never seen."""
        ...

    async def health(self) -> Health:
        """State of the plugin. Does not raise `BackendUnavailable`: `database` reports it."""
        ...

    async def presence(self, conversation: Conversation) -> PresenceView:
        """The conversation's presence; `PresenceView()` if never seen."""
        ...

    async def decisions(
        self, conversation: Conversation, *, limit: int, before: int | None = None
    ) -> Sequence[DecisionRecord]:
        """The last decisions, newest first; of those before the id `before`."""
        ...

    async def messages(
        self, conversation: Conversation, *, limit: int, after: str | None
    ) -> Sequence[LedgerMessage]:
        """The ledger, oldest first: the newest `limit`, or the first `limit` behind the message `after`.

        An `after` that the ledger does not hold gives nothing.
        """
        ...

    async def came(self, conversation: Conversation, user_id: str | None) -> float | None:
        """When a member joined a group, wall seconds: older lines are hidden from them. None where the bot
        did not see them join."""
        ...

    def group_enabled(self, group_id: str) -> bool:
        """True if the plugin is enabled in this group."""
        ...

    async def ask(self, group_id: str | None, user_id: str, name: str, text: str) -> HttpAnswer:
        """Send a line to the secretary as this member: in a group, else in private."""
        ...

    async def frames(self, conversation: Conversation, *, limit: int) -> Sequence[FrameRecord]:
        """The conversation's tasks that changed last, newest first."""
        ...

    async def turns(
        self, user_id: str, group_id: str | None, *, limit: int, before: int | None
    ) -> Sequence[RoundSide]:
        """Dialogue of this member and the bot in a group, or without one in private.

        Oldest first: the newest `limit` of those before the id `before`."""
        ...

    def now(self) -> datetime:
        """Our clock, in our zone."""
        ...

    async def usage(
        self, since: datetime, until: datetime, conversation: Conversation | None
    ) -> Sequence[DayOfUsage]:
        """Calls of models by day, model and name, the oldest day first; `until` is not included."""
        ...

    async def correct_transaction(self, batch: Sequence[Mapping[str, Any]], text: str) -> Mapping[str, Any]:
        """Correction of a caller's batch of transactions."""
        ...

    async def record_lines(
        self,
        conversation: Conversation,
        *,
        words: Sequence[str],
        user_id: str | None,
        since: float | None,
        until: float | None,
        limit: int,
    ) -> Sequence[LedgerMessage] | None:
        """The newest lines of a group that hold the words; None for an unknown group."""
        ...

    async def record_line(self, conversation: Conversation, message_id: str) -> LedgerMessage | None:
        """One line of a member in a group; None for none."""
        ...

    async def record_digest(
        self, conversation: Conversation, *, since: float | None, until: float | None
    ) -> Sequence[tuple[str, Sequence[str]]] | None:
        """Digest of a span with the ids of its lines; None for an unknown group."""
        ...

    def listen(self) -> AsyncIterator[BotEvent]:
        """Events of all conversations from now on, until the plugin stops (`EventBus.listen`).

        `BotEvent.data` is what the routes give: `schemas.presence_json`, `schemas.decision_json`.
        """
        ...

    @property
    def events(self) -> EventBus:
        """Recent events of conversations, with their ids."""
        ...
