"""记录: lines of the group by author and time, with their context; and digests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock
from typing import Any, Final

from nicegui import ui

from ...services import groups, record
from ...services.access.actor import Actor
from ...services.refusals import Refused
from ...storage.records import Conversation, LedgerMessage
from ..routes.record import RecordBackend
from .elements.panel import Draw, Panel, perform
from .elements.parts import box, button, empty, field, heading, once, show_notice, text
from .elements.wording import moment
from .shell.visit import Visit, try_read

MOST: Final = 50
SPANS: Final = {1: "今天", 7: "七天", 30: "三十天"}
ANYBODY: Final = ""


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


async def draw_record_page(visit: Visit, backend: RecordBackend) -> None:
    """Draw the page 记录."""
    state = RecordState()

    async def came(actor: Actor, place: Conversation) -> float | None:
        return None if actor.is_owner else await backend.came(place, actor.user_id)

    async def search(actor: Actor, place: Conversation) -> Draw:
        since = await came(actor, place)
        begins = _midnight(visit, state.first)
        ends = _midnight(visit, state.last + timedelta(days=1) if state.last is not None else None)
        found = await backend.record_lines(
            place,
            words=state.words.split()[:10],
            user_id=state.user_id or None,
            since=max(since or 0.0, begins or 0.0) or None,
            until=ends,
            limit=MOST,
        )

        def draw_lines() -> None:
            with box("mi-card"):
                heading("找到的" if state.filtered else "最近的")
                if not found:
                    empty("没有找到。换个词、换个人，或者把日子放宽些。" if state.filtered else NOBODY)
                with box("mi-list"):
                    for each in found or ():
                        _draw_hit(visit, each, came)
                if found and len(found) >= MOST:
                    text(f"只列了最近的 {MOST} 句，把日子或词定窄些能看到更早的。", "mi-soft")

        return draw_lines

    @contextmanager
    def summary() -> Generator[None]:
        with box("mi-card"):
            heading("总结")
            with box("mi-row"):
                for days, name in SPANS.items():
                    button(name, lambda days=days: over(days), "mi-on" if days == state.days else "")
            yield

    def summing_up() -> None:
        with summary():
            text("正在总结…", "mi-empty")

    async def digest(actor: Actor, place: Conversation) -> Draw:
        now = visit.office.now()
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        since = midnight - timedelta(days=state.days - 1)
        first = max(since.timestamp(), await came(actor, place) or 0.0)
        told = await backend.record_digest(place, since=first, until=now.timestamp())

        def draw_digest() -> None:
            with summary():
                if not told:
                    empty("这段时间没有什么可总结的。")
                with box("mi-list"):
                    for sentence, ids in told or ():
                        _draw_sentence(visit, sentence, ids, came)

        return draw_digest

    async def over(days: int) -> None:
        state.days = days
        await summed.show()

    async def find() -> None:
        try:
            state.first, state.last = (
                date.fromisoformat(str(each.value)) if each.value else None for each in (first, last)
            )
        except ValueError:
            show_notice("日期不对", bad=True)
            return
        state.words, state.user_id = str(words.value or ""), str(person.value or ANYBODY)
        await found.show()

    names = await _list_people(visit)
    with box("mi-card"):
        with box("mi-row tight"):
            words = ui.input(placeholder="找说过的话，空格隔开几个词").props("outlined dense maxlength=100")
            words.classes("mi-field mi-grow").props["aria-label"] = "找什么"
            words.on("keydown.enter", once(find))
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
        summed, found = Panel(visit, digest), Panel(visit, search)
    summed.later(summing_up)
    await found.show()


NOBODY: Final = "群里还没有人说过话。"
_Came = Callable[[Actor, Conversation], Awaitable[float | None]]


async def _list_people(visit: Visit) -> dict[str, str]:
    place = visit.place
    if place is None:
        return {}
    here = await try_read(lambda: groups.find_all_members(visit.office, place))
    return {} if isinstance(here, Refused) else {each.id: each.name for each in here}


def _midnight(visit: Visit, on: date | None) -> float | None:
    return None if on is None else datetime.combine(on, clock.min, visit.office.zone).timestamp()


def _draw_hit(visit: Visit, line: LedgerMessage, came: _Came) -> None:
    async def context() -> Sequence[LedgerMessage]:
        found: list[LedgerMessage] = []

        async def list_context(actor: Actor, place: Conversation, _: bool) -> None:
            since = await came(actor, place)
            found.extend(await record.list_context(visit.office, place, line, since=since))

        return found if await perform(visit, list_context) else []

    with box("mi-item"), box("mi-what"):
        text(line.text)
        with box("mi-line"):
            text(_by(visit, line), "mi-soft")
            opens = button("前后文", lambda: unfold(), title=f"前后文：{line.text[:20]}")
        behind = box("mi-context")

    async def unfold() -> None:
        await _unfold(visit, opens, behind, context, line.message_id)


def _draw_sentence(visit: Visit, sentence: str, ids: Sequence[str], came: _Came) -> None:
    async def lines() -> Sequence[LedgerMessage]:
        found: list[LedgerMessage] = []

        async def list_lines(actor: Actor, place: Conversation, _: bool) -> None:
            since = await came(actor, place)
            found.extend(await record.list_lines(visit.office, place, ids, since=since))

        return found if await perform(visit, list_lines) else []

    with box("mi-item"), box("mi-what"):
        with box("mi-line"):
            text(sentence, "mi-what")
            opens = button(f"出自 {len(ids)} 条消息", lambda: unfold(), title=f"原话：{sentence[:20]}")
        behind = box("mi-context")

    async def unfold() -> None:
        await _unfold(visit, opens, behind, lines, None)


async def _unfold(
    visit: Visit,
    opens: ui.element,
    behind: ui.element,
    load: Callable[[], Awaitable[Sequence[LedgerMessage]]],
    hit: str | None,
) -> None:
    """Show the lines below their hit, or hide them again."""
    if behind.default_slot.children:
        behind.clear()
        opens.props["aria-expanded"] = "false"
        opens.update()
        return
    found = await load()
    opens.props["aria-expanded"] = "true"
    opens.update()
    with behind:
        for each in found:
            with box(f"mi-said {'mi-hit' if each.message_id == hit else ''}"):
                text(_by(visit, each), "mi-soft")
                text(each.text)
        if not found:
            text("原话已经不在了。", "mi-soft")


def _by(visit: Visit, line: LedgerMessage) -> str:
    at: Any = datetime.fromtimestamp(line.time, visit.office.zone)
    return f"{line.name} · {moment(at, visit.office.now().date())}"
