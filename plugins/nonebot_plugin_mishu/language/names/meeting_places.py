"""Where one meets, in the name of a schedule (东门集合). Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from ..word_lists import table


def met_at(name: str, place: str) -> str:
    """Name that says where one meets (东门集合), with another place (西门集合); empty for other names."""
    found = _MEETS_THERE.match(name)
    return f"{place.removesuffix(found['meets'])}{name[found.start('meets') :]}" if found is not None else ""


_MEETS_THERE: Final = Pattern(
    f"[^ ,，。的]{{0,8}}?(?:{table('schedule.site')}|[门口站楼场馆厅堂室园店桥台处])[a-zA-Z]?[0-9]{{0,3}}"
    "(?P<meets>集合|碰头|碰面|汇合|会合|集中|见面)"
)
