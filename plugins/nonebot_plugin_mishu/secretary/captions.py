"""Picture captions: the newest few pictures of a context are described before a reply is written."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..llm import CallLog, Deadline, ModelClient, ModelError
from ..prompts.quoting import QUOTE
from ..storage.records import LedgerMessage

MOST = 7
"""Pictures described for one reply, the newest (product section 2)."""


def picture_sources(message: LedgerMessage) -> list[str]:
    """Picture sources of a message: addresses, or their data as `base64://`."""
    found: list[str] = []
    for segment in message.parts:
        if segment.get("type") == "image":
            data: dict[str, Any] = segment.get("data") or {}
            address: Any = data.get("url") or data.get("file")
            if isinstance(address, str) and address.startswith(("http://", "https://", "base64://", "data:")):
                found.append(address)
    return found


async def caption_pictures(
    context: Sequence[LedgerMessage], model: ModelClient, deadline: Deadline, calls: CallLog
) -> list[LedgerMessage]:
    """Caption the newest pictures; the messages of which some could be captioned in time.

    Only the newest `MOST` pictures count, those with captions too; what is missing is asked for all at once.
    One that fails or is late is left out.
    """
    chosen: list[tuple[LedgerMessage, list[str]]] = []
    left = MOST
    for message in reversed(context):
        newest = picture_sources(message)[-left:]
        left -= len(newest)
        if newest and not message.captions:
            chosen.append((message, newest))
        if left == 0:
            break
    captions = await asyncio.gather(
        *(_captions(message, newest, model, deadline, calls) for message, newest in chosen)
    )
    return [
        replace(message, captions=made) for (message, _), made in zip(chosen, captions, strict=True) if made
    ]


async def _captions(
    message: LedgerMessage,
    addresses: Sequence[str],
    model: ModelClient,
    deadline: Deadline,
    calls: CallLog,
) -> list[str]:
    made = await asyncio.gather(
        *(_caption(address, message, model, deadline, calls) for address in addresses)
    )
    return [caption for caption in made if caption]


async def _caption(
    address: str, message: LedgerMessage, model: ModelClient, deadline: Deadline, calls: CallLog
) -> str | None:
    try:
        made = await model.caption(
            _image(address), deadline=deadline, conversation=message.conversation, log=calls
        )
        return " ".join(made.split())[:QUOTE]  # as it is: the safety gate reads it, prompts escape it
    except ModelError:
        return None  # a reply without this caption is better than none


def _image(address: str) -> str | bytes:
    """OneBot's `base64://` as bytes; other addresses as they are."""
    if not address.startswith("base64://"):
        return address
    try:
        return b64decode(address.removeprefix("base64://"), validate=True)
    except ValueError:
        return b""
