"""Pieces of a line about money: the rows of `pieces.toml`, found wherever they stand. Pure.

As in `forms`, tokens become letters and rows patterns over them; here a row need not cover the whole line.
Of pieces that overlap the longest stands, then the one whose row is written first.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from ...patterns import Pattern
from ..forms.rows import Alphabet, Form, LetterNeeds, Node, pattern, tree_of
from ..lexicon import Lexicon
from ..recognise.money import Amount
from ..text.tokens import MARKS, UNREAD, Thing, Token, tokens

HERE: Final = Path(__file__).parent
PIECES: Final = "pieces"
GIVINGS: Final = "givings"
ASKINGS: Final = "askings"
ANEW: Final = "anew"
BILLS: Final = "bills"
"""The tables of rows: who paid and shares, money handed over, questions, who paid and shares what is on a
card, one bill that is even. Each is read by itself."""
LONGEST: Final = 200
"""Characters of a line in which pieces are looked for."""
_KEYS: Final = frozenset({"reads", "row", "say"})
_THINGS: Final = tuple(
    frozenset(each)
    for each in (
        {"amount"},
        {"member"},
        {"nick"},
        {"count"},
        {"few_of"},
        {"portion"},
        {"ratio"},
        {"weight"},
        {"stayed"},
        {"numeral"},
        {"time"},
    )
)
_NUMBER: Final = "[2-9]|[1-9][0-9]{1,2}|[两二三四五六七八九十][一二三四五六七八九十]{0,2}"
Names = Mapping[str, tuple[str, ...]]
"""Members' names, in lower case, with their ids."""
SPEAKER: Final = "我"
"""Id of the speaker among names: 小雅六成 said by 小雅 is 我六成."""
_COUNT: Final = (
    f"(?:一共|总共|共|连我|就)?(?:(?:{_NUMBER})(?:个人|人(?![民均次])|位|口人)"
    f"|(?:{_NUMBER})家(?=(?:一起|一块)?(?:[平均]?[分摊](?![店号行公校部])|a|凑))|(?<=[们咱])(?:{_NUMBER})家"
    "|(?<=[们我咱共])[俩仨]|[俩仨](?=[平均分摊a对凑,， ]|$)|[俩仨]个?人)"
)
_FEW: Final = (
    "几(?:个人|个|位)?(?=[^月天次斤件块元年]|$)|(?:[二两三四五六七八九十]|[2-9])个(?![月小半块人元])"
)
_PORTION: Final = (
    "[一二三四五六七八九1-9]成(?![都天员本绩功])|(?<!人)一半|[二三四五六七八九十]分之[一二三四五六七八九]"
)
_PARTS: Final = "一二三四五六七八九1-9"
_TEN: Final = "六四|四六|七三|三七|八二|二八|九一|一九"
_BARE: Final = f"(?<![0-9{_PARTS}十百千第了花付共钱价元块])(?:{_TEN})(?=[ ,，。;；]|$)"
"""A ratio of ten alone (我和阿凯六四 他六)."""
_RATIO: Final = (
    f"[{_PARTS}]{{2}}开(?![始会门车])|(?:{_TEN})(?:分成|分账|分)(?![钟店])|{_BARE}|[{_PARTS}]比[{_PARTS}](?:比[{_PARTS}])*分?"
    "|(?<![0-9:.])[1-9](?: ?: ?[1-9])+(?![0-9:.])"
)
_WEIGHT: Final = f"[两{_PARTS}]份(?![子额礼])"
_STAYED: Final = f"(?:[1-9][0-9]?|[两{_PARTS}十])(?:个?晚上?|夜|天|场|小时)(?![前后内之左以多来])"
"""Nights and the like, by which a bill may be divided (我住3晚 小雅住1晚)."""
_NUMERAL: Final = f"(?<![第初十周期拜])[{_PARTS}](?=[ ,，、。我他她]|$)"
"""A bare numeral behind a name (我三 小雅二 月月一)."""
_NO_NICK: Final = "[时费区家是师板婆公吃票伙组朋孩姐哥妹弟爷店超卖份部龙面米菜说人头地样外房]"
_NICK: Final = (
    f"[小老阿](?!{_NO_NICK})[一-鿿]|[一-鿿](?:哥(?!哥)|姐(?![姐夫妹])|总(?![共计是的额])|叔(?!叔)|师傅)"
)
_RECOGNISED: Final = tuple(
    (kind, Pattern(said))
    for kind, said in (
        ("count", _COUNT),
        ("few_of", _FEW),
        ("portion", _PORTION),
        ("ratio", _RATIO),
        ("weight", _WEIGHT),
        ("stayed", _STAYED),
        ("numeral", _NUMERAL),
        ("nick", _NICK),
    )
)


@dataclass(frozen=True, slots=True)
class PieceRow:
    """One row, with the example that is its test: the words of its slots are `slots`."""

    reads: str
    text: str
    say: str
    slots: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class EntryPiece:
    """A stretch of a line that a row fits. `slots` holds the tokens each slot took, in order."""

    reads: str
    start: int
    end: int
    slots: Mapping[str, tuple[Token, ...]]


@cache
def ledger_words() -> Lexicon:
    """Words of `words.toml`, each with all its classes."""
    return lexicon_of(tomllib.loads((HERE / "words.toml").read_text("utf-8")))


def lexicon_of(table: Mapping[str, str]) -> Lexicon:
    """Lexicon of a table of classes, each word with all its classes."""
    words: dict[str, frozenset[str]] = {}
    for name, listed in table.items():
        for word in listed.split():
            words[word] = words.get(word, frozenset()) | {name}
    lengths: dict[str, set[int]] = {}
    for word in words:
        lengths.setdefault(word[0], set()).add(len(word))
    starts = {first: tuple(sorted(found, reverse=True)) for first, found in lengths.items()}
    return Lexicon(words, dict.fromkeys(table, ""), starts)


