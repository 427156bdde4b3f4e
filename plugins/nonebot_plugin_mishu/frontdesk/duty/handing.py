"""Inbox lines: kept lines that one process hands to another, as plain values. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ...storage.duty.inbox import InboxLine
from ..lines.incoming_message import IncomingMessage, QuotedMessage, Segment
from .standby_lines import KeptLine

_OURS = ("conversation", "receipt", "heard_at")
"""Fields that the receiving process fills in itself."""


def packed(line: KeptLine, home: str) -> InboxLine | None:
    """Inbox line of a kept line, for a group with this home account; None where it is no message, or another
    plugin took it."""
    heard = line.read(home) if line.free else None
    if heard is None:
        return None
    values = {name: value for name, value in asdict(heard).items() if name not in _OURS}
    return InboxLine(heard.conversation, heard.user_id, line.account, values)


def unpacked(line: InboxLine, receipt: int, heard_at: float) -> KeptLine:
    """The line as though an account of ours had kept it, received and heard (monotonic seconds) now."""
    values: Mapping[str, Any] = line.heard
    quote = values["quote"]
    heard = IncomingMessage(
        conversation=line.conversation,
        receipt=receipt,
        heard_at=heard_at,
        message_id=values["message_id"],
        time=values["time"],
        user_id=values["user_id"],
        name=values["name"],
        role=values["role"],
        segments=tuple(Segment(**part) for part in values["segments"]),
        raw_segments=tuple(values["raw_segments"]),
        superuser=values["superuser"],
        obeyed=values["obeyed"],
        quote=None if quote is None else QuotedMessage(**quote),
    )
    return KeptLine(line.account, heard_at, lambda home: heard, free=True)
