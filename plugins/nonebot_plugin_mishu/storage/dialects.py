"""The dialect's `insert`, for its ON CONFLICT. PostgreSQL's dialect is imported where it is used."""

from __future__ import annotations

from typing import Any

from sqlalchemy.dialects.sqlite import insert as sqlite_insert


def insert_of(dialect: str) -> Any:
    """The `insert` of `sqlite` or `postgresql`; both have the same methods."""
    if dialect == "sqlite":
        return sqlite_insert
    from sqlalchemy.dialects.postgresql import insert

    return insert
