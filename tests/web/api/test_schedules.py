"""`/api/groups/{id}/schedules`: every time it takes place, written by the same operations as a line."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from default_run import first
from nonebot_plugin_mishu.services.access.actor import Actor

from .conftest import BOT, GROUP, MING, WANG, YA, Running

PATH = f"/groups/{GROUP}/schedules"
MEETING = {"description": "评审", "starts_at": "2026-11-20T15:00:00+08:00", "user_id": MING}
WEEKLY = {
    "description": "例会",
    "starts_at": "2026-11-19T10:00:00+08:00",
    "ends_at": "2026-11-19T11:00:00+08:00",
    "recurrence": {"freq": "weekly", "byday": ["TH"]},
    "user_id": MING,
}
SPAN = {"from": "2026-11-18T00:00:00+08:00", "to": "2026-12-18T00:00:00+08:00", "expand": "true"}


async def made(client: httpx.AsyncClient, body: dict[str, Any]) -> dict[str, Any]:
    answer = await client.post(PATH, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def times(client: httpx.AsyncClient, **more: str) -> list[tuple[str, str | None]]:
    answer = await client.get(PATH, params={**SPAN, **more})
    assert answer.status_code == 200, answer.text
    return [(each["starts_at"][:16], each["exception"]) for each in answer.json()]


async def test_a_schedule_is_made_listed_told_and_undone_by_its_person(running: Running) -> None:
    async with running.client() as client:
        row = await made(client, {**MEETING, "place": "会议室"})
        assert row["starts_at"] == "2026-11-20T15:00:00.000+08:00"
        assert row["time"] == "2026-11-20 15:00:00"
        assert (row["created_by"], row["exception"], row["all_day"]) == (MING, None, False)
        listed = (await client.get(PATH)).json()
        assert [each["id"] for each in listed] == [row["id"]]
        assert "starts_at" not in listed[0]
    assert running.platform.texts
    assert "小明在网页上" in running.platform.texts[0]
    assert "评审" in running.platform.texts[0]
    storage = running.office.storage
    place = (await storage.groups.find_accounts(GROUP))[0]
    undone = await storage.changes.undo(place, MING, running.clock.wall())
    assert undone is not None
    async with running.client() as client:
        assert (await client.get(PATH)).json() == []


async def test_one_time_is_moved_and_another_called_off(running: Running) -> None:
    async with running.client() as client:
        row = await made(client, WEEKLY)
        one = f"{PATH}/{row['id']}"
        moved = await client.patch(
            one,
            params={"occurrence": "2026-11-26T10:00:00+08:00"},
            json={"starts_at": "2026-11-27T14:00:00+08:00", "user_id": MING},
        )
        assert moved.status_code == 200, moved.text
        assert moved.json()["exception"] == "moved"
        assert moved.json()["ends_at"] == "2026-11-27T15:00:00.000+08:00"
        where = {"occurrence": "2026-12-03T10:00:00+08:00", "user_id": MING}
        asked = await client.delete(one, params=where)
        assert asked.status_code == 409
        assert "12月3日" in asked.json()["error"]["question"]
        gone = await client.delete(one, params={**where, "confirm": "true"})
        assert gone.status_code == 204
        again = await client.delete(one, params={**where, "confirm": "true"})
        assert again.status_code == 404
        # Every time of what repeats has its id; what stands alone has its own.
        answer = await client.get(PATH, params=SPAN)
        assert {each["id"] for each in answer.json()} == {row["id"]}
        assert await times(client) == [
            ("2026-11-19T10:00", None),
            ("2026-11-27T14:00", "moved"),
            ("2026-12-03T10:00", "cancelled"),
            ("2026-12-10T10:00", None),
            ("2026-12-17T10:00", None),
        ]
        # The moved time called off too: then that day is one on which nothing happens.
        there = f"{PATH}/{moved.json()['id']}"
        assert (await client.delete(there, params={"user_id": MING, "confirm": "true"})).status_code == 204
        assert ("2026-11-26T10:00", "cancelled") in await times(client)


async def test_to_is_not_included_and_pages_go_on(running: Running) -> None:
    async with running.client() as client:
        await made(client, WEEKLY)
        assert await times(client, to="2026-11-26T10:00:00+08:00") == [("2026-11-19T10:00", None)]
        seen: list[str] = []
        cursor = ""
        for _ in range(10):
            more = {"cursor": cursor} if cursor else {}
            answer = await client.get(PATH, params={**SPAN, "limit": "2", **more})
            seen += [each["starts_at"][:10] for each in answer.json()]
            cursor = answer.headers.get("X-Next-Cursor", "")
            if not cursor:
                break
        assert seen == ["2026-11-19", "2026-11-26", "2026-12-03", "2026-12-10", "2026-12-17"]


async def test_plain_pages_go_through_all_of_them_once(running: Running) -> None:
    async with running.client() as client:
        for hour in range(9, 16):
            body = {**MEETING, "starts_at": f"2026-11-20T{hour:02d}:00:00+08:00"}
            await made(client, body)
        first = await client.get(PATH, params={"limit": 5})
        rest = await client.get(PATH, params={"limit": 5, "cursor": first.headers["X-Next-Cursor"]})
        assert "X-Next-Cursor" not in rest.headers
        assert [each["time"][11:13] for each in [*first.json(), *rest.json()]] == [
            f"{hour:02d}" for hour in range(9, 16)
        ]


async def test_what_coincides_is_asked_about_and_goes_on_a_yes(running: Running) -> None:
    async with running.client() as client:
        await made(client, MEETING)
        asked = await client.post(PATH, json={**MEETING, "description": "面试"})
        assert asked.status_code == 409
        assert "评审" in asked.json()["error"]["question"]
        assert len((await client.get(PATH)).json()) == 1
        await made(client, {**MEETING, "description": "面试", "confirm": True})
        assert len((await client.get(PATH)).json()) == 2


@first(2)
@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"starts_at": "2026-11-20T15:00:00"}, "starts_at"),
        ({"starts_at": "2026-11-20 15:00:00"}, "starts_at"),
        ({"starts_at": 1795000000}, "starts_at"),
        ({"starts_at": None}, "starts_at"),
        ({"starts_at": "2026-11-17T15:00:00+08:00"}, "starts_at"),
        ({"ends_at": "2026-11-20T14:00:00+08:00"}, "ends_at"),
        ({"ends_at": "2026-11-20T16:00:00"}, "ends_at"),
        ({"description": ""}, "description"),
        ({"recurrence": {"freq": "sometimes"}}, "recurrence.freq"),
        ({"recurrence": {"freq": "weekly", "byday": ["XX"]}}, "recurrence.byday"),
        ({"segment": "dawn"}, "segment"),
        ({"user_id": None}, "user_id"),
    ],
)
async def test_a_wrong_value_is_422_and_named(running: Running, change: dict[str, Any], named: str) -> None:
    async with running.client() as client:
        answer = await client.post(PATH, json={**MEETING, **change})
        assert answer.status_code == 422, answer.text
        assert answer.json()["error"]["message"].startswith(named)
        assert (await client.get(PATH)).json() == []


async def test_the_old_names_of_the_times_do_as_well(running: Running) -> None:
    body = {"description": "会", "time": "2026-11-20T07:00:00Z", "user_id": MING}
    async with running.client() as client:
        assert (await made(client, body))["time"] == "2026-11-20 15:00:00"
        naive = await client.post(PATH, json={**body, "time": "2026-11-21 07:00:00"})
        assert naive.status_code == 422
        assert "time" in naive.json()["error"]["message"]


async def test_a_member_changes_their_own_and_an_admin_all(running: Running) -> None:
    member, other = Actor("member", MING, GROUP, "小明"), Actor("member", WANG, GROUP, "小王")
    admin = Actor("admin", YA, GROUP, "小雅")
    plain = {name: value for name, value in MEETING.items() if name != "user_id"}
    async with running.client(member) as client:
        row = await made(client, plain)
        assert row["created_by"] == MING
        # Whose it is a session says, not the request.
        assert (await made(client, {**WEEKLY, "user_id": WANG}))["created_by"] == MING
    one = f"{PATH}/{row['id']}"
    async with running.client(other) as client:
        assert (await client.patch(one, json={"place": "楼下"})).status_code == 403
        assert (await client.delete(one, params={"confirm": "true"})).status_code == 403
    async with running.client(admin) as client:
        changed = await client.patch(one, json={"place": "楼下"})
        assert changed.json()["place"] == "楼下"
        assert (await client.delete(one, params={"confirm": "true"})).status_code == 204
        assert (await client.delete(one, params={"confirm": "true"})).status_code == 404


async def test_another_group_is_closed_to_a_member(running: Running) -> None:
    async with running.client(Actor("admin", YA, "888", "小雅")) as client:
        assert (await client.get(PATH)).status_code == 403
        assert (await client.post(PATH, json=MEETING)).status_code == 403
        assert (await client.get(f"/groups/{GROUP}/messages")).status_code == 403
        assert (await client.get(f"/groups/{GROUP}/events")).status_code == 403


async def test_a_group_nobody_saw(running: Running) -> None:
    async with running.client() as client:
        assert (await client.get("/groups/404404/schedules")).json() == []
        assert (await client.post("/groups/404404/schedules", json=MEETING)).status_code == 404


async def test_data_are_there_without_a_connected_account(running: Running) -> None:
    async with running.client() as client:
        await made(client, MEETING)
        running.platform.ours = []
        for room in running.office.desk().rooms:  # type: ignore[union-attr]
            running.office.desk().rooms.leave(room)  # type: ignore[union-attr]
        assert len((await client.get(PATH)).json()) == 1
        assert (await client.get("/groups")).json()[0]["self_ids"] == [BOT]
        written = await client.post(PATH, json={**WEEKLY})
        assert written.status_code == 201  # nobody could be told; it is kept all the same


async def test_whole_days_and_parts_of_days(running: Running) -> None:
    async with running.client() as client:
        trip = await made(
            client,
            {
                "description": "团建",
                "starts_at": "2026-11-21T00:00:00+08:00",
                "ends_at": "2026-11-23T00:00:00+08:00",
                "all_day": True,
                "user_id": MING,
            },
        )
        assert (trip["all_day"], trip["end"]) == (True, "2026-11-22 23:59:59")
        part = await made(
            client,
            {
                "description": "打球",
                "starts_at": "2026-11-24T12:30:00+08:00",
                "segment": "afternoon",
                "user_id": MING,
            },
        )
        assert (part["segment"], part["time"][:10], part["end"]) == ("afternoon", "2026-11-24", None)
        moved = await client.patch(
            f"{PATH}/{part['id']}", json={"starts_at": "2026-11-25T16:00:00+08:00", "user_id": MING}
        )
        assert (moved.json()["segment"], moved.json()["time"]) == (None, "2026-11-25 16:00:00")


async def test_all_of_what_repeats_moves_to_another_day(running: Running) -> None:
    async with running.client() as client:
        row = await made(client, WEEKLY)
        body = {
            "starts_at": "2026-11-20T10:00:00+08:00",
            "recurrence": {"freq": "weekly", "byday": ["FR"]},
            "user_id": MING,
        }
        assert (await client.patch(f"{PATH}/{row['id']}", json=body)).status_code == 200
        assert [start for start, _ in await times(client)][:2] == ["2026-11-20T10:00", "2026-11-27T10:00"]


async def test_pages_lose_nothing_where_many_begin_together(running: Running) -> None:
    async with running.client() as client:
        await made(client, WEEKLY)
        for number in range(5):
            await made(client, {**MEETING, "description": f"会{number}", "confirm": True})
        for more in ({"expand": "true"}, {}):
            span = {"from": SPAN["from"], "to": "2026-11-25", "limit": "2", **more}
            seen: list[int] = []
            cursor: dict[str, str] = {}
            for _ in range(4):
                answer = await client.get(PATH, params={**span, **cursor})
                seen += [each["id"] for each in answer.json()]
                cursor = {"cursor": answer.headers.get("X-Next-Cursor", "")}
                if not cursor["cursor"]:
                    break
            assert len(seen) == len(set(seen)) == 6


async def test_a_moved_time_is_named_by_its_series_and_when_it_would_have_begun(running: Running) -> None:
    async with running.client() as client:
        row = await made(client, WEEKLY)
        one = f"{PATH}/{row['id']}"
        was = {"occurrence": "2026-11-26T10:00:00+08:00"}
        body = {"starts_at": "2026-11-27T14:00:00+08:00", "user_id": MING}
        assert (await client.patch(one, params=was, json=body)).status_code == 200
        seen = (await client.get(one, params=was)).json()
        assert (seen["id"], seen["exception"], seen["time"]) == (row["id"], "moved", "2026-11-27 14:00:00")
        assert (await client.get(one)).json() == row
        further = await client.patch(one, params=was, json={**body, "starts_at": "2026-11-28T09:00:00+08:00"})
        assert further.status_code == 200, further.text
        now = {"occurrence": "2026-11-28T09:00:00+08:00"}
        place = await client.patch(one, params=now, json={"place": "楼上", "user_id": MING})
        assert (place.json()["place"], place.json()["time"]) == ("楼上", "2026-11-28 09:00:00")
        gone = await client.delete(one, params={**now, "user_id": MING, "confirm": "true"})
        assert gone.status_code == 204
        assert (await times(client))[:2] == [("2026-11-19T10:00", None), ("2026-11-26T10:00", "cancelled")]
        # Without what repeats there is nothing whose id it could have.
        await client.patch(
            one, params={"occurrence": "2026-12-03T10:00:00+08:00"}, json={**body, "confirm": True}
        )
        assert (await client.delete(one, params={"user_id": MING, "confirm": "true"})).status_code == 204
        [left] = (await client.get(PATH, params=SPAN)).json()
        assert (left["exception"], left["id"] != row["id"]) == ("moved", True)


async def test_what_takes_several_days_is_on_each_of_them(running: Running) -> None:
    async with running.client() as client:
        trip = {
            "description": "团建",
            "starts_at": "2026-11-20T00:00:00+08:00",
            "ends_at": "2026-11-23T00:00:00+08:00",
            "all_day": True,
            "user_id": MING,
        }
        whole = {**trip, "description": "值日", "starts_at": "2026-11-20T00:00:00+08:00", "ends_at": None}
        for body in (trip, whole):
            await made(client, body)
        found: dict[int, list[str]] = {}
        for day in range(19, 25):
            span = {"from": f"2026-11-{day}", "to": f"2026-11-{day + 1}"}
            for more in ({"expand": "true"}, {}):
                rows = (await client.get(PATH, params={**span, **more})).json()
                found.setdefault(day, []).append("".join(each["description"] for each in rows))
        assert found == {
            **{day: ["", ""] for day in (19, 23, 24)},
            20: ["团建值日", "团建值日"],
            **{day: ["团建", "团建"] for day in (21, 22)},
        }
        later = {"from": "2026-11-20T15:00:00+08:00", "to": "2026-11-21", "expand": "true"}
        rows = (await client.get(PATH, params=later)).json()
        assert [each["description"] for each in rows] == ["团建", "值日"], "a whole day is not over at 15:00"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({**MEETING, "due_date": "2026-11-20"}, "due_date"),
        ({**MEETING, "user_id": "999"}, "user_id"),
        ({**MEETING, "starts_at": None}, "starts_at"),
        ({**MEETING, "recurrence": {"freq": "sometimes"}}, "recurrence.freq"),
    ],
)
async def test_the_field_of_a_refusal_is_told(running: Running, body: dict[str, Any], field: str) -> None:
    async with running.client() as client:
        answer = await client.post(PATH, json=body)
        assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)
        assert (await client.get(PATH)).json() == []


async def test_only_this_time_is_undone_as_a_change_and_not_as_a_cancellation(running: Running) -> None:
    async with running.client() as client:
        row = await made(client, WEEKLY)
        moved = await client.patch(
            f"{PATH}/{row['id']}",
            params={"occurrence": "2026-11-26T10:00:00+08:00"},
            json={"starts_at": "2026-11-27T14:00:00+08:00", "user_id": MING},
        )
        assert moved.status_code == 200, moved.text
    storage = running.office.storage
    place = (await storage.groups.find_accounts(GROUP))[0]
    undone = await storage.changes.undo(place, MING, running.clock.wall())
    assert undone is not None
    assert undone.summary.startswith("改11月26日")
    assert undone.summary.endswith("这一次")
    assert "取消" not in undone.summary
    assert "添加" not in undone.summary
