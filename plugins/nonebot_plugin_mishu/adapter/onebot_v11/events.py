"""OneBot v11 events for the wiring (`adapter.event_reader`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from nonebot import logger
from nonebot.adapters import Bot as BaseBot
from nonebot.adapters import Event as BaseEvent
from nonebot.adapters.onebot.v11 import Bot, Event, Message, MessageEvent

from ...frontdesk import FrontDesk, IncomingMessage
from ...frontdesk.duty.duties import Duties
from ...storage.records import Conversation
from ..event_reader import EventKind
from ..reading_context import ReadingContext
from .notices import act_on_notice
from .posts import unsigned
from .reading import conversation_of, heard_message

_UNSEEN = (
    "get_",
    "_get_",
    "can_",
    "mark_",
    "_mark_",
    "fetch_",
    "check_",
    "ocr_",
    "download_",
    "clean_",
)
"""Prefixes of API calls invisible in the conversation."""
_NOBODY = (None, "", 0, "0")


class OneBotEvents:
    """Reads OneBot v11's events."""

    def __init__(self) -> None:
        self._told_bare = False

    def reads(self, bot: BaseBot, event: BaseEvent) -> bool:
        """True for OneBot v11's events; not for what nobody signed for (`posts`)."""
        return isinstance(bot, Bot) and isinstance(event, Event) and not unsigned()

    def kind(self, event: BaseEvent) -> EventKind:
        """What an event is to us."""
        kind = cast(Event, event).post_type
        return kind if kind in ("message", "notice") else "other"

    def place(self, account: str, event: BaseEvent) -> Conversation | None:
        """The conversation in which it happened."""
        found = cast(Event, event)
        if found.post_type != "message":
            return conversation_of(_fields(found), account)
        return conversation_of(_where(found), account)

    def message(self, account: str, event: BaseEvent, around: ReadingContext) -> IncomingMessage | None:
        """A message as heard."""
        found = cast(Event, event)
        fields = _fields(found)
        if isinstance(found, MessageEvent):
            segments = _segments(found.original_message)
            fields["reply"] = found.reply.model_dump() if found.reply is not None else None
        else:
            # The adapter could not read it as a message: some implementations leave fields out.
            if not self._told_bare:
                self._told_bare = True
                logger.warning(
                    "收到缺字段或号码不是数字的消息事件，秘书照样处理，别的插件可能收不到，请升级 OneBot 实现"
                )
            segments = _parts(fields.get("message") or fields.get("raw_message"))
        return heard_message(fields, segments, account, around)

    def act_on_notice(
        self, desk: FrontDesk, duties: Duties, bot: BaseBot, event: BaseEvent, around: ReadingContext
    ) -> IncomingMessage | None:
        """Start what a notice asks for; a poke of the bot is handed back."""
        return act_on_notice(desk, duties, _fields(cast(Event, event)), cast(Bot, bot), around)

    def place_of_call(self, account: str, api: str, data: Mapping[str, Any]) -> Conversation | None:
        """The conversation a call is about; None where it names none (a reaction to a message)."""
        if data.get("group_id") not in _NOBODY:
            return Conversation(account, "group", str(data["group_id"]))
        user = data.get("user_id")
        return Conversation(account, "private", str(user)) if user not in _NOBODY else None

    def seen(self, api: str) -> bool:
        """True for a call that members can see."""
        return not api.startswith(_UNSEEN)


def _where(event: Event) -> dict[str, Any]:
    """The fields that say where something happened."""
    extra = event.model_extra or {}
    found = {name: event.__dict__.get(name, extra.get(name)) for name in ("group_id", "user_id")}
    return {**found, **_kind(event)}


def _kind(event: Event) -> dict[str, Any]:
    kind = getattr(event, "message_type", None)
    return {} if kind is None else {"message_type": kind}


def _fields(event: Event) -> dict[str, Any]:
    """The event's fields as they came, without copying what is nested."""
    fields = dict(event.__dict__)
    fields.update(event.model_extra or {})
    sender = fields.get("sender")
    if sender is not None and not isinstance(sender, Mapping):
        fields["sender"] = {**sender.__dict__, **(sender.model_extra or {})}
    return fields


def _segments(message: Message) -> Sequence[Mapping[str, Any]]:
    return [{"type": part.type, "data": part.data} for part in message]


def _parts(message: Any) -> Sequence[Mapping[str, Any]]:
    """The segments of a message that nobody has read yet: text with codes, one segment, or a list of them."""
    if isinstance(message, str):
        return _segments(Message(message))
    if isinstance(message, Mapping):
        return [cast("Mapping[str, Any]", message)]
    if isinstance(message, Sequence):
        parts = cast("Sequence[Any]", message)
        return [cast("Mapping[str, Any]", part) for part in parts if isinstance(part, Mapping)]
    return []
