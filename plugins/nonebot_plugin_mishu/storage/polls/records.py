"""Polls as values: plain, immutable, free of the database. Times are wall seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ..records import Conversation

Form = Literal["vote", "signup", "count"]
Status = Literal["open", "closed", "deleted"]
Way = Literal["line", "list", "page"]
"""Where an answer came from: a line of the group, a pasted list, the console or the API."""
NAMED: str = "~"
"""Begins the user id of somebody who is known by a list's name only."""


@dataclass(frozen=True, slots=True)
class PollFields:
    """What a poll is about."""

    form: Form
    question: str
    options: tuple[str, ...] = ()
    places: int | None = None
    closes_at: float | None = None
    anonymous: bool = False
    several: bool = False
    """A member may choose several options of a vote."""


@dataclass(frozen=True, slots=True)
class VoiceGiven:
    """A voice as it is to be kept. `taken`: False takes back what was said (不去, 弃权)."""

    user_id: str
    name: str
    taken: bool
    choice: int | None = None
    amount: int = 1
    said_by: str = ""
    said_by_name: str = ""
    way: Way = "line"
    said: str = ""
    origin: str = ""
    at: float = 0.0
    choices: tuple[int, ...] = ()
    """All options of a vote in which several may be chosen; `choice` is the first."""


@dataclass(frozen=True, slots=True)
class PollAnswer:
    """A member's one voice. `turn` is their place in the order of joining."""

    user_id: str
    name: str
    taken: bool
    choice: int | None
    amount: int
    turn: int
    said_by: str
    said_by_name: str
    way: Way
    said: str
    origin: str
    at: float
    choices: tuple[int, ...] = ()

    @property
    def chosen(self) -> tuple[int, ...]:
        """Options that are chosen: one, or several where the vote allows it."""
        return self.choices or (() if self.choice is None else (self.choice,))


@dataclass(frozen=True, slots=True)
class PollRecord:
    """A poll with its answers, in the order of joining."""

    id: int
    conversation: Conversation
    maker: str
    maker_name: str
    fields: PollFields
    status: Status
    closed_by: str | None
    """Who ended it; empty: its time, or everybody's answer."""
    created_at: float
    touched_at: float
    closed_at: float | None
    chased: int
    """How often those without a voice were called."""
    answers: tuple[PollAnswer, ...] = field(default_factory=tuple)

    @property
    def open(self) -> bool:
        """True while voices count."""
        return self.status == "open"

    @property
    def given(self) -> tuple[PollAnswer, ...]:
        """Voices that stand."""
        return tuple(each for each in self.answers if each.taken)

    def answer_of(self, user_id: str) -> PollAnswer | None:
        """A member's voice, also one that was taken back."""
        return next((each for each in self.answers if each.user_id == user_id), None)


def seated(answers: Sequence[PollAnswer], places: int | None) -> tuple[list[PollAnswer], list[PollAnswer]]:
    """Who has a place and who waits, in the order of joining. Nobody overtakes: from the first one who
    does not fit on, everybody waits. Pure."""
    inside: list[PollAnswer] = []
    waiting: list[PollAnswer] = []
    used = 0
    for each in sorted((one for one in answers if one.taken), key=lambda one: one.turn):
        if places is None or (not waiting and used + each.amount <= places):
            inside.append(each)
            used += each.amount
        else:
            waiting.append(each)
    return inside, waiting


@dataclass(frozen=True, slots=True)
class Cast:
    """What came of a voice."""

    poll: PollRecord
    before: PollAnswer | None
    """The member's voice until then."""
    after: PollAnswer | None
    counted: bool
    """False: the poll was over, or the same work had been done before."""
    promoted: tuple[PollAnswer, ...] = ()
    """Who got a place by it."""
    short: bool = False
    """More heads were wanted than there are places left: the number stays as it was."""
