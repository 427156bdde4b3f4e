"""Corrections of payer and sharers of an open card, by the rows of `anew.toml`. Pure.

啊不是 是老K付的      老K paid it
不是阿紫 是老K        老K replaces 阿紫
糖糖也算              糖糖 shares it as well
不算我                the speaker does not
就我和阿紫分          those two alone do
就我俩分              two do, the speaker one of them
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..text.fold import normalise
from ..text.tokens import Token
from .pieces import ANEW, EntryPiece, pieces, words_in
from .shares.people import Name, counted, inside, name_of

_LONGEST: Final = 40
"""Characters of a line that says so."""
_SILENT: Final = frozenset({"filler", "blank", "pause", "stop", "mark", "lately", "denied", "wrong", "is"})
_DENIES: Final = frozenset({"denied", "not", "wrong"})
_SELF: Final = "不是我"
"""One word of the ledger's, beside 不是."""


@dataclass(frozen=True, slots=True)
class Anew:
    """Corrected payer or sharers of an open card, with nothing beside it."""

    payer: Name | None = None
    old: Name | None = None
    """Name replaced by `new`."""
    new: Name | None = None
    pays: bool = False
    """`new` stands for `old` as the payer, in words (门票其实是老K付的 不是我)."""
    joins: tuple[Name, ...] = ()
    leaves: tuple[Name, ...] = ()
    only: tuple[Name, ...] = ()
    count: int | None = None
    """Number of unnamed sharers, with the speaker (就我俩分)."""
    thing: str = ""
    """Words before the payer that may be a bill's name (停车是老K付的)."""


def anew(text: str, names: Mapping[str, tuple[str, ...]]) -> Anew | None:
    """Correction of payer or sharers in a whole line; None for every other line. `names` are the people on
    the card and in the group, with ids. Never raises."""
    line = normalise(text).strip(" 。.!~").lower()
    if not line or len(line) > _LONGEST:
        return None
    read = words_in(line, (), names)
    for piece in pieces(read, line, ANEW):
        if _covers(read, piece) and not _is_denied(read, piece):
            return _said(read, piece, line)
    return None


def stays_out(text: str) -> str | None:
    """The words by which a line names a bill that its speaker does not share (火锅我没吃 别算我, 打车不算我);
    empty where it names none (别算我), None for every other line. Never raises."""
    line = normalise(text).strip(" 。.!~").lower()
    if not line or len(line) > _LONGEST:
        return None
    read = words_in(line, (), {})
    out = [
        piece
        for piece in pieces(read, line, ANEW)
        if (said := _said(read, piece, line)) is not None
        and said.leaves
        and all(each.me for each in said.leaves)
    ]
    spans = [(piece.start, piece.end) for piece in out]
    within = [token for token in read if inside(token, spans)]
    counts = [line[token.start : token.end] for token in within if not token.classes.isdisjoint(_UNCOUNTED)]
    left = [token for token in read if not inside(token, spans) and token.classes.isdisjoint(_SILENT)]
    if not counts or any("self" in token.classes for token in left):
        return None
    named = "".join(line[token.start : token.end] for token in left).strip("的那这顿笔个")
    return named if named or not _UNJOINED.issuperset(counts) else None


_UNCOUNTED: Final = frozenset({"leaves", "uncounted"})
"""Exclusions from amounts only: 没吃 and 不来 alone have other meanings."""
_UNJOINED: Final = frozenset({"不参加", "没参加", "不参与", "没参与"})
"""我不参加 alone is about a plan."""


def only_underlines(text: str) -> bool:
    """True for a part that excludes again the person named before it, or is empty (老K没打 不算他)."""
    return _is_all(
        text, _SILENT | {"leaves", "uncounted", "absent", "gone", "not", "other", "self", "records"}
    )


def says_nothing(text: str) -> bool:
    """True for a part of fillers only (哦对, 不对)."""
    return _is_all(text, _SILENT)


def _is_all(text: str, classes: frozenset[str]) -> bool:
    line = normalise(text).lower()
    return all(not token.classes.isdisjoint(classes) for token in words_in(line, (), {}))


def _covers(read: Sequence[Token], piece: EntryPiece) -> bool:
    """True if nothing but fillers is left, and no denial behind the piece."""
    left = [token for token in read if not inside(token, [(piece.start, piece.end)])]
    silent = all(not token.classes.isdisjoint(_SILENT) for token in left)
    return silent and all(token.classes.isdisjoint(_DENIES) for token in left if token.start >= piece.end)


def _is_denied(read: Sequence[Token], piece: EntryPiece) -> bool:
    """Denial directly before, without a leading 是: 不是老K付的."""
    first = next(token for token in read if token.start == piece.start)
    before = [token for token in read if token.end == piece.start]
    return "is" not in first.classes and any(not each.classes.isdisjoint(_DENIES) for each in before)


def _thing(read: Sequence[Token], piece: EntryPiece, line: str, slot: str = "payer") -> str:
    """The words before who paid, without those that only point."""
    before = [each for each in read if piece.start <= each.start < piece.slots[slot][0].start]
    kept = [each for each in before if each.classes.isdisjoint(_SILENT | {"that", "of", "who_paid"})]
    return line[kept[0].start : kept[-1].end] if kept else ""


def _said(read: Sequence[Token], piece: EntryPiece, line: str) -> Anew | None:
    def named(slot: str) -> tuple[Name, ...]:
        found: list[Name] = []
        for token in piece.slots.get(slot, ()):
            if token.classes.isdisjoint({"member", "nick", "role", "self"}):
                if line[token.start : token.end] != _SELF:
                    continue
                found.append(Name("我", (), True))
            else:
                found.append(name_of(token, line))
        return tuple(found)

    who = named("who")
    match piece.reads:
        case "payer":
            return Anew(payer=named("payer")[0], thing=_thing(read, piece, line))
        case "instead":
            within = [token for token in read if inside(token, [(piece.start, piece.end)])]
            pays = any(not token.classes.isdisjoint({"pay", "advance", "paid_for"}) for token in within)
            first = "new" if piece.slots["new"][0].start < piece.slots["old"][0].start else "old"
            thing = _thing(read, piece, line, first) if pays else ""
            return Anew(old=named("old")[0], new=named("new")[0], pays=pays, thing=thing)
        case "joins":
            return Anew(joins=who)
        case "leaves":
            return Anew(leaves=who)
        case _:
            within = [token for token in read if inside(token, [(piece.start, piece.end)])]
            count, _ = counted(within, line)
            if len(who) > 1:
                return Anew(only=who, count=count)
            return Anew(count=count) if count is not None and all(each.me for each in who) else None
