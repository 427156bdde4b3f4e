"""`extract_info` asked, and its answer made into candidates: the one place where a model's words become them.

Where no usable answer comes, what the rules read stays.
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
    """The member's own words, as a model is told them; of a message with several tasks this one's part."""
    return context.text if context.partial else context.utterance.words.strip() or context.text


def read_whole(local: Sequence[Candidate], context: TaskContext) -> bool:
    """Whether nothing is left to be asked of a model: what is meant is known by its id, and the rules read
    what becomes of it; or the one call that read the line was of no use, and the rules have a question."""
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
    """The candidates in the words of the line (IDLE, or s4); `local` are those the rules read."""
    _, (call,) = step(TalkState(), MemberSpoke(words_of(context)))
    assert isinstance(call, ExtractInfo)
    said = await calls.extract(call, context, context.deadline)
    if said is None:
        return list(local)
    heard = [each for each in said if is_said(each, context.clause)]
    return list(grounded(heard, context.clause)) or list(local)


def with_place(found: Sequence[Candidate], place: object) -> list[Candidate]:
    """The candidates with the place that stands in the frame, where one is to be made or changed and its own
    words say none; what it is called is said without it."""
    one = found[0] if len(found) == 1 else None
    if one is None or one.intent not in ("add", "edit") or one.place or not isinstance(place, str):
        return list(found)
    where = short(place)
    if not where:
        return list(found)
    name = one.new_description
    bare = name.replace(where, " ").strip() if where in name else name
    return [replace(one, place=where, new_description=bare if len(bare) > 1 else name)]
