"""Syntax of rows over word classes, and their patterns over letters. Pure.

Tokens become letters, one for each set of classes, and rows become regular expressions over these letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from ...patterns import Pattern

_PIECE: Final = Pattern(
    r'\s*(?:<(?P<slot>[a-z_]+):|"(?P<word>[^"]+)"|(?P<name>[a-z_]+)|(?P<free>[~%])|(?P<sign>[()|?*+>]))\s*'
)
_FIRST: Final = 0xE000
_MOST: Final = 6400
"""Letters are of the private use area, which no line contains."""


class FormError(ValueError):
    """A row of a form cannot be read; the text names it and the fault."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form with its reading. Of several that fit the greatest weight wins, then the first."""

    reads: str
    text: str
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Leaf:
    """A name, a word or a free token."""

    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Many:
    """Alternatives of sequences, perhaps repeated or named."""

    ways: tuple[tuple[Node, ...], ...]
    repeated: str = ""
    slot: str = ""


Node = Leaf | Many


@dataclass
class Alphabet:
    """Letters of the sets of classes seen, and of the words named in forms."""

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


def tree_of(form: Form, known: set[str]) -> Node:
    """Row as a tree; `known` are all classes. Raises `FormError`."""
    pieces = list(_pieces(form, known))
    tree, at = _sequence(form, pieces, 0, closing="")
    if at != len(pieces):
        raise FormError(f"{form.text!r}: closes what was not opened")
    return tree


def _pieces(form: Form, known: set[str]) -> Iterable[Leaf]:
    at = 0
    while at < len(form.text):
        found = _PIECE.match(form.text, at)
        if found is None:
            raise FormError(f"{form.text!r}: not understood from {form.text[at:]!r} on")
        kind = str(found.lastgroup)
        if kind == "name" and found[kind] not in known:
            raise FormError(f"{form.text!r}: {found[kind]!r} is no word class")
        yield Leaf(kind, found[kind])
        at = found.end()


def _sequence(
    form: Form, pieces: Sequence[Leaf], at: int, *, closing: str, slot: str = ""
) -> tuple[Many, int]:
    """Parse alternatives up to their end; the node, and the next place."""
    ways: list[list[Node]] = [[]]
    while at < len(pieces):
        piece = pieces[at]
        at += 1
        if piece == Leaf("sign", closing) and closing:
            break
        if piece == Leaf("sign", "|"):
            ways.append([])
            continue
        node: Node = piece
        if piece.kind == "slot":
            node, at = _sequence(form, pieces, at, closing=">", slot=piece.value)
        elif piece == Leaf("sign", "("):
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
    return Many(tuple(tuple(way) for way in ways), "", slot), at


def _repeated(node: Node, quantifier: str) -> Many:
    if isinstance(node, Many) and not node.repeated:
        return Many(node.ways, quantifier, node.slot)
    return Many(((node,),), quantifier)


def leaves_of(node: Node) -> Iterable[Leaf]:
    """Every leaf of a tree, in order."""
    if isinstance(node, Leaf):
        yield node
        return
    for way in node.ways:
        for each in way:
            yield from leaves_of(each)


def pattern(
    node: Node,
    counts: dict[str, int],
    alphabet: Alphabet,
    soft: frozenset[str] = frozenset(),
    hard: frozenset[str] = frozenset(),
) -> str:
    """Pattern over letters; slots become groups, numbered if repeated (`counts`). `soft` and `hard` are the
    classes excluded from `~` and `%`."""
    if isinstance(node, Leaf):
        return _any_of(letters_of(node, alphabet, soft, hard))
    parts: list[str] = []
    single: str | None = None
    taken: set[str] = set()
    for way in _ways(node):
        # What one way takes no later one needs to: a word in two ways would make a repeat's ways countless.
        letters = _single(way, alphabet, soft, hard)
        if letters is None:
            single = None
            parts.append("".join(pattern(each, counts, alphabet, soft, hard) for each in way))
            continue
        letters = "".join(letter for letter in letters if letter not in taken)
        taken.update(letters)
        slot = _slot_of(way)
        if slot:
            single = None
            parts.append(f"(?P<{_group(slot, counts)}>{_any_of(letters)})")
        elif single is None:
            single = letters
            parts.append(_any_of(single))
        else:
            single += letters
            parts[-1] = _any_of(single)
    inner = f"(?:{'|'.join(parts)}){node.repeated}"
    return f"(?P<{_group(node.slot, counts)}>{inner})" if node.slot else inner


