"""Account books of a group: records, debts, settlements, budgets, by the bookkeeping agent's books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any, Final, Literal

from ...agents import Asker as Speaker
from ...agents.bookkeeping import wording
from ...agents.bookkeeping.reports import FOREIGN_HEAD, entry_of, foreign_cells
from ...agents.bookkeeping.shares.sharing import Transfer, settling_transfers, split
from ...language.entries.categories import BUILT_IN, is_name
from ...language.entries.entry import OTHER, Entry, Foreign, Share, fen_of, spoken
from ...language.ledger.repayments.repaying import paid
from ...storage.records import Conversation
from ...storage.transactions.budgets import BudgetRecord
from ...storage.transactions.queries import BookSpan, TransactionRecord
from ..access.actor import Actor, Write, sees_person
from ..office import Office
from ..paging import Key, Page, make_page
from ..refusals import forbidden, invalid, missing, needs_confirmation

Scope = Literal["personal", "shared"]
MOST_PEOPLE: Final = 200
LONGEST: Final = 60


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Filter of records: days `first` to `last` (both included), category, type, person, scope."""

    first: str | None = None
    last: str | None = None
    category: str | None = None
    type: str | None = None
    user_id: str | None = None
    newest: bool = False
    """The newest first."""
    scope: Scope | None = None
    """The shared ones of the group, or what is somebody's own, alone; None: both."""


@dataclass(frozen=True, slots=True)
class MonthBudgets:
    """A person's budgets of a month, in fen; None: no budget."""

    month: str
    total: int | None
    categories: Mapping[str, int]


def record_key(record: TransactionRecord) -> Key:
    """Sort key of records."""
    return record.fields.day, record.id


def find_foreign_sum(record: TransactionRecord) -> Foreign | None:
    """The sum as it was said in another currency; None for one in yuan, also one that was corrected since."""
    return entry_of(record).converted


async def list_records(
    office: Office, actor: Actor, place: Conversation, wanted: RecordFilter, *, limit: int, after: Key | None
) -> Page[TransactionRecord]:
    """Records by day. A member sees the shared ones and their own."""
    span = BookSpan(
        place,
        wanted.user_id,
        first=wanted.first,
        last=wanted.last,
        category=wanted.category,
        type=wanted.type,
        everything=wanted.user_id is None,
        newest=wanted.newest,
        shared=None if wanted.scope is None else wanted.scope == "shared",
    )
    private_to = None if actor.is_owner else actor.user_id
    rows = await office.storage.transactions.list_page(span, limit=limit + 1, after=after, seen_by=private_to)
    return make_page(rows, limit, record_key)


async def get_record(office: Office, actor: Actor, place: Conversation, record_id: int) -> TransactionRecord:
    """A record of a group. Raises `Refused` (404) where it is not found or not visible."""
    found = await office.storage.transactions.get(record_id)
    if found is None or found.conversation != place:
        raise missing("账目")
    if not found.fields.shared and not sees_person(actor, found.user_id):
        raise missing("账目")
    return found


async def create_record(
    office: Office, write: Write, place: Conversation, fields: Mapping[str, Any]
) -> TransactionRecord:
    """Save a record. Raises `Refused`."""
    speaker = await office.require_speaker(write, place)
    if fields.get("amount") is None:
        raise invalid("amount", "不能缺少")
    entry = await _merge_fields(office, place, speaker, Entry(0, day=office.now().date()), fields)
    return await _store_entry(office, speaker, place, entry, write.origin)


async def update_record(
    office: Office, write: Write, place: Conversation, record_id: int, fields: Mapping[str, Any]
) -> TransactionRecord:
    """Change one's own record. Absent fields stay. Raises `Refused`."""
    speaker = await office.require_speaker(write, place)
    record = await _require_own_record(office, write.actor, place, record_id, speaker)
    before = entry_of(record)
    entry = await _merge_fields(office, place, speaker, before, fields)
    done = await office.books.change(record.id, before, speaker.user_id, entry)
    if done is None:
        raise missing("账目")
    if before.shares or entry.shares:
        said = f"已改好：{wording.row(entry)}（原来是{wording.brief(before)}）。"
        await office.tell_group(place, speaker, said, _sharers([*before.shares, *entry.shares]))
    return done


async def delete_record(office: Office, write: Write, place: Conversation, record_id: int) -> None:
    """Delete one's own record after a confirmation. Raises `Refused`."""
    speaker = await office.require_speaker(write, place)
    record = await _require_own_record(office, write.actor, place, record_id, speaker)
    entry = entry_of(record)
    if not write.confirm:
        raise needs_confirmation(f"要删掉这笔账吗？{wording.row(entry)}")
    if await office.books.change(record.id, entry, speaker.user_id, None) is None:
        raise missing("账目")
    if entry.shares:
        said = f"已删掉：{wording.row(entry)}。"
        await office.tell_group(place, speaker, said, _sharers(entry.shares))


