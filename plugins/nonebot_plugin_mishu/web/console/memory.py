"""记忆: memories of the visitor and facts of the group: corrected, forgotten."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from datetime import datetime

from nicegui import ui

from ...services import memory, record
from ...services.access.actor import Actor
from ...storage.memory.memories import Memory
from ...storage.record.facts import Fact
from ...storage.records import Conversation, LedgerMessage
from .elements.panel import Draw, Panel, perform
from .elements.parts import Act, ask_confirmation, box, button, empty, form, heading, text
from .elements.person import draw_person_choice
from .elements.wording import moment
from .shell.visit import Visit

MOST = 200


async def draw_memory_page(visit: Visit) -> None:
    """Draw the page 记忆."""
    if visit.actor.is_owner:
        with box("mi-card"):
            await draw_person_choice(visit, "看谁的")
    panel = Panel(visit, lambda a, p: _load_memories(visit, a, p, panel))
    await panel.show()
    facts = Panel(visit, lambda a, p: _load_facts(visit, a, p, facts))
    await facts.show()


async def _load_facts(visit: Visit, actor: Actor, place: Conversation, panel: Panel) -> Draw:
    found = await memory.list_facts(visit.office, place)
    ids = [each.message_id for each in found]
    since = None if actor.is_owner else await visit.backend.came(place, actor.user_id)
    rests_on = {
        each.message_id: each for each in await record.list_lines(visit.office, place, ids, since=since)
    }

    async def correct(fact: Fact) -> None:
        async def keep(said: str) -> bool:
            async def correct_fact(actor: Actor, place: Conversation, _: bool) -> None:
                await memory.correct_fact(visit.office, actor, place, fact, said, user_id=visit.me)

            return await perform(visit, correct_fact, "改好了")

        if await _edit_text(fact.content, keep):
            await panel.show()

    async def forget(fact: Fact) -> None:
        async def forget_fact(actor: Actor, place: Conversation, yes: bool) -> None:
            await memory.forget_fact(visit.office, actor, place, fact, user_id=visit.me, confirm=yes)

        if await perform(visit, forget_fact, "忘掉了"):
            await panel.show()

    def draw_facts() -> None:
        today = visit.office.now().date()
        with box("mi-card"):
            heading("记得群里的")
            if not found:
                empty("群里还没让我记住什么。", "秘书 记住 WiFi密码是 12345678")
            with box("mi-list"):
                for each in found:
                    at = datetime.fromtimestamp(each.at, visit.office.zone)
                    with box("mi-item mi-stack"):
                        with box("mi-what"):
                            text(each.content)
                            text(f"{each.name}说的，{moment(at, today)}", "mi-soft")
                            here = rests_on.get(each.message_id)
                            if here is not None:
                                _draw_source(here)
                        if visit.me is not None and (visit.governs or visit.me == each.user_id):
                            name = each.content[:20]
                            with box("mi-acts"):
                                button("改", lambda each=each: correct(each), title=f"改：{name}")
                                button(
                                    "忘掉", lambda each=each: forget(each), "mi-danger", title=f"忘掉：{name}"
                                )

    return draw_facts


async def _load_memories(visit: Visit, actor: Actor, place: Conversation, panel: Panel) -> Draw:
    found: list[Memory] = []
    waiting = await memory.find_open_tasks(visit.office)
    if visit.me is not None:
        page = await memory.list_memories(
            visit.office, actor, visit.me, group_id=place.peer, limit=MOST, after=None
        )
        found = list(page.rows)

    async def forget(item: str | None) -> None:
        if item is not None and not await ask_confirmation("忘掉这一条？删了找不回来。", "忘掉"):
            return

        async def forget_memory(actor: Actor, place: Conversation, yes: bool) -> None:
            assert visit.me is not None
            await memory.forget(visit.office, actor, visit.me, group_id=place.peer, item=item, confirm=yes)

        if await perform(visit, forget_memory, "忘掉了"):
            await panel.show()

    async def correct(item: Memory) -> None:
        async def keep(said: str) -> bool:
            async def correct_memory(actor: Actor, place: Conversation, _: bool) -> None:
                assert visit.me is not None
                where = place.peer
                await memory.correct(visit.office, actor, visit.me, group_id=where, item=item.id, text=said)

            return await perform(visit, correct_memory, "改好了")

        if await _edit_text(memory.format_memory(item, waiting).sentence, keep):
            await panel.show()

    found.sort(key=lambda each: each.at, reverse=True)

    def draw_memories() -> None:
        with box("mi-card"):
            with box("mi-row mi-between"):
                heading("记得我的")
                if found:
                    button("全部忘掉", lambda: forget(None), "mi-danger")
            if visit.me is None:
                text("先在上面选好是谁的。", "mi-soft")
            elif not found:
                empty("还没记住什么。和秘书办几件事、聊一会儿，这里就有了。", "秘书 我下周的安排有哪些")
            with box("mi-list"):
                for each in found:
                    _draw_memory(
                        visit,
                        each,
                        waiting,
                        lambda item=each: correct(item),
                        lambda item=each.id: forget(item),
                    )
            all_of_it = f"在群里说「{visit.office.command} 忘记我」"
            text(f"这里只有在这个群里的。要连任务、账目一起删，{all_of_it}。", "mi-soft")

    return draw_memories


async def _edit_text(kept: str, keep: Callable[[str], Awaitable[bool]]) -> bool:
    """Form for another text; returns True if it was changed."""
    inputs: list[ui.textarea] = []

    def draw_fields() -> None:
        one = ui.textarea(value=kept).props(f"outlined autogrow maxlength={memory.LONGEST}")
        one.classes("mi-field").props["aria-label"] = "应该是"
        inputs.append(one)

    return await form("应该是什么", draw_fields, lambda: keep(str(inputs[0].value or "")))


def _draw_memory(visit: Visit, each: Memory, waiting: Collection[str], correct: Act, forget: Act) -> None:
    told = memory.format_memory(each, waiting)
    at = moment(datetime.fromtimestamp(each.at, visit.office.zone), visit.office.now().date())
    if each.kind == "digest":
        rests = f"从前聊过的话里总结的，到{at}为止"
    else:
        rests = f"{at}，你说：「{told.rests_on}」" if told.rests_on else f"{at}记下的"
    with box("mi-item mi-stack"):
        with box("mi-what"):
            text(told.sentence)
            text(rests, "mi-soft")
        with box("mi-acts"):
            button("改", correct, title=f"改：{told.sentence[:20]}")
            button("忘掉", forget, "mi-danger", title=f"忘掉：{told.sentence[:20]}")


def _draw_source(line: LedgerMessage) -> None:
    """Draw the line that is the source of a fact."""
    with box("mi-rests", "details"):
        text("原话", tag="summary")
        text(f"「{line.text}」")
