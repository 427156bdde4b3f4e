"""Imported calendars of a person: listed, taken in, renamed, shared, taken away; their times; busy spans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from ...imports.calendars.occurrences import Occurrence
from ...imports.calendars.sources import (
    BusySpan,
    CalendarSources,
    Imported,
    MemberOccurrence,
    NotImported,
)
from ...storage.calendars.queries import CalendarSource
from ...storage.records import Conversation
from ..access.actor import Actor, Write, sees_group, sees_person
from ..groups import find_all_members
from ..office import Office
from ..refusals import forbidden, invalid, missing, needs_confirmation

LONGEST: Final = timedelta(days=400)
"""Longest range whose times are worked out at once."""


async def list_sources(office: Office, actor: Actor, user_id: str) -> list[CalendarSource]:
    """A person's imported calendars, the oldest first. Raises `Refused` (403) for another's."""
    if not sees_person(actor, user_id):
        raise forbidden("只能看自己的日历")
    return await _sources(office).list_sources(user_id)


async def get_source(office: Office, actor: Actor, source_id: int) -> CalendarSource:
    """An imported calendar. Raises `Refused` (404) where it is not found or another's."""
    found = await office.storage.imported_calendars.get(source_id)
    if found is None or not sees_person(actor, found.user_id):
        raise missing("日历")
    return found


async def import_file(office: Office, write: Write, name: str, data: bytes) -> Imported:
    """Take in a file. Raises `Refused` (422)."""
    place, owner = await _owner(office, write)
    try:
        return await _sources(office).import_file(place, owner, name, data)
    except NotImported as why:
        raise invalid("file", str(why)) from None


async def subscribe(office: Office, write: Write, address: str, *, name: str = "") -> Imported:
    """Subscribe to an address. Raises `Refused` (422)."""
    place, owner = await _owner(office, write)
    try:
        return await _sources(office).subscribe(place, owner, address, name)
    except NotImported as why:
        raise invalid("address", str(why)) from None


async def update_source(
    office: Office, write: Write, source_id: int, fields: Mapping[str, Any]
) -> CalendarSource:
    """Rename a calendar (`name`), or say which groups see it (`shared_with`). Raises `Refused`."""
    source = await _own_source(office, write, source_id)
    if fields.get("name") is not None:
        name = " ".join(str(fields["name"]).split())
        if not name:
            raise invalid("name", "不能是空的")
        await _sources(office).rename(source, name)
    groups: Sequence[str] | None = fields.get("shared_with")
    if groups is not None:
        for group in groups:
            if group in source.shared:
                continue
            if not sees_group(write.actor, group):
                raise invalid("shared_with", "只能公开给你所在的群")
            place = await office.require_group(write.actor, group)
            await office.check_members(place, "shared_with", [source.user_id])
        await _sources(office).share(source, groups)
    return await get_source(office, write.actor, source_id)


async def remove_source(office: Office, write: Write, source_id: int) -> None:
    """Take a calendar away, with its entries, after a confirmation. Raises `Refused`."""
    source = await _own_source(office, write, source_id)
    if not write.confirm:
        raise needs_confirmation(f"要删掉「{source.name}」吗？里面的 {source.entries} 个日程也不看了。")
    await _sources(office).remove(source)


async def list_occurrences(
    office: Office, actor: Actor, user_id: str, first: datetime, last: datetime
) -> list[MemberOccurrence]:
    """Times of a person's imported entries between two moments, by begin. Raises `Refused`."""
    if not sees_person(actor, user_id):
        raise forbidden("只能看自己的日历")
    _check_range(first, last)
    return await _sources(office).day_list(user_id, first, last)


async def list_named_occurrences(
    office: Office, actor: Actor, place: Conversation, me: str | None, first: datetime, last: datetime
) -> list[MemberOccurrence]:
    """Imported entries that a group's pages name to `me`, by begin: their own, and those shared with the
    group. Raises `Refused`."""
    if not sees_group(actor, place.peer):
        raise missing("群")
    own = me if me is not None and sees_person(actor, me) else None
    _check_range(first, last)
    users = {each.id for each in await find_all_members(office, place)}
    users |= set() if own is None else {own}
    return await _sources(office).named_in(place.peer, sorted(users), own, first, last)


async def list_busy_spans(
    office: Office, place: Conversation, user_ids: Sequence[str], first: datetime, last: datetime
) -> list[BusySpan]:
    """When members of a group are busy by their imported calendars: times alone, whatever they are of.

    Raises `Refused`.
    """
    _check_range(first, last)
    return await _sources(office).busy(user_ids, first, last)


def _sources(office: Office) -> CalendarSources:
    return CalendarSources(office.storage, office.zone, office.clock.wall, office.fetch_calendar)


def _check_range(first: datetime, last: datetime) -> None:
    if first > last:
        raise invalid("from", "不能晚于 to")
    if last - first > LONGEST:
        raise invalid("from", f"离 to 不能超过 {LONGEST.days} 天")


async def _owner(office: Office, write: Write) -> tuple[Conversation, str]:
    """The person whose write it is, and the conversation of their own items."""
    person = office.require_person(write)
    return await office.private_place(person), person


async def _own_source(office: Office, write: Write, source_id: int) -> CalendarSource:
    source = await get_source(office, write.actor, source_id)
    if source.user_id != (write.person or source.user_id):
        raise missing("日历")
    return source


__all__ = [
    "BusySpan",
    "Imported",
    "MemberOccurrence",
    "Occurrence",
    "get_source",
    "import_file",
    "list_busy_spans",
    "list_named_occurrences",
    "list_occurrences",
    "list_sources",
    "remove_source",
    "subscribe",
    "update_source",
]
