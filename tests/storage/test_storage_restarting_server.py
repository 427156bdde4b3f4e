"""A PostgreSQL server that restarts: connections cut, new ones refused for a moment, a commit cut off."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio
from nonebot_plugin_mishu.clock import Clock
from nonebot_plugin_mishu.storage import DatabaseUnreachable, Storage
from office import Office
from sqlalchemy import make_url
from storage_support import GROUP, decision, ids, message, until
from wire import Wire

pytestmark = pytest.mark.parametrize("kind", ["postgresql"], indirect=True)


class Restarting(Wire):
    """A wire that can be away, and that can be cut while a commit is answered."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(host, port)
        self.cut_commits = 0
        self.lose_commits = 0
        self.hangs_up = False
        """Connections are taken and cut at once: a server, or what stands before it, that is going down."""

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.hangs_up:
            await reader.read(8)  # whether it speaks TLS
            writer.write(b"N")
            await reader.read(1024)
            writer.transport.abort()
        else:
            await super()._connected(reader, writer)

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        cut = False
        try:
            while data := await source.read(65536):
                if b"COMMIT;" in data and self.lose_commits:
                    self.lose_commits -= 1
                    break
                cut = cut or (b"COMMIT;" in data and self.cut_commits > 0)
                target.write(data)
                await target.drain()
                if cut:
                    self.cut_commits -= 1
                    await asyncio.sleep(0.1)  # the server has it by now
                    break
            else:
                target.close()
                return
        except ConnectionError:
            return
        self.hang_up()


@pytest_asyncio.fixture(loop_scope="session")
async def wire(url: str) -> AsyncIterator[Restarting]:
    address = make_url(url)
    wire = Restarting(address.host or "127.0.0.1", address.port or 5432)
    wire.port_of_ours = await wire.start()  # type: ignore[attr-defined]
    yield wire
    await wire.stop()


@asynccontextmanager
async def opened(url: str, wire: Restarting, said: list[str], deadline: float = 5) -> AsyncIterator[Storage]:
    address = make_url(url).set(host="127.0.0.1", port=wire.port_of_ours)  # type: ignore[attr-defined]
    storage = await Storage.open(
        address.render_as_string(hide_password=False), on_trouble=said.append, deadline=deadline
    )
    try:
        yield storage
    finally:
        await storage.close()


@pytest.mark.parametrize("seconds", [0.0, 0.2, 1.1])
async def test_what_comes_while_it_restarts_is_done(
    url: str, wire: Restarting, said: list[str], seconds: float
):
    async with opened(url, wire, said) as storage:
        storage.ledger.append(message(0))
        await storage.ledger.flush()
        away = asyncio.create_task(wire.away(seconds))
        await asyncio.sleep(0)
        for number in range(1, 4):
            storage.ledger.append(message(number))
        made, claimed, seen = await asyncio.gather(
            storage.decisions.add(decision()),
            storage.claims.claim("10000", ["1"]),
            storage.ledger.load(GROUP, 10),
        )
        await away
        await storage.ledger.flush()
        assert (made > 0, claimed, ids(seen)) == (True, {"1"}, ["0", "1", "2", "3"])
        assert len(await storage.decisions.latest(GROUP, 10)) == 1
        assert said == [], "nobody was told of it"
        assert storage.status() == ("ok", "")


async def test_connections_that_are_cut_while_they_are_made(url: str, wire: Restarting, said: list[str]):
    async with opened(url, wire, said) as storage:
        await storage.decisions.add(decision())
        wire.hangs_up = True
        wire.hang_up()
        adding = asyncio.create_task(storage.decisions.add(decision()))
        seeing = asyncio.create_task(storage.decisions.latest(GROUP, 10))
        await asyncio.sleep(0.6)
        wire.hangs_up = False
        assert await adding > 0
        assert await seeing
        assert said == [], "nobody was told of it"


async def test_who_stays_away_is_told_of_at_once_after_a_moment(url: str, wire: Restarting, said: list[str]):
    async with opened(url, wire, said, deadline=1) as storage:
        away = asyncio.create_task(wire.away(2))
        await asyncio.sleep(0)
        with pytest.raises(DatabaseUnreachable):
            await storage.claims.claim("10000", ["1"])
        began = time.monotonic()
        with pytest.raises(DatabaseUnreachable):
            await storage.claims.claim("10000", ["1"])
        assert time.monotonic() - began < 0.3, "whoever comes later does not wait anew"
        await away
        assert await storage.claims.claim("10000", ["1"]) == {"1"}


@pytest.mark.parametrize("seconds", [0.0, 0.4])
@pytest.mark.parametrize("arrived", [True, False])
async def test_a_commit_that_was_cut_off_is_done_once(
    url: str, wire: Restarting, said: list[str], seconds: float, arrived: bool
):
    """The server is asked what became of it: run again blindly, the decision would stand there twice."""
    async with opened(url, wire, said) as storage:
        await storage.decisions.add(decision())
        if arrived:
            wire.cut_commits = 1
        else:
            wire.lose_commits = 1
        adding = asyncio.create_task(storage.decisions.add(decision()))
        while wire.cut_commits or wire.lose_commits:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)
        if seconds:
            await wire.away(seconds)
        number = await adding
        found = await storage.decisions.latest(GROUP, 10)
        assert found[0].id == number
        assert len(found) == 2
        assert said == []


async def test_what_a_longer_outage_stranded_is_taken_up_when_it_is_over(
    url: str, wire: Restarting, said: list[str]
):
    async with opened(url, wire, said, deadline=1) as storage:
        office = Office(storage=storage, clock=Clock(ZoneInfo("Asia/Shanghai")))  # type: ignore[arg-type]
        try:
            await office.desk.resume(GROUP.self_id)
            now = time.time()
            stranded = message(1, text="在吗", time=now, receipt=time.time_ns(), addressed=True, user_id="2")
            storage.ledger.append(stranded)
            await storage.ledger.flush()
            away = asyncio.create_task(wire.away(2.5))
            await asyncio.sleep(0)
            asked = await office.say("1", "在吗", at=True, conversation=GROUP)
            await away
            await until(lambda: len(office.platform.sent) == 2, 30)
            assert await storage.claims.is_claimed(GROUP.self_id, asked)
            assert sorted(one.quote or "" for _, one in office.platform.sent) == sorted([asked, "1"])
            assert any("恢复" in sentence for sentence in said)
        finally:
            await office.desk.close()
