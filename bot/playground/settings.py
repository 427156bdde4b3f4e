"""Bot address of the playground."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """Address and access token of the bot."""

    host: str
    """An address of the bot itself, as a client reaches it."""
    port: int
    access_token: str | None = None
    """ONEBOT_ACCESS_TOKEN."""
    web_token: str | None = None
    """MISHU__WEB__TOKEN."""
    bot_name: str = "秘书"
    data_dir: Path | None = None
    """Where the history is kept; none: nowhere."""
    zone: tzinfo | None = None
    """In which the chat's times are shown; none: the machine's."""

    @property
    def authority(self) -> str:
        """`host:port` as in an address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"
