"""The world that `--world FILE` gives: what is kept and who is here when the sentence is heard.

Contracts, "explain --json":

    {"tasks": [{id, title, when}], "schedules": [{id, title, starts_at}],
     "records": [{id, amount, description}], "members": [{id, name}], "recent": [{kind, id}], "speaker": id,
     "question": {agent, intent, text, "options": []}, "term": "2026-09-07/18"}

Every part may be missing. Times are ISO 8601, of the zone where they have no offset; ids are strings or
numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, cast
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from nonebot_plugin_mishu.language import Question
    from nonebot_plugin_mishu.language.clause import KeptThing, Mention, Situation
    from nonebot_plugin_mishu.language.term.term import Term
    from nonebot_plugin_mishu.storage.transactions.queries import TransactionRecord

T = TypeVar("T")

PARTS: Final = ("tasks", "schedules", "records", "members", "recent")
ACT_OF: Final[Mapping[str, Literal["make", "change", "delete", "finish"]]] = {
    **dict.fromkeys(("add", "create_task", "record", "remember"), "make"),
    **dict.fromkeys(("edit", "update_task", "correct"), "change"),
    **dict.fromkeys(("delete", "delete_task", "undo", "forget"), "delete"),
    "complete_task": "finish",
}
"""Act of a yes to a question about an intent."""
AGENT_OF: Final = {"task": "tasks", "schedule": "schedule", "record": "bookkeeping"}


class WrongWorld(ValueError):
    """The file is no world; the message names what is wrong, in Chinese."""


@dataclass(frozen=True, slots=True)
class World:
    """Known world, fit for the agents' rules."""

    things: tuple[KeptThing, ...] = ()
    members: tuple[Mention, ...] = ()
    records: tuple[TransactionRecord, ...] = ()
    """The latest one first."""
    last: KeptThing | None = None
    question: Question | None = None
    """Open question."""
    term: Term | None = None
    """School term of the conversation."""

    def around(self, situation: Situation) -> Situation:
        """The situation with what this world adds to it."""
        tasks = any(thing.agent == "tasks" for thing in self.things)
        shown = (self.last,) if self.last is not None and self.last.agent != "bookkeeping" else ()
        recorded = tuple(record.fields.description for record in self.records)
        return replace(
            situation,
            things=self.things,
            members=self.members,
            shown=shown,
            open_tasks=tasks,
            recorded=recorded,
            reminded=None,
            term=self.term,
        )


def world(path: Path, zone: ZoneInfo) -> World:
    """The world in a file; raises `WrongWorld`."""
    try:
        given: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WrongWorld(f"读不了 {path}：{error.strerror or '打不开'}") from None
    except ValueError:
        raise WrongWorld(f"{path} 不是 JSON") from None
    if not isinstance(given, dict):
        raise WrongWorld(f"{path} 应是一个 JSON 对象")
    return world_of(cast(dict[str, Any], given), zone)


def world_of(given: Mapping[str, Any], zone: ZoneInfo) -> World:
    """The world in an object; raises `WrongWorld`."""
    from nonebot_plugin_mishu.language.clause import KeptThing, Mention
    from nonebot_plugin_mishu.language.term.term import Term

    speaker = str(given.get("speaker", ""))
    tasks = _rows(
        given, "tasks", lambda row: KeptThing("tasks", _text(row, "title"), _id(row), _at(row, "when", zone))
    )
    schedules = _rows(
        given,
        "schedules",
        lambda row: KeptThing("schedule", _text(row, "title"), _id(row), _at(row, "starts_at", zone)),
    )
    members = _rows(given, "members", lambda row: Mention(_id(row), _text(row, "name")))
    records = _rows(given, "records", lambda row: _record(row, speaker))
    recent = _rows(given, "recent", lambda row: (_text(row, "kind"), _id(row)))
    for kind, _ in recent:
        if kind not in AGENT_OF:
            raise WrongWorld(f"recent 的 kind「{kind}」应是 {'、'.join(AGENT_OF)} 之一")
    newest = [number for kind, number in recent if kind == "record"]
    place = {number: at for at, number in enumerate(newest)}
    records.sort(key=lambda record: place.get(record.batch, len(place)))
    # In the order in which the bot has them: what has no day stands before all days.
    kept = (*sorted(tasks, key=_day), *sorted(schedules, key=_begin))
    question = _question(given.get("question"))
    try:
        term = Term.kept(str(given["term"])) if "term" in given else None
    except ValueError:
        raise WrongWorld(f"term「{given['term']}」应是第一周的周一和周数，像 2026-09-07/18") from None
    last = next((_named(kind, number, kept) for kind, number in recent), None)
    return World(
        kept, tuple(each for each in members if each.user_id != speaker), tuple(records), last, question, term
    )


