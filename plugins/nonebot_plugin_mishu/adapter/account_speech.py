"""Speaking through a logged-in QQ account, by OneBot v11 or Milky: what both do alike.

Each of the two says how a call is made of it and what a failure of the call means; the order of tries, the
time limits and what the owner is told are here.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Generic, TypeVar
from uuid import uuid4

from nonebot import logger
from nonebot.adapters import Bot
from nonebot.exception import AdapterException

from ..frontdesk.duty.duties import Duties
from ..frontdesk.platform import Means
from ..secretary import SendFailed, Speech
from ..storage.records import Conversation
from . import recordings
from .own_calls import speaking

B = TypeVar("B", bound=Bot)

_NODE_LENGTH = 1000
"""Characters of one node of a forward message."""
OWN_COPY_WITHIN = 1.0
"""Seconds an answer waits for the speaking account's own copy of the line it answers, where the group passed
to that account after another of ours had heard the line."""
_LOOK = 0.05
_ASKING = 0.7
"""Part of the time for a recording in which the implementation is asked; the rest is for its link."""
_UNCERTAIN = (
    "发给{where} 的一条消息没有得到 QQ 的确认：可能被 QQ 拦下了，也可能已经发出。回复不会重发，以后的照常发；"
    "在那里发成功之前，不再提醒。一直这样，请看 {name} 实现的日志，账号是否被限制"
)
_REFUSED = (
    "发给{where} 的一条消息被拒绝，没有发出去：机器人可能被禁言、不在那里或被限制。"
    "以后的照常发；在那里发成功之前，不再提醒"
)


class SendRefused(SendFailed):
    """The platform refused a message: nothing was sent."""


class AccountSpeech(ABC, Generic[B]):
    """Sends as text segments; folds long texts into a forward message."""

    NAME: str
    """Name of the protocol, for the owner."""

    def __init__(self, fold_length: int, send_timeout: float = 15.0, duties: Duties | None = None) -> None:
        self._fold_length = fold_length
        self._send_timeout = send_timeout
        self.duties = duties or Duties()
        """Which account speaks where."""
        self._told: set[Conversation] = set()
        """Conversations whose failed send was reported to the owner."""

    @abstractmethod
    def serves(self, bot: Bot) -> bool:
        """True for a connection of this protocol that proved to be its account."""

    def has(self, account: str) -> bool:
        """True if an account is connected in this way."""
        return self._connection(account) is not None

    def trouble(self, account: str) -> str:
        """Nothing is known of it: an account that is connected speaks."""
        return ""

    def means(self, where: Conversation) -> Means:
        """Everything."""
        return Means()

    def answerable_again(self, where: Conversation, message_id: str, at: float) -> None:
        """Answers name no line here."""

    async def send(self, conversation: Conversation, speech: Speech, bot_name: str) -> str:
        """Send; our id of the message, or one of our own making where the platform tells none."""
        bot = self._bot(conversation)
        await self._own_copy(bot.self_id, conversation, speech.quote)
        try:
            sent = await self._sent(bot, conversation, speech, bot_name)
        except SendFailed as error:
            self._tell(conversation, _REFUSED if isinstance(error, SendRefused) else _UNCERTAIN)
            raise
        self._told.discard(conversation)
        if not conversation.is_group:
            return sent
        return self.duties.kept_id(bot.self_id, conversation.self_id, conversation.peer, sent)

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        """Upload a file, among the group's or to a friend; False where that is refused."""
        try:
            await self._upload(self._bot(conversation), conversation, name, content)
        except SendFailed:
            return False
        return True

    async def publish(self, conversation: Conversation, text: str) -> None:
        """Put a text among the group's announcements (群公告). Raises `SendFailed`."""
        await self._publish(self._bot(conversation), conversation, text)

    async def recording(
        self, conversation: Conversation, name: str, link: str, largest: int, timeout: float
    ) -> bytes | None:
        """A voice message's recording, as the implementation gives it, else as it lies behind its link; None
        where neither can be had."""
        found = None
        with suppress(TimeoutError, SendFailed, AdapterException):
            if name:
                async with asyncio.timeout(timeout * _ASKING):
                    found = await self._record(self._bot(conversation), name, largest)
        if not found and link:
            with suppress(TimeoutError):
                async with asyncio.timeout(timeout * (1 - _ASKING)):
                    found = await recordings.linked(link, largest)
        return found

    @abstractmethod
    async def attachment(
        self, conversation: Conversation, told: Mapping[str, Any], largest: int, timeout: float
    ) -> bytes | None:
        """A file that a friend sent; None where it cannot be had."""

    # How a call is made of it

    @abstractmethod
    def _connection(self, account: str) -> B | None: ...

    @abstractmethod
    async def _say(self, bot: B, where: Conversation, speech: Speech) -> str:
        """Say it as it is; the message's id."""

    @abstractmethod
    async def _say_folded(
        self, bot: B, where: Conversation, pieces: list[str], speech: Speech, name: str
    ) -> str:
        """Say the pieces as one forward message."""

    @abstractmethod
    async def _say_aloud(self, bot: B, where: Conversation, voice: bytes) -> str: ...

    @abstractmethod
    async def _upload(self, bot: B, where: Conversation, name: str, content: bytes) -> None: ...

    @abstractmethod
    async def _publish(self, bot: B, where: Conversation, text: str) -> None: ...

    @abstractmethod
    async def _record(self, bot: B, name: str, largest: int) -> bytes | None: ...

    @abstractmethod
    def _failure(self, error: AdapterException) -> SendFailed:
        """What an error of the adapter's means: `SendRefused` where it surely was not done."""

    async def _sign(self, bot: B, where: Conversation, quote: str | None) -> bool:
        """Put a ✅ on a message in place of words; False where it cannot be, and surely is not there."""
        return False

    # What is the same

    async def _sent(self, bot: B, where: Conversation, speech: Speech, name: str) -> str:
        if speech.voice is not None:
            return await self._say_aloud(bot, where, speech.voice)
        if speech.sign and await self._sign(bot, where, speech.quote):
            return unknown_id()
        alone = not (speech.mentions or speech.everybody or speech.pictures or speech.via)
        if alone and len(speech.text) > self._fold_length:
            pieces = [speech.text[at : at + _NODE_LENGTH] for at in range(0, len(speech.text), _NODE_LENGTH)]
            with suppress(SendRefused):  # not every implementation can forward; then it goes out as it is
                return await self._say_folded(bot, where, pieces, speech, name)
        try:
            return await self._say(bot, where, speech)
        except SendRefused:
            if not speech.everybody:
                raise
            # Not every account may call all: then it is said without.
            return await self._say(bot, where, replace(speech, everybody=False))

    def _bot(self, where: Conversation) -> B:
        """The connection of the account that speaks there; `Platforms` has waited for it. Raises
        `SendFailed`."""
        bot = self._connection(self.duties.speaker(where) or where.self_id)
        if bot is None:
            raise SendFailed("账号没有连接")
        return bot

    def _quoted(self, account: str, where: Conversation, kept: str | None) -> str | None:
        """The quoted message's id as this account knows it; another account of ours may have heard it."""
        if kept is None or not where.is_group:
            return kept
        return self.duties.raw_id(account, where.self_id, where.peer, kept)

    async def _own_copy(self, account: str, where: Conversation, kept: str | None) -> None:
        """Wait a little for the id by which this account knows the quoted message; without one it is said
        without a quote."""
        if kept is None or not where.is_group:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(OWN_COPY_WITHIN):
                while self.duties.expects_id(account, where.self_id, where.peer, kept):  # noqa: ASYNC110
                    await asyncio.sleep(_LOOK)

    def _tell(self, where: Conversation, words: str) -> None:
        """Tell the owner of a send that failed, once until one succeeds there. Never what it said."""
        if where not in self._told:
            self._told.add(where)
            place = f"群 {where.peer}" if where.is_group else "一位好友"
            logger.warning(words.format(where=place, name=self.NAME))

    async def _call(self, bot: B, action: str, data: Mapping[str, Any]) -> Any:
        """Call the API. Raises `SendRefused` where nothing was done, `SendFailed` where nobody knows."""
        try:
            with speaking():
                async with asyncio.timeout(self._send_timeout):
                    return await bot.call_api(action, **data)
        except TimeoutError:
            raise SendFailed("平台没有回应", perhaps=True) from None
        except AdapterException as error:
            raise self._failure(error) from None
        except Exception as error:  # each driver has its own errors for a socket that went away
            raise SendFailed(f"发送出错（{type(error).__name__}）", perhaps=True) from error


def unknown_id() -> str:
    """An id of our own making, for what went out without one."""
    return f"mishu-{uuid4().hex}"
