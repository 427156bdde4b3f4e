"""Forms: what a line may look like as a whole, written over word classes and read as data. Pure.

    remind self? <when:time>* <title:%+>

is a form. It is made of names of word classes, groups `( | )`, the quantifiers `?`, `*` and `+`, `"字"`
for one word whatever its class, and `<slot:…>` for tokens that are kept under a name. `~` is any token
but one at the grammar's borders, `%` any but one at its hard borders: the words that change, take away,
ask and negate, so that what no form explains never slides into a title.

A form fits a line where it covers all of its tokens. Those of the classes that a grammar passes over
(courtesy, fillers) are left out first; a negation never is.

Tokens become letters, one for each set of classes, and forms become patterns over letters: a line is
compared with a form at the speed of the pattern machine, whatever its words are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from .lexicon import NEGATION, Lexicon
from .tokens import MARKS, Token

_PIECE: Final = re.compile(
    r'\s*(?:<(?P<slot>[a-z_]+):|"(?P<word>[^"]+)"|(?P<name>[a-z_]+)|(?P<free>[~%])|(?P<sign>[()|?*+>]))\s*'
)
_FIRST: Final = 0xE000
_MOST: Final = 6400
"""Letters are of the private use area, which no line is written in."""


class FormError(ValueError):
    """A form cannot be read; the text names it and what is wrong."""


_KEPT: Final = frozenset({NEGATION, "action"})


@dataclass(frozen=True, slots=True)
class Form:
    """One form, and what a line that fits it is read as. Of several that fit the greatest weight wins,
    then the first."""

    reads: str
    text: str
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Fit:
    """A form that fits; `slots` holds the tokens that each slot took, in order, where it took any."""

    form: Form
    slots: Mapping[str, tuple[Token, ...]]


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A name, a word or a free token."""

    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class _Many:
    """Alternatives of sequences, perhaps repeated, perhaps kept under a name."""

    ways: tuple[tuple[_Node, ...], ...]
    repeated: str = ""
    slot: str = ""


_Node = _Leaf | _Many


@dataclass
class _Alphabet:
    """The letters of the sets of classes that were met, and of the words that forms name."""

    words: frozenset[str]
    letters: dict[tuple[frozenset[str], str], str] = field(
        default_factory=dict[tuple[frozenset[str], str], str]
    )

    def letter(self, classes: frozenset[str], word: str = "") -> str:
        key = (classes, word if word in self.words else "")
        found = self.letters.get(key)
        if found is None:
            if len(self.letters) >= _MOST:
                raise FormError("more sets of word classes than letters")
            found = self.letters[key] = chr(_FIRST + len(self.letters))
        return found

    def having(self, name: str) -> str:
        return "".join(letter for (classes, _), letter in self.letters.items() if name in classes)

    def lacking(self, names: frozenset[str]) -> str:
        return "".join(letter for (classes, _), letter in self.letters.items() if names.isdisjoint(classes))

    def of_word(self, word: str) -> str:
        return "".join(letter for (_, said), letter in self.letters.items() if said == word)


@dataclass(frozen=True, slots=True)
class _Compiled:
    form: Form
    pattern: re.Pattern[str]
    needs: int
    """A bit for each set of letters of which every line that fits has one: looked at before the pattern."""


