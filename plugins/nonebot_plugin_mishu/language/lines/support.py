"""Support of a part of a sentence by lines, and its nearest clause."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from ...patterns import Pattern
from ..text.fold import normalise
from . import telling
from .line import RecordLine
from .wording import GLUE, without

_HAN: Final = Pattern(r"[\u3400-\u9fff]")
_CLAUSES: Final = Pattern(r"[,，。;；!！?？\n~]+")
_PLAIN: Final = Pattern("|".join(sorted(telling.PLAIN, key=len, reverse=True)))


@dataclass(frozen=True, slots=True)
class Support:
    """Support of a part: counted characters, those beside a neighbour in a line or with a synonym there, and
    the neighbours of unsupported runs."""

    total: int
    held: int
    loose: int
    """Longest run of characters in the lines, but never adjacent there."""
    runs: tuple[str, ...]

    @property
    def share(self) -> float:
        """Supported share of the counted characters; 1 if none count."""
        return self.held / self.total if self.total else 1.0


def clauses(line: RecordLine) -> list[str]:
    """The parts of a line between its pauses."""
    return [part.strip() for part in _CLAUSES.split(line.text) if part.strip()]


def support(
    part: str, sources: Sequence[str], names: Collection[str], values: Collection[str] = ()
) -> Support:
    """Support of a part of a sentence by texts. `values` are its times and numbers, checked elsewhere."""
    bare = without(without(normalise(part), names), values)
    source = "\n".join(sources)
    held = [False] * len(bare)
    for at in range(len(bare) - 1):
        if bare[at : at + 2] in source and not bare[at : at + 2].isspace():
            held[at] = held[at + 1] = True
    for word, others in telling.SAME.items():
        at = bare.find(word)
        if at >= 0 and any(other in source for other in others):
            held[at : at + len(word)] = [True] * len(word)
    free = [False] * len(bare)
    for pattern in (GLUE, _PLAIN):
        for match in pattern.finditer(bare):
            free[match.start() : match.end()] = [True] * len(match.group())
    total = fits = loose = longest = 0
    runs: list[str] = []
    run, unknown = "", False
    for at, character in enumerate(bare):
        counts = _HAN.match(character) is not None and (held[at] or not free[at])
        total += counts
        fits += counts and held[at]
        weak = counts and not held[at] and character in source
        loose = loose + 1 if weak else 0
        longest = max(longest, loose)
        if counts and not held[at]:
            run += character
            if not weak:
                unknown = True
        elif run:
            runs += [run] if unknown else []
            run, unknown = "", False
    runs += [run] if run and unknown else []
    return Support(total, fits, longest, tuple(runs))


def nearest(part: str, sources: Sequence[str], names: Collection[str]) -> list[str]:
    """The texts that hold most of a part, and those that hold nearly as much."""
    characters = set(_HAN.findall(without(part, names)))
    held: list[tuple[float, str]] = []
    for each in sources:
        # A lone character counts little: it decides only where nothing else does (能来, 来不了).
        alike = support(part, [each], names).held
        held.append((alike or 0.5 * len(characters.intersection(each)), each))
    most = max((count for count, _ in held), default=0)
    return [each for count, each in held if count and count >= 0.75 * most] if most else []
