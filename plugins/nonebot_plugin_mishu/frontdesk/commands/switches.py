"""`/秘书 静音词`, `唤醒词`, `开关`, `日报`, `周报` and `人设`: what admins may change."""

from __future__ import annotations

from collections.abc import Iterable

from ...agents import AgentSpec
from ...language.addressing.typed_commands import WEEKDAYS
from ...storage.records import WordKind
from ..lines.incoming_message import IncomingMessage
from ..lines.reading import TriggerFinder
from ..rooms.room import Room
from .features import feature_names
from .parsing import CODES, Command, Verb
from .settings import SettingDesk
from .status import ModelState

_WORD_KINDS: dict[Verb, WordKind] = {"静音词": "silence", "唤醒词": "wake"}
_WITH_WORD: dict[WordKind, str] = {
    "wake": "以后喊「{}」就是叫我",
    "silence": "以后单独说「{}」我就安静",
}
_PERSONA_KEPT = {
    "ok": "好，人设改好了，下一句就照这个来。",
    "offline": "人设记下了，我能聊天了就照这个来。",
    "failing": "人设记下了，等我能聊天了就照这个来。",
}


class SettingCommands:
    """Changes settings of a conversation by command. Raises `StorageError`."""

    def __init__(
        self, reading: TriggerFinder, setting: SettingDesk, model: ModelState, others: Iterable[AgentSpec]
    ) -> None:
        self._reading = reading
        self._setting = setting
        self._model = model
        self._others = others

    async def words(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """List, add or remove silence or wake words."""
        kind, word = _WORD_KINDS[command.verb], command.value
        words = room.silence_words() if kind == "silence" else room.names(())
        fixed = [] if kind == "silence" else [name for name in self._reading.names(room) if name not in words]
        if command.action == "列表":
            listed = "、".join(dict.fromkeys([*fixed, *words]))
            return f"{command.verb}：{listed}" if listed else f"还没有{command.verb}。"
        if command.action == "添加":
            if word in words or word in fixed:
                return f"{command.verb}里已经有「{word}」了。"
            await self._setting.add_word(room, kind, word)
            done = f"好，{command.verb}加上了「{word}」，{_WITH_WORD[kind].format(word)}。"
        else:
            if word not in words:
                return (
                    f"「{word}」是我的名字，群里去不掉。"
                    if word in fixed
                    else f"{command.verb}里没有「{word}」。"
                )
            await self._setting.remove_word(room, kind, word)
            done = f"好，{command.verb}去掉了「{word}」。"
        return done

    async def switch(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """List features, or switch one."""
        if command.action == "列表":
            features = feature_names(self._others)
            states = [f"{feature} {'开' if room.allows(feature) else '关'}" for feature in features]
            return f"{'、'.join(states)}。要改就发：/秘书 开关 插话 关"
        await self._setting.switch(room, command.value, command.action == "开")
        return f"好，「{command.value}」{'打开' if command.action == '开' else '关掉'}了。"

    async def daily(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """Set the time of the daily digest, and switch it on."""
        assert command.at is not None
        at = f"{command.at[1]:%H:%M}"
        await self._setting.set_times(room, digest_time=at)
        await self._setting.switch(room, "日报", True)
        return f"好，每天 {at} 发日报。不要了就发：/秘书 开关 日报 关"

    async def weekly(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """Set the time of the weekly digest, and switch it on."""
        assert command.at is not None
        weekday, clock = command.at
        await self._setting.set_times(room, weekly_time=f"{CODES[weekday]} {clock:%H:%M}")
        await self._setting.switch(room, "周报", True)
        return f"好，每周{WEEKDAYS[weekday]} {clock:%H:%M} 发群纪要。不要了就发：/秘书 开关 周报 关"

    async def persona(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """Set the persona, or put back the configured one."""
        persona = command.value if command.action == "设置" else None
        await self._setting.set_persona(room, persona)
        if persona is None:
            return "好，人设恢复成默认的了。"
        return _PERSONA_KEPT[self._model.status()]
