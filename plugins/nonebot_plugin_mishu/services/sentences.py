"""Sentences typed on a page: read by the rules, shown, then stored as shown.

Only the rules read them. A doubt, or a choice a page cannot settle (an unknown name, one of two), is
reported and nothing is offered."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, Final, Literal

from ..agents.bookkeeping import frames as book_frames
from ..agents.bookkeeping import wording
from ..agents.bookkeeping.shares.sharing import shared_items, split
from ..agents.builtin import builtin_rules
from ..agents.schedule import frames as schedule_frames
from ..agents.schedule import words
from ..agents.schedule.candidates.candidate import Candidate, CandidateTime
from ..agents.tasks import frames as task_frames
from ..agents.tasks.planning.task_time import SEGMENT_NAMES, Wish
from ..core.decision import Frame
from ..core.decision import read as decide
from ..language.clause import Mention, Situation
from ..language.ledger.shares.participants import without_people
from ..storage.records import Conversation
from ..storage.schedules.records import WALL
from . import groups, tasks
from .access.actor import Write
from .books import books
from .office import Office
from .refusals import Refused
from .schedules import schedules

Kind = Literal["schedule", "task", "transaction"]
LONGEST: Final = 200
MOST_NAMES: Final = 200
"""Members whose names a sentence may hold."""
KINDS: Final[Mapping[Kind, str]] = {"schedule": "日程", "task": "任务", "transaction": "账"}
NOTHING: Final = "没听出要记什么。可以说：周五下午三点开评审会、明早八点提醒我带伞、午饭35"


@dataclass(frozen=True, slots=True)
class ProposedItem:
    """An item to be stored: its kind, its wording, and the fields of its operation."""

    kind: Kind
    shown: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """Items of a sentence; without any `trouble` gives the reason."""

    items: Sequence[ProposedItem] = ()
    trouble: str = ""


def read_sentence(
    text: str, now: datetime, members: Sequence[Mention] = (), speaker: Mention | None = None
) -> SentenceReading:
    """Reading of a sentence said now by `speaker` among `members`, whose names it may hold. Pure but for
    the rules' tables; never raises."""
    said = " ".join(text.split())
    if not said:
        return SentenceReading(trouble=NOTHING)
    if len(said) > LONGEST:
        return SentenceReading(trouble=f"一次最多 {LONGEST} 字")
    found: list[ProposedItem] = []
    others = tuple(each for each in members if speaker is None or each.user_id != speaker.user_id)
    for frame in decide(said, Situation(now, members=others), builtin_rules()).frames:
        one = _propose_items(frame, now, {each.name for each in others}, speaker)
        if isinstance(one, str):
            return SentenceReading(trouble=one)
        found += one
    return SentenceReading(found) if found else SentenceReading(trouble=NOTHING)


async def read_in_group(
    office: Office, place: Conversation | None, user_id: str | None, text: str
) -> SentenceReading:
    """Reading of a sentence that a member says in a group now."""
    if place is None:
        return read_sentence(text, office.now())
    members, speaker = await find_people(office, place, user_id)
    return read_sentence(text, office.now(), members, speaker)


async def find_people(
    office: Office, place: Conversation, user_id: str | None
) -> tuple[list[Mention], Mention | None]:
    """Members of a group whose names a sentence may hold, and its speaker."""
    found = await groups.list_members(office, place, limit=MOST_NAMES, after=None)
    members = [Mention(each.id, each.name) for each in found.rows]
    speaker = next((each for each in members if each.user_id == user_id), None)
    if speaker is None and user_id is not None:
        speaker = Mention(user_id, await office.name_of(place, user_id))
    return members, speaker


async def store_item(office: Office, write: Write, place: Conversation, item: ProposedItem) -> None:
    """Store a shown item by its operation. Raises `Refused`."""
    if item.kind == "schedule":
        await schedules.create_schedule(office, write, place, item.fields)
    elif item.kind == "transaction":
        await books.create_record(office, write, place, item.fields)
    else:
        if write.person is None:
            raise Refused(422, "先选好替谁记", field="user_id")
        await tasks.create_task(office, write, write.person, item.fields, group_id=place.peer)