def _any_of(letters: str) -> str:
    return f"[{letters}]" if letters else "(?!)"


def _group(slot: str, counts: dict[str, int]) -> str:
    counts[slot] = counts.get(slot, 0) + 1
    return f"{slot}_{counts[slot]}"


def _ways(node: Many) -> Iterable[tuple[Node, ...]]:
    """The ways of a node, and those of the alternatives that a way of it is."""
    for way in node.ways:
        if len(way) == 1 and isinstance(way[0], Many) and not way[0].repeated and not way[0].slot:
            yield from _ways(way[0])
        else:
            yield way


def _slot_of(way: tuple[Node, ...]) -> str:
    return way[0].slot if isinstance(way[0], Many) else ""


def _single(
    way: tuple[Node, ...], alphabet: Alphabet, soft: frozenset[str], hard: frozenset[str]
) -> str | None:
    """The letters of a way that takes one token, kept in one slot or none; None of any other."""
    if len(way) != 1:
        return None
    node = way[0]
    if isinstance(node, Leaf):
        return letters_of(node, alphabet, soft, hard)
    if node.repeated:
        return None
    found: dict[str, None] = {}
    for inner in _ways(node):
        letters = None if _slot_of(inner) else _single(inner, alphabet, soft, hard)
        if letters is None:
            return None
        found.update(dict.fromkeys(letters))
    return "".join(found)


def letters_of(
    leaf: Leaf, alphabet: Alphabet, soft: frozenset[str] = frozenset(), hard: frozenset[str] = frozenset()
) -> str:
    """The letters that a leaf takes."""
    match leaf.kind:
        case "name":
            return alphabet.having(leaf.value)
        case "word":
            return alphabet.of_word(leaf.value)
        case _:
            return alphabet.lacking(soft if leaf.value == "~" else hard)


class LetterNeeds:
    """Letters required by rows, tested before a row's pattern.

    A set of letters of which every match has one is a bit; a row's needs are the bits of its sets.
    """

    __slots__ = ("_bits", "_serves")

    def __init__(self) -> None:
        self._bits: dict[frozenset[str], int] = {}
        self._serves: dict[str, int] = {}
        """By letter, the sets that it is in."""

    def of(self, tree: Node, alphabet: Alphabet) -> int:
        """Needs of a row; 0 if it may match anything."""
        needs = 0
        for letters in _needed(tree, alphabet):
            bit = self._bits.get(letters)
            if bit is None:
                bit = self._bits[letters] = 1 << len(self._bits)
                for letter in letters:
                    self._serves[letter] = self._serves.get(letter, 0) | bit
            needs |= bit
        return needs

    def met(self, letters: str) -> int:
        """Sets with a letter in the line: a row may match if it needs no others."""
        present = 0
        for letter in set(letters):
            present |= self._serves.get(letter, 0)
        return present


def _needed(node: Node, alphabet: Alphabet) -> list[frozenset[str]]:
    if isinstance(node, Leaf):
        return [] if node.kind == "free" else [frozenset(letters_of(node, alphabet))]
    if node.repeated in ("?", "*"):
        return []
    ways = [[each for part in way for each in _needed(part, alphabet)] for way in node.ways]
    if len(ways) == 1:
        return ways[0]
    if not all(ways):
        return []
    return [frozenset(letter for way in ways for letter in min(way, key=len))]
