"""What only the owner of the bot may choose: in which groups it is at work, and how many tokens a day."""

from __future__ import annotations

from typing import Any, Final

from ...config.owner_choices import DAILY, GROUP_DAILY, group_name
from ...storage.records import Conversation
from ..groups import everybody
from ..office import Office
from ..refusals import forbidden, invalid
from .actor import Actor, sees_bot

MOST_TOKENS: Final = 10**12


async def enable_group(office: Office, actor: Actor, group_id: str, on: bool) -> None:
    """Let the bot be at work in a group, or not. Raises `Refused`."""
    await _choose(office, actor, {group_name(group_id): on})


async def people(office: Office, place: Conversation) -> dict[str, str]:
    """As whom an owner may act in a group: its members by name, and who is named in SUPERUSERS."""
    names = {each.id: each.name for each in await everybody(office, place)}
    return names | {each: f"主人 {each}" for each in sorted(office.superusers()) if each not in names}


async def usual_person(office: Office, place: Conversation) -> str | None:
    """As whom an owner acts who has chosen nobody: a superuser, rather one who is in the group; None where
    SUPERUSERS names nobody."""
    named = sorted(office.superusers())
    if len(named) < 2:
        return named[0] if named else None
    here = {each.id for each in await everybody(office, place)}
    return next((each for each in named if each in here), named[0])


async def set_limits(office: Office, actor: Actor, daily: int | None, group_daily: int | None) -> None:
    """Tokens a day, of all and of each group; 0: no limit, None: as configured. Raises `Refused`."""
    given = {DAILY: daily, GROUP_DAILY: group_daily}
    for name, value in given.items():
        if value is not None and not 0 <= value <= MOST_TOKENS:
            raise invalid(name, f"应是 0 到 {MOST_TOKENS} 的整数，0 是不限")
    await _choose(office, actor, given)


async def _choose(office: Office, actor: Actor, given: dict[str, Any]) -> None:
    if not sees_bot(actor):
        raise forbidden("这个只有机器人的主人能改")
    await office.storage.choices.put(given, office.clock.wall())
    office.config.chosen.take(given)
