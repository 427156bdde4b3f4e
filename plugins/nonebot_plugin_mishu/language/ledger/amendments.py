"""Corrections of earlier records: amount, sharers, payer, a waived part. Pure.

奶茶不是18，是16        amount 18 becomes 16, of the record 奶茶
打错了应该是38          the last amount is 38
少记了5块              the last amount plus 5
不是我付的 是小雅      小雅 paid the last record
那三百是三个人的        the record of 300 is shared
石头那份算了 我请他     the part of 石头 is waived
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from ..recognise.money import Amount
from ..recognise.numerals import parse_integer
from ..text.tokens import Token
from .pieces import LONGEST, EntryPiece, pieces, words_in
from .shares.differences import Difference, difference
from .shares.people import Name, name_of

_SILENT: Final = frozenset(
    {"filler", "blank", "pause", "stop", "that", "is", "wrong", "denied", "lately", "mark", "self", "of"}
)
_WEIGHED: Final = frozenset({"corrected", "pointed", "waived", "filled", "undone", "payer"})


@dataclass(frozen=True, slots=True)
class Amendment:
    """A correction of a record. All amounts are in yuan, as in `find_amounts`."""

    old: Amount | None = None
    """The sum of the record that is meant."""
    new: Amount | None = None
    """Corrected amount."""
    name: str = ""
    """The words before, that may be a record's name; empty where nothing is named."""
    thing: str = ""
    """What is named before the corrected sum, behind a word of correcting (错了停车是35)."""
    waived: Name | None = None
    """Person whose part is waived."""
    removed: bool = False
    """Record to be deleted."""
    count: int | None = None
    """Number of latest records to delete (撤回刚才四笔)."""
    filled: tuple[Name, ...] = ()
    """Names for sharers so far only counted (没记名的两份是阿明和阿ken)."""
    off: Difference | None = None
    """Difference to the amount (少记了5块)."""
    payer: Name | None = None
    """Corrected payer (不是我付的 是小雅)."""
    whole: bool = False
    """Nothing in the line is left unread but a name before: it can be nothing else."""


def amendment(line: str, amounts: Sequence[Amount], names: Mapping[str, tuple[str, ...]]) -> Amendment | None:
    """Correction of a record in a normalised line; None if none."""
    text = line.lower() if len(line.lower()) == len(line) else line
    if len(text) > LONGEST:
        return None
    read = words_in(text, amounts, names, ())
    off = difference(text, amounts)
    said = pieces(read, text)
    found = [piece for piece in said if piece.reads in _WEIGHED]
    if off is None and not found:
        return _paid_by(read, said, text) if not amounts else None
    piece = found[0] if off is None else EntryPiece("off", off.start, off.end, {})
    name = _before(read, piece, text)
    rest = [token for token in read if token.start >= piece.end and token.classes.isdisjoint(_SILENT)]
    if off is not None:
        return Amendment(name=name, off=off, whole=not rest)
    if piece.reads == "payer":
        who = _whom(piece.slots["payer"], text)
        return Amendment(name=name, payer=who, whole=not rest) if not amounts else None
    if piece.reads == "waived":
        who = name_of(piece.slots["who"][0], text)
        thing = piece.slots.get("thing", ())
        name = text[thing[0].start : thing[-1].end] if thing else name
        return Amendment(waived=who, name=name, whole=not rest and (bool(thing) or not name))
    old, new = _sum(piece, "old"), _sum(piece, "new")
    if piece.reads == "undone":
        return Amendment(count=_number(piece, text), removed=True, whole=not rest and not name)
    if piece.reads == "filled":
        who = tuple(name_of(token, text) for token in piece.slots["who"])
        return Amendment(old, filled=who, name=name, whole=not rest)
    others = [each for each in amounts if each not in (old, new)]
    removed = "gone" in piece.slots
    said_of = piece.slots.get("thing", ())
    thing = text[said_of[0].start : said_of[-1].end] if said_of else ""
    whole = not rest and not others
    return Amendment(old, new, thing or name, thing, removed=removed, whole=whole)


@dataclass(frozen=True, slots=True)
class Redone:
    """A record deleted and recorded again in one line: reference to the old one, and the new words."""

    old: str
    new: str


def redone(line: str, amounts: Sequence[Amount]) -> Redone | None:
    """Deletion with a new record (门票480撤了 重新记 门票480我垫的); None for every other line."""
    text = line.lower() if len(line.lower()) == len(line) else line
    if len(text) > LONGEST:
        return None
    found = [piece for piece in pieces(words_in(text, amounts, {}, ()), text) if piece.reads == "redone"]
    if len(found) != 1:
        return None
    old, new = line[: found[0].start].strip(" ,，。"), line[found[0].end :].strip(" ,，。:：")
    return Redone(old, new) if new else None


