"""`/api/v1`: what stands in the document, and that every route of it shows nobody what is another's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import pytest
from default_run import first
from nonebot_plugin_mishu.services.access.actor import Actor
from nonebot_plugin_mishu.storage.transactions.queries import NewTransactions, TransactionChanges
from shared_app import share_app

from .conftest import GROUP, MING, NOW, PLACE, YA, Running
from .test_every_route import (
    ADMIN,
    AT,
    FAR,
    HIM,
    MEMBER,
    SECRET,
    V1,
    VOTE,
    WAYS,
    World,
    world,  # noqa: F401 - a fixture
)

MONEY = {"type": "EXPENSE", "amount": "42.42", "date": "2026-11-18"}
BODIES: Mapping[str, Mapping[str, Any]] = {
    "create_schedule": {"description": "例会", "starts_at": AT},
    "update_schedule": {"place": "楼上"},
    "create_task": {"title": "交表", "due_date": "2026-11-25", "group_id": FAR, "user_id": HIM},
    "update_task": {"title": "交表"},
    "complete_task": {},
    "create_transaction": MONEY,
    "update_transaction": {"amount": "1"},
    "create_settlement": {"from_user_id": HIM, "to_user_id": HIM, "amount": "1"},
    "put_budget": {"amount": "1"},
    "update_settings": {"persona": "话少"},
    "undo": {},
    "nudge_member": {"user_id": HIM, "what": "交表"},
    "update_calendar": {"name": "日历"},
    "confirm_bill": {},
    "create_poll": VOTE,
    "update_poll": {"question": "去哪玩"},
    "answer_poll": {"choice": 1},
    "close_poll": {},
    "reopen_poll": {},
}
"""What writes say; a new one has to be entered here."""
OWN = {"subscribe_calendar", "import_calendar", "preview_bill"}
"""What a member brings in is always their own (`test_imports`): no id of another's leads there."""
LISTS = {"list_groups", "list_tasks", "list_usage"}
"""What names no group by its path."""
KEYS = {
    "schedules": {
        "id",
        "time",
        "end",
        "segment",
        "description",
        "place",
        "recurrence",
        "created_by",
        "joined",
    },
    "transactions": {
        *("id", "type", "amount", "category", "description", "date", "user", "scope", "payer"),
        "participants",
    },
}
"""What the first routes answer, and nothing beside it."""


