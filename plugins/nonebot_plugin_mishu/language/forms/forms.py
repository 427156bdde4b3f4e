"""Forms: patterns of whole lines over word classes, read as data. Pure.

Example: remind self? <when:time>* <title:%+>

A form has names of word classes, groups `( | )`, the quantifiers `?`, `*` and `+`, `"字"` for one word of any
class, and `<slot:…>` for named tokens. `~` is any token but the grammar's borders, `%` any but its hard
borders: words of change, deletion, question and negation, which thus never slide into a title. A form fits if
it covers all tokens of a line. Classes that the grammar passes over (courtesy, fillers) are left out first; a
negation never is. Syntax and compilation are in `rows`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...patterns import Pattern, RowPattern
from ..lexicon import NEGATION, Lexicon
from ..text.tokens import MARKS, UNREAD, Token
from .rows import Alphabet, Form, FormError, LetterNeeds, leaves_of, pattern, tree_of

MOST: Final = 48
"""Most tokens of a clause compared with forms, without skipped ones: two free slots may be adjacent. A longer
clause is words only."""
_KEPT: Final = frozenset({NEGATION, "action"})


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitting form; `slots` holds the tokens of each slot, in order."""

    form: Form
    slots: Mapping[str, tuple[Token, ...]]


@dataclass(frozen=True, slots=True)
class _Compiled:
    form: Form
    pattern: Pattern
    needs: int
    """Bit mask of required letter sets, tested before the pattern."""


class Grammar:
    """Forms over one lexicon.

    `things` are the sets of classes of what is recognised and stands in no lexicon, `variants` those that
    words of the lexicon are given by what stands beside them: a set that is met first while reading has all
    forms compiled again, a fifth of a second. `passes` are the classes that a line is read without; `borders`
    and `hard_borders` those that `~` and `%` do not take (`~` neither).
    Raises `FormError` for a form that cannot be read or names an unknown class.
    """

    def __init__(
        self,
        forms: Iterable[Form],
        lexicon: Lexicon,
        *,
        things: Iterable[frozenset[str]] = (),
        variants: Iterable[frozenset[str]] = (),
        passes: Iterable[str] = (),
        borders: Iterable[str] = (),
        hard_borders: Iterable[str] = (),
    ) -> None:
        self.forms = tuple(forms)
        self.passes = frozenset(passes)
        self._hard = frozenset(hard_borders)
        self._soft = self._hard | frozenset(borders)
        recognised, variants = [*things, *MARKS], tuple(variants)
        known = {*lexicon.classes, *(name for classes in recognised for name in classes)}
        for name in self.passes | self._soft:
            if name not in known:
                raise FormError(f"{name!r} is no word class")
        self._trees = [(form, tree_of(form, known)) for form in self.forms]
        leaves = [leaf for _, tree in self._trees for leaf in leaves_of(tree)]
        self._alphabet = Alphabet(frozenset(leaf.value for leaf in leaves if leaf.kind == "word"))
        for word, classes in lexicon.words.items():
            self._alphabet.letter(classes, word)
        for classes in (*recognised, *variants):
            self._alphabet.letter(classes)
        for word in self._alphabet.words:
            for classes in (UNREAD, *variants):
                self._alphabet.letter(classes, word)
        self._size = 0
        self._compiled: tuple[_Compiled, ...] = ()
        self._needs = LetterNeeds()

    def fits(self, line: str, tokens: Sequence[Token]) -> tuple[Fit, ...]:
        """Forms that fit all of `tokens` (of `line`), best first. A blank is a pause if a form needs one,
        else nothing."""
        found = self._fits(line, self._kept(tokens, blanks=True))
        if not found and any("blank" in token.classes for token in tokens):
            found = self._fits(line, self._kept(tokens, blanks=False))
        return found

    def passes_over(self, token: Token) -> bool:
        """True for a token skipped in forms. Never a negation, nor a possible action (还 in 还信用卡)."""
        return not self.passes.isdisjoint(token.classes) and token.classes.isdisjoint(_KEPT)

    def _kept(self, tokens: Sequence[Token], *, blanks: bool) -> list[Token]:
        """Tokens to compare: none skipped, no pause at the ends, one for several."""
        kept: list[Token] = []
        for token in tokens:
            if self.passes_over(token) or (not blanks and "blank" in token.classes):
                continue
            if "pause" in token.classes and (not kept or "pause" in kept[-1].classes):
                continue
            kept.append(token)
        while kept and "pause" in kept[-1].classes:
            kept.pop()
        return kept

    def _fits(self, line: str, kept: Sequence[Token]) -> tuple[Fit, ...]:
        if len(kept) > MOST:
            return ()
        letters = "".join(self._alphabet.letter(each.classes, line[each.start : each.end]) for each in kept)
        self.made_ready()
        missing = ~self._needs.met(letters)
        found: list[Fit] = []
        for each in self._compiled:
            if each.needs & missing:
                continue
            match = each.pattern.fullmatch(letters)
            if match is not None:
                found.append(Fit(each.form, _slots(match, kept)))
        return tuple(sorted(found, key=lambda fit: -fit.form.weight))

    def made_ready(self) -> None:
        """Compile the forms' patterns ahead of the first line."""
        if self._size != len(self._alphabet.letters):
            self._compile()

    def _compile(self) -> None:
        """Patterns over the known letters: rebuilt for a new set of classes, compiled for a line that may
        fit."""
        self._size = len(self._alphabet.letters)
        compiled: list[_Compiled] = []
        needs = LetterNeeds()
        for form, tree in self._trees:
            found = RowPattern(pattern(tree, {}, self._alphabet, self._soft, self._hard))
            compiled.append(_Compiled(form, found, needs.of(tree, self._alphabet)))
        self._compiled = tuple(compiled)
        self._needs = needs


def _slots(match: re.Match[str], kept: Sequence[Token]) -> Mapping[str, tuple[Token, ...]]:
    found: dict[str, tuple[Token, ...]] = {}
    for group in match.re.groupindex:
        start, end = match.span(group)
        if end > start:
            name = group.rpartition("_")[0]
            found[name] = (*found.get(name, ()), *kept[start:end])
    return found
