"""Speaking through OneBot v11: the one place that calls the platform's API to send."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import Collection, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, cast
from uuid import uuid4

from nonebot import logger
from nonebot.adapters.onebot.v11 import Bot, Message, MessageSegment
from nonebot.adapters.onebot.v11.exception import ActionFailed, NetworkError, OneBotV11AdapterException

from ...frontdesk.duty.duties import Duties
from ...patterns import Pattern
from ...secretary import SendFailed, Speech
from ...storage.records import Conversation
from . import recordings
from .posts import connected_bot

CONNECT_TIMEOUT = 10.0
"""Seconds a speech waits for its account to come back, e.g. while the socket reconnects."""
_NODE_LENGTH = 1000
"""Characters of one node of a forward message."""
_POLL = 0.1
_CONVERTING = 0.7
"""Part of the time for a recording in which the platform may convert it; the rest is for its link."""
_ANY_TROUBLE = "1200"
"""NapCat's code for every error of its own."""
_ANSWERED_NO = "EventChecker Failed"
_UNCONFIRMED = Pattern("time[d ]*out|超时", re.IGNORECASE)
_UNCERTAIN = (
    "发给{where} 的一条消息没有得到 QQ 的确认：可能被 QQ 拦下了，也可能已经发出。回复不会重发，以后的照常发；"
    "在那里发成功之前，不再提醒。一直这样，请看 OneBot 实现的日志，账号是否被限制"
)
_REFUSED = (
    "发给{where} 的一条消息被拒绝，没有发出去：机器人可能被禁言、不在那里或被限制。"
    "以后的照常发；在那里发成功之前，不再提醒"
)


_speaking: ContextVar[bool] = ContextVar("mishu_speaking", default=False)


def speaks() -> bool:
    """True while it is we who call the platform's API to send."""
    return _speaking.get()