def _propose_items(
    frame: Frame, now: datetime, names: Collection[str], speaker: Mention | None
) -> list[ProposedItem] | str:
    match frame.agent_code, frame.intent:
        case "schedule", "add":
            return _propose_schedules(schedule_frames.order_in(frame.read).candidates, now)
        case "tasks", "create_task":
            return _propose_task(task_frames.order_in(frame.read), now)
        case "bookkeeping", "record":
            return _propose_entries(book_frames.order_in(frame.read), now, names, speaker)
        case "chat", _:
            return []
        case _:
            return "这里只能添新的；要改、要查，在下面的列表里点"


def _propose_schedules(found: Sequence[Candidate], now: datetime) -> list[ProposedItem] | str:
    items: list[ProposedItem] = []
    for each in found:
        if each.problem is not None:
            return words.doubt(each.problem, now)
        if each.when is None or len(each.new_description) < 2:
            return words.WHICH_TIME if each.when is None else words.WHAT
        when = each.when
        fields: dict[str, Any] = {
            "description": each.new_description,
            "starts_at": _parse_wall(when.start, now),
            "ends_at": _parse_wall(when.end, now) if when.end else None,
            "segment": when.segment or None,
            "place": each.place or None,
        }
        if when.recurrence is not None:
            fields["recurrence"] = when.recurrence
            if when.until:
                fields["until"] = _parse_wall(f"{when.until} 00:00:00", now).date()
        if each.lead is not None:
            fields["lead_minutes"] = each.lead
        items.append(ProposedItem("schedule", words.candidate_line(each, now), fields))
    return items


def _propose_task(order: task_frames.TaskFrame, now: datetime) -> list[ProposedItem] | str:
    draft = order.creation.draft
    wish = draft.wish
    if not draft.title:
        return "要做的是什么事？"
    if order.creation.person is not None or order.creation.crowd or order.creation.more:
        return "给别人派任务、一句话好几个时间，要到群里说"
    if wish.invalid or wish.ambiguous:
        return f"「{wish.phrase}」没听准，把时间说完整，比如：明天下午三点"
    if wish.empty:
        return "什么时候的事？把时间也说上，比如：明天下午三点"
    if (span := _span_of_days(wish)) is not None:
        # 12月5日到12月7日去杭州 fills three days of the calendar; a task is due on one.
        first, last = span
        when = CandidateTime(f"{first} 00:00:00", f"{last} 23:59:00", schedules.ALL_DAY)
        return _propose_schedules([Candidate("add", new_description=draft.title, when=when)], now)
    fields: dict[str, Any] = {"title": draft.title, **_time_fields(wish, now)}
    if draft.priority:
        fields["priority"] = draft.priority
    if draft.description:
        fields["description"] = draft.description
    return [ProposedItem("task", f"{_format_time(fields)} {draft.title}".strip(), fields)]


def _span_of_days(wish: Wish) -> tuple[date, date] | None:
    """First and last day of an event of several days; None for a deadline or with a clock."""
    first, last = wish.date, wish.end_date
    if first is None or last is None or last <= first or wish.deadline:
        return None
    return (first, last) if wish.start is None and wish.recurrence is None else None


def _time_fields(wish: Wish, now: datetime) -> dict[str, Any]:
    """Fields of a task's time: a clock alone is the reminder."""
    if wish.remind_at is not None:
        return {"remindAt": wish.remind_at}
    day = wish.date or now.date()
    fields: dict[str, Any] = {"dueDate": day}
    if wish.start is not None:
        start = datetime.combine(day, wish.start, now.tzinfo)
        if wish.end is not None:
            fields |= {"startTime": wish.start, "endTime": wish.end}
        elif wish.lead is not None:
            fields["remindAt"] = start - timedelta(minutes=wish.lead)
        else:
            fields["remindAt"] = start
    elif wish.segment is not None:
        fields["timeSegment"] = wish.segment
    if wish.recurrence is not None:
        fields["recurrence"] = wish.recurrence
    return fields