async def list_debts(office: Office, place: Conversation) -> list[Transfer]:
    """Debts among members, settled by the fewest transfers."""
    return settling_transfers(await office.books.sum_balances(place))


async def pay_back(
    office: Office, write: Write, place: Conversation, giver: str, getter: str, amount: Decimal
) -> TransactionRecord:
    """Record the repayment of a debt. An amount over the debt needs a confirmation. Raises `Refused`."""
    speaker = await office.require_speaker(write, place)
    if giver == getter:
        raise invalid("to", "不能和 from 是同一个人")
    if speaker.user_id not in (giver, getter) and not speaker.governs:
        raise forbidden("只能记自己还的，或还给自己的")
    fen = fen_of(amount)
    if fen is None:
        raise invalid("amount", "应是大于零、最多两位小数的元")
    owed, names = await office.books.member_balances(place)
    # A debt of somebody who left is still paid back.
    for field, each in (("from", giver), ("to", getter)):
        if each not in owed:
            await office.check_members(place, field, [each])
    debt = max(0, min(-owed.get(giver, 0), owed.get(getter, 0)))
    people = [(each, names.get(each) or await office.name_of(place, each)) for each in (giver, getter)]
    if fen > debt and not write.confirm:
        known = f"只欠{spoken(debt)}" if debt else "没有欠"
        raise needs_confirmation(f"账上{people[0][1]}{known}{people[1][1]}，还是要记{spoken(fen)}吗？")
    entry = paid(Entry(fen, day=office.now().date()), people[0], people[1])
    return await _store_entry(office, speaker, place, entry, write.origin)


async def get_budgets(
    office: Office, actor: Actor, place: Conversation, month: str, *, user_id: str | None = None
) -> MonthBudgets:
    """Somebody's budgets of a month. Raises `Refused`."""
    speaker = await office.require_speaker(Write(actor, user_id=user_id), place)
    found = await office.storage.transactions.budgets.list_budgets(place, speaker.user_id, month)
    amounts = {each.category: each.fen for each in found}
    return MonthBudgets(month, amounts.pop("", None), amounts)


async def set_budgets(
    office: Office, write: Write, place: Conversation, month: str, amounts: Mapping[str, Decimal | None]
) -> MonthBudgets:
    """Set budgets of a month by category ("" is the total); None removes one, absent ones stay."""
    speaker = await office.require_speaker(write, place)
    wanted: dict[str, int | None] = {}
    for category, amount in amounts.items():
        field = f"categories.{category}" if category else "total"
        if category and not is_name(category):
            raise invalid(field, "不是分类名")
        fen = None if amount is None else fen_of(amount)
        if amount is not None and fen is None:
            raise invalid(field, "应是大于零、最多两位小数的元")
        wanted[category] = fen
    keep = office.storage.transactions.budgets
    at = office.clock.wall()
    for category, fen in wanted.items():
        what = f"{int(month[5:])}月{category or '总'}预算"
        if fen is None:
            await keep.remove(place, speaker.user_id, category, month, f"去掉{what}", at)
        else:
            await keep.set_budget(
                place, speaker.user_id, BudgetRecord(category, month, fen), f"{what}{spoken(fen)}", at
            )
    return await get_budgets(office, write.actor, place, month, user_id=write.user_id)


async def _require_own_record(
    office: Office, actor: Actor, place: Conversation, record_id: int, speaker: Speaker
) -> TransactionRecord:
    record = await get_record(office, actor, place, record_id)
    if record.user_id != speaker.user_id:
        raise forbidden("只能改自己记的账")
    return record


async def _store_entry(
    office: Office, speaker: Speaker, place: Conversation, entry: Entry, origin: str
) -> TransactionRecord:
    owner = (speaker.user_id, speaker.name)
    saved = await office.books.save_items(place, owner, origin, 1, [(1, entry)])
    if entry.shares:
        await office.tell_group(place, speaker, f"记好了：{wording.row(entry)}", _sharers(entry.shares))
    return saved.records[0]


