"""Files that a friend sends in private: fetched, laid on the shelf, and read as an order to take them in.

In a group nothing is fetched: a calendar and a bill are their sender's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Protocol, cast

from ...imports.shelf import LARGEST, SentFile, Shelf, words_for
from ...storage.records import Conversation
from .incoming_message import IncomingMessage, Segment

TIMEOUT: Final = 30.0
"""Seconds for a file to be had."""


class FileGiver(Protocol):
    """The platform, as far as it gives files."""

    async def attachment(
        self, conversation: Conversation, told: Mapping[str, Any], largest: int, timeout: float
    ) -> bytes | None:
        """Content of a file in a message, at most `largest` bytes, within `timeout` seconds; None where the
        platform does not give it."""
        ...


class SentFiles:
    """Takes in the files that something can be done with."""

    def __init__(self, platform: FileGiver, shelf: Shelf | None) -> None:
        self._platform = platform
        self._shelf = shelf

    def wanted(self, heard: IncomingMessage) -> bool:
        """True if this is such a file and nothing else. Memory only."""
        if self._shelf is None or heard.conversation.is_group or not heard.obeyed or heard.words:
            return False
        return self._found(heard) is not None

    async def as_words(self, heard: IncomingMessage) -> IncomingMessage:
        """The message with the order that the file stands for as its words."""
        found = self._found(heard)
        if self._shelf is None or found is None:
            return heard
        name, told = found
        place = heard.conversation
        data = await self._platform.attachment(place, told, LARGEST, TIMEOUT)
        self._shelf.put(place.self_id, heard.message_id, SentFile(name, data))
        return replace(heard, segments=(*heard.segments, Segment("text", words_for(name) or "")))

    @staticmethod
    def _found(heard: IncomingMessage) -> tuple[str, Mapping[str, Any]] | None:
        for part in heard.raw_segments:
            data = part.get("data")
            if part.get("type") != "file" or not isinstance(data, Mapping):
                continue
            told = cast("Mapping[str, Any]", data)
            for key in ("name", "file_name", "file"):
                name = str(told.get(key) or "")
                if words_for(name) is not None:
                    return name.replace("\\", "/").rsplit("/", 1)[-1], told
        return None
