"""The built-in picture that members can send: a small sunset, painted here, so that none lies on disk."""

from __future__ import annotations

import base64
import struct
import zlib
from functools import cache

WIDTH, HEIGHT = 240, 150

Colour = tuple[int, int, int]


def _mix(one: Colour, other: Colour, share: float) -> Colour:
    return (
        round(one[0] + (other[0] - one[0]) * share),
        round(one[1] + (other[1] - one[1]) * share),
        round(one[2] + (other[2] - one[2]) * share),
    )


def _pixel(x: int, y: int) -> Colour:
    ridge = 112 - 16 * (1 - abs((x % 120) - 60) / 60)
    hill = 128 - 20 * (1 - ((x - 150) / 150) ** 2)
    if y > hill:
        return (46, 74, 72)
    if y > ridge:
        return (86, 104, 112)
    sky = _mix((94, 128, 178), (250, 205, 155), min(1.0, y / 105))
    distance = ((x - 168) ** 2 + (y - 78) ** 2) ** 0.5
    if distance < 21:
        return (255, 240, 205)
    return _mix((255, 226, 170), sky, min(1.0, (distance - 21) / 40))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@cache
def sunset() -> bytes:
    """The picture as PNG."""
    rows = (b"\x00" + b"".join(bytes(_pixel(x, y)) for x in range(WIDTH)) for y in range(HEIGHT))
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(rows), 9)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


@cache
def data_url() -> str:
    """The picture as a `data:` address."""
    return "data:image/png;base64," + base64.b64encode(sunset()).decode()
