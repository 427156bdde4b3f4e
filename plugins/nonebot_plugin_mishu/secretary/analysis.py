"""The analysis call: what is being talked about, and should the secretary speak up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from ..agents import Judgement
from ..llm import CallLog, Deadline, ModelClient
from ..memory import Transcript, TranscriptLine, indented
from ..prompts import prompt
from .presence import PresenceState
from .turn import Turn

NAME: Final = "analyze_conversation"
_LINES = 16
_ROOM: Final = 8000
"""Characters of the lines together: with their heads less than one value of `request.data` may have."""


class Analyst:
    """Asks the secretary's model for a judgement."""

    def __init__(self, model: ModelClient, zone: ZoneInfo, bot_names: Sequence[str]) -> None:
        self._model = model
        self._zone = zone
        self._bot_names = tuple(bot_names)

    @property
    def online(self) -> bool:
        """True if a model is online."""
        return self._model.online

    async def judge(self, turn: Turn, state: PresenceState, deadline: Deadline, calls: CallLog) -> Judgement:
        """The model's judgement of the turn. Raises `ModelError`."""
        return await self._model.structured(
            NAME,
            self._data(turn, state),
            Judgement,
            instructions=prompt(NAME),
            deadline=deadline,
            conversation=turn.conversation,
            model="secretary",
            log=calls,
        )

    def _data(self, turn: Turn, state: PresenceState) -> dict[str, Any]:
        transcript = Transcript(turn.context, keep=turn.ids, lines=_LINES, whole=_ROOM)
        return {
            "bot_names": list(self._bot_names),
            "lines": "\n".join(self._line(line) for line in transcript.lines),
            "state": state.value,
            "trigger": turn.lead.trigger.value,
        }

    def _line(self, line: TranscriptLine) -> str:
        at = datetime.fromtimestamp(line.time, self._zone).strftime("%H:%M")
        text = indented(line.text) if line.is_bot else line.text
        return f"{line.id} [{line.user} {line.name} {at}] {text}"
