"""A PostgreSQL server that stops answering without closing anything: a cable pulled, a machine paused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from nonebot_plugin_mishu.storage import DatabaseTimeout, DatabaseUnreachable, Storage, StorageError
from sqlalchemy import make_url
from storage_support import GROUP, ids, message, until
from wire import Wire


@pytest_asyncio.fixture(loop_scope="session")
async def wire(url: str) -> AsyncIterator[Wire]:
    address = make_url(url)
    wire = Wire(address.host or "127.0.0.1", address.port or 5432)
    wire.port_of_ours = await wire.start()  # type: ignore[attr-defined]
    yield wire
    await wire.stop()


@pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
async def test_a_server_that_goes_silent(url: str, wire: Wire, said: list[str]):
    """Each call ends in time and in words; what was queued is written when the server is back."""
    address = make_url(url).set(host="127.0.0.1", port=wire.port_of_ours)  # type: ignore[attr-defined]
    storage = await Storage.open(
        address.render_as_string(hide_password=False), on_trouble=said.append, deadline=0.5
    )
    storage.ledger.append(message(1))
    await storage.ledger.flush()
    wire.open.clear()
    storage.ledger.append(message(2))
    async with asyncio.timeout(5):
        with pytest.raises(DatabaseTimeout):
            await storage.ledger.mark_processed(GROUP, ["1"])
        with pytest.raises(StorageError):
            await storage.ledger.load(GROUP, 10)
    await until(lambda: storage.status()[0] == "degraded")
    wire.hang_up()
    wire.open.set()
    await until(lambda: not storage._writer.queue)
    assert ids(await storage.ledger.load(GROUP, 10)) == ["1", "2"]
    assert storage.status() == ("ok", "")
    await storage.close()


@pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
async def test_a_server_that_is_silent_from_the_start(url: str, wire: Wire):
    wire.open.clear()
    address = make_url(url).set(host="127.0.0.1", port=wire.port_of_ours)  # type: ignore[attr-defined]
    async with asyncio.timeout(5):
        with pytest.raises((DatabaseTimeout, DatabaseUnreachable)):
            await Storage.open(address.render_as_string(hide_password=False), on_trouble=print, deadline=0.5)
