"""Voices in polls beside open questions: each line belongs to what it answers. Pure.

2, 我不去了 and 火锅 of a member with a card open are voices; 确认 and 取消 are of the card.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...language.polls.voices import is_worded, takes_back
from ...storage.records import FrameRecord
from ..decision.reader import claimed_line
from ..decision.reading import MessageReading
from ..message_context import MessageContext
from ..protocols import Agents
from .alignment import CancelAll, ConfirmAll, TaskAnswer

_POLL: Final = "poll"
_POLLS: Final = "polls"


def is_voice(job: MessageContext, agents: Agents, answer: TaskAnswer | CancelAll | ConfirmAll | None) -> bool:
    """True if a line of a member with open questions is a voice in a poll, and not what `answer` makes of it.

    A yes is of the question. 我不去了 goes to the poll in which the member has a voice; any other no and a
    value to what was spoken of last, but a bare number corrects no card.
    """
    if isinstance(answer, CancelAll | ConfirmAll) or not job.polls:
        return False
    frame = claimed_line(job.said.words, replace(job.situation, polls=job.polls), tuple(agents))
    poll_id = None if frame is None else frame.slots.get(_POLL)
    poll = next((each for each in job.polls if str(each.id) == poll_id), None)
    if frame is None or poll is None or not frame.slots.keys().isdisjoint({"names"}):
        return False
    if answer is None:
        return True
    relation = answer.bound.relation
    if relation == "fills" and job.called and is_worded(job.said.words, poll):
        return True  # 我投火锅, while the name of a plan is asked for
    if relation in ("cancel", "deny"):
        if takes_back(job.said.words):
            return poll.given
        return poll.touched_at > answer.task.updated_at  # 不要了, of a card that was asked since
    if relation == "confirm" or answer.bound.consents:
        return False
    if relation == "corrects" and not frame.clause.times and not job.called:
        return True
    return poll.touched_at >= answer.task.updated_at and not job.called


def is_newer_poll(job: MessageContext, reading: MessageReading, asked: FrameRecord) -> bool:
    """True if a line is a voice in a poll, or asks of one, that was spoken of since a question was put."""
    frame = reading.frames[0]
    if len(reading.frames) > 1 or not frame.sure or frame.agent_code != _POLLS:
        return False
    poll_id = frame.slots.get(_POLL)
    newest = max((each.touched_at for each in job.polls if not each.closed), default=0.0)
    at = next((each.touched_at for each in job.polls if str(each.id) == poll_id), newest)
    return at > asked.updated_at
