"""A stretch of the ledger as a model sees it: short aliases, no platform ids, bounded in length."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..storage.records import LedgerMessage

BOT = "me"
"""The alias of our own lines."""
_ALIAS = re.compile(r"(?<![A-Za-z0-9])u(\d{1,4})(?![A-Za-z0-9])")
_INDENT = "　　"
"""Before every line of a message but its first: no member can write a line that looks like another's."""


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One message of the transcript. `id` counts from 1 within the transcript; `user` is an alias."""

    id: int
    user: str
    name: str
    time: float
    text: str
    processed: bool
    is_bot: bool


class Transcript:
    """The newest lines of a frozen context, and the names behind its aliases.

    `keep` names messages that must be in it however old they are (the ones being answered); of the others
    at most `lines` newest are kept. A kept message is cut at `keep_length` characters, others at `length`.
    """

    def __init__(
        self,
        context: Sequence[LedgerMessage],
        *,
        keep: Collection[str] = (),
        lines: int = 60,
        length: int = 500,
        keep_length: int = 2000,
    ) -> None:
        newest = {message.message_id for message in context[-lines:]}
        chosen = [said for said in context if said.message_id in newest or said.message_id in keep]
        self._aliases: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._ids: dict[str, int] = {}
        # Over the whole context: in every transcript of one context a member has the same alias.
        for said in context:
            if not said.is_bot:
                self._alias(said)
        found: list[TranscriptLine] = []
        for number, said in enumerate(chosen, start=1):
            limit = keep_length if said.message_id in keep else length
            self._ids[said.message_id] = number
            found.append(
                TranscriptLine(
                    id=number,
                    user=BOT if said.is_bot else self._aliases[said.user_id],
                    name=clean_name(said.name),
                    time=said.time,
                    text=_shown(said, limit),
                    processed=said.processed,
                    is_bot=said.is_bot,
                )
            )
        self.lines: tuple[TranscriptLine, ...] = tuple(found)

    def number(self, message_id: str) -> int | None:
        """The line's number of a platform message, or None where it is not shown."""
        return self._ids.get(message_id)

    def alias(self, user_id: str) -> str | None:
        """The alias of a member, or None where the member says nothing in the context."""
        return self._aliases.get(user_id)

    def named(self, text: str) -> str:
        """A model's words with aliases turned back into names."""
        return _ALIAS.sub(self._name, text)

    def _name(self, alias: re.Match[str]) -> str:
        name = self._names.get(alias.group(0))
        return alias.group(0) if name is None else clean_name(name)

    def _alias(self, said: LedgerMessage) -> None:
        alias = self._aliases.setdefault(said.user_id, f"u{len(self._aliases) + 1}")
        self._names[alias] = said.name


def clean_name(name: str) -> str:
    """A member's name as data: one short line, nothing that could pass for our own markup."""
    shown = "".join(character if character.isprintable() else " " for character in name[:200])
    return " ".join(shown.replace("[", "(").replace("]", ")").split())[:24].strip() or "群友"


def _with_captions(said: LedgerMessage) -> str:
    kind = "语音" if said.text.startswith("[语音]") else "图片"
    captions = "".join(f"[{kind}：{caption}]" for caption in said.captions)
    return f"{said.text}{captions}"


def _shown(said: LedgerMessage, limit: int) -> str:
    text = _cut(_with_captions(said), limit)
    return text if said.is_bot else _INDENT.join(text.splitlines(keepends=True))


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}…（共 {len(text)} 字）"
