"""Columns and tables as both databases keep them: the pieces from which the table modules are made.

Every name starts with `mishu_`, so that they live beside other programs' tables in one PostgreSQL
database. Ids only grow and are never used again (AUTOINCREMENT, identity).
"""

from __future__ import annotations

import json
from typing import Any, cast

from sqlalchemy import BigInteger, Boolean, Column, Float, Identity, Integer, MetaData, Table, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

from ...patterns import Pattern

_UNSTORABLE = Pattern("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """The text as both databases can keep it: NUL and lone surrogates become U+FFFD.

    PostgreSQL keeps no NUL and no driver encodes a lone surrogate; a pair of surrogates is the character
    it stands for.
    """
    if not _UNSTORABLE.search(text):
        return text
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\x00", "\ufffd")


class CleanText(TypeDecorator[str]):
    """Text, made storable wherever it is bound: in rows and in comparisons alike."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else storable(value)


class JsonText(TypeDecorator[Any]):
    """A JSON value as text. Unlike CleanText it loses nothing: JSON escapes what cannot be stored."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
        return json.dumps(value, default=str) if _UNSTORABLE.search(text) else text

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


big = BigInteger().with_variant(Integer(), "sqlite")
"""64 bits; SQLite's row id must be declared INTEGER."""

metadata = MetaData()


def make_table(name: str, *parts: Any) -> Table:
    """A table `mishu_<name>` with its growing id."""
    key: Column[int] = Column("id", big, Identity(), primary_key=True)
    return Table(f"mishu_{name}", metadata, key, *parts, sqlite_autoincrement=True)


def text(name: str, *, nullable: bool = False, default: str | None = None) -> Column[str]:
    """A text column; `default` is what rows from before the column hold."""
    return Column(name, CleanText, nullable=nullable, server_default=default)


def json_value(name: str, default: str | None = None) -> Column[Any]:
    """A JSON value as text; `default` is what rows from before the column hold."""
    return Column(name, JsonText, nullable=False, server_default=default)


def number(name: str, *, nullable: bool = False) -> Column[float]:
    """A double."""
    return Column(name, Float(53), nullable=nullable)


def count(name: str, default: str | None = None) -> Column[int]:
    """A whole number of 64 bits; `default` is what rows from before the column hold."""
    return Column(name, cast("TypeEngine[int]", big), nullable=False, server_default=default)


def flag(name: str, *, nullable: bool = False) -> Column[bool]:
    """Yes or no; `nullable` where rows from before the column have neither."""
    return Column(name, Boolean, nullable=nullable)


def conversation_columns(*, nullable: bool = False) -> list[Column[str]]:
    """Columns of a conversation: account, kind, peer."""
    return [text(name, nullable=nullable) for name in ("self_id", "kind", "peer")]