class Grammar:
    """Forms over one lexicon.

    `things` are the sets of classes of what is recognised and stands in no lexicon; `passes` the classes that
    a line is read without; `borders` and `hard_borders` those that `~` and `%` do not take (`~` neither).
    Raises `FormError` for a form that cannot be read or names an unknown class.
    """

    def __init__(
        self,
        forms: Iterable[Form],
        lexicon: Lexicon,
        *,
        things: Iterable[frozenset[str]] = (),
        passes: Iterable[str] = (),
        borders: Iterable[str] = (),
        hard_borders: Iterable[str] = (),
    ) -> None:
        self.forms = tuple(forms)
        self.passes = frozenset(passes)
        self._hard = frozenset(hard_borders)
        self._soft = self._hard | frozenset(borders)
        recognised = [*things, *MARKS]
        known = {*lexicon.classes, *(name for classes in recognised for name in classes)}
        for name in self.passes | self._soft:
            if name not in known:
                raise FormError(f"{name!r} is no word class")
        self._trees = [(form, _tree(form, known)) for form in self.forms]
        leaves = [leaf for _, tree in self._trees for leaf in _leaves(tree)]
        self._alphabet = _Alphabet(frozenset(leaf.value for leaf in leaves if leaf.kind == "word"))
        for word, classes in lexicon.words.items():
            self._alphabet.letter(classes, word)
        for classes in recognised:
            self._alphabet.letter(classes)
        self._size = 0
        self._compiled: tuple[_Compiled, ...] = ()
        self._serves: dict[str, int] = {}
        """By letter, which of the sets of letters that forms need it is in, a bit a set."""

    def fits(self, line: str, tokens: Sequence[Token]) -> tuple[Fit, ...]:
        """Every form that fits the whole of `tokens` (of `line`), best first.

        A blank is a pause where a form needs one, and nothing where none does.
        """
        found = self._fits(line, self._kept(tokens, blanks=True))
        if not found and any("blank" in token.classes for token in tokens):
            found = self._fits(line, self._kept(tokens, blanks=False))
        return found

    def passes_over(self, token: Token) -> bool:
        """Whether a line is read without a token. Never a negation, nor what may be done (还 in 还信用卡)."""
        return not self.passes.isdisjoint(token.classes) and token.classes.isdisjoint(_KEPT)

    def _kept(self, tokens: Sequence[Token], *, blanks: bool) -> list[Token]:
        """The tokens that are compared: none passed over, no pause at the ends, one where several are."""
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
        letters = "".join(self._alphabet.letter(each.classes, line[each.start : each.end]) for each in kept)
        if self._size != len(self._alphabet.letters):
            self._compile()
        present = 0
        for letter in letters:
            present |= self._serves.get(letter, 0)
        found: list[Fit] = []
        for each in self._compiled:
            if each.needs & ~present:
                continue
            match = each.pattern.fullmatch(letters)
            if match is not None:
                found.append(Fit(each.form, _slots(match, kept)))
        return tuple(sorted(found, key=lambda fit: -fit.form.weight))

    def _compile(self) -> None:
        """Patterns name the letters there are: they are made anew where a set of classes is met first."""
        self._size = len(self._alphabet.letters)
        compiled: list[_Compiled] = []
        bits: dict[frozenset[str], int] = {}
        for form, tree in self._trees:
            pattern = re.compile(self._pattern(tree, {}))
            needs = 0
            for letters in self._needed(tree):
                needs |= bits.setdefault(letters, 1 << len(bits))
            compiled.append(_Compiled(form, pattern, needs))
        self._compiled = tuple(compiled)
        self._serves = {}
        for letters, bit in bits.items():
            for letter in letters:
                self._serves[letter] = self._serves.get(letter, 0) | bit

    def _pattern(self, node: _Node, counts: dict[str, int]) -> str:
        if isinstance(node, _Leaf):
            letters = self._letters(node)
            return f"[{letters}]" if letters else "(?!)"
        ways = "|".join("".join(self._pattern(each, counts) for each in way) for way in node.ways)
        inner = f"(?:{ways}){node.repeated}"
        if not node.slot:
            return inner
        counts[node.slot] = counts.get(node.slot, 0) + 1
        return f"(?P<{node.slot}_{counts[node.slot]}>{inner})"

    def _letters(self, leaf: _Leaf) -> str:
        match leaf.kind:
            case "name":
                return self._alphabet.having(leaf.value)
            case "word":
                return self._alphabet.of_word(leaf.value)
            case _:
                return self._alphabet.lacking(self._soft if leaf.value == "~" else self._hard)

    def _needed(self, node: _Node) -> list[frozenset[str]]:
        if isinstance(node, _Leaf):
            return [] if node.kind == "free" else [frozenset(self._letters(node))]
        if node.repeated in ("?", "*"):
            return []
        ways = [[each for part in way for each in self._needed(part)] for way in node.ways]
        if len(ways) == 1:
            return ways[0]
        if not all(ways):
            return []
        return [frozenset(letter for way in ways for letter in min(way, key=len))]


def _tree(form: Form, known: set[str]) -> _Node:
    pieces = list(_pieces(form, known))
    tree, at = _sequence(form, pieces, 0, closing="")
    if at != len(pieces):
        raise FormError(f"{form.text!r}: closes what was not opened")
    return tree


def _pieces(form: Form, known: set[str]) -> Iterable[_Leaf]:
    at = 0
    while at < len(form.text):
        found = _PIECE.match(form.text, at)
        if found is None:
            raise FormError(f"{form.text!r}: not understood from {form.text[at:]!r} on")
        kind = str(found.lastgroup)
        if kind == "name" and found[kind] not in known:
            raise FormError(f"{form.text!r}: {found[kind]!r} is no word class")
        yield _Leaf(kind, found[kind])
        at = found.end()


def _sequence(
    form: Form, pieces: Sequence[_Leaf], at: int, *, closing: str, slot: str = ""
) -> tuple[_Many, int]:
    """Read alternatives up to what closes them; the node, and the place behind it."""
    ways: list[list[_Node]] = [[]]
    while at < len(pieces):
        piece = pieces[at]
        at += 1
        if piece == _Leaf("sign", closing) and closing:
            break
        if piece == _Leaf("sign", "|"):
            ways.append([])
            continue
        node: _Node = piece
        if piece.kind == "slot":
            node, at = _sequence(form, pieces, at, closing=">", slot=piece.value)
        elif piece == _Leaf("sign", "("):
            node, at = _sequence(form, pieces, at, closing=")")
        elif piece.kind == "sign":
            raise FormError(f"{form.text!r}: {piece.value!r} stands where it means nothing")
        if at < len(pieces) and pieces[at].kind == "sign" and pieces[at].value in "?*+":
            node = _repeated(node, pieces[at].value)
            at += 1
        ways[-1].append(node)
    else:
        if closing:
            raise FormError(f"{form.text!r}: {closing!r} is missing")
    return _Many(tuple(tuple(way) for way in ways), "", slot), at


def _repeated(node: _Node, quantifier: str) -> _Many:
    if isinstance(node, _Many) and not node.repeated:
        return _Many(node.ways, quantifier, node.slot)
    return _Many(((node,),), quantifier)


def _leaves(node: _Node) -> Iterable[_Leaf]:
    if isinstance(node, _Leaf):
        yield node
        return
    for way in node.ways:
        for each in way:
            yield from _leaves(each)


def _slots(match: re.Match[str], kept: Sequence[Token]) -> Mapping[str, tuple[Token, ...]]:
    found: dict[str, tuple[Token, ...]] = {}
    for group in match.re.groupindex:
        start, end = match.span(group)
        if end > start:
            name = group.rpartition("_")[0]
            found[name] = (*found.get(name, ()), *kept[start:end])
    return found
