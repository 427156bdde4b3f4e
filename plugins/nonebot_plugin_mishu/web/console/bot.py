"""机器人: accounts, groups and health, for the owner; and a backup at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ...operations.actor import Actor, sees_bot
from ...operations.refusals import forbidden
from ...storage.records import Conversation
from .panel import Draw, Panel, doing
from .parts import box, button, heading, text
from .visit import Visit

LLM = {"off": "没接", "ok": "正常", "down": "连不上"}


async def page(visit: Visit, back_up: Callable[[], Awaitable[str]] | None = None) -> None:
    """Draw it. `back_up` makes a backup and says where it lies."""
    await Panel(visit, lambda a, p: _load(visit, a, back_up), ("presence",)).show()


async def _load(visit: Visit, actor: Actor, back_up: Callable[[], Awaitable[str]] | None) -> Draw:
    if not sees_bot(actor):
        raise forbidden()
    health = await visit.backend.health()
    said: list[str] = []

    async def now() -> None:
        async def work(actor: Actor, place: Conversation, _: bool) -> None:
            if not sees_bot(actor) or back_up is None:
                raise forbidden()
            said.append(await back_up())

        if await doing(visit, work):
            from .parts import tell

            tell(f"备份好了：{said[-1]}")

    def draw() -> None:
        with box("mi-card"):
            heading("状态")
            facts = {
                "版本": health.version,
                "账号": "、".join(health.bots) or "没有连上的",
                "模型": LLM[health.llm],
                "数据库": "正常" if health.database == "ok" else "连不上",
            }
            with box("mi-facts"):
                for name, value in facts.items():
                    text(name)
                    text(value)
            if back_up is not None:
                with box("mi-row"):
                    button("现在备份", now, "mi-primary")
        with box("mi-card"):
            heading("群")
            with box("mi-list"):
                for group in visit.groups:
                    with box("mi-item"):
                        with box("mi-what"):
                            text(group.name or f"群 {group.id}")
                            text(f"{group.id} · {group.member_count} 人", "mi-soft")
                        text(
                            "启用" if group.enabled else "没启用",
                            "mi-tag good" if group.enabled else "mi-tag warn",
                        )
            text("哪些群启用由 MISHU__GROUPS__MODE 和 MISHU__GROUPS__IDS 定，改了要重启。", "mi-soft")

    return draw
