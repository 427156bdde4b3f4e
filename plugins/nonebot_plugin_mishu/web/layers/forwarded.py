"""Headers of a reverse proxy: believed of proxies that are named, dropped from everybody else.

`X-Forwarded-For`, `-Host`, `-Prefix` (the path below which the bot stands) and `-Proto`. The server of
another person's instance may have put the proxy's client in the place of the connection before we see it:
uvicorn believes every program on its machine. Such an address has no port, or the header names it."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from ...patterns import Pattern
from .guard import header_values

Scope = MutableMapping[str, Any]
Headers = Sequence[tuple[bytes, bytes]]
_PREFIX: Final = Pattern(r"(?:/[A-Za-z0-9._~-]{1,64}){1,8}")
_LONGEST_ADDRESS: Final = 64
_LOOPBACK: Final = ("127.0.0.0/8", "::1/128")
_UNNAMED: Final = "forwarded"
"""Who is slowed down for clients that only an unnamed proxy, or a liar, tells of: all of them together."""
_TOLD: Final = frozenset({b"x-forwarded-prefix", b"x-forwarded-proto", b"x-forwarded-host"})


@dataclass(frozen=True, slots=True)
class Site:
    """Address of a request as its browser sees it."""

    secure: bool
    """Over TLS."""
    prefix: str
    """The path below which the bot stands, such as /bot; empty at the root."""
    origins: frozenset[str]
    """Values of `Origin` of our own pages: scheme and authority in lower case."""


class Proxies:
    """Trusted proxies: `MISHU__WEB__TRUSTED_PROXIES` (addresses, networks, `loopback`) alone."""

    def __init__(self, trusted: Iterable[str] = (), public_url: str | None = None) -> None:
        named = [each for one in trusted for each in (_LOOPBACK if one == "loopback" else (one,))]
        self._networks = [ipaddress.ip_network(each, strict=False) for each in named]
        self._public = public_url

    def trusts(self, client: tuple[str, int] | None) -> bool:
        """True if the request came through a trusted proxy."""
        if client is None:
            return False
        address = "127.0.0.1" if client[1] == 0 else client[0]
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
            parsed = parsed.ipv4_mapped
        return any(parsed in network for network in self._networks)

    def client(self, scope: Scope) -> str:
        """Client address: the one named by a trusted proxy, else the connection's. Of an IPv6 address the
        network: whoever has one has all of its addresses."""
        client: tuple[str, int] | None = scope.get("client")
        if client is None:
            return ""
        address = client[0]
        told = [
            each.strip() for each in ",".join(header_values(scope["headers"], b"x-forwarded-for")).split(",")
        ]
        if self.trusts(client):
            if client[1] != 0:
                strangers = [each for each in told if not self.trusts((each, 1))]
                address = next((each for each in reversed(strangers) if each), address)
        elif client[1] == 0 or any(each and _bare(each) == address for each in told):
            address = _UNNAMED  # what the server made of the header, or who says their own address
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return address[:_LONGEST_ADDRESS]
        if isinstance(parsed, ipaddress.IPv6Address):
            if parsed.ipv4_mapped is not None:
                return str(parsed.ipv4_mapped)
            return str(ipaddress.ip_network((parsed, 64), strict=False))
        return str(parsed)

    def site(self, scope: Scope) -> Site:
        """Address of the request as its browser sees it."""
        headers: Headers = scope["headers"]
        told = self.trusts(scope.get("client"))
        secure = str(scope.get("scheme", "http")) in ("https", "wss")
        if not told and header_values(headers, b"x-forwarded-proto"):
            secure = False  # the server may have taken it from there
        prefix, hosts = "", header_values(headers, b"host")
        if told:
            secure = secure or header_values(headers, b"x-forwarded-proto")[:1] == ["https"]
            prefix = _prefix(headers)
            hosts = [*hosts, *header_values(headers, b"x-forwarded-host")]
        schemes = ("https",) if secure else ("http", "https")
        # A proxy that does not say so may have taken TLS off: the scheme of the page is then unknown.
        origins = {f"{scheme}://{host.strip().lower()}" for scheme in schemes for host in hosts}
        if self._public is not None:
            public = urlsplit(self._public)
            own = f"{public.scheme}://{public.netloc}".lower()
            if public.scheme == "https" and public.netloc.lower() in {host.lower() for host in hosts}:
                secure = True
            origins.add(own)
        return Site(secure, prefix, frozenset(origins))

    def believed(self, scope: Scope) -> Scope:
        """The request without untrusted headers."""
        headers: Headers = scope["headers"]
        told = self.trusts(scope.get("client"))
        kept = [(name, value) for name, value in headers if name.lower() not in _TOLD]
        if told and (prefix := _prefix(headers)):
            kept.append((b"x-forwarded-prefix", prefix.encode()))
        return {**scope, "headers": kept}


def same_origin(headers: Headers, site: Site, *, writing: bool) -> bool:
    """True if a request with a cookie comes from a page of ours: a write must prove it."""
    origins = header_values(headers, b"origin")
    if any(origin.strip().lower() not in site.origins for origin in origins):
        return False
    if writing:
        return len(origins) == 1
    return True


def _bare(told: str) -> str:
    """An address of `X-Forwarded-For` without its port."""
    if told.startswith("["):
        return told[1:].partition("]")[0]
    return told.partition(":")[0] if told.count(":") == 1 else told


def _prefix(headers: Headers) -> str:
    given = header_values(headers, b"x-forwarded-prefix")
    prefix = given[0].strip().rstrip("/") if len(given) == 1 else ""
    return prefix if _PREFIX.fullmatch(prefix) else ""
