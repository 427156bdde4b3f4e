"""Recordings as bytes: what `get_record` answers (a path, an address or the content itself), or a link."""

from __future__ import annotations

import asyncio
import binascii
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit

_BASE64 = "base64://"
_QQ = (".qq.com", ".qq.com.cn", ".qpic.cn")
"""Hosts of QQ's media."""


async def content(answer: Any, largest: int) -> bytes | None:
    """The recording, None where there is none or it is larger than `largest` bytes.

    The answer comes from the owner's own OneBot implementation, so a path is one on this machine, or of a
    folder both see.
    """
    fields: Mapping[str, Any] = cast("Mapping[str, Any]", answer) if isinstance(answer, Mapping) else {}
    for key in ("base64", "file", "url"):
        given = fields.get(key)
        if not isinstance(given, str) or not given:
            continue
        if key == "base64" or given.startswith(_BASE64):
            found = _decoded(given.removeprefix(_BASE64), largest)
        elif given.startswith(("http://", "https://")):
            found = await _fetched(given, largest)
        else:
            found = await asyncio.to_thread(_read_recording, given, largest)
        if found:
            return found
    return None


def _decoded(text: str, largest: int) -> bytes | None:
    if len(text) > largest * 4 // 3 + 4:
        return None
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _read_recording(place: str, largest: int) -> bytes | None:
    path = Path(unquote(urlsplit(place).path) if place.startswith("file://") else place)
    try:
        if not path.is_file() or path.stat().st_size > largest:
            return None
        return path.read_bytes()
    except (OSError, ValueError):
        return None


def of_qq(address: str) -> bool:
    """True if an address that came with a message is one of QQ's own. Nothing else is fetched for a message:
    it could be an address of the owner's network."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    host = (parts.hostname or "").rstrip(".")
    return (
        parts.scheme in ("http", "https")
        and port in (None, 80, 443)
        and parts.username is None
        and host.endswith(_QQ)
    )


async def linked(address: str, largest: int) -> bytes | None:
    """The recording behind the link of a message; None where there is none, or it is not QQ's."""
    return await _fetched(address, largest) if of_qq(address) else None


async def _fetched(address: str, largest: int) -> bytes | None:
    """Read an address, no further than `largest` bytes. The caller bounds the time."""
    from ..llm.transport.http_library import http

    found = bytearray()
    try:
        async with (
            http.AsyncClient(follow_redirects=False) as client,
            client.stream("GET", address) as response,
        ):
            if response.status_code != 200:
                return None
            async for part in response.aiter_bytes():
                found += part
                if len(found) > largest:
                    return None
    except (http.HTTPError, http.InvalidURL, OSError):
        return None
    return bytes(found)
