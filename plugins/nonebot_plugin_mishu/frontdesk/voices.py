"""Voice messages at the front desk: whose are turned into words, and whose replies are spoken.

A voice message is treated as text from members with an open question, in private, or while observing; else
it is kept as [语音] (product section 8). The feature 语音 has three states: nobody switched it (voices are
heard, nothing is spoken), on (spoken too), off (neither).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..core import Core
from ..report import Report
from ..secretary import PresenceState, SendFailed, Speech
from ..storage.records import Conversation
from ..voice import SpeechSynthesizer, Transcriber
from .lines.incoming_message import IncomingMessage, Segment
from .reply_service import SAY_TIMEOUT, ReplyService
from .rooms.room import Room

FEATURE = "语音"
PLACEHOLDER = "[语音]"


class Voices:
    """Hears and speaks for conversations."""

    def __init__(
        self,
        core: Core,
        replies: ReplyService,
        transcriber: Transcriber | None,
        synthesizer: SpeechSynthesizer | None,
        enter: Callable[[Conversation], Room],
        report: Report,
    ) -> None:
        self._core = core
        self._replies = replies
        self._transcriber = transcriber
        self._synthesizer = synthesizer
        self._enter = enter
        self._report = report

    def wanted(self, room: Room, heard: IncomingMessage) -> bool:
        """True if this is a voice message to be transcribed. Memory only."""
        if (
            self._transcriber is None
            or not self._transcriber.open
            or not heard.obeyed
            or not room.allows(FEATURE)
        ):
            return False
        if heard.words or not any(part.kind == "voice" for part in heard.segments):
            return False
        return (
            not heard.conversation.is_group
            or heard.at_bot
            or room.seat.presence.state is PresenceState.OBSERVING
            or self._core.asks(heard.conversation, heard.user_id)
        )

    async def as_text(self, room: Room, heard: IncomingMessage) -> IncomingMessage:
        """The voice message with its transcript as its words; unchanged where there is none."""
        words = (
            None
            if self._transcriber is None
            else await self._transcriber.transcribe(heard.conversation, *_place(heard))
        )
        if words is None:
            return heard
        message = room.ledger.get(heard.message_id)
        if message is not None:
            await self._replies.set_captions(message, [words])
        return replace(heard, segments=(*heard.segments, Segment("text", words)))

    async def speak(self, conversation: Conversation, text: str) -> None:
        """Say a reply aloud as well, where the group wants that. Never raises for a failure."""
        room = self._enter(conversation)
        if (
            self._synthesizer is None
            or not self._synthesizer.open
            or room.settings.features.get(FEATURE) is not True
        ):
            return
        sound = await self._synthesizer.sound(conversation, text)
        if sound is None:
            return
        try:
            await self._replies.say(conversation, Speech(PLACEHOLDER, voice=sound), SAY_TIMEOUT)
        except SendFailed as error:
            self._report("念出来的话没有发出去", error)


def _place(heard: IncomingMessage) -> tuple[str, str]:
    """File name and link of the recording; empty where the platform gives none."""
    for part in heard.raw_segments:
        if part.get("type") == "record":
            data = part.get("data", {})
            return str(data.get("file") or ""), str(data.get("url") or "")
    return "", ""
