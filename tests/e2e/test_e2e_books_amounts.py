"""Amounts as they are said, over the wire: booked exactly, without the numbers beside them (pitfall 52)."""

from __future__ import annotations

import pytest
from default_run import first

from .harness import Api, Chat, summon
from .test_e2e_books import books, tell

OFFLINE = True


@first(3)
@pytest.mark.parametrize(
    ("words", "amounts"),
    [
        ("3瓶水15", ["15.00"]),
        ("2月15号吃饭50", ["50.00"]),
        ("买手机花了1万2", ["12000.00"]),
        ("键盘¥1,299", ["1299.00"]),
        ("早饭十二块八", ["12.80"]),
        ("打车一百零五块", ["105.00"]),
        ("包子100块5个", ["100.00"]),
        ("收到快递花了10块", ["10.00"]),
        ("抢红包30", ["30.00"]),
        ("午饭0.1，奶茶0.2", ["0.10", "0.20"]),
    ],
)
async def test_pitfall_52_amounts_over_the_wire(room: Chat, api: Api, words: str, amounts: list[str]) -> None:
    ming = room.member("小明")
    await summon(room, ming, f"记账 {words}")
    await tell(room, ming, "确认")
    assert [row["amount"] for row in await books(api, room)] == amounts
