"""A line that keeps one part of a card and lets the rest go (就记打车的, 只要第二笔, 其他不用). Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from ...patterns import Pattern
from ..answers.answer_words import LIMIT, VOCABULARY, Word
from ..text.fold import normalise
from .pointed import Pointed
from .triage import LONGEST_ORDER, only_items

_BEHIND: Final = frozenset({"而已", "罢了", "就行", "就行了", "就好", "就够了", "就可以", "就可以了"})
"""Words of `LIMIT` after the items to keep."""
_REST_BEGINS: Final = tuple("其剩余别另")


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _spelled(*kinds: Word) -> list[str]:
    return [word for kind in kinds for word in VOCABULARY[kind] if not word.isascii()]


_ONLY: Final = f"(?:{_any([word for word in LIMIT['only'] if word not in _BEHIND])})"
_ENOUGH: Final = f"(?:{_any(_BEHIND)}|就成|就完了|即可)"
_KEEP: Final = (
    f"(?:{_any([*_spelled(Word.SAVE, Word.CONFIRM), '留下', '留', '加上', '加', '算', '报'])})(?:一?下|上)?"
)
_REFUSED: Final = (
    "(?:全部|统统|[都全就先也])*"
    f"(?:{_any(_spelled(Word.DROP, Word.REFUSE, Word.UNWANTED))}"
    f"|(?:不|别|甭|莫)(?:要|用|必)?(?:{_any(_spelled(Word.SAVE))}|管|报|加))"
)
_TRAILS: Final = "[了吧啊哈呀哦啦嘛呗掉的 ]*"
_REST: Final = Pattern(
    f"(?:{_any([word for word in VOCABULARY[Word.REST] if word.startswith(_REST_BEGINS)])})"
    f"(?:的|那?几?[笔个条项])*{_REFUSED}(?:{_KEEP})?{_TRAILS}"
)
_LEADS: Final = (
    "(?:那|嗯|好|行|不(?![用是要])|(?:不用|不是|不要|别)都[记要存]|(?:不用|不是)(?!都)"
    "|我|帮我|给我|麻烦|请|把|先|[, ])*+"
)
_KEPT: Final = Pattern(
    f"{_LEADS}(?P<only>{_ONLY})?(?P<keep>{_KEEP})?(?P<what>.+?)(?P<kept>{_KEEP})?(?P<enough>{_ENOUGH})?{_TRAILS}"
)
_PAUSE: Final = Pattern("[,，;；。!！ ]+")


def only_kept(text: str, size: int, pointing: Callable[[str], Pointed]) -> tuple[int, ...]:
    """The items (0-based) of a card of `size` that alone are kept; none where the line says anything else."""
    line = normalise(text[: LONGEST_ORDER * 2]).lower().strip(" ,。.!~")
    if len(line) > LONGEST_ORDER:
        return ()
    pieces = [piece for piece in _PAUSE.split(line) if piece]
    rest = [piece for piece in pieces if _REST.fullmatch(piece)]
    said = [piece for piece in pieces if piece not in rest]
    if not said:
        return ()
    found = _KEPT.fullmatch(" ".join(said))
    if found is None or not (found["only"] or found["enough"] or (rest and (found["keep"] or found["kept"]))):
        return ()
    what = found["what"].strip()
    named = only_items(what, size)
    return named if named else pointing(what).items
