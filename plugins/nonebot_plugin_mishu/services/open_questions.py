"""What we asked a member and are waiting for: a card to be confirmed, a time that was missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..storage.records import Conversation
from .access.actor import Actor, sees_person
from .office import Office
from .refusals import forbidden

MOST = 50


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """One question that is open. `asked_at` wall seconds."""

    task_id: str
    user_id: str
    text: str
    """The words it came from."""
    question: str
    asked_at: float


async def waiting(office: Office, actor: Actor, place: Conversation, user_id: str) -> Sequence[OpenQuestion]:
    """What a member was asked in a group, the newest first. Raises `Refused`."""
    if not sees_person(actor, user_id):
        raise forbidden("只能看自己的")
    frames = await office.storage.frames.latest(place, MOST)
    return [
        OpenQuestion(each.task_id, each.user_id, each.text, each.question, each.updated_at)
        for each in frames
        if each.user_id == user_id and each.status == "awaiting_user" and each.question
    ]
