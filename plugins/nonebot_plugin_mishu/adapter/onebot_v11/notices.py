"""OneBot v11 notices, and others in their form: recalls, mutes, joining, leaving, pokes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any, cast

from nonebot.adapters import Bot
from nonebot.exception import AdapterException, WebSocketClosed

from ...frontdesk import FrontDesk, IncomingMessage
from ...frontdesk.duty.duties import Duties
from ...frontdesk.notices import UNTIL_LIFTED
from ...storage.records import Conversation
from ..reading_context import ReadingContext
from .reading import conversation_of, heard_poke, heard_upload, own_ids
from .speaking import api_id

_ROLE_TIMEOUT = 5.0
_UNTOLD = 3600.0


def act_on_notice(
    desk: FrontDesk, duties: Duties, event: Mapping[str, Any], bot: Bot, around: ReadingContext
) -> IncomingMessage | None:
    """Start what a notice asks for, in a task of the front desk's; awaits nothing. A poke of the bot is for
    others to take first, as a line is: it is handed back.

    What concerns the account that hears it is noted whether it is on duty or not, the rest is done by the
    account on duty alone: each of ours in a group is told of it.
    """
    conversation = conversation_of(event, bot.self_id)
    if conversation is None:
        return None
    account, peer = bot.self_id, conversation.peer
    kind, sub = event.get("notice_type"), event.get("sub_type")
    about_us = str(event.get("user_id")) in own_ids(event, account)
    moved = membership(event, account)
    if conversation.is_group:
        was_on_duty = duties.on_duty(account, peer)
        conversation = Conversation(duties.home(account, peer) or account, "group", peer)
        if moved is not None:
            (duties.note_entered if moved[1] else duties.note_left)(account, peer)
            if not moved[1]:
                if was_on_duty and duties.speaker(conversation) == account:
                    desk.spawn(desk.notices.left(conversation), "mishu left")
                return None
        if kind == "group_ban" and (about_us or str(event.get("user_id")) == "0"):
            _muting(desk, duties, event, bot, conversation, about_us=about_us)
            return None
        if not (was_on_duty or duties.on_duty(account, peer)):
            return None
    if kind in ("group_recall", "friend_recall") and event.get("message_id") is not None:
        message_id = str(event["message_id"])
        if conversation.is_group:
            message_id = duties.kept_id(account, conversation.self_id, peer, message_id)
        desk.spawn(desk.notices.recalled(conversation, message_id), "mishu recall")
    elif moved is not None:
        desk.spawn(desk.notices.joined(conversation), "mishu joined")
    elif kind == "group_increase" and event.get("user_id") is not None and (at := _moment(event)) is not None:
        desk.spawn(desk.notices.came(conversation, str(event["user_id"]), at), "mishu member came")
    elif kind in ("group_admin", "group_decrease") and event.get("user_id") is not None:
        user_id, gone = str(event["user_id"]), kind == "group_decrease"
        work = desk.notices.went if gone else desk.notices.standing_changed
        desk.spawn(work(conversation, user_id), "mishu member left" if gone else "mishu member's standing")
    elif kind == "group_upload" and (heard := heard_upload(event, account, around)) is not None:
        desk.take_upload(heard)
    elif sub == "poke":
        return heard_poke(event, account, around)
    return None


def _muting(
    desk: FrontDesk,
    duties: Duties,
    event: Mapping[str, Any],
    bot: Bot,
    conversation: Conversation,
    *,
    about_us: bool,
) -> None:
    """This account, or everybody, was muted, or may speak again."""
    if event.get("sub_type") == "lift_ban" or (about_us and str(event.get("duration")) == "0"):
        duties.mute(bot.self_id, conversation.peer, 0)
        if duties.speaker(conversation) == bot.self_id:
            desk.spawn(desk.notices.unmuted(conversation), "mishu unmute")
    elif about_us:
        _muted(desk, duties, bot, conversation, _seconds(event.get("duration")))
    else:
        desk.spawn(_all_muted(desk, duties, conversation, bot), "mishu mute all")


def _muted(
    desk: FrontDesk, duties: Duties, bot: Bot, conversation: Conversation, seconds: float | None
) -> None:
    """An account may say nothing; where another of ours can, that one goes on."""
    duties.mute(bot.self_id, conversation.peer, UNTIL_LIFTED if seconds is None else seconds)
    if duties.speaker(conversation) == bot.self_id:
        desk.spawn(desk.notices.muted(conversation, seconds), "mishu mute")


def membership(event: Mapping[str, Any], self_id: str) -> tuple[Conversation, bool] | None:
    """A group that we came into (True) or were removed from; None where a notice tells neither."""
    conversation = conversation_of(event, self_id)
    kind, sub = event.get("notice_type"), event.get("sub_type")
    about_us = str(event.get("user_id")) in own_ids(event, self_id)
    if conversation is None or kind not in ("group_increase", "group_decrease"):
        return None
    if kind == "group_increase":
        return (conversation, True) if about_us else None
    return (conversation, False) if about_us or sub == "kick_me" else None


async def _all_muted(desk: FrontDesk, duties: Duties, conversation: Conversation, bot: Bot) -> None:
    """Everybody was muted: so are we, unless we are an admin and may still speak."""
    try:
        async with asyncio.timeout(_ROLE_TIMEOUT):
            us: object = await bot.call_api(
                "get_group_member_info", group_id=api_id(conversation.peer), user_id=api_id(bot.self_id)
            )
    except (AdapterException, WebSocketClosed, TimeoutError):
        us = None
    # OneBot answers with a mapping, Milky's adapter with a model.
    mapped = isinstance(us, Mapping)
    role: Any = cast("Mapping[str, Any]", us).get("role") if mapped else getattr(us, "role", None)
    if role not in ("admin", "owner"):
        _muted(desk, duties, bot, conversation, None)


def _moment(event: Mapping[str, Any]) -> float | None:
    """When a notice happened, wall seconds; None where it does not tell."""
    at = event.get("time")
    return float(at) if isinstance(at, int | float) and not isinstance(at, bool) and at > 0 else None


def _seconds(duration: Any) -> float:
    """Duration of a mute in seconds; an hour if not given, since nothing can be sent anyway."""
    if isinstance(duration, str):
        duration = int(duration) if re.fullmatch("[0-9]{1,9}", duration) else None
    if isinstance(duration, bool) or not isinstance(duration, (int, float)) or not 0 < duration < 1e9:
        return _UNTOLD
    return float(duration)
