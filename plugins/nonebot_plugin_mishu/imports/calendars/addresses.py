"""Addresses that a calendar may be fetched from: the open network over https or http, nothing else. Pure.

Whoever gives an address has us ask it from where we stand: the owner's machine and network must not be
reached that way, by whatever way of writing an address.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit, urlunsplit

LONGEST: Final = 2000
PORTS: Final = {"http": 80, "https": 443}
_NAT64: Final = ip_network("64:ff9b::/96")
_LOCAL_NAMES: Final = (".localhost", ".local", ".internal", ".lan", ".home.arpa")


class RefusedAddress(ValueError):
    """An address is not fetched (private network, wrong scheme). The text is a Chinese sentence with the
    reason."""


@dataclass(frozen=True, slots=True)
class CalendarAddress:
    """A checked address. `host` is what the server is called, `url` the whole without a fragment."""

    url: str
    scheme: str
    host: str
    port: int


def read_address(given: str) -> CalendarAddress:
    """An address as it is asked. `webcal:` is https. Raises `RefusedAddress`."""
    text = given.strip()
    if len(text) > LONGEST or any(ord(each) <= 32 or each == "\x7f" for each in text):
        raise RefusedAddress("这个地址太长，或者里面有空格，读不出来。")
    try:
        parts = urlsplit(text)
        port = parts.port
        host = (parts.hostname or "").rstrip(".")
        host = host if host.isascii() else host.encode("idna").decode()
    except ValueError:
        raise RefusedAddress("这个地址读不出来，复制完整再发一次。") from None
    scheme = {"webcal": "https", "webcals": "https"}.get(parts.scheme, parts.scheme)
    if scheme not in PORTS:
        raise RefusedAddress("只能订阅 https:// 或 http:// 开头的地址。")
    if not host:
        raise RefusedAddress("这个地址里没有网站名，复制完整再发一次。")
    if parts.username is not None or parts.password is not None:
        raise RefusedAddress("地址里不能带账号和密码。")
    name = host.lower()
    if name == "localhost" or name.endswith(_LOCAL_NAMES) or is_closed_literal(name):
        raise RefusedAddress(NOT_OPEN)
    shown = f"[{host}]" if ":" in host else host
    netloc = shown if port in (None, PORTS[scheme]) else f"{shown}:{port}"
    url = urlunsplit((scheme, netloc, parts.path or "/", parts.query, ""))
    return CalendarAddress(url, scheme, host, port or PORTS[scheme])


NOT_OPEN: Final = "这个地址在内网或本机，不能订阅。"


def is_closed_literal(host: str) -> bool:
    """True if a host is written as an address, and not one of the open network."""
    try:
        return not is_open(ip_address(host))
    except ValueError:
        return False


def is_open(address: IPv4Address | IPv6Address) -> bool:
    """True for an address of the open network; one wrapped in version 6 counts as itself."""
    if isinstance(address, IPv6Address):
        wrapped = address.ipv4_mapped or address.sixtofour
        if wrapped is None and address.teredo is not None:
            return False
        if wrapped is None and address in _NAT64:
            wrapped = IPv4Address(int(address) & 0xFFFFFFFF)
        if wrapped is not None:
            return is_open(wrapped)
        if int(address) >> 32 == 0 or address.is_site_local:
            return False
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback
    )
