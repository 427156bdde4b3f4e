"""Summary as a picture, drawn by Pillow (the extra `picture`), without a browser."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from importlib.util import find_spec
from typing import Final

from ..bookkeeping.picture.fonts import chinese_font
from ..bookkeeping.picture.picture import NO_FONT, NO_PILLOW, NOT_DRAWN

TIMEOUT: Final = 10.0
"""Timeout of drawing in seconds."""
_WIDTH: Final = 900
_MARGIN: Final = 44
_SIZE: Final = 26
_LEADING: Final = 42
_HEADING: Final = 14
"""Room above a heading, beside its line."""
_MOST_LINES: Final = 120
_PAPER: Final = "#ffffff"
_INK: Final = "#22272e"
_FAINT: Final = "#8a929c"
_ACCENT: Final = "#b0532f"


async def drawn(text: str, timeout: float = TIMEOUT) -> bytes | str:
    """The text as PNG, drawn outside the event loop; else the reason as a phrase for people."""
    if find_spec("PIL") is None:
        return NO_PILLOW
    drawing = asyncio.ensure_future(asyncio.to_thread(_with_font, text))
    try:
        done, _ = await asyncio.wait({drawing}, timeout=timeout)
        return drawing.result() if done else NOT_DRAWN
    except (OSError, ValueError, ImportError):  # a font or a Pillow that cannot be used
        return NOT_DRAWN
    finally:
        drawing.cancel()  # the thread ends by itself; nobody waits for it


def _with_font(text: str) -> bytes | str:
    path = chinese_font()
    return NO_FONT if path is None else draw(text, path)


def draw(text: str, font_path: str) -> bytes:
    """The text as PNG, lines broken where they are too long: the first faint, headings (ending in ：) in
    colour. Raises `OSError` where the font cannot be read."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.truetype(font_path, _SIZE)
    rows: list[tuple[str, str]] = []
    for number, line in enumerate(text.split("\n")):
        colour = _FAINT if number == 0 else _ACCENT if line.endswith("：") else _INK
        rows += [(part, colour) for part in _broken(line, font.getlength)]
    rows = rows[:_MOST_LINES]
    height = 2 * _MARGIN + sum(_LEADING + (_HEADING if colour == _ACCENT else 0) for _, colour in rows)
    image = Image.new("RGB", (_WIDTH, height), _PAPER)
    pen = ImageDraw.Draw(image)
    top = _MARGIN
    for row, colour in rows:
        top += _HEADING if colour == _ACCENT else 0
        pen.text((_MARGIN, top), row, fill=colour, font=font)
        top += _LEADING
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _broken(line: str, length: Callable[[str], float]) -> list[str]:
    """Line broken to the width of the sheet; continuation lines are indented."""
    found: list[str] = []
    row = ""
    for character in line:
        if row and length(row + character) > _WIDTH - 2 * _MARGIN:
            found.append(row)
            row = "　"
        row += character
    return [*found, row]
