"""Groups, members, settings, memory, usage; keys of repetition, the documentation, live events."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime
from typing import Any

import pytest
from default_run import first
from nonebot_plugin_mishu.events import BotEvent
from nonebot_plugin_mishu.services.access.actor import Actor
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.records import Digest, Summary

from .conftest import BOT, GROUP, MING, NOW, PLACE, WANG, YA, ZONE, Running

SETTINGS = f"/groups/{GROUP}/settings"
MEETING = {"description": "评审", "starts_at": "2026-11-20T15:00:00+08:00", "user_id": MING}
MEMBER, ADMIN = Actor("member", MING, GROUP, "小明"), Actor("admin", YA, GROUP, "小雅")


def storage_of(running: Running) -> Storage:
    assert running.runtime.storage is not None
    return running.runtime.storage


async def test_groups_and_members_as_the_database_knows_them(running: Running) -> None:
    async with running.client() as client:
        assert (await client.get("/groups")).json() == [
            {
                "id": GROUP,
                "name": None,
                "self_ids": [BOT],
                "member_count": 3,
                "presence": "absent",
                "last_message_at": "2026-11-18T10:00:00.000+08:00",
                "enabled": True,
            }
        ]
        members = (await client.get(f"/groups/{GROUP}/members")).json()
        assert [(each["id"], each["name"], each["role"]) for each in members] == [
            (MING, "小明", "member"),
            (YA, "小雅", "admin"),
            (WANG, "小王", "owner"),
        ]
        first = await client.get(f"/groups/{GROUP}/members", params={"limit": 2})
        more = {"limit": 2, "cursor": first.headers["X-Next-Cursor"]}
        rest = await client.get(f"/groups/{GROUP}/members", params=more)
        assert [each["id"] for each in rest.json()] == [WANG]
        assert (await client.get("/groups/404404/members")).status_code == 404
    async with running.client(Actor("member", MING, "888", "小明")) as client:
        assert (await client.get("/groups")).json() == []
        assert (await client.get(f"/groups/{GROUP}/members")).status_code == 403


async def test_settings_change_in_parts_and_for_the_desk_too(running: Running) -> None:
    async with running.client() as client:
        before = (await client.get(SETTINGS)).json()
        assert (before["silence_words"], before["listen"], before["persona"]) == (["闭嘴"], "present", None)
        part = {
            "wake_words": ["小助手"],
            "speak_words": ["张嘴", "开口吧"],
            "features": {"插话": False},
            "persona": "说话俏皮一点",
            "listen": "always",
            "digest_time": "07:30",
            "quiet_hours": "23:00-08:00",
            "user_id": YA,
        }
        after = (await client.put(SETTINGS, json=part)).json()
        part.pop("user_id")
        assert after == {**before, **part, "features": {**before["features"], "插话": False}}
        assert (await client.get(SETTINGS)).json() == after
        changes = (await client.get(f"{SETTINGS}/changes")).json()
        assert {each["name"] for each in changes} == {*part.keys() - {"features"}, "features.插话"}
        assert {each["user"] for each in changes} == {YA}
        back = await client.put(SETTINGS, json={"persona": None, "listen": None, "wake_words": []})
        assert (back.json()["persona"], back.json()["listen"]) == (None, "present")
    desk = running.office.desk()
    assert desk is not None
    room = desk.rooms.find(PLACE)
    assert room is not None
    assert not room.allows("插话")
    assert room.speak_words() == ["张嘴", "开口吧"]


@first(2)
@pytest.mark.parametrize(
    ("part", "named"),
    [
        ({"listen": "sometimes"}, "listen"),
        ({"digest_time": "25:00"}, "digest_time"),
        ({"weekly_time": "08:00"}, "weekly_time"),
        ({"quiet_hours": "23:00"}, "quiet_hours"),
        ({"quiet_hours": "08:00-08:00"}, "quiet_hours"),
        ({"features": {"飞行": True}}, "features.飞行"),
        ({"features": {"插话": "maybe"}}, "features.插话"),
        ({"wake_words": ["我"]}, "wake_words"),
        ({"silence_words": "闭嘴"}, "silence_words"),
        ({"persona": "长" * 1001}, "persona"),
        ({"colour": "red"}, "colour"),
    ],
)
async def test_a_wrong_setting_is_422_names_its_key_and_changes_nothing(
    running: Running, part: dict[str, Any], named: str
) -> None:
    async with running.client() as client:
        before = (await client.get(SETTINGS)).json()
        answer = await client.put(SETTINGS, json={"persona": "别的", **part})
        assert answer.status_code == 422, answer.text
        assert named in answer.json()["error"]["message"]
        assert (await client.get(SETTINGS)).json() == before


async def test_settings_are_for_admins_and_of_groups_somebody_saw(running: Running) -> None:
    async with running.client(MEMBER) as client:
        assert (await client.get(SETTINGS)).status_code == 200
        assert (await client.put(SETTINGS, json={"persona": "x"})).status_code == 403
    async with running.client(ADMIN) as client:
        assert (await client.put(SETTINGS, json={"persona": "x"})).json()["persona"] == "x"
        assert (await client.get(f"{SETTINGS}/changes")).json()[0]["user"] == YA
    async with running.client() as client:
        assert (await client.get("/groups/404404/settings")).status_code == 404
        assert (await client.put("/groups/404404/settings", json={})).status_code == 404


async def test_memory_is_shown_item_by_item_and_forgotten(running: Running) -> None:
    storage = storage_of(running)
    for number in range(2):
        await storage.summaries.store_summary(
            Summary(PLACE, MING, f"t{number}", "tasks", f"办了第{number}件事", ("办",), NOW.timestamp())
        )
    through = await storage.turns.add(PLACE, MING, "你好", "你好呀", NOW.timestamp())
    assert await storage.turns.digested(PLACE, MING, Digest("打过招呼", through, NOW.timestamp()))
    path = f"/users/{MING}/memory"
    async with running.client() as client:
        items = (await client.get(path)).json()
        assert [each["text"] for each in items] == ["打过招呼", "办了第0件事", "办了第1件事"]
        assert items[0]["group_id"] == GROUP
        assert (await client.delete(path, params={"item": items[1]["id"]})).status_code == 204
        assert (await client.delete(path, params={"item": items[1]["id"]})).status_code == 404
        asked = await client.delete(path)
        assert asked.status_code == 409
        assert asked.json()["error"]["question"]
        assert len((await client.get(path)).json()) == 2
    async with running.client(ADMIN) as client:
        assert (await client.get(path)).status_code == 403
        assert (await client.delete(path, params={"confirm": "true"})).status_code == 403
    async with running.client(MEMBER) as client:
        assert len((await client.get(path)).json()) == 2
        assert (await client.delete(path, params={"confirm": "true"})).status_code == 204
        assert (await client.get(path)).json() == []
    assert await storage.turns.page(PLACE, MING, 10) == []


async def test_usage_of_everything_is_the_owner_s(running: Running) -> None:
    async with running.client(MEMBER) as client:
        assert (await client.get("/usage")).status_code == 403
        assert (await client.get("/usage", params={"group_id": GROUP})).json() == []
        assert (await client.get("/usage", params={"group_id": "888"})).status_code == 403
    async with running.client() as client:
        assert (await client.get("/usage")).status_code == 200


async def test_a_member_speaks_and_reads_only_as_themselves(running: Running) -> None:
    async with running.client(MEMBER) as client:
        foreign = {"message": "你好", "user_id": YA, "group_id": GROUP}
        assert (await client.post("/ai/chat", json=foreign)).status_code == 403
        private = {"message": "你好", "user_id": MING}
        assert (await client.post("/ai/chat", json=private)).status_code == 403
        where = {"user_id": YA, "group_id": GROUP}
        assert (await client.get("/ai/messages", params=where)).status_code == 403


async def test_the_same_key_is_done_once_and_answered_alike(running: Running) -> None:
    path = f"/groups/{GROUP}/schedules"
    key = {"Idempotency-Key": "abc-1"}
    async with running.client() as client:
        answers = await asyncio.gather(*(client.post(path, json=MEETING, headers=key) for _ in range(4)))
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.text for answer in answers}) == 1
        assert sorted("idempotency-replayed" in answer.headers for answer in answers) == [False, *[True] * 3]
        assert len((await client.get(path)).json()) == 1
        other = await client.post(path, json={**MEETING, "description": "别的"}, headers=key)
        assert other.status_code == 422
        assert "Idempotency-Key" in other.json()["error"]["message"]
        # A question uses no key up: the yes may carry the same one.
        asked = await client.post(path, json=MEETING, headers={"Idempotency-Key": "abc-2"})
        assert asked.status_code == 409
        yes = await client.post(path, json={**MEETING, "confirm": True}, headers={"Idempotency-Key": "abc-2"})
        assert yes.status_code == 201
        one = f"{path}/{yes.json()['id']}"
        gone = {"confirm": "true", "user_id": MING}
        for _ in range(2):
            answer = await client.delete(one, params=gone, headers={"Idempotency-Key": "abc-3"})
            assert answer.status_code == 204
        for wrong in ("", "x" * 256, "é"):
            headers = [(b"idempotency-key", wrong.encode("latin-1"))]
            assert (await client.post(path, json=MEETING, headers=headers)).status_code == 422
    async with running.client(MEMBER) as client:  # another's key of the same name is another key
        body = {**MEETING, "starts_at": "2026-11-21T15:00:00+08:00"}
        assert (await client.post(path, json=body, headers=key)).status_code == 201


async def test_errors_have_one_shape(running: Running) -> None:
    async with running.client() as client:
        for answer in (
            await client.get("/groups/404404/settings"),
            await client.post(f"/groups/{GROUP}/schedules", content=b"{"),
            await client.post(f"/groups/{GROUP}/schedules", json=[]),
            await client.patch(f"/groups/{GROUP}/schedules/9", json={"user_id": MING}),
            await client.patch(f"/groups/{GROUP}/schedules/x", json={}),
            await client.delete(f"/groups/{GROUP}/schedules"),
            await client.get("/groups", params={"limit": 0}),
        ):
            assert answer.status_code in (400, 404, 405, 422)
            assert answer.json().keys() == {"error"}
            named = {"field"} if answer.status_code == 422 and answer.json()["error"].get("field") else set()
            assert answer.json()["error"].keys() == {"code", "message"} | named


async def test_the_documentation_shows_every_route_and_loads_nothing(running: Running) -> None:
    async with running.client() as client:
        answer = await client.get("/docs")
        document = (await client.get("/openapi.json")).json()
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert not re.search(r"<script|<link|<img|https?://|\burl\(", answer.text)
    for path in document["paths"]:
        assert f"/api{path}<" in answer.text
    first = next(path for path in document["paths"] if not path.startswith("/v1/"))
    assert answer.text.index("/api/v1/") < answer.text.index(f"/api{first}<")
    assert "as_user" in document["info"]["description"]
    tasks = document["components"]["schemas"]["NewTask"]["examples"]
    assert all("as_user" in each for each in tasks)
    async with running.client() as client:
        assert (await client.get("/docs/")).text == answer.text


async def test_what_is_written_is_told_live(running: Running) -> None:
    console = running.runtime.console
    assert console is not None
    news = console.listen()
    heard: list[BotEvent] = []

    async def listening() -> None:
        async for each in news:
            heard.append(each)

    task = asyncio.create_task(listening())
    await asyncio.sleep(0)
    async with running.client() as client:
        row = (await client.post(f"/groups/{GROUP}/schedules", json=MEETING)).json()
        await client.post(
            f"/users/{MING}/tasks", json={"title": "x", "dueDate": "2026-11-20", "groupId": GROUP}
        )
        body = {"amount": "1", "type": "EXPENSE", "user_id": MING}
        await client.post(f"/groups/{GROUP}/transactions", json=body)
        await client.put(SETTINGS, json={"persona": "x"})
        place = f"/groups/{GROUP}/schedules/{row['id']}"
        await client.delete(place, params={"confirm": "true", "user_id": MING})
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.wait([task])
    told = [(each.kind, each.data.get("action")) for each in heard if each.kind != "presence"]
    assert ("schedule", "added") in told
    assert ("schedule", "deleted") in told
    assert {kind for kind, _ in told} >= {"schedule", "task", "transaction", "reminder", "settings"}
    schedule = next(each for each in heard if each.kind == "schedule")
    assert schedule.conversation == PLACE
    assert schedule.data == {"id": row["id"], "action": "added", "by": MING}


async def test_the_times_of_digest_and_minutes_are_when_they_come(running: Running) -> None:
    storage = running.runtime.storage
    assert storage is not None
    reminders = storage.reminders.rows

    async def coming() -> dict[str, str]:
        rows = await reminders.due(PLACE, NOW.timestamp() + 40 * 86_400, 10)
        return {row.text: f"{datetime.fromtimestamp(row.due_at, ZONE):%a %H:%M}" for row in rows}

    path = f"/groups/{GROUP}/settings"
    async with running.client() as client:
        assert (await client.get(path)).json()["weekly_time"] == "FR 18:00"
        await client.put(path, json={"digest_time": "07:30", "weekly_time": "TU 09:15"})
        assert await coming() == {}, "neither is switched on"
        await client.put(path, json={"features": {"日报": True, "周报": True}})
        assert await coming() == {"日报": "Thu 07:30", "周报": "Tue 09:15"}
        await client.put(path, json={"digest_time": "21:00", "weekly_time": "SU 20:00"})
        assert await coming() == {"日报": "Wed 21:00", "周报": "Sun 20:00"}
        await client.put(path, json={"digest_time": None, "weekly_time": None})
        assert await coming() == {"日报": "Thu 08:00", "周报": "Fri 18:00"}
        await client.put(path, json={"features": {"日报": False, "周报": False}})
        assert await coming() == {}
