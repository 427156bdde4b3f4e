"""记录: lines of the group by author and time, with their context; and digests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock
from typing import Final

from nicegui import ui

from ...services import record
from ...services.access.actor import Actor, Write
from ...storage.records import Conversation, LedgerMessage
from .elements.panel import Panel, perform
from .elements.parts import answer_line, box, button, card, empty, field, once, show_notice, tabs, text
from .elements.wording import moment
from .shell.visit import Visit, list_names

MOST: Final = 50
SPANS: Final = {1: "今天", 7: "七天", 30: "三十天"}
ANYBODY: Final = ""
NOBODY: Final = "群里还没有人说过话。"


@dataclass
class RecordState:
    """Filter of the search: words, author, first and last day (both included)."""

    words: str = ""
    user_id: str = ANYBODY
    first: date | None = None
    last: date | None = None
    days: int = 1
    """Over how many days is summed up."""

    @property
    def filtered(self) -> bool:
        """True if a filter is set."""
        return bool(self.words.split() or self.user_id or self.first or self.last)


async def draw_record_page(visit: Visit) -> None:
    state, backend = RecordState(), visit.backend

    async def came(actor: Actor, place: Conversation) -> float:
        """From when on the actor may read what was said."""
        return 0.0 if actor.is_owner else await backend.came(place, actor.user_id) or 0.0

    async def draw_lines(panel: Panel, actor: Actor, place: Conversation) -> None:
        since = max(await came(actor, place), _midnight(visit, state.first) or 0.0)
        found = await backend.record_lines(
            place,
            words=state.words.split()[:10],
            user_id=state.user_id or None,
            since=since or None,
            until=_midnight(visit, None if state.last is None else state.last + timedelta(days=1)),
            limit=MOST,
        )
        with card("找到的" if state.filtered else "最近的"):
            if not found:
                empty("没有找到。换个词、换个人，或者把日子放宽些。" if state.filtered else NOBODY)
            with box("mi-list"):
                for each in found or ():
                    _draw_hit(visit, each, came)
            if found and len(found) >= MOST:
                text(f"只列了最近的 {MOST} 句，把日子或词定窄些能看到更早的。", "mi-soft")

    @contextmanager
    def summary() -> Generator[None]:
        with card("总结"):
            with box("mi-row"):
                tabs(SPANS, state.days, choose_span)
            yield

    def draw_waiting() -> None:
        with summary():
            text("正在总结…", "mi-empty")

    async def draw_digest(panel: Panel, actor: Actor, place: Conversation) -> None:
        now = visit.office.now()
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        first = max((midnight - timedelta(days=state.days - 1)).timestamp(), await came(actor, place))
        digest = await backend.record_digest(place, since=first, until=now.timestamp())
        with summary():
            if not digest:
                empty("这段时间没有什么可总结的。")
            with box("mi-list"):
                for sentence, ids in digest or ():
                    _draw_sentence(visit, sentence, ids, came)

    async def choose_span(days: int) -> None:
        state.days = days
        await digest.show()

    async def find() -> None:
        try:
            state.first, state.last = (
                date.fromisoformat(str(each.value)) if each.value else None for each in (first, last)
            )
        except ValueError:
            show_notice("日期不对", bad=True)
            return
        state.words, state.user_id = str(words.value or ""), str(person.value or ANYBODY)
        await lines.show()

    names = await list_names(visit.office, visit.place)
    with box("mi-card"):
        with box("mi-row tight"):
            words = answer_line("找说过的话，空格隔开几个词", "找什么", lambda _: find(), 100, "mi-grow")
            button("找", find, "mi-primary")
        with box("mi-filter"):
            person = ui.select({ANYBODY: "所有人", **names}, value=ANYBODY, label="谁说的", with_input=True)
            person.props("outlined dense stack-label").classes("mi-field").props["data-mishu"] = "who"
            person.on_value_change(lambda _: once(find)())
            first = field("从哪天", "", kind="date", mark="first")
            last = field("到哪天", "", kind="date", mark="until")
            for each in (first, last):
                each.on("change", once(find))
    with box("mi-two"):
        digest, lines = Panel(visit, draw_digest), Panel(visit, draw_lines)
    digest.later(draw_waiting)
    await lines.show()


_Came = Callable[[Actor, Conversation], Awaitable[float]]


def _midnight(visit: Visit, on: date | None) -> float | None:
    return None if on is None else datetime.combine(on, clock.min, visit.office.zone).timestamp()


def _draw_hit(visit: Visit, line: LedgerMessage, came: _Came) -> None:
    async def load(actor: Actor, place: Conversation) -> Sequence[LedgerMessage]:
        return await record.list_context(visit.office, place, line, since=await came(actor, place))

    with box("mi-item"), box("mi-what"):
        text(line.text)
        with box("mi-line"):
            text(_describe_author(visit, line), "mi-soft")
            opens = button(
                "前后文",
                lambda: _unfold(visit, opens, context, load, line.message_id),
                title=f"前后文：{line.text[:20]}",
            )
        context = box("mi-context")


def _draw_sentence(visit: Visit, sentence: str, ids: Sequence[str], came: _Came) -> None:
    async def load(actor: Actor, place: Conversation) -> Sequence[LedgerMessage]:
        return await record.list_lines(visit.office, place, ids, since=await came(actor, place))

    with box("mi-item"), box("mi-what"):
        with box("mi-line"):
            text(sentence, "mi-what")
            opens = button(
                f"出自 {len(ids)} 条消息",
                lambda: _unfold(visit, opens, context, load),
                title=f"原话：{sentence[:20]}",
            )
        context = box("mi-context")


async def _unfold(
    visit: Visit,
    opens: ui.element,
    context: ui.element,
    load: Callable[[Actor, Conversation], Awaitable[Sequence[LedgerMessage]]],
    hit: str = "",
) -> None:
    """Show the lines of `load`, the one with the id `hit` marked, or hide them again."""
    if context.default_slot.children:
        context.clear()
        opens.props["aria-expanded"] = "false"
        opens.update()
        return
    found: list[LedgerMessage] = []

    async def read(write: Write, place: Conversation) -> None:
        found.extend(await load(write.actor, place))

    await perform(visit, read)
    opens.props["aria-expanded"] = "true"
    opens.update()
    with context:
        for each in found:
            with box(f"mi-said {'mi-hit' if each.message_id == hit else ''}"):
                text(_describe_author(visit, each), "mi-soft")
                text(each.text)
        if not found:
            text("原话已经不在了。", "mi-soft")


def _describe_author(visit: Visit, line: LedgerMessage) -> str:
    at = datetime.fromtimestamp(line.time, visit.office.zone)
    return f"{line.name} · {moment(at, visit.office.now().date())}"
