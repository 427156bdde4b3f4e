"""The wiring of all platforms: one preprocessor that hears, one matcher that hands over (product section 1).

The preprocessor awaits nothing and raises nothing: another plugin's `IgnoredException` may cancel it at its
first await, and an error in it would take the event from everybody else. The matcher, of messages and pokes,
stands behind all others with `block=False` and only starts a task of our own, so it delays nobody (pitfalls
14, 62, 63). What others did with an event before its turn came is `neighbours`' to know.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from typing import Any

import nonebot
from nonebot import get_driver, logger, on
from nonebot.adapters import Bot, Event
from nonebot.matcher import Matcher
from nonebot.message import event_preprocessor
from nonebot.rule import Rule
from nonebot.typing import T_DependencyCache, T_State

from ..clock import Clock
from ..error_log import log_error
from ..frontdesk import FrontDesk, IncomingMessage, Interest, TakenBy
from ..frontdesk.duty.standby_lines import KeptLine
from .event_reader import EventReader
from .hooks import Look
from .neighbours import KEY, Mark, Neighbours
from .platforms import Platforms
from .reading_context import ReadingContext

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
        bot: Bot,
        event: Event,
        state: T_State,
        stack: AsyncExitStack | None = None,
        dependency_cache: T_DependencyCache | None = None,
    ) -> bool:
        mark = state.get(KEY)
        return mark is not None and self._wanted(mark)


class Wiring:
    """Connects NoneBot's events with a front desk that may not be there yet (start-up) or any more."""

    def __init__(
        self, clock: Clock, platforms: Platforms, desk: Callable[[], FrontDesk | None], priority: int
    ) -> None:
        self._clock = clock
        self._platforms = platforms
        self._duties = platforms.duties
        self._desk = desk
        self._superusers = plain_ids(get_driver().config.superusers)
        self._told_deaf: set[str] = set()
        self._neighbours = Neighbours(self._stopped, platforms)
        hearing: Any = Look(self._hear)

        async def heard(_heard: None = hearing) -> None:
            """Done already: the parameter is what hears."""

        event_preprocessor(heard)
        matcher = self._neighbours.ours = on(priority=priority, block=False)
        matcher.rule = _Marked(self._wanted)
        matcher.append_handler(self._act)

    def handle_message(self, bot: Bot, event: Event) -> None:
        """Hear a message and act on it, as the two hooks do one after the other: for an instance in which
        nobody else handles events, so that nobody can take the message from us or wait for us. Raises
        nothing."""
        reader, desk = self._reader(bot, event), self._desk()
        found = None if reader is None else self._heard(reader, bot, event)
        if found is None or desk is None:
            return
        heard, interest = found
        try:
            if isinstance(heard, KeptLine) or interest is Interest.MATTERS or not desk.passes_over(heard):
                self._go(desk, heard, None)
        except Exception as error:  # noqa: BLE001 - reported; nobody else is there to do it
            log_error("秘书没能处理一条消息", error)

    def _hear(self, bot: Bot, event: Event, state: T_State, **_: Any) -> None:
        """Hear everything there is to hear; never a reason for the event not to go on."""
        reader = self._reader(bot, event)
        if reader is not None and (found := self._heard(reader, bot, event)):
            heard, interest = found
            place = reader.place(bot.self_id, event)
            poke = reader.kind(event) == "notice"
            mark = state[KEY] = Mark(event, place, heard, interest, self._clock.monotonic(), poke)
            self._neighbours.begin(mark)

    def _reader(self, bot: Bot, event: Event) -> EventReader | None:
        """The platform whose event it is."""
        for part in self._platforms.parts:
            if part.reader.reads(bot, event):
                return part.reader
        return None

    def _heard(self, reader: EventReader, bot: Bot, event: Event) -> tuple[_Heard, Interest] | None:
        """A message that may matter, and how. Raises nothing."""
        desk = self._desk()
        if desk is None:
            return None
        try:
            kind = reader.kind(event)
            if kind == "message":
                return self._route_message(desk, reader, bot, event)
            if kind == "notice":
                group = reader.place(bot.self_id, event)
                around = self._around(bot.self_id, group.peer if group and group.is_group else None)
                poke = reader.act_on_notice(desk, self._duties, bot, event, around)
                return (poke, Interest.MATTERS) if poke is not None else None
        except Exception as error:  # noqa: BLE001 - reported; it must not take the event from others
            log_error("秘书没能听懂一个事件，其他插件不受影响", error)
        return None

    def _route_message(
        self, desk: FrontDesk, reader: EventReader, bot: Bot, event: Event
    ) -> tuple[_Heard, Interest] | None:
        """A message: heard by the account on duty, kept by one that only listens."""
        account, place = bot.self_id, reader.place(bot.self_id, event)
        peer = place.peer if place is not None and place.is_group else None
        if peer is not None:
            if account not in self._duties.accounts() and account in nonebot.get_bots():
                self._platforms.connected(bot)  # its first words may come before NoneBot tells
            self._duties.note_entered(account, peer)
        if peer is None or self._duties.hears(account, peer):
            heard = reader.message(account, event, self._around(account, peer))
            if heard is not None and (interest := desk.hear(heard)):
                return heard, interest
            return None
        around = self._around(account, None)

        def read(home: str) -> IncomingMessage | None:
            kept_id = partial(self._duties.kept_id, account, home, peer)
            there = replace(around, accounts=self._duties.ours(), home=home, kept_id=kept_id)
            return reader.message(account, event, there)

        line = KeptLine(account, self._clock.monotonic(), read)
        self._duties.keep_line(peer, line)
        return line, Interest.MATTERS

    async def _act(self, state: T_State) -> None:
        desk = self._desk()
        if desk is None:
            return
        mark: Mark = state[KEY]
        if mark.poke and isinstance(mark.heard, IncomingMessage):
            desk.take_poke(mark.heard, mark.taken_by)
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
        called = desk.note_stopped(heard, plugin, poke=mark.poke)
        if called and every_line and not mark.answered and plugin not in self._told_deaf:
            self._told_deaf.add(plugin)
            logger.warning(_DEAF.format(plugin=plugin, priority=matcher.priority))

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


def wire(clock: Clock, platforms: Platforms, desk: Callable[[], FrontDesk | None], priority: int) -> Wiring:
    """Register with NoneBot. Done once, when the plugin is loaded."""
    return Wiring(clock, platforms, desk, priority)


def plain_ids(superusers: Collection[str]) -> set[str]:
    """`SUPERUSERS` entries may be written `adapter:id`."""
    return {entry.rsplit(":", 1)[-1] for entry in superusers}