@cache
def piece_rows(table_name: str = PIECES) -> tuple[PieceRow, ...]:
    """The rows of a table, in the order in which they are written."""
    table = tomllib.loads((HERE / f"{table_name}.toml").read_text("utf-8"))
    named: Mapping[str, str] = table["let"]
    return tuple(
        PieceRow(
            row["reads"],
            _filled(row["row"], named),
            row["say"],
            {name: said for name, said in row.items() if name not in _KEYS},
        )
        for row in table["piece"]
    )


def words_in(
    line: str, amounts: Sequence[Amount], names: Names, times: Iterable[tuple[int, int]] = ()
) -> tuple[Token, ...]:
    """A line in its one form and in lower case as words. `names` are what members are called here, with the
    ids of those who are called so."""
    return _words(line, tuple(amounts), tuple(names.items()), tuple(times))


@lru_cache(maxsize=256)
def _words(
    line: str,
    amounts: tuple[Amount, ...],
    names: tuple[tuple[str, tuple[str, ...]], ...],
    times: tuple[tuple[int, int], ...],
) -> tuple[Token, ...]:
    """Remembered for a moment: who shares and what is put right are read of the same words."""
    return tokens(line, ledger_words(), list(_things(line, amounts, dict(names), times)))


@lru_cache(maxsize=256)
def pieces(line: tuple[Token, ...], text: str, table_name: str = PIECES) -> tuple[EntryPiece, ...]:
    """The pieces in the words of `text`, in order, by the rows of one table."""
    machine = _machine(table_name)
    kept = list(line)
    letters = "".join(machine.alphabet.letter(each.classes, text[each.start : each.end]) for each in kept)
    found: list[tuple[int, int, int, EntryPiece]] = []
    rows = machine.rows()
    missing = ~machine.needs.met(letters)
    for place, (row, compiled, needs) in enumerate(rows):
        if needs & missing:
            continue
        for match in compiled.finditer(letters):
            first, last = match.span()
            if first == last:
                continue
            slots = _slots(match, kept)
            found.append(
                (first, last, place, EntryPiece(row.reads, kept[first].start, kept[last - 1].end, slots))
            )
    chosen: list[tuple[int, int, EntryPiece]] = []
    for first, last, _, piece in sorted(found, key=lambda one: (one[0] - one[1], one[2], one[0])):
        if all(last <= begin or end <= first for begin, end, _ in chosen):
            chosen.append((first, last, piece))
    return tuple(piece for _, _, piece in sorted(chosen, key=lambda one: one[0]))


@dataclass
class _Machine:
    """The rows compiled over the letters there are; anew where a set of classes is met first."""

    trees: tuple[tuple[PieceRow, Node], ...]
    alphabet: Alphabet
    size: int = 0
    compiled: tuple[tuple[PieceRow, Pattern, int], ...] = ()
    needs: LetterNeeds = field(default_factory=LetterNeeds)

    def rows(self) -> tuple[tuple[PieceRow, Pattern, int], ...]:
        """Each row, its pattern, and which letters it cannot do without."""
        if self.size != len(self.alphabet.letters):
            self.size = len(self.alphabet.letters)
            needs = self.needs = LetterNeeds()
            self.compiled = tuple(
                (row, Pattern(pattern(tree, {}, self.alphabet)), needs.of(tree, self.alphabet))
                for row, tree in self.trees
            )
        return self.compiled


@cache
def _machine(table_name: str) -> _Machine:
    words = ledger_words()
    recognised = [*_THINGS, *MARKS]
    known = {*words.classes, *(name for classes in recognised for name in classes)}
    trees = tuple((row, tree_of(Form(row.reads, row.text), known)) for row in piece_rows(table_name))
    alphabet = Alphabet(frozenset(re.findall('"([^"]+)"', " ".join(row.text for row, _ in trees))))
    for word, classes in words.words.items():
        alphabet.letter(classes, word)
    for classes in recognised:
        alphabet.letter(classes)
    for word in alphabet.words:
        alphabet.letter(UNREAD, word)
    return _Machine(trees, alphabet)


def _filled(row: str, named: Mapping[str, str]) -> str:
    for name in sorted(named, key=len, reverse=True):
        row = row.replace(f"${name}", named[name])
    return row


def _things(
    line: str, amounts: Sequence[Amount], names: Names, times: Iterable[tuple[int, int]]
) -> Iterable[Thing]:
    yield from (Thing(each.start, each.end, frozenset({"amount"}), each) for each in amounts)
    yield from (Thing(start, end, frozenset({"time"})) for start, end in times)
    for name, ids in names.items():
        at = line.find(name)
        while at >= 0:
            first = at - 1 if line[at - 1 : at] == "@" and at else at
            yield Thing(first, at + len(name), frozenset({"self" if ids == (SPEAKER,) else "member"}), ids)
            at = line.find(name, at + len(name))
    taken = [(each.start, each.end) for each in amounts]
    for kind, recognised in _RECOGNISED:
        for found in recognised.finditer(line):
            if kind == "nick" and any(found[0] in name for name in names):
                continue
            if all(found.end() <= start or end <= found.start() for start, end in taken):
                yield Thing(*found.span(), frozenset({kind}), found[0])


def _slots(match: re.Match[str], kept: Sequence[Token]) -> Mapping[str, tuple[Token, ...]]:
    found: dict[str, tuple[Token, ...]] = {}
    for group in match.re.groupindex:
        start, end = match.span(group)
        if end > start:
            name = group.rpartition("_")[0]
            found[name] = (*found.get(name, ()), *kept[start:end])
    return found
