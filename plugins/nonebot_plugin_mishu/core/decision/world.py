"""What a model is told of the world: what is kept that a line may mean, with ids; the rules' reading. Pure.

Only what is the speaker's or the group's, the nearest first, and no platform number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ...language.clause import KeptThing, Situation
from ...memory import clean_name
from ...storage.records import FrameRecord
from .reading import Frame

WEEKDAYS: Final = "一二三四五六日"
MOST: Final = 20
"""Things of a kind that are shown."""
_KINDS: Final = {"tasks": "task", "schedule": "schedule", "bookkeeping": "record"}
_LONGEST: Final = 60


def shown(
    where: Situation, open_tasks: Iterable[FrameRecord], records: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """`world` of `parse_intents`; `open_tasks` are those that wait for the speaker."""
    waiting = [task for task in open_tasks if task.question]
    return {
        "tasks": _things(where, "tasks"),
        "schedules": _things(where, "schedule"),
        "records": list(records)[:MOST],
        "members": [clean_name(each.name) for each in where.members[:MOST]],
        "recent": [
            {"kind": _KINDS.get(each.agent, each.agent), "id": each.id}
            for each in where.shown[:MOST]
            if each.id
        ],
        "drafts": [_asked(task) for task in waiting if task.agent_code != "chat"],
        "offers": [_asked(task) for task in waiting if task.agent_code == "chat"],
    }


def _asked(task: FrameRecord) -> dict[str, Any]:
    return {"id": task.task_id, "question": (task.question or "")[:200]}


def _things(where: Situation, agent: str) -> list[dict[str, Any]]:
    own = [each for each in where.things if each.agent == agent and each.id]
    far = where.now.replace(year=9000)
    own.sort(key=lambda each: abs(((each.at or far) - where.now).total_seconds()))
    return [{"id": each.id, "title": each.name[:_LONGEST], "when": _when(each)} for each in own[:MOST]]


def _when(thing: KeptThing) -> str:
    if thing.at is None:
        return ""
    day = f"{thing.at:%Y-%m-%d} 周{WEEKDAYS[thing.at.weekday()]}"
    return day if (thing.at.hour, thing.at.minute) == (0, 0) else f"{day} {thing.at:%H:%M}"


def reading_of(frames: Iterable[Frame]) -> dict[str, Any]:
    """`reading`: what the rules made of the line, and the stretches that no rule explains."""
    rows: list[dict[str, Any]] = []
    unread: list[str] = []
    for frame in frames:
        refs = list(frame.match.refs) if frame.match is not None else []
        row = {"agent_code": frame.agent_code, "intent": frame.intent, "text": frame.text[:200]}
        rows.append({**row, **({"ref": ",".join(refs)} if refs else {})})
        unread += frame.match.unread if frame.match is not None else ()
    return {"frames": rows, "unread": unread[:MOST]}
