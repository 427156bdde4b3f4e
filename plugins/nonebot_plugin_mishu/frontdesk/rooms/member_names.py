"""Names of members whom a message gives by id alone: @-mentioned without having spoken, or pressing a
button."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

from ...storage.records import Conversation, LedgerMessage
from ..lines.incoming_message import IncomingMessage
from .room import Room

Card = Callable[[Conversation, str], Awaitable[str | None]]
"""Platform lookup of a member's name in a group; None if unknown. Never raises, and answers in a moment."""
_MOST: Final = 5
"""Members of one message that are asked about."""


async def nobody_known(conversation: Conversation, user_id: str) -> str | None:
    """There is no platform to ask."""
    return None


def unknown(room: Room, heard: IncomingMessage) -> Sequence[str]:
    """Ids of who a group's message mentions and whose name is not known."""
    own = heard.conversation.self_id
    ids = dict.fromkeys(part.value for part in heard.segments if part.kind == "at" and part.value != own)
    here = heard.conversation.is_group
    return [each for each in ids if here and room.ledger.name_of(each) is None][:_MOST]


async def introduced(room: Room, user_ids: Sequence[str], card: Card) -> None:
    """Ask for names, and note those that are told."""
    told = await asyncio.gather(*(card(room.conversation, each) for each in user_ids))
    for user_id, name in zip(user_ids, told, strict=True):
        if name is not None and room.ledger.name_of(user_id) is None:
            room.ledger.introduce(user_id, name)


async def with_sender(room: Room, message: LedgerMessage, card: Card) -> LedgerMessage:
    """The line with name and role of its sender, as last heard here, else as the platform has them; for
    platforms that give the id alone."""
    before = room.ledger.last_of(message)
    if before is not None:
        return replace(message, name=before.name, role=before.role)
    name = await card(room.conversation, message.user_id)
    return message if name is None else replace(message, name=name)
