"""Calendars fetched from an address: resolved, checked and pinned at every hop, bounded in size and time.

The name is resolved once and the connection goes to that very address, so that a name that answers
differently a moment later leads nowhere. Redirects are followed by us, each checked as the first address is.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, Final
from urllib.parse import urljoin

from .addresses import NOT_OPEN, CalendarAddress, RefusedAddress, is_open, read_address
from .ics import MOST_BYTES, TOO_LARGE

TIMEOUT: Final = 20.0
"""Seconds for everything: names, redirects, the whole body."""
HOPS: Final = 5
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_NOT_MODIFIED: Final = 304
_AGENT: Final = "Mishu calendar import"

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]
"""Addresses of a host. Raises `OSError`."""


class FetchFailed(Exception):
    """A calendar was not fetched. The text is a Chinese sentence with the reason."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer: `content` is None where nothing changed since."""

    content: bytes | None
    etag: str | None = None
    modified: str | None = None


Fetch = Callable[[str, str | None, str | None], Awaitable[Fetched]]
"""Fetches an address that was fetched before with that ETag and Last-Modified.

Raises `FetchFailed`, `RefusedAddress`.
"""


async def resolve_host(host: str, port: int) -> Sequence[Address]:
    """Addresses of a host, by the system's resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]


class CalendarFetcher:
    """Fetches calendars. `opens` says which addresses may be connected to."""

    def __init__(
        self,
        resolve: Resolve = resolve_host,
        opens: Callable[[Address], bool] = is_open,
        timeout: float = TIMEOUT,
        read: Callable[[str], CalendarAddress] = read_address,
        verify: Any = True,
    ) -> None:
        self._resolve = resolve
        self._opens = opens
        self._timeout = timeout
        self._read = read
        self._verify = verify

    async def fetch(self, url: str, etag: str | None = None, modified: str | None = None) -> Fetched:
        """Fetch a calendar. Raises `FetchFailed`, `RefusedAddress`."""
        try:
            async with asyncio.timeout(self._timeout):
                return await self._follow(self._read(url), etag, modified)
        except TimeoutError:
            raise FetchFailed("那个网站太久没有回应") from None

    async def _follow(self, address: CalendarAddress, etag: str | None, modified: str | None) -> Fetched:
        conditions = {"If-None-Match": etag, "If-Modified-Since": modified}
        headers = {name: value for name, value in conditions.items() if value}
        for _ in range(HOPS + 1):
            found = await self._ask(address, headers)
            if isinstance(found, Fetched):
                return found
            address = self._read(urljoin(address.url, found))
        raise FetchFailed("那个网站一直在转来转去")

    async def _ask(self, address: CalendarAddress, headers: dict[str, str]) -> Fetched | str:
        """One request: what came, or where to go on."""
        from ...llm.transport.http_library import http

        pinned = await self._pin(address)
        shown = f"[{pinned}]" if pinned.version == 6 else str(pinned)
        url = http.URL(address.url).copy_with(host=shown.strip("[]"))
        host = address.url.split("/")[2]
        sent = {
            "Host": host,
            "User-Agent": _AGENT,
            "Accept": "text/calendar, */*",
            "Accept-Encoding": "identity",
        }
        try:
            async with (
                http.AsyncClient(
                    follow_redirects=False, trust_env=False, verify=self._verify, timeout=self._timeout
                ) as client,
                client.stream(
                    "GET", url, headers={**sent, **headers}, extensions={"sni_hostname": address.host}
                ) as response,
            ):
                if response.status_code in _REDIRECTS and (onward := response.headers.get("location")):
                    return str(onward)
                if response.status_code == _NOT_MODIFIED:
                    return Fetched(None, headers.get("If-None-Match"), headers.get("If-Modified-Since"))
                if response.status_code in (401, 403):
                    raise FetchFailed("那个网站说不让看，地址要能公开打开才行")
                if response.status_code in (404, 410):
                    raise FetchFailed("那个地址已经没有了")
                if response.status_code != 200:
                    raise FetchFailed(f"那个网站出错了（{response.status_code}）")
                if response.headers.get("content-encoding", "identity").lower() not in ("", "identity"):
                    raise FetchFailed("那个网站发来的内容压缩过，读不了")
                content = await _bounded_body(response)
                kept = response.headers
                return Fetched(content, _short(kept.get("etag")), _short(kept.get("last-modified")))
        except (http.HTTPError, http.InvalidURL, OSError) as error:
            raise FetchFailed("那个网站连不上") from error

    async def _pin(self, address: CalendarAddress) -> Address:
        """The address that is connected to. Raises `RefusedAddress` where any of a host's is closed."""
        try:
            found = await self._resolve(address.host, address.port)
        except (OSError, UnicodeError):
            raise FetchFailed("找不到那个网站") from None
        if not found:
            raise FetchFailed("找不到那个网站")
        if not all(self._opens(each) for each in found):
            raise RefusedAddress(NOT_OPEN)
        return found[0]


async def _bounded_body(response: Any) -> bytes:
    body = bytearray()
    async for part in response.aiter_raw():
        body += part
        if len(body) > MOST_BYTES:
            raise FetchFailed(TOO_LARGE.rstrip("。"))
    return bytes(body)


def _short(value: str | None) -> str | None:
    """A header that is sent back, unless it is too long to be kept."""
    return value if value is not None and len(value) <= 500 else None