class OneBotPlatform:
    """Sends as text segments; folds long texts into a forward message."""

    def __init__(self, fold_length: int, send_timeout: float = 15.0, duties: Duties | None = None) -> None:
        self._fold_length = fold_length
        self._send_timeout = send_timeout
        self.duties = duties or Duties()
        """Which account speaks where."""
        self._names: dict[str, tuple[str, ...]] = {}
        self._told: set[Conversation] = set()
        """Conversations whose failed send was reported to the owner."""

    def connected(self, self_id: str) -> None:
        """An account came; the newest is last."""
        self.duties.connect(self_id)

    def disconnected(self, self_id: str) -> None:
        """An account went."""
        self.duties.disconnect(self_id)

    def call(self, self_id: str, name: str) -> None:
        """From now on an account listens to a name that the others need not know."""
        self._names[self_id] = (name,)

    def names_of(self, where: Conversation) -> Collection[str]:
        """Names of our accounts in a conversation, beside the names common to all."""
        if not self._names:
            return ()
        group = self.duties.find(where.peer) if where.is_group else None
        accounts = {where.self_id} if group is None else {group.home, *group.members}
        return [name for account in sorted(accounts) for name in self._names.get(account, ())]

    def accounts(self) -> Collection[str]:
        """Connected accounts, newest first."""
        return self.duties.accounts()

    def can_speak(self, where: Conversation) -> bool:
        """True if this process can speak there now."""
        return self.duties.can_speak(where)

    def speaker(self, where: Conversation) -> str:
        """The account through which we speak there; else the one under which it is kept."""
        return self.duties.speaker(where) or where.self_id

    async def send(self, conversation: Conversation, speech: Speech, bot_name: str) -> str:
        """Send; the platform's message id, or one of our own making where it tells none."""
        bot = await self._bot(conversation)
        try:
            sent = await self._sent(bot, conversation, speech, bot_name)
        except _Refused as error:
            self._tell(conversation, _REFUSED)
            raise SendFailed(str(error)) from None
        except SendFailed:
            self._tell(conversation, _UNCERTAIN)
            raise
        self._told.discard(conversation)
        if not conversation.is_group:
            return sent
        return self.duties.kept_id(bot.self_id, conversation.self_id, conversation.peer, sent)

    async def _sent(self, bot: Bot, conversation: Conversation, speech: Speech, bot_name: str) -> str:
        if speech.voice is not None:
            return await self._call(bot, *self._aloud(conversation, speech.voice))
        alone = not (speech.mentions or speech.everybody or speech.pictures or speech.via)
        if alone and len(speech.text) > self._fold_length:
            try:
                return await self._call(bot, *self._folded(bot.self_id, conversation, speech, bot_name))
            except _Refused:
                pass  # not every implementation can forward; then it goes out as it is
        try:
            return await self._call(bot, *self._plain(bot.self_id, conversation, speech))
        except _Refused:
            if not speech.everybody:
                raise
            # Not every account may call all: then it is said without.
            uncalled = replace(speech, everybody=False)
            return await self._call(bot, *self._plain(bot.self_id, conversation, uncalled))

    def _tell(self, conversation: Conversation, words: str) -> None:
        """Tell the owner of a send that failed, once until one succeeds there. Never what it said."""
        if conversation not in self._told:
            self._told.add(conversation)
            where = f"群 {conversation.peer}" if conversation.is_group else "一位好友"
            logger.warning(words.format(where=where))

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        """Upload a file; not every implementation can."""
        kind = "group" if conversation.is_group else "private"
        target = {"group_id" if conversation.is_group else "user_id": api_id(conversation.peer)}
        file = "base64://" + b64encode(content).decode()
        try:
            bot = await self._bot(conversation)
            await self._call(bot, f"upload_{kind}_file", {**target, "file": file, "name": name})
        except (_Refused, SendFailed):
            return False
        return True

    def _aloud(self, conversation: Conversation, voice: bytes) -> tuple[str, dict[str, Any]]:
        return _to(conversation, MessageSegment("record", {"file": _coded(voice)}))

    def _plain(self, account: str, conversation: Conversation, speech: Speech) -> tuple[str, dict[str, Any]]:
        parts: list[MessageSegment] = []
        if (quote := self._quoted(account, conversation, speech.quote)) is not None:
            parts.append(MessageSegment("reply", {"id": quote}))
        if conversation.is_group:
            called = ["all"] if speech.everybody else speech.mentions
            parts += [MessageSegment("at", {"qq": member}) for member in called]
        mentioned = bool(parts) and parts[-1].type == "at"
        parts.append(MessageSegment("text", {"text": f" {speech.text}" if mentioned else speech.text}))
        parts += [MessageSegment("image", {"file": _coded(picture)}) for picture in speech.pictures]
        return _to(conversation, *parts, via=speech.via)

    def _quoted(self, account: str, conversation: Conversation, kept: str | None) -> str | None:
        """The quoted message's id as this account knows it; another account of ours may have heard it."""
        if kept is None or not conversation.is_group:
            return kept
        return self.duties.raw_id(account, conversation.self_id, conversation.peer, kept)

    def _folded(
        self, account: str, conversation: Conversation, speech: Speech, name: str
    ) -> tuple[str, dict[str, Any]]:
        pieces = [speech.text[at : at + _NODE_LENGTH] for at in range(0, len(speech.text), _NODE_LENGTH)]
        who = {"name": name, "nickname": name, "uin": account, "user_id": account}
        nodes = Message(
            MessageSegment("node", {**who, "content": Message(MessageSegment("text", {"text": piece}))})
            for piece in pieces
        )
        if conversation.is_group:
            return "send_group_forward_msg", {"group_id": api_id(conversation.peer), "messages": nodes}
        return "send_private_forward_msg", {"user_id": api_id(conversation.peer), "messages": nodes}

    async def recording(
        self, conversation: Conversation, name: str, link: str, largest: int, timeout: float
    ) -> bytes | None:
        """A voice message's recording: as MP3 where the platform converts it, else as it lies behind its
        link; None where neither can be had."""
        found = None
        with suppress(TimeoutError, SendFailed, OneBotV11AdapterException):
            if name:
                async with asyncio.timeout(timeout * _CONVERTING):
                    bot = await self._bot(conversation)
                    answer = await bot.call_api("get_record", file=name, out_format="mp3")
                    found = await recordings.content(answer, largest)
        if not found and link:
            with suppress(TimeoutError):
                async with asyncio.timeout(timeout * (1 - _CONVERTING)):
                    found = await recordings.linked(link, largest)
        return found

    async def _bot(self, where: Conversation) -> Bot:
        """The connection of the account that speaks there; waits a little where it is away."""
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                while True:
                    account = self.duties.speaker(where)
                    if account is None:
                        raise SendFailed("这个群现在由另一个账号当班")
                    if where.is_group and self.duties.is_gone(account, where.peer):
                        raise SendFailed("不在这个群里了")
                    if (bot := connected_bot(account)) is not None:
                        return bot
                    await asyncio.sleep(_POLL)
        except TimeoutError:
            raise SendFailed("账号没有连接") from None

    async def _call(self, bot: Bot, action: str, data: dict[str, Any]) -> str:
        """Call the API. Raises `_Refused` where it surely was not sent, `SendFailed` where nobody knows."""
        ours = _speaking.set(True)
        try:
            async with asyncio.timeout(self._send_timeout):
                answer = await bot.call_api(action, **data)
        except ActionFailed as error:
            if _may_be_out(error):
                raise SendFailed("QQ 没有确认", perhaps=True) from None
            raise _Refused("平台拒绝了") from None
        except TimeoutError:
            raise SendFailed("平台没有回应", perhaps=True) from None
        except NetworkError:
            raise SendFailed("连接断了", perhaps=True) from None
        except OneBotV11AdapterException:
            raise _Refused("平台用不了") from None
        except Exception as error:  # each driver has its own errors for a socket that went away
            raise SendFailed(f"发送出错（{type(error).__name__}）", perhaps=True) from error
        finally:
            _speaking.reset(ours)
        message_id = (
            cast("Mapping[str, Any]", answer).get("message_id") if isinstance(answer, Mapping) else None
        )
        return str(message_id) if message_id is not None else f"mishu-{uuid4().hex}"


class _Refused(Exception):
    """The platform said no: nothing was sent."""


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
