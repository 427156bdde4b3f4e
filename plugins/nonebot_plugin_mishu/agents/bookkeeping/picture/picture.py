"""Chart of a month: a pie of categories, bars of days. Drawn by Pillow, without a browser.

Pillow is an extra (`pip install nonebot-plugin-mishu[picture]`): without it, or without a Chinese font on
this machine, there is no chart and a reason is given.
"""

from __future__ import annotations

import asyncio
import io
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from ....language.entries.entry import TYPES, spoken
from .chart import Chart
from .fonts import chinese_font

if TYPE_CHECKING:
    from PIL import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

TIMEOUT: Final = 10.0
"""Seconds for drawing, which takes a fraction of one"""
NO_PILLOW: Final = "（这里画不了图，只有文字）"
NO_FONT: Final = "（这里画不了图，只有文字）"
NOT_DRAWN: Final = "（图没画成，只有文字）"

_WIDTH: Final = 900
_HEAD: Final = 120
_PIE: Final = 400
_BARS: Final = 320
_FOOT: Final = 30
_FINE: Final = 3
"""Scale of drawing the pie before reduction, for smooth edges"""
_MARGIN: Final = 50
_LABELS: Final = 10
_MOST_FACES: Final = 10
_PAPER: Final = "#ffffff"
_INK: Final = "#22272e"
_FAINT: Final = "#8a929c"
_LINE: Final = "#e4e7eb"
_COLOURS: Final = (
    "#e8694a",
    "#f2a541",
    "#5b8def",
    "#3f9c6d",
    "#9a6dd7",
    "#e57fa8",
    "#4fb3bf",
    "#b5894d",
    "#b6bdc6",
)


async def drawn(chart: Chart, timeout: float = TIMEOUT) -> bytes | str:
    """Chart as PNG, drawn in a thread; else a short reason for members."""
    if find_spec("PIL") is None:
        return NO_PILLOW
    drawing = asyncio.ensure_future(asyncio.to_thread(_with_font, chart))
    try:
        done, _ = await asyncio.wait({drawing}, timeout=timeout)
        return drawing.result() if done else NOT_DRAWN
    except (OSError, ValueError, ImportError):  # unusable font or Pillow
        return NOT_DRAWN
    finally:
        drawing.cancel()  # the thread ends by itself, unawaited


def _with_font(chart: Chart) -> bytes | str:
    path = chinese_font()
    return NO_FONT if path is None else draw(chart, path)


def draw(chart: Chart, font_path: str) -> bytes:
    """Chart as PNG. Raises `OSError` for an unreadable font."""
    from PIL import Image, ImageDraw

    height = _HEAD + _PIE + (_BARS if chart.bars else 0) + _FOOT
    image = Image.new("RGB", (_WIDTH, height), _PAPER)
    pen = ImageDraw.Draw(image)
    large, plain, small = (_font(font_path, size) for size in (34, 22, 17))
    pen.text((_MARGIN, 30), chart.title, fill=_INK, font=large)
    pen.text((_MARGIN, 82), "    ".join(chart.totals), fill=_FAINT, font=plain)
    image.paste(_pie(chart), (_MARGIN, _HEAD + 30))
    centre = (_MARGIN + 160, _HEAD + 190)
    pen.text((centre[0], centre[1] - 16), TYPES[chart.kind], fill=_FAINT, font=small, anchor="mm")
    pen.text((centre[0], centre[1] + 14), spoken(chart.fen), fill=_INK, font=plain, anchor="mm")
    _legend(pen, chart, plain, small)
    if chart.bars:
        _draw_bars(pen, chart, _HEAD + _PIE, small)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _font(path: str, size: int) -> FreeTypeFont:
    """Font, in a collection its simplified Chinese face."""
    from PIL import ImageFont

    return ImageFont.truetype(path, size, index=_face(path))


@cache
def _face(path: str) -> int:
    """Index of the simplified Chinese face; 0 if not marked."""
    from PIL import ImageFont

    for index in range(_MOST_FACES if path.lower().endswith(".ttc") else 0):
        try:
            name = ImageFont.truetype(path, 10, index=index).getname()[0]
        except OSError:
            break
        if " SC" in (name or ""):
            return index
    return 0


def _pie(chart: Chart) -> Image.Image:
    from PIL import Image, ImageDraw

    size = 320 * _FINE
    image = Image.new("RGB", (size, size), _PAPER)
    pen = ImageDraw.Draw(image)
    start, whole = -90.0, chart.fen
    for number, part in enumerate(chart.parts):
        end = start + 360 * part.fen / whole
        pen.pieslice((0, 0, size - 1, size - 1), start, end, fill=_COLOURS[number])
        start = end
    hole = size * 27 // 100
    pen.ellipse((hole, hole, size - hole, size - hole), fill=_PAPER)
    return image.reduce(_FINE)


def _legend(pen: ImageDraw, chart: Chart, plain: FreeTypeFont, small: FreeTypeFont) -> None:
    top = _HEAD + 190 - 19 * len(chart.parts)
    for number, part in enumerate(chart.parts):
        y = top + 38 * number
        pen.rounded_rectangle((420, y + 6, 438, y + 24), 4, fill=_COLOURS[number])
        name = part.name if len(part.name) <= 8 else f"{part.name[:7]}…"
        pen.text((452, y), name, fill=_INK, font=plain)
        share = (part.fen * 200 + chart.fen) // (2 * chart.fen)
        pen.text((690, y + 14), f"{share}% · {part.count}笔", fill=_FAINT, font=small, anchor="rm")
        pen.text((_WIDTH - _MARGIN, y + 14), spoken(part.fen), fill=_INK, font=plain, anchor="rm")


def _draw_bars(pen: ImageDraw, chart: Chart, top: int, small: FreeTypeFont) -> None:
    left, right, base, tall = _MARGIN, _WIDTH - _MARGIN, top + _BARS - 50, _BARS - 120
    most = max(bar.fen for bar in chart.bars) or 1
    each = f"每{'月' if chart.by_month else '天'}{TYPES[chart.kind]}"
    pen.line((left, top, right, top), fill=_LINE)
    pen.text((left, top + 27), each, fill=_FAINT, font=small, anchor="lm")
    pen.text((right, top + 27), f"最高 {spoken(most)}", fill=_FAINT, font=small, anchor="rm")
    pen.line((left, base, right, base), fill=_LINE, width=2)
    wide = (right - left) / len(chart.bars)
    every = -(-len(chart.bars) // _LABELS)
    for number, bar in enumerate(chart.bars):
        x = left + wide * number
        if bar.fen:
            high = max(2.0, tall * bar.fen / most)
            pen.rectangle((x + wide * 0.15, base - high, x + wide * 0.85, base - 1), fill=_COLOURS[0])
        if number % every == 0:
            pen.text((x + wide / 2, base + 18), bar.name, fill=_FAINT, font=small, anchor="mm")
