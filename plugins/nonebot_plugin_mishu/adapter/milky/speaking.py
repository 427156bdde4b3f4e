"""Speaking through Milky: the one place that calls its API to send."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast

from nonebot.adapters import Bot as BaseBot
from nonebot.adapters.milky import Bot, Message, MessageSegment
from nonebot.adapters.milky.exception import (
    ActionFailed,
    InvalidAccessToken,
    NetworkError,
    UnsupportedApi,
    UnsupportedContentType,
)
from nonebot.exception import AdapterException

from ...secretary import SendFailed, Speech
from ...storage.records import Conversation
from .. import recordings
from ..account_speech import AccountSpeech, SendRefused, unknown_id
from ..own_calls import reached
from .reading import message_id, sequence_of
from .rosters import connected_bot

_DONE = str(ord("✅"))
"""QQ names an emoji by its code point."""
_UNCONFIRMED = ("timeout", "timed out", "超时")
"""Words of an implementation that was not told by QQ whether a message went out."""


class MilkyPlatform(AccountSpeech[Bot]):
    """Milky's calls."""

    NAME = "Milky"

    def serves(self, bot: BaseBot) -> bool:
        """True for a connection of Milky's."""
        return isinstance(bot, Bot)

    async def attachment(
        self, conversation: Conversation, told: Mapping[str, Any], largest: int, timeout: float
    ) -> bytes | None:
        """A file that a friend sent, by an address asked for with its id; None where it cannot be had."""
        file_id = str(told.get("file_id") or "")
        with suppress(TimeoutError, SendFailed):
            async with asyncio.timeout(timeout):
                if file_id:
                    hashed = {"file_id": file_id, "file_hash": str(told.get("file_hash") or "")}
                    asked = {"user_id": _api_id(conversation.peer), **hashed}
                    answer = await self._call(self._bot(conversation), "get_private_file_download_url", asked)
                    if found := await recordings.content({"url": answer}, largest):
                        return found
                if link := str(told.get("url") or ""):
                    return await recordings.linked(link, largest)
        return None

    def _connection(self, account: str) -> Bot | None:
        return connected_bot(account)

    async def _say(self, bot: Bot, where: Conversation, speech: Speech) -> str:
        parts: list[MessageSegment] = []
        if (quote := self._sequence(bot.self_id, where, speech.quote)) is not None:
            parts.append(MessageSegment.reply(quote))
        called: list[MessageSegment] = []
        if where.is_group and speech.everybody:
            called = [MessageSegment.mention_all()]
        elif where.is_group:
            called = [MessageSegment.mention(int(each)) for each in speech.mentions if each.isdecimal()]
        text = f" {speech.text}" if called else speech.text
        pictures = [MessageSegment.image(raw=picture) for picture in speech.pictures]
        return await self._deliver(bot, where, *parts, *called, MessageSegment.text(text), *pictures)

    async def _say_folded(
        self, bot: Bot, where: Conversation, pieces: list[str], speech: Speech, name: str
    ) -> str:
        nodes = [
            MessageSegment.node(_api_id(bot.self_id), name, Message(MessageSegment.text(piece)))
            for piece in pieces
        ]
        return await self._deliver(bot, where, MessageSegment.forward(nodes))

    async def _say_aloud(self, bot: Bot, where: Conversation, voice: bytes) -> str:
        return await self._deliver(bot, where, MessageSegment.record(raw=voice))

    async def _sign(self, bot: Bot, where: Conversation, quote: str | None) -> bool:
        number = self._sequence(bot.self_id, where, quote)
        if number is None or not where.is_group:
            return False
        line = {"group_id": _api_id(where.peer), "message_seq": number}
        sign = {"reaction": _DONE, "reaction_type": "emoji"}
        try:
            await self._call(bot, "send_group_message_reaction", {**line, **sign})
        except SendRefused:
            return False
        return True

    async def _upload(self, bot: Bot, where: Conversation, name: str, content: bytes) -> None:
        kind, target = ("group", "group_id") if where.is_group else ("private", "user_id")
        data = {target: _api_id(where.peer), "raw": content, "file_name": name}
        await self._call(bot, f"upload_{kind}_file", data)

    async def _publish(self, bot: Bot, where: Conversation, text: str) -> None:
        data = {"group_id": _api_id(where.peer), "content": text}
        await self._call(bot, "send_group_announcement", data)

    async def _record(self, bot: Bot, name: str, largest: int) -> bytes | None:
        """By an address asked for anew, since links of QQ's expire."""
        address = await self._call(bot, "get_resource_temp_url", {"resource_id": name})
        return await recordings.content({"url": address}, largest)

    def _sequence(self, account: str, where: Conversation, kept: str | None) -> int | None:
        known = self._quoted(account, where, kept)
        return None if known is None else sequence_of(known)

    async def _deliver(self, bot: Bot, where: Conversation, *parts: MessageSegment) -> str:
        group, peer = where.is_group, _api_id(where.peer)
        action = "send_group_message" if group else "send_private_message"
        target = {"group_id" if group else "user_id": peer}
        answer = await self._call(bot, action, {**target, "message": Message(parts)})
        known = message_id("group" if group else "friend", peer, getattr(answer, "message_seq", None))
        return known or unknown_id()

    def _failure(self, error: AdapterException) -> SendFailed:
        if isinstance(error, ActionFailed):
            return (
                SendFailed("QQ 没有确认", perhaps=True) if _may_be_out(error) else SendRefused("平台拒绝了")
            )
        if isinstance(error, NetworkError) and not isinstance(
            error, InvalidAccessToken | UnsupportedApi | UnsupportedContentType
        ):
            return SendFailed("连接断了", perhaps=reached(error))
        return SendRefused("平台用不了")


def _may_be_out(error: ActionFailed) -> bool:
    """True if a failed send may have been sent all the same: QQ did not confirm it in time."""
    told = cast("Mapping[str, Any]", cast(Any, error).info)
    words = str(told.get("message") or "").lower()
    return any(word in words for word in _UNCONFIRMED)


def _api_id(peer: str) -> int:
    """A number as the API takes it. Raises `SendFailed` for an id that is none of QQ's numbers."""
    if not peer.isdecimal():
        raise SendFailed("平台没有这个号码")
    return int(peer)
