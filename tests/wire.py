"""A wire to a PostgreSQL server that can be cut: silently, as a pulled cable does, or by hanging up."""

from __future__ import annotations

import asyncio


class Wire:
    """Passes bytes between us and the server. While `open` is cleared nothing passes, nothing is closed, and
    new connections hang too."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.open = asyncio.Event()
        self.open.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self) -> int:
        """Listen; the port."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.listens_at = self._server.sockets[0].getsockname()[1]
        return self.listens_at

    async def stop(self) -> None:
        """End, and hang up."""
        self._server.close()
        self.hang_up()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def hang_up(self) -> None:
        """Cut every connection there is; new ones are taken."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def away(self, seconds: float) -> None:
        """Cut every connection and refuse new ones for so long."""
        address = self._server.sockets[0].getsockname()
        self._server.close()
        self.hang_up()
        await asyncio.sleep(seconds)
        self._server = await asyncio.start_server(self._connected, *address[:2])

    async def silent(self, seconds: float) -> None:
        """Let nothing pass for so long; what was sent meanwhile then arrives."""
        self.open.clear()
        await asyncio.sleep(seconds)
        self.open.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            onward, back = await asyncio.open_connection(self.host, self.port)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, back}
        both = [asyncio.create_task(self._pass(*way)) for way in ((reader, back), (onward, writer))]
        self._tasks.update(both)
        for task, end in zip(both, (back, writer), strict=True):
            task.add_done_callback(self._tasks.discard)
            task.add_done_callback(lambda _, end=end: self._writers.discard(end))

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65536):
                await self.open.wait()
                target.write(data)
                await target.drain()
        except ConnectionError:
            pass
        finally:
            target.close()
