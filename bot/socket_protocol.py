"""The web server's side of a WebSocket: what would end a connection before anybody of ours saw the frame.

A text frame that is not UTF-8, and one longer than the web server's 16 MiB, end the connection, and what
stands behind them in it is lost. Here such a frame is handed on, and skipped like every other broken one
(`frames`).
"""

from __future__ import annotations

from typing import Any

from nonebot.drivers import Driver

LARGEST = 64 * 2**20
"""Bytes of a frame that are taken from a socket. A longer one ends the connection: memory is bounded."""
PATHS = "/onebot/"
"""Where OneBot implementations connect. Other sockets, those of the pages, stay as the web server has it."""


def options(driver: Driver) -> dict[str, Any]:
    """Arguments of the web server beside its own defaults; none where it is not uvicorn."""
    if "fastapi" not in driver.type:
        return {}
    protocol = _lenient()
    return {"ws_max_size": LARGEST, **({} if protocol is None else {"ws": protocol})}


def _lenient() -> type[Any] | None:
    """A protocol that hands text on as bytes where it is not UTF-8; None where uvicorn speaks another one."""
    try:
        from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol
        from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
    except ImportError:
        return None
    if AutoWebSocketsProtocol is not WebSocketsSansIOProtocol:
        return None

    class Lenient(WebSocketsSansIOProtocol):
        def send_receive_event_to_app(self) -> None:
            if self.curr_msg_data_type == "text" and self.scope["path"].startswith(PATHS):
                try:
                    b"".join(self.frames).decode()
                except UnicodeDecodeError:
                    self.curr_msg_data_type = "bytes"
            super().send_receive_event_to_app()

    return Lenient
