"""`GET /api/groups/{id}/schedules`: exactly the contract's fields."""

from __future__ import annotations

from collections.abc import Sequence

import httpx
from fastapi import FastAPI
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.storage.schedule_records import Member, Plan, Schedule
from nonebot_plugin_mishu.web.schedules_routes import routes

HERE = Conversation("10", "group", "900")
WEEKLY = {"freq": "weekly", "interval": 1, "byday": ["WE"]}


class FakeBackend:
    """Knows one group."""

    def account_in(self, group_id: str) -> str | None:
        return "10" if group_id == "900" else None

    async def schedules(self, conversation: Conversation) -> Sequence[Schedule]:
        plans = [
            Plan("2026-11-19 15:00:00", "Asia/Shanghai", "开会", end="2026-11-19 17:00:00", place="会议室"),
            Plan("2026-11-21 14:00:00", "Asia/Shanghai", "例会", segment="afternoon", recurrence=WEEKLY),
        ]
        people = (Member("501", "小红"),)
        known = [Schedule(n, HERE, plan, "500", "小明", people) for n, plan in enumerate(plans, 1)]
        return known if conversation == HERE else []


async def get(path: str) -> httpx.Response:
    app = FastAPI()
    app.include_router(routes(FakeBackend()))
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        return await client.get(path)


async def test_the_fields_are_the_contracts() -> None:
    answer = await get("/groups/900/schedules")
    assert answer.json() == [
        {
            "id": 1,
            "time": "2026-11-19 15:00:00",
            "end": "2026-11-19 17:00:00",
            "segment": None,
            "description": "开会",
            "place": "会议室",
            "recurrence": None,
            "created_by": "500",
            "joined": ["501"],
        },
        {
            "id": 2,
            "time": "2026-11-21 14:00:00",
            "end": None,
            "segment": "afternoon",
            "description": "例会",
            "place": None,
            "recurrence": WEEKLY,
            "created_by": "500",
            "joined": ["501"],
        },
    ]


async def test_unseen_groups_and_other_accounts_are_empty() -> None:
    assert (await get("/groups/901/schedules")).json() == []
    assert (await get("/groups/900/schedules?self_id=11")).json() == []
    assert (await get("/groups/900/schedules?self_id=" + "1" * 65)).status_code == 422
