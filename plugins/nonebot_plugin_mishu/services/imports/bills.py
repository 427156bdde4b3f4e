"""Bills of a person: previewed, and written on a yes."""

from __future__ import annotations

from dataclasses import dataclass

from ...imports.bills.importing import GONE, BillImports, BillPreview, told
from ...imports.bills.sheets import UnreadableBill
from ...storage.bills.queries import KeptPreview
from ..access.actor import Write, sees_person
from ..office import Office
from ..refusals import Refused, invalid


@dataclass(frozen=True, slots=True)
class ShownPreview:
    """A bill before anything of it is written, and the same in words."""

    preview: BillPreview
    words: str


async def preview_bill(office: Office, write: Write, data: bytes) -> ShownPreview:
    """Read a bill; nothing is written. Raises `Refused` (422)."""
    owner = office.require_person(write)
    place = await office.private_place(owner)
    try:
        found = await _bills(office).preview(place, owner, data, write.origin)
    except UnreadableBill as why:
        raise invalid("file", str(why)) from None
    return ShownPreview(found, told(found, office.now().date()))


async def confirm_bill(office: Office, write: Write, preview_id: int) -> int:
    """Write what was previewed; how many records. Raises `Refused` (404)."""
    preview = await _require_preview(office, write, preview_id)
    name = write.actor.name or preview.user_id
    return await _bills(office).commit(preview, name, f"bill:http:{preview.id}")


async def drop_bill(office: Office, write: Write, preview_id: int) -> None:
    """Drop what was previewed. Raises `Refused` (404)."""
    preview = await _require_preview(office, write, preview_id)
    await _bills(office).drop(preview.id)


def _bills(office: Office) -> BillImports:
    return BillImports(office.storage, office.clock.wall)


async def _require_preview(office: Office, write: Write, preview_id: int) -> KeptPreview:
    preview = await _bills(office).find(preview_id)
    if preview is None or not sees_person(write.actor, preview.user_id):
        raise Refused(404, GONE)
    if write.actor.is_owner and write.user_id not in (None, preview.user_id):
        raise Refused(404, GONE)
    return preview
