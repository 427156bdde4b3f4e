"""`extract_info` asked, and its answer made into candidates: the one place where a model's words become them.

Where no usable answer comes, what the rules read stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errand import Errand
from .calls import Calls
from .candidate import Candidate
from .grounding import grounded, is_said
from .machine import ExtractInfo, Heard, State, step


def words_of(errand: Errand) -> str:
    """The member's own words, as a model is told them; of a message with several tasks this one's part."""
    return errand.text if errand.partial else errand.utterance.words.strip() or errand.text


def read_whole(local: Sequence[Candidate], errand: Errand) -> bool:
    """Whether nothing is left to be asked of a model: what is meant is known by its id, and the rules read
    what becomes of it; or the one call that read the line was of no use, and the rules have a question."""
    if not local or any(each.problem is not None for each in local):
        return False
    if errand.ask_back:
        return True
    changed = all(
        each.intent == errand.intent and (each.intent == "delete" or each.when is not None or each.shift)
        for each in local
    )
    return bool(errand.refs) and errand.intent in ("edit", "delete") and changed


async def extracted(calls: Calls, errand: Errand, local: Sequence[Candidate]) -> list[Candidate]:
    """The candidates in the words of the errand (IDLE, or s4); `local` are those the rules read."""
    _, (call,) = step(State(), Heard(words_of(errand)))
    assert isinstance(call, ExtractInfo)
    said = await calls.extract(call, errand, errand.deadline)
    if said is None:
        return list(local)
    heard = [each for each in said if is_said(each, errand.clause)]
    return list(grounded(heard, errand.clause)) or list(local)
