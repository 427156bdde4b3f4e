"""`/api/users/{id}/tasks`: by the same tools, rights and questions as a line in the group."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from default_run import first
from nonebot_plugin_mishu.services.access.actor import Actor

from .conftest import GROUP, MING, WANG, YA, Running

PATH = f"/users/{MING}/tasks"
REPORT = {
    "title": "交报告",
    "dueDate": "2026-11-20",
    "startTime": "14:00",
    "endTime": "15:00",
    "groupId": GROUP,
}


async def made(client: httpx.AsyncClient, body: dict[str, Any] = REPORT) -> dict[str, Any]:
    answer = await client.post(PATH, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_made_listed_changed_done_and_deleted(running: Running) -> None:
    async with running.client() as client:
        row = await made(client, {**REPORT, "priority": "high", "description": "两页"})
        assert row == {
            "id": row["id"],
            "title": "交报告",
            "dueDate": "2026-11-20",
            "startTime": "14:00",
            "endTime": "15:00",
            "timeSegment": None,
            "remindAt": None,
            "priority": "high",
            "status": "pending",
            "description": "两页",
            "groupId": GROUP,
            "owner": MING,
            "creator": MING,
        }
        one = f"{PATH}/{row['id']}"
        assert (await client.get(one)).json() == row
        assert (await client.get(f"/users/{WANG}/tasks/{row['id']}")).status_code == 404
        changed = await client.patch(one, json={"startTime": "16:00", "endTime": "17:00"})
        assert (changed.json()["startTime"], changed.json()["dueDate"]) == ("16:00", "2026-11-20")
        done = await client.post(f"{one}/complete")
        assert done.json()["status"] == "completed"
        assert (await client.post(f"{one}/complete")).json()["status"] == "completed"
        assert (await client.get(PATH, params={"status": "pending"})).json() == []
        asked = await client.delete(one)
        assert asked.status_code == 409
        assert "交报告" in asked.json()["error"]["question"]
        assert (await client.delete(one, params={"confirm": "true"})).status_code == 204
        assert (await client.get(PATH)).json() == []
        assert (await client.patch(one, json={"title": "x"})).status_code == 404
    assert running.platform.texts == []  # a person's own task is nobody else's business


async def test_a_reminder_is_exact_and_needs_its_offset(running: Running) -> None:
    async with running.client() as client:
        row = await made(client, {"title": "吃药", "remindAt": "2026-11-18T12:00:00Z"})
        assert row["remindAt"] == "2026-11-18T20:00:00+08:00"
        naive = await client.post(PATH, json={"title": "吃药", "remindAt": "2026-11-18T20:00:00"})
        assert naive.status_code == 422
        assert naive.json()["error"]["message"].startswith("remindAt")


async def test_a_conflict_and_a_second_one_alike_are_asked_about(running: Running) -> None:
    async with running.client() as client:
        await made(client)
        for body in (REPORT, {**REPORT, "title": "开会", "startTime": "14:30"}):
            asked = await client.post(PATH, json=body)
            assert asked.status_code == 409
            assert asked.json()["error"]["question"]
        await made(client, {**REPORT, "confirm": True})
        assert len((await client.get(PATH)).json()) == 2


@first(2)
@pytest.mark.parametrize(
    ("given", "taken", "left"),
    [
        ({"description": "两页"}, {"description": None}, {"description": None, "startTime": "14:00"}),
        (
            {},
            {"startTime": None, "endTime": None},
            {"startTime": None, "endTime": None, "timeSegment": "all_day"},
        ),
        ({}, {"startTime": None, "timeSegment": "morning"}, {"startTime": None, "timeSegment": "morning"}),
        ({"priority": "high"}, {"priority": None}, {"priority": "medium"}),
        (
            {"startTime": None, "endTime": None, "timeSegment": "morning"},
            {"timeSegment": None},
            {"timeSegment": "all_day"},
        ),
        (
            {"startTime": None, "endTime": None, "remindAt": "2026-11-20T09:00:00+08:00"},
            {"remindAt": None},
            {"remindAt": None, "dueDate": "2026-11-20"},
        ),
    ],
)
async def test_null_takes_a_field_away(
    running: Running, given: dict[str, Any], taken: dict[str, Any], left: dict[str, Any]
) -> None:
    async with running.client() as client:
        row = await made(client, {**REPORT, **given})
        answer = await client.patch(f"{PATH}/{row['id']}", json=taken)
        assert answer.status_code == 200, answer.text
        after = answer.json()
        assert {**after, **left} == after
        assert after["title"] == "交报告"
        assert (await client.get(PATH)).json() == [after]
        for name in ("title", "dueDate"):
            refused = await client.patch(f"{PATH}/{row['id']}", json={name: None})
            assert refused.status_code == 422
            assert refused.json()["error"]["message"].startswith(name)
        untouched = await client.patch(f"{PATH}/{row['id']}", json={})
        assert untouched.json() == after, "what is left out stays"


@first(2)
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"dueDate": "2026-11-20"}, "title"),
        ({"title": "x", "dueDate": "2026-11-01"}, "dueDate"),
        ({"title": "x", "dueDate": "2026-11-20", "startTime": "14:00"}, "endTime"),
        ({"title": "x", "dueDate": "2026-11-20", "endTime": "14:00"}, "startTime"),
        ({"title": "x", "startTime": "2 pm"}, "startTime"),
        ({"title": "x", "dueDate": "soon"}, "dueDate"),
        ({"title": "x", "priority": "huge"}, "priority"),
    ],
)
async def test_a_wrong_value_is_422_and_named(running: Running, body: dict[str, Any], named: str) -> None:
    async with running.client() as client:
        answer = await client.post(PATH, json=body)
        assert answer.status_code == 422, answer.text
        assert answer.json()["error"]["message"].startswith(named)


async def test_days_of_a_span_and_pages(running: Running) -> None:
    async with running.client() as client:
        for day in range(20, 26):
            await made(client, {"title": f"第{day}天", "dueDate": f"2026-11-{day}"})
        span = {"from": "2026-11-21", "to": "2026-11-24"}
        found = (await client.get(PATH, params=span)).json()
        assert [each["dueDate"][-2:] for each in found] == ["21", "22", "23"]
        first = await client.get(PATH, params={"limit": 4})
        rest = await client.get(PATH, params={"limit": 4, "cursor": first.headers["X-Next-Cursor"]})
        assert [each["dueDate"][-2:] for each in [*first.json(), *rest.json()]] == [
            str(day) for day in range(20, 26)
        ]
        assert (await client.get(PATH, params={"limit": 201})).status_code == 422
        assert (await client.get(PATH, params={"cursor": "x"})).status_code == 422


async def test_an_admin_gives_a_member_a_task_and_the_member_hears_of_it(running: Running) -> None:
    async with running.client(Actor("admin", YA, GROUP, "小雅")) as client:
        row = await made(client)
        assert (row["owner"], row["creator"]) == (MING, YA)
    said = running.platform.sent[-1][1]
    assert "小雅在网页上" in said.text
    assert said.mentions == (MING,)


async def test_nobody_sees_or_touches_another_s_tasks(running: Running) -> None:
    async with running.client() as client:
        mine = await made(client)
        private = await made(client, {"title": "私事", "dueDate": "2026-11-21"})
    one = f"{PATH}/{mine['id']}"
    async with running.client(Actor("member", WANG, GROUP, "小王")) as client:
        assert (await client.get(PATH)).status_code == 403
        assert (await client.patch(one, json={"title": "x"})).status_code == 403
        assert (await client.post(f"{one}/complete")).status_code == 403
        assert (await client.delete(one, params={"confirm": "true"})).status_code == 403
    async with running.client(Actor("member", MING, GROUP, "小明")) as client:
        assert [each["id"] for each in (await client.get(PATH)).json()] == [mine["id"]]
        assert (await client.get(PATH, params={"group_id": "888"})).status_code == 403
        other = await client.patch(f"{PATH}/{private['id']}", json={"title": "x"})
        assert other.status_code == 404  # not of this group
    async with running.client(Actor("admin", YA, "888", "小雅")) as client:
        assert (await client.get(PATH)).json() == []
        assert (await client.patch(one, json={"title": "x"})).status_code == 404


async def test_a_name_that_is_not_known_makes_no_task_for_today(running: Running) -> None:
    async with running.client() as client:
        answer = await client.post(PATH, json={"title": "交报告", "due_date": "2026-12-01"})
        assert (answer.status_code, answer.json()["error"]["field"]) == (422, "due_date")
        assert (await client.get(PATH)).json() == []


async def test_nobody_who_is_not_in_the_group_is_given_anything(running: Running) -> None:
    async with running.client() as client:
        stranger = {"title": "交报告", "dueDate": "2026-12-01", "groupId": GROUP}
        for body in (stranger, {**stranger, "user_id": MING}):
            answer = await client.post("/users/999/tasks", json=body)
            assert answer.status_code == 422, answer.text
            assert "999" in answer.json()["error"]["message"]
            assert answer.json()["error"]["field"]
        running.office.superusers = lambda: {"999"}
        mine = await client.post("/users/999/tasks", json=stranger)
        assert mine.status_code == 201, "an owner acts as one of SUPERUSERS"
