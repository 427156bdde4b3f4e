"""Values that a test looks at: the reply to a line, what was read in it, open questions, lines to others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..agents import Action, Status
from ..storage.records import FrameRecord, LedgerMessage


class AgentFailed(AssertionError):
    """An agent's callback failed in a turn of the test desk; the error is its cause."""


@dataclass(frozen=True, slots=True)
class ReadFrame:
    """One frame read in a line by the local rules."""

    agent: str
    intent: str
    slots: Mapping[str, Any]
    sure: bool
    text: str

    @property
    def name(self) -> str:
        """Agent and intent: `rooms.book`."""
        return f"{self.agent}.{self.intent}"


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that is open."""

    agent: str
    intent: str
    who: str
    """Whose task it is."""
    asked: tuple[str, ...]
    """Who is to answer: that member, or those named in `Ask.of`."""
    text: str
    missing: tuple[str, ...]
    slots: Mapping[str, Any]
    task: FrameRecord


@dataclass(frozen=True, slots=True)
class Sent:
    """A line that was said without being a reply: a notice, a line when a question was over."""

    text: str
    to: tuple[str, ...]
    """The members it mentions, or whom it went to in private."""
    group: str | None
    """The group it went into; None: in private."""
    message: LedgerMessage | None = None
    """As it stands in the talk, to be quoted; None where it went elsewhere."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Reply and effects of one line."""

    text: str | None
    """None: nothing was said."""
    status: Status | None
    """How the request ended; None where the line was only heard."""
    frames: tuple[ReadFrame, ...]
    """What the local rules read in it."""
    called: tuple[str, ...]
    """The agents whose handlers were called, in order."""
    actions: tuple[Action, ...]
    asks: tuple[OpenQuestion, ...]
    """All questions that are open to anybody now, oldest first."""
    sent: tuple[Sent, ...]
    """What was said to others meanwhile."""
    message: LedgerMessage | None
    """The reply as it stands in the talk, to be quoted."""

    @property
    def silent(self) -> bool:
        """Nothing was said."""
        return self.text is None

    @property
    def read(self) -> tuple[str, ...]:
        """Agent and intent of each frame: `rooms.book`."""
        return tuple(frame.name for frame in self.frames)


Quotable = Reply | Sent | LedgerMessage
"""What a line may quote."""


def message_of(quoted: Quotable | None) -> LedgerMessage | None:
    """The message that is quoted; None where it does not stand in the talk."""
    return quoted if isinstance(quoted, LedgerMessage) or quoted is None else quoted.message
