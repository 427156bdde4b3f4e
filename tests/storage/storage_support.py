"""Builders and outside views that the tests of storage share."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from nonebot_plugin_mishu.storage import Conversation, DecisionRecord, LedgerMessage, ModelCall
from sqlalchemy import make_url
from stand_ins import line
from stand_ins import until as until

GROUP = Conversation("10000", "group", "20000")
OTHER = Conversation("10000", "group", "20001")
FRIEND = Conversation("10000", "private", "30000")


def message(number: int | str, **changed: Any) -> LedgerMessage:
    """Message `number`, said at that second."""
    return line(number, **{"conversation": GROUP, "user_id": "30000", "text": f"第{number}句", **changed})


def decision(**changed: Any) -> DecisionRecord:
    values: dict[str, Any] = {
        "conversation": GROUP,
        "message_id": "1",
        "trigger": "summon",
        "state_before": "absent",
        "state_after": "summoned",
        "should_reply": True,
        "strategy": "回应追问",
        "reason": "有人叫我",
        "timings": {"analysis": 0.25},
        "calls": ["analyze_conversation"],
        "tokens": 12,
        "at": 100.0,
        "user_id": "30000",
    }
    return DecisionRecord(**{**values, **changed})


def call(**changed: Any) -> ModelCall:
    values: dict[str, Any] = {
        "name": "chat_reply",
        "model": "m",
        "conversation": GROUP,
        "prompt_tokens": 100,
        "completion_tokens": 10,
        "seconds": 0.5,
        "outcome": "ok",
        "at": 100.0,
    }
    return ModelCall(**{**values, **changed})


def ids(messages: Iterable[LedgerMessage]) -> list[str]:
    return [each.message_id for each in messages]


def file_of(url: str) -> str:
    database = make_url(url).database
    assert database is not None
    return database


async def outside(url: str, statement: str) -> list[tuple[Any, ...]]:
    """Run a statement on a connection that is not the storage's."""
    if url.startswith("sqlite"):
        connection = sqlite3.connect(file_of(url), timeout=5, isolation_level=None)
        try:
            return connection.execute(statement).fetchall()
        finally:
            connection.close()
    import asyncpg

    server = await asyncpg.connect(url.replace("+asyncpg", ""), timeout=5)
    try:
        if ";" in statement:
            await server.execute(statement)
            return []
        return [tuple(row) for row in await server.fetch(statement)]
    finally:
        await server.close()


@asynccontextmanager
async def locked(url: str) -> AsyncIterator[None]:
    """Another program holds the database, as far as writing is concerned."""
    if url.startswith("sqlite"):
        connection = sqlite3.connect(file_of(url), timeout=5, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
        try:
            yield
        finally:
            connection.execute("ROLLBACK")
            connection.close()
        return
    import asyncpg

    server = await asyncpg.connect(url.replace("+asyncpg", ""), timeout=5)
    try:
        async with server.transaction():
            for (table,) in await server.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"):
                await server.execute(f'LOCK TABLE "{table}" IN EXCLUSIVE MODE')
            yield
    finally:
        await server.close()
