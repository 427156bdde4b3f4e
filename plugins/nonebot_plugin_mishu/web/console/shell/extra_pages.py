"""Extra pages mounted into the console, for the bot's owner alone: an application a name."""

from __future__ import annotations

from typing import Final

from ...layers.guard import Application

ROOMS: Final[dict[str, Application]] = {}
"""By the name below `/console`, filled before the server starts: the playground of the standalone bot."""
