"""Feedback spoken by the configured speech endpoint."""

from __future__ import annotations

from typing import Final

from ..clock import Clock
from ..llm import Deadline, ModelClient, ModelError
from ..report import Report
from ..storage.records import Conversation

TIMEOUT: Final = 15.0
"""Seconds after which nobody wants to hear it any more."""
LONGEST: Final = 200
"""Characters that are spoken: the first lines of a longer text say what happened."""


class SpeechSynthesizer:
    """Speaks. Off where no endpoint is configured."""

    def __init__(self, model: ModelClient, clock: Clock, report: Report) -> None:
        self._model = model
        self._clock = clock
        self._report = report

    @property
    def open(self) -> bool:
        """True if anything can be spoken."""
        return self._model.speaks

    async def sound(self, conversation: Conversation, text: str) -> bytes | None:
        """The text as MP3; None where it cannot be had in time."""
        deadline = Deadline.after(TIMEOUT, self._clock.monotonic)
        try:
            return await self._model.speak(spoken(text), deadline=deadline, conversation=conversation)
        except ModelError as error:
            self._report("话没有念出来", error)
            return None


def spoken(text: str) -> str:
    """Part of a text to be spoken: whole lines from its beginning, as long as they fit."""
    kept: list[str] = []
    for line in text.splitlines():
        if kept and sum(map(len, kept)) + len(line) > LONGEST:
            break
        kept.append(line)
    return "\n".join(kept)[:LONGEST]
