"""Answers to questions about free time, and the schedule made of an offered span."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, cast

from ....language.clause import Mention
from ....language.free_time import FreeQuestion, OfferPick, says_only_past
from ....language.term.lines import is_timetable
from ....storage import Storage
from ....storage.records import Conversation, FrameRecord
from ....storage.schedules.records import WALL
from ...api.dispatch import TaskDispatch, TaskResult
from ...api.task_context import TaskContext
from ..candidates.candidate import Candidate, CandidateTime, Problem
from ..frames import OFFERING, STAGE
from . import wording
from .asked import days_of, windows_of
from .busy import Busy
from .sources import BusyTimes
from .spans import (
    LESSONS_OPEN,
    OPENS,
    FreeSpan,
    Window,
    best_spans,
    busy_minutes,
    busy_within,
    free_days,
    free_spans,
    other_spans,
    this_minute,
    unknown_members,
)

FEATURE: Final = "空闲"
"""Feature switch of questions about free time."""
OFFERS: Final = "_offers"
OTHERS: Final = "_others"
"""Note of a task: the next best times, told if others are asked for."""
INVITES: Final = "_invites"
"""Note of a task: what comes of it asks who comes."""
MOST_MEMBERS: Final = 200
"""Members that 大家 means at most, the last speakers."""
_RANKED: Final = 3
_ONLY_TOLD: Final[Mapping[str, str]] = {
    "told_busy": wording.TOLD_BUSY,
    "told_free": wording.TOLD_FREE,
    "timetable": wording.TIMETABLE,
}
"""Said of lines that ask nothing."""

Allows = Callable[[Conversation, str], Awaitable[bool]]
"""True if a feature is on in a conversation."""


async def _everything(place: Conversation, feature: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with its people, time and entries."""

    question: FreeQuestion
    context: TaskContext
    people: Sequence[Mention]
    windows: Sequence[Window]
    recorded: Sequence[Busy]

    @property
    def ids(self) -> list[str]:
        return [each.user_id for each in self.people]

    @property
    def unknown(self) -> list[Mention]:
        gone = set(unknown_members(self.ids, self.recorded))
        return [each for each in self.people if each.user_id in gone]

    @property
    def who(self) -> str:
        """大家, 你, 阿凯和小雅."""
        if self.question.everyone:
            left = wording.names_line([self.name(each) for each in self.question.without])
            return f"除了{left}，大家" if left else "大家"
        names = [self.name(each) for each in self.people]
        return "和".join(names) if len(names) < _RANKED else wording.names_line(names)

    def has_unread(self, one: Mention) -> bool:
        """True if the asker just pasted a timetable, which was not kept: they may have lessons."""
        return one.user_id == self.context.actor.user_id and any(
            each.user_id == one.user_id and not each.recalled and is_timetable(each.text)
            for each in self.context.request.context
        )

    def name(self, one: Mention) -> str:
        """A member's name; the asker is 你."""
        return "你" if one.user_id == self.context.actor.user_id else one.name

    def shows(self, busy: Busy) -> bool:
        """True if the asker may be told what it is."""
        return busy.visible_to(self.context.actor.user_id, self.context.conversation)


