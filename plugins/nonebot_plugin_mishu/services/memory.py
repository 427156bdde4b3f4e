"""Memories of a person and facts of a group: listed, corrected, forgotten."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from ..memory.task_lines import Remembered, told_again
from ..memory.terms import terms
from ..storage.memory.memories import Memory
from ..storage.record.facts import Fact
from ..storage.records import Conversation
from .access.actor import Actor, Write, sees_person
from .office import Office
from .paging import Key, Page, make_page
from .refusals import forbidden, invalid, missing, needs_confirmation

LONGEST: Final = 500
"""Characters of what is remembered in somebody's own words."""


async def list_memories(
    office: Office, actor: Actor, user_id: str, *, group_id: str | None, limit: int, after: Key | None
) -> Page[Memory]:
    """A page of memories (summaries, digests) of a person; a member sees those of their group only."""
    group_id = _restrict_group(actor, user_id, group_id)
    found = await office.storage.memories.list_page(user_id, group_id, limit=limit + 1, after=after)
    return make_page(found, limit, lambda each: (each.kind, each.row_id))


async def find_open_tasks(office: Office) -> Collection[str]:
    """Ids of tasks whose question is open."""
    return {each.task_id for each in await office.storage.frames.open()}


def format_memory(item: Memory, waiting: Collection[str]) -> Remembered:
    """A memory as a sentence with its sources. `waiting`: ids of `find_open_tasks`."""
    return told_again(item.text, waits=item.task_id in waiting)


async def forget(
    office: Office,
    actor: Actor,
    user_id: str,
    *,
    group_id: str | None,
    item: str | None,
    confirm: bool,
) -> int:
    """Forget one item, or all after a confirmation; returns the number forgotten. Raises `Refused`."""
    group_id = _restrict_group(actor, user_id, group_id)
    if item is not None:
        kind, _, number = item.partition("-")
        gone = 0
        if number.isdecimal() and len(number) < 19:
            gone = await office.storage.memories.delete_memories(user_id, group_id, (kind, int(number)))
        if not gone:
            raise missing("记忆")
        return gone
    if not confirm:
        raise needs_confirmation("要忘掉记得的全部事情吗？删了找不回来。")
    return await office.storage.memories.delete_memories(user_id, group_id, None)


async def correct(
    office: Office, actor: Actor, user_id: str, *, group_id: str | None, item: str, text: str
) -> None:
    """Replace the text of a memory by the person's own. Raises `Refused`."""
    group_id = _restrict_group(actor, user_id, group_id)
    said = _check_text(text)
    kind, _, number = item.partition("-")
    there = number.isdecimal() and len(number) < 19
    kept = office.storage.memories
    if not there or not await kept.correct(user_id, group_id, (kind, int(number)), said, terms(said)):
        raise missing("记忆")


async def list_facts(office: Office, place: Conversation) -> list[Fact]:
    """Facts of a group, the newest first."""
    return (await office.storage.facts.list_facts(place))[::-1]


async def correct_fact(office: Office, write: Write, place: Conversation, fact: Fact, text: str) -> None:
    """Replace the text of a fact: its author or an admin may. Raises `Refused`."""
    speaker = await office.require_speaker(write, place)
    new = replace(
        fact,
        content=_check_text(text),
        user_id=speaker.user_id,
        name=speaker.name,
        at=office.clock.wall(),
        message_id=write.origin,
    )
    before, stands = await office.storage.facts.store_fact(
        place, new, write.origin, only_own=not speaker.governs
    )
    if not stands and before is not None:
        raise forbidden(f"这条是{before.name}记的，只有本人或管理员能改")


async def forget_fact(office: Office, write: Write, place: Conversation, fact: Fact) -> None:
    """Forget a fact and every line that holds it: its author or an admin may, after a confirmation. Raises
    `Refused`."""
    speaker = await office.require_speaker(write, place)
    kept = {each.subject: each for each in await office.storage.facts.list_facts(place)}.get(fact.subject)
    if kept is None:
        raise missing("这条")
    if kept.user_id != speaker.user_id and not speaker.governs:
        raise forbidden(f"这条是{kept.name}记的，只有本人或管理员能让我忘掉")
    if not write.confirm:
        raise needs_confirmation("忘掉这条？群记录里说到它的话也不再翻得出来。")
    office.withdrawn(place, await office.storage.facts.delete_fact(place, kept))


def _check_text(text: str) -> str:
    words = " ".join(text.split())
    if not words or len(words) > LONGEST:
        raise invalid("text", f"应是 1 到 {LONGEST} 个字")
    return words


def _restrict_group(actor: Actor, user_id: str, group_id: str | None) -> str | None:
    if not sees_person(actor, user_id):
        raise forbidden("只能看自己的记忆")
    if actor.is_owner:
        return group_id
    if group_id not in (None, actor.group_id):
        raise forbidden("这不是你所在的群")
    return actor.group_id
