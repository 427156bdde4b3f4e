"""A line that wants the last change undone and says of what, or why: 刚才那个推迟的撤销掉, 周会改错了 撤销,
不对 还没去呢 behind a task that was ticked off. Pure; the words are in `answer.toml`.
"""

from __future__ import annotations

from typing import Final

from .answer_words import ASKED, UNDO
from .corrections import opens_by_correcting
from .mood import ends_in_question

LONGEST: Final = 40
"""Characters of a line that undoes and orders nothing else."""
_FORBIDS: Final = ("别", "不要", "不用", "先不", "莫", "甭", "不")


def says_undo(line: str) -> bool:
    """A word of undoing, with one by which it is the last change and nothing that is kept is to go."""
    if not 0 < len(line) <= LONGEST or ends_in_question(line):
        return False
    places = [(line.find(word), word) for word in UNDO["back"] if word in line]
    if not places or any(line[:at].endswith(_FORBIDS) for at, _ in places):
        return False
    return any(word in line for word in UNDO["of_the_last"])


def says_take_back(line: str) -> bool:
    """撤销 and the like, and not of what a change was: those take back also what was made."""
    return any(word in line for word in UNDO["anything"]) and not any(
        word in line for word in UNDO["of_a_change"]
    )


def says_not_done(line: str) -> bool:
    """不对 还没去呢: what was ticked off a moment ago is still to be done."""
    told = any(word in line for word in UNDO["not_done"])
    takes_back = opens_by_correcting(line) or any(word in line for word in UNDO["back"])
    return 0 < len(line) <= LONGEST and told and takes_back and not ends_in_question(line)


def asks_what_was_done(line: str) -> bool:
    """刚才改成啥了, 你刚刚干了什么: after the last change, from end to end."""
    at, said = 0, set[str]()
    while at < len(line):
        found = max(
            (
                (len(word), kind)
                for kind, words in ASKED.items()
                for word in words
                if line.startswith(word, at)
            ),
            default=None,
        )
        if found is None:
            return False
        at, _ = at + found[0], said.add(found[1])
    return {"just", "does", "what"} <= said
