"""Questions about an open card of amounts: total, part of each, payer. Pure."""

from __future__ import annotations

from typing import Final, Literal

from ...patterns import Pattern
from ..text.fold import normalise

Asked = Literal["total", "each", "payer"]
_LONGEST: Final = 24
_LEADS: Final = "(?:那|这|嗯|等等|等下|对了|我想问|问下|问一下|现在|算下来|这样|所以|咱|咱们|我们|大家|,| )*"
_TRAILS: Final = "(?:来着|啊|呀|呢|吧|哈|了|的|是|[?,。!~ ])*"
_HOW_MUCH: Final = "(?:多少|几块|好多|几多)(?:钱|块|元)?"
_WHOSE: Final = "(?:每个?人|一个?人|人均|各自?|我们每人|我)"
_SAID: Final[tuple[tuple[Asked, str], ...]] = (
    ("each", f"{_WHOSE}(?:各|得|要|该|应该|需要)*(?:出|付|给|摊|掏|分摊?|是)?{_HOW_MUCH}"),
    ("total", f"(?:一共|总共|合计|加起来|全部|总的)(?:是|要|花了?|有)?{_HOW_MUCH}"),
    ("payer", "(?:是)?谁(?:付|出|垫|买|给|掏)(?:了|过)?(?:的)?(?:钱|单)?"),
)
_ASKED: Final[list[tuple[Asked, Pattern]]] = [
    (kind, Pattern(f"{_LEADS}{said}{_TRAILS}")) for kind, said in _SAID
]


def asked_of_card(text: str) -> Asked | None:
    """Question about the open card in a whole line; None for every other line. Never raises."""
    line = normalise(text[: _LONGEST + 1]).strip()
    if len(line) > _LONGEST:
        return None
    return next((kind for kind, pattern in _ASKED if pattern.fullmatch(line)), None)
