"""The wiring: one event preprocessor that hears, one `on_message` that hands over (product section 1).

The preprocessor awaits nothing and raises nothing: another plugin's `IgnoredException` may cancel it at its
first await, and an error in it would take the event from everybody else. The matcher stands in the last
priority with `block=False` and only starts a task of our own, so it delays nobody (pitfalls 14, 62, 63).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from typing import Any, cast

import nonebot
from nonebot import get_driver, logger, on_message
from nonebot.adapters import Bot as BaseBot
from nonebot.adapters import Event as BaseEvent
from nonebot.adapters.onebot.v11 import Bot, Event, Message, MessageEvent
from nonebot.dependencies import Param
from nonebot.message import event_preprocessor
from nonebot.rule import Rule
from nonebot.typing import T_DependencyCache, T_State

from ...clock import Clock
from ...error_log import log_error
from ...frontdesk import FrontDesk, IncomingMessage, Interest
from ...frontdesk.kept_lines import KeptLine
from .notices import act_on_notice
from .posts import unsigned
from .reading import ReadingContext, conversation_of, heard_message
from .speaking import OneBotPlatform

_Heard = IncomingMessage | KeptLine
_KEY = "_mishu_heard"
"""Where the preprocessor leaves what it heard, and how it matters, for the matcher: in the event's state."""


class _Hearing(Param):
    """Hears while NoneBot checks the hook's one parameter, which is the first thing it does.

    NoneBot checks, then solves every parameter in tasks of their own, and waits for each: another plugin's
    `IgnoredException` may cancel the hook in between, so that it never runs. And bot, event and state as
    three parameters would cost more than all we do with a message.
    """

    def __init__(self, hear: Callable[[BaseBot, BaseEvent, T_State], None]) -> None:
        super().__init__()  # pyright: ignore[reportUnknownMemberType]
        self.hear = hear

    async def _check(self, **kwargs: Any) -> None:
        self.hear(kwargs["bot"], kwargs["event"], kwargs["state"])

    async def _solve(self, **kwargs: Any) -> Any:
        return None


class _Marked(Rule):
    """Lets through what the preprocessor left a mark on. Solves no dependencies (pitfall 62).

    It is asked when the last priority's turn has come, so nobody else took the message: chatter that is
    only skipped ends here, without a run of the matcher, which would cost more than all we do with it.
    """

    def __init__(self, passes_over: Callable[[IncomingMessage], bool]) -> None:
        super().__init__()
        self._passes_over = passes_over

    async def __call__(
        self,
        bot: BaseBot,
        event: BaseEvent,
        state: T_State,
        stack: AsyncExitStack | None = None,
        dependency_cache: T_DependencyCache | None = None,
    ) -> bool:
        found = state.get(_KEY)
        if found is None:
            return False
        heard, interest = found
        return interest is Interest.MATTERS or not self._passes_over(heard)


