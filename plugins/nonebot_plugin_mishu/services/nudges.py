"""Nudges of a group's members, by the executor of the agent."""

from __future__ import annotations

from ..agents import Mention
from ..agents.nudges import FEATURE, NudgeRefused
from ..agents.nudges.executor import Nudged
from ..storage.records import Conversation
from .access.actor import Write
from .office import Office
from .refusals import Refused, forbidden


async def nudge_member(
    office: Office, write: Write, place: Conversation, member_id: str, what: str, *, money: bool = False
) -> Nudged:
    """Have a member asked about `what` in the group, in the speaker's name. Raises `Refused`."""
    if not await office.announcer.allows(place, FEATURE):
        raise forbidden(f"这个群把「{FEATURE}」关了")
    speaker = await office.require_speaker(write, place)
    await office.check_members(place, "user_id", [member_id])
    member = Mention(member_id, await office.name_of(place, member_id))
    try:
        return await office.nudges.nudge(
            place, speaker, member, what.strip(), origin=write.origin, money=money
        )
    except NudgeRefused as why:
        raise Refused(409 if why.kind == "conflict" else 422, why.text) from None
