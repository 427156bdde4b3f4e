"""Content lines of iCalendar files (RFC 5545, 3.1): unfolding, parameters, components. Pure.

Only what a time table needs is handed on. Attachments, alarms, notes and whatever a program adds by its own
stay behind here, so that a line that nobody needs breaks nothing and costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

KEPT: Final = frozenset(
    {
        *("UID", "SEQUENCE", "SUMMARY", "LOCATION", "STATUS", "TRANSP", "X-MICROSOFT-CDO-BUSYSTATUS"),
        *("DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID"),
    }
)
"""Properties of an event that are kept."""
_HEADER: Final = frozenset({"X-WR-CALNAME", "X-WR-TIMEZONE", "METHOD", "NAME"})


@dataclass(frozen=True, slots=True)
class ContentLine:
    """One property: its name in capitals, its parameters in capitals, its value as it stands."""

    name: str
    parameters: Mapping[str, str]
    value: str

    def text(self, **changed: str) -> str:
        """The line as it is written, with other values of some parameters."""
        parts = [self.name]
        for name, value in {**self.parameters, **changed}.items():
            quoted = any(mark in value for mark in ':;,"')
            parts.append(f'{name}="{value}"' if quoted else f"{name}={value}")
        return f"{';'.join(parts)}:{self.value}"


@dataclass(frozen=True, slots=True)
class Components:
    """The parts of a file that are kept: its header by name, its zones as text lines, its events."""

    header: Mapping[str, str]
    zones: Sequence[Sequence[str]]
    events: Sequence[Sequence[ContentLine]]


@dataclass(slots=True)
class _Open:
    zone: list[str] | None = None
    event: list[ContentLine] | None = None
    depth: list[str] = field(default_factory=list[str])


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8, or what Chinese programs wrote before it."""
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", "replace")


def unfolded(text: str) -> Iterator[str]:
    """Lines without their folds."""
    held: str | None = None
    pieces: list[str] = []
    for raw in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if raw[:1] in (" ", "\t") and held is not None:
            pieces.append(raw[1:])
            continue
        if held is not None:
            yield held + "".join(pieces)
        held, pieces = raw, []
    if held is not None:
        yield held + "".join(pieces)


def content_line(line: str) -> ContentLine | None:
    """A line read; None where it is none."""
    parts: list[str] = []
    quoted, begun = False, 0
    for at, character in enumerate(line):
        if character == '"':
            quoted = not quoted
        elif character in ";:" and not quoted:
            parts.append(line[begun:at])
            begun = at + 1
            if character == ":":
                return _read(parts, line[begun:])
    return None


def _read(parts: Sequence[str], value: str) -> ContentLine | None:
    name = parts[0].strip().upper()
    if not name or not name.replace("-", "").isalnum() or not name.isascii():
        return None
    parameters: dict[str, str] = {}
    for part in parts[1:]:
        key, equals, given = part.partition("=")
        if equals:
            parameters[key.strip().upper()] = given.strip().strip('"')
    return ContentLine(name, parameters, value)


def components(text: str) -> Components:
    """The parts of a file. Raises `ValueError` where it is no calendar."""
    header: dict[str, str] = {}
    zones: list[list[str]] = []
    events: list[list[ContentLine]] = []
    here = _Open()
    calendar = False
    for line in unfolded(text):
        read = content_line(line)
        if read is None:
            continue
        if read.name in ("BEGIN", "END"):
            kind = read.value.strip().upper()
            if read.name == "BEGIN":
                calendar = calendar or kind == "VCALENDAR"
                here.depth.append(kind)
                if kind == "VTIMEZONE":
                    here.zone = []
                elif kind == "VEVENT":
                    here.event = []
            if here.zone is not None:
                here.zone.append(f"{read.name}:{kind}")
            if read.name == "END" and here.depth:
                if kind == "VTIMEZONE" and here.zone is not None:
                    zones.append(here.zone)
                    here.zone = None
                elif kind == "VEVENT" and here.event is not None:
                    events.append(here.event)
                    here.event = None
                if kind in here.depth:
                    while here.depth.pop() != kind:
                        pass
        elif here.zone is not None:
            here.zone.append(read.text())
        elif here.event is not None:
            if here.depth[-1:] == ["VEVENT"] and read.name in KEPT:
                here.event.append(read)
        elif read.name in _HEADER:
            header.setdefault(read.name, read.value.strip())
    if not calendar:
        raise ValueError("no calendar")
    return Components(header, zones, events)


def plain_text(value: str) -> str:
    """A text value without its escapes, on one line."""
    found: list[str] = []
    escaped = False
    for character in value:
        if escaped:
            found.append(" " if character in "nN" else character)
            escaped = False
        elif character == "\\":
            escaped = True
        else:
            found.append(character)
    return " ".join("".join(found).split())


def escaped_text(text: str) -> str:
    """A text as a value."""
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