def marked(line: str, amounts: Sequence[Amount]) -> frozenset[str]:
    """Further features of the record meant: `repeated` (记重了) or `undivided` (没有AA的那笔)."""
    text = line.lower() if len(line.lower()) == len(line) else line
    if len(text) > LONGEST:
        return frozenset()
    read = words_in(text, amounts, {}, ())
    return frozenset(name for name in ("repeated", "undivided") if any(name in each.classes for each in read))


def named_with_sum(line: str, amounts: Sequence[Amount], names: Mapping[str, tuple[str, ...]]) -> str:
    """Words for a thing directly before the first sum of a normalised line (蛋糕 of 蛋糕168, 停车费 of
    停车费是30); empty where there are none."""
    text = line.lower() if len(line.lower()) == len(line) else line
    if not amounts or len(text) > LONGEST:
        return ""
    before = [each for each in words_in(text, amounts, names, ()) if each.end <= amounts[0].start]
    while before and not before[-1].classes.isdisjoint(_BESIDE_SUM):
        before.pop()
    end = before[-1].end if before else 0
    start = end
    while before and not before[-1].classes.isdisjoint(_THINGS):
        start = before.pop().start
    return text[start:end] if end - start > 1 else ""


_BESIDE_SUM: Final = frozenset({"filler", "blank", "lately", "is", "of", "sum_word"})
_THINGS: Final = frozenset({"unread", "deed", "due", "spent_on", "plain"})


def left_out(line: str, names: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Named people excluded from a record (药水那笔把小雅去掉; 门票那笔小雅没去)."""
    text = line.lower()
    found = tuple(
        name
        for name in names
        if re.search(f"{re.escape(name)}{_LEAVES}|{_WITHOUT}@?{re.escape(name)}(?!的)", text) is not None
    )
    if not found and len(names) == 1 and (said := re.search(f"{_WITHOUT}[他她](?![们的])", text)) is not None:
        return tuple(name for name in names if text.find(name) < said.start())  # 老周不喝酒 啤酒不算他
    return found


_LEAVES: Final = (
    "(?:从[^,，。]{0,6}里面?|那份|的份|那一份|也|就|都|给|是|他|她| )*"
    "(?:去掉|除掉|剔除|剔掉|踢掉|踢了|踢出去?|删掉|删了|拿掉|划掉|摘掉|摘出去|不算|别算|没去|没来|没吃|没喝|没玩|没份|没有份|不参加|没参加|不参与|没参与|退出)"
)
_WITHOUT: Final = "(?:去掉|除掉|剔除|踢掉|拿掉|划掉|不算|别算|除了|除去|去除)(?:了|上)?"


def _number(piece: EntryPiece, text: str) -> int | None:
    said = piece.slots["records"][0]
    return parse_integer(text[said.start : said.end - 1])


def _paid_by(read: Sequence[Token], said: Sequence[EntryPiece], text: str) -> Amendment | None:
    """其实是小雅付的: all of a line says who paid, and no sum."""
    paid = [piece for piece in said if piece.reads == "paid"]
    if len(said) != 1 or len(paid) != 1 or "payer" not in paid[0].slots:
        return None
    first = next(token for token in read if token.start == paid[0].start)
    left = [token for token in read if not paid[0].start <= token.start < paid[0].end]
    if "is" not in first.classes or any(token.classes.isdisjoint(_SILENT) for token in left):
        return None
    who = name_of(paid[0].slots["payer"][0], text)
    return None if who.me else Amendment(payer=who, whole=True)


def _whom(said: Sequence[Token], text: str) -> Name:
    """Name in some words, also of an unknown member."""
    if len(said) == 1:
        return name_of(said[0], text)
    return Name(text[said[0].start : said[-1].end])


def _before(read: Sequence[Token], piece: EntryPiece, text: str) -> str:
    """Words before a piece as a record's name: without an amount."""
    before = [token for token in read if token.end <= piece.start]
    while before and not before[-1].classes.isdisjoint(_SILENT):
        before.pop()
    while before and not before[0].classes.isdisjoint(_SILENT):
        before.pop(0)
    if not before or any("amount" in token.classes or "pause" in token.classes for token in before):
        return ""
    return text[before[0].start : before[-1].end].strip()


def _sum(piece: EntryPiece, slot: str) -> Amount | None:
    said = piece.slots.get(slot, ())
    return cast("Amount", said[0].value) if said else None


_MINE: Final = ("我出", "我来出", "我付", "我来付", "我掏", "我包", "我请", "我给", "算我", "我承担")


def takes_over(text: str) -> bool:
    """True if the speaker bears somebody's part (阿凯那份我出); else the part is waived (石头那份算了)."""
    return any(word in text for word in _MINE)
