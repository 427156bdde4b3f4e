"""Milky's events for the wiring (`adapter.event_reader`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from nonebot.adapters import Bot as BaseBot
from nonebot.adapters import Event as BaseEvent
from nonebot.adapters.milky import Bot, Event, MessageEvent
from pydantic import BaseModel

from ...frontdesk import FrontDesk, IncomingMessage
from ...frontdesk.duty.duties import Duties
from ...storage.records import Conversation
from ..event_reader import EventKind
from ..onebot_v11.notices import act_on_notice
from ..onebot_v11.reading import conversation_of
from ..reading_context import ReadingContext
from .reading import heard, notice_fields

OFFLINE = "bot_offline"
"""QQ has logged the account off; the implementation goes on."""
_UNSEEN = ("get_", "mark_")
"""Prefixes of API calls invisible in the conversation."""
_NOBODY = (None, "", 0, "0")


class MilkyEvents:
    """Reads Milky's events."""

    def reads(self, bot: BaseBot, event: BaseEvent) -> bool:
        """True for Milky's events: each came from an implementation whose token fits."""
        return isinstance(bot, Bot) and isinstance(event, Event)

    def kind(self, event: BaseEvent) -> EventKind:
        """What an event is to us."""
        if isinstance(event, MessageEvent):
            return "message"
        found = cast(Event, event)
        told = found.event_type == OFFLINE or _notice(found, str(found.self_id)) is not None
        return "notice" if told else "other"

    def place(self, account: str, event: BaseEvent) -> Conversation | None:
        """The conversation in which it happened; None for temporary sessions."""
        if isinstance(event, MessageEvent):
            data = event.data
            scene = {"group": "group_id", "friend": "user_id"}.get(data.message_scene)
            return None if scene is None else conversation_of({scene: data.peer_id}, account)
        fields = _notice(cast(Event, event), account)
        return None if fields is None else conversation_of(fields, account)

    def message(self, account: str, event: BaseEvent, around: ReadingContext) -> IncomingMessage | None:
        """A message as heard."""
        found = cast(MessageEvent, event)
        reply = None if found.reply is None else _plain(found.reply)
        # What the adapter made of the segments lacks the quote and the @ of the bot: the copy has them.
        segments = _segments(found.original_message)
        return heard(_plain(found.data), segments, reply, account, around)

    def act_on_notice(
        self, desk: FrontDesk, duties: Duties, bot: BaseBot, event: BaseEvent, around: ReadingContext
    ) -> IncomingMessage | None:
        """Start what a notice asks for; a poke of the bot is handed back. An account that QQ has logged off
        speaks for nobody until it is heard again."""
        found = cast(Event, event)
        if found.event_type == OFFLINE:
            duties.disconnect(bot.self_id)
            return None
        fields = _notice(found, bot.self_id)
        return None if fields is None else act_on_notice(desk, duties, fields, bot, around)

    def place_of_call(self, account: str, api: str, data: Mapping[str, Any]) -> Conversation | None:
        """The conversation a call is about; None where it names none."""
        for kind, name in (("group", "group_id"), ("private", "user_id")):
            if data.get(name) not in _NOBODY:
                return Conversation(account, "group" if kind == "group" else "private", str(data[name]))
        return None

    def seen(self, api: str) -> bool:
        """True for a call that members can see."""
        return not api.startswith(_UNSEEN)


def _notice(event: Event, account: str) -> Mapping[str, Any] | None:
    data = cast(Any, event).data
    return notice_fields(event.event_type, _plain(data), event.time, account)


def _plain(value: Any) -> dict[str, Any]:
    """A model's fields, those of models in it too, without copying the rest."""
    if not isinstance(value, BaseModel):
        return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    fields = {**value.__dict__, **(value.model_extra or {})}
    return {name: _plain(one) if isinstance(one, BaseModel) else one for name, one in fields.items()}


def _segments(message: Iterable[Any]) -> Sequence[Mapping[str, Any]]:
    """Segments as they came over the wire; those of a quoted message stand in the quote."""
    found: list[Mapping[str, Any]] = []
    for part in message:
        data = dict(part.data)
        if part.type == "reply" and "segments" in data:
            data["segments"] = _segments(data["segments"])
        found.append({"type": part.type, "data": data})
    return found
