"""Questions to the books about money between people, over the rows of `askings.toml`. Pure.

谁还没给我电费        owes
我还有几多钱没收      owes
老王该我多少          owes, between the speaker and 老王
大家摊下来一人多少    each
今天记了哪些账        list
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, cast

from .pieces import ASKINGS, pieces, words_in
from .shares.people import inside

_LONGEST: Final = 40
_SILENT: Final = frozenset({"filler", "blank", "pause", "stop", "lately", "mark", "whether"})
_MONEY: Final = (
    *("钱", "费", "租", "账", "款", "份子", "债", "AA", "aa", "结算"),
    *("多少", "怎么算", "怎么结", "咋算", "咋结", "谁欠", "欠谁", "还了没", "还了吗", "还我", "转我", "给我"),
    *("给没", "转没", "付没", "给了", "转了", "付了", "结了", "清了", "没转", "没还我", "没还钱"),
    *(
        "差我",
        "短我",
        "差他",
        "差她",
        "还欠",
        "没给",
        "没付",
        "差几块",
        "差多少",
        "补多少",
        "还要给",
        "还得给",
    ),
    *("谁付的", "谁给付", "谁买的单", "谁买单", "谁垫", "谁出的", "谁请的", "谁掏", "谁结的", "谁刷的"),
    *("转给谁", "转谁", "还谁", "还给谁", "付给谁", "打给谁", "转给哪", "还给哪"),
)
_NOBODY: Final[Mapping[str, tuple[str, ...]]] = {}

Asking = Literal["owes", "list", "each", "payer"]


def bill_asked(line: str) -> str:
    """Name of the bill whose payer a normalised line asks for (火锅那笔谁付的); empty for every other
    line."""
    text = line.lower() if len(line.lower()) == len(line) else line
    if len(text) > _LONGEST:
        return ""
    for piece in pieces(words_in(text, (), {}), text, ASKINGS):
        if piece.reads == "payer":
            thing = piece.slots["thing"]
            return text[thing[0].start : thing[-1].end].strip("的那").removesuffix("钱")
    return ""


def asking(line: str, names: Mapping[str, tuple[str, ...]] = _NOBODY) -> Asking | None:
    """Question to the books in a normalised line; None for no such question. `names` are the members' names,
    with their ids."""
    text = line.lower() if len(line.lower()) == len(line) else line
    if len(text) > _LONGEST or not any(word in text for word in _MONEY):
        return None
    read = words_in(text, (), names)
    for piece in pieces(read, text, ASKINGS):
        left = [token for token in read if not inside(token, [(piece.start, piece.end)])]
        if all(not token.classes.isdisjoint(_SILENT) for token in left):
            return cast("Asking", piece.reads)
    return None
