"""The HTTP API beside a group: what is written over one is known to the other."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import httpx

from .harness import Api, Chat, summon


async def post(api: Api, path: str, body: Any, **headers: str) -> httpx.Response:
    return await api.http.post(f"/api{path}", json=body, headers=headers, timeout=30)


async def test_a_schedule_over_http_is_told_in_the_group_and_undone_there(room: Chat, api: Api) -> None:
    who = room.member("小明")
    await room.say(who, "大家好")
    members = await api.get(f"/api/groups/{room.id}/members", self_id=room.client.self_id)
    assert str(who.user_id) in [each["id"] for each in members]
    day = datetime.now().astimezone() + timedelta(days=30)
    body = {"description": "评审会", "starts_at": day.isoformat(), "user_id": str(who.user_id)}
    made = await post(api, f"/groups/{room.id}/schedules?self_id={room.client.self_id}", body)
    assert made.status_code == 201, made.text
    told = await room.expect(lambda sent: "评审会" in sent.text)
    assert "在网页上" in told.text
    _, answer = await summon(room, who, "撤销")
    assert "撤销" in answer.text
    listed = await api.get(f"/api/groups/{room.id}/schedules", self_id=room.client.self_id)
    assert made.json()["id"] not in [each["id"] for each in listed]


async def test_a_shared_record_is_settled_and_known_in_the_group(room: Chat, api: Api) -> None:
    who, other = room.members("小明", "小雅")
    await room.say(who, "大家好")
    await room.say(other, "来了")
    members = f"/api/groups/{room.id}/members"
    await api.poll(
        lambda: api.get(members, self_id=room.client.self_id),
        lambda seen: str(other.user_id) in [each["id"] for each in seen],
        "the other member",
    )
    body = {
        "amount": "60",
        "type": "EXPENSE",
        "description": "火锅",
        "user_id": str(who.user_id),
        "participants": [{"user": str(who.user_id)}, {"user": str(other.user_id)}],
    }
    key = {"Idempotency-Key": f"e2e-{room.id}"}
    first = await post(api, f"/groups/{room.id}/transactions?self_id={room.client.self_id}", body, **key)
    again = await post(api, f"/groups/{room.id}/transactions?self_id={room.client.self_id}", body, **key)
    assert first.status_code == 201, first.text
    assert (again.status_code, again.json()) == (201, first.json())
    await room.expect(lambda sent: "火锅" in sent.text)
    owed = await api.get(f"/api/groups/{room.id}/balances", self_id=room.client.self_id)
    assert owed == [{"from": str(other.user_id), "to": str(who.user_id), "amount": "30.00"}]
    _, answer = await summon(room, who, "谁欠谁")
    assert "30" in answer.text
