"""`/秘书 帮助`, `状态` and `用量`: what can be done here, how the bot is, what its model cost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Literal, Protocol

from ...agents import AgentSpec
from ...clock import Clock
from ...config import Config
from ...language.recognise.times.days.almanac import next_year_missing
from ...llm import used
from ...reminders.wording import unsent_lines
from ...secretary import PresenceState
from ...storage import Storage, StorageError
from ..lines.incoming_message import IncomingMessage
from ..platform import Platform
from ..rooms.room import Room
from .features import feature_names
from .parsing import OFF_AT_FIRST, Command, help_text

NO_RECALLS = "撤回的消息 QQ 不告诉我：要我忘掉，请说「忘记我」；这里的聊天最多留 7 天。"
NOT_UNASKED = "主动消息：不允许"
STORES_NOTHING = "现在什么都存不进去"
_PATIENCE = 2.0
"""Seconds that 状态 waits for what the database knows of unsent reminders."""
_PRESENCE = {
    PresenceState.ABSENT: "没人叫我",
    PresenceState.FAMILIAR: "刚凑了个热闹",
    PresenceState.SUMMONED: "有人正叫我",
    PresenceState.OBSERVING: "刚聊过，还留意着",
}
_MODEL = {"ok": "模型正常", "offline": "没接模型"}


class ModelState(Protocol):
    """State of the model's endpoint (`llm.ModelClient`)."""

    def status(self) -> Literal["ok", "offline", "failing"]:
        """`offline` without a model, `failing` while it does not answer."""
        ...

    def trouble(self) -> str:
        """Trouble of a failing endpoint in two or three words: 连不上."""
        ...


class StatusCommands:
    """Tells of the bot itself. `others`: agents that other plugins registered, read at every command."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        storage: Storage,
        platform: Platform,
        model: ModelState,
        others: Iterable[AgentSpec],
    ) -> None:
        self._config = config
        self._clock = clock
        self._storage = storage
        self._platform = platform
        self._model = model
        self._others = others

    async def help(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """Every command, and what to know of the platform."""
        text = help_text(feature_names(self._others), [_in_help(spec) for spec in self._others])
        return text if self._platform.means(room.conversation).recalls else f"{text}\n{NO_RECALLS}"

    async def status(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """The bot in one line: presence, silence, model, troubles, features switched off."""
        now, features = self._clock.wall(), feature_names(self._others)
        until = room.silenced_until(now)
        silence = f"安静到 {self._clock.local(until):%m-%d %H:%M}" if until is not None else "没静音"
        busy = "正在忙" if room.seat.lock.busy else "空闲"
        waiting = f"，还有 {len(room.hold)} 条等着" if len(room.hold) else ""
        usual = set(features) - OFF_AT_FIRST
        off = [feature for feature in features if feature in usual and not room.allows(feature)]
        unasked = "" if self._platform.means(room.conversation).unasked else f"；{NOT_UNASKED}"
        unasked += await self._unsent(room, now)
        return (
            f"我在，{_PRESENCE[room.seat.presence.state]}，{busy}{waiting}；{silence}；"
            f"{self._model_state()}{unasked}{self._trouble(heard)}"
            f"{'；关着：' + '、'.join(off) if off else ''}{self._days_off(heard)}。"
        )

    async def usage(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """Calls and costs of the model today, here and everywhere. Raises `StorageError`."""
        if self._model.status() == "offline":
            return "还没接模型，没有用量。"
        since = self._clock.today_began()
        here = await self._storage.usage.between(since, None, room.conversation)
        everywhere = await self._storage.usage.between(since, None)
        config = self._config.llm
        return (
            f"今天这里问了模型 {used(here, self._config.limits()[1], config.prices)}；"
            f"所有地方一共 {used(everywhere, 0, config.prices)}。"
        )

    async def _unsent(self, room: Room, now: float) -> str:
        """Reminders that could not be sent, and why. A database in trouble is told of in its own words."""
        try:
            async with asyncio.timeout(_PATIENCE), room.reading_troubles:  # answered in the order they asked
                found = await self._storage.reminders.list_troubles(room.conversation, now)
        except (StorageError, TimeoutError):
            return ""
        return "".join(f"；{line}" for line in unsent_lines(found))

    def _days_off(self, heard: IncomingMessage) -> str:
        """From December on, that the next year's make-up workdays are not known, and how they would be."""
        year = next_year_missing(self._clock.local(self._clock.wall()).date())
        if year is None:
            return ""
        how = f"，在数据目录放一个 holidays/{year}.json 再重启就有了" if heard.superuser else ""
        return f"；{year}年的调休还不知道，法定假日照算{how}"

    def _trouble(self, heard: IncomingMessage) -> str:
        """Database error, if any, with the cause for the owner."""
        health, sentence = self._storage.status()
        if health == "ok":
            return ""
        return f"；{sentence.removesuffix('。') if heard.superuser else STORES_NOTHING}"

    def _model_state(self) -> str:
        """Model availability: configured and answering, or the reason why not."""
        status = self._model.status()
        return f"模型{self._model.trouble()}" if status == "failing" else _MODEL[status]


def _in_help(spec: AgentSpec) -> str:
    """An agent of another plugin in one line, as ours are shown."""
    examples = [example for intent in spec.intents for example in intent.examples][:2]
    said = "".join(f"「{example}」" for example in examples) or spec.intents[0].description
    return f"{spec.name}{said}"
