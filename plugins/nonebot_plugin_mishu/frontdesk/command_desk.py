"""Carries out `/秘书 …` commands and answers each with one line. They work while silenced."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from ..clock import Clock
from ..config import Config
from ..secretary import SendFailed, Speech
from ..storage import Storage, StorageError
from ..storage.records import Conversation, ConversationSettings, WordKind
from .commands import FEATURES, HELP, Command, Verb
from .counter import Counter
from .heard import Heard
from .personal_desk import PersonalDesk
from .platform import Platform
from .room import Room
from .silencing import SAY_TIMEOUT, Silencing, is_admin

NOT_ALLOWED = "这个命令只有群主、管理员和超级用户能用。"
NOT_STORED = "数据库现在写不进去，这个改动没有生效，请稍后再试。"
NOT_READ = "数据库现在读不出来，请稍后再试。"
_WORD_KINDS: dict[Verb, WordKind] = {"静音词": "silence", "唤醒词": "wake"}
_WHY = 3


Switched = Callable[[Conversation, str, bool], Awaitable[None]]
"""Told of a feature that was switched, once it is on disk. Raises `StorageError`."""


async def nothing_switched(conversation: Conversation, feature: str, on: bool) -> None:
    """Nobody wants to know."""


class CommandDesk:
    """Runs commands. Whatever a line says was changed is on disk before it is said."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        storage: Storage,
        counter: Counter,
        silencing: Silencing,
        platform: Platform,
        model_status: Callable[[], str],
        report: Callable[[str, BaseException], None],
        switched: Switched,
    ) -> None:
        self._switched = switched
        self._config = config
        self._clock = clock
        self._storage = storage
        self._counter = counter
        self._silencing = silencing
        self._model_status = model_status
        self._report = report
        self._personal = PersonalDesk(clock, storage, platform)
        self._do: dict[Verb, Callable[[Room, Heard, Command], Awaitable[str]]] = {
            "帮助": self._help,
            "状态": self._status,
            "为什么": self._why,
            "用量": self._usage,
            "导出": self._personal.export,
            "忘记我": self._personal.forget,
            "闭嘴": self._silence,
            "说话": self._speak,
            "静音词": self._words,
            "唤醒词": self._words,
            "开关": self._switch,
            "人设": self._persona,
        }

    async def run(self, room: Room, heard: Heard, command: Command) -> None:
        """Carry it out and answer."""
        if command.for_admins and not is_admin(heard):
            text = NOT_ALLOWED
        elif command.problem is not None:
            text = command.problem
        else:
            try:
                text = await self._do[command.verb](room, heard, command)
            except StorageError as error:
                self._report("命令没有办成", error)
                reading = command.verb in ("为什么", "用量", "导出")
                text = NOT_READ if reading else NOT_STORED
        quote = heard.message_id if room.conversation.is_group else None
        try:
            await self._counter.tell(room, Speech(text, quote=quote), SAY_TIMEOUT)
        except SendFailed as error:
            self._report("命令的答复没有发出去", error)

    async def _help(self, room: Room, heard: Heard, command: Command) -> str:
        return HELP

    async def _status(self, room: Room, heard: Heard, command: Command) -> str:
        now = self._clock.wall()
        until = room.silenced_until(now)
        silence = f"静音到 {self._clock.local(until):%m-%d %H:%M}" if until is not None else "没有静音"
        busy = "正在忙" if room.seat.lock.busy else "空闲"
        off = [feature for feature in FEATURES if not room.allows(feature)]
        model = {"ok": "模型正常", "offline": "没有接模型", "failing": "模型现在不通"}[self._model_status()]
        return (
            f"状态：{room.seat.presence.state.label}，{busy}，等着 {len(room.hold)} 条；{silence}；{model}；"
            f"{'关着的功能：' + '、'.join(off) if off else '功能都开着'}。"
        )

    async def _why(self, room: Room, heard: Heard, command: Command) -> str:
        records = await self._storage.decisions.latest(room.conversation, _WHY)
        if not records:
            return "最近还没有做过决定。"
        lines = [
            f"{self._clock.local(record.at):%H:%M:%S} {_TRIGGERS.get(record.trigger, record.trigger)}，"
            f"{'回了' if record.should_reply else '没回'}：{record.reason}"
            f"（{_LABELS.get(record.state_before)}→{_LABELS.get(record.state_after)}，"
            f"{record.timings.get('total', 0):.1f} 秒，{record.tokens} token）"
            for record in records
        ]
        return "\n".join(lines)

    async def _usage(self, room: Room, heard: Heard, command: Command) -> str:
        since = self._clock.today_began()
        here = await self._storage.usage.today(since, room.conversation)
        everywhere = await self._storage.usage.today(since)
        limit = self._config.llm.group_daily_tokens
        limited = f"，上限 {limit}" if limit else ""
        return (
            f"今天这里用了 {here.calls} 次模型、{here.tokens} token{limited}；"
            f"全部会话共 {everywhere.calls} 次、{everywhere.tokens} token。"
        )

    async def _silence(self, room: Room, heard: Heard, command: Command) -> str:
        seconds = self._config.frontdesk.silence_seconds if command.minutes is None else command.minutes * 60
        stored = await self._silencing.begin(room, seconds, by_command=True)
        until = self._clock.local(self._clock.wall() + seconds)
        kept = "" if stored else "（没能存下，重启后会失效）"
        return f"好的，我安静到 {until:%m-%d %H:%M}{kept}。要我说话请发「/秘书 说话」。"

    async def _speak(self, room: Room, heard: Heard, command: Command) -> str:
        silence = room.settings.silence
        if silence is None or silence.until <= self._clock.wall():
            return "我没有在静音。"
        stored = await self._silencing.lift(room)
        return (
            "好的，我又可以说话了。" if stored else "好的，我先说话了；但数据库写不进去，重启后可能又会安静。"
        )

    async def _words(self, room: Room, heard: Heard, command: Command) -> str:
        kind = _WORD_KINDS[command.verb]
        if command.action == "列表":
            words = room.silence_words() if kind == "silence" else room.names(())
            return f"{command.verb}：{'、'.join(words) or '（没有）'}"
        if command.action == "添加":
            await self._storage.settings.add_word(room.conversation, kind, command.value)
            done = f"好的，{command.verb}加上了「{command.value}」。"
        else:
            words = room.silence_words() if kind == "silence" else room.names(())
            if command.value not in words:
                return f"{command.verb}里没有「{command.value}」。"
            await self._storage.settings.remove_word(room.conversation, kind, command.value)
            done = f"好的，{command.verb}去掉了「{command.value}」。"
        room.settings = await self._reloaded(room)
        return done

    async def _switch(self, room: Room, heard: Heard, command: Command) -> str:
        if command.action == "列表":
            states = [f"{feature} {'开' if room.allows(feature) else '关'}" for feature in FEATURES]
            return "功能：" + "、".join(states)
        await self._storage.settings.set_feature(room.conversation, command.value, command.action == "开")
        room.settings = await self._reloaded(room)
        await self._switched(room.conversation, command.value, command.action == "开")
        return f"好的，「{command.value}」已{'打开' if command.action == '开' else '关掉'}。"

    async def _persona(self, room: Room, heard: Heard, command: Command) -> str:
        persona = command.value if command.action == "设置" else None
        await self._storage.settings.set_persona(room.conversation, persona)
        room.settings = await self._reloaded(room)
        return "好的，人设改好了。" if persona else "好的，人设恢复成默认的了。"

    async def _reloaded(self, room: Room) -> ConversationSettings:
        return replace(await self._storage.settings.load(room.conversation), silence=room.settings.silence)


_LABELS = {"absent": "不在场", "familiar": "混脸熟", "summoned": "被呼唤", "observing": "观测中"}
_TRIGGERS = {
    "summon": "有人叫我",
    "answer": "有人回答我",
    "order": "有人吩咐我",
    "echo": "复读",
    "dense": "聊得热闹",
    "overheard": "旁听",
    "chat": "闲聊",
}
