"""Groups and their members, from the platform's lists and the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..frontdesk.rooms.rosters import GroupCard
from ..storage.records import Conversation
from .access.actor import Actor, sees_group
from .office import NAMELESS, REMEMBERED, Office
from .paging import Key, Page, cut_page


@dataclass(frozen=True, slots=True)
class GroupEntry:
    """A group, by whichever of our accounts. `last_message_at` wall seconds."""

    id: str
    name: str | None
    self_ids: Sequence[str]
    member_count: int
    presence: str
    last_message_at: float | None
    enabled: bool


@dataclass(frozen=True, slots=True)
class MemberEntry:
    """A member of a group; `last_spoke_at` wall seconds."""

    id: str
    name: str
    role: str
    last_spoke_at: float | None


async def list_groups(
    office: Office, actor: Actor, *, limit: int, after: Key | None, only: str | None = None
) -> Page[GroupEntry]:
    """Groups visible to the actor, by id; `only`: at most this one."""
    cards: dict[tuple[str, str], GroupCard] = {}
    by_id: dict[str, list[str]] = {}
    for account in office.accounts():
        for group_id, card in (await office.rosters.groups(account)).items():
            cards[account, group_id] = card
            by_id.setdefault(group_id, []).append(account)
    desk = office.desk()
    heard = [room.conversation for room in desk.rooms if room.conversation.is_group] if desk else []
    for place in [*heard, *await office.storage.groups.all()]:
        known = by_id.setdefault(place.peer, [])
        if place.self_id not in known:
            known.append(place.self_id)
    asked = by_id if only is None else by_id.keys() & {only}
    seen = sorted(group_id for group_id in asked if sees_group(actor, group_id))
    page = cut_page([(each, 0) for each in seen], limit, after, lambda each: each)
    kept = [
        office.resolve_place(Conversation(account, "group", each))
        for each, _ in page.rows
        for account in by_id[each]
    ]
    places = list(dict.fromkeys(kept))
    last = await office.storage.groups.last_messages(places)
    firsts = {
        each: office.resolve_place(Conversation(by_id[each][0], "group", each)) for each, _ in page.rows
    }
    shown = {
        each: next((cards[account, each] for account in by_id[each] if (account, each) in cards), None)
        for each in firsts
    }
    counts = {firsts[each]: card.member_count for each, card in shown.items() if card is not None}
    uncounted = [place for place in firsts.values() if not counts.get(place)]
    spoke = await office.storage.groups.speakers(uncounted) if uncounted else {}
    found: list[GroupEntry] = []
    for each, _ in page.rows:
        here = [place for place in places if place.peer == each]
        card = shown[each]
        rooms = [desk.rooms.find(place) for place in here] if desk is not None else []
        room = next((room for room in rooms if room is not None), None)
        times = [at for place in here if (at := last[place]) is not None]
        count = card.member_count if card is not None else 0
        count = count or spoke.get(firsts[each], 0)
        found.append(
            GroupEntry(
                each,
                _update_group_name(office, each, card),
                sorted(by_id[each]),
                count,
                "absent" if room is None else room.seat.presence.state.value,
                max(times, default=None),
                office.config.group_enabled(each),
            )
        )
    return Page(found, page.cursor)


def _update_group_name(office: Office, group_id: str, card: GroupCard | None) -> str | None:
    """Group name, the last one known while no account is connected; None for none."""
    if card is not None and card.name:
        if len(office.group_names) >= REMEMBERED:
            office.group_names.clear()
        office.group_names[group_id] = card.name
    return office.group_names.get(group_id)


async def list_members(
    office: Office, place: Conversation, *, limit: int, after: Key | None
) -> Page[MemberEntry]:
    """A page of a group's members, by id."""
    return cut_page(await find_all_members(office, place), limit, after, lambda each: (each.id, 0))


async def find_all_members(office: Office, place: Conversation) -> list[MemberEntry]:
    """All members of a group, by id."""
    spoke = {each.user_id: each for each in await office.storage.groups.members(place)}
    found = {
        each.user_id: MemberEntry(each.user_id, each.name, each.role, each.last_spoke_at)
        for each in await office.rosters.members(place)
        if each.user_id != place.self_id
    }
    for user_id, each in spoke.items():
        known = found.get(user_id)
        if known is None or known.last_spoke_at is None:
            seen_name = user_id if each.name == NAMELESS else each.name
            name, role = (seen_name, each.role) if known is None else (known.name, known.role)
            found[user_id] = MemberEntry(user_id, name, role, each.last_spoke_at)
    return [found[user_id] for user_id in sorted(found)]
