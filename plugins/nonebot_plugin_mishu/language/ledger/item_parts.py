"""The stretches of a line about several items of which each says who paid or shares it. Pure.

密室330我出的 打车60老猫出的 三个人分: of 密室 the speaker paid, of 打车 老猫, and three share both. Where
one thing is said of all items (打车60 晚饭80 都是老猫付的), the line has no such stretches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ...patterns import Pattern
from ..clause import Mention
from ..recognise.identifiers import mask_identifiers
from ..recognise.members import names_in, sums_beside
from ..text.fold import normalise
from .pieces import LONGEST, words_in
from .shares.division import Division, divided, pieces_of_bill, tells_shared
from .shares.people import Name

_BREAK: Final = Pattern("[;；。!！\n]+|[,，、]+|[ \t]+")
_PAYS: Final = frozenset({"paid", "treated"})
_SPLITS: Final = frozenset({"split", "apart", "count", "several"})
_STRONG: Final = ";；。!！\n"
_MIDDLE: Final = ",，、"
_LED_IN: Final = " 了的:："
"""Between who paid and a sum (机票阿笙付了 140)."""


@dataclass(slots=True)
class _ItemPart:
    """Text between two breaks. `level`: strength of the break before it."""

    words: str
    level: int
    sums: int
    said: Division
    name: str = ""
    """What stands before its sum."""

    @property
    def pays(self) -> bool:
        return self.said.payer is not None or self.said.treat

    @property
    def shares(self) -> bool:
        said = self.said
        return said.divides or said.alone or bool(said.people or said.count or said.several)


@dataclass(slots=True)
class _Item:
    parts: list[_ItemPart] = field(default_factory=list[_ItemPart])
    at: int = 0
    """Index of the part with the amount."""
    own: bool = False
    """A part behind the items calls it by its name (打车跟小雅分)."""

    @property
    def level(self) -> int:
        return self.parts[0].level

    @property
    def pays(self) -> bool:
        return any(part.pays for part in self.parts)

    @property
    def shares(self) -> bool:
        return any(part.shares for part in self.parts)

    @property
    def payer(self) -> Name | None:
        return next((part.said.payer for part in self.parts if part.said.payer is not None), None)

    @property
    def words(self) -> str:
        return " ".join(part.words for part in self.parts)


def item_parts(text: str, mentions: Sequence[Mention], members: Sequence[Mention]) -> tuple[str, ...]:
    """The line as one stretch an item, what is said of all of them in each; empty where they differ neither
    in who paid nor in who shares. Linear in its length. Never raises."""
    line = mask_identifiers(normalise(text))
    if len(line) > LONGEST:
        return ()
    items = _items(_parts(line, [*mentions, *members]))
    if len(items) < 2:
        return ()
    common = _common(items)
    payers = [None if item.payer is None or item.payer.me else item.payer.text for item in items]
    differ = len(set(payers)) > 1 or sum(item.shares for item in items) > 1
    differ = differ or any(item.own for item in items)
    if not differ:
        return ()
    return tuple(" ".join([item.words, *(part.words for part in common)]) for item in items)


def _parts(line: str, people: Sequence[Mention]) -> list[_ItemPart]:
    """The line cut at its breaks, and behind words of who paid or shares where no sum follows."""
    names = names_in(line, people)
    amounts = [each for each in sums_beside(names, line) if each.fen]
    read = words_in(line.lower() if len(line.lower()) == len(line) else line, amounts, names)
    cuts: dict[int, tuple[int, int]] = {}
    for gap in _BREAK.finditer(line):
        if not any(each.start <= gap.start() and gap.end() <= each.end for each in amounts):
            strength = 3 if set(gap[0]) & set(_STRONG) else 2 if set(gap[0]) & set(_MIDDLE) else 1
            cuts[gap.start()] = (gap.end(), strength)
    told = pieces_of_bill(read, line)
    shared = tells_shared(told)
    for piece in told:
        if piece.reads not in _PAYS | _SPLITS:
            continue
        behind = piece.end + len(line[piece.end :]) - len(line[piece.end :].lstrip(_LED_IN))
        if any(each.start == behind for each in amounts) or piece.end in cuts or piece.end == len(line):
            continue
        if piece.reads in _PAYS or not any(each.start >= piece.end for each in amounts):
            cuts[piece.end] = (piece.end, 1)
    found: list[_ItemPart] = []
    start, level = 0, 0
    for end, (behind, strength) in [*sorted(cuts.items()), (len(line), (len(line), 0))]:
        if end < start:
            continue
        if words := line[start:end].strip():
            own = [each for each in amounts if start <= each.start and each.end <= end]
            said = divided(words, sums_beside(names, words), names, shared=shared)
            name = line[start : own[0].start].strip() if own else ""
            found.append(_ItemPart(words, level, len(own), said, name))
            level = strength
        else:
            level = max(level, strength)
        start = behind
    return found


def _items(parts: Sequence[_ItemPart]) -> list[_Item]:
    """Every part with a sum begins an item; what has none and says who paid or shares belongs to the item
    before it, or, where that is told already or none came, to the next one."""
    items: list[_Item] = []
    ahead: list[_ItemPart] = []
    for part, behind in zip(parts, [*parts[1:], None], strict=True):
        last = items[-1] if items else None
        leads = behind is not None and part.level > behind.level  # 打车20，AA 聚餐400
        if part.sums:
            items.append(_Item([*ahead, part], len(ahead)))
            ahead = []
        elif part.shares and (meant := _called(items, [*ahead, part])) is not None:
            meant.parts += [*ahead, part]
            meant.own = True
            ahead = []
        elif last is None or leads or not (part.pays or part.shares) or (part.pays and last.pays):
            ahead.append(part)
        else:
            last.parts += [*ahead, part]
            ahead = []
    if items:
        items[-1].parts += ahead
    return items


def _called(items: Sequence[_Item], parts: Sequence[_ItemPart]) -> _Item | None:
    """The one of several items whose name begins parts without a sum (打车跟小雅老猫三个人分)."""
    if len(items) < 2:
        return None
    words = " ".join(part.words for part in parts)
    found = [item for item in items if len(name := item.parts[item.at].name) > 1 and words.startswith(name)]
    return found[0] if len(found) == 1 else None


def _common(items: Sequence[_Item]) -> list[_ItemPart]:
    """Trailing parts shared by all items, removed from the last one: 三个人分 after a blank as wide as
    between items, without earlier sharers; a payer (都是老猫付的) without other payers."""
    last = items[-1]
    between = min(item.level for item in items[1:])
    others = items[:-1]
    for place in range(last.at + 1, len(last.parts)):
        part = last.parts[place]
        if not (part.shares or part.pays):
            continue
        if part.pays and any(item.pays for item in others):
            continue
        if part in last.parts and last.own:
            return []
        if any(item.shares for item in others):
            return []
        if part.level < between and not all(item.pays for item in items):
            return []
        common = last.parts[place:]
        del last.parts[place:]
        return common
    return []
