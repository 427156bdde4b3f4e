"""Choices of the bot's owner: groups in which it is enabled, tokens a day."""

from __future__ import annotations

from typing import Any, Final

from ...config.owner_choices import DAILY, GROUP_DAILY, group_name
from ...storage.records import Conversation
from ..groups import find_all_members
from ..office import Office
from ..refusals import forbidden, invalid
from .actor import Actor, sees_bot

MOST_TOKENS: Final = 10**12


async def enable_group(office: Office, actor: Actor, group_id: str, on: bool) -> None:
    """Enable or disable the bot in a group. Raises `Refused`."""
    await _store_choices(office, actor, {group_name(group_id): on})


async def list_people(office: Office, place: Conversation) -> dict[str, str]:
    """People an owner may act for in a group: its members by name, and SUPERUSERS."""
    names = {each.id: each.name for each in await find_all_members(office, place)}
    return names | {each: f"主人 {each}" for each in sorted(office.superusers()) if each not in names}


async def find_default_person(office: Office, place: Conversation) -> str | None:
    """Person an owner acts for who has chosen nobody: a superuser, preferably one in the group; None
    without SUPERUSERS."""
    named = sorted(office.superusers())
    if len(named) < 2:
        return named[0] if named else None
    here = {each.id for each in await find_all_members(office, place)}
    return next((each for each in named if each in here), named[0])


async def set_limits(office: Office, actor: Actor, daily: int | None, group_daily: int | None) -> None:
    """Tokens a day, of all and of each group; 0: no limit, None: as configured. Raises `Refused`."""
    given = {DAILY: daily, GROUP_DAILY: group_daily}
    for name, value in given.items():
        if value is not None and not 0 <= value <= MOST_TOKENS:
            raise invalid(name, f"应是 0 到 {MOST_TOKENS} 的整数，0 是不限")
    await _store_choices(office, actor, given)


async def _store_choices(office: Office, actor: Actor, given: dict[str, Any]) -> None:
    if not sees_bot(actor):
        raise forbidden("这个只有机器人的主人能改")
    await office.storage.choices.put(given, office.clock.wall())
    office.config.chosen.take(given)
