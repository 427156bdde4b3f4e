"""What all charts have in common: colours that can be read on light and on dark, no movement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

BLUE: Final = "#4f7fdc"
PALETTE: Final = (BLUE, "#56a87b", "#e0a24a", "#c9646a", "#8a78c9", "#4aa8b8", "#a0a7b4", "#d98bb0")
_WORDS: Final = {"color": "#8490a0"}
_LINES: Final = {"lineStyle": {"color": "rgba(128,136,148,.25)"}}


def over_axes(across: dict[str, Any], up: dict[str, Any], series: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A chart over two axes."""
    axis = {"axisLabel": _WORDS, "axisLine": _LINES, "splitLine": _LINES}
    across = {**axis, **across, "axisLabel": {**_WORDS, **across.get("axisLabel", {})}}
    return {
        "animation": False,
        "color": list(PALETTE),
        "grid": {"left": 8, "right": 16, "top": 16, "bottom": 8, "containLabel": True},
        "tooltip": {"trigger": "axis"},
        "xAxis": across,
        "yAxis": {**axis, **up},
        "series": list(series),
    }


def pie(data: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Parts of a whole, `{"name", "value"}` each."""
    ring = {"type": "pie", "radius": ["42%", "72%"], "data": list(data), "label": _WORDS, "minAngle": 4}
    return {"animation": False, "color": list(PALETTE), "tooltip": {"trigger": "item"}, "series": [ring]}
