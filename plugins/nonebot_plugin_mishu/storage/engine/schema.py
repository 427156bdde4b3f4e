"""Bringing the tables up to date at start, without a question, a file or a command.

Alembic runs the steps of `migrations/` on our connection, in one transaction and under one lock, so that
processes that start together do not meet. The version stands in `mishu_version`, not in the table another
plugin's Alembic uses. Alembic is imported only where there is a step to run.
"""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection

from .errors import MoveUnfinished, SchemaNewer

if TYPE_CHECKING:
    from alembic.runtime.migration import MigrationContext, RevisionStep

HEAD = "0027"
"""The schema this code is written for."""

VERSION_TABLE = "mishu_version"

MOVING = "moving-"
"""Prefix of the version of a database with an unfinished move (`copies.moving`)."""

_LOCK = 0x6D69736875
"""Key of the PostgreSQL advisory lock held while migrating ("mishu")."""


async def upgrade(connection: AsyncConnection) -> None:
    """Bring the tables to `HEAD`, within the caller's transaction.

    Raises:
        SchemaNewer: the tables were written by a version this code does not know; nothing is changed.
        MoveUnfinished: they hold a part of another database.
    """
    if await connection.run_sync(_read_version) == HEAD:
        # A change that changes nothing: a database that takes no writes is found out now, not later.
        await connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = version_num"))
        return
    if connection.dialect.name == "postgresql":
        # The caller's deadline is the limit here: a step, or waiting for another process's, may be long.
        await connection.execute(text("SET LOCAL statement_timeout = 0"))
        await connection.execute(text("SET LOCAL lock_timeout = 0"))
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    with _quiet_alembic():
        await connection.run_sync(_run_migrations)


@contextmanager
def _quiet_alembic() -> Generator[None, None, None]:
    """Alembic announces each step, and at import each of its own plugins, at INFO."""
    logger = logging.getLogger("alembic")
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)


def _read_version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()


def _run_migrations(connection: Connection) -> None:
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext, MigrationStep
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(Path(__file__).parents[1] / "migrations"))
    version = _read_version(connection)
    if version is not None and version.startswith(MOVING):
        raise MoveUnfinished
    if version is not None and version not in {script.revision for script in scripts.walk_revisions()}:
        raise SchemaNewer

    def steps(revision: tuple[str, ...], context: MigrationContext) -> list[RevisionStep]:
        newest_first = scripts.iterate_revisions(HEAD, revision, implicit_base=True)
        upwards = reversed(list(newest_first))
        return [MigrationStep.upgrade_from_script(scripts.revision_map, script) for script in upwards]

    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "fn": steps})
    context.run_migrations(op=Operations(context))