class Wiring:
    """Connects NoneBot's events with a front desk that may not be there yet (start-up) or any more."""

    def __init__(
        self, clock: Clock, platform: OneBotPlatform, desk: Callable[[], FrontDesk | None], priority: int
    ) -> None:
        self._clock = clock
        self._duties = platform.duties
        self._desk = desk
        self._superusers = plain_ids(get_driver().config.superusers)
        self._told_bare = False
        hearing: Any = _Hearing(self._hear)

        async def heard(_heard: None = hearing) -> None:
            """Done already: the parameter is what hears."""

        event_preprocessor(heard)
        matcher = on_message(priority=priority, block=False)
        matcher.rule = _Marked(self._passes_over)
        matcher.append_handler(self._act)

    def take(self, bot: Bot, event: MessageEvent) -> None:
        """Hear a message and act on it, as the two hooks do one after the other: for an instance in which
        nobody else handles events, so that nobody can take the message from us or wait for us. Raises
        nothing."""
        found, desk = self._heard(bot, event), self._desk()
        if found is None or desk is None:
            return
        heard, interest = found
        try:
            if isinstance(heard, KeptLine) or interest is Interest.MATTERS or not desk.passes_over(heard):
                self._go(desk, heard)
        except Exception as error:  # noqa: BLE001 - reported; nobody else is there to do it
            log_error("秘书没能处理一条消息", error)

    def _hear(self, bot: BaseBot, event: BaseEvent, state: T_State) -> None:
        """Hear everything there is to hear; never a reason for the event not to go on."""
        if isinstance(bot, Bot) and isinstance(event, Event) and (found := self._heard(bot, event)):
            state[_KEY] = found

    def _heard(self, bot: Bot, event: Event) -> tuple[_Heard, Interest] | None:
        """A message that may matter, and how; none of what nobody signed for (`posts`). Raises nothing."""
        desk = self._desk()
        if desk is None or unsigned():
            return None
        try:
            if event.post_type == "message":
                return self._said(desk, bot.self_id, event)
            if event.post_type == "notice":
                fields = _fields(event)
                group = conversation_of(fields, bot.self_id)
                around = self._around(bot.self_id, group.peer if group and group.is_group else None)
                act_on_notice(desk, self._duties, fields, bot, around)
        except Exception as error:  # noqa: BLE001 - reported; it must not take the event from others
            log_error("秘书没能听懂一个事件，其他插件不受影响", error)
        return None

    def _said(self, desk: FrontDesk, account: str, event: Event) -> tuple[_Heard, Interest] | None:
        """A message: heard by the account on duty, kept by one that only listens."""
        peer = _group_of(event)
        if peer is not None:
            if account not in self._duties.accounts() and account in nonebot.get_bots():
                self._duties.connect(account)  # its first words may come before NoneBot tells
            self._duties.entered(account, peer)
        if peer is None or self._duties.hears(account, peer):
            heard = self._read(account, event, self._around(account, peer))
            if heard is not None and (interest := desk.hear(heard)):
                return heard, interest
            return None
        around = self._around(account, None)

        def read(home: str) -> IncomingMessage | None:
            kept_id = partial(self._duties.kept_id, account, home, peer)
            there = replace(around, accounts=self._duties.ours(), home=home, kept_id=kept_id)
            return self._read(account, event, there)

        line = KeptLine(account, self._clock.monotonic(), read)
        self._duties.keep(peer, line)
        return line, Interest.MATTERS

    async def _act(self, state: T_State) -> None:
        desk = self._desk()
        if desk is not None:
            heard, _ = state[_KEY]
            self._go(desk, heard)

    @staticmethod
    def _go(desk: FrontDesk, heard: _Heard) -> None:
        """Nobody else took it."""
        if isinstance(heard, IncomingMessage):
            desk.act(heard)
        else:
            heard.free = True
            if heard.heard is not None:
                desk.act(heard.heard)

    def _passes_over(self, heard: IncomingMessage) -> bool:
        desk = self._desk()
        return desk is not None and desk.passes_over(heard)

    def _read(self, self_id: str, event: Event, around: ReadingContext) -> IncomingMessage | None:
        fields = _fields(event)
        if isinstance(event, MessageEvent):
            segments = _segments(event.original_message)
            fields["reply"] = event.reply.model_dump() if event.reply is not None else None
        else:
            # The adapter could not read it as a message: some implementations leave fields out.
            if not self._told_bare:
                self._told_bare = True
                logger.warning(
                    "收到缺字段或号码不是数字的消息事件，秘书照样处理，别的插件可能收不到，请升级 OneBot 实现"
                )
            segments = _parts(fields.get("message") or fields.get("raw_message"))
        return heard_message(fields, segments, self_id, around)

    def _around(self, account: str, peer: str | None) -> ReadingContext:
        duties = self._duties
        home = None if peer is None else duties.home(account, peer)
        return ReadingContext(
            receipt=self._clock.receipt(),
            heard_at=self._clock.monotonic(),
            accounts=duties.ours(),
            superusers=self._superusers,
            home=home,
            kept_id=str if peer is None or home is None else partial(duties.kept_id, account, home, peer),
        )


def wire(
    clock: Clock, platform: OneBotPlatform, desk: Callable[[], FrontDesk | None], priority: int
) -> Wiring:
    """Register with NoneBot. Done once, when the plugin is loaded."""
    return Wiring(clock, platform, desk, priority)


def _group_of(event: Event) -> str | None:
    """The group a message was said in."""
    fields = event.__dict__ if "group_id" in event.__dict__ else event.model_extra or {}
    found = conversation_of({"group_id": fields.get("group_id"), "user_id": 0, **_kind(event)}, "")
    return found.peer if found is not None and found.is_group else None


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


def plain_ids(superusers: Collection[str]) -> set[str]:
    """`SUPERUSERS` entries may be written `adapter:id`."""
    return {entry.rsplit(":", 1)[-1] for entry in superusers}
