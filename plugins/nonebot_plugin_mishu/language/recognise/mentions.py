"""Members with an @ inside a line: the line with their names if connected. Pure.

An @ is no word of the text. 我和 @老猫 明天去看电影 would leave an unconnected 和; with the name it is read
as 我和老猫明天去看电影.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ..clause import Mention
from ..reading import words_of


@dataclass(frozen=True, slots=True)
class MentionPiece:
    """Piece of a message: words, or an @."""

    text: str
    """Words; of an @ its replacement if not connected."""
    name: str = ""
    """Name of the member with an @; else empty."""


_TIES: Final = ("和", "跟", "与", "、", "及", "以及", "还有", "同")
_NONE: Final = MentionPiece("")


def woven(pieces: Sequence[MentionPiece]) -> str:
    """Words of a message with the names of connected members: beside a 和, and several in a row after a
    reminder verb (提醒 @老猫 @小雅)."""
    line, at = "", 0
    while at < len(pieces):
        if not pieces[at].name:
            line += pieces[at].text
            at += 1
            continue
        run, at = _run(pieces, at)
        after = pieces[at].text if at < len(pieces) else ""
        before, behind = line.rstrip().endswith(_TIES), after.lstrip().startswith(_TIES)
        called = _calls(line)
        if not (before or behind or (len(run) > 1 and called)):
            line += "".join(one.text for one in run)
            continue
        named = "、".join(dict.fromkeys(one.name for one in run))
        line = f"{line.rstrip() if before or called else line}{named}{after.lstrip()}"
        at += 1  # the blank behind an @ is the client's, and no pause
    return line.strip()


def _run(pieces: Sequence[MentionPiece], at: int) -> tuple[list[MentionPiece], int]:
    """Consecutive @ pieces, and the place behind them."""
    run = [pieces[at]]
    at += 1
    while at < len(pieces):
        blank = 0 if pieces[at].name else 1
        following = pieces[at + blank] if at + blank < len(pieces) else _NONE
        if not following.name or (blank and pieces[at].text.strip()):
            break
        run.append(following)
        at += blank + 1
    return run, at


def _calls(line: str) -> bool:
    """True if the words end in a reminder verb."""
    tokens = [token for token in words_of(line) if line[token.start : token.end].strip()]
    return bool(tokens) and "remind" in tokens[-1].classes


def typed(words: str, people: Iterable[Mention]) -> str:
    """Line with plain-text @ names, if connected."""
    if "@" not in words:
        return words
    names = sorted({one.name for one in people if one.name}, key=len, reverse=True)
    pieces: list[MentionPiece] = []
    rest = words
    while (start := rest.find("@")) >= 0:
        name = next((one for one in names if rest.startswith(one, start + 1)), "")
        end = start + 1 + len(name)
        if name:
            pieces += [MentionPiece(rest[:start]), MentionPiece(rest[start:end], name)]
        else:
            pieces.append(MentionPiece(rest[:end]))
        rest = rest[end:]
    return woven([*pieces, MentionPiece(rest)])


def tied_in(words: str, mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Mentioned members whose names are in the words, without an @."""
    return tuple(one for one in mentions if one.name in words and f"@{one.name}" not in words)
