"""The pages as NiceGUI knows them. Only this module and what it imports know NiceGUI."""

from __future__ import annotations

from nicegui import ui

from ...operations.office import Office
from ...operations.sessions import Sessions
from ..backend import Backend
from .live import Live
from .site import INNER


def declare(office: Office, backend: Backend, sessions: Sessions, live: Live) -> None:
    """Say which pages there are."""

    @ui.page(INNER)
    async def today() -> None:
        ui.label("hello")
