"""`extract_info` call and its candidates: the one place where a model's answer becomes candidates.

Without a usable answer the rules' candidates stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...api.task_context import TaskContext
from ..candidates.candidate import Candidate
from ..candidates.machine import ExtractInfo, MemberSpoke, TalkState, step
from ..candidates.reading import short
from .calls import Calls
from .grounding import grounded, is_said


def words_of(context: TaskContext) -> str:
    """The member's own words, as given to a model; of a message with several tasks this task's part."""
    return context.text if context.partial else context.utterance.words.strip() or context.text


def read_whole(local: Sequence[Candidate], context: TaskContext) -> bool:
    """True if no model call is needed: the schedule is known by id and the rules read the change, or the
    reading call failed and the rules have a question."""
    if not local or any(each.problem is not None for each in local):
        return False
    if context.ask_back:
        return True
    changed = all(
        each.intent == context.intent
        and (each.intent == "delete" or each.when is not None or each.shift or each.place)
        for each in local
    )
    return bool(context.refs) and context.intent in ("edit", "delete") and changed


async def extracted(calls: Calls, context: TaskContext, local: Sequence[Candidate]) -> list[Candidate]:
    """Candidates of the line (IDLE, or s4); `local`: those of the rules."""
    _, (call,) = step(TalkState(), MemberSpoke(words_of(context)))
    assert isinstance(call, ExtractInfo)
    said = await calls.extract(call, context, context.deadline)
    if said is None:
        return list(local)
    heard = [each for each in said if is_said(each, context.clause)]
    return list(grounded(heard, context.clause)) or list(local)


def with_place(found: Sequence[Candidate], place: object) -> list[Candidate]:
    """Candidates with the frame's place, if new or edited and without their own or with only a part of it
    (883 of 腾讯会议 883 221 090); the description loses it."""
    one = found[0] if len(found) == 1 else None
    if one is None or one.intent not in ("add", "edit") or not isinstance(place, str):
        return list(found)
    where = short(place)
    if not where or (one.place and (one.place == where or one.place not in where)):
        return list(found)
    name = one.new_description
    bare = name.replace(where, " ").strip() if where in name else name
    return [replace(one, place=where, new_description=bare if len(bare) > 1 else name)]
