"""Recordings turned into words by the configured transcription endpoint."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from ..clock import Clock
from ..language.text.fold import normalise
from ..llm import Deadline, ModelClient, ModelError
from ..report import Report
from ..storage.records import Conversation

LARGEST: Final = 5 * 2**20
"""Bytes of a recording that is transcribed: a minute of any format is far below."""
TIMEOUT: Final = 30.0
"""Seconds for fetching and transcribing together."""
LONGEST: Final = 1000
"""Characters of what was said; a longer transcription is cut."""

Fetch = Callable[[Conversation, str, str, int, float], Awaitable[bytes | None]]
"""Gets a recording: conversation, the platform's name for it, a link, bytes at most, seconds at most."""
_BEGINNINGS: Final = {
    b"#!AMR": "amr",
    b"#!SILK": "silk",
    b"\x02#!SILK": "silk",
    b"RIFF": "wav",
    b"OggS": "ogg",
    b"fLaC": "flac",
}


class Transcriber:
    """Hears recordings. Off where no endpoint is configured."""

    def __init__(self, model: ModelClient, clock: Clock, fetch: Fetch, report: Report) -> None:
        self._model = model
        self._clock = clock
        self._fetch = fetch
        self._report = report

    @property
    def open(self) -> bool:
        """True if anything can be heard."""
        return self._model.transcribes

    async def transcribe(self, conversation: Conversation, name: str, link: str = "") -> str | None:
        """Transcript of the recording; None if unavailable, too long, or without words."""
        deadline = Deadline.after(TIMEOUT, self._clock.monotonic)
        content = await self._fetch(conversation, name, link, LARGEST, TIMEOUT / 2)
        if not content:
            return None
        try:
            said = await self._model.transcribe(
                file_name(content), content, deadline=deadline, conversation=conversation
            )
        except ModelError as error:
            self._report("语音没有听出来", error)
            return None
        return normalise(said)[:LONGEST].strip() or None


def file_name(content: bytes) -> str:
    """File name for the upload; the name on the platform may say anything."""
    kinds = (kind for beginning, kind in _BEGINNINGS.items() if content.startswith(beginning))
    return f"voice.{next(kinds, 'mp3')}"
