"""Carries out `/秘书 …` commands and answers each with one line. They work while silenced."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence

from ...agents import AgentSpec
from ...clock import Clock
from ...config import Config
from ...language.addressing.typed_commands import WEEKDAYS
from ...language.following.quiet_hours import QuietOrder
from ...language.recognise.times.days.almanac import next_year_missing
from ...llm import used
from ...prompts.quoting import one_line
from ...reminders.wording import unsent_lines
from ...secretary import PresenceState, SendFailed
from ...storage import Storage, StorageError
from ...storage.quiet.records import USUAL, QuietHours
from ...storage.records import Conversation, DecisionRecord, LedgerMessage, WordKind
from ..lines.foreign_lines import LOST
from ..lines.incoming_message import IncomingMessage
from ..platform import Means
from ..private_delivery import Privately
from ..reply_service import ReplyService
from ..rooms.room import Room
from ..silencing import SAY_TIMEOUT, Silencing, is_admin, lasting
from .parsing import CODES, FEATURES, OFF_AT_FIRST, Command, Verb, help_text
from .personal import LEFT_ALONE, PersonalDesk
from .settings import SettingDesk
from .web_links import WebDesk, WebSessions

NO_RECALLS = "撤回的消息 QQ 不告诉我：要我忘掉，请说「忘记我」；这里的聊天最多留 7 天。"
NOT_UNASKED = "主动消息：不允许"
NOT_ALLOWED = "这个只有群主和管理员能改。"
OWN_INSTEAD = "只管你自己的话，说「我的安静时段 22:00-8:00」。"
NOT_STORED = "现在存不进去，没改成，过会儿再试。"
NOT_READ = "现在读不出来，过会儿再试。"
BEGUN = "这条命令被重启打断了，改没改成不敢说。{look}看一眼，没成就再发一遍。"
BEGUN_TWICE = "这条命令两次都被重启打断了，先不试了，过会儿再发一遍。"
_LOOK_AT_STATE = "发「/秘书 状态」"
_LOOK: dict[Verb, str] = {
    "静音词": "发「/秘书 静音词 列表」",
    "唤醒词": "发「/秘书 唤醒词 列表」",
    "开关": "发「/秘书 开关 列表」",
    "日报": "发「/秘书 开关 列表」",
    "周报": "发「/秘书 开关 列表」",
    "安静时段": "说「安静时段」",
    "我的安静时段": "说「我的安静时段」",
    "确认忘记": "发「/秘书 导出」",
}
"""Where a member sees whether a command was done."""
STORES_NOTHING = "现在什么都存不进去"
_WORD_KINDS: dict[Verb, WordKind] = {"静音词": "silence", "唤醒词": "wake"}
NO_DECISION = "这句没让我去想要不要说话：没有叫我，也不热闹，或者是命令。"
_WHY = 3
_QUOTED = 16
"""Characters of a line that 为什么 shows."""
_PATIENCE = 2.0
"""Seconds that 状态 waits for what the database knows of unsent reminders."""


class CommandDesk:
    """Runs commands. Whatever a line says was changed is on disk before it is said."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        storage: Storage,
        replies: ReplyService,
        silencing: Silencing,
        privately: Privately,
        named: Callable[[Room], Sequence[str]],
        model_status: Callable[[], str],
        report: Callable[[str, BaseException], None],
        setting: SettingDesk,
        others: Callable[[], Iterable[AgentSpec]],
        web_sessions: WebSessions | None = None,
        model_trouble: Callable[[], str] = lambda: _TROUBLE,
        means: Callable[[Conversation], Means] = lambda where: Means(),
    ) -> None:
        """`named` tells what we are called somewhere, wake words among it; `others` gives the agents that
        other plugins brought, at any moment."""
        self._setting = setting
        self._means = means
        self._others = others
        self._named = named
        self._config = config
        self._clock = clock
        self._storage = storage
        self._replies = replies
        self._silencing = silencing
        self._model_status = model_status
        self._model_trouble = model_trouble
        self._report = report
        self._personal = PersonalDesk(clock, storage, privately)
        self._do: dict[Verb, Callable[[Room, IncomingMessage, Command], Awaitable[str]]] = {
            "帮助": self._help,
            "状态": self._status,
            "为什么": self._why,
            "用量": self._usage,
            "网页": WebDesk(web_sessions, privately).run,
            "导出": self._personal.export,
            "忘记我": self._personal.forget,
            "确认忘记": self._personal.confirmed,
            "闭嘴": self._silence,
            "说话": self._speak,
            "静音词": self._words,
            "唤醒词": self._words,
            "开关": self._switch,
            "人设": self._persona,
            "日报": self._daily,
            "周报": self._weekly,
            "安静时段": self._group_quiet,
            "我的安静时段": self._own_quiet,
        }

    async def run(self, room: Room, heard: IncomingMessage, command: Command) -> None:
        """Carry it out and answer."""
        if command.for_admins and not is_admin(heard):
            text = NOT_ALLOWED + (OWN_INSTEAD if command.verb == "安静时段" else "")
        elif command.problem is not None:
            text = command.problem
        else:
            try:
                text = await self._do[command.verb](room, heard, command)
            except StorageError as error:
                self._report("命令没有办成", error)
                reading = command.verb in ("为什么", "用量", "导出", "忘记我")
                text = NOT_READ if reading else NOT_STORED
        await self.tell(room, heard, text)
        await self.settled(room, heard, command)

    async def cut_off(self, room: Room, heard: IncomingMessage, command: Command) -> None:
        """Answer a command that a restart cut off: one that changes something, or one begun twice. Nobody
        knows its result, and it is not run again."""
        text = BEGUN.format(look=_LOOK.get(command.verb, _LOOK_AT_STATE)) if command.writes else BEGUN_TWICE
        await self.tell(room, heard, text)
        await self.settled(room, heard, command)

    async def settled(self, room: Room, heard: IncomingMessage, command: Command) -> None:
        """A command was answered: the line that confirmed a forgetting is forgotten as the last one."""
        if command.verb != "确认忘记":
            return
        try:
            await self._personal.forget_line(room, heard)
        except StorageError as error:
            self._report("「确认忘记」这句没有删掉", error)

    async def leave_alone(self, room: Room, heard: IncomingMessage) -> None:
        """A member who was asked whether to be forgotten would rather not."""
        room.forgetting.pop(heard.user_id, None)
        await self.tell(room, heard, LEFT_ALONE)

    def features(self) -> tuple[str, ...]:
        """Everything that can be switched: ours, then what the agents of others name."""
        theirs = [spec.feature for spec in self._others() if spec.feature is not None]
        return tuple(dict.fromkeys([*FEATURES, *theirs]))

    async def tell(self, room: Room, heard: IncomingMessage, text: str) -> None:
        """Answer a line at once, past turns and silences."""
        try:
            await self._replies.answer(room, heard.message_id, text, SAY_TIMEOUT)
        except SendFailed as error:
            self._report("命令的答复没有发出去", error)

    async def _help(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        text = help_text(self.features(), [_in_help(spec) for spec in self._others()])
        return text if self._means(room.conversation).recalls else f"{text}\n{NO_RECALLS}"

    async def _status(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        now = self._clock.wall()
        until = room.silenced_until(now)
        silence = f"安静到 {self._clock.local(until):%m-%d %H:%M}" if until is not None else "没静音"
        busy = "正在忙" if room.seat.lock.busy else "空闲"
        waiting = f"，还有 {len(room.hold)} 条等着" if len(room.hold) else ""
        usual = set(self.features()) - OFF_AT_FIRST
        off = [feature for feature in self.features() if feature in usual and not room.allows(feature)]
        unasked = "" if self._means(room.conversation).unasked else f"；{NOT_UNASKED}"
        unasked += await self._unsent(room, now)
        return (
            f"我在，{_PRESENCE[room.seat.presence.state]}，{busy}{waiting}；{silence}；"
            f"{self._model()}{unasked}{self._trouble(heard)}{'；关着：' + '、'.join(off) if off else ''}"
            f"{self._days_off(heard)}。"
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

    def _model(self) -> str:
        """Model availability: configured and answering, or the reason why not."""
        status = self._model_status()
        return f"模型{self._model_trouble()}" if status == "failing" else _MODEL[status]

    async def _why(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """Why there was or was no answer: to the line that is quoted, or to the last ones."""
        if (quoted := heard.reply_to) is not None:
            found = await self._storage.decisions.of_message(room.conversation, quoted)
            lost = room.unhanded.get(quoted)
            if not found and lost is None:
                return NO_DECISION
            return self._format_lost(lost) if lost else self._format_decision(room, found[0])
        records = await self._storage.decisions.latest(room.conversation, _WHY)
        known = {record.message_id for record in records}
        lines = [(record.at, self._format_decision(room, record)) for record in records]
        lines += [
            (lost.time, self._format_lost(lost))
            for lost in room.unhanded.values()
            if lost.message_id not in known
        ]
        if not lines:
            return "最近没人叫我，我也没开口。"
        return "\n".join(line for _, line in sorted(lines, reverse=True)[:_WHY])

    def _format_lost(self, lost: LedgerMessage) -> str:
        """A line that another plugin kept from us, in a line."""
        return f"{self._clock.local(lost.time):%H:%M:%S} {_TRIGGERS['summon']}{_quote(lost)}，没回：{LOST}"

    def _format_decision(self, room: Room, record: DecisionRecord) -> str:
        """One decision in a line, with the words it was made upon where they are still at hand."""
        trigger = _TRIGGERS.get(record.trigger, record.trigger)
        said = (
            f"{self._clock.local(record.at):%H:%M:%S} {trigger}{_quote(room.ledger.get(record.message_id))}，"
            f"{'回了' if record.should_reply else '没回'}：{record.reason}"
        )
        if not record.timings:  # nothing was thought about
            return said
        return (
            f"{said}（{_LABELS.get(record.state_before)}→{_LABELS.get(record.state_after)}，"
            f"{record.timings.get('total', 0):.1f} 秒）"
        )

    async def _usage(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        if self._model_status() == "offline":
            return "还没接模型，没有用量。"
        since = self._clock.today_began()
        here = await self._storage.usage.between(since, None, room.conversation)
        everywhere = await self._storage.usage.between(since, None)
        config = self._config.llm
        return (
            f"今天这里问了模型 {used(here, self._config.limits()[1], config.prices)}；"
            f"所有地方一共 {used(everywhere, 0, config.prices)}。"
        )

    async def _silence(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        seconds = self._config.frontdesk.silence_seconds if command.minutes is None else command.minutes * 60
        stored = await self._silencing.begin(room, seconds, by_command=True)
        until = self._clock.local(self._clock.wall() + seconds)
        kept = "" if stored else "（没能存下，重启就不算了）"
        return f"好，安静{lasting(seconds)}，到 {until:%m-%d %H:%M}{kept}。想让我早点开口，发「/秘书 说话」。"

    async def _speak(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        silence = room.settings.silence
        if silence is None or silence.until <= self._clock.wall():
            return "我没在静音，有事直接说。"
        stored = await self._silencing.lift(room)
        return "好，我又能说话了。" if stored else "好，我先说话了；没能存下，重启后可能又会安静。"

    async def _words(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        kind, word = _WORD_KINDS[command.verb], command.value
        words = room.silence_words() if kind == "silence" else room.names(())
        fixed = [] if kind == "silence" else [name for name in self._named(room) if name not in words]
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

    async def _switch(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        if command.action == "列表":
            states = [f"{feature} {'开' if room.allows(feature) else '关'}" for feature in self.features()]
            return f"{'、'.join(states)}。要改就发：/秘书 开关 插话 关"
        await self._setting.switch(room, command.value, command.action == "开")
        return f"好，「{command.value}」{'打开' if command.action == '开' else '关掉'}了。"

    async def _daily(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        assert command.at is not None
        at = f"{command.at[1]:%H:%M}"
        await self._setting.set_times(room, digest_time=at)
        await self._setting.switch(room, "日报", True)
        return f"好，每天 {at} 发日报。不要了就发：/秘书 开关 日报 关"

    async def _weekly(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        assert command.at is not None
        weekday, clock = command.at
        await self._setting.set_times(room, weekly_time=f"{CODES[weekday]} {clock:%H:%M}")
        await self._setting.switch(room, "周报", True)
        return f"好，每周{WEEKDAYS[weekday]} {clock:%H:%M} 发群纪要。不要了就发：/秘书 开关 周报 关"

    async def _group_quiet(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        if command.action == "看":
            kept = room.settings.quiet_hours
            if kept is None:
                return f"群里没设安静时段；{USUAL.shown} 我不催人。管理员说「安静时段 23:00-8:00」就设上。"
            return f"群里的安静时段是 {QuietHours.kept(kept).shown}。"
        hours = QuietHours.kept(command.value) if command.action == "设置" else None
        await self._setting.set_times(room, quiet_hours=None if hours is None else hours.as_kept())
        self._note_hours(room, heard.user_id, hours, mine=False)
        if hours is None:
            return "好，群里的安静时段取消了。"
        return (
            f"好，{hours.shown} 是群里的安静时段：我不主动说话，日报、催人等到结束再发；"
            "定了钟点的提醒照常。不要了就说「安静时段取消」。"
        )

    async def _own_quiet(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        where, member = room.conversation, heard.user_id
        if command.action == "看":
            kept = (await self._storage.member_quiet.of_members(where.self_id, [member])).get(member)
            return "你没设安静时段。" if kept is None else f"你的安静时段是 {kept.shown}。"
        hours = QuietHours.kept(command.value) if command.action == "设置" else None
        await self._setting.set_member_quiet(room, member, hours)
        self._note_hours(room, member, hours, mine=True)
        if hours is None:
            return "好，你的安静时段取消了。"
        return (
            f"好，{hours.shown} 是你的安静时段：有人让我催你，等到结束再说；定了钟点的提醒照常。"
            "不要了就说「我的安静时段取消」。"
        )

    def _note_hours(self, room: Room, member: str, hours: QuietHours | None, *, mine: bool) -> None:
        """Keep what a member set, so that their next line may amend it (是半夜十二点)."""
        room.hours_set.pop(member, None)
        if hours is not None:
            order = QuietOrder("set", mine, hours.start, hours.end)
            room.hours_set[member] = (order, self._clock.monotonic() + _AMENDED_WITHIN)

    async def _persona(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        persona = command.value if command.action == "设置" else None
        await self._setting.set_persona(room, persona)
        if persona is None:
            return "好，人设恢复成默认的了。"
        return _PERSONA_KEPT[self._model_status()]


_AMENDED_WITHIN = 120.0
"""Seconds in which a member amends the quiet hours they set."""


def _quote(line: LedgerMessage | None) -> str:
    """The beginning of a line, so that its decision is known from the others'; nothing of a recalled one."""
    if line is None or line.recalled:
        return ""
    words = " ".join(word for word in line.text.split() if not word.startswith("@"))
    return f"「{one_line(words, _QUOTED)}」" if words else ""


def _in_help(spec: AgentSpec) -> str:
    """An agent of another plugin in one line, as ours are shown."""
    examples = [example for intent in spec.intents for example in intent.examples][:2]
    said = "".join(f"「{example}」" for example in examples) or spec.intents[0].description
    return f"{spec.name}{said}"


_PRESENCE = {
    PresenceState.ABSENT: "没人叫我",
    PresenceState.FAMILIAR: "刚凑了个热闹",
    PresenceState.SUMMONED: "有人正叫我",
    PresenceState.OBSERVING: "刚聊过，还留意着",
}
_MODEL = {"ok": "模型正常", "offline": "没接模型"}
_TROUBLE = "连不上"
_PERSONA_KEPT = {
    "ok": "好，人设改好了，下一句就照这个来。",
    "offline": "人设记下了，我能聊天了就照这个来。",
    "failing": "人设记下了，等我能聊天了就照这个来。",
}
_WITH_WORD: dict[WordKind, str] = {
    "wake": "以后喊「{}」就是叫我",
    "silence": "以后单独说「{}」我就安静",
}
_LABELS = {each.value: each.label for each in PresenceState}
_TRIGGERS = {
    "summon": "有人叫我",
    "answer": "有人回答我",
    "order": "有人吩咐我",
    "echo": "复读",
    "dense": "聊得热闹",
    "overheard": "旁听",
    "chat": "闲聊",
}
