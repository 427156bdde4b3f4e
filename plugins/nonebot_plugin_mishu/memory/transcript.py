"""A stretch of the ledger as a model sees it: short aliases, no platform ids, bounded in length."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..patterns import Pattern
from ..prompts.quoting import LINE, WHOLE, clean_name, fitted, indented, one_line
from ..storage.records import LedgerMessage

BOT = "me"
"""The alias of our own lines."""
_LEAST = 100
"""Characters of each message that is answered, however many are answered at once."""
_FEW = 4
"""The newest lines, which are shown however long what is answered is."""
_ALIAS = Pattern(r"(?<![A-Za-z0-9])u(\d{1,4})(?![A-Za-z0-9])")


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
    at most `lines` newest are kept. A kept message is cut at `keep_length` characters, others at `length`;
    all together at about `whole`, for which the oldest of the others go first.
    """

    def __init__(
        self,
        context: Sequence[LedgerMessage],
        *,
        keep: Collection[str] = (),
        lines: int = 60,
        length: int = 500,
        keep_length: int = LINE,
        whole: int = WHOLE,
    ) -> None:
        newest = {message.message_id for message in context[-lines:]}
        chosen = [said for said in context if said.message_id in newest or said.message_id in keep]
        self._aliases: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._ids: dict[str, int] = {}
        # Over the whole context: in every transcript of one context a member has the same alias.
        for said in context:
            if not said.is_bot:
                self._add_alias(said)
        kept = sum(said.message_id in keep for said in chosen)
        keep_length = min(keep_length, max(_LEAST, whole // max(kept, 1)))
        left = whole - keep_length * kept
        fitting: list[tuple[LedgerMessage, str]] = []
        for said in reversed(chosen):
            text = _shown_text(said, keep_length if said.message_id in keep else length)
            if said.message_id not in keep:
                left -= len(text)
                if left < 0 and len(fitting) >= _FEW:
                    continue
            fitting.append((said, text))
        found: list[TranscriptLine] = []
        for number, (said, text) in enumerate(reversed(fitting), start=1):
            self._ids[said.message_id] = number
            found.append(
                TranscriptLine(
                    id=number,
                    user=BOT if said.is_bot else self._aliases[said.user_id],
                    name=clean_name(said.name),
                    time=said.time,
                    text=text,
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
        return _ALIAS.sub(self._resolve_alias, text)

    def _resolve_alias(self, alias: re.Match[str]) -> str:
        name = self._names.get(alias.group(0))
        return alias.group(0) if name is None else clean_name(name)

    def _add_alias(self, said: LedgerMessage) -> None:
        alias = self._aliases.setdefault(said.user_id, f"u{len(self._aliases) + 1}")
        self._names[alias] = said.name


def _with_captions(said: LedgerMessage) -> str:
    kind = "语音" if said.text.startswith("[语音]") else "图片"
    captions = "".join(f"[{kind}：{one_line(caption, LINE)}]" for caption in said.captions)
    return f"{said.text}{captions}"


def _shown_text(said: LedgerMessage, limit: int) -> str:
    text = _with_captions(said)
    return fitted(text, limit) if said.is_bot else indented(text, limit)
