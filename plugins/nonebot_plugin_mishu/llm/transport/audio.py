"""Voices: what a transcription and a speech endpoint answer, read without trusting any of it."""

from __future__ import annotations

import json
from typing import Any, Final, cast

from ..failures import NO_ANSWER, Failure
from .completion import Completion
from .request import Route

LONGEST_TEXT: Final = 4000
"""Characters of a transcription; what is longer is cut."""
LARGEST: Final = 20 * 2**20
"""Bytes of spoken text that are taken."""
_SMALLEST: Final = 32
"""Bytes: no sound is shorter."""


def transcription_of(body: bytes) -> Completion | Failure:
    """Read a 200's body: `{"text": …}`, or the bare text that some endpoints send."""
    try:
        text = body.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        return NO_ANSWER
    if text == "null" or text.startswith(("<", "[")):
        return NO_ANSWER
    if text.startswith("{"):
        try:
            whole: Any = json.loads(text)
        except (ValueError, RecursionError):
            return NO_ANSWER
        said = cast("dict[str, Any]", whole).get("text")
        if not isinstance(said, str):
            return NO_ANSWER
        text = said.strip()
    return Completion(text[:LONGEST_TEXT], (), None, False, None, 0)


def speech_of(body: bytes) -> Completion | Failure:
    """Read a 200's body: sound, and no page or JSON that says why there is none."""
    start = body[:64].lstrip()
    if not _SMALLEST <= len(body) <= LARGEST or start[:1] in (b"{", b"[", b"<"):
        return NO_ANSWER
    return Completion("", (), None, False, None, 0, audio=body)


def heard(answer: Completion) -> str | Failure:
    """The words of a transcription; a voice without words is an answer too, and empty."""
    return answer.text


def sound(answer: Completion) -> bytes | Failure:
    """The sound of spoken text."""
    return answer.audio or NO_ANSWER


TRANSCRIPTIONS: Final = Route("/audio/transcriptions", transcription_of)
SPEECH: Final = Route("/audio/speech", speech_of, LARGEST)
