"""A PostgreSQL server for one test, which it may restart; where none can be started, a database of the
server that `MISHU_TEST_DATABASE_URL` names, whose connections are all ended instead."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import signal
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from e2e.harness.bot_process import free_port
from sqlalchemy import URL, make_url

WITHIN = 60.0
"""Seconds for a step of a server: to be made, to start, to stop."""


class Server(Protocol):
    """What bots share. `url` as asyncpg takes it through SQLAlchemy."""

    url: URL

    async def start(self) -> None:
        """Make it, with an empty database."""
        ...

    async def restart(self, away: float, *, crash: bool) -> str:
        """Restart it, after so many seconds in which it is not there; what was done, in words."""
        ...

    async def stop(self) -> None:
        """End it, and leave nothing behind."""
        ...


async def connected(url: URL) -> Any:
    """A connection of asyncpg's."""
    import asyncpg

    there = {"host": url.host, "port": url.port, "user": url.username, "password": url.password}
    return await asyncpg.connect(**there, database=url.database, timeout=WITHIN)


def programs() -> Path | None:
    """Where `initdb` and `postgres` lie; None where they do not."""
    beside = shutil.which("initdb")
    found = [Path(beside).resolve().parent] if beside else []
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))[::-1]
    return next((one for one in found if (one / "initdb").exists() and (one / "postgres").exists()), None)


def somebody() -> dict[str, Any]:
    """As whom a server runs, for `create_subprocess_exec`: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise LookupError("nobody but root to run PostgreSQL as")


class OwnServer:
    """A cluster in a directory of its own, on a free port, whose settings are PostgreSQL's defaults."""

    def __init__(self, where: Path) -> None:
        self._programs = where
        self._who = somebody()
        self._home = Path(tempfile.mkdtemp(prefix="mishu-postgresql-"))
        self._log = self._home / "log"
        self._process: asyncio.subprocess.Process | None = None
        port = free_port()
        self.url = make_url(f"postgresql+asyncpg://postgres@127.0.0.1:{port}/test")

    async def start(self) -> None:
        """Make it and its database. Raises `AssertionError` with its log where it does not come up."""
        if self._who:
            os.chown(self._home, self._who["user"], self._who["group"])
        made = await self._run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale", "-N")
        assert await asyncio.wait_for(made.wait(), WITHIN) == 0, self._tail()
        await self._serve()
        maker = await connected(self.url.set(database="postgres"))
        await maker.execute("CREATE DATABASE test")
        await maker.close()

    async def restart(self, away: float, *, crash: bool) -> str:
        """SIGINT cuts every client off and shuts down in order, SIGQUIT leaves it to recover as from a
        crash."""
        assert self._process is not None
        self._process.send_signal(signal.SIGQUIT if crash else signal.SIGINT)
        await asyncio.wait_for(self._process.wait(), WITHIN)
        await asyncio.sleep(away)
        await self._serve()
        return "crashed" if crash else "shut down"

    async def stop(self) -> None:
        """End it and delete its directory."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGQUIT)
            await asyncio.wait_for(self._process.wait(), WITHIN)
        await asyncio.to_thread(shutil.rmtree, self._home, ignore_errors=True)

    async def _serve(self) -> None:
        options = {"listen_addresses": "127.0.0.1", "port": str(self.url.port), "unix_socket_directories": ""}
        told = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        self._process = await self._run("postgres", *told)
        async with asyncio.timeout(WITHIN):
            while True:
                assert self._process.returncode is None, self._tail()
                with suppress(OSError, _refused()):
                    answer = await connected(self.url.set(database="postgres"))
                    await answer.close()
                    return
                await asyncio.sleep(0.1)

    async def _run(self, program: str, *words: str) -> asyncio.subprocess.Process:
        with self._log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *(str(self._programs / program), "-D", str(self._home / "data"), *words),
                cwd=self._home,
                env={"PATH": os.environ.get("PATH", ""), "LANG": "C", "TZ": "UTC"},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **self._who,
            )

    def _tail(self) -> str:
        return "\n".join(self._log.read_text("utf-8", "replace").splitlines()[-20:])


class SharedServer:
    """A database of a server that others use too: its connections are ended, which is all a client sees of a
    restart that takes no time."""

    def __init__(self, url: str) -> None:
        self._server = make_url(url)
        self.url = self._server.set(database=f"mishu_processes_{os.getpid()}")

    async def start(self) -> None:
        """An empty database."""
        await self._order(f'DROP DATABASE IF EXISTS "{self.url.database}" WITH (FORCE)')
        await self._order(f'CREATE DATABASE "{self.url.database}"')

    async def restart(self, away: float, *, crash: bool) -> str:
        """Nobody is away here, nothing crashes."""
        del away, crash
        ending = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1"
        await self._order(ending, self.url.database)
        return "connections ended"

    async def stop(self) -> None:
        """Drop the database."""
        await self._order(f'DROP DATABASE IF EXISTS "{self.url.database}" WITH (FORCE)')

    async def _order(self, words: str, *values: Any) -> None:
        server = await connected(self._server)
        try:
            await server.execute(words, *values)
        finally:
            await server.close()


def _refused() -> type[Exception]:
    import asyncpg

    return asyncpg.PostgresError


def server_for_tests(shared: str) -> Server | None:
    """A server of our own where that can be; else a database of the shared one; None without either."""
    where = programs()
    if where is not None:
        with suppress(LookupError):
            return OwnServer(where)
    return SharedServer(shared) if shared else None
