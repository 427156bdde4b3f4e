"""Addresses of databases, as SQLAlchemy from 2.1 on reads them: what is odd in a path is percent-encoded.

Before 2.1 SQLAlchemy left the name of the database as it was written, and a folder's `?` began the options.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from sqlalchemy import URL, __version__, make_url

_DECODES: Final = not __version__.startswith("2.0.")


def default_url(data_dir: Path) -> str:
    """The address of the SQLite file in the plugin's data directory."""
    return f"sqlite+aiosqlite:///{quote(str(data_dir / 'mishu.db'))}"


def parse_address(address: str) -> URL:
    """An address as a value. Raises `sqlalchemy.exc.ArgumentError` where it is none."""
    url = make_url(address)
    if _DECODES or url.database is None:
        return url
    return url.set(database=unquote(url.database))