async def _merge_fields(
    office: Office, place: Conversation, speaker: Speaker, entry: Entry, fields: Mapping[str, Any]
) -> Entry:
    """An entry with the fields of a request; None removes an optional one."""
    for name in ("amount", "type", "date"):
        if fields.get(name, entry) is None:
            raise invalid(name, "不能去掉")
    if "category" in fields and fields["category"] is None:
        entry = replace(entry, category=OTHER)
    if fields.get("amount") is not None:
        fen = fen_of(fields["amount"])
        if fen is None:
            raise invalid("amount", "应是大于零、最多两位小数的元")
        entry = replace(entry, fen=fen)
    if fields.get("type") is not None:
        entry = replace(entry, type=fields["type"])
    category: str | None = fields.get("category")
    if category is not None:
        if not is_name(category):
            raise invalid("category", "不是分类名")
        entry = replace(entry, category=category)
    if "description" in fields:
        words = " ".join(str(fields["description"] or "").split())
        if len(words) > LONGEST:
            raise invalid("description", f"应不超过 {LONGEST} 个字符")
        entry = replace(entry, description=words)
    if fields.get("date") is not None:
        day: date = fields["date"]
        if not 1971 <= day.year <= 8999:
            raise invalid("date", "年份不对")
        entry = replace(entry, day=day)
    return await _divide_shares(office, place, speaker, entry, fields)


async def _divide_shares(
    office: Office, place: Conversation, speaker: Speaker, entry: Entry, fields: Mapping[str, Any]
) -> Entry:
    """An entry with its shares: given one by one, or equal; unchanged where the request names none."""
    said: Sequence[tuple[str, Decimal | None]] | None = fields.get("participants")
    if "participants" in fields and said is None:
        said = ()
    scope: Scope | None = fields.get("scope")
    payer = fields.get("payer") or (entry.shares[0].user_id if entry.shares else speaker.user_id)
    if scope == "personal":
        if said:
            raise invalid("participants", "只有 scope 是 shared 时才能给")
        return replace(entry, shared=False, shares=())
    if said is None:
        if not entry.shares:
            if payer != speaker.user_id:
                await office.check_members(place, "payer", [payer])
                raise invalid("payer", "没有人分摊时，付钱的就是记的人")
            return replace(entry, shared=entry.shared or scope == "shared")
        if payer != entry.shares[0].user_id:
            await office.check_members(place, "payer", [payer])
        named = [(share.user_id, share.name) for share in entry.shares[1:] if share.user_id]
        first = await _name_person(office, place, payer)
        if entry.type == "TRANSFER":
            return replace(entry, shares=(replace(entry.shares[0]), replace(entry.shares[1], fen=entry.fen)))
        return replace(entry, shares=split(entry.fen, first, named, len(entry.shares)))
    known = {share.user_id for share in entry.shares}
    await office.check_members(place, "payer", {payer} - known - {speaker.user_id})
    await office.check_members(place, "participants", {user for user, _ in said} - known)
    if not said:
        return replace(entry, shared=scope == "shared" or entry.shared, shares=())
    if len(said) > MOST_PEOPLE or len({user for user, _ in said}) < len(said):
        raise invalid("participants", "人太多，或有人重复")
    first = await _name_person(office, place, payer)
    others = [await _name_person(office, place, user) for user, _ in said if user != payer]
    given = [share for _, share in said if share is not None]
    if not given:
        there = any(user == payer for user, _ in said)
        if there:
            return replace(entry, shared=True, shares=split(entry.fen, first, others))
        each, rest = divmod(entry.fen, len(others))
        parts = [each + (1 if number < rest else 0) for number in range(len(others))]
        shares = (Share(*first, 0), *(Share(*who, fen) for who, fen in zip(others, parts, strict=True)))
        return replace(entry, shared=True, shares=shares)
    if len(given) < len(said):
        raise invalid("participants", "share 要么都给，要么都不给")
    fens = {user: int((share or Decimal(0)) * 100) for user, share in said}
    if any((share or Decimal(0)) * 100 != fens[user] or fens[user] < 0 for user, share in said):
        raise invalid("participants", "share 应是最多两位小数的元")
    if sum(fens.values()) != entry.fen:
        raise invalid("participants", "share 加起来应等于 amount")
    shares = (Share(*first, fens.get(payer, 0)), *(Share(*who, fens[who[0]]) for who in others))
    return replace(entry, shared=True, shares=shares)


async def _name_person(office: Office, place: Conversation, user_id: str) -> tuple[str, str]:
    return user_id, await office.name_of(place, user_id)


def _sharers(shares: Sequence[Share]) -> list[str]:
    return [share.user_id for share in shares]


__all__ = [
    "BUILT_IN",
    "FOREIGN_HEAD",
    "OTHER",
    "MonthBudgets",
    "RecordFilter",
    "Transfer",
    "create_record",
    "find_foreign_sum",
    "foreign_cells",
    "get_budgets",
    "get_record",
    "list_debts",
    "list_records",
    "pay_back",
    "update_record",
]
