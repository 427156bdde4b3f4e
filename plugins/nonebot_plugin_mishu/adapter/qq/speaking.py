"""Speaking as one of QQ's official bots: passive answers as long as there is one, else active messages."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from typing import Any
from uuid import uuid4

import nonebot
from nonebot import logger
from nonebot.adapters import Bot as BaseBot
from nonebot.adapters.qq import Bot
from nonebot.adapters.qq.exception import (
    ActionFailed,
    ApiNotAvailable,
    AuditException,
    NetworkError,
    QQAdapterException,
)
from nonebot.adapters.qq.models import Media, MessageKeyboard, MessageMarkdown

from ...clock import Clock
from ...error_log import log_error
from ...frontdesk.duty.duties import Duties
from ...frontdesk.platform import Means
from ...secretary import SendFailed, Speech
from ...storage.records import PRESSED, Conversation
from ..account_speech import unknown_id
from ..own_calls import reached
from ..recordings import linked
from . import reply_windows as windows
from . import writing
from .calling import call, token_trouble
from .refusals import UNKNOWN, NotNow, Refusal, may_be_out, refusal
from .reply_windows import Answerable, Passive, Window

SEND_TIMEOUT = 15.0
OURS = "mishu"
"""Beginning of our buttons' ids: what other plugins' buttons say is theirs."""
ACKNOWLEDGE_WITHIN = 2.5
"""Seconds: QQ shows an error to who pressed a button after three."""
SPARE = 2
"""Answers of each message that are left for what somebody asked: a reminder takes none of them."""
AGAIN = 3600.0
"""Seconds after which an active message, or a keyboard, is tried again where it was refused."""
PAUSE = 60.0
"""Seconds in which nothing is tried where QQ refused by a pace, a mute or its own trouble."""
_MOST = 5000
_SENT = 4000
_SAID = 200
_PICTURE, _VOICE, _FILE = 1, 3, 4


class QqPlatform:
    """Sends through official bots. One object for all of them."""

    def __init__(self, duties: Duties, clock: Clock, chance: Callable[[Conversation], None]) -> None:
        self._duties = duties
        self._clock = clock
        self._chance = chance
        self._windows: OrderedDict[Conversation, Window] = OrderedDict()
        self._no_active: dict[Conversation, tuple[float, Refusal]] = {}
        """Where an active message was refused, until when none is tried (monotonic seconds), and why."""
        self._pauses: dict[Conversation, tuple[float, Refusal]] = {}
        """Where nothing at all is tried, until when, and why."""
        self._no_keyboards: dict[str, float] = {}
        self._sent: OrderedDict[tuple[Conversation, str], str] = OrderedDict()
        """Ids of what we said, by its text."""
        self._acknowledged: OrderedDict[str, None] = OrderedDict()
        self._told: set[Conversation] = set()
        """Where a send failed and the owner was told."""
        self._chances: set[Conversation] = set()
        """Where a pause is waited for."""
        self._tokenless: dict[str, str] = {}
        """Accounts that QQ gave no token, and why."""
        self._tasks: set[asyncio.Task[None]] = set()

    # Hearing

    def heard(self, where: Conversation, one: Answerable) -> None:
        """Something was said, or pressed, that may be answered."""
        now, seconds = self._clock.monotonic(), windows.lasting(group=where.is_group)
        self._windows[where] = windows.heard(self._windows.get(where, ()), one, now, seconds)
        self._windows.move_to_end(where)
        while len(self._windows) > _MOST:
            self._windows.popitem(last=False)
        if where in self._no_active:
            self._chance(where)

    def allow(self, where: Conversation, allowed: bool) -> None:
        """The group's owner, or the member, allowed active messages or forbade them."""
        if allowed:
            self._no_active.pop(where, None)
            self._chance(where)
        else:
            self._forbid(where, refusal(40034105))

    def sent_as(self, where: Conversation, text: str) -> str | None:
        """Id of what we said there in these words."""
        return self._sent.get((where, text[:_SAID]))

    def acknowledge(self, account: str, interaction_id: str) -> None:
        """Tell QQ that a press has arrived, beside whatever comes of it."""
        bot = _connected(account)
        if bot is None or interaction_id in self._acknowledged:
            return
        self._acknowledged[interaction_id] = None
        while len(self._acknowledged) > _SENT:
            self._acknowledged.popitem(last=False)
        self._beside(self._acknowledge(bot, interaction_id))

    async def _acknowledge(self, bot: Bot, interaction_id: str) -> None:
        try:
            await call(bot, "put_interaction", ACKNOWLEDGE_WITHIN, interaction_id=interaction_id, code=0)
        except (QQAdapterException, TimeoutError) as error:
            logger.warning(f"没能告诉 QQ 按钮收到了，按的人会看到出错：{type(error).__name__}")

    def _beside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name="mishu qq")
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log_error("官方机器人的一件事没有做完", error)

    # frontdesk.Platform

    def serves(self, bot: BaseBot) -> bool:
        """True for a connection of QQ's official bots."""
        return isinstance(bot, Bot)

    def has(self, account: str) -> bool:
        """True if an account is connected as an official bot."""
        return _connected(account) is not None

    def trouble(self, account: str) -> str:
        """As `frontdesk.Platform.trouble`."""
        why = self._tokenless.get(account)
        return "" if why is None else f"拿不到令牌：{why}"

    def means(self, where: Conversation) -> Means:
        """No recall is told of, announcements are not QQ's to give, and active messages need the owner's
        permission, as far as is known."""
        held = self._no_active.get(where)
        unasked = held is None or held[1].kind != "unasked"
        return Means(recalls=False, unasked=unasked, announcements=False)

    def answerable_again(self, where: Conversation, message_id: str, at: float) -> None:
        """A line or a pressed button of a former run may be answered once more, if QQ's time for it is not
        over."""
        pressed = message_id.startswith(PRESSED)
        known = windows.of_former_run(
            message_id.removeprefix(PRESSED),
            self._clock.monotonic() - max(0.0, self._clock.wall() - at),
            event=pressed,
        )
        self.heard(where, known)

    async def send(self, conversation: Conversation, speech: Speech, bot_name: str) -> str:
        """Send; our id of the message: QQ's, but where buttons stand under it their token, which is all that
        a press tells, whichever run of ours said it. Raises `NotNow` where it can be said later."""
        bot = self._bot(conversation)
        if speech.via is not None:
            raise SendFailed("官方机器人不能从群里发起私聊")
        token = OURS + uuid4().hex
        sent: str | None = None
        if speech.voice is not None:
            sent = await self._give(bot, conversation, speech, _VOICE, speech.voice)
        else:
            sent = await self._with_buttons(bot, conversation, speech, token)
            sent = sent or await self._as_text(bot, conversation, speech)
        self._remember(conversation, speech, sent)
        for picture in speech.pictures:
            try:
                await self._give(bot, conversation, speech, _PICTURE, picture)
            except SendFailed as error:
                logger.warning(f"文字发出去了，图片没有：{error}")
        return sent

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        """Files of other kinds than pictures are refused by QQ in groups and private alike."""
        try:
            await self._give(self._bot(conversation), conversation, Speech(name), _FILE, content)
        except SendFailed:
            return False
        return True

    async def publish(self, conversation: Conversation, text: str) -> None:
        """Official bots have no call for announcements."""
        raise SendFailed("官方机器人发不了群公告")

    async def recording(
        self, conversation: Conversation, name: str, link: str, largest: int, timeout: float
    ) -> bytes | None:
        """A voice message's recording, as it lies behind its link."""
        try:
            async with asyncio.timeout(timeout):
                return await linked(link, largest) if link else None
        except TimeoutError:
            return None

    async def attachment(
        self, conversation: Conversation, told: Mapping[str, Any], largest: int, timeout: float
    ) -> bytes | None:
        """A file that was sent, as it lies behind its link."""
        return await self.recording(conversation, "", str(told.get("url") or ""), largest, timeout)

    def _bot(self, where: Conversation) -> Bot:
        bot = _connected(self._duties.speaker(where) or where.self_id)
        if bot is None:
            raise SendFailed("账号没有连接")
        return bot

    async def _with_buttons(self, bot: Bot, where: Conversation, speech: Speech, token: str) -> str | None:
        """As Markdown with buttons; their token. None where there are none, where it would not fit, and where
        QQ refuses them: then it is said as text."""
        if not speech.buttons or len(speech.text) > writing.LONGEST:
            return None
        if self._no_keyboards.get(bot.self_id, 0.0) > self._clock.monotonic():
            return None
        body = {
            "msg_type": 2,
            "markdown": MessageMarkdown(content=writing.markdown(speech, group=where.is_group)),
            "keyboard": MessageKeyboard.model_validate(writing.keyboard(speech.buttons, token)),
        }
        try:
            await self._say(bot, where, speech, body)
        except _Refused as error:
            if error.refusal.kind not in ("looks", "unknown"):
                raise
            if error.refusal.kind == "looks":
                self._no_keyboards[bot.self_id] = self._clock.monotonic() + AGAIN
            return None
        return token

    async def _as_text(self, bot: Bot, where: Conversation, speech: Speech) -> str:
        """As one text, or as several where it is long; the first one's id. Where a later one cannot be said,
        the whole is not said again: a part of it is out."""
        first, *others = writing.plain(speech, group=where.is_group)
        sent = await self._say(bot, where, speech, {"msg_type": 0, "content": first})
        try:
            for text in others:
                await self._say(bot, where, speech, {"msg_type": 0, "content": text})
        except SendFailed as error:
            raise SendFailed(f"只发出去了前面一部分：{error}", perhaps=True) from None
        return sent

    async def _give(self, bot: Bot, where: Conversation, speech: Speech, kind: int, content: bytes) -> str:
        """Upload something and send it as a message of its own."""
        data = {"file_type": kind, "file_data": b64encode(content).decode(), "srv_send_msg": False}
        action = "post_group_files" if where.is_group else "post_c2c_files"
        await self._demand_token(bot, where)
        told = await self._call(bot, action, {**_target(where), **data})
        info = getattr(told, "file_info", None)
        if not isinstance(info, str):
            raise SendFailed("QQ 没有收下文件")
        return await self._say(bot, where, speech, {"msg_type": 7, "media": Media(file_info=info)})

    async def _say(self, bot: Bot, where: Conversation, speech: Speech, body: Mapping[str, Any]) -> str:
        """As an answer to the youngest message that may be answered, else as an active one."""
        asked = bool(speech.answers or speech.quote or speech.urgent)
        await self._demand_token(bot, where)
        self._check(self._pauses, where)
        while (passive := self._choose(where, 0 if asked else SPARE)) is not None:
            name = "event_id" if passive.event else "msg_id"
            try:
                return await self._post(bot, where, {**body, name: passive.id, "msg_seq": passive.seq})
            except _Refused as error:
                if error.refusal.kind == "number":
                    continue
                if error.refusal.kind not in ("answer", "unasked", "pace"):
                    raise self._noted(where, error, body) from None
                self._windows[where] = windows.refused(self._windows.get(where, ()), passive.id)
        self._check(self._no_active, where)
        try:
            return await self._post(bot, where, body)
        except _Refused as error:
            if error.refusal.kind not in ("unasked", "pace"):
                raise self._noted(where, error, body) from None
            self._forbid(where, error.refusal)
        # Somebody may have spoken meanwhile; with nothing to answer this ends in `NotNow`.
        return await self._say(bot, where, speech, body)

    def _check(self, held: Mapping[Conversation, tuple[float, Refusal]], where: Conversation) -> None:
        until, why = held.get(where, (0.0, UNKNOWN))
        if until > self._clock.monotonic():
            raise NotNow(why.reason)

    def _noted(self, where: Conversation, error: _Refused, body: Mapping[str, Any]) -> SendFailed:
        """The failure of a message that QQ refused: the owner is told, and a pause begins where one helps."""
        goes_as_text = "keyboard" in body and error.refusal.kind in ("looks", "unknown")
        if where not in self._told and not goes_as_text:
            self._told.add(where)
            logger.warning(f"发给{_place(where)} 的一条消息没有发出去：{error}；在那里发成功之前，不再提醒")
        if error.refusal.kind not in ("later", "busy"):
            return error
        if error.refusal.kind == "later":
            self._pauses[where] = (self._clock.monotonic() + PAUSE, error.refusal)
        self._chance_later(where)
        return NotNow(error.refusal.reason)

    def _chance_later(self, where: Conversation) -> None:
        if where not in self._chances:
            self._chances.add(where)
            self._beside(self._chance_after_pause(where))

    async def _chance_after_pause(self, where: Conversation) -> None:
        try:
            await asyncio.sleep(PAUSE)
        finally:
            self._chances.discard(where)
        self._chance(where)

    def _choose(self, where: Conversation, spare: int) -> Passive | None:
        now, seconds = self._clock.monotonic(), windows.lasting(group=where.is_group)
        passive, self._windows[where] = windows.choose(
            self._windows.get(where, ()), now, seconds, spare=spare
        )
        return passive

    async def _post(self, bot: Bot, where: Conversation, body: Mapping[str, Any]) -> str:
        action = "post_group_messages" if where.is_group else "post_c2c_messages"
        try:
            told = await self._call(bot, action, {**_target(where), **body})
        except AuditException:
            return unknown_id()  # QQ looks at it first, and tells its id to nobody who could wait
        self._told.discard(where)
        if "msg_id" not in body and "event_id" not in body:
            self._no_active.pop(where, None)
        message_id = getattr(told, "id", None)
        return message_id if isinstance(message_id, str) else unknown_id()

    async def _call(self, bot: Bot, action: str, data: Mapping[str, Any]) -> Any:
        """Raises `_Refused` where QQ said no, `SendFailed` where nobody knows."""
        try:
            return await call(bot, action, SEND_TIMEOUT, **data)
        except ActionFailed as error:
            if may_be_out(error.code, error.status_code):
                raise SendFailed("QQ 没有确认", perhaps=True) from None
            raise _Refused(refusal(error.code, error.status_code), error.code) from None
        except ApiNotAvailable:
            raise _Refused(UNKNOWN, None) from None
        except TimeoutError:
            raise SendFailed("平台没有回应", perhaps=True) from None
        except NetworkError as error:
            raise SendFailed("连接断了", perhaps=reached(error)) from None

    async def _demand_token(self, bot: Bot, where: Conversation) -> None:
        """Raises `NotNow` where QQ gave no token: before that no answer to a line is used up."""
        why = await token_trouble(bot, SEND_TIMEOUT)
        self._note_token(bot.self_id, why)
        if why is not None:
            self._chance_later(where)
            raise NotNow(f"QQ 没有给令牌：{why}")

    def _note_token(self, account: str, why: str | None) -> None:
        """Tell the owner once why an account has no token, and once that it has one again."""
        before = self._tokenless.get(account)
        if why is None:
            if self._tokenless.pop(account, None) is not None:
                logger.info(f"官方机器人 {account} 又拿到令牌了")
            return
        self._tokenless[account] = why
        if why != before:
            logger.warning(f"官方机器人 {account} 拿不到 QQ 的令牌，什么都发不出去：{why}；拿到了就补发")

    def _forbid(self, where: Conversation, why: Refusal) -> None:
        """Note that active messages are not taken there for a while."""
        if why.kind == "pace":
            self._chance_later(where)
        elif where not in self._no_active:
            logger.warning(
                f"{_place(where)} 不允许主动消息：提醒等到那里有人说话时补发；群主可以在机器人资料里允许"
            )
        self._no_active[where] = (self._clock.monotonic() + (PAUSE if why.kind == "pace" else AGAIN), why)

    def _remember(self, where: Conversation, speech: Speech, sent: str) -> None:
        self._sent[where, speech.text[:_SAID]] = sent
        while len(self._sent) > _SENT:
            self._sent.popitem(last=False)


class _Refused(SendFailed):
    """QQ said no: nothing was sent."""

    def __init__(self, why: Refusal, code: int | None) -> None:
        super().__init__(why.reason if code is None else f"{why.reason}（{code}）")
        self.refusal = why


def _place(where: Conversation) -> str:
    return f"群 {where.peer}" if where.is_group else "一位成员的私聊"


def _target(where: Conversation) -> dict[str, str]:
    return {"group_openid" if where.is_group else "openid": where.peer}


def _connected(account: str) -> Bot | None:
    bot = nonebot.get_bots().get(account)
    return bot if isinstance(bot, Bot) else None
