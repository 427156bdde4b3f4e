"""A small client of the bot's HTTP API."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx

from .room import WITHIN, Chat

POLL = 0.02
"""Seconds between two looks at a state that has no event."""


class Api:
    """The routes of `/api`, each as the contracts pin it."""

    def __init__(self, base: str, token: str | None = None) -> None:
        self.base = base
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.AsyncClient(base_url=base, headers=headers, timeout=10, trust_env=False)

    async def close(self) -> None:
        """Close the connections."""
        await self.http.aclose()

    async def get(self, path: str, **query: Any) -> Any:
        """A GET that must succeed, decoded."""
        answer = await self.http.get(path, params=query)
        assert answer.status_code == 200, f"GET {path}: {answer.status_code} {answer.text[:300]}"
        return answer.json()

    async def health(self) -> dict[str, Any]:
        """`/api/health`."""
        return await self.get("/api/health")

    async def presence(self, room: Chat) -> dict[str, Any]:
        """State, busy and held of a group."""
        return await self.get(f"/api/groups/{room.id}/presence", self_id=room.client.self_id)

    async def state(self, room: Chat) -> str:
        """The presence of a group."""
        return (await self.presence(room))["state"]

    async def decisions(self, room: Chat, limit: int = 50) -> list[dict[str, Any]]:
        """Decisions of a group, newest first."""
        return await self.get(f"/api/groups/{room.id}/decisions", limit=limit, self_id=room.client.self_id)

    async def messages(self, room: Chat, limit: int = 200) -> list[dict[str, Any]]:
        """The ledger of a group, oldest first."""
        return await self.get(f"/api/groups/{room.id}/messages", limit=limit, self_id=room.client.self_id)

    async def until(
        self, room: Chat, check: Callable[[dict[str, Any]], bool], what: str, within: float = WITHIN
    ) -> dict[str, Any]:
        """Wait until the group's presence fits."""
        return await self.poll(lambda: self.presence(room), check, what, within)

    async def poll(
        self, read: Callable[[], Any], check: Callable[[Any], bool], what: str, within: float = WITHIN
    ) -> Any:
        """Look again and again until `check` holds for what `read` gives."""
        end = time.monotonic() + within
        while True:
            seen = await read()
            if check(seen):
                return seen
            assert time.monotonic() < end, f"{what}: not within {within:g} s; last seen {seen}"
            await asyncio.sleep(POLL)

    async def until_state(self, room: Chat, state: str, within: float = WITHIN) -> dict[str, Any]:
        """Wait for a presence."""
        return await self.until(room, lambda seen: seen["state"] == state, f"state {state}", within)

    async def until_held(self, room: Chat, count: int, within: float = WITHIN) -> dict[str, Any]:
        """Wait until so many events are held."""
        return await self.until(room, lambda seen: seen["held"] == count, f"held {count}", within)

    async def until_free(self, room: Chat, within: float = WITHIN) -> dict[str, Any]:
        """Wait until nothing is being done or held."""
        return await self.until(
            room, lambda seen: not seen["busy"] and seen["held"] == 0, "free, nothing held", within
        )

    async def until_stored(self, room: Chat, text: str, within: float = WITHIN) -> dict[str, Any]:
        """Wait until a message that contains `text` stands in the ledger; its newest row."""
        rows = await self.poll(
            lambda: self.messages(room),
            lambda rows: any(text in row["text"] for row in rows),
            f"a ledger row with {text!r}",
            within,
        )
        return next(row for row in reversed(rows) if text in row["text"])

    async def settle(self, room: Chat) -> None:
        """Wait until everything said in the group is done with: two bystanders' questions have come back
        through the outbox, and between them nothing was being done or held.

        A cooldown's trailing analysis is waited for too.
        """
        calm = 0
        end = time.monotonic() + WITHIN
        while calm < 2:
            assert time.monotonic() < end, f"{room.id} did not settle"
            await self.until_free(room)
            await room.sentinel()
            seen = await self.presence(room)
            calm = calm + 1 if not seen["busy"] and seen["held"] == 0 else 0

    async def decision_of(self, room: Chat, message_id: str) -> dict[str, Any]:
        """The decision on one message."""
        rows = await self.poll(
            lambda: self.decisions(room),
            lambda rows: any(str(row["message_id"]) == message_id for row in rows),
            f"a decision on {message_id}",
        )
        return next(row for row in rows if str(row["message_id"]) == message_id)

    @asynccontextmanager
    async def events(self, room: Chat) -> AsyncIterator[asyncio.Queue[dict[str, Any]]]:
        """The group's server-sent events, each `{"event", "data"}`, into a queue."""
        found: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        url = f"/api/groups/{room.id}/events"
        async with self.http.stream("GET", url, timeout=None) as answer:
            assert answer.status_code == 200, answer.status_code
            reader = asyncio.create_task(_read_events(answer, found))
            try:
                yield found
            finally:
                reader.cancel()
                await asyncio.gather(reader, return_exceptions=True)


async def _read_events(answer: httpx.Response, found: asyncio.Queue[dict[str, Any]]) -> None:
    kind, data = "message", ""
    async for line in answer.aiter_lines():
        if line.startswith("event:"):
            kind = line[6:].strip()
        elif line.startswith("data:"):
            data += line[5:].strip()
        elif not line and data:
            await found.put({"event": kind, "data": json.loads(data)})
            kind, data = "message", ""
