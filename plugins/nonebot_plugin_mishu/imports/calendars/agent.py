"""The agent of imported calendars: addresses to subscribe to, files that were sent, which ones there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...agents import AgentSpec, Clause, Intent, Match, TaskContext, TaskDispatch, TaskResult
from ...language.bringing.reading import Kind, find_address, read_bringing
from ...storage.calendars.queries import CalendarSource
from ..shelf import Shelf
from .day_list import told
from .sources import CalendarSources, Imported, NotImported

CODE: Final = "calendars"
PRIVATELY: Final = "日历是你自己的，地址别发在群里，私聊发给我就行。"
NONE_YET: Final = (
    "你还没有导入日历。把 .ics 文件私聊发给我，或者说「订阅日历 https://…」，日程就能在我这儿看到。"
)
ONLY_YOU: Final = "只有你看得到，别人只知道你忙不忙。"
FILE_GONE: Final = "文件没拿到，再发一次试试。"
SHARE_HERE: Final = "在要公开的群里说「公开日历」，那个群的人就能看到了。"
INTENTS: Final[dict[Kind, str]] = {
    "subscribe": "subscribe",
    "list": "list",
    "cancel": "cancel",
    "share": "share",
    "unshare": "unshare",
    "calendar_file": "import",
}


def rules(clause: Clause) -> Match | None:
    """A line about imported calendars."""
    read = read_bringing(clause.text)
    intent = None if read is None else INTENTS.get(read.kind)
    return None if intent is None else Match(intent, weight=6)


class CalendarSourcesAgent:
    """Takes calendars in, and tells which ones there are. All of it is the speaker's own."""

    def __init__(self, sources: CalendarSources, shelf: Shelf) -> None:
        self._sources = sources
        self._shelf = shelf

    def spec(self) -> AgentSpec:
        """The agent, for the registry."""
        return AgentSpec(
            code=CODE,
            name="导入日历",
            own_words=True,
            intents=(
                Intent("subscribe", "订阅一个日历地址", ("订阅日历 https://…",), own_mood=True),
                Intent("list", "自己导入了哪些日历", ("我的日历",), reads_only=True, own_mood=True),
                Intent("cancel", "不再用一个导入的日历", ("取消订阅",), own_mood=True),
                Intent("share", "把自己的日历公开给这个群", ("公开日历",), own_mood=True),
                Intent("unshare", "不再公开", ("日历不公开了",), own_mood=True),
                Intent("import", "发来了一个日历文件", (), own_mood=True),
            ),
            boundary="只管从别处导入的日历：订阅、更新、取消、公开。自己记日程不归它。",
            handler=self.handle,
            rules=rules,
            insertable=True,
            feature="日程",
        )

    async def handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """Do it. Raises `StorageError`: then nothing was done."""
        try:
            said = await self._carry_out(context)
        except NotImported as why:
            return TaskResult(dispatch.task_id, "canceled", user_response=str(why))
        return TaskResult(dispatch.task_id, "completed", user_response=said)

    async def _carry_out(self, context: TaskContext) -> str:
        place, user_id = context.conversation, context.actor.user_id
        read = read_bringing(context.text)
        name = "" if read is None else read.name
        if context.intent in ("share", "unshare"):
            return await self._share(context, name)
        if place.is_group:
            return PRIVATELY
        if context.intent == "subscribe":
            # The address as it was written: a line is read in lower case.
            address = find_address(context.utterance.words) or find_address(context.text) or ""
            done = await self._sources.subscribe(place, user_id, address)
            context.acted("subscribe_calendar", {"name": done.source.name}, {"id": done.source.id})
            return f"{_compose_done(done, context, '订阅好了')}每半小时更新一次。{ONLY_YOU}"
        if context.intent == "import":
            message = context.utterance.message
            file = self._shelf.take(place.self_id, message.message_id)
            if file is None or file.data is None:
                raise NotImported(FILE_GONE)
            done = await self._sources.import_file(place, user_id, file.name, file.data)
            context.acted("import_calendar", {"name": done.source.name}, {"id": done.source.id})
            return f"{_compose_done(done, context, '导入好了')}{ONLY_YOU}"
        found = await self._sources.list_sources(user_id)
        if context.intent == "cancel":
            return await self._cancel(context, found, name)
        return _compose_list(found, context)

    async def _cancel(self, context: TaskContext, found: Sequence[CalendarSource], name: str) -> str:
        meant = _named(found, name)
        if not found:
            return "你没有导入过日历。"
        if len(meant) != 1:
            names = "、".join(f"「{each.name}」" for each in found)
            return f"你有 {len(found)} 个日历：{names}。要删哪个，说「取消订阅 名字」。"
        source = meant[0]
        await self._sources.remove(source)
        context.acted("remove_calendar", {"name": source.name}, {"id": source.id})
        return f"「{source.name}」删掉了，里面的日程也不看了。"

    async def _share(self, context: TaskContext, name: str) -> str:
        place, sharing = context.conversation, context.intent == "share"
        found = await self._sources.list_sources(context.actor.user_id)
        if not found:
            return NONE_YET if not place.is_group else "你还没有导入日历，私聊把 .ics 文件或地址发给我。"
        if not place.is_group and sharing:
            return SHARE_HERE
        meant = _named(found, name) if name in _spelled(found) or len(found) == 1 else list(found)
        for each in meant:
            rest = [group for group in each.shared if group != place.peer] if place.is_group else []
            await self._sources.share(each, [*rest, place.peer] if sharing else rest)
        names = "、".join(f"「{each.name}」" for each in meant)
        context.acted("share_calendar_source", {"shared": sharing}, [each.id for each in meant])
        if sharing:
            return f"好，{names}里的日程这个群看得到了，不想公开了就说「日历不公开」。"
        return f"好，{names}不公开了，别人只知道你忙不忙。"


def _spelled(found: Sequence[CalendarSource]) -> set[str]:
    return {each.name.lower() for each in found}


def _named(found: Sequence[CalendarSource], name: str) -> list[CalendarSource]:
    """Calendars that a name means; the only one without a name."""
    if not name:
        return list(found) if len(found) == 1 else []
    exact = [each for each in found if each.name.lower() == name]
    return exact or [each for each in found if name in each.name.lower() or each.name.lower() in name]


def _compose_done(done: Imported, context: TaskContext, verb: str) -> str:
    counts, source = done.counts, done.source
    changed = [
        f"{word} {number} 个"
        for word, number in (("新加", counts.added), ("改了", counts.changed), ("去掉", counts.deleted))
        if number
    ]
    what = "，".join(changed) if changed else "没有变化"
    skipped = f"，有 {source.skipped} 个读不懂没要" if source.skipped else ""
    coming = f"最近的是 {told(done.coming, context.now)}。" if done.coming is not None else ""
    return f"「{source.name}」{verb}：{what}，现在一共 {source.entries} 个{skipped}。{coming}"


def _compose_list(found: Sequence[CalendarSource], context: TaskContext) -> str:
    if not found:
        return NONE_YET
    lines: list[str] = []
    for number, each in enumerate(found, 1):
        kind = "文件" if each.address is None else "订阅，每半小时更新"
        trouble = f"，更新不了：{each.trouble}" if each.trouble else ""
        shared = f"，公开给 {len(each.shared)} 个群" if each.shared else ""
        lines.append(f"{number}. {each.name}（{kind}，{each.entries} 个日程{shared}{trouble}）")
    return "\n".join(["你导入的日历：", *lines, "不要哪个了就说「取消订阅 名字」。"])
