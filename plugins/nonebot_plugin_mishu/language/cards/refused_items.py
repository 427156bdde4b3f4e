"""Refusals of single items of a card in a line that may say more: 转我妈那个别记了 奶茶是16. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...patterns import Pattern
from ..answers.answer_words import VOCABULARY, Word
from ..text.alternatives import unjoined
from ..text.fold import normalise
from .grammar import Kind
from .pointed import Pointed
from .triage import triage

_LONGEST: Final = 120


@dataclass(frozen=True)
class LinePiece:
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


def line_pieces(
    text: str, pointing: Callable[[str], Pointed], mentioned: Callable[[str], set[int]], size: int
) -> list[LinePiece]:
    """Pieces of a line; none of a question or a long line.

    Args:
        text: the owner's line.
        pointing: the items that a few words refuse.
        mentioned: numbers of the items that a piece names.
        size: how many items the card has.
    """
    line = normalise(text[: _LONGEST * 2]).lower()
    if len(line) > _LONGEST or re.search("[?？吗]", line):
        return []
    pieces = [part for each in _PAUSE.split(line) if each for part in _cut(each, pointing, mentioned)]
    return list(_replacing(list(_joined(pieces, pointing, size))))


def means_last(subject: str) -> bool:
    """True for 刚才那笔, and False for 那个."""
    return _LAST.fullmatch(subject) is not None


def item_numbers(naming: str) -> set[int]:
    """Items (0-based) in a text that names them: 第1笔, 第3笔."""
    return {int(number) - 1 for number in re.findall("第 ?([0-9]+) ?笔", naming)}


def _cut(
    piece: str, pointing: Callable[[str], Pointed], mentioned: Callable[[str], set[int]]
) -> Iterator[LinePiece]:
    """One piece, or two where nobody paused behind a refusal (打车不要了午饭改成30)."""
    whole = _refusal(piece, pointing)
    if whole is not None:
        yield whole
        return
    for end in range(len(piece) - 2, 2, -1):
        left, right = piece[:end], piece[end:]
        if right[0] not in "了吧啊哈的" and (_SAYS_MORE.search(right) or mentioned(right)):
            first = _refusal(left, pointing)
            if first is not None:
                yield first
                yield from _cut(right, pointing, mentioned)
                return
    yield LinePiece(piece)


def _refusal(piece: str, pointing: Callable[[str], Pointed]) -> LinePiece | None:
    """The piece with its item, if it is one refusal and nothing else."""
    for pattern in (_BEHIND, _BEFORE, _SURPLUS):
        found = pattern.fullmatch(piece)
        if found is None:
            continue
        subject = _TRAILING.sub("", _LEADING.sub("", found["subject"], count=1)).strip()
        if _REFUSES.search(subject):
            continue  # 不用取消午饭 keeps it
        if _LAST.fullmatch(subject) or _THAT.fullmatch(subject):
            return LinePiece(piece, subject)
        for words in (subject, found["subject"]):
            meant = pointing(words) if words else Pointed()
            if meant.items or meant.which:
                return LinePiece(piece, words, meant)
    return None


def _joined(pieces: list[LinePiece], pointing: Callable[[str], Pointed], size: int) -> Iterator[LinePiece]:
    """A bare refusal belongs to the item spoken of before it (打车那笔公司报销的，删掉)."""
    waiting: LinePiece | None = None
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


def _led(text: str, pointing: Callable[[str], Pointed]) -> LinePiece | None:
    """The piece with the item it begins with, if only a reason follows."""
    for end in range(len(text), 0, -1):
        if _SAYS_MORE.search(_REASON.sub("", text[end:])):
            continue  # says what it is to be instead
        subject = _TRAILING.sub("", _LEADING.sub("", text[:end], count=1))
        meant = pointing(subject) if subject else Pointed()
        if meant.items:
            return LinePiece(text, subject, meant)
        if _THAT.fullmatch(subject) or _LAST.fullmatch(subject):
            return LinePiece(text, subject)
    return None


def _replacing(pieces: list[LinePiece]) -> Iterator[LinePiece]:
    """打车不要了，改成地铁: the item stays and is changed."""
    for piece, after in zip(pieces, [*pieces[1:], None], strict=True):
        instead = after is not None and after.subject is None and _INSTEAD.match(after.text) is not None
        if instead and piece.pointed is not None and len(piece.pointed.items) == 1:
            yield LinePiece(f"第{piece.pointed.items[0] + 1}笔")
        else:
            yield piece


def telling_pieces(pieces: Sequence[str], size: int, terms: Collection[str]) -> Iterator[str]:
    """Pieces beside a refusal that are about the items; a mere yes or no only underlines it."""
    for piece in pieces:
        read = triage(piece, size, terms)
        underlines = read.kind in (Kind.CONFIRM, Kind.EXIT) or (read.kind is Kind.CANCEL and not read.scoped)
        if read.about_batch and not underlines:
            yield piece
