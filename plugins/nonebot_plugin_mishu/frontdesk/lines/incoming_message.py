"""Incoming messages from an adapter, free of any platform's classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from ...language.recognise.mentions import MentionPiece, woven
from ...storage.records import PRESSED, Conversation, LedgerMessage, Role

SegmentKind = Literal["text", "at", "at_all", "reply", "image", "voice", "other"]


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a message. `value`: the text, the member mentioned, the message quoted, a placeholder."""

    kind: SegmentKind
    value: str


@dataclass(frozen=True, slots=True)
class QuotedMessage:
    """Quoted message, as the platform reports it."""

    message_id: str
    user_id: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """One message as heard. `obeyed` is False for anonymous senders and accounts known as bots."""

    conversation: Conversation
    message_id: str
    time: float
    receipt: int
    user_id: str
    name: str
    role: Role
    segments: tuple[Segment, ...]
    raw_segments: tuple[dict[str, Any], ...]
    heard_at: float
    """Monotonic seconds."""
    superuser: bool = False
    obeyed: bool = True
    quote: QuotedMessage | None = None
    """The quoted message, where the platform told it."""
    introduced: bool = True
    """False where the platform told neither name nor role of its sender."""

    @property
    def pressed(self) -> bool:
        """True for the words of a button of ours that its sender pressed."""
        return self.message_id.startswith(PRESSED)

    @property
    def reply_to(self) -> str | None:
        """Id of the quoted message."""
        return next((part.value for part in self.segments if part.kind == "reply"), None)

    @property
    def ats(self) -> set[str]:
        """Members @-mentioned, the bot included."""
        return {part.value for part in self.segments if part.kind == "at"}

    @property
    def at_bot(self) -> bool:
        """True if the bot is @-mentioned, anywhere in the message."""
        return self.conversation.self_id in self.ats

    @property
    def calls_us(self) -> int:
        """Number of @-mentions of the bot."""
        us = self.conversation.self_id
        return sum(part.kind == "at" and part.value == us for part in self.segments)

    @property
    def ats_others(self) -> bool:
        """True if somebody else is @-mentioned, or everybody."""
        everybody = any(part.kind == "at_all" for part in self.segments)
        return everybody or bool(self.ats - {self.conversation.self_id})

    @property
    def words(self) -> str:
        """The sender's own words: text only, without mentions and quotes."""
        return "".join(part.value for part in self.segments if part.kind == "text").strip()

    def words_among(self, name_of: Callable[[str], str | None]) -> str:
        """The sender's own words with the names of those members whom they tie in (我和 @老猫 去看电影)."""
        us = self.conversation.self_id
        pieces = [
            MentionPiece(part.value if part.kind == "text" else "", name or "")
            for part in self.segments
            if part.kind in ("text", "at") and part.value != us
            for name in [name_of(part.value) if part.kind == "at" else ""]
        ]
        return woven(pieces)

    @property
    def has_content(self) -> bool:
        """True if there is anything in it: text, picture, voice, @ or quote; a sticker alone is nothing."""
        return any(
            part.kind != "other" and (part.kind != "text" or part.value.strip()) for part in self.segments
        )

    @property
    def only_text(self) -> bool:
        """True if the message is text only."""
        return all(part.kind == "text" for part in self.segments)

    def shown(self, name_of: Callable[[str], str | None]) -> str:
        """The message as one line of text: mentions by name, never by number; the rest as placeholders."""
        parts: list[str] = []
        for part in self.segments:
            if part.kind == "at":
                parts.append(f"@{name_of(part.value) or '群友'} ")
            elif part.kind == "at_all":
                parts.append("@全体成员 ")
            elif part.kind != "reply":
                parts.append(part.value)
        return "".join(parts).strip()

    def ledger_message(self, name_of: Callable[[str], str | None]) -> LedgerMessage:
        """The ledger's record of it."""
        return LedgerMessage(
            conversation=self.conversation,
            message_id=self.message_id,
            time=self.time,
            receipt=self.receipt,
            user_id=self.user_id,
            name=self.name,
            role=self.role,
            text=self.shown(name_of),
            segments=list(self.raw_segments),
            reply_to=self.reply_to,
        )
