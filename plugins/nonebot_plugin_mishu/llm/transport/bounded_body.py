"""Response bodies, bounded where their bytes come in: so many bytes, unpacked, and not one more.

An endpoint may send for ever, or 300 KB that unpack to 300 MB. Bodies are unpacked here, a piece at a time
and never past the limit, instead of by the client library, which unpacks whatever it is given. Imports the
client library: `transport` imports this module where it makes a client.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

from .http_library import http

LARGEST_REFUSAL: Final = 64 * 1024
"""Bytes of a body that comes with another status than 200: its beginning says why."""
ENCODINGS: Final = "gzip, deflate"
"""Accepted content encodings of bodies; others are not read."""
_PIECE: Final = 64 * 1024
"""Bytes unpacked at a time."""


class BodyRefused(Exception):
    """An HTTP body is longer than the limit, or in an unknown encoding. The error holds no part of it."""


class BoundedStream(http.AsyncByteStream):
    """A response's stream that unpacks and ends at a limit; `strict`: `BodyRefused` where there is more."""

    def __init__(self, stream: http.AsyncByteStream, encoding: str, limit: int, *, strict: bool) -> None:
        self._stream = stream
        self._encoding = encoding
        self._limit = limit
        self._strict = strict

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._limit
        unpack = _unpacker(self._encoding)
        async for packed in self._stream:
            for piece in unpack.unpack_pieces(packed):
                if len(piece) > left:
                    if self._strict:
                        raise BodyRefused
                    yield piece[:left]
                    return
                left -= len(piece)
                yield piece

    async def aclose(self) -> None:
        """Close the response's own stream; what was not read ends its connection."""
        await self._stream.aclose()


def bound(response: http.Response, limit: int) -> None:
    """Let a response's body be read up to `limit` bytes. Call it before anything is read."""
    encoding = response.headers.pop("content-encoding", "identity").strip().lower()
    response.headers.pop("content-length", None)  # of the packed body
    strict = response.status_code == 200
    stream = response.stream
    assert isinstance(stream, http.AsyncByteStream)
    response.stream = BoundedStream(stream, encoding, limit if strict else LARGEST_REFUSAL, strict=strict)


class _Plain:
    """Bytes that are not packed."""

    def unpack_pieces(self, packed: bytes) -> Iterator[bytes]:
        """The bytes, a piece at a time."""
        for at in range(0, len(packed), _PIECE):
            yield packed[at : at + _PIECE]


class _Zlib:
    """gzip and deflate, never more than `_PIECE` bytes ahead of who reads."""

    def __init__(self, window: int) -> None:
        self._unpacker = zlib.decompressobj(window)

    def unpack_pieces(self, packed: bytes) -> Iterator[bytes]:
        """Unpacked pieces of the bytes. Raises `BodyRefused` where they are packed otherwise."""
        try:
            while packed and not self._unpacker.eof:
                yield self._unpacker.decompress(packed, _PIECE)
                packed = self._unpacker.unconsumed_tail
        except zlib.error:
            raise BodyRefused from None


def _unpacker(encoding: str) -> _Plain | _Zlib:
    match encoding:
        case "" | "identity":
            return _Plain()
        case "gzip" | "x-gzip":
            return _Zlib(zlib.MAX_WBITS | 16)
        case "deflate":
            return _Zlib(zlib.MAX_WBITS)
        case _:
            raise BodyRefused
