"""记忆: what is remembered of who looks, item by item; and forgotten."""

from __future__ import annotations

from datetime import datetime

from ...operations import memory
from ...operations.actor import Actor
from ...storage.memories import Memory
from ...storage.records import Conversation
from .panel import Draw, Panel, doing
from .parts import Act, box, button, empty, heading, sure, text
from .visit import Visit
from .wording import moment

MOST = 200
KINDS = {"digest": "聊过的", "summary": "办过的"}


async def page(visit: Visit) -> None:
    """Draw it."""
    panel = Panel(visit, lambda a, p: _load(visit, a, p, panel))
    await panel.show()
    await Panel(visit, lambda _, p: _facts(visit, p)).show()


async def _facts(visit: Visit, place: Conversation) -> Draw:
    found = await visit.office.storage.facts.of(place)

    def draw() -> None:
        with box("mi-card"):
            heading("记得群里的")
            if not found:
                empty("群里还没让我记住什么。", "秘书 记住 WiFi密码是 12345678")
            with box("mi-list"):
                for each in reversed(found):
                    at = datetime.fromtimestamp(each.at, visit.office.zone)
                    with box("mi-item"), box("mi-what"):
                        text(each.content)
                        text(f"{each.name} · {moment(at, visit.office.now().date())}", "mi-soft")
            if found:
                text("要忘掉，在群里说，比如「秘书 忘掉WiFi密码」。", "mi-soft")

    return draw


async def _load(visit: Visit, actor: Actor, place: Conversation, panel: Panel) -> Draw:
    found: list[Memory] = []
    if visit.me is not None:
        page = await memory.listed(visit.office, actor, visit.me, group_id=place.peer, limit=MOST, after=None)
        found = list(page.rows)

    async def forget(item: str | None) -> None:
        if item is not None and not await sure("忘掉这一条？删了找不回来。", "忘掉"):
            return

        async def work(actor: Actor, place: Conversation, yes: bool) -> None:
            assert visit.me is not None
            await memory.forget(visit.office, actor, visit.me, group_id=place.peer, item=item, confirm=yes)

        if await doing(visit, work, "忘掉了"):
            await panel.show()

    def draw() -> None:
        with box("mi-card"):
            with box("mi-row mi-between"):
                heading("记得我的")
                if found:
                    button("全部忘掉", lambda: forget(None), "mi-danger")
            if visit.me is None:
                text("先在设置里选好替谁看。", "mi-soft")
            elif not found:
                empty("还没记住什么。和秘书办几件事、聊一会儿，这里就有了。", "秘书 我下周的安排有哪些")
            with box("mi-list"):
                for each in found:
                    _item(visit, each, lambda item=each.id: forget(item))
            text("这里只有在这个群里的。要连任务、账目一起删，在群里说「/秘书 忘记我」。", "mi-soft")

    return draw


def _item(visit: Visit, each: Memory, forget: Act) -> None:
    at = datetime.fromtimestamp(each.at, visit.office.zone)
    with box("mi-item"):
        with box("mi-what"):
            text(each.text)
            text(f"{KINDS.get(each.kind, '')} · {moment(at, visit.office.now().date())}", "mi-soft")
        button("忘掉", forget, title=f"忘掉：{each.text[:20]}")
