"""Rows of the ledger made the lines that the record reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from ..language.lines.line import RecordLine
from ..language.lines.shared import files_named
from ..language.text.fold import normalise
from ..storage.records import LedgerMessage


def line_of(message: LedgerMessage, zone: ZoneInfo) -> RecordLine:
    """The line of a ledger row. Rows that were recalled are not handed in."""
    text = normalise(message.text)
    given = _values(message, "file", "name", "file_name", "file")
    return RecordLine(
        id=message.message_id,
        at=datetime.fromtimestamp(message.time, zone),
        user_id=message.user_id,
        name=normalise(message.name) or "群友",
        text=text,
        mentions=tuple(_values(message, "at", "qq")),
        reply_to=message.reply_to,
        files=tuple(given) or files_named(text),
        bot=message.is_bot,
        to_us=message.addressed,
    )


def called(lines: Sequence[RecordLine], names: Mapping[str, str]) -> list[RecordLine]:
    """The lines, with whom they call by an @ that was typed as words; `names` has ids by names."""
    known = {line.name: line.user_id for line in lines if not line.bot}
    known |= {normalise(name): user_id for name, user_id in names.items()}
    longest = sorted((name for name in known if name), key=len, reverse=True)
    return [_calling(line, known, longest) if "@" in line.text else line for line in lines]


UNKNOWN: Final = "@群友"
"""Name in a stored line for an @ of an unknown member."""


def introduced(line: RecordLine, names: Mapping[str, str]) -> RecordLine:
    """A line with names for those it @s without one; `names` has names by ids."""
    if UNKNOWN not in line.text:
        return line
    text = line.text
    for user_id in line.mentions:
        name = names.get(user_id)
        if name is not None and f"@{name}" not in text:
            text = text.replace(UNKNOWN, f"@{name}", 1)
    return replace(line, text=text)


def _calling(line: RecordLine, known: Mapping[str, str], longest: Sequence[str]) -> RecordLine:
    found = list(line.mentions)
    for part in line.text.split("@")[1:]:
        name = next((each for each in longest if part.startswith(each)), None)
        if name is not None and known[name] not in found:
            found.append(known[name])
    return replace(line, mentions=tuple(found))


def _values(message: LedgerMessage, kind: str, *keys: str) -> list[str]:
    """The first of these fields that each segment of a kind has, as text."""
    found: list[str] = []
    for segment in message.parts:
        data: Any = segment.get("data")
        if segment.get("type") == kind and isinstance(data, Mapping):
            given: Mapping[str, Any] = data  # pyright: ignore[reportUnknownVariableType]
            value = next((given[key] for key in keys if given.get(key)), None)
            if value is not None:
                found.append(normalise(str(value)))
    return found
