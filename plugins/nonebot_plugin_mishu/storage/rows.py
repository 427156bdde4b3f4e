"""Conversion between records and table rows: a field is kept in the column of its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar, cast

from sqlalchemy import ColumnElement, Row, Table

from .records import Conversation

CHUNK = 500
"""Ids in one statement, rows in one transaction."""
R = TypeVar("R")


def within(table: Table, conversation: Conversation) -> ColumnElement[bool]:
    """The condition that a row belongs to a conversation."""
    return (
        (table.c.self_id == conversation.self_id)
        & (table.c.kind == conversation.kind)
        & (table.c.peer == conversation.peer)
    )


def conversation_values(conversation: Conversation) -> dict[str, Any]:
    return {"self_id": conversation.self_id, "kind": conversation.kind, "peer": conversation.peer}


def conversation_of(row: Row[*tuple[Any, ...]]) -> Conversation:
    return Conversation(row.self_id, row.kind, row.peer)


def values_of(record: object, table: Table) -> dict[str, Any]:
    """The columns of a record: its fields that the table has under their names, without an `id`, and its
    conversation's three, null where it has none."""
    kind = cast("type[Any]", type(record))
    kept = {name: getattr(record, name) for name in _columns(kind, table)}
    if "conversation" not in _names(kind):
        return kept
    where = cast("Conversation | None", getattr(record, "conversation", None))
    if where is None:
        return {"self_id": None, "kind": None, "peer": None, **kept}
    return {**conversation_values(where), **kept}


def record_of(kind: type[R], row: Any, **others: Any) -> R:
    """The record of a row: its conversation, its columns that are fields of `kind`, and in place of these the
    `others`. Raises TypeError where a field without a default is in neither."""
    kept = {name: row._mapping[name] for name in _fields(kind, row._fields)}
    if "conversation" in _names(kind):
        kept["conversation"] = conversation_of(row)
    return kind(**{**kept, **others})


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.init)


@cache
def _columns(kind: type[Any], table: Table) -> tuple[str, ...]:
    return tuple(name for name in _names(kind) if name in table.c and name != "id")


@cache
def _fields(kind: type[Any], columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in _names(kind) if name in columns)


def chunks(ids: Iterable[str]) -> Iterator[list[str]]:
    """Ids in sorted portions that one statement takes; sorted, so that processes lock rows in one order."""
    ordered = sorted(ids)
    return (ordered[start : start + CHUNK] for start in range(0, len(ordered), CHUNK))
