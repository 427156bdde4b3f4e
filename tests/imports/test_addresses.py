"""Which addresses are asked, and what is read of them: by table, and over a real socket."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_address
from pathlib import Path

import pytest
from nonebot_plugin_mishu.imports.calendars.addresses import (
    CalendarAddress,
    RefusedAddress,
    is_open,
    read_address,
)
from nonebot_plugin_mishu.imports.calendars.fetching import Address, CalendarFetcher, FetchFailed
from nonebot_plugin_mishu.imports.calendars.ics import MOST_BYTES

CLOSED = """
127.0.0.1 127.8.9.1 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.254 192.168.1.1 169.254.169.254 100.64.0.1
192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 fe80::1 fc00::1 fd12:3456::1
fec0::1 ff02::1 2002:7f00:1:: 2002:a00:1:: 64:ff9b::7f00:1 64:ff9b::a00:1 2001:0:4136:e378:8000:63bf:3fff:fdd2
2001:db8::1 100::1
"""
OPEN = "8.8.8.8 1.1.1.1 104.16.0.1 2606:4700:4700::1111 2400:3200::1 ::ffff:8.8.8.8 64:ff9b::808:808"


@pytest.mark.parametrize("address", CLOSED.split())
def test_closed_ranges(address: str) -> None:
    assert not is_open(ip_address(address))


@pytest.mark.parametrize("address", OPEN.split())
def test_the_open_network(address: str) -> None:
    assert is_open(ip_address(address))


@pytest.mark.parametrize(
    "given",
    [
        "ftp://example.com/a.ics",
        "file:///etc/passwd",
        "gopher://example.com",
        "example.com/a.ics",
        "https://",
        "https:///a.ics",
        "https://user@example.com/a.ics",
        "https://user:pass@example.com/a.ics",
        "https://example.com:99999/a.ics",
        "https://exa mple.com/a.ics",
        "https://example.com/a\r\nHost: b",
        "https://" + "a" * 3000,
        "http://localhost/a.ics",
        "http://LOCALHOST./a.ics",
        "http://a.localhost/",
        "http://router.local/",
        "http://db.internal/",
        "http://nas.lan:8080/a.ics",
        "https://[::1]/a.ics",
        "https://[::ffff:10.0.0.1]/a.ics",
        "https://[::1/a.ics",
        "webcal://192.168.0.1/a.ics",
        "http://169.254.169.254/latest/meta-data",
    ],
)
def test_refused_as_they_are_written(given: str) -> None:
    with pytest.raises(RefusedAddress):
        read_address(given)


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("https://calendar.google.com/calendar/ical/a%40b/private-1/basic.ics", None),
        ("webcal://p01-caldav.icloud.com/published/2/x", "https://p01-caldav.icloud.com/published/2/x"),
        ("http://example.com:8080", "http://example.com:8080/"),
        ("https://example.com:443/a?b=c#d", "https://example.com/a?b=c"),
        (" https://日历.example/a ", "https://xn--u9jy16b.example/a"),
    ],
)
def test_read(given: str, url: str | None) -> None:
    found = read_address(given).url
    assert found == (url or given) or found.startswith("https://xn--")


Answer = Callable[[str], bytes]


@asynccontextmanager
async def serving(
    answer: Answer, secured: ssl.SSLContext | None = None
) -> AsyncIterator[tuple[int, list[str]]]:
    """A server on this machine; its port, and the requests it got."""
    asked: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = (await reader.readuntil(b"\r\n\r\n")).decode()
        asked.append(request)
        writer.write(answer(request.split(" ")[1]))
        try:
            await writer.drain()
            writer.close()
            await writer.wait_closed()
        except ConnectionError:
            pass  # it was told enough

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=secured)
    try:
        yield server.sockets[0].getsockname()[1], asked
    finally:
        server.close()


def named(**hosts: str) -> Callable[[str, int], Awaitable[Sequence[Address]]]:
    """A resolver that knows these hosts."""

    async def resolve(host: str, port: int) -> Sequence[Address]:
        if host not in hosts:
            raise OSError("unknown")
        return [ip_address(each) for each in hosts[host].split()]

    return resolve


def plain(status: str, body: bytes = b"", *headers: str) -> bytes:
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def fetcher(*closed: str, timeout: float = 10.0, **hosts: str) -> CalendarFetcher:
    """One for which this machine is the open network, but for addresses that are `closed`."""
    return CalendarFetcher(named(**hosts), lambda address: str(address) not in closed, timeout, read_address)


async def test_content_and_conditions() -> None:
    def answer(path: str) -> bytes:
        return plain("200 OK", b"BEGIN", 'ETag: "1"', "Last-Modified: Mon, 01 Nov 2026 00:00:00 GMT")

    async with serving(answer) as (port, asked):
        found = await fetcher(**{"cal.example": "127.0.0.1"}).fetch(
            f"http://cal.example:{port}/a?b", '"0"', "then"
        )
    assert (found.content, found.etag) == (b"BEGIN", '"1"')
    assert asked[0].startswith("GET /a?b HTTP/1.1\r\n")
    assert f"Host: cal.example:{port}\r\n" in asked[0]
    assert 'If-None-Match: "0"' in asked[0]
    assert "If-Modified-Since: then" in asked[0]


async def test_nothing_changed() -> None:
    async with serving(lambda path: plain("304 Not Modified")) as (port, _):
        found = await fetcher(**{"cal.example": "127.0.0.1"}).fetch(f"http://cal.example:{port}/", '"0"')
    assert (found.content, found.etag) == (None, '"0"')


async def test_redirects_are_checked_at_every_hop() -> None:
    def answer(path: str) -> bytes:
        onward = {
            "/one": "/two",
            "/two": "http://inner.example:1/",
            "/literal": "http://10.0.0.1/",
            "/f": "file:///etc/passwd",
        }
        return (
            plain("302 Found", b"", f"Location: {onward[path]}") if path in onward else plain("200 OK", b"x")
        )

    hosts = {"cal.example": "127.0.0.1", "inner.example": "127.0.0.2"}
    async with serving(answer) as (port, asked):
        ask = fetcher("127.0.0.2", **hosts)
        for path in ("one", "literal", "f"):
            with pytest.raises(RefusedAddress):
                await ask.fetch(f"http://cal.example:{port}/{path}")
    assert [request.split(" ")[1] for request in asked] == ["/one", "/two", "/literal", "/f"]


async def test_going_round_in_circles_ends() -> None:
    async with serving(lambda path: plain("302 Found", b"", "Location: /again")) as (port, asked):
        with pytest.raises(FetchFailed, match="转来转去"):
            await fetcher(**{"cal.example": "127.0.0.1"}).fetch(f"http://cal.example:{port}/")
    assert len(asked) == 6


@pytest.mark.parametrize("addresses", ["127.0.0.1", "8.8.8.8 10.0.0.1", "::1", "169.254.169.254"])
async def test_a_name_of_a_closed_address_is_refused(addresses: str) -> None:
    ask = CalendarFetcher(named(**{"evil.example": addresses}))
    with pytest.raises(RefusedAddress, match="内网"):
        await ask.fetch("http://evil.example/a.ics")


async def test_the_checked_address_is_the_one_connected_to() -> None:
    """A name that answers with another address a moment later leads nowhere else."""
    times: list[str] = []

    async def rebinding(host: str, port: int) -> Sequence[Address]:
        times.append(host)
        return [ip_address("127.0.0.1" if len(times) == 1 else "127.0.0.9")]

    async with serving(lambda path: plain("200 OK", b"x")) as (port, asked):
        ask = CalendarFetcher(rebinding, lambda address: str(address) == "127.0.0.1", 10.0, read_address)
        assert (await ask.fetch(f"http://cal.example:{port}/")).content == b"x"
    assert (times, len(asked)) == (["cal.example"], 1)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of cal.example that signs itself, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl")
    home = tmp_path_factory.mktemp("tls")
    made, key = home / "cert.pem", home / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=cal"),
            *("-addext", "subjectAltName=DNS:cal.example", "-keyout", str(key), "-out", str(made)),
        ],
        check=True,
        capture_output=True,
        timeout=60,
    )
    return made, key


async def test_https_names_the_host_and_goes_to_the_checked_address(certificate: tuple[Path, Path]) -> None:
    """The connection is to the address, its name, Host and certificate are of the host."""
    made, key = certificate
    shown: list[str | None] = []
    inside = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    inside.load_cert_chain(made, key)
    inside.sni_callback = lambda _, name, __: shown.append(name)
    trusting = ssl.create_default_context(cafile=str(made))
    looked: list[str] = []

    async def rebinding(host: str, port: int) -> Sequence[Address]:
        looked.append(host)
        return [ip_address("127.0.0.1" if looked.count(host) == 1 else "127.0.0.9")]

    def opens(address: Address) -> bool:
        return str(address) == "127.0.0.1"

    async with serving(lambda path: plain("200 OK", b"x"), inside) as (port, asked):
        ask = CalendarFetcher(rebinding, opens, 10.0, read_address, trusting)
        assert (await ask.fetch(f"https://cal.example:{port}/a.ics")).content == b"x"
        assert (looked, shown) == (["cal.example"], ["cal.example"])
        assert f"host: cal.example:{port}" in asked[0].lower()
        with pytest.raises(FetchFailed, match="连不上"):
            await ask.fetch(f"https://other.example:{port}/a.ics")  # no certificate of that name
    assert (shown[-1], len(asked)) == ("other.example", 1)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (plain("404 Not Found"), "没有了"),
        (plain("403 Forbidden"), "不让看"),
        (plain("500 Oh"), "500"),
        (plain("200 OK", b"x" * (MOST_BYTES + 1)), "5 MB"),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + b"x" * (MOST_BYTES + 1), "5 MB"),
        (plain("200 OK", b"\x1f\x8b", "Content-Encoding: gzip"), "压缩"),
        (b"nonsense\r\n\r\n", "连不上"),
    ],
)
async def test_what_comes_to_nothing(answer: bytes, said: str) -> None:
    async with serving(lambda path: answer) as (port, _):
        with pytest.raises(FetchFailed, match=said):
            await fetcher(**{"cal.example": "127.0.0.1"}).fetch(f"http://cal.example:{port}/")


async def test_a_site_that_never_answers() -> None:
    async with serving(lambda path: b"") as (port, _):
        pass  # closed: nobody listens any more
    ask = fetcher(timeout=5.0, **{"cal.example": "127.0.0.1"})
    with pytest.raises(FetchFailed, match="连不上"):
        await ask.fetch(f"http://cal.example:{port}/")
    with pytest.raises(FetchFailed, match="找不到"):
        await ask.fetch("http://nowhere.example/")


def test_reading_gives_the_parts() -> None:
    assert read_address("https://Example.com/a") == CalendarAddress(
        "https://example.com/a", "https", "example.com", 443
    )
