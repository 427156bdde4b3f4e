"""The wiring: one event preprocessor that hears, one matcher that hands over (product section 1).

The preprocessor awaits nothing and raises nothing: another plugin's `IgnoredException` may cancel it at its
first await, and an error in it would take the event from everybody else. The matcher, of messages and pokes,
stands behind all others with `block=False` and only starts a task of our own, so it delays nobody (pitfalls
14, 62, 63). What others did with an event before its turn came is `neighbours`' to know.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from typing import Any, cast

import nonebot
from nonebot import get_driver, logger, on
from nonebot.adapters import Bot as BaseBot
from nonebot.adapters import Event as BaseEvent
from nonebot.adapters.onebot.v11 import Bot, Event, Message, MessageEvent
from nonebot.matcher import Matcher
from nonebot.message import event_preprocessor
from nonebot.rule import Rule
from nonebot.typing import T_DependencyCache, T_State

from ...clock import Clock
from ...error_log import log_error
from ...frontdesk import FrontDesk, IncomingMessage, Interest, TakenBy
from ...frontdesk.duty.standby_lines import KeptLine
from .hooks import Look
from .neighbours import KEY, Mark, Neighbours
from .notices import act_on_notice
from .posts import unsigned
from .reading import ReadingContext, conversation_of, heard_message
from .speaking import OneBotPlatform

_Heard = IncomingMessage | KeptLine
_DEAF = (
    "有人叫秘书，消息被插件「{plugin}」拦下了（响应器优先级 {priority}，block=True，不看说的是什么），"
    "秘书没轮到，那个插件也没有回答。要让秘书听得到，请在那个插件的设置里关掉阻断"
)


class _Marked(Rule):
    """Lets through what the preprocessor left a mark on. Solves no dependencies (pitfall 62).

    It is asked when the last priority's turn has come, so nobody else took the message: chatter that is
    only skipped ends here, without a run of the matcher, which would cost more than all we do with it.
    """

    def __init__(self, wanted: Callable[[Mark], bool]) -> None:
        super().__init__()
        self._wanted = wanted

    async def __call__(
        self,
        bot: BaseBot,
        event: BaseEvent,
        state: T_State,
        stack: AsyncExitStack | None = None,
        dependency_cache: T_DependencyCache | None = None,
    ) -> bool:
        mark = state.get(KEY)
        return mark is not None and self._wanted(mark)


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
        self._told_deaf: set[str] = set()
        self._neighbours = Neighbours(self._stopped)
        hearing: Any = Look(self._hear)

        async def heard(_heard: None = hearing) -> None:
            """Done already: the parameter is what hears."""

        event_preprocessor(heard)
        matcher = self._neighbours.ours = on(priority=priority, block=False)
        matcher.rule = _Marked(self._wanted)
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
                self._go(desk, heard, None)
        except Exception as error:  # noqa: BLE001 - reported; nobody else is there to do it
            log_error("秘书没能处理一条消息", error)

    def _hear(self, bot: BaseBot, event: BaseEvent, state: T_State, **_: Any) -> None:
        """Hear everything there is to hear; never a reason for the event not to go on."""
        if isinstance(bot, Bot) and isinstance(event, Event) and (found := self._heard(bot, event)):
            heard, interest = found
            place = conversation_of(_where(event), bot.self_id)
            poke = event.post_type == "notice"
            mark = state[KEY] = Mark(event, place, heard, interest, self._clock.monotonic(), poke)
            self._neighbours.begin(mark)

    def _heard(self, bot: Bot, event: Event) -> tuple[_Heard, Interest] | None:
        """A message that may matter, and how; none of what nobody signed for (`posts`). Raises nothing."""
        desk = self._desk()
        if desk is None or unsigned():
            return None
        try:
            if event.post_type == "message":
                return self._route_message(desk, bot.self_id, event)
            if event.post_type == "notice":
                fields = _fields(event)
                group = conversation_of(fields, bot.self_id)
                around = self._around(bot.self_id, group.peer if group and group.is_group else None)
                poke = act_on_notice(desk, self._duties, fields, bot, around)
                return (poke, Interest.MATTERS) if poke is not None else None
        except Exception as error:  # noqa: BLE001 - reported; it must not take the event from others
            log_error("秘书没能听懂一个事件，其他插件不受影响", error)
        return None

    def _route_message(self, desk: FrontDesk, account: str, event: Event) -> tuple[_Heard, Interest] | None:
        """A message: heard by the account on duty, kept by one that only listens."""
        peer = _group_of(event)
        if peer is not None:
            if account not in self._duties.accounts() and account in nonebot.get_bots():
                self._duties.connect(account)  # its first words may come before NoneBot tells
            self._duties.entered(account, peer)
        if peer is None or self._duties.hears(account, peer):
            heard = self._read_message(account, event, self._around(account, peer))
            if heard is not None and (interest := desk.hear(heard)):
                return heard, interest
            return None
        around = self._around(account, None)

        def read(home: str) -> IncomingMessage | None:
            kept_id = partial(self._duties.kept_id, account, home, peer)
            there = replace(around, accounts=self._duties.ours(), home=home, kept_id=kept_id)
            return self._read_message(account, event, there)

        line = KeptLine(account, self._clock.monotonic(), read)
        self._duties.keep(peer, line)
        return line, Interest.MATTERS

    async def _act(self, state: T_State) -> None:
        desk = self._desk()
        if desk is None:
            return
        mark: Mark = state[KEY]
        if mark.poke and isinstance(mark.heard, IncomingMessage):
            desk.poked(mark.heard, mark.taken_by)
        else:
            self._go(desk, mark.heard, mark.taken_by)

    @staticmethod
    def _go(desk: FrontDesk, heard: _Heard, taken_by: TakenBy | None) -> None:
        """Nobody stopped it; `taken_by` who ran for it or answered it."""
        if isinstance(heard, IncomingMessage):
            desk.act(heard, taken_by)
        elif taken_by is None:
            heard.free = True
            if heard.heard is not None:
                desk.act(heard.heard)

    def _wanted(self, mark: Mark) -> bool:
        """True if the event still needs work at our turn."""
        self._neighbours.end(mark)
        if mark.interest is Interest.MATTERS or isinstance(mark.heard, KeptLine):
            return True
        desk = self._desk()
        return mark.taken_by is None and not (desk is not None and desk.passes_over(mark.heard))

    def _stopped(self, mark: Mark, matcher: type[Matcher], every_line: bool) -> None:
        """Another plugin's matcher stopped an event: it was not for us."""
        desk, heard, plugin = self._desk(), mark.heard, mark.plugin or ""
        if desk is None or mark.interest is not Interest.MATTERS or isinstance(heard, KeptLine):
            return
        called = desk.stopped(heard, plugin, poke=mark.poke)
        if called and every_line and not mark.answered and plugin not in self._told_deaf:
            self._told_deaf.add(plugin)
            logger.warning(_DEAF.format(plugin=plugin, priority=matcher.priority))

    def _read_message(self, self_id: str, event: Event, around: ReadingContext) -> IncomingMessage | None:
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
    found = conversation_of({**_where(event), "user_id": 0}, "")
    return found.peer if found is not None and found.is_group else None


def _where(event: Event) -> dict[str, Any]:
    """The fields that say where something happened."""
    extra = event.model_extra or {}
    found = {name: event.__dict__.get(name, extra.get(name)) for name in ("group_id", "user_id")}
    return {**found, **_kind(event)}


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
