"""Lines that order that what they tell be recorded (帮我记一下 打车23), by `recording.toml`. Pure."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

from ..grammar import THINGS
from ..lexicon import lexicon
from ..reading import words_of
from ..recognise.money import Amount
from ..recognise.times import TimeExpression
from ..text.edges import Edges

_FILE: Final = Path(__file__).with_suffix(".toml")


def orders_recording(
    line: str, times: tuple[TimeExpression, ...] = (), amounts: tuple[Amount, ...] = ()
) -> bool:
    """True if a normalised line begins or ends with an order to record it."""
    said = words_of(line, times, amounts)
    return _edges().opens(line, said, ("opening",)) > 0 or _edges().closes(line, said, ("closing",)) > 0


@cache
def _edges() -> Edges:
    return Edges(tomllib.loads(_FILE.read_text("utf-8")), lexicon(), things=THINGS)
