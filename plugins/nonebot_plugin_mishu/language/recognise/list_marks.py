"""The marks of a numbered list in a message: 1. 2、 3) (4) ⑤ 六、 1️⃣. They part and count nothing. Pure.

A list begins with its first mark and goes on by ones; a lone 1. at the beginning is one where a word follows.
"""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern

MOST: Final = 50
"""Marks of one list."""

_CHINESE: Final = "一二三四五六七八九十"
_CIRCLED: Final = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_BEGINS: Final = r"(?:(?<=^)|(?<=[\s,，。;；:：!！?？、元块]))"
_STYLES: Final = (
    Pattern(rf"{_BEGINS}(?P<number>[0-9]{{1,2}}) ?[.、．)）](?![0-9])[^\S\n]*"),
    Pattern(r"[(（](?P<number>[0-9]{1,2})[)）][^\S\n]*"),
    Pattern(rf"(?P<number>[{_CIRCLED}])[、.．]?[^\S\n]*"),
    Pattern(r"(?P<number>[0-9])\ufe0f?\u20e3[、.．]?[^\S\n]*"),
    Pattern(rf"{_BEGINS}(?P<number>[{_CHINESE}]|十[{_CHINESE[:9]}])[、.．][^\S\n]*"),
    Pattern(rf"[(（](?P<number>[{_CHINESE}])[)）][^\S\n]*"),
    Pattern(rf"{_BEGINS}第(?P<number>[{_CHINESE}])[、,，:：][^\S\n]*"),
    Pattern(rf"{_BEGINS}(?P<number>[0-9]{{1,2}})[:：](?![0-9])[^\S\n]*"),
    Pattern(r"(?m)^(?P<number>[0-9]{1,2})[^\S\n]+(?=[^\W0-9])"),
)
_ANY: Final = Pattern(rf"[{_CIRCLED}\u20e3]|[0-9{_CHINESE}] ?[.、．)）:：,，]|\n")
_LONE: Final = Pattern(r"\s*(?P<number>[0-9]{1,2}) ?[.、．)）] ?(?=[一-鿿a-zA-Z])")


def list_marks(text: str) -> list[tuple[int, int]]:
    """Half-open spans of all list marks in `text`, with blanks behind, in order. A style needs at least its 1
    and 2 in order. Never raises; linear."""
    found = _lists(text)
    if not found and (lone := _LONE.match(text)) is not None:
        found.append(lone.span("number"))
    return found


def parted(text: str) -> str:
    """`text` with every list mark as a sentence end, a lone one blank; positions stay."""
    marks = _lists(text)
    for start, end in marks:
        text = f"{text[:start]}；{' ' * (end - start - 1)}{text[end:]}"
    if not marks and (lone := _LONE.match(text)) is not None:
        return " " * lone.end() + text[lone.end() :]
    return text


_INVISIBLE: Final = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
_HALF_WIDTH: Final = {0xFF01 + index: 0x21 + index for index in range(94)}


def _lists(text: str) -> list[tuple[int, int]]:
    """The spans of `text`, whatever the width of its characters and what nobody sees between them."""
    origin = [at for at, character in enumerate(text) if character not in _INVISIBLE]
    plain = "".join(text[at] for at in origin) if len(origin) < len(text) else text
    found = _plain_lists(plain.translate(_HALF_WIDTH))
    return [(origin[start], origin[end - 1] + 1) for start, end in found]


def _plain_lists(text: str) -> list[tuple[int, int]]:
    if _ANY.search(text) is None:
        return []
    found: list[tuple[int, int]] = []
    for style in _STYLES:
        marks: list[tuple[int, int]] = []
        for mark in style.finditer(text):
            if (
                _value(mark["number"]) == len(marks) + 1
                and len(marks) < MOST
                and not _inside(found, *mark.span())
            ):
                marks.append(mark.span())
        if len(marks) > 1:
            found.extend(marks)
    return sorted(found)


def _inside(found: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(first < end and start < last for first, last in found)


def _value(number: str) -> int:
    if number in _CIRCLED:
        return _CIRCLED.index(number) + 1
    if number.isdigit():
        return int(number)
    return _CHINESE.index(number[-1]) + 1 + 10 * (len(number) - 1)
