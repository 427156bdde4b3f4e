"""Data in prompts: the one way in which anything a person wrote stands in what a model is told. Pure.

A datum stands in a quotation (`quoted`), in one cell of a line (`one_line`, `clean_name`), in a string of
JSON (`as_data`), as a line of the talk behind its speaker's head (`indented`), or alone in a message
(`fitted`). None of them can end what it stands in: its own brackets become others, its line ends blanks or
indented lines, and characters that nobody sees are left out. Long lines keep head and tail (`shortened`). A
system message holds none of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from ..patterns import Pattern

LINE: Final = 600
"""Characters of one line that a model is shown."""
QUOTE: Final = 200
"""Characters of what a line quotes, and of a datum in a list."""
NAME: Final = 24
"""Characters of a name."""
WHOLE: Final = 12_000
"""Characters of one value of `request.data`, of however many lines."""
ROWS: Final = 6_000
"""Characters of the rows of one tool's result."""
INDENT: Final = "　　"
"""Before every line of a message but its first: no member can write a line that looks like another's."""
_TAIL: Final = 0.3
"""Of what is kept of a long line, how much is its end."""
_OURS: Final = str.maketrans("[]「」『』【】<>{}", "()“”“”〔〕()()")
"""Our own brackets and quotation marks become others: no datum can end the quotation it stands in."""
_UNSEEN: Final = Pattern(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
"""Characters that are not seen: controls, zero-width and direction marks, fillers, tags, private planes."""


def visible(text: str) -> str:
    """The text without characters that nobody sees; its line ends all `\\n`, whatever they were."""
    return "\n".join(_UNSEEN.sub("", text).splitlines())


def shortened(line: str, limit: int = LINE) -> str:
    """A line's head and tail where it is longer than `limit`: of 1500 characters 600, and a note between."""
    if len(line) <= limit:
        return line
    tail = int(limit * _TAIL)
    head = limit - tail
    return f"{line[:head]}…（中间略去 {len(line) - limit} 字）…{line[len(line) - tail :]}"


def one_line(text: str, limit: int = QUOTE) -> str:
    """The text on one line of at most `limit` characters (and an ellipsis), none of our brackets in it."""
    read = text[: 4 * limit]
    shown = "".join(sign if sign.isprintable() else " " for sign in _UNSEEN.sub("", read))
    line = " ".join(shown.translate(_OURS).split())
    return line if len(line) <= limit and len(read) == len(text) else f"{line[:limit]}…"


def quoted(text: str, limit: int = QUOTE) -> str:
    """The text as a quotation, on one line."""
    return f"「{one_line(text, limit)}」"


def clean_name(name: str) -> str:
    """A member's name: one short line, nothing in it that could pass for our own markup; 群友 for none."""
    return one_line(name, 200).removesuffix("…")[:NAME].strip() or "群友"


def indented(text: str, limit: int = LINE) -> str:
    """A member's words behind the head of a line of ours: cut to `limit`, further lines indented."""
    return f"\n{INDENT}".join(shortened(visible(text), limit).split("\n"))


def fitted(text: str, limit: int = LINE) -> str:
    """One person's words as a whole message: no unseen characters, head and tail of long ones."""
    return shortened(visible(text), limit)


def as_data(value: Any) -> Any:
    """A value of `request.data`, fit to be written as JSON: every string in it visible, every line short."""
    if isinstance(value, str):
        return _shorten_value(value)
    if isinstance(value, Mapping):
        items = cast("Mapping[Any, Any]", value).items()
        return {_shorten_value(key) if isinstance(key, str) else key: as_data(each) for key, each in items}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [as_data(each) for each in cast("Sequence[Any]", value)]
    return value


def shown_rows(rows: Sequence[Mapping[str, Any]], room: int = ROWS) -> list[dict[str, Any]]:
    """Rows of a tool's result as a model is told them: the first, as far as the room goes, at least one."""
    shown: list[dict[str, Any]] = []
    for row in rows:
        made = {
            name: one_line(value) if isinstance(value, str) else as_data(value) for name, value in row.items()
        }
        room -= len(json.dumps(made, ensure_ascii=False, default=str))
        if shown and room < 0:
            break
        shown.append(made)
    return shown


def _shorten_value(text: str) -> str:
    lines = [shortened(line) for line in visible(text).split("\n")]
    if sum(map(len, lines)) + len(lines) <= WHOLE:
        return "\n".join(lines)
    tail = _count_fitting(lines[::-1], int(WHOLE * _TAIL))
    head = _count_fitting(lines[: len(lines) - tail], WHOLE - int(WHOLE * _TAIL))
    left_out = f"…（中间略去 {len(lines) - head - tail} 行）…"
    return "\n".join([*lines[:head], left_out, *lines[len(lines) - tail :]])


def _count_fitting(lines: Sequence[str], room: int) -> int:
    """Number of the first lines that fit into `room` characters."""
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return number
    return len(lines)