class FreeTime:
    """Answers questions about free time. They write nothing; a picked offer makes a schedule."""

    def __init__(self, storage: Storage, times: BusyTimes, allows: Allows = _everything) -> None:
        self._storage = storage
        self._times = times
        self._allows = allows

    async def answer(
        self, dispatch: TaskDispatch, context: TaskContext, question: FreeQuestion
    ) -> TaskResult:
        """Answer a question. Raises `StorageError`."""
        context.reason = "问的是什么时候有空"
        if not await self._allows(context.conversation, FEATURE):
            context.reason = f"「{FEATURE}」已关闭"
            return TaskResult(dispatch.task_id, "canceled", user_response=wording.OFF)
        if question.kind in _ONLY_TOLD:
            return TaskResult(dispatch.task_id, "completed", user_response=_ONLY_TOLD[question.kind])
        now = context.now
        if question.unknown:
            names = "、".join(f"「{each}」" for each in question.unknown)
            said = wording.NOT_KNOWN.format(names=names)
            return TaskResult(dispatch.task_id, "canceled", user_response=said)
        days = days_of(question, context.clause)
        opens = LESSONS_OPEN if question.lessons else OPENS
        windows = (this_minute(now),) if question.now else windows_of(days, now, opens)
        if not windows and (not days or says_only_past(days, now)):
            return TaskResult(dispatch.task_id, "canceled", user_response=wording.PAST)
        if not windows:  # 今天我有空吗, at half past ten in the evening
            windows = windows_of(tuple(type(each)(each.day, 0, 24 * 60) for each in days), now)
        people = await self._people(context, question)
        if not people:
            return TaskResult(dispatch.task_id, "canceled", user_response=wording.NOBODY)
        recorded = await self._times.recorded(
            context.conversation, [each.user_id for each in people], windows
        )
        asked = _Asked(question, context, people, windows, recorded)
        taken = any(busy_within(each, recorded, windows) for each in asked.ids)
        if len(asked.unknown) == len(people) and not taken:
            if asked.ids == [context.actor.user_id] and (own := await self._reminders(asked)):
                said = wording.ONLY_REMINDERS.format(listed=wording.reminders_line(own, now))
                return TaskResult(dispatch.task_id, "completed", user_response=said)
            said = wording.ALL_UNKNOWN.format(who=f"{asked.who}{'都' if len(people) > 1 else ''}")
            return TaskResult(dispatch.task_id, "completed", user_response=said)
        if question.kind in ("busiest", "idlest"):
            return TaskResult(dispatch.task_id, "completed", user_response=_ranking(asked))
        if question.kind in ("whether", "who"):
            said = _each_member(asked) if len(people) > 1 or question.everyone else _one_member(asked)
            return TaskResult(dispatch.task_id, "completed", user_response=said)
        return self._offer(dispatch, asked)

    async def _reminders(self, asked: _Asked) -> list[tuple[datetime, str]]:
        """The asker's open reminders within the time asked about, with what they are of."""
        zone = asked.context.now.tzinfo
        kept = await self._storage.tasks.of_member(asked.context.actor.user_id, status="pending")
        found = [
            (datetime.fromisoformat(each.fields.remind_at).astimezone(zone), each)
            for each in kept
            if each.fields.remind_at is not None
        ]
        here = asked.context.conversation
        return [
            (at, each.title if each.conversation == here or not here.is_group else wording.SOMETHING)
            for at, each in found
            if any(window.begins <= at < window.ends for window in asked.windows)
        ]

    def _offer(self, dispatch: TaskDispatch, asked: _Asked) -> TaskResult:
        question, context, now = asked.question, asked.context, asked.context.now
        lines: list[str] = []
        if question.by_day:
            whole = free_days(asked.ids, asked.recorded, asked.windows)
            lines += [wording.days_line(whole, asked.who, now)] if whole else []
        found = free_spans(asked.ids, asked.recorded, asked.windows, question.minutes or 30)
        best = best_spans(found, question.minutes)
        unknown = wording.unknown_line([asked.name(each) for each in asked.unknown])
        plans = context.conversation.is_group and (
            question.kind == "arrange" or question.everyone or len(asked.people) > 1
        )
        if not best:
            said = wording.NO_SPAN.format(
                when=f"{wording.asked_line(asked.windows, now)}，",
                who=asked.who,
                long=wording.long_line(question.minutes),
            )
            return TaskResult(dispatch.task_id, "completed", user_response="\n".join([said, *_some(unknown)]))
        if plans or not lines:
            lines += wording.offers(best, asked.who, now, pick=plans)
        lines += _some(unknown)
        if not plans:
            return TaskResult(dispatch.task_id, "completed", user_response="\n".join(lines))
        slots = {
            STAGE: OFFERING,
            OFFERS: _as_kept(best),
            OTHERS: _as_kept(other_spans(found, best, question.minutes)),
            "_minutes": question.minutes,
            "_title": question.title,
        }
        return TaskResult(
            dispatch.task_id, "awaiting_user", slots, ("which",), user_response="\n".join(lines)
        )

    def more(self, dispatch: TaskDispatch, context: TaskContext, frame: FrameRecord) -> TaskResult:
        """The next best times beside those that were offered, numbered on."""
        shown, others = _kept(frame, OFFERS), _kept(frame, OTHERS)
        lines = wording.offered_too(others, len(shown) + 1, context.now) if others else [wording.NO_OTHERS]
        slots = {OFFERS: [*shown, *others], OTHERS: []}
        return TaskResult(
            dispatch.task_id, "awaiting_user", slots, ("which",), user_response="\n".join(lines)
        )

    async def _people(self, context: TaskContext, question: FreeQuestion) -> list[Mention]:
        """Members asked about: those named, all who are known here, else the asker."""
        where, actor = context.clause.situation, context.actor
        asker = Mention(actor.user_id, actor.name)
        found = {each.user_id: each for each in question.members}
        if question.me or not context.conversation.is_group:
            found.setdefault(asker.user_id, asker)
        if question.everyone and context.conversation.is_group:
            found = {asker.user_id: asker, **found}
            for each in where.members:
                found.setdefault(each.user_id, each)
            for seen in await self._storage.groups.members(context.conversation):
                found.setdefault(seen.user_id, Mention(seen.user_id, seen.name))
        for each in question.without:
            found.pop(each.user_id, None)
        return list(found.values())[:MOST_MEMBERS]


def _as_kept(spans: Sequence[FreeSpan]) -> list[list[str]]:
    return [[each.begins.strftime(WALL), each.ends.strftime(WALL)] for each in spans]


def _kept(frame: FrameRecord, name: str) -> list[list[str]]:
    kept: object = frame.slots.get(name)
    return cast("list[list[str]]", kept) if isinstance(kept, list) else []


def _some(line: str) -> list[str]:
    return [line] if line else []


