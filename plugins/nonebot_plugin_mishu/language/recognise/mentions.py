"""Members @-ed in the midst of a line: the line with their names where its words tie them in. Pure.

An @ is no word of a line, and who is @-ed is known beside it. 我和 @老猫 明天去看电影 would be left with a
和 that ties nothing to nothing; with the name it is read like 我和老猫明天去看电影.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ..clause import Mention
from ..reading import words_of


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a message: its words, or who is @-ed there."""

    text: str
    """Of an @: what stands for it where no words tie it in."""
    name: str = ""
    """What who is @-ed is called; empty where nobody is."""


_TIES: Final = ("和", "跟", "与", "、", "及", "以及", "还有", "同")
_NONE: Final = Piece("")


def woven(pieces: Sequence[Piece]) -> str:
    """The words of a message with the names of those whom its words tie to others: those beside a 和, and
    several in a row behind who is called (提醒 @老猫 @小雅)."""
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


def _run(pieces: Sequence[Piece], at: int) -> tuple[list[Piece], int]:
    """Those who are @-ed one behind the other, and where what follows begins."""
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
    """Whether the words end in the verb of whom somebody is to remind or tell."""
    tokens = [token for token in words_of(line) if line[token.start : token.end].strip()]
    return bool(tokens) and "remind" in tokens[-1].classes


def typed(words: str, people: Iterable[Mention]) -> str:
    """The line with the names of those whose @ stands in it as text, where words tie it in."""
    if "@" not in words:
        return words
    names = sorted({one.name for one in people if one.name}, key=len, reverse=True)
    pieces: list[Piece] = []
    rest = words
    while (start := rest.find("@")) >= 0:
        name = next((one for one in names if rest.startswith(one, start + 1)), "")
        end = start + 1 + len(name)
        if name:
            pieces += [Piece(rest[:start]), Piece(rest[start:end], name)]
        else:
            pieces.append(Piece(rest[:end]))
        rest = rest[end:]
    return woven([*pieces, Piece(rest)])


def tied_in(words: str, mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Those of who is @-ed whom the words name: one of the line's people, and not who the line is put to."""
    return tuple(one for one in mentions if one.name in words and f"@{one.name}" not in words)
