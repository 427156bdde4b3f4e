"""记忆: memories of the visitor and facts of the group: corrected, forgotten."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime

from nicegui import ui

from ...services import memory, record
from ...services.access.actor import Actor, Write
from ...storage.memory.memories import Memory
from ...storage.record.facts import Fact
from ...storage.records import Conversation
from .elements.panel import Panel, perform
from .elements.parts import Act, ask_confirmation, box, button, card, empty, form, heading, text
from .elements.person import draw_person_choice
from .elements.wording import moment
from .shell.visit import Visit

MOST = 200


async def draw_memory_page(visit: Visit) -> None:
    if visit.actor.is_owner:
        with box("mi-card"):
            await draw_person_choice(visit, "看谁的")
    await Panel(visit, _draw_memories).show()
    await Panel(visit, _draw_facts).show()


async def _draw_facts(panel: Panel, actor: Actor, place: Conversation) -> None:
    visit, office = panel.visit, panel.visit.office
    found = await memory.list_facts(office, place)
    ids = [each.message_id for each in found]
    since = None if actor.is_owner else await visit.backend.came(place, actor.user_id)
    sources = {each.message_id: each for each in await record.list_lines(office, place, ids, since=since)}

    async def correct(fact: Fact) -> None:
        def keep(said: str) -> Awaitable[bool]:
            return perform(
                visit, lambda write, place: memory.correct_fact(office, write, place, fact, said), "改好了"
            )

        if await _edit_text(fact.content, keep):
            await panel.show()

    def draw_fact(fact: Fact) -> None:
        at = moment(datetime.fromtimestamp(fact.at, office.zone), office.now().date())
        with box("mi-item mi-stack"):
            with box("mi-what"):
                text(fact.content)
                text(f"{fact.name}说的，{at}", "mi-soft")
                if (line := sources.get(fact.message_id)) is not None:
                    with box("mi-rests", "details"):
                        text("原话", tag="summary")
                        text(f"「{line.text}」")
            if visit.me is not None and (visit.governs or visit.me == fact.user_id):
                _draw_buttons(
                    fact.content,
                    lambda: correct(fact),
                    lambda: panel.perform(
                        lambda write, place: memory.forget_fact(office, write, place, fact), "忘掉了"
                    ),
                )

    with card("记得群里的"):
        if not found:
            empty("群里还没让我记住什么。", "秘书 记住 WiFi密码是 12345678")
        with box("mi-list"):
            for each in found:
                draw_fact(each)


async def _draw_memories(panel: Panel, actor: Actor, place: Conversation) -> None:
    visit, office, me = panel.visit, panel.visit.office, panel.visit.me
    found: list[Memory] = []
    waiting = await memory.find_open_tasks(office)
    if me is not None:
        page = await memory.list_memories(office, actor, me, group_id=place.peer, limit=MOST, after=None)
        found = sorted(page.rows, key=lambda each: each.at, reverse=True)

    async def forget(item: str | None) -> None:
        if item is not None and not await ask_confirmation("忘掉这一条？删了找不回来。", "忘掉"):
            return

        async def forget_memory(write: Write, place: Conversation) -> None:
            assert write.person is not None
            await memory.forget(
                office, write.actor, write.person, group_id=place.peer, item=item, confirm=write.confirm
            )

        await panel.perform(forget_memory, "忘掉了")

    async def correct(item: Memory) -> None:
        async def keep(said: str) -> bool:
            async def correct_memory(write: Write, place: Conversation) -> None:
                assert write.person is not None
                await memory.correct(
                    office, write.actor, write.person, group_id=place.peer, item=item.id, text=said
                )

            return await perform(visit, correct_memory, "改好了")

        if await _edit_text(memory.format_memory(item, waiting).sentence, keep):
            await panel.show()

    def draw_memory(item: Memory) -> None:
        told = memory.format_memory(item, waiting)
        at = moment(datetime.fromtimestamp(item.at, office.zone), office.now().date())
        if item.kind == "digest":
            source = f"从前聊过的话里总结的，到{at}为止"
        else:
            source = f"{at}，你说：「{told.rests_on}」" if told.rests_on else f"{at}记下的"
        with box("mi-item mi-stack"):
            with box("mi-what"):
                text(told.sentence)
                text(source, "mi-soft")
            _draw_buttons(told.sentence, lambda: correct(item), lambda: forget(item.id))

    with box("mi-card"):
        with box("mi-row mi-between"):
            heading("记得我的")
            if found:
                button("全部忘掉", lambda: forget(None), "mi-danger")
        if me is None:
            text("先在上面选好是谁的。", "mi-soft")
        elif not found:
            empty("还没记住什么。和秘书办几件事、聊一会儿，这里就有了。", "秘书 我下周的安排有哪些")
        with box("mi-list"):
            for each in found:
                draw_memory(each)
        all_of_it = f"在群里说「{office.command} 忘记我」"
        text(f"这里只有在这个群里的。要连任务、账目一起删，{all_of_it}。", "mi-soft")


def _draw_buttons(content: str, correct: Act, forget: Act) -> None:
    with box("mi-acts"):
        button("改", correct, title=f"改：{content[:20]}")
        button("忘掉", forget, "mi-danger", title=f"忘掉：{content[:20]}")


async def _edit_text(kept: str, keep: Callable[[str], Awaitable[bool]]) -> bool:
    """Form for another text; returns True if it was changed."""
    inputs: list[ui.textarea] = []

    def draw_fields() -> None:
        one = ui.textarea(value=kept).props(f"outlined autogrow maxlength={memory.LONGEST}")
        one.classes("mi-field").props["aria-label"] = "应该是"
        inputs.append(one)

    return await form("应该是什么", draw_fields, lambda: keep(str(inputs[0].value or "")))
