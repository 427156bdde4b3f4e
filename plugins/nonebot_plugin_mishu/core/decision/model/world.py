"""World of a model's prompt: kept things that a line may mean, with ids, and the rules' reading. Pure.

Only what is the speaker's or the group's, the nearest first, and no platform number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Final, cast

from ....language.clause import KeptThing, Situation
from ....language.polls.poll import OpenPoll, PollForm
from ....memory import clean_name
from ....storage.records import FrameRecord
from ..reading import Frame

WEEKDAYS: Final = "一二三四五六日"
MOST: Final = 20
"""Most things of a kind that are shown."""
_KINDS: Final = {"tasks": "task", "schedule": "schedule", "bookkeeping": "record"}
_FORMS: Final[Mapping[PollForm, str]] = {"vote": "投票", "signup": "报名", "count": "统计份数"}
_LONGEST: Final = 60


def shown(
    where: Situation,
    open_tasks: Iterable[FrameRecord],
    records: Sequence[Mapping[str, Any]],
    speaker: str = "",
) -> dict[str, Any]:
    """`world` of `parse_intents`; `open_tasks` are those that wait for the speaker."""
    waiting = [task for task in open_tasks if task.question]
    people = [clean_name(name) for name in (speaker, *(each.name for each in where.members)) if name]
    return {
        "tasks": _things(where, "tasks", speaker),
        "schedules": _things(where, "schedule"),
        "records": list(records)[:MOST],
        "facts": [{"id": each.id, "text": each.name[:_LONGEST]} for each in where.kept_facts[-MOST:]],
        "polls": [_poll(each) for each in where.polls if not each.closed][:MOST],
        "members": list(dict.fromkeys(people))[:MOST],
        "recent": [
            {"kind": _KINDS.get(each.agent, each.agent), "id": each.id}
            for each in where.shown[:MOST]
            if each.id
        ],
        "drafts": [_asked(task) for task in waiting if task.agent_code != "chat"],
        "offers": [_asked(task) for task in waiting if task.agent_code == "chat"],
    }


def _poll(poll: OpenPoll) -> dict[str, Any]:
    choices = {"options": list(poll.options)} if poll.options else {}
    return {"id": str(poll.id), "kind": _FORMS[poll.form], "question": poll.question[:_LONGEST], **choices}


def _asked(task: FrameRecord) -> dict[str, Any]:
    return {"id": task.task_id, "question": (task.question or "")[:200]}


def _things(where: Situation, agent: str, speaker: str = "") -> list[dict[str, Any]]:
    own = [each for each in where.things if each.agent == agent and each.id]
    far = where.now.replace(year=9000)
    own.sort(key=lambda each: abs(((each.at or far) - where.now).total_seconds()))
    return [
        {
            "id": each.id,
            "title": each.name[:_LONGEST],
            "when": _when(each),
            **({"for": clean_name(each.owner)} if each.owner and each.owner != speaker else {}),
        }
        for each in own[:MOST]
    ]


def _when(thing: KeptThing) -> str:
    """Date of a thing; for a series its rhythm and next date."""
    if thing.at is None:
        return thing.every
    day = f"{thing.at:%Y-%m-%d} 周{WEEKDAYS[thing.at.weekday()]}"
    day = day if (thing.at.hour, thing.at.minute) == (0, 0) else f"{day} {thing.at:%H:%M}"
    return f"{thing.every}，下次 {day}" if thing.every else day


def reading_of(frames: Iterable[Frame], line: str) -> dict[str, Any]:
    """`reading`: the rules' frames of the line with their values, and the stretches no rule explains, in the
    line's own words."""
    frames = list(frames)
    rows: list[dict[str, Any]] = []
    unread: list[str] = []
    for frame in frames:
        refs = list(frame.match.refs) if frame.match is not None else []
        said = line if len(frames) == 1 else _as_said(frame.text, line)
        row = {"agent_code": frame.agent_code, "intent": frame.intent, "text": said[:200]}
        values = {name: value for name, value in frame.read.slots.items() if _is_plain(value)}
        rows.append(
            {**row, **({"ref": ",".join(refs)} if refs else {}), **({"slots": values} if values else {})}
        )
        unread += [_as_said(each, line) for each in frame.match.unread] if frame.match is not None else []
    return {"frames": rows, "unread": [each for each in dict.fromkeys(unread) if each][:MOST]}


def _is_plain(value: Any) -> bool:
    """True for a word, a number, or a short list of sums."""
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return len(items) <= MOST and all(isinstance(each, str | dict) for each in items)
    return isinstance(value, int | float | str) and not isinstance(value, bool) and value != ""


def _as_said(words: str, line: str) -> str:
    """A stretch of the line in place of the words in which the rules read it (+1 of 算我一个)."""
    if words in line:
        return words
    blocks = [
        each for each in SequenceMatcher(None, line, words, autojunk=False).get_matching_blocks() if each.size
    ]
    if not blocks:
        return ""
    end = len(line) if blocks[-1].b + blocks[-1].size < len(words) else blocks[-1].a + blocks[-1].size
    return line[blocks[0].a : end].strip(" ,，。")
