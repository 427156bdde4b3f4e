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


async def extracted(calls: Calls, errand: Errand, local: Sequence[Candidate]) -> list[Candidate]:
    """The candidates in the words of the errand (IDLE, or s4); `local` are those the rules read."""
    return await heard_in(calls, errand) or list(local)


async def heard_in(calls: Calls, errand: Errand) -> list[Candidate]:
    """What a model hears in the words of the errand; empty where it hears nothing that was said."""
    _, (call,) = step(State(), Heard(words_of(errand)))
    assert isinstance(call, ExtractInfo)
    said = await calls.extract(call, errand, errand.deadline)
    return list(grounded([each for each in said or () if is_said(each, errand.clause)], errand.clause))
