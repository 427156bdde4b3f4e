"""Input line for a sentence, as in the group: its reading is shown before it is stored."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from nicegui import ui

from ....services import sentences
from ....services.refusals import Refused
from ....services.sentences import ProposedItem, SentenceReading
from ..shell.visit import Over, Visit, try_read
from .panel import leave, new_origin
from .parts import answer_line, box, button, text
from .person import ask_person, draw_person_choice
from .undo_bar import perform_undoable

Kept = Callable[[ProposedItem], Awaitable[None]]
HINT: Final = "说一句：周五下午三点开评审会"


class SentenceBox:
    """Reads on Enter or 看看; keeps on 记下, item by item. An owner chooses here whose it is (`show`)."""

    def __init__(self, visit: Visit, hint: str = HINT, kept: Kept | None = None) -> None:
        """`kept` is called for each stored item."""
        self._visit = visit
        self._kept = kept
        with box("mi-card mi-sentence"):
            with box("mi-row"):
                longest = sentences.LONGEST
                self._input = answer_line(hint, "说一句要记的事", self._read_sentence, longest, "mi-grow")
                self._input.props("enterkeyhint=done").props["data-mishu"] = "sentence"
                button("看看", lambda: self._read_sentence(str(self._input.value or "")), mark="read")
            self._shown = box("mi-reading")
            self._shown.props["aria-live"] = "polite"
            self._whose = box("mi-whose")

    async def show(self) -> None:
        """Let an owner choose as whom they write."""
        with self._whose:
            await draw_person_choice(self._visit, "记在谁名下")

    async def _read_sentence(self, said: str) -> None:
        visit = self._visit

        async def hear() -> SentenceReading:
            await visit.require_actor()
            return await sentences.read_in_group(visit.office, visit.place, visit.me, said)

        try:
            heard = await try_read(hear)
        except Over:
            leave(ui.context.client)
            return
        self._shown.clear()
        with self._shown:
            if isinstance(heard, Refused) or heard.trouble:
                text(heard.message if isinstance(heard, Refused) else heard.trouble, "mi-soft")
                return
            for item in heard.items:
                with box("mi-read"):
                    text(sentences.KINDS[item.kind], "mi-tag")
                    text(item.shown)
            count = len(heard.items)
            label = "记下" if count == 1 else f"都记下（{count}）"
            origin = new_origin()
            with box("mi-row mi-end"):
                button("不记", self._clear)
                button(label, lambda: self._store_items(heard.items, origin), "mi-primary", mark="keep")

    async def _store_items(self, items: Sequence[ProposedItem], origin: str) -> None:
        if self._visit.me is None and not await ask_person(self._visit):
            return
        for number, item in enumerate(items):
            if not await perform_undoable(
                self._visit,
                lambda write, place, item=item: sentences.store_item(self._visit.office, write, place, item),
                f"记下了：{item.shown}",
                origin=f"{origin}:{number}",
            ):
                return
            if self._kept is not None:
                await self._kept(item)
        self._clear()

    def _clear(self) -> None:
        self._shown.clear()
        self._input.value = ""
