"""Speaking through OneBot v11: the one place that calls the platform's API to send."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast

from nonebot.adapters import Bot as BaseBot
from nonebot.adapters.onebot.v11 import Bot, Message, MessageSegment
from nonebot.adapters.onebot.v11.exception import ActionFailed, NetworkError, OneBotV11AdapterException
from nonebot.exception import AdapterException

from ...patterns import Pattern
from ...secretary import SendFailed, Speech
from ...storage.records import Conversation
from .. import recordings
from ..account_speech import AccountSpeech, SendRefused, unknown_id
from .posts import connected_bot, made_up

_ANY_TROUBLE = "1200"
"""NapCat's code for every error of its own."""
_ANSWERED_NO = "EventChecker Failed"
_UNCONFIRMED = Pattern("time[d ]*out|超时", re.IGNORECASE)


class OneBotPlatform(AccountSpeech[Bot]):
    """OneBot's calls."""

    NAME = "OneBot"

    def serves(self, bot: BaseBot) -> bool:
        """True for a connection of OneBot's, unless nobody proved to be its account."""
        return isinstance(bot, Bot) and not made_up(bot)

    async def attachment(
        self, conversation: Conversation, told: Mapping[str, Any], largest: int, timeout: float
    ) -> bytes | None:
        """A file that a friend sent: behind its link where that is QQ's own, else by the implementation,
        which has it or knows another link; None where neither can be had."""
        link, file_id = str(told.get("url") or ""), str(told.get("file_id") or told.get("id") or "")
        with suppress(TimeoutError, SendFailed):
            async with asyncio.timeout(timeout):
                if link and (found := await recordings.linked(link, largest)):
                    return found
                bot = self._bot(conversation)
                calls: list[tuple[str, dict[str, Any]]] = [
                    ("get_private_file_url", {"user_id": api_id(conversation.peer), "file_id": file_id}),
                    ("get_file", {"file_id": file_id}),
                ]
                for action, data in calls if file_id else ():
                    with suppress(OneBotV11AdapterException):
                        answer = await bot.call_api(action, **data)
                        if found := await recordings.content(answer, largest):
                            return found
        return None

    def _connection(self, account: str) -> Bot | None:
        return connected_bot(account)

    async def _say(self, bot: Bot, where: Conversation, speech: Speech) -> str:
        parts: list[MessageSegment] = []
        if (quote := self._quoted(bot.self_id, where, speech.quote)) is not None:
            parts.append(MessageSegment("reply", {"id": quote}))
        if where.is_group:
            called = ["all"] if speech.everybody else speech.mentions
            parts += [MessageSegment("at", {"qq": member}) for member in called]
        mentioned = bool(parts) and parts[-1].type == "at"
        parts.append(MessageSegment("text", {"text": f" {speech.text}" if mentioned else speech.text}))
        parts += [MessageSegment("image", {"file": _coded(picture)}) for picture in speech.pictures]
        return await self._deliver(bot, *_to(where, *parts, via=speech.via))

    async def _say_folded(
        self, bot: Bot, where: Conversation, pieces: list[str], speech: Speech, name: str
    ) -> str:
        who = {"name": name, "nickname": name, "uin": bot.self_id, "user_id": bot.self_id}
        nodes = Message(
            MessageSegment("node", {**who, "content": Message(MessageSegment("text", {"text": piece}))})
            for piece in pieces
        )
        if where.is_group:
            data = {"group_id": api_id(where.peer), "messages": nodes}
            return await self._deliver(bot, "send_group_forward_msg", data)
        data = {"user_id": api_id(where.peer), "messages": nodes}
        return await self._deliver(bot, "send_private_forward_msg", data)

    async def _say_aloud(self, bot: Bot, where: Conversation, voice: bytes) -> str:
        return await self._deliver(bot, *_to(where, MessageSegment("record", {"file": _coded(voice)})))

    async def _upload(self, bot: Bot, where: Conversation, name: str, content: bytes) -> None:
        kind, target = ("group", "group_id") if where.is_group else ("private", "user_id")
        data = {target: api_id(where.peer), "file": _coded(content), "name": name}
        await self._call(bot, f"upload_{kind}_file", data)

    async def _publish(self, bot: Bot, where: Conversation, text: str) -> None:
        """By a call that is none of OneBot's own, and that most implementations have."""
        await self._call(bot, "_send_group_notice", {"group_id": api_id(where.peer), "content": text})

    async def _record(self, bot: Bot, name: str, largest: int) -> bytes | None:
        """As MP3, where the implementation converts it."""
        answer = await self._call(bot, "get_record", {"file": name, "out_format": "mp3"})
        return await recordings.content(answer, largest)

    async def _deliver(self, bot: Bot, action: str, data: Mapping[str, Any]) -> str:
        answer = await self._call(bot, action, data)
        told = cast("Mapping[str, Any]", answer).get("message_id") if isinstance(answer, Mapping) else None
        return str(told) if told is not None else unknown_id()

    def _failure(self, error: AdapterException) -> SendFailed:
        if isinstance(error, ActionFailed):
            return (
                SendFailed("QQ 没有确认", perhaps=True) if _may_be_out(error) else SendRefused("平台拒绝了")
            )
        if isinstance(error, NetworkError):
            return SendFailed("连接断了", perhaps=True)
        return SendRefused("平台用不了")


def _to(
    conversation: Conversation, *parts: MessageSegment, via: str | None = None
) -> tuple[str, dict[str, Any]]:
    """The call that sends these segments; `via` a group, to a member who is no friend.

    As the adapter's own values: other plugins listen to the calls of a bot and read them as such (pitfall
    80).
    """
    if conversation.is_group:
        return "send_group_msg", {"group_id": api_id(conversation.peer), "message": Message(parts)}
    through = {} if via is None else {"group_id": api_id(via)}
    return "send_private_msg", {"user_id": api_id(conversation.peer), **through, "message": Message(parts)}


def _coded(content: bytes) -> str:
    return "base64://" + b64encode(content).decode()


def _may_be_out(error: ActionFailed) -> bool:
    """True if a failed send may have been sent all the same.

    NapCat has one code for whatever went wrong, and mostly it means that QQ did not confirm in time: held
    back by QQ, or only late. Where QQ itself answered no, it says that a check failed.
    """
    info = cast("Mapping[str, Any]", cast(Any, error).info)
    words = f"{info.get('message')} {info.get('wording')}"
    return _UNCONFIRMED.search(words) is not None or (
        str(info.get("retcode")) == _ANY_TROUBLE and _ANSWERED_NO not in words
    )


def api_id(peer: str) -> int | str:
    """An id as the API takes it: a number where it is one."""
    return int(peer) if re.fullmatch("-?[0-9]{1,20}", peer) else peer
