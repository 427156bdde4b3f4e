"""`/api/groups/{id}/free`: free spans, who is busy, of whom nothing is known, and who may ask."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from nonebot_plugin_mishu.services.access.actor import Actor

from .conftest import GROUP, MING, WANG, YA, Running

PATH = f"/groups/{GROUP}/free"
DAY = {"from": "2026-11-20T09:00:00+08:00", "to": "2026-11-20T18:00:00+08:00"}


async def asked(client: httpx.AsyncClient, path: str = PATH, **params: Any) -> dict[str, Any]:
    answer = await client.get(path, params={**DAY, **params})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def made(client: httpx.AsyncClient, who: str, start: str, end: str) -> None:
    body = {
        "description": "保密的事",
        "starts_at": f"2026-11-20T{start}:00+08:00",
        "user_id": who,
        "confirm": True,
    }
    answer = await client.post(
        f"/groups/{GROUP}/schedules", json={**body, "confirm": True, "ends_at": f"2026-11-20T{end}:00+08:00"}
    )
    assert answer.status_code == 201, answer.text


@pytest.mark.parametrize("path", [PATH, f"/v1{PATH}"])
async def test_spans_are_those_in_which_all_who_are_known_are_free(running: Running, path: str) -> None:
    async with running.client() as client:
        await made(client, MING, "10:00", "11:00")
        await made(client, WANG, "10:30", "12:00")
        found = await asked(client, path, users=f"{MING},{WANG},{YA}", minutes=60)
    assert [(each["from"][11:16], each["to"][11:16], each["unknown"]) for each in found["spans"]] == [
        ("09:00", "10:00", [YA]),
        ("12:00", "18:00", [YA]),
    ]
    assert [(each["user"], each["from"][11:16], each["to"][11:16]) for each in found["busy"]] == [
        (MING, "10:00", "11:00"),
        (WANG, "10:30", "12:00"),
    ]
    assert "保密" not in str(found)


async def test_who_has_nothing_recorded_is_not_free(running: Running) -> None:
    async with running.client() as client:
        assert (await asked(client, users=YA)) == {"spans": [], "busy": []}


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"to": "2026-11-20T08:00:00+08:00"}, "to"),
        ({"to": "2027-11-20"}, "to"),
        ({"from": "昨天"}, "from"),
        ({"minutes": "0"}, "minutes"),
        ({"minutes": "many"}, "minutes"),
        ({"users": ","}, "users"),
        ({"users": "999999"}, "users"),
        ({"from": "2020-01-01", "to": "2020-01-02"}, "to"),
    ],
)
async def test_what_is_wrong_is_named(running: Running, params: dict[str, str], field: str) -> None:
    async with running.client() as client:
        answer = await client.get(PATH, params={**DAY, **params})
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["field"] == field


async def test_members_of_the_group_may_ask_and_nobody_else(running: Running) -> None:
    async with running.client(Actor("member", MING, GROUP, "小明")) as client:
        assert (await client.get(PATH, params=DAY)).status_code == 200
    async with running.client(Actor("admin", YA, "888", "小雅")) as client:
        assert (await client.get(PATH, params=DAY)).status_code == 403
