"""The end of something kept, and the day that is said with it."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.language.clause import Clause, Situation
from nonebot_plugin_mishu.language.recognise.times import parse
from nonebot_plugin_mishu.language.timing.stored_length import kept_length

_ZONE = ZoneInfo("Asia/Shanghai")
_HERE = Situation(datetime(2026, 11, 18, 10, tzinfo=_ZONE))


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("羽毛球打到九点", None),
        ("今晚打球打到九点", date(2026, 11, 18)),
        ("周五羽毛球打到九点", date(2026, 11, 20)),
        ("周六打到九点", date(2026, 11, 21)),
    ],
)
def test_a_day_says_of_which_day_it_is(line: str, day: date | None) -> None:
    """An end on another day than a thing's own is not that thing's (今晚打球, of what is kept for Friday)."""
    told = kept_length(Clause(line, _HERE, tuple(parse(line, _HERE.now, _ZONE))))
    assert told is not None
    assert told.day == day
