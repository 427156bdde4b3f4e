"""Card items from decisions and to-dos of the talk: schedules and tasks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from ...language.clause import Situation
from ...language.lines.line import RecordLine
from ...language.names.naming import extract_title
from ...patterns import Pattern
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
_AROUND: Final = Pattern(
    r"^(?:那么?|好的?|行|嗯|ok|就|大家|我们|咱们?|最后|最终|决定|一致|同意|定了|说好了?|(?:时间|地点)?定(?:在|为|到|成|下来)"
    r"|[:,，。 ])+|(?:吧|呗|了|哈|哦|啊|呀|就这么定|[!。~, ])+$",
    re.IGNORECASE,
)
_TODO: Final = Pattern(
    r"^(?:请|麻烦|帮忙?|你|记得|别忘了?|务必|待办|todo|一?下|大家|各位|[:,， ])+", re.IGNORECASE
)
_ASKED: Final = Pattern(
    r"(?:放|定|安排|约|改|挪)?(?:到|在|是)?(?:什么时候|啥时候|哪一?天|哪个时间|几点|几号|周几|礼拜几|何时|哪里|哪儿|哪家|哪|怎么定)"
    r"(?:开始|开|碰头|集合|见面?|出发|合适|好|行|方便|比较|来着|呀|啊|呢|吧|[?!。~ ])*"
)
_PAUSES: Final = Pattern("[,，。;；!！?？ ]+")
_TAKEN: Final = Pattern(
    "^(?P<what>[^我,。?! ]{1,12}?)(?:就|由|还是)?我(?:来|去|会)?(?P<do>负责|买|带|订|定|写|做|交|发|管"
    "|拿|借|联系|准备|整理|打印|安排)[了吧啊呀哈]*$"
)
"""水我来买吧"""
_IDLE: Final = Pattern(r"(?P<twice>.{1,3})(?P=twice)|[哈嗯对好行哦]+[的了啊呀吧]*|够了|ok", re.IGNORECASE)
"""Filler before a to-do (够了够了 记得带充电宝)."""
_AT: Final = Pattern(r"@(\S{1,24})")
_SELF: Final = Pattern(r"^我(?:来|去|会)?(?:负责)?")


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
        if key in by_id and key not in taken and _SELF.match(by_id[key].text)
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
    text = _bare(line.text)
    if question is not None:
        # What it is about was said by who asked: 周五评审放哪天啊 / 周五下午两点吧 302.
        text = f"{_subject(question)} {text}".strip()
    clause = clause_of(text, Situation(line.at))
    candidate = next((each for each in plans(clause) if usable(each) and each.when is not None), None)
    if candidate is None or gone(candidate, now):
        return None
    candidate = replace(candidate, new_description=_bare(candidate.new_description), everybody=False)
    if len(candidate.new_description) < _LEAST or _is_known(candidate, known):
        return None
    return AgreedItem("schedule", asdict(plan_of(candidate, now, actor)), None, "", "", _said(line), line.id)


def _subject(question: RecordLine) -> str:
    """Subject of a question for a time, without the question's own times."""
    parts = [part for part in _PAUSES.split(question.text) if part]
    text = next((part for part in parts if _ASKED.search(part) is not None), question.text)
    for each in clause_of(text, Situation(question.at)).times:
        text = text.replace(each.text, "")
    return _bare(_ASKED.sub("", text))


def _is_known(candidate: Candidate, known: Sequence[ScheduleRecord]) -> bool:
    when, what = candidate.when, candidate.new_description
    return when is not None and any(
        each.plan.start == when.start and (what in each.description or each.description in what)
        for each in known
    )


def _task(line: RecordLine, actor: Asker, names: Mapping[str, str], now: datetime) -> AgreedItem:
    owner, name = actor.user_id, actor.name
    text = line.text.removeprefix("@")
    called = next((each for each in sorted(names, key=len, reverse=True) if text.startswith(each)), None)
    parts = [part for part in _PAUSES.split(text) if part]
    taken = next((found for part in parts if (found := _TAKEN.match(part)) is not None), None)
    if taken is not None:
        owner, name = line.user_id, line.name
        text = f"{taken['do']}{taken['what']}"
    elif _SELF.match(text):
        owner, name = line.user_id, line.name
        text = _SELF.sub("", text)
    elif called is not None:
        owner, name = names[called], called
        text = text.removeprefix(called).strip(" ,:，")
    elif len(line.mentions) == 1:
        owner = line.mentions[0]
        name = next((each for each, user in names.items() if user == owner), _called_in(line))
    while taken is None and len(parts) > 1 and _IDLE.fullmatch(parts[0]) is not None:
        text = text.split(parts.pop(0), 1)[1].strip(" ,，")
    clause = clause_of(_TODO.sub("", text), Situation(line.at))
    what = _TODO.sub(
        "", _bare(re.sub(r"别忘了|@\S{1,24}\s*", "", extract_title(clause.text, clause.times) or clause.text))
    )
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


def _called_in(line: RecordLine) -> str:
    """Name by which a line @s its one member."""
    found = _AT.search(line.text)
    return found[1] if found is not None else "群友"


def _bare(text: str) -> str:
    before = ""
    while before != text:
        before, text = text, _AROUND.sub("", text).strip()
    return text


def _said(line: RecordLine) -> str:
    return f"{line.name} {line.at:%H:%M}"
