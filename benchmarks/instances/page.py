"""An open page of the console as the bot sees it: its document, then its socket, which answers each ping."""

from __future__ import annotations

import asyncio
import json
import re
from ast import literal_eval
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed


class OpenPage:
    """Use it as an async context manager; it is open when that is entered."""

    def __init__(self, url: str, page: str, cookies: Mapping[str, str]) -> None:
        self._url = url
        self._page = page
        self._cookies = dict(cookies)
        self._socket: ClientConnection
        self._living: asyncio.Task[None]

    async def __aenter__(self) -> OpenPage:
        address = f"{self._url}/console{f'/{self._page}' if self._page else ''}"
        async with httpx.AsyncClient(trust_env=False, timeout=30, cookies=self._cookies) as http:
            document = (await http.get(address)).text
        found = re.search(r"\bquery: (\{.*?\}),\n", document)
        assert found is not None, document[:2000]
        query: dict[str, Any] = literal_eval(found[1])  # written as Python writes it
        said = {name: json.dumps(each) if isinstance(each, bool) else each for name, each in query.items()}
        said |= {"document_id": str(uuid4()), "tab_id": str(uuid4()), "EIO": "4", "transport": "websocket"}
        where = f"ws{self._url[4:]}/console/_nicegui_ws/socket.io/?{urlencode(said)}"
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        headers = {"Origin": self._url, "Cookie": cookies}
        self._socket = await connect(where, additional_headers=headers, proxy=None, max_size=None)
        await self._socket.recv()
        await self._socket.send("40")
        assert str(await self._socket.recv()).startswith("40")
        self._living = asyncio.create_task(self._live())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._socket.close()
        await self._living

    async def _live(self) -> None:
        try:
            async for frame in self._socket:
                if frame == "2":
                    await self._socket.send("3")
        except ConnectionClosed:
            return
