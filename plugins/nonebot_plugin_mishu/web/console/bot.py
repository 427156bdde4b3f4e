"""机器人: accounts, health, groups, backups and the end of the log, for the owner."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.metadata import version
from platform import python_version

from ...services import groups
from ...services.access import owner_choices
from ...services.access.actor import Actor, Write, sees_bot
from ...services.groups import GroupEntry
from ...services.refusals import forbidden
from ...storage.records import Conversation
from ..backend import Caretaker
from .elements.panel import Panel, perform
from .elements.parts import box, button, card, empty, facts, show_notice, switch, text
from .shell.visit import Visit

LLM = {"off": "没接", "ok": "正常", "down": "连不上"}


async def draw_bot_page(visit: Visit, caretaker: Caretaker | None = None) -> None:
    if not sees_bot(visit.actor):
        with box("mi-card"):
            text("这一页给机器人的主人看。", "mi-soft")
        return

    def make_panel(draw: Callable[[Panel], Awaitable[None]]) -> Panel:
        async def draw_for_owner(panel: Panel, actor: Actor, _: Conversation) -> None:
            if not sees_bot(actor):
                raise forbidden()
            await draw(panel)

        return Panel(visit, draw_for_owner)

    with box("mi-two"):
        panels = [make_panel(_draw_health), make_panel(_draw_groups)]
        if caretaker is not None:
            panels.append(make_panel(lambda panel: _draw_backups(panel, caretaker)))
            panels.append(make_panel(lambda panel: _draw_log(panel, caretaker)))
    for each in panels:
        await each.show()


async def _draw_health(panel: Panel) -> None:
    health = await panel.visit.backend.health()
    with card("状态"):
        facts(
            {
                "版本": f"{health.version}，NoneBot {version('nonebot2')}，Python {python_version()}",
                "账号": "、".join(
                    f"{each}（{health.mute[each]}）" if each in health.mute else each for each in health.bots
                )
                or "没有连上的",
                "模型": health.trouble or LLM[health.llm],
                "数据库": "正常" if health.database == "ok" else "连不上",
            }
        )


async def _draw_groups(panel: Panel) -> None:
    visit = panel.visit
    found = await groups.list_groups(visit.office, await visit.require_actor(), limit=200, after=None)

    async def switch_group(group: GroupEntry, on: bool) -> None:
        await perform(
            visit,
            lambda write, _: owner_choices.enable_group(visit.office, write.actor, group.id, on),
            f"{group.name or group.id}：{'启用了' if on else '停用了，那里说的话不听也不记'}",
        )
        await panel.show()

    with card("群"):
        with box("mi-list"):
            for group in found.rows:
                with box("mi-item"):
                    with box("mi-what"):
                        text(group.name or f"群 {group.id}")
                        text(f"{group.id} · {group.member_count} 人", "mi-soft")
                    title = f"启用 {group.id}"
                    switch(
                        "启用", group.enabled, lambda on, group=group: switch_group(group, on), title=title
                    )
        text("没在这里动过的群，照配置文件里写的来。", "mi-soft")


async def _draw_backups(panel: Panel, caretaker: Caretaker) -> None:
    found = await caretaker.backups()

    async def back_up_now() -> None:
        made: list[str] = []

        async def create_backup(write: Write, place: Conversation) -> None:
            if not sees_bot(write.actor):
                raise forbidden()
            made.append(await caretaker.back_up())

        if await perform(panel.visit, create_backup):
            show_notice(f"备份好了：{made[-1]}")
            await panel.show()

    with card("备份", lambda: button("现在备份", back_up_now, "mi-primary", sign="backup")):
        if not found:
            empty("还没有备份。想每天自动备份，在配置文件里写好几点。")
        with box("mi-list"):
            for each in found[:7]:
                text(each, "mi-item")


async def _draw_log(panel: Panel, caretaker: Caretaker) -> None:
    lines = caretaker.log()
    with card("日志", lambda: button("再看看", panel.show, sign="refresh")):
        if not lines:
            empty("日志里还没有要紧的。")
        with box("mi-log"):
            for line in lines:
                text(line)
