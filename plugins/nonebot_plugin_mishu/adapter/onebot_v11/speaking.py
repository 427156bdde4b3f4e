"""Speaking through OneBot v11: the one place that calls the platform's API to send."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import Collection, Mapping
from typing import Any, cast
from uuid import uuid4

import nonebot
from nonebot.adapters.onebot.v11 import Bot
from nonebot.adapters.onebot.v11.exception import ActionFailed, NetworkError, OneBotV11AdapterException

from ...secretary import SendFailed, Speech
from ...storage.records import Conversation
from . import recordings

CONNECT_TIMEOUT = 10.0
"""Seconds a speech waits for its account to come back, e.g. while the socket reconnects."""
_NODE_LENGTH = 1000
"""Characters of one node of a forward message."""
_POLL = 0.1


class OneBotPlatform:
    """Sends as text segments; folds long texts into a forward message."""

    def __init__(self, fold_length: int, send_timeout: float = 15.0) -> None:
        self._fold_length = fold_length
        self._send_timeout = send_timeout
        self._order: list[str] = []
        self._gone: set[Conversation] = set()

    def connected(self, self_id: str) -> None:
        """An account came; the newest is last."""
        self.disconnected(self_id)
        self._order.append(self_id)

    def disconnected(self, self_id: str) -> None:
        """An account went."""
        self._order = [known for known in self._order if known != self_id]

    def accounts(self) -> Collection[str]:
        """Connected accounts, newest first."""
        return list(reversed(self._order))

    def here(self, conversation: Conversation) -> None:
        """We are in this group: somebody let us in, or is heard there."""
        if self._gone:
            self._gone.discard(conversation)

    def gone(self, conversation: Conversation) -> None:
        """We were removed from this group: nothing goes there any more, no reminder either."""
        self._gone.add(conversation)

    async def send(self, conversation: Conversation, speech: Speech, bot_name: str) -> str:
        """Send; the platform's message id, or one of our own making where it tells none."""
        if conversation in self._gone:
            raise SendFailed("不在这个群里了")
        bot = await self._bot(conversation.self_id)
        if speech.voice is not None:
            try:
                return await self._call(bot, *self._aloud(conversation, speech.voice))
            except _Refused as error:
                raise SendFailed(str(error)) from None
        alone = not (speech.mentions or speech.everybody or speech.pictures)
        if alone and len(speech.text) > self._fold_length:
            try:
                return await self._call(bot, *self._folded(conversation, speech, bot_name))
            except _Refused:
                pass  # not every implementation can forward; then it goes out as it is
        try:
            return await self._call(bot, *self._plain(conversation, speech))
        except _Refused as error:
            raise SendFailed(str(error)) from None

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        """Upload a file; not every implementation can."""
        kind = "group" if conversation.is_group else "private"
        target = {"group_id" if conversation.is_group else "user_id": api_id(conversation.peer)}
        file = "base64://" + b64encode(content).decode()
        try:
            bot = await self._bot(conversation.self_id)
            await self._call(bot, f"upload_{kind}_file", {**target, "file": file, "name": name})
        except (_Refused, SendFailed):
            return False
        return True

    def _aloud(self, conversation: Conversation, voice: bytes) -> tuple[str, dict[str, Any]]:
        message = [{"type": "record", "data": {"file": "base64://" + b64encode(voice).decode()}}]
        if conversation.is_group:
            return "send_group_msg", {"group_id": api_id(conversation.peer), "message": message}
        return "send_private_msg", {"user_id": api_id(conversation.peer), "message": message}

    def _plain(self, conversation: Conversation, speech: Speech) -> tuple[str, dict[str, Any]]:
        message: list[dict[str, Any]] = []
        if speech.quote is not None:
            message.append({"type": "reply", "data": {"id": speech.quote}})
        if conversation.is_group:
            called = ["all"] if speech.everybody else speech.mentions
            message.extend({"type": "at", "data": {"qq": member}} for member in called)
        mentioned = bool(message) and message[-1]["type"] == "at"
        message.append({"type": "text", "data": {"text": f" {speech.text}" if mentioned else speech.text}})
        for picture in speech.pictures:
            data = {"file": "base64://" + b64encode(picture).decode()}
            message.append({"type": "image", "data": data})
        if conversation.is_group:
            return "send_group_msg", {"group_id": api_id(conversation.peer), "message": message}
        return "send_private_msg", {"user_id": api_id(conversation.peer), "message": message}

    def _folded(self, conversation: Conversation, speech: Speech, name: str) -> tuple[str, dict[str, Any]]:
        starts = range(0, len(speech.text), _NODE_LENGTH)
        nodes = [
            {
                "type": "node",
                "data": {
                    "name": name,
                    "nickname": name,
                    "uin": conversation.self_id,
                    "user_id": conversation.self_id,
                    "content": [{"type": "text", "data": {"text": speech.text[at : at + _NODE_LENGTH]}}],
                },
            }
            for at in starts
        ]
        if conversation.is_group:
            return "send_group_forward_msg", {"group_id": api_id(conversation.peer), "messages": nodes}
        return "send_private_forward_msg", {"user_id": api_id(conversation.peer), "messages": nodes}

    async def recording(
        self, conversation: Conversation, name: str, largest: int, timeout: float
    ) -> bytes | None:
        """A voice message's recording as MP3; None where the platform does not give it."""
        if not name:
            return None
        try:
            async with asyncio.timeout(timeout):
                bot = await self._bot(conversation.self_id)
                answer = await bot.call_api("get_record", file=name, out_format="mp3")
                return await recordings.content(answer, largest)
        except (TimeoutError, SendFailed, OneBotV11AdapterException):
            return None

    async def _bot(self, self_id: str) -> Bot:
        """The account's connection; waits a little where it is away."""
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                while True:
                    bot = nonebot.get_bots().get(self_id)
                    if isinstance(bot, Bot):
                        return bot
                    await asyncio.sleep(_POLL)
        except TimeoutError:
            raise SendFailed("账号没有连接") from None

    async def _call(self, bot: Bot, action: str, data: dict[str, Any]) -> str:
        """Call the API. Raises `_Refused` where it surely was not sent, `SendFailed` where nobody knows."""
        try:
            async with asyncio.timeout(self._send_timeout):
                answer = await bot.call_api(action, **data)
        except ActionFailed:
            raise _Refused("平台拒绝了") from None
        except TimeoutError:
            raise SendFailed("平台没有回应", perhaps=True) from None
        except NetworkError:
            raise SendFailed("连接断了", perhaps=True) from None
        except OneBotV11AdapterException:
            raise _Refused("平台用不了") from None
        except Exception as error:  # each driver has its own errors for a socket that went away
            raise SendFailed(f"发送出错（{type(error).__name__}）", perhaps=True) from error
        message_id = (
            cast("Mapping[str, Any]", answer).get("message_id") if isinstance(answer, Mapping) else None
        )
        return str(message_id) if message_id is not None else f"mishu-{uuid4().hex}"


class _Refused(Exception):
    """The platform said no: nothing was sent."""


def api_id(peer: str) -> int | str:
    """An id as the API takes it: a number where it is one."""
    return int(peer) if re.fullmatch("-?[0-9]{1,20}", peer) else peer
