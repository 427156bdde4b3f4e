"""State of the front desk as anybody outside sees it: by the HTTP API, live.

The playground looks at nothing inside the plugin: presence, decisions and drafts of a group come from
`GET /api/groups/{id}/events`, the decisions made before from `/decisions`, the rest from `/health`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

import httpx

from .group import SELF_ID

DECISIONS_KEPT = 50
DECISIONS_ASKED = 20
SILENCE_LIMIT = 45.0
"""Seconds without a byte after which a stream is taken for dead; the server sends a comment before."""
RETRY_DELAYS = (0.5, 1.0, 2.0, 5.0)
HEALTH_INTERVAL = 30.0
"""Seconds between two questions after the bot's health; a decision is followed by one at once."""

Json = dict[str, Any]


class Refused(Exception):
    """The API answered with an error; the words are its own."""


@dataclass(slots=True)
class DeskView:
    """State of one group's front desk."""

    presence: Json | None = None
    decisions: list[Json] = field(default_factory=list[Json])
    """Newest first."""
    draft: Json | None = None
    trouble: str = ""
    """Why nothing is known, in Chinese; empty while all is well."""

    def decided(self, decision: Json) -> None:
        """Put a decision in its place; one known already (told again, or told in full) is replaced."""
        known = [each for each in self.decisions if each.get("id") != decision.get("id")]
        self.decisions = [decision, *known][:DECISIONS_KEPT]


async def read_events(lines: AsyncIterator[str]) -> AsyncIterator[tuple[str, Json]]:
    """The events of a server-sent stream, `(kind, data)`; comments, ids and broken data are passed over."""
    kind, data = "message", list[str]()
    async for line in lines:
        if line.startswith("event:"):
            kind = line[6:].strip()
        elif line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            try:
                parsed: Any = json.loads("\n".join(data))
            except ValueError:
                parsed = None
            if isinstance(parsed, dict):
                yield kind, cast("Json", parsed)
            kind, data = "message", []


def message_of(response: httpx.Response) -> str:
    """The words of an error answer, or its status if it has none."""
    try:
        return str(response.json()["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return f"HTTP 接口不对劲：{response.status_code}"


class Desk:
    """Watches groups by the API. Whoever runs `watch` and `check` owns those tasks."""

    def __init__(self, base_url: str, *, token: str | None, on_change: Callable[[int | None], None]) -> None:
        self._base_url = base_url
        self._headers = {b"Authorization": f"Bearer {token}".encode()} if token else {}
        self._on_change = on_change
        self.views: dict[int, DeskView] = {}
        self.health: Json | None = None
        self._decided = asyncio.Event()

    def view(self, group_id: int) -> DeskView:
        """State of a group's front desk."""
        return self.views.setdefault(group_id, DeskView())

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            base_url=self._base_url,
            headers=self._headers,
            timeout=httpx.Timeout(10.0, read=SILENCE_LIMIT),
            trust_env=False,
        )

    async def watch(self, group_id: int) -> None:
        """Follow one group until cancelled."""
        view = self.view(group_id)
        attempt = 0
        while True:
            try:
                async with self._client() as client:
                    async for kind, data in self._follow(client, group_id):
                        attempt = 0
                        view.trouble = ""
                        if kind == "presence":
                            view.presence = data
                        elif kind == "decision":
                            view.decided(data)
                            self._decided.set()
                        elif kind == "draft":
                            view.draft = data
                        self._on_change(group_id)
                trouble = "实时事件断开了，正在重连"
            except Refused as error:
                trouble = str(error)
            except httpx.HTTPError:
                trouble = "看不到前台：HTTP 接口没有回答"
            view.trouble = trouble
            self._on_change(group_id)
            await asyncio.sleep(RETRY_DELAYS[min(attempt, len(RETRY_DELAYS) - 1)])
            attempt += 1

    async def _follow(self, client: httpx.AsyncClient, group_id: int) -> AsyncIterator[tuple[str, Json]]:
        """Live events; the decisions made before they began come first, oldest first."""
        where = {"self_id": str(SELF_ID)}
        path = f"/api/groups/{group_id}"
        async with client.stream("GET", f"{path}/events", params=where) as response:
            if response.status_code != 200:
                await response.aread()
                raise Refused(message_of(response))
            earlier = await client.get(f"{path}/decisions", params=where | {"limit": str(DECISIONS_ASKED)})
            if earlier.status_code != 200:
                raise Refused(message_of(earlier))
            for decision in reversed(cast("list[Json]", earlier.json())):
                yield "decision", decision
            async for event in read_events(response.aiter_lines()):
                yield event

    async def check(self) -> None:
        """Ask after the bot's health now and then, and after each decision, until cancelled."""
        while True:
            self._decided.clear()
            try:
                async with self._client() as client:
                    response = await client.get("/api/health")
                self.health = cast("Json", response.json()) if response.status_code == 200 else None
            except (httpx.HTTPError, ValueError):
                self.health = None
            self._on_change(None)
            with suppress(TimeoutError):
                async with asyncio.timeout(HEALTH_INTERVAL):
                    await self._decided.wait()
