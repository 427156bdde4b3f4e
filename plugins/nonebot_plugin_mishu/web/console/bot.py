"""机器人: accounts, health, groups, backups and the end of the log, for the owner."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.metadata import version
from platform import python_version

from nicegui import ui

from ...services import groups
from ...services.access import owner_choices
from ...services.access.actor import Actor, sees_bot
from ...services.groups import GroupEntry
from ...services.refusals import forbidden
from ...storage.records import Conversation
from .elements.panel import Draw, Panel, perform
from .elements.parts import box, button, empty, heading, once, show_notice, text
from .shell.bot_actions import Caretaker
from .shell.visit import Visit

LLM = {"off": "没接", "ok": "正常", "down": "连不上"}


async def draw_bot_page(visit: Visit, caretaker: Caretaker | None = None) -> None:
    """Draw the page 机器人."""
    if not sees_bot(visit.actor):
        with box("mi-card"):
            text("这一页给机器人的主人看。", "mi-soft")
        return

    def show_part(load: Callable[[Panel], Awaitable[Draw]], *kinds: str) -> Panel:
        def load_part(actor: Actor, _: Conversation) -> Awaitable[Draw]:
            if not sees_bot(actor):
                raise forbidden()
            return load(panel)

        panel = Panel(visit, load_part, kinds)
        return panel

    with box("mi-two"):
        panels = [
            show_part(lambda _: _load_health(visit)),
            show_part(lambda panel: _load_groups(visit, panel)),
        ]
        if caretaker is not None:
            panels.append(show_part(lambda panel: _load_backups(visit, caretaker, panel)))
            panels.append(show_part(lambda panel: _load_log(caretaker, panel)))
    for each in panels:
        await each.show()


async def _load_health(visit: Visit) -> Draw:
    health = await visit.backend.health()

    def draw_health() -> None:
        with box("mi-card"):
            heading("状态")
            facts = {
                "版本": f"{health.version}，NoneBot {version('nonebot2')}，Python {python_version()}",
                "账号": "、".join(health.bots) or "没有连上的",
                "模型": health.trouble or LLM[health.llm],
                "数据库": "正常" if health.database == "ok" else "连不上",
            }
            with box("mi-facts"):
                for name, value in facts.items():
                    text(name)
                    text(value)

    return draw_health


async def _load_groups(visit: Visit, panel: Panel) -> Draw:
    found = await groups.list_groups(visit.office, await visit.require_actor(), limit=200, after=None)

    async def switch_group(group: GroupEntry, on: bool) -> None:
        async def enable_group(actor: Actor, place: Conversation, _: bool) -> None:
            await owner_choices.enable_group(visit.office, actor, group.id, on)

        await perform(
            visit,
            enable_group,
            f"{group.name or group.id}：{'启用了' if on else '停用了，那里说的话不听也不记'}",
        )
        await panel.show()

    def draw_groups() -> None:
        with box("mi-card"):
            heading("群")
            with box("mi-list"):
                for group in found.rows:
                    with box("mi-item"):
                        with box("mi-what"):
                            text(group.name or f"群 {group.id}")
                            text(f"{group.id} · {group.member_count} 人", "mi-soft")
                        one = ui.switch("启用", value=group.enabled).props(f'aria-label="启用 {group.id}"')
                        one.on_value_change(
                            lambda event, group=group: once(lambda: switch_group(group, bool(event.value)))()
                        )
            text("没在这里动过的群，照配置文件里写的来。", "mi-soft")

    return draw_groups


async def _load_backups(visit: Visit, caretaker: Caretaker, panel: Panel) -> Draw:
    found = await caretaker.backups()

    async def back_up_now() -> None:
        made: list[str] = []

        async def create_backup(actor: Actor, place: Conversation, _: bool) -> None:
            if not sees_bot(actor):
                raise forbidden()
            made.append(await caretaker.back_up())

        if await perform(visit, create_backup):
            show_notice(f"备份好了：{made[-1]}")
            await panel.show()

    def draw_backups() -> None:
        with box("mi-card"):
            with box("mi-row mi-between"):
                heading("备份")
                button("现在备份", back_up_now, "mi-primary", sign="backup")
            if not found:
                empty("还没有备份。想每天自动备份，在配置文件里写好几点。")
            with box("mi-list"):
                for each in found[:7]:
                    text(each, "mi-item")

    return draw_backups


async def _load_log(caretaker: Caretaker, panel: Panel) -> Draw:
    lines = caretaker.log()

    def draw_log() -> None:
        with box("mi-card"):
            with box("mi-row mi-between"):
                heading("日志")
                button("再看看", panel.show, sign="refresh")
            if not lines:
                empty("日志里还没有要紧的。")
            with box("mi-log"):
                for line in lines:
                    text(line)

    return draw_log
