"""The owner's sessions, kept as `storage.access.sessions` keeps them but in memory."""

from __future__ import annotations

from nonebot_plugin_mishu.storage.access.sessions import Holder, WebSession


class KeptInMemory:
    """What `services.access.sessions.Sessions` needs of a store for an owner."""

    def __init__(self) -> None:
        self.open: dict[str, WebSession] = {}

    async def begin(self, session: str, holder: Holder, now: float, until: float) -> WebSession:
        self.open[session] = WebSession(holder, now, until, now)
        return self.open[session]

    async def find(self, session: str, now: float) -> WebSession | None:
        found = self.open.get(session)
        return found if found is not None and found.expires_at > now else None
