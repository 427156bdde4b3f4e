"""Secrecy requests, removed before reading: 别让小北知道, 先别跟妈妈说. Pure.

Their names are no recipients and no part of a title. A secret inside an order (提醒我别告诉小北) is its
content, and stays. Every character keeps its place in the text.
"""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from ..text.fold import Folded

_WHO: Final = "[^ ,。!?提醒点号]{1,8}?"
_NOT: Final = "(?:(?:先|可|千万|暂时|都|也|记得)*(?:别|不要|莫要?|不能|不许|甭|勿))"
_PIECE: Final = Pattern(
    rf"(?:^|[ ,。!]+)(?:{_NOT}(?:让|给|叫){_WHO}(?:知道|晓得|看到|看见|发现|听到)了?"
    rf"|{_NOT}(?:告诉|通知|惊动){_WHO}|{_NOT}(?:跟|和|对|给|同){_WHO}(?:说|讲|提)(?:起|了)?"
    rf"|(?:先|要)?瞒(?:着|住){_WHO}|{_NOT}(?:说出去|声张)|(?:要)?保密)"
    "(?:[啊呀哈哦噢哟吧嘛呢]|了)*(?=[ ,。!~]|$)"
)
_OPENING: Final = Pattern(
    "^(?:我)?(?:私下|悄悄|偷偷)(?:地)?(?:问|跟|和|告诉|说)(?:你)?(?:说|讲)?"
    "(?:一下|个事|件事)?[啊呀哈哦]*[ ,:]+"
)
_HINT: Final = ("别", "不", "莫", "甭", "勿", "瞒", "保密", "私下", "悄悄", "偷偷")


def without_secrecy(folded: Folded) -> Folded:
    """Text without secrecy requests; unchanged if there is nothing else."""
    if not any(word in folded.text for word in _HINT):
        return folded
    found = _OPENING.match(folded.text)
    kept = _without(folded, found.span()) if found is not None else folded
    for piece in reversed(list(_PIECE.finditer(kept.text))):
        kept = _without(kept, piece.span())
    return kept if kept.text.strip(" ,。!~") else folded


def _without(folded: Folded, span: tuple[int, int]) -> Folded:
    start, end = span
    origin = (*folded.origin[:start], *folded.origin[end:])
    return Folded(folded.text[:start] + folded.text[end:], origin, folded.length)
