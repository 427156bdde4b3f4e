"""The JSON of `contracts.md`: bodies of the routes, made from the plugin's own values.

Ids are strings, times ISO 8601 with the offset of the configured zone. Of pydantic only, so that the
runtime can build the data of live events with the same functions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field, PlainSerializer

from ..storage.records import DecisionRecord, LedgerMessage
from .backend import PresenceView, State


def _iso(value: datetime) -> str:
    return value.isoformat(timespec="milliseconds")


Instant = Annotated[datetime, PlainSerializer(_iso, return_type=str)]
"""A time with its offset, such as 2026-11-02T08:00:00.000+08:00."""


def at(seconds: float, zone: ZoneInfo) -> datetime:
    """A stored time (wall seconds) in the zone in which times are shown."""
    return datetime.fromtimestamp(seconds, zone)


def maybe_at(seconds: float | None, zone: ZoneInfo) -> datetime | None:
    """As `at`; None for none."""
    return None if seconds is None else at(seconds, zone)


class Shape(BaseModel):
    """The JSON of a value of the plugin."""

    @classmethod
    def take(cls, value: object, **own: Any) -> Self:
        """The shape of a value: its attributes by the names of the fields, and those that are given."""
        taken = {name: getattr(value, name) for name in cls.model_fields if name not in own}
        return cls.model_validate({**taken, **own})


class ErrorDetail(BaseModel):
    """Code (for programs) and message (for people) of an error."""

    code: str = Field(description="给程序看的代号，如 invalid、not_found")
    message: str = Field(description="给人看的一句话")
    question: str | None = Field(None, description="409：要先回答“是”的问题，带 confirm 再发一次")
    field: str | None = Field(None, description="422：哪一项不合法")


class ErrorBody(BaseModel):
    """The shape of every error."""

    error: ErrorDetail


class HealthBody(Shape):
    """`GET /api/health`."""

    status: Literal["ok", "degraded"]
    llm: Literal["off", "ok", "down"] = Field(
        description="off：没有配置模型，只用本地规则；down：配置了但现在不通"
    )
    database: Literal["ok", "down"]
    version: str
    bots: list[str] = Field(description="已连接的机器人账号，最近连接的在前")


class PresenceBody(Shape):
    """`GET /api/groups/{id}/presence`, and the data of `presence` events."""

    state: State
    since: Instant | None
    busy: bool
    held: int
    silenced_until: Instant | None
    cooldown_until: Instant | None

    @classmethod
    def of(cls, view: PresenceView, zone: ZoneInfo) -> Self:
        times = ("since", "silenced_until", "cooldown_until")
        return cls.take(view, **{name: maybe_at(getattr(view, name), zone) for name in times})


class DecisionBody(Shape):
    """One of `GET /api/groups/{id}/decisions`, and the data of `decision` events."""

    id: str
    message_id: str
    trigger: str
    state_before: str
    state_after: str
    should_reply: bool
    strategy: str
    reason: str
    timings: dict[str, float] = Field(description="各步用时（秒）")
    calls: list[str] = Field(description="做过的模型调用")
    tokens: int
    at: Instant

    @classmethod
    def of(cls, record: DecisionRecord, zone: ZoneInfo) -> Self:
        return cls.take(record, id=str(record.id), at=at(record.at, zone))


class MessageBody(Shape):
    """One of `GET /api/groups/{id}/messages`."""

    id: str
    user: str
    name: str
    time: Instant
    text: str
    processed: bool
    is_bot: bool

    @classmethod
    def of(cls, message: LedgerMessage, zone: ZoneInfo) -> Self:
        return cls.take(message, id=message.message_id, user=message.user_id, time=at(message.time, zone))


def presence_json(view: PresenceView, zone: ZoneInfo) -> dict[str, Any]:
    """The data of a `presence` event: what the presence route gives."""
    return PresenceBody.of(view, zone).model_dump(mode="json")


def decision_json(record: DecisionRecord, zone: ZoneInfo) -> dict[str, Any]:
    """The data of a `decision` event: what the decisions route gives of one."""
    return DecisionBody.of(record, zone).model_dump(mode="json")