def _one_member(asked: _Asked) -> str:
    """你有空, 阿凯忙: free in all of the time, in part, or not at all."""
    (one,), now = asked.people, asked.context.now
    name, when = asked.name(one), wording.asked_line(asked.windows, now)
    found = busy_within(one.user_id, asked.recorded, asked.windows)
    if not found and asked.has_unread(one):
        return wording.UNREAD_TIMETABLE.format(when=when)
    if not found:
        return f"{name}有空：{when} 没有安排。"
    free = free_spans([one.user_id], asked.recorded, asked.windows)
    known = one not in asked.unknown
    busy = wording.busy_lines(found, asked.windows, now, asked.shows)
    if not known:
        return "\n".join([f"{name}有这些安排：", *busy, wording.REST_UNKNOWN])
    if not free:
        return "\n".join([f"{name}没空：", *busy])
    rest = "、".join(_free_line(each, asked) for each in best_spans(free, most=_RANKED))
    return "\n".join([f"{name}有这些安排：", *busy, f"有空：{rest}"])


def _free_line(span: FreeSpan, asked: _Asked) -> str:
    several = len({each.begins.date() for each in asked.windows}) > 1
    return wording.span_line(span, asked.context.now) if several else wording.clock(span.begins, span.ends)


def _each_member(asked: _Asked) -> str:
    """Who is free all of the time, who is partly or wholly busy, of whom nothing is known."""
    unknown = {each.user_id for each in asked.unknown}
    unread = {each.user_id for each in asked.people if asked.has_unread(each)}
    lines = [f"{wording.asked_line(asked.windows, asked.context.now)}："]
    free: list[str] = []
    busy: list[str] = []
    for one in asked.people:
        found = busy_within(one.user_id, asked.recorded, asked.windows)
        if not found and one.user_id in unknown | unread:
            continue
        if not found:
            free.append(asked.name(one))
            continue
        told = wording.busy_lines(found, asked.windows, asked.context.now, asked.shows)
        same_day = len({each.begins.date() for each in asked.windows}) == 1
        said = "；".join(each.strip().split(" ", 2)[-1] if same_day else each.strip() for each in told)
        busy.append(f"{asked.name(one)}（{said}）")
    parts = [("有空", free), ("有事", busy)]
    for label, names in reversed(parts) if asked.question.busy else parts:
        lines.append(f"{label}：{wording.names_line(names) if names else '没有'}")
    silent = [each for each in asked.unknown if not busy_within(each.user_id, asked.recorded, asked.windows)]
    unknown_names = [asked.name(each) for each in silent]
    pasted = [wording.TIMETABLE_NOT_KEPT] if unread else []
    return "\n".join([*lines, *_some(wording.unknown_line(unknown_names)), *pasted])


def _ranking(asked: _Asked) -> str:
    """The busiest or the idlest members, by the time that is taken."""
    unknown = {each.user_id for each in asked.unknown}
    spent = {
        one: busy_minutes(one.user_id, asked.recorded, asked.windows)
        for one in asked.people
        if one.user_id not in unknown
    }
    most = asked.question.kind == "busiest"
    ranked = sorted(spent, key=lambda one: -spent[one] if most else spent[one])
    when = wording.asked_line(asked.windows, asked.context.now)
    if most and not spent[ranked[0]]:
        lines = [f"{when}，谁都没有安排。"]
    else:
        # Of equals all are named.
        first = [asked.name(one) for one in ranked if spent[one] == spent[ranked[0]]]
        label = "最忙" if most else "最空"
        lines = [f"{when}，{label}的是{wording.names_line(first)}（{wording.spent(spent[ranked[0]])}）。"]
        rest = [one for one in ranked if spent[one] != spent[ranked[0]]][: _RANKED - 1]
        if rest:
            lines.append(
                "其次：" + "、".join(f"{asked.name(one)}（{wording.spent(spent[one])}）" for one in rest)
            )
    return "\n".join([*lines, *_some(wording.unknown_line([asked.name(each) for each in asked.unknown]))])


def picked_candidate(frame: FrameRecord, pick: OfferPick, now: datetime) -> Candidate | None:
    """The schedule of an offered span; None where it is over, or the offers cannot be read. Without a name
    the candidate asks for it."""
    kept: object = frame.slots.get(OFFERS)
    offered = cast("list[object]", kept) if isinstance(kept, list) else []
    if not 0 <= pick.place < len(offered):
        return None
    try:
        start, end = (str(each) for each in cast("Sequence[object]", offered[pick.place]))
        begins = datetime.strptime(start, WALL)
    except (TypeError, ValueError):
        return None
    minutes = frame.slots.get("_minutes")
    if pick.begins is not None:
        begins = pick.begins.replace(tzinfo=None)
        start = begins.strftime(WALL)
        end = (begins + timedelta(minutes=minutes)).strftime(WALL) if isinstance(minutes, int) else end
    if begins < now.replace(tzinfo=None, second=0, microsecond=0):
        return None
    title = pick.title or str(frame.slots.get("_title") or "")
    when = CandidateTime(start, end if minutes else "")
    problem = None if title else Problem("no_description")
    return Candidate("add", new_time=start, new_description=title, when=when, problem=problem)


CLOSED: Final[Mapping[str, Any]] = {OFFERS: None, OTHERS: None, "_title": None, "_minutes": None}
"""Notes of an offer, cleared when it ends."""
