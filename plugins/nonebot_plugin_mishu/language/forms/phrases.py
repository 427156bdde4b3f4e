"""Lines of known phrases; none if one character is left over.

Fixed expressions (a greeting, a wish for silence) as data: labels with patterns each. Phrases must cover the
whole line, so a sentence about something else never counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from ...patterns import Pattern
from ..text.fold import normalise
from ..text.repeats import without_repeats

LONGEST: Final = 60
"""Characters of a line; a longer one is a sentence of its own."""
_APART = Pattern(r"[\W_]+")


def bare(text: str) -> str:
    """Text for comparison with phrases: normalised, lower case, no punctuation, emoji or spaces."""
    return _APART.sub("", normalise(text).casefold())


class Phrasebook:
    """Labels and their patterns (regular expressions over bare text).

    Of all ways to cover a line the one with the fewest phrases is taken: 早上好 is not 早 and something.
    """

    def __init__(self, phrases: Mapping[str, Iterable[str]]) -> None:
        self._phrases = [
            (label, Pattern(pattern)) for label, patterns in phrases.items() for pattern in patterns
        ]

    def read(self, text: str, names: Collection[str] = ()) -> tuple[str, ...] | None:
        """Labels of the phrases of a line, in order; None if they do not cover it. `names` may be anywhere
        and are left out."""
        if len(text) > 2 * LONGEST:
            return None
        line = without_repeats(bare(text))
        if not 0 < len(line) <= LONGEST:
            return None
        called = [name for name in map(bare, names) if name]
        best: dict[int, tuple[int, tuple[str, ...]]] = {0: (0, ())}
        for at in range(len(line)):
            if at not in best:
                continue
            count, labels = best[at]
            for name in called:
                if line.startswith(name, at):
                    _keep(best, at + len(name), (count + 1, labels))
            for label, pattern in self._phrases:
                if pattern.match(line, at) is None:
                    continue
                for end in range(at + 1, len(line) + 1):
                    if pattern.fullmatch(line, at, end):
                        _keep(best, end, (count + 1, (*labels, label)))
        return best[len(line)][1] if len(line) in best else None


def _keep(best: dict[int, tuple[int, tuple[str, ...]]], end: int, cover: tuple[int, tuple[str, ...]]) -> None:
    if end not in best or cover[0] < best[end][0]:
        best[end] = cover
