"""Poll as a line may mean it: values of the situation, without voices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

PollForm = Literal["vote", "signup", "count"]
"""`vote`: one of several options; `signup`: in or out, with heads; `count`: how many pieces."""


@dataclass(frozen=True, slots=True)
class OpenPoll:
    """A poll of the conversation, open or closed lately."""

    id: int
    form: PollForm
    question: str
    options: tuple[str, ...] = ()
    touched_at: float = 0.0
    """Last time that it was made, shown or answered, wall seconds."""
    closed: bool = False
    several: bool = False
    """A member may choose several options."""
    givers: frozenset[str] = frozenset()
    """Members whose voices stand."""
    names: tuple[str, ...] = ()
    """Their names, without those of an anonymous poll."""
    given: bool = False
    """The speaker has a voice that stands."""
    past: Literal["", "work", "poll"] = ""
    """What was spoken of since it was: other work of ours, or a poll that ended or was deleted."""
    strict: bool = False
    """The line is not said to us by name and quotes nothing of ours: only what is plainly a voice counts."""


def spoken_to(polls: Iterable[OpenPoll], user_id: str) -> tuple[OpenPoll, ...]:
    """The polls with whether this member has a voice in them."""
    return tuple(replace(each, given=user_id in each.givers) for each in polls)
