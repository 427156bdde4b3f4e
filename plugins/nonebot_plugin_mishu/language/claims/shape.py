"""Shape of a clause: who acts in it, whether it is done or to come, in which mood, and its frame of small
words. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ...patterns import Pattern
from .table import either, words

_SUBJECTS = ("me", "you", "they")
_CONTENT = "·"


@dataclass(frozen=True, slots=True)
class Shape:
    """Each part is a short word made of what was found; empty where nothing was."""

    subject: str
    aspect: str
    """`D` done, `S` soon."""
    mood: str
    """`n` denied, `i` wished or asked for, `s` said or guessed, `f` felt."""


def shape(clause: str) -> Shape:
    """The shape of one clause."""
    known = _patterns()
    subject = "+".join(name for name in _SUBJECTS if known[name].search(clause)) or "none"
    done = known["done"].search(clause) is not None or known["since"].search(clause) is not None
    aspect = ("D" if done else "") + ("S" if known["soon"].search(clause) else "")
    marks = (("n", "not"), ("i", "wants"), ("s", "says"), ("f", "feels"))
    return Shape(subject, aspect, "".join(mark for mark, name in marks if known[name].search(clause)))


def frame(clause: str) -> str:
    """The small words of a clause in order, and one sign for what stands between them: 我·给你·了."""
    signs: list[str] = []
    for sign in clause:
        if sign in _framing():
            signs.append(sign)
        elif not signs or signs[-1] != _CONTENT:
            signs.append(_CONTENT)
    return "".join(signs)


def small_words(framed: str) -> str:
    """A frame without the signs between its words."""
    return framed.replace(_CONTENT, "")


@cache
def _framing() -> frozenset[str]:
    return frozenset(words("shape", "frame"))


@cache
def _patterns() -> dict[str, Pattern]:
    names = (*_SUBJECTS, "soon", "since", "not", "says", "feels")
    found = {name: Pattern(either(words("shape", name))) for name in names}
    ending = either(words("shape", "done"))
    found["done"] = Pattern(f"{ending}[哈哦喔呀啊呢吧的噢嗷~]*$")
    wanted, softly = either(words("shape", "wants")), either(words("shape", "softly"))
    found["wants"] = Pattern(f"^{wanted}|{softly}$")
    return found
