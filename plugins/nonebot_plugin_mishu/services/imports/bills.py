"""Bills of a person: previewed, and written on a yes."""

from __future__ import annotations

from dataclasses import dataclass

from ...imports.bills.importing import GONE, BillImports, BillPreview, told
from ...imports.bills.sheets import UnreadableBill
from ...storage.bills.queries import KeptPreview
from ..access.actor import Actor, sees_person
from ..office import Office
from ..refusals import Refused, invalid


@dataclass(frozen=True, slots=True)
class ShownPreview:
    """A bill before anything of it is written, and the same in words."""

    preview: BillPreview
    words: str


async def preview_bill(
    office: Office, actor: Actor, data: bytes, *, origin: str, user_id: str | None = None
) -> ShownPreview:
    """Read a bill; nothing is written. Raises `Refused` (422)."""
    owner = _owner(actor, user_id)
    place = await office.private_place(owner)
    try:
        found = await _bills(office).preview(place, owner, data, origin)
    except UnreadableBill as why:
        raise invalid("file", str(why)) from None
    return ShownPreview(found, told(found, office.now().date()))


async def confirm_bill(office: Office, actor: Actor, preview_id: int, *, user_id: str | None = None) -> int:
    """Write what was previewed; how many records. Raises `Refused` (404)."""
    preview = await _require_preview(office, actor, preview_id, user_id)
    name = actor.name or preview.user_id
    return await _bills(office).commit(preview, name, f"bill:http:{preview.id}")


async def drop_bill(office: Office, actor: Actor, preview_id: int, *, user_id: str | None = None) -> None:
    """Drop what was previewed. Raises `Refused` (404)."""
    preview = await _require_preview(office, actor, preview_id, user_id)
    await _bills(office).drop(preview.id)


def _bills(office: Office) -> BillImports:
    return BillImports(office.storage, office.clock.wall)


def _owner(actor: Actor, user_id: str | None) -> str:
    named = (user_id if actor.is_owner else None) or actor.user_id
    if named is None:
        raise invalid("user_id", "不能缺少，请写明是谁的")
    return named


async def _require_preview(office: Office, actor: Actor, preview_id: int, user_id: str | None) -> KeptPreview:
    preview = await _bills(office).find(preview_id)
    if preview is None or not sees_person(actor, preview.user_id):
        raise Refused(404, GONE)
    if user_id is not None and actor.is_owner and user_id != preview.user_id:
        raise Refused(404, GONE)
    return preview
