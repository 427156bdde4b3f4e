"""A file put among a group's files is taken down once, and answered by nobody."""

from __future__ import annotations

from typing import Any

from nonebot_plugin_mishu.adapter.onebot_v11.reading import ReadingContext, heard_upload
from office import office
from stand_ins import BOT, GROUP
from virtual_time import settle, virtual


def _notice(name: str, user: int = 500) -> dict[str, Any]:
    return {
        "post_type": "notice",
        "notice_type": "group_upload",
        "group_id": int(GROUP.peer),
        "user_id": user,
        "file": {"id": "f1", "name": name, "size": 10},
    }


def _around(receipt: int) -> ReadingContext:
    return ReadingContext(receipt, 0.0, frozenset(), frozenset())


@virtual
async def test_an_upload_is_a_line_with_its_file() -> None:
    async with office() as made:
        now = int(made.clock.wall() * 1e9)
        for number, name in enumerate(("预算表.xlsx", "预算表.xlsx", "座位表.pdf")):
            heard = heard_upload(_notice(name), BOT, _around(now + number))
            assert heard is not None
            made.desk.take_upload(heard)
            await settle()
        rows = made.room.ledger.context((float("inf"), 0))
        assert [row.segments[0]["data"]["name"] for row in rows] == ["预算表.xlsx", "座位表.pdf"]
        assert all(row.processed and row.user_id == "500" for row in rows)
        assert made.platform.sent == []


def test_what_is_no_upload_of_a_member() -> None:
    for wrong in ({**_notice("a.txt"), "file": None}, _notice(""), _notice("a.txt", int(BOT))):
        assert heard_upload(wrong, BOT, _around(1)) is None
