"""The pages as NiceGUI knows them. Only this module and what it imports know NiceGUI."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from nicegui import ui
from starlette.requests import Request

from ....services.access.sessions import Sessions
from ....services.office import Office
from ....services.refusals import Refused
from ...backend import Backend, Caretaker
from .. import bot, decisions, memory, polls, record, settings, tasks, today, usage
from ..calendar import page as calendar
from ..elements.live import Live
from ..elements.undo_bar import draw_bar
from ..ledger import page as ledger
from .frame import framed, visit_of
from .site import ENTRIES, INNER
from .visit import Visit

Draw = Callable[[Visit], Awaitable[None]]
ACTS: Final = (Path(__file__).parent / "acts.css").read_text(encoding="utf-8")
RECONNECTED: Final = (Path(__file__).parent / "reconnected.js").read_text(encoding="utf-8")
"""Leads to the door where the session ended while the line to the bot was down."""
_SLOWEST: Final = 10.0
"""Seconds that a page may take to be drawn."""


def declare(
    office: Office, backend: Backend, sessions: Sessions, live: Live, caretaker: Caretaker | None = None
) -> None:
    """Register the pages."""
    drawn: dict[str, Draw] = {
        "": today.draw_today_page,
        "calendar": calendar.draw_calendar_page,
        "tasks": tasks.draw_tasks_page,
        "ledger": ledger.draw_ledger_page,
        "polls": polls.draw_polls_page,
        "settings": settings.draw_settings_page,
        "decisions": decisions.draw_decisions_page,
        "memory": memory.draw_memory_page,
        "record": record.draw_record_page,
        "usage": usage.draw_usage_page,
        "bot": lambda visit: bot.draw_bot_page(visit, caretaker),
    }

    def declare_page(name: str, draw: Draw) -> None:
        async def draw_page(request: Request) -> None:
            try:
                visit = await visit_of(request, office, backend, sessions, live)
            except Refused as why:
                ui.label(why.message)
                return
            ui.add_css(ACTS)
            ui.add_body_html(f"<script>{RECONNECTED}</script>")
            with framed(visit, name, request):
                await draw(visit)
            draw_bar(visit)

        path = f"{INNER}/{name}" if name else INNER
        ui.page(path, title=f"{ENTRIES[name][0]} · Mishu 秘书", favicon="🗒️", response_timeout=_SLOWEST)(
            draw_page
        )

    for name, draw in drawn.items():
        declare_page(name, draw)
