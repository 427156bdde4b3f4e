"""Owner's choices on the web pages, which override the configuration, by name (`chosen`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from .tables import choice


class Choices(Queries):
    """A value a name, JSON; None: as configured. Every change is on disk when its call returns."""

    async def all(self) -> dict[str, Any]:
        """All choices by name."""
        return {row.name: row.value for row in await self._database.fetch_rows(select(choice))}

    @Queries.writing
    async def put(self, connection: AsyncConnection, chosen: Mapping[str, Any], at: float) -> None:
        """Store choices, all or none."""
        for name, value in chosen.items():
            fresh = {"value": value, "at": at}
            adding = self._database.insert(choice).values(name=name, **fresh)
            await connection.execute(adding.on_conflict_do_update(index_elements=["name"], set_=fresh))