def _format_time(fields: Mapping[str, Any]) -> str:
    at: datetime | None = fields.get("remindAt")
    if at is not None:
        return f"{at.month}月{at.day}日 {at:%H:%M}"
    day = fields["dueDate"]
    clock = f" {fields['startTime']:%H:%M}–{fields['endTime']:%H:%M}" if "startTime" in fields else ""
    part = SEGMENT_NAMES.get(fields.get("timeSegment", ""), "")
    return f"{day.month}月{day.day}日{part or clock}"


def _propose_entries(
    order: book_frames.BooksFrame, now: datetime, names: Collection[str], speaker: Mention | None
) -> list[ProposedItem] | str:
    # 打车23 is no gift to a 车: only who is here can be given something.
    here = {name.lower() for name in names}
    given = any(one.who.ids or one.who.text in here for one in (*order.givings, *order.settlements))
    if order.settles or given or order.lending is not None:
        return "还钱在账本的「谁欠谁」里点「还钱」；谁借给谁多少，到群里说"
    if order.items.foreign is not None:
        return "只记人民币"
    if order.items.too_much:
        return "这个数太大了，不像是真的"
    entries, said = order.items.entries, order.sharing
    among = said.among.without(speaker.user_id if speaker is not None else "")
    if said.split and (among.unknown or among.strangers or not among.named or speaker is None):
        who = "、".join(f"「{name}」" for name in among.unknown)
        return (
            f"没有找到群里的{who}，写群名片上的全名" if who else "和谁平摊？比如：聚餐300 我和小雅、阿凯 AA"
        )
    found: list[ProposedItem] = []
    for each, ours in zip(entries, shared_items(said.parts, len(entries)), strict=True):
        entry, more = each, dict[str, Any]()
        if ours and said.shared and entry.type == "EXPENSE":
            entry = replace(entry, shared=True)
            if said.split and speaker is not None:
                parts = split(entry.fen, (speaker.user_id, speaker.name), among.named)
                words = without_people(entry.description, [name for _, name in among.named])
                entry = replace(entry, description=words, shares=parts)
                more["participants"] = [(share.user_id, None) for share in parts]
        fields = {
            "amount": Decimal(entry.yuan),
            "type": entry.type,
            "category": entry.category,
            "description": entry.description,
            "date": entry.day if entry.day.year > 1 else now.date(),
            **({"scope": "shared"} if entry.shared else {}),
            **more,
        }
        found.append(ProposedItem("transaction", wording.row(entry, now.date()), {**fields}))
    return found


def _parse_wall(wall: str, now: datetime) -> datetime:
    return datetime.strptime(wall, WALL).replace(tzinfo=now.tzinfo)


@dataclass(frozen=True, slots=True)
class ReadIntent:
    """One intent that was read: agent, intent, the words it stands in."""

    agent_code: str
    intent: str
    text: str
    sure: bool
    """True if it would be acted on without a question or a model."""


@dataclass(frozen=True, slots=True)
class LineReading:
    """Intents of a line in spoken order, and the items it would add (`sentences.read_sentence`)."""

    sure: bool
    intents: Sequence[ReadIntent]
    items: Sequence[ProposedItem]
    trouble: str
    """Why there are no items; empty where there are some."""


async def read_line(office: Office, place: Conversation, user_id: str | None, text: str) -> LineReading:
    """Reading of a line by the rules, without a model. Writes nothing."""
    members, speaker = await find_people(office, place, user_id)
    others = tuple(each for each in members if speaker is None or each.user_id != speaker.user_id)
    found = decide(text, Situation(office.now(), members=others), builtin_rules())
    proposed = read_sentence(text, office.now(), members, speaker)
    intents = [ReadIntent(each.agent_code, each.intent, each.text, each.sure) for each in found.frames]
    return LineReading(found.sure, intents, proposed.items, proposed.trouble)
