"""Charts: one look, no movement, their sums said in words; letters take the colours of the page.

They are drawn as SVG, so that `look.css` colours what is written in them, in light and in dark.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from nicegui import ui

BLUE: Final = "#4f7fdc"
PALETTE: Final = (BLUE, "#56a87b", "#e0a24a", "#c9646a", "#8a78c9", "#4aa8b8", "#a0a7b4", "#d98bb0")
_LINES: Final = {"lineStyle": {"color": "rgba(128,136,148,.25)"}}
_TIP: Final = {"className": "mi-tip", "confine": True}


def chart(options: dict[str, Any], said: str) -> ui.echart:
    """Draw a chart; `said` is its content in words, for screen readers."""
    element = ui.echart(options, renderer="svg").classes("mi-chart")
    element.props["role"] = "img"
    element.props["aria-label"] = said
    return element


def over_axes(
    across: dict[str, Any], up: dict[str, Any], series: Sequence[dict[str, Any]], *, total: str = ""
) -> dict[str, Any]:
    """A chart over two axes, `total` written above it."""
    axis = {"axisLine": _LINES, "splitLine": _LINES}
    return {
        "animation": False,
        "color": list(PALETTE),
        "title": _title(total, left=0, top=0),
        "grid": {"left": 8, "right": 16, "top": 40 if total else 16, "bottom": 8, "containLabel": True},
        "tooltip": {"trigger": "axis", **_TIP},
        "xAxis": {**axis, **across},
        "yAxis": {**axis, **up},
        "series": list(series),
    }


def pie(data: Sequence[dict[str, Any]], *, total: str = "") -> dict[str, Any]:
    """Parts of a whole, `{"name", "value"}` each, with their amounts; `total` is written in the middle."""
    ring = {
        "type": "pie",
        "radius": ["42%", "62%"],
        "data": list(data),
        "label": {"formatter": "{b}\n{c}", "lineHeight": 16, "bleedMargin": 0, "overflow": "none"},
        "minAngle": 4,
    }
    middle = _title(total, left="center", top="center")
    tip = {"trigger": "item", "formatter": "{b}：{c}（{d}%）", **_TIP}
    return {
        "animation": False, "color": list(PALETTE), "title": middle, "tooltip": tip, "series": [ring]
    }  # fmt: skip


def _title(words: str, **where: Any) -> dict[str, Any]:
    return {"text": words, **where, "textStyle": {"fontSize": 14, "fontWeight": 600}}
