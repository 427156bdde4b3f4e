"""记忆: what is remembered of who looks, item by item, and of the group: corrected, and forgotten."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime

from nicegui import ui

from ...operations import memory
from ...operations.actor import Actor
from ...storage.facts import Fact
from ...storage.memories import Memory
from ...storage.records import Conversation
from .panel import Draw, Panel, doing
from .parts import Act, box, button, empty, form, heading, sure, text
from .visit import Visit
from .wording import moment

MOST = 200
KINDS = {"digest": "聊过的", "summary": "办过的"}


async def page(visit: Visit) -> None:
    """Draw it."""
    panel = Panel(visit, lambda a, p: _load(visit, a, p, panel))
    await panel.show()
    facts = Panel(visit, lambda a, p: _facts(visit, a, p, facts))
    await facts.show()


async def _facts(visit: Visit, actor: Actor, place: Conversation, panel: Panel) -> Draw:
    found = await memory.facts(visit.office, place)

    async def correct(fact: Fact) -> None:
        async def keep(said: str) -> bool:
            async def work(actor: Actor, place: Conversation, _: bool) -> None:
                await memory.correct_fact(visit.office, actor, place, fact, said, user_id=visit.me)

            return await doing(visit, work, "改好了")

        if await _corrected(fact.content, keep):
            await panel.show()

    async def forget(fact: Fact) -> None:
        async def work(actor: Actor, place: Conversation, yes: bool) -> None:
            await memory.forget_fact(visit.office, actor, place, fact, user_id=visit.me, confirm=yes)

        if await doing(visit, work, "忘掉了"):
            await panel.show()

    def draw() -> None:
        with box("mi-card"):
            heading("记得群里的")
            if not found:
                empty("群里还没让我记住什么。", "秘书 记住 WiFi密码是 12345678")
            with box("mi-list"):
                for each in found:
                    at = datetime.fromtimestamp(each.at, visit.office.zone)
                    with box("mi-item"):
                        with box("mi-what"):
                            text(each.content)
                            text(f"{each.name} · {moment(at, visit.office.now().date())}", "mi-soft")
                        if visit.me is not None and (visit.governs or visit.me == each.user_id):
                            name = each.content[:20]
                            button("改", lambda each=each: correct(each), title=f"改：{name}")
                            button("忘掉", lambda each=each: forget(each), "mi-danger", title=f"忘掉：{name}")

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

    async def correct(item: Memory) -> None:
        async def keep(said: str) -> bool:
            async def work(actor: Actor, place: Conversation, _: bool) -> None:
                assert visit.me is not None
                where = place.peer
                await memory.correct(visit.office, actor, visit.me, group_id=where, item=item.id, text=said)

            return await doing(visit, work, "改好了")

        if await _corrected(item.text, keep):
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
                    _item(visit, each, lambda item=each: correct(item), lambda item=each.id: forget(item))
            text("这里只有在这个群里的。要连任务、账目一起删，在群里说「/秘书 忘记我」。", "mi-soft")

    return draw


async def _corrected(kept: str, keep: Callable[[str], Awaitable[bool]]) -> bool:
    """Ask for other words, and keep them; whether anything is different."""
    inputs: list[ui.textarea] = []

    def draw() -> None:
        one = ui.textarea(value=kept).props(f"outlined autogrow maxlength={memory.LONGEST}")
        one.classes("mi-field").props["aria-label"] = "应该是"
        inputs.append(one)

    return await form("应该是什么", draw, lambda: keep(str(inputs[0].value or "")))


def _item(visit: Visit, each: Memory, correct: Act, forget: Act) -> None:
    at = datetime.fromtimestamp(each.at, visit.office.zone)
    with box("mi-item"):
        with box("mi-what"):
            text(each.text)
            text(f"{KINDS.get(each.kind, '')} · {moment(at, visit.office.now().date())}", "mi-soft")
        button("改", correct, title=f"改：{each.text[:20]}")
        button("忘掉", forget, "mi-danger", title=f"忘掉：{each.text[:20]}")
