"""Base of an entity's queries: a method that needs a connection is run in a transaction by its decorator."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from .database import Database
from .writer import Writer

P = ParamSpec("P")
T = TypeVar("T")


class Queries:
    """Queries of one entity, over the database that reads and the writer."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    @staticmethod
    def reading(
        query: Callable[Concatenate[S, AsyncConnection, P], Awaitable[T]],
    ) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
        """Run a method on a connection that reads (`Database.read`)."""

        @wraps(query)
        async def read(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
            return await self._database.read(lambda connection: query(self, connection, *args, **kwargs))

        return read

    @staticmethod
    def writing(
        query: Callable[Concatenate[S, AsyncConnection, P], Awaitable[T]],
    ) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
        """Run a method in one transaction; on disk when it returns (`Writer.run`)."""

        @wraps(query)
        async def write(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
            return await self._writer.run(lambda connection: query(self, connection, *args, **kwargs))

        return write


S = TypeVar("S", bound=Queries)
