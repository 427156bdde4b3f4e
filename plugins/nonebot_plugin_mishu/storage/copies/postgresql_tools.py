"""PostgreSQL's own tools, where the machine has them: pg_dump, pg_restore, psql.

The password goes by the environment of the tool alone, never on its command line.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import URL

from ..engine.schema import VERSION_TABLE
from ..ledger import word_index
from .errors import CopyRefused
from .places import LOCK_WAIT

MAGIC = b"PGDMP"
"""First bytes of a file in pg_dump's custom format."""
DEADLINE = 3600.0
"""Seconds a tool may take."""
_LINE = 2**26
"""Bytes of a row, at most."""
_COPY = re.compile(rb'COPY (?:"?\w+"?\.)?"?(mishu_\w+)"? ')


class ToolFailed(Exception):
    """`pg_dump` or `psql` ended with an error; its output may name tables and is shown to nobody."""


def found(*names: str) -> bool:
    """True when all of these tools are on the PATH."""
    return all(shutil.which(name) for name in names)


async def dump(url: URL, file: Path, snapshot: str) -> None:
    """Write our tables as the snapshot sees them into `file`, in pg_dump's own format.

    Raises:
        ToolFailed: among other reasons, where the tool is older than the server.
    """
    options = [
        f"--lock-wait-timeout={LOCK_WAIT}",
        "--format=custom",
        "--no-owner",
        "--no-privileges",
        "--table=mishu_*",
    ]
    async with _run_tool(
        "pg_dump", url, *_connection_options(url), *options, f"--snapshot={snapshot}", f"--file={file}"
    ) as process:
        await process.communicate()
    _check_exit(process)


async def count(file: Path) -> dict[str, int]:
    """Read a dump through as a restore would; the rows of each table in it. Raises `ToolFailed`."""
    counts: dict[str, int] = {}
    table: str | None = None
    async with _run_tool("pg_restore", None, "--data-only", "--file=-", str(file)) as process:
        assert process.stdout is not None
        async for line in process.stdout:
            if table is None:
                copying = _COPY.match(line)
                if copying:
                    counts[table := copying[1].decode()] = 0
            elif line.rstrip(b"\r\n") == b"\\.":
                table = None
            else:
                counts[table] += 1
        await process.wait()
    _check_exit(process)
    # The search index goes with the tables and is none of them.
    for name in (VERSION_TABLE, word_index.INDEX, word_index.OLD):
        counts.pop(name, None)
    return counts


async def load(url: URL, file: Path, replaced: Iterable[str]) -> None:
    """Put a dump into a database in one transaction, after dropping the tables it replaces.

    Raises:
        ToolFailed: nothing is changed.
    """
    with tempfile.TemporaryDirectory(prefix="mishu-restore-") as folder:
        # Not by a pipe: psql would commit what came through it before its other end was lost.
        script = Path(folder, "script.sql")
        async with _run_tool(
            "pg_restore", None, "--no-owner", "--no-privileges", f"--file={script}", str(file)
        ) as reading:
            await reading.communicate()
        _check_exit(reading)
        drops = "".join(f'DROP TABLE IF EXISTS "{table}" CASCADE;' for table in replaced)
        options = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"]
        if drops:
            options += [f"--command=SET LOCAL lock_timeout = {LOCK_WAIT}", f"--command={drops}"]
        async with _run_tool("psql", url, *_connection_options(url), *options, f"--file={script}") as writing:
            await writing.communicate()
        _check_exit(writing)


def _connection_options(url: URL) -> list[str]:
    if not url.database:
        raise CopyRefused("数据库地址里没有数据库名。")
    options = [f"--dbname={url.database}", "--no-password"]
    for name, value in (("host", url.host), ("port", url.port), ("username", url.username)):
        if value is not None:
            options.append(f"--{name}={value}")
    return options


@asynccontextmanager
async def _run_tool(
    name: str, url: URL | None, *arguments: str
) -> AsyncGenerator[asyncio.subprocess.Process]:
    """A running tool, with a deadline; killed when the caller leaves."""
    environment = {**os.environ, "LC_ALL": "C"}
    if url is not None and url.password:
        environment["PGPASSWORD"] = str(url.password)
    secure = url.query.get("ssl") if url is not None else None
    if isinstance(secure, str):
        environment["PGSSLMODE"] = secure
    process = await asyncio.create_subprocess_exec(
        name,
        *arguments,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=_LINE,
    )
    try:
        async with asyncio.timeout(DEADLINE):
            yield process
    except (TimeoutError, ValueError) as error:
        raise ToolFailed(name) from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _check_exit(process: asyncio.subprocess.Process) -> None:
    if process.returncode:
        raise ToolFailed
