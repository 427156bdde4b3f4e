"""记录: what was said in the group, searched, and summed up."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Final

from nicegui import ui

from ...operations.actor import Actor
from ...storage.records import Conversation
from ..record_routes import RecordBackend
from .panel import Draw, Panel
from .parts import box, button, empty, heading, once, text
from .visit import Visit
from .wording import moment

MOST: Final = 50
SPANS: Final = {1: "今天", 7: "七天", 30: "三十天"}


async def page(visit: Visit, backend: RecordBackend) -> None:
    """Draw it."""
    state: dict[str, int | str] = {"days": 1, "words": ""}

    async def search(actor: Actor, place: Conversation) -> Draw:
        words = str(state["words"]).split()[:10]
        came = await backend.came(place, actor.user_id) if not actor.is_owner else None
        lines = await backend.record_lines(
            place, words=words, user_id=None, since=came, until=None, limit=MOST
        )

        def draw() -> None:
            with box("mi-card"):
                heading("找到的" if words else "最近的")
                if not lines:
                    empty("没有找到。换个词，或者少写一个。" if words else "群里还没有人说过话。")
                today = visit.office.now().date()
                with box("mi-list"):
                    for each in lines or ():
                        at = datetime.fromtimestamp(each.time, visit.office.zone)
                        with box("mi-item"), box("mi-what"):
                            text(each.text)
                            text(f"{each.name} · {moment(at, today)}", "mi-soft")

        return draw

    async def digest(actor: Actor, place: Conversation) -> Draw:
        now = visit.office.now()
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        since = midnight - timedelta(days=int(state["days"]) - 1)
        came = await backend.came(place, actor.user_id) if not actor.is_owner else None
        first = max(since.timestamp(), came or 0.0)
        told = await backend.record_digest(place, since=first, until=now.timestamp())

        def draw() -> None:
            with box("mi-card"):
                heading("总结")
                with box("mi-row"):
                    for days, name in SPANS.items():
                        button(name, lambda days=days: over(days), "mi-on" if days == state["days"] else "")
                if not told:
                    empty("这段时间没有什么可总结的。")
                for sentence, lines in told or ():
                    text(sentence)
                    text(f"出自 {len(lines)} 条消息", "mi-soft")

        return draw

    async def over(days: int) -> None:
        state["days"] = days
        await summed.show()

    async def find() -> None:
        state["words"] = str(words.value or "")
        await found.show()

    with box("mi-card"), box("mi-row tight"):
        words = ui.input(placeholder="找说过的话，空格隔开几个词").props("outlined dense maxlength=100")
        words.classes("mi-field mi-grow").props["aria-label"] = "找什么"
        words.on("keydown.enter", once(find))
        button("找", find, "mi-primary")
    with box("mi-two"):
        found, summed = Panel(visit, search), Panel(visit, digest)
    await asyncio.gather(found.show(), summed.show())
