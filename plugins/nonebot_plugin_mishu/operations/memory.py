"""What is remembered of a person, item by item, for that person; and forgotten, one or all."""

from __future__ import annotations

from ..storage.memories import Memory
from .actor import Actor, sees_person
from .office import Office
from .pages import Key, Page, page_of
from .refusals import asks, forbidden, missing


def memory_key(item: Memory) -> Key:
    """What items are sorted by, the newest first: kind and a falling number."""
    return item.kind, item.row_id


async def listed(
    office: Office, actor: Actor, user_id: str, *, group_id: str | None, limit: int, after: Key | None
) -> Page[Memory]:
    """Summaries and digests of what was done and said with a person. A member sees their group's only."""
    group_id = _where(actor, user_id, group_id)
    found = await office.storage.memories.page(user_id, group_id, limit=limit + 1, after=after)
    return page_of(found, limit, memory_key)


async def forget(
    office: Office,
    actor: Actor,
    user_id: str,
    *,
    group_id: str | None,
    item: str | None,
    confirm: bool,
) -> int:
    """Forget one item, or all, asked about first; how many. Raises `Refused`."""
    group_id = _where(actor, user_id, group_id)
    if item is not None:
        kind, _, number = item.partition("-")
        gone = 0
        if number.isdecimal() and len(number) < 19:
            gone = await office.storage.memories.forget(user_id, group_id, (kind, int(number)))
        if not gone:
            raise missing("记忆")
        return gone
    if not confirm:
        raise asks("要忘掉记得的全部事情吗？删了找不回来。")
    return await office.storage.memories.forget(user_id, group_id, None)


def _where(actor: Actor, user_id: str, group_id: str | None) -> str | None:
    if not sees_person(actor, user_id):
        raise forbidden("只能看自己的记忆")
    if actor.is_owner:
        return group_id
    if group_id not in (None, actor.group_id):
        raise forbidden("这不是你所在的群")
    return actor.group_id