def operations(running: Running) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Method, path and operation of every route of v1."""
    for path, methods in running.app.openapi()["paths"].items():
        for method, operation in methods.items():
            if path.startswith(V1) and (method.upper(), path) not in WAYS:
                yield method, path, operation


async def test_the_document_says_all_of_it(running: Running) -> None:
    document = running.app.openapi()
    schemas = document["components"]["schemas"]
    undescribed = [
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field, each in schema.get("properties", {}).items()
        if not each.get("description")
    ]
    assert undescribed == []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            named = {each["name"]: each for each in operation["parameters"]}
            assert all(each.get("description") for each in named.values()), f"{method} {path}"
            assert ("Idempotency-Key" in named) is (method != "get"), f"{method} {path}"
            assert ("404" in operation["responses"]) or "{" not in path, f"{method} {path}"
    found = list(operations(running))
    ids = [operation["operationId"] for _, _, operation in found]
    assert len(ids) == len(set(ids)) > 30
    assert {each for each in ids if each.islower() and each.replace("_", "").isalpha()} == set(ids)
    for name in (
        "Schedule",
        "Task",
        "Transaction",
        "Debt",
        "Budget",
        "Group",
        "Member",
        "Line",
        "Event",
        "Poll",
    ):
        assert schemas[name]["examples"][0].keys() == schemas[name]["properties"].keys(), name
    writes = {each["operationId"] for method, _, each in found if method in ("post", "put", "patch")}
    assert writes == set(BODIES) | OWN


@first(1)
@pytest.mark.parametrize("actor", [MEMBER, ADMIN], ids=["member", "admin"])
async def test_another_groups_ids_open_nothing(world: World, actor: Actor) -> None:  # noqa: F811
    before = await world.kept()
    ids = {
        "schedule_id": world.rows["schedule"],
        "task_id": world.rows["task"],
        "transaction_id": world.rows["transaction"],
        "user_id": HIM,
        "budget_id": "2026-11",
        "debt_id": f"{HIM}-902",
        "line_id": "far1",
        "usage_id": "2026-11-18:chat_reply:x",
        "event_id": "x-1",
        "calendar_id": "1",
        "bill_id": "1",
        "poll_id": world.rows["poll"],
    }
    for method, path, operation in operations(world.running):
        name = operation["operationId"]
        if name in OWN:
            continue
        query = {"confirm": "true", "as_user": HIM} if method == "delete" else {"user_id": HIM}
        query |= {"group_id": FAR} if "{group_id}" not in path else {}
        body = {**BODIES.get(name, {}), "as_user": HIM, "confirm": True}
        for group in (FAR, GROUP):
            address = path.lstrip("/").format(group_id=group, **ids)
            if group == GROUP and (name in LISTS or "_id}" not in path.replace("{group_id}", "")):
                continue  # their own group's list
            async with world.running.client(actor) as client:
                answer = await client.request(
                    method, address, params=query, json=body if name in BODIES else None
                )
            told = f"{method} {address} -> {answer.status_code} {answer.text[:200]}"
            assert SECRET not in answer.text, told
            assert FAR not in answer.text, told
            if group == GROUP and name in ("put_budget", "delete_budget"):
                # A budget is always one's own.
                assert answer.status_code in (200, 204), told
            elif name == "list_groups":
                assert [each["id"] for each in answer.json()["items"]] == [GROUP], told
            else:
                assert answer.status_code in (403, 404), told
    assert await world.kept() == before


async def test_the_first_routes_answer_as_before(world: World) -> None:  # noqa: F811
    async with world.running.client() as owner:
        for name, keys in KEYS.items():
            rows = (await owner.get(f"groups/{GROUP}/{name}")).json()
            assert isinstance(rows, list)
            assert rows[0].keys() == keys, name
            assert isinstance(rows[0]["id"], int)
        [task] = (await owner.get(f"users/{HIM}/tasks", params={"group_id": FAR})).json()
        assert "recurrence" not in task
        assert "dueDate" in task


async def test_pages_go_through_all_of_them_once(running: Running) -> None:
    async with running.client() as client:
        for number in range(5):
            body = {"as_user": MING, "amount": str(number + 1), "description": f"第{number}笔"}
            assert (await client.post(f"v1/groups/{GROUP}/transactions", json=body)).status_code == 201
        seen: list[str] = []
        cursor: dict[str, str] = {}
        while True:
            query = {"limit": "2", **cursor}
            answer = (await client.get(f"v1/groups/{GROUP}/transactions", params=query)).json()
            seen += [each["description"] for each in answer["items"]]
            if answer["next_cursor"] is None:
                break
            cursor = {"cursor": answer["next_cursor"]}
        assert seen == [f"第{number}笔" for number in range(5)]
        record = [each async for each in pages(client, f"v1/groups/{GROUP}/record")]
        # All of them were said at one moment: no page loses or repeats one.
        assert sorted(each["name"] for each in record) == ["小明", "小王", "小雅"]
        members = [each["id"] async for each in pages(client, f"v1/groups/{GROUP}/members")]
        assert members == ["101", "102", "103"]


async def pages(client: httpx.AsyncClient, path: str) -> Any:
    """The items of a list, one a page."""
    cursor: dict[str, str] = {}
    for _ in range(20):
        answer = (await client.get(path, params={"limit": "1", **cursor})).json()
        for each in answer["items"]:
            yield each
        if answer["next_cursor"] is None:
            return
        cursor = {"cursor": answer["next_cursor"]}
    raise AssertionError("no end of pages")


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("POST", f"groups/{GROUP}/schedules", {"description": "x", "starts_at": AT}, "as_user"),
        (
            "POST",
            f"groups/{GROUP}/schedules",
            {"as_user": "999", "description": "x", "starts_at": AT},
            "as_user",
        ),
        ("POST", f"groups/{GROUP}/schedules", {"as_user": MING, "description": "x"}, "starts_at"),
        ("POST", f"groups/{GROUP}/schedules", {"as_user": MING, "title": "x"}, "title"),
        ("POST", "tasks", {"title": "x", "group_id": GROUP}, "user_id"),
        ("POST", "tasks", {"title": "x", "group_id": GROUP, "user_id": "999"}, "user_id"),
        ("POST", "tasks", {"title": "x", "user_id": MING, "starts_at": AT}, "ends_at"),
        ("POST", "tasks", {"title": "x", "user_id": MING, "dueDate": "2026-11-20"}, "dueDate"),
        ("POST", f"groups/{GROUP}/transactions", {"as_user": MING}, "amount"),
        ("POST", f"groups/{GROUP}/transactions", {"as_user": MING, "amount": "1", "payer": "999"}, "payer"),
        (
            "POST",
            f"groups/{GROUP}/transactions",
            {"as_user": MING, "amount": "2", "participants": [{"user_id": MING}, {"user_id": "999"}]},
            "participants",
        ),
        (
            "POST",
            f"groups/{GROUP}/settlements",
            {"as_user": MING, "from_user_id": MING, "to_user_id": "999", "amount": "1"},
            "to_user_id",
        ),
        ("PUT", f"groups/{GROUP}/budgets/2026-11", {"as_user": MING, "amount": "0"}, "amount"),
        ("PATCH", f"groups/{GROUP}/settings", {"digest_time": "25:00"}, "digest_time"),
        ("PATCH", f"groups/{GROUP}/settings", {"features": {"飞": True}}, "features.飞"),
    ],
)
async def test_what_cannot_be_is_named(
    running: Running, method: str, path: str, body: dict[str, Any], field: str
) -> None:
    async with running.client() as client:
        answer = await client.request(method, f"v1/{path}", json=body)
    assert (answer.status_code, answer.json()["error"].get("field")) == (422, field), answer.text
    assert answer.json()["error"]["message"].startswith(f"{field}：")


async def test_who_has_it_already_is_not_told_again(running: Running) -> None:
    async with running.client() as client:
        whole = await client.get(f"v1/groups/{GROUP}/schedules")
        tag = whole.headers["ETag"]
        same = await client.get(f"v1/groups/{GROUP}/schedules", headers={"If-None-Match": f'"x", W/{tag}'})
        assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", tag)
        body = {"as_user": MING, "description": "例会", "starts_at": AT}
        assert (await client.post(f"v1/groups/{GROUP}/schedules", json=body)).status_code == 201
        now = await client.get(f"v1/groups/{GROUP}/schedules", headers={"If-None-Match": tag})
        assert (now.status_code, len(now.json()["items"])) == (200, 1)
        old = await client.get(f"groups/{GROUP}/schedules")
        again = await client.get(f"groups/{GROUP}/schedules", headers={"If-None-Match": old.headers["ETag"]})
        assert again.status_code == 304


async def test_a_member_is_nudged_twice_a_day_in_anothers_name(running: Running) -> None:
    path, body = f"v1/groups/{GROUP}/nudges", {"as_user": MING, "user_id": YA, "what": "交方案"}
    async with running.client() as client:
        answers = [await client.post(path, json=body) for _ in range(3)]
        oneself = await client.post(path, json={**body, "user_id": MING})
        stranger = await client.post(path, json={**body, "user_id": "999"})
    assert [each.status_code for each in answers] == [201, 201, 409]
    assert "想问问：「交方案」怎么样了" in answers[0].json()["text"]
    assert (oneself.status_code, stranger.status_code) == (422, 422)
    rows = await running.office.storage.reminders.nudges_to(PLACE, YA)
    assert {row.user_ids for row, _ in rows} <= {(YA,)}


async def test_pages_of_named_sites_may_ask_and_no_others(running: Running) -> None:
    backend = running.runtime.console
    assert backend is not None
    site = "https://app.example.com"
    for origins, allowed in (([site], True), ([], False)):
        app = share_app(backend, token=None, office=running.office, origins=origins)
        transport = httpx.ASGITransport(app, client=("127.0.0.1", 50_000))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client:
            asked = await client.options(
                "/v1/groups",
                headers={
                    "Origin": site,
                    "Access-Control-Request-Method": "PATCH",
                    "Access-Control-Request-Headers": "authorization, idempotency-key",
                },
            )
            assert (asked.headers.get("Access-Control-Allow-Origin") == site) is allowed
            assert "Access-Control-Allow-Credentials" not in asked.headers
            foreign = await client.get("/v1/groups", headers={"Origin": "https://evil.example"})
            assert "Access-Control-Allow-Origin" not in foreign.headers


async def test_a_member_who_acts_is_themselves(running: Running) -> None:
    async with running.client(Actor("member", MING, GROUP, "小明")) as client:
        body = {"as_user": YA, "amount": "5", "description": "水"}
        made = await client.post(f"v1/groups/{GROUP}/transactions", json=body)
        assert made.json()["created_by"] == MING
        task = await client.post("v1/tasks", json={"title": "浇花", "due_date": "2026-11-20"})
        assert (task.json()["user_id"], task.json()["group_id"]) == (MING, GROUP)
        assert [each["id"] for each in (await client.get("v1/tasks")).json()["items"]] == [task.json()["id"]]
        assert (await client.get("v1/usage")).status_code == 403


async def test_a_sum_of_another_currency_is_told_as_it_was_said_until_it_is_corrected(
    running: Running,
) -> None:
    storage = running.runtime.storage
    assert storage is not None
    fields = TransactionChanges("EXPENSE", 23900, "餐饮", "日料", "2026-11-18", foreign="5000 JPY 0.0478")
    new = NewTransactions(PLACE, MING, "小明", "card", 1, [(0, fields)], "日料")
    await storage.transactions.commit(new, NOW.timestamp())
    async with running.client() as client:
        listed = await client.get(f"v1/groups/{GROUP}/transactions", params={"user_id": MING})
        [row] = listed.json()["items"]
        said = {"amount": "5000", "currency": "JPY", "rate": "0.0478"}
        assert (row["amount"], row["foreign"]) == ("239.00", said)
        one = f"v1/groups/{GROUP}/transactions/{row['id']}"
        changed = await client.patch(one, json={"as_user": MING, "amount": "240"})
        assert (changed.json()["amount"], changed.json()["foreign"]) == ("240.00", None)
