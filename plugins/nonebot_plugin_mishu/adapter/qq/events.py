"""Events of QQ's official bots for the wiring (`adapter.event_reader`). Guilds are left out."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, cast

from nonebot.adapters import Bot as BaseBot
from nonebot.adapters import Event as BaseEvent
from nonebot.adapters.qq import Bot, Event

from ...clock import Clock
from ...frontdesk import FrontDesk, IncomingMessage
from ...frontdesk.duty.duties import Duties
from ...storage.records import Conversation
from ..event_reader import EventKind
from ..reading_context import ReadingContext
from .reading import (
    GROUP_EVENTS,
    PRESS,
    PRIVATE_EVENT,
    Speaker,
    heard_message,
    heard_press,
    place_of,
    pressed_button,
    pressed_words,
)
from .reply_windows import Answerable
from .speaking import OURS, QqPlatform

_MESSAGES = GROUP_EVENTS | {PRIVATE_EVENT}
_NOTICES = frozenset(
    {
        "GROUP_ADD_ROBOT",
        "GROUP_DEL_ROBOT",
        "GROUP_MSG_REJECT",
        "GROUP_MSG_RECEIVE",
        "C2C_MSG_REJECT",
        "C2C_MSG_RECEIVE",
        "FRIEND_ADD",
        "GROUP_MEMBER_ADD",
        "GROUP_MEMBER_REMOVE",
    }
)
_FIELDS = {
    "id", "content", "timestamp", "author", "mentions", "attachments", "reply", "group_openid", "user_openid",
    "openid", "group_member_openid", "member_openid", "data", "event_id",
}  # fmt: skip
_UNSEEN = ("get_", "me", "put_interaction", "post_group_files", "post_c2c_files", "shard_url_get", "url_get")
_SPEAKERS = 5000
TWICE_WITHIN = 3.0
"""Seconds in which a second press is the same one."""


class QqEvents:
    """Reads what official bots hear of groups and friends."""

    def __init__(self, platform: QqPlatform, clock: Clock) -> None:
        self._platform = platform
        self._clock = clock
        self._speakers: OrderedDict[tuple[str, str], Speaker] = OrderedDict()
        """Members as last heard, by conversation: who presses a button is known by an id alone."""

        self._presses: OrderedDict[tuple[str, str], float] = OrderedDict()
        """Members and the buttons they pressed, and when (monotonic seconds)."""

    def reads(self, bot: BaseBot, event: BaseEvent) -> bool:
        """True for events of official bots."""
        return isinstance(bot, Bot) and isinstance(event, Event)

    def kind(self, event: BaseEvent) -> EventKind:
        """What an event is to us. A pressed button is a line of who pressed it."""
        kind = _name(event)
        if kind == PRESS:
            fields = _fields(event)
            return "message" if pressed_words(fields) and pressed_button(fields).startswith(OURS) else "other"
        if kind in _MESSAGES:
            return "message"
        return "notice" if kind in _NOTICES else "other"

    def place(self, account: str, event: BaseEvent) -> Conversation | None:
        """The conversation in which it happened."""
        return place_of(_fields(event), account)

    def message(self, account: str, event: BaseEvent, around: ReadingContext) -> IncomingMessage | None:
        """A message, or a pressed button, as heard; it may be answered from now on."""
        kind, fields = _name(event), _fields(event)
        where = place_of(fields, account)
        if where is None:
            return None
        if where.is_group and around.home is not None:
            where = Conversation(around.home, "group", where.peer)
        if kind == PRESS:
            self._platform.acknowledge(account, str(fields.get("id") or ""))
            by = self._speakers.get((where.peer, _presser(fields)))
            heard = heard_press(fields, account, around, by)
        else:
            sent_as = self._platform.sent_as
            heard = heard_message(kind, fields, account, around, lambda text: sent_as(where, text))
        if heard is None:
            return None
        if kind == PRESS and self._is_repeated(heard.user_id, pressed_button(fields), around.heard_at):
            return None
        if kind != PRESS:
            self._speakers[where.peer, heard.user_id] = Speaker(heard.name, heard.role)
            self._speakers.move_to_end((where.peer, heard.user_id))
            while len(self._speakers) > _SPEAKERS:
                self._speakers.popitem(last=False)
        answered_as = str(fields.get("event_id") or "") if kind == PRESS else heard.message_id
        if answered_as:
            self._platform.heard(where, Answerable(answered_as, around.heard_at, event=kind == PRESS))
        return heard

    def _is_repeated(self, user_id: str, button: str, at: float) -> bool:
        """True for a second press of the same button by the same member at once: a double click would answer
        the question that the first press brought."""
        before = self._presses.get((user_id, button))
        self._presses[user_id, button] = at
        self._presses.move_to_end((user_id, button))
        while len(self._presses) > _SPEAKERS:
            self._presses.popitem(last=False)
        return before is not None and at - before < TWICE_WITHIN

    def act_on_notice(
        self, desk: FrontDesk, duties: Duties, bot: BaseBot, event: BaseEvent, around: ReadingContext
    ) -> IncomingMessage | None:
        """Start what a notice asks for. Nobody can poke an official bot."""
        kind, fields = _name(event), _fields(event)
        where = place_of(fields, bot.self_id)
        if where is None:
            return None
        if where.is_group:
            if kind == "GROUP_DEL_ROBOT":
                home = duties.home(bot.self_id, where.peer) or bot.self_id
                duties.note_left(bot.self_id, where.peer)
                desk.spawn(desk.notices.left(Conversation(home, "group", where.peer)), "mishu left")
                return None
            duties.note_entered(bot.self_id, where.peer)
            where = Conversation(duties.home(bot.self_id, where.peer) or bot.self_id, "group", where.peer)
        event_id = str(fields.get("event_id") or "")
        if event_id and kind in ("GROUP_ADD_ROBOT", "GROUP_MSG_RECEIVE", "FRIEND_ADD", "C2C_MSG_RECEIVE"):
            self._platform.heard(where, Answerable(event_id, self._clock.monotonic(), event=True))
        member = str(fields.get("member_openid") or "")
        if kind.endswith(("_MSG_REJECT", "_MSG_RECEIVE")):
            self._platform.allow(where, kind.endswith("_RECEIVE"))
        elif kind == "GROUP_ADD_ROBOT":
            desk.spawn(desk.notices.joined(where), "mishu joined")
        elif kind == "GROUP_MEMBER_ADD" and member:
            desk.spawn(desk.notices.came(where, member, self._clock.wall()), "mishu member came")
        elif kind == "GROUP_MEMBER_REMOVE" and member:
            desk.spawn(desk.notices.went(where, member), "mishu member left")
        return None

    def place_of_call(self, account: str, api: str, data: Mapping[str, Any]) -> Conversation | None:
        """The conversation a call is about."""
        if group := data.get("group_openid"):
            return Conversation(account, "group", str(group))
        return Conversation(account, "private", str(data["openid"])) if data.get("openid") else None

    def seen(self, api: str) -> bool:
        """True for a call that members can see."""
        return not api.startswith(_UNSEEN)


def _name(event: BaseEvent) -> str:
    kind = cast(Event, event).__type__
    return str(getattr(kind, "value", kind))


def _fields(event: BaseEvent) -> dict[str, Any]:
    """The event's fields as QQ sent them, without what the adapter made of them."""
    return cast(Event, event).model_dump(include=_FIELDS)


def _presser(fields: Mapping[str, Any]) -> str:
    return str(fields.get("group_member_openid") or fields.get("user_openid") or "")
