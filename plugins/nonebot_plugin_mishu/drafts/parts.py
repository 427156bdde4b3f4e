"""A line that refuses some items of a card and may say more (转我妈那个别记了 奶茶是16). Pure.

What is refused is taken out by code, whatever else the line wants: a refusal waits for no model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ..language.answers.answer_words import VOCABULARY, Word
from ..language.cards.grammar import Kind
from ..language.cards.pointed import Pointed
from ..language.cards.triage import only_items, triage
from ..language.text.alternatives import unjoined
from ..language.text.fold import normalise
from ..patterns import Pattern
from .batch import Item, ItemModel, ItemState

Pending = Sequence[tuple[int, Any]]
_LONGEST: Final = 120


@dataclass(frozen=True)
class Parts:
    """Parts of a line: the items it refuses (0-based), and the rest to be read as a line.

    `which`: one more is refused, and it is not clear which.
    """

    refused: tuple[int, ...] = ()
    rest: str = ""
    which: bool = False


@dataclass(frozen=True)
class _LinePiece:
    """A part between pauses. `pointed` is set where it refuses; `subject` are its words for what."""

    text: str
    subject: str | None = None
    pointed: Pointed | None = None


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _spelled(*tables: Word) -> set[str]:
    return {word for table in tables for word in VOCABULARY[table] if not word.isascii()}


_GAPS: Final = _spelled(Word.FILLER, Word.PRONOUN) | {"都", "全", "全部", "也"}
_WHYS: Final = _spelled(Word.SURPLUS, Word.WRONG)
_GAP: Final = f"(?:{'|'.join(unjoined(_GAPS))})"
_GAP_OR_WHY: Final = f"(?:{'|'.join(unjoined(_GAPS | _WHYS))})"
_REFUSING: Final = (
    f"(?:{_any(_spelled(Word.DROP, Word.REFUSE, Word.UNWANTED))}"
    f"|(?:{_any(_spelled(Word.NO, Word.FORBID, Word.UNWANTED))}){_GAP}*(?:{_any(_spelled(Word.SAVE))}))"
)
_REFUSES: Final = Pattern(_REFUSING)
_BEHIND: Final = Pattern(f"(?P<subject>.+?){_GAP_OR_WHY}{{0,8}}{_REFUSING}(?:{_REFUSING}|{_GAP_OR_WHY}|上)*+")
_SURPLUS: Final = Pattern(f"(?P<subject>.+?){_GAP}{{0,8}}(?:{_any(VOCABULARY[Word.SURPLUS])}){_GAP}*")
_BEFORE: Final = Pattern(
    f"(?>{'|'.join(unjoined(_GAPS | _spelled(Word.ASSENT)))})*?{_REFUSING}(?:掉|了|记|存)?"
    f"(?P<subject>.+?){_GAP_OR_WHY}{{0,8}}"
)
_PAUSE: Final = Pattern(r"[,，;；。、!！\n]+| +")
_LEADING: Final = Pattern(
    "(?:把|将|那么|[那这]个(?=[^的笔条])|那(?![么个笔条一项单])|就|先|嗯|哦|噢|啊|哎呀|哎哟|哎|唉|诶|欸|呃|额|算了(?=.)|对了"
    "|不过|还有|另外|另)+"
)
_TRAILING: Final = Pattern("(?:的钱|那份钱|的|也|就|先|都|那里|那边)+$")
_LAST: Final = Pattern(
    "(?:刚才|刚刚|刚|最后|最近|上|才)(?:加|说|记|报|添|补)?的?(?:那|这)?的?一?[笔个条项单](?:账|帐)?"
)
_THAT: Final = Pattern("(?:上面|前面)?(?:那|这|此)一?[笔个条项单](?:账|帐|钱)?|它|[那这]个东西")
_INSTEAD: Final = Pattern("(?:改成|换成|改为|换为|改|换)(?=.)")
_REASON: Final = Pattern("^(?:其实|本来|也|都)*[不唔]?[是系](?!第)")
"""打车那笔不是我付的: why it is to go."""
_SAYS_MORE: Final = Pattern("[0-9]|改|换成|应该|而是|是")


def take_apart(
    text: str, items: Sequence[Item[Any]], model: ItemModel[Any], touched: Collection[int]
) -> Parts | None:
    """The refusals of items in a line that is no order as a whole; None where there are none.

    `items` are all of the card; of several so called a pending one is meant. `touched` are the numbers of
    those that were changed or added last.
    """
    size = len(items)
    card = [(item.number, item.value) for item in items]
    pending = [(item.number, item.value) for item in items if item.state is ItemState.PENDING]
    line = normalise(text[: _LONGEST * 2]).lower()
    if len(line) > _LONGEST or re.search("[?？吗]", line):
        return None

    def pointing(words: str) -> Pointed:
        numbers = only_items(words, size)
        if numbers:
            return Pointed(numbers)
        meant = model.pointing(words, card)  # also what is gone: 午饭 is no other dish then
        return model.pointing(words, pending) if meant.which else meant

    pieces = [part for each in _PAUSE.split(line) if each for part in _cut(each, pointing, model, pending)]
    pieces = list(_joined(pieces, pointing, size))
    pieces = list(_replacing(pieces))
    if not any(piece.subject is not None for piece in pieces):
        return None
    kept = [piece.text for piece in pieces if piece.subject is None]
    sure = {item for piece in pieces if piece.pointed is not None for item in piece.pointed.items}
    spoken = sure | {item for each in kept for item in _mentioned(each, pending, model)}
    refused, which = set(sure), any(piece.pointed is not None and piece.pointed.which for piece in pieces)
    for piece in pieces:
        if piece.subject is not None and piece.pointed is None:
            meant = _demonstrated(piece.subject, pending, touched, spoken)
            which = which or meant is None
            refused |= set() if meant is None else {meant}
    terms = model.terms([value for _, value in pending])
    return Parts(tuple(sorted(refused)), "，".join(_telling(kept, size, terms)), which)


def _cut(
    piece: str, pointing: Callable[[str], Pointed], model: ItemModel[Any], pending: Pending
) -> Iterator[_LinePiece]:
    """One piece, or two where nobody paused behind a refusal (打车不要了午饭改成30)."""
    whole = _refusal(piece, pointing)
    if whole is not None:
        yield whole
        return
    for end in range(len(piece) - 2, 2, -1):
        left, right = piece[:end], piece[end:]
        if right[0] not in "了吧啊哈的" and (_SAYS_MORE.search(right) or _mentioned(right, pending, model)):
            first = _refusal(left, pointing)
            if first is not None:
                yield first
                yield from _cut(right, pointing, model, pending)
                return
    yield _LinePiece(piece)


def _refusal(piece: str, pointing: Callable[[str], Pointed]) -> _LinePiece | None:
    """A piece that refuses what it points at, and says nothing else."""
    for pattern in (_BEHIND, _BEFORE, _SURPLUS):
        found = pattern.fullmatch(piece)
        if found is None:
            continue
        subject = _TRAILING.sub("", _LEADING.sub("", found["subject"], count=1)).strip()
        if _REFUSES.search(subject):
            continue  # 不用取消午饭 keeps it
        if _LAST.fullmatch(subject) or _THAT.fullmatch(subject):
            return _LinePiece(piece, subject)
        for words in (subject, found["subject"]):
            meant = pointing(words) if words else Pointed()
            if meant.items or meant.which:
                return _LinePiece(piece, words, meant)
    return None


def _joined(pieces: list[_LinePiece], pointing: Callable[[str], Pointed], size: int) -> Iterator[_LinePiece]:
    """A bare refusal belongs to the item spoken of before it (打车那笔公司报销的，删掉)."""
    waiting: _LinePiece | None = None
    for piece in pieces:
        bare = piece.subject is None and triage(piece.text, size).kind is Kind.CANCEL
        if waiting is not None and bare:
            found = _refusal(waiting.text + piece.text, pointing) or _led(waiting.text, pointing)
            if found is not None:
                yield replace(found, text=f"{waiting.text}，{piece.text}")
                waiting = None
                continue
        if waiting is not None:
            yield waiting
            waiting = None
        if piece.subject is None and not bare:
            waiting = piece
        else:
            yield piece
    if waiting is not None:
        yield waiting


def _led(text: str, pointing: Callable[[str], Pointed]) -> _LinePiece | None:
    """The item that a piece begins with, where it only says why behind it."""
    for end in range(len(text), 0, -1):
        if _SAYS_MORE.search(_REASON.sub("", text[end:])):
            continue  # says what it is to be instead
        subject = _TRAILING.sub("", _LEADING.sub("", text[:end], count=1))
        meant = pointing(subject) if subject else Pointed()
        if meant.items:
            return _LinePiece(text, subject, meant)
        if _THAT.fullmatch(subject) or _LAST.fullmatch(subject):
            return _LinePiece(text, subject)
    return None


def _replacing(pieces: list[_LinePiece]) -> Iterator[_LinePiece]:
    """打车不要了，改成地铁: the item stays and is changed."""
    for piece, after in zip(pieces, [*pieces[1:], None], strict=True):
        instead = after is not None and after.subject is None and _INSTEAD.match(after.text) is not None
        if instead and piece.pointed is not None and len(piece.pointed.items) == 1:
            yield _LinePiece(f"第{piece.pointed.items[0] + 1}笔")
        else:
            yield piece


def _mentioned(text: str, pending: Pending, model: ItemModel[Any]) -> set[int]:
    """The items that a piece names, by number or by their words."""
    return {int(number) - 1 for number in re.findall("第 ?([0-9]+) ?笔", model.naming(text, pending))}


def _demonstrated(subject: str, pending: Pending, touched: Collection[int], spoken: set[int]) -> int | None:
    """The item that 那个 or 刚才那笔 stands for; None where it is not clear."""
    numbers = [number for number, _ in pending]
    last = [number for number in numbers if number in touched]
    if len(numbers) == 1:
        return numbers[0]
    if _LAST.fullmatch(subject):
        return (last or numbers)[-1]
    left = [number for number in numbers if number not in spoken]
    if len(left) == 1:
        return left[0]
    return last[0] if len(last) == 1 and last[0] not in spoken else None


def _telling(pieces: Sequence[str], size: int, terms: Collection[str]) -> Iterator[str]:
    """Of what is beside a refusal, what has to do with the items. A mere yes or no only underlines it."""
    for piece in pieces:
        read = triage(piece, size, terms)
        underlines = read.kind in (Kind.CONFIRM, Kind.EXIT) or (read.kind is Kind.CANCEL and not read.scoped)
        if read.about_batch and not underlines:
            yield piece
