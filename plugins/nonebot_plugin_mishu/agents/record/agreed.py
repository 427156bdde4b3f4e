"""Card items from decisions and to-dos of the talk: schedules and tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from ...language.clause import Situation
from ...language.lines.agreed_items import (
    asking_part,
    called_by_at,
    takes_it,
    todo_of,
    todo_title,
    without_agreement,
    without_asking,
)
from ...language.lines.line import RecordLine
from ...record import Findings
from ...storage.schedules.records import SchedulePlan, ScheduleRecord
from ...storage.tasks.records import TaskChanges, TaskRecord
from ..api.task_context import Asker
from ..schedule.candidates.candidate import Candidate, usable
from ..schedule.candidates.reading import clause_of
from ..schedule.executor import gone, plan_of
from ..schedule.overhearing import plans
from ..schedule.words import plan_time
from ..tasks.planning.new_task import wish_of
from ..tasks.planning.policy import settle
from ..tasks.planning.revision import described, when_of
from ..tasks.planning.task_time import TaskTime, without_time
from ..tasks.words import say_when

MOST: Final = 10
"""Most items of one card."""
_TITLE: Final = 60
_LEAST: Final = 2


@dataclass(frozen=True, slots=True)
class AgreedItem:
    """One line of a card. A schedule has `plan`, a task `fields` with whose it is (`owner`)."""

    kind: Literal["schedule", "task"]
    plan: dict[str, Any] | None
    fields: dict[str, Any] | None
    owner: str
    owner_name: str
    said: str
    """Speaker and time, as shown."""
    line: str
    """Id of its message."""

    def told(self, now: datetime) -> str:
        """Text of the item on the card."""
        if self.plan is not None:
            plan = SchedulePlan(**self.plan)
            place = f"，{plan.place}" if plan.place else ""
            return f"日程 {plan_time(plan, now)} {plan.description}{place}"
        assert self.fields is not None
        fields = TaskChanges(**self.fields)
        when = say_when(when_of(fields, ZoneInfo(fields.zone)), now.date())
        return f"任务 {self.owner_name}：{fields.title}，{when}"


def dump(item: AgreedItem) -> dict[str, Any]:
    """JSON values of the item."""
    return asdict(item)


def load(plain: Mapping[str, Any]) -> AgreedItem:
    """The item from `dump`. Raises `KeyError`, `TypeError` or `ValueError` for other values."""
    item = AgreedItem(**plain)
    if item.plan is not None:
        SchedulePlan(**item.plan)
    if item.fields is not None:
        TaskChanges(**item.fields)
    return item


def items(
    found: Findings,
    actor: Asker,
    known: Sequence[ScheduleRecord],
    now: datetime,
    tasks: Sequence[TaskRecord] = (),
) -> list[AgreedItem]:
    """Items of a span that can be stored: decisions with a time to come, and to-dos.

    What the schedules and the open tasks hold already is left out. A task is the speaker's who takes it
    (我来订), else the one's who is named or @-ed in the line, else the asker's.
    """
    by_id = {line.id: line for line in found.lines}
    names = {line.name: line.user_id for line in found.lines}
    made: list[AgreedItem] = []
    for key in found.decided:
        line = by_id.get(key)
        item = None if line is None else _schedule(line, found.about.get(key), actor, known, now)
        if item is not None:
            made.append(item)
    taken = {item.line for item in made}
    made += [_task(line, actor, names, now) for line in found.todos if line.id not in taken]
    made += [
        _task(by_id[key], actor, names, now)
        for key in found.decided
        if key in by_id and key not in taken and takes_it(by_id[key].text)
    ]
    distinct = {(each.kind, each.owner, str(each.plan or each.fields)): each for each in made}
    return [each for each in distinct.values() if not _is_task(each, tasks)][:MOST]


def _is_task(item: AgreedItem, tasks: Sequence[TaskRecord]) -> bool:
    title = str((item.fields or {}).get("title") or "")
    return bool(title) and any(
        each.owner == item.owner and (title in each.title or each.title in title) for each in tasks
    )


def _schedule(
    line: RecordLine,
    question: RecordLine | None,
    actor: Asker,
    known: Sequence[ScheduleRecord],
    now: datetime,
) -> AgreedItem | None:
    text = without_agreement(line.text)
    if question is not None:
        # What it is about was said by who asked: 周五评审放哪天啊 / 周五下午两点吧 302.
        text = f"{_subject(question)} {text}".strip()
    clause = clause_of(text, Situation(line.at))
    candidate = next((each for each in plans(clause) if usable(each) and each.when is not None), None)
    if candidate is None or gone(candidate, now):
        return None
    candidate = replace(
        candidate, new_description=without_agreement(candidate.new_description), everybody=False
    )
    if len(candidate.new_description) < _LEAST or _is_known(candidate, known):
        return None
    return AgreedItem("schedule", asdict(plan_of(candidate, now, actor)), None, "", "", _said(line), line.id)


def _subject(question: RecordLine) -> str:
    """Subject of a question for a time, without the question's own times."""
    text = asking_part(question.text)
    for each in clause_of(text, Situation(question.at)).times:
        text = text.replace(each.text, "")
    return without_agreement(without_asking(text))


def _is_known(candidate: Candidate, known: Sequence[ScheduleRecord]) -> bool:
    when, what = candidate.when, candidate.new_description
    return when is not None and any(
        each.plan.start == when.start and (what in each.description or each.description in what)
        for each in known
    )


def _task(line: RecordLine, actor: Asker, names: Mapping[str, str], now: datetime) -> AgreedItem:
    owner, name = actor.user_id, actor.name
    said = todo_of(line.text, names)
    if said.own:
        owner, name = line.user_id, line.name
    elif said.called is not None:
        owner, name = names[said.called], said.called
    elif len(line.mentions) == 1:
        owner = line.mentions[0]
        name = next(
            (each for each, user in names.items() if user == owner), called_by_at(line.text) or "群友"
        )
    clause = clause_of(said.text, Situation(line.at))
    what = todo_title(clause.text, clause.times)
    zone = clause.situation.zone
    empty = TaskChanges(title=(what or line.text)[:_TITLE], due_date=now.date().isoformat(), zone=zone.key)
    wish = wish_of(clause)
    when = settle(wish, line.at, zone)
    if not isinstance(when, TaskTime) or when.day < now.date():
        when = settle(without_time(wish), now, zone)
    fields = described(empty, when) if isinstance(when, TaskTime) else empty
    # Who was told in the group is not woken for it: a reminder they may ask for themselves.
    return AgreedItem(
        "task", None, asdict(replace(fields, remind_at=None)), owner, name, _said(line), line.id
    )


def _said(line: RecordLine) -> str:
    return f"{line.name} {line.at:%H:%M}"
