"""Request bodies: read whole by one layer, and given again to the next."""

from __future__ import annotations

from math import inf

from .guard import Message, Receive


async def read_body(receive: Receive, limit: float = inf) -> bytes | None:
    """The whole body of a request; None above `limit` bytes. A client that left early leaves
    what there is."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(body)
        body += message.get("body", b"")
        if len(body) > limit:
            return None
        if not message.get("more_body", False):
            return bytes(body)


def replay_body(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body once, then what the server says."""
    given = False

    async def next_message() -> Message:
        nonlocal given
        if not given:
            given = True
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return next_message
