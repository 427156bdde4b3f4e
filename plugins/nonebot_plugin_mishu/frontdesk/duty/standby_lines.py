"""Recent lines heard by a standby account, stored briefly in case it takes over. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ...storage.records import LedgerMessage
from ..lines.incoming_message import IncomingMessage

KEPT = 90.0
"""Seconds a line is kept: longer than a summons is answered late, and than a lease takes to end."""
MOST = 300
"""Lines of one group."""


@dataclass(eq=False, slots=True)
class KeptLine:
    """One line as an account heard it. `read` makes a message of it, by the home account of its group."""

    account: str
    at: float
    """Monotonic seconds."""
    read: Callable[[str], IncomingMessage | None]
    free: bool = False
    """True if nobody else in the instance took it."""
    heard: IncomingMessage | None = None
    """The line, once it was taken up; whoever finds out then that it is free has it acted on."""


class KeptLines:
    """The newest lines of one group."""

    def __init__(self) -> None:
        self._lines: deque[KeptLine] = deque(maxlen=MOST)

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, line: KeptLine) -> None:
        """Add a line and drop old ones."""
        self._lines.append(line)
        self.sweep(line.at)

    def sweep(self, now: float) -> None:
        """Drop lines older than `KEPT` seconds (monotonic `now`)."""
        while self._lines and self._lines[0].at < now - KEPT:
            self._lines.popleft()

    def since(self, at: float) -> list[KeptLine]:
        """Lines heard after `at` (monotonic seconds), oldest first."""
        return [line for line in self._lines if line.at > at]

    def take(self) -> list[KeptLine]:
        """Remove and return all lines, oldest first."""
        lines = list(self._lines)
        self._lines.clear()
        return lines


Twin = tuple[str, int, str]
"""Key of a line heard by two accounts under different ids: sender, second, text."""


def twin_of(user_id: str, time: float, segments: Sequence[Mapping[str, Any]]) -> Twin:
    """`Twin` of a line. Of pictures and the like only the kind counts: accounts have their own file names."""
    parts: list[str] = []
    for part in segments:
        data = part.get("data")
        fields = cast("Mapping[str, Any]", data if isinstance(data, Mapping) else {})
        kind = str(part.get("type", ""))
        if kind == "text":
            parts.append(str(fields.get("text", "")).strip())
        elif kind != "reply":
            parts.append(f"[{kind}:{fields.get('qq')}]" if kind == "at" else f"[{kind}]")
    return user_id, int(time), "".join(parts)


def heard_twin(heard: IncomingMessage) -> Twin:
    """`Twin` of a heard line."""
    return twin_of(heard.user_id, heard.time, heard.raw_segments)


def stored_twin(message: LedgerMessage) -> Twin:
    """`Twin` of a line in the ledger."""
    return twin_of(message.user_id, message.time, message.parts)
