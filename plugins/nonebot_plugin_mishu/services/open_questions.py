"""Open questions to a member: confirmation cards, missing times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..storage.records import Conversation
from .access.actor import Actor, sees_person
from .office import Office
from .refusals import forbidden

MOST = 50


@dataclass(frozen=True, slots=True)
class QuestionView:
    """An open question. `asked_at` wall seconds."""

    task_id: str
    user_id: str
    text: str
    """The words it came from."""
    question: str
    asked_at: float


async def list_open_questions(
    office: Office, actor: Actor, place: Conversation, user_id: str
) -> Sequence[QuestionView]:
    """Open questions to a member in a group, the newest first. Raises `Refused`."""
    if not sees_person(actor, user_id):
        raise forbidden("只能看自己的")
    frames = await office.storage.frames.latest(place, MOST)
    return [
        QuestionView(each.task_id, each.user_id, each.text, each.question, each.updated_at)
        for each in frames
        if each.user_id == user_id and each.status == "awaiting_user" and each.question
    ]