def _day(thing: KeptThing) -> str:
    return "" if thing.at is None else f"{thing.at:%F}"


def _begin(thing: KeptThing) -> str:
    return "" if thing.at is None else thing.at.isoformat()


def _named(kind: str, number: str, kept: tuple[KeptThing, ...]) -> KeptThing:
    """Thing that `recent` speaks of; of a record only its owner."""
    from nonebot_plugin_mishu.language.clause import KeptThing

    agent = AGENT_OF[kind]
    return next(
        (each for each in kept if (each.agent, each.id) == (agent, number)), KeptThing(agent, id=number)
    )


def _question(given: Any) -> Question | None:
    """The open question."""
    from nonebot_plugin_mishu.language import Question

    if given is None:
        return None
    if not isinstance(given, dict):
        raise WrongWorld("question 应是一个对象")
    told = cast(dict[str, Any], given)
    options: Any = told.get("options") or []
    if not isinstance(options, list):
        raise WrongWorld("question 的 options 应是一个列表")
    names = tuple(map(str, cast(list[Any], options)))
    try:
        intent, said = _text(told, "intent"), _text(told, "text")
    except WrongWorld as error:
        raise WrongWorld(f"question：{error}") from None
    return Question(ACT_OF.get(intent, "do"), len(names), names, said)


def _rows(given: Mapping[str, Any], part: str, make: Callable[[Mapping[str, Any]], T]) -> list[T]:
    rows: Any = given.get(part, [])
    if not isinstance(rows, list):
        raise WrongWorld(f"{part} 应是一个列表")
    made: list[T] = []
    for number, row in enumerate(cast(list[Any], rows), 1):
        if not isinstance(row, dict):
            raise WrongWorld(f"{part} 的第 {number} 项应是一个对象")
        try:
            made.append(make(cast(dict[str, Any], row)))
        except WrongWorld as error:
            raise WrongWorld(f"{part} 的第 {number} 项：{error}") from None
    return made


def _id(row: Mapping[str, Any]) -> str:
    value = row.get("id")
    if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
        raise WrongWorld("缺 id")
    return str(value)


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name, "")
    if not isinstance(value, str):
        raise WrongWorld(f"{name} 应是文字")
    return value


def _at(row: Mapping[str, Any], name: str, zone: ZoneInfo) -> datetime | None:
    value = row.get(name)
    if value is None:
        return None
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        at = None
    if at is None:
        raise WrongWorld(f"{name}「{value}」不是 ISO 8601 时间")
    return at.replace(tzinfo=zone) if at.tzinfo is None else at.astimezone(zone)


def _record(row: Mapping[str, Any], speaker: str) -> TransactionRecord:
    """A row of the books; its `batch` holds the id as it was given."""
    from nonebot_plugin_mishu.storage.records import Conversation
    from nonebot_plugin_mishu.storage.transactions.queries import TransactionChanges, TransactionRecord

    said = row.get("amount")
    try:
        fen = int(Decimal(str(said)) * 100)
    except (ArithmeticError, ValueError):
        raise WrongWorld(f"amount「{said}」不是金额") from None
    fields = TransactionChanges("EXPENSE", fen, "", _text(row, "description"), "1970-01-01")
    where = Conversation("", "group", "")
    return TransactionRecord(0, where, speaker, "", fields, _id(row), 0, 0, 0.0, 0.0)
