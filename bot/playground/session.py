"""The playground while somebody looks at it: one world, one connection to the bot, one watch on the desk.

It begins with the first page and ends some seconds after the last one is gone. It owns every task it
starts; `close` waits for all of them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from nonebot.log import logger

from . import events, history
from .desk import Desk
from .events import Event
from .group import SELF_ID, Change, Group, Message, Segment, World, first_world
from .onebot import Link
from .settings import Settings

if TYPE_CHECKING:
    from nonebot_plugin_mishu.llm import ModelSimulator, PracticeMode

LINGER = 5.0
"""Seconds the connection stays after the last page: a reload does not end it."""

KEEP_EVERY = 1.0
"""Seconds between looks whether there is something to write down."""

Refresh = Callable[[], None]


class Session:
    """The one simulated QQ behind all open pages, and what can be done in it."""

    def __init__(
        self,
        settings: Settings,
        *,
        practice: ModelSimulator | None = None,
        linger: float = LINGER,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.settings = settings
        self.practice = practice
        self.world: World = first_world(settings.bot_name, clock=wall)
        self._file = settings.data_dir / history.NAME if settings.data_dir is not None else None
        self._changed = False
        if self._file is not None and (trouble := history.restore(self.world, self._file)) is not None:
            logger.warning(trouble)
        self.desk = Desk(
            f"http://{settings.authority}", token=settings.web_token, on_change=lambda _: self._refresh()
        )
        self.link = Link(
            self.world,
            f"ws://{settings.authority}/onebot/v11/ws",
            access_token=settings.access_token,
            on_status=self._refresh,
        )
        self._linger = linger
        self._pages = 0
        self._occupied = asyncio.Event()
        self._empty = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._watching: dict[int, asyncio.Task[None]] = {}
        self._refreshers: list[Refresh] = []
        self.world.listen(self._on_change)

    # -- life ----------------------------------------------------------------------------------------------

    def enter(self, refresh: Refresh) -> Callable[[], None]:
        """A page opened: `refresh` is called when the desk or the connection changed. Returns its leaving."""
        self._pages += 1
        self._refreshers.append(refresh)
        self._occupied.set()
        self._empty.clear()
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
            self._running.add_done_callback(_report)

        def leave() -> None:
            if refresh in self._refreshers:
                self._refreshers.remove(refresh)
                self._pages -= 1
                if self._pages == 0:
                    self._occupied.clear()
                    self._empty.set()

        return leave

    @property
    def running(self) -> bool:
        """True if the connection is being kept up."""
        return self._running is not None and not self._running.done()

    async def close(self) -> None:
        """End everything now."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait({self._running})

    async def _run(self) -> None:
        tasks = [asyncio.create_task(self.link.run()), asyncio.create_task(self.desk.check())]
        tasks.append(asyncio.create_task(self._keep()))
        self._watching = {each: self._watch(each) for each in self.world.groups}
        leaving = asyncio.create_task(self._deserted())
        try:
            done, _ = await asyncio.wait({leaving, *tasks}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self.practise("off")  # a fault nobody watches is none we made
            tasks += [leaving, *self._watching.values()]
            self._watching = {}
            for task in tasks:
                task.cancel()
            await asyncio.wait(set(tasks))
            self._write()

    async def _keep(self) -> None:
        """Write down what was said, some moments after it."""
        while True:
            await asyncio.sleep(KEEP_EVERY)
            self._write()

    def _write(self) -> None:
        if self._file is None or not self._changed:
            return
        self._changed = False
        try:
            history.write(self._file, history.kept(self.world))
        except OSError as error:
            logger.warning(f"试用台的聊天记录没能存下：{error.strerror}")

    async def _deserted(self) -> None:
        """Until no page has been open for a while."""
        while True:
            await self._empty.wait()
            try:
                async with asyncio.timeout(self._linger):
                    await self._occupied.wait()
            except TimeoutError:
                return

    def _watch(self, group_id: int) -> asyncio.Task[None]:
        task = asyncio.create_task(self.desk.watch(group_id))
        task.add_done_callback(_report)
        return task

    def _on_change(self, change: Change) -> None:
        self._changed = True
        if change.kind == "groups" and self.running and change.group_id not in self._watching:
            self._watching[change.group_id] = self._watch(change.group_id)

    def _refresh(self) -> None:
        for refresh in tuple(self._refreshers):
            refresh()

    def practise(self, mode: PracticeMode, seconds: float = 0.0) -> None:
        """Give the bot's model a fault, for our groups alone; it ends with the last page."""
        if self.practice is not None:
            self.practice.switch(mode, account=str(SELF_ID), seconds=seconds)
            self._refresh()

    # -- what people do ------------------------------------------------------------------------------------

    async def _tell(self, group: Group, event: Event) -> bool:
        """True if the bot knows of it as well as it should: of a group it is not in it hears nothing."""
        return not group.bot_inside or await self.link.emit(event)

    async def say(self, group: Group, user_id: int, segments: list[Segment]) -> Message:
        """A member says something; it is marked where the bot could not be told."""
        message = self.world.say(group, user_id, segments)
        if not await self._tell(group, events.group_message(self.world, message)):
            message.delivered = False
            self.world.touch(message)
        return message

    async def recall(self, message: Message, operator_id: int) -> None:
        """A member takes a message back."""
        self.world.recall(message, operator_id)
        group = self.world.groups[message.group_id]
        await self._tell(group, events.group_recall(self.world, message, operator_id))

    async def poke(self, group: Group, user_id: int) -> None:
        """A member pokes the bot."""
        name = self.world.name_of(group, user_id)
        self.world.note(group, f"{name} 戳了戳 {self.world.bot_name}")
        await self._tell(group, events.poke(self.world, group, user_id, SELF_ID))

    async def join(self, group: Group, operator_id: int) -> int:
        """Somebody comes into the group; who."""
        member = self.world.join(group)
        await self._tell(group, events.increase(self.world, group, member.user_id, operator_id))
        return member.user_id

    async def leave(self, group: Group, user_id: int) -> None:
        """A member leaves."""
        self.world.leave(group, user_id)
        await self._tell(group, events.decrease(self.world, group, user_id, user_id))

    async def mute_bot(self, group: Group, operator_id: int, seconds: int) -> None:
        """The bot may not speak for so long; 0 lifts it."""
        self.world.mute_bot(group, operator_id, seconds)
        await self._tell(group, events.bot_mute(self.world, group, operator_id, seconds))

    async def promote_bot(self, group: Group) -> None:
        """The bot becomes an admin, or an ordinary member again."""
        self.world.set_bot(group, role="member" if group.bot_role == "admin" else "admin")
        await self._tell(group, events.admin(self.world, group, SELF_ID))

    async def promote(self, group: Group, user_id: int) -> None:
        """A member becomes an admin, or an ordinary member again."""
        role = "member" if group.members[user_id].role == "admin" else "admin"
        self.world.set_role(group, user_id, role)
        await self._tell(group, events.admin(self.world, group, user_id))

    async def invite_bot(self, group: Group, operator_id: int) -> None:
        """The bot is taken into the group."""
        self.world.set_bot(group, inside=True)
        await self._tell(group, events.increase(self.world, group, SELF_ID, operator_id))

    async def remove_bot(self, group: Group, operator_id: int) -> None:
        """The bot is put out of the group."""
        self.world.set_bot(group, inside=False)
        await self.link.emit(events.decrease(self.world, group, SELF_ID, operator_id))

    async def found_group(self, name: str) -> Group:
        """A new group into which the bot is invited."""
        group = self.world.found_group(name, [("林晓", "owner"), ("小雅", "member"), ("阿凯", "member")])
        self.world.note(group, f"{self.world.bot_name} 被邀请进了本群")
        await self._tell(group, events.increase(self.world, group, SELF_ID, next(iter(group.members))))
        return group


def _report(task: asyncio.Task[None]) -> None:
    """An end nobody asked for is told in the log."""
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.opt(exception=error).error("试用台的一个任务出错了")
