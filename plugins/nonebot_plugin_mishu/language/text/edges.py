"""Matching of rows over word classes at the ends of a token sequence. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...patterns import Pattern
from ..forms.rows import Alphabet, Form, leaves_of, pattern, tree_of
from ..lexicon import Lexicon
from .tokens import MARKS, UNREAD, Token

REACH = 24
"""Most tokens of an end; bounds the cost of a line."""


class Edges:
    """Rows by name for the ends of a token sequence; no token is skipped."""

    def __init__(
        self,
        rows: Mapping[str, Sequence[str]],
        lexicon: Lexicon,
        *,
        things: Iterable[frozenset[str]] = (),
        variants: Iterable[frozenset[str]] = (),
    ) -> None:
        """`things` as of a grammar; `variants` are further sets of classes that words are given. A set that
        is met first while reading is learned then, which costs milliseconds.

        Raises `FormError` for a row that cannot be read or names an unknown class.
        """
        variants = tuple(variants)
        recognised = [*things, *MARKS]
        known = {*lexicon.classes, *(name for classes in recognised for name in classes)}
        self._trees = {
            name: [tree_of(Form(name, row), known) for row in texts] for name, texts in rows.items()
        }
        leaves = [leaf for trees in self._trees.values() for tree in trees for leaf in leaves_of(tree)]
        self._alphabet = Alphabet(frozenset(leaf.value for leaf in leaves if leaf.kind == "word"))
        recognised += list(variants)
        for classes in {*lexicon.words.values(), *recognised}:
            self._alphabet.letter(classes)
        for word in self._alphabet.words:
            for classes in {lexicon.words.get(word, UNREAD), *variants}:
                self._alphabet.letter(classes, word)
        self._size = -1
        self._patterns: dict[tuple[str, ...], tuple[Pattern, Pattern]] = {}

    def opens(self, line: str, tokens: Sequence[Token], names: tuple[str, ...]) -> int:
        """Number of leading tokens covered by rows of these names."""
        letters = self._letters(line, tokens[:REACH])
        found = self._compiled(names)[0].match(letters)
        return found.end() if found is not None else 0

    def closes(self, line: str, tokens: Sequence[Token], names: tuple[str, ...]) -> int:
        """Number of trailing tokens covered by rows of these names."""
        letters = self._letters(line, tokens[-REACH:])
        found = self._compiled(names)[1].search(letters)
        return len(letters) - found.start() if found is not None else 0

    def covers(self, line: str, tokens: Sequence[Token], name: str) -> bool:
        """True if a row of this name covers all tokens."""
        if len(tokens) > REACH:
            return False
        return self._compiled((name,))[0].fullmatch(self._letters(line, tokens)) is not None

    def _letters(self, line: str, tokens: Sequence[Token]) -> str:
        return "".join(self._alphabet.letter(each.classes, line[each.start : each.end]) for each in tokens)

    def _compiled(self, names: tuple[str, ...]) -> tuple[Pattern, Pattern]:
        if self._size != len(self._alphabet.letters):
            self._patterns.clear()
            self._size = len(self._alphabet.letters)
        found = self._patterns.get(names)
        if found is None:
            rows = "|".join(pattern(tree, {}, self._alphabet) for name in names for tree in self._trees[name])
            # A row that was taken is not read in another way: that costs time without end and finds nothing.
            found = self._patterns[names] = (Pattern(f"(?>{rows})+"), Pattern(f"(?>{rows})+$"))
        return found
