"""Quantities in names: 改成三支, of 买两支花, is 买三支花. Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from ..recognise.numerals import NUMERAL

_MEASURES: Final = "支枝束朵盒瓶袋包箱斤份张本杯条个只双件套台块根颗粒片把盆罐桶桌间位人次页篇升克"
_COUNTED: Final = Pattern(f"(?P<count>[0-9]{{1,4}}|{NUMERAL})(?P<measure>[{_MEASURES}]|个人|公斤|千克|毫升)")
_PARTICLES: Final = "吧了哈啊呀哦的"


def is_quantity(text: str) -> bool:
    """True for a number and a measure word alone (三支, 5斤): never a name."""
    return _COUNTED.fullmatch(text.strip().rstrip(_PARTICLES)) is not None


def recounted(name: str, quantity: str) -> str:
    """The name with another quantity; empty if it has not exactly one of that measure."""
    said = _COUNTED.fullmatch(quantity.strip().rstrip(_PARTICLES))
    if said is None:
        return ""
    same = [found for found in _COUNTED.finditer(name) if found["measure"] == said["measure"]]
    return f"{name[: same[0].start()]}{said.group()}{name[same[0].end() :]}" if len(same) == 1 else ""
