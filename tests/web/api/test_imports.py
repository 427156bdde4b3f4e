"""Imported calendars and bills over HTTP: a person's own, whoever asks."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from nonebot_plugin_mishu.imports.calendars.fetching import Fetched
from nonebot_plugin_mishu.services.access.actor import Actor
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.storage.reminders.records import DIGEST, ReminderRecord

from .conftest import BOT, GROUP, MING, NOW, PLACE, WANG, ZONE, Running

sys.path.insert(0, str(Path(__file__).parents[2] / "imports"))

from bill_files import W_OCTOBER, locked, wechat_csv

DATA = Path(__file__).parents[2] / "imports" / "data"
MING_SELF = Actor("member", MING, GROUP, "小明")
WANG_SELF = Actor("member", WANG, GROUP, "小王")


async def test_a_calendar_from_file_to_deletion(running: Running) -> None:
    content = (DATA / "google.ics").read_bytes()
    async with running.client(MING_SELF) as mine, running.client(WANG_SELF) as other:
        made = await mine.post("/v1/calendars/file", params={"name": "basic.ics"}, content=content)
        assert made.status_code == 201, made.text
        calendar = made.json()["calendar"]
        assert (calendar["name"], calendar["entries"], made.json()["added"]) == ("阿一的日历", 3, 3)
        path = f"/v1/calendars/{calendar['id']}"
        span = {"user_id": MING, "from": "2026-11-20", "to": "2026-11-28"}
        times = (await mine.get("/v1/calendars/times", params=span)).json()["items"]
        assert [(each["title"], each["starts_at"][:16]) for each in times] == [
            ("牙医, 复查", "2026-11-20T15:00"),
            ("瑜伽（改期）", "2026-11-27T20:00"),
        ]
        for refused in (
            await other.get("/v1/calendars/times", params=span),
            await other.get("/v1/calendars", params={"user_id": MING}),
            await other.get(path),
            await other.patch(path, json={"name": "x"}),
            await other.delete(path, params={"confirm": "true"}),
        ):
            assert refused.status_code in (403, 404), refused.text
        shared = await mine.patch(path, json={"shared_with": [GROUP], "name": "我的 工作"})
        assert (shared.json()["shared_with"], shared.json()["name"]) == ([GROUP], "我的 工作")
        far = await mine.patch(path, json={"shared_with": ["999"]})
        assert (far.status_code, far.json()["error"]["field"]) == (422, "shared_with")
        assert (await mine.delete(path)).json()["error"]["question"].startswith("要删掉「我的 工作」吗")
        assert (await mine.delete(path, params={"confirm": "true"})).status_code == 204
        assert (await mine.get("/v1/calendars", params={"user_id": MING})).json()["items"] == []


async def test_an_address(running: Running) -> None:
    async def fetch(url: str, etag: str | None, modified: str | None) -> Fetched:
        return Fetched((DATA / "wakeup.ics").read_bytes(), '"1"')

    running.office.fetch_calendar = fetch
    async with running.client() as owner:
        body = {"as_user": MING, "address": "https://calendar.example.com/a.ics", "name": "课表"}
        made = await owner.post("/v1/calendars", json=body)
        assert (made.status_code, made.json()["calendar"]["name"]) == (201, "课表")
        inner = await owner.post("/v1/calendars", json={**body, "address": "http://192.168.1.1/a.ics"})
        assert (inner.status_code, inner.json()["error"]["field"]) == (422, "address")
        nobody = await owner.post("/v1/calendars", json={"address": body["address"]})
        assert (nobody.status_code, nobody.json()["error"]["field"]) == (422, "as_user")


async def test_a_bill_is_written_on_its_confirmation_alone(running: Running) -> None:
    data = wechat_csv(W_OCTOBER)
    async with running.client(MING_SELF) as mine, running.client(WANG_SELF) as other:
        shown = (await mine.post("/v1/bills/file", content=data)).json()
        assert (shown["total"], shown["new"], shown["skipped"]) == (6, 5, {"不计收支": 1})
        assert {each["category"] for each in shown["items"]} == {"餐饮", "交通", "退款", "其他", "居住"}
        path = f"/v1/bills/{shown['id']}"
        assert (await other.post(f"{path}/confirm")).status_code == 404
        assert (await other.delete(path)).status_code == 404
        assert (await mine.post(f"{path}/confirm")).json() == {"records": 5}
        assert (await mine.post(f"{path}/confirm")).status_code == 404
        again = (await mine.post("/v1/bills/file", content=data)).json()
        assert (again["id"], again["new"]) == (None, 0)
        group = (await mine.get(f"/v1/groups/{GROUP}/transactions")).json()["items"]
        assert group == []  # private only


@pytest.mark.parametrize(
    ("path", "content", "status"),
    [
        ("/v1/bills/file", b"", 422),
        ("/v1/bills/file", locked("a.csv", b"x"), 422),
        ("/v1/bills/file", b"x" * (5 * 2**20 + 1), 422),
        ("/v1/bills/file", b"x" * (5 * 2**20 + 2), 413),
        ("/v1/calendars/file?name=a.ics", b"x" * (5 * 2**20 + 1), 422),
        ("/v1/calendars/file?name=a.ics", b"<html>", 422),
        ("/v1/calendars/file", b"BEGIN:VCALENDAR", 422),
        ("/v1/calendars", b"x" * (1 << 20) + b"x", 413),
    ],
)
async def test_what_is_refused(running: Running, path: str, content: bytes, status: int) -> None:
    async with running.client(MING_SELF) as mine:
        answer: Any = await mine.post(path, content=content)
        assert answer.status_code == status, answer.text


async def test_a_digest_in_private_tells_ones_own_entries(running: Running) -> None:
    private = Conversation(BOT, "private", MING)
    content = (DATA / "google.ics").read_bytes()
    async with running.client(MING_SELF) as mine:
        await mine.post("/v1/calendars/file", params={"name": "basic.ics"}, content=content)
    running.clock.ahead = (datetime(2026, 11, 20, 8, tzinfo=ZONE) - NOW).total_seconds()
    services, desk = running.runtime._services, running.office.desk()
    assert services is not None
    assert desk is not None
    compose = services.reminders._compose[DIGEST]

    async def told(place: Conversation) -> str | None:
        row = ReminderRecord(
            *(1, place, DIGEST, 0, (), False, "日报", None, 0.0, "", "", ZONE.key, None, None, 0, "pending")
        )
        return await compose(row, running.clock.wall())

    assert await told(private) is None, "switched off"
    for place in (private, PLACE):
        (await desk.rooms.opened(place)).settings.features["日报"] = True
    day = "今天是11月20日（周五）。\n你日历里的：\n1. 15:00–16:30 牙医, 复查（中山路 12 号）"
    assert await told(private) == day
    assert await told(PLACE) is None
