"""A client of `/api/v1` that knows the OpenAPI document and nothing else: a calendar, tasks, a book.

It names operations by their ids and values by their names; the document says where each goes. Whatever comes
back is held against the document's schema: a field that is not described, or is something else, is a failure.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from typing import Any, cast
from zoneinfo import ZoneInfo

import httpx
import pytest
import pytest_asyncio

from .harness import Api, Chat, Member

OFFLINE = True
ZONE = ZoneInfo("Asia/Shanghai")
TYPES = {"string": str, "integer": int, "boolean": bool, "object": dict, "array": list, "null": type(None)}


class Refused(Exception):
    """An answer that is no success: `status`, and what the document says is in an error."""

    def __init__(self, answer: httpx.Response) -> None:
        self.status = answer.status_code
        self.error: dict[str, str] = answer.json()["error"]
        super().__init__(f"{self.status} {self.error}")


class Client:
    """Calls operations of the document."""

    def __init__(self, http: httpx.AsyncClient, document: dict[str, Any]) -> None:
        self._http = http
        self._document = document
        self._operations = {
            operation["operationId"]: (method, path, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        }

    @classmethod
    async def of(cls, http: httpx.AsyncClient) -> Client:
        """From the document that `/api/docs` links to."""
        page = await http.get("/api/docs")
        assert 'href="openapi.json"' in page.text
        return cls(http, (await http.get("/api/openapi.json")).json())

    async def call(self, operation_id: str, **values: Any) -> Any:
        """Call an operation; what it answers. Raises `Refused`."""
        return (await self.ask(operation_id, **values))[0]

    async def ask(self, operation_id: str, **values: Any) -> tuple[Any, httpx.Response]:
        """The same, with the whole response."""
        method, path, operation = self._operations[operation_id]
        sent: dict[str, dict[str, Any]] = {"path": {}, "query": {}, "header": {}, "body": {}}
        known = {each["name"]: each["in"] for each in operation["parameters"]}
        body = self._properties(operation)
        for name, value in values.items():
            plain = name.removesuffix("_")  # from_ and if_none_match_ are no names of Python's
            by_header = plain.replace("_", "-").title()
            if by_header in known:
                sent["header"][by_header] = value
            elif plain in known:
                sent[known[plain]][plain] = value
            else:
                assert plain in body, f"{operation_id} says nothing of {plain}"
                sent["body"][plain] = value
        address = "/api" + path.format(**sent["path"])
        answer = await self._http.request(
            method,
            address,
            params=sent["query"],
            headers=sent["header"],
            json=sent["body"] if body else None,
            timeout=30,
        )
        assert str(answer.status_code) in operation["responses"], f"{operation_id}: {answer.status_code}"
        if answer.status_code == 304:
            return None, answer
        schema = self._answered(operation, answer.status_code)
        if answer.status_code >= 300:
            self._check(schema, answer.json(), operation_id, optional=True)
            raise Refused(answer)
        if answer.status_code == 204:
            return None, answer
        self._check(schema, answer.json(), operation_id)
        return answer.json(), answer

    async def all(self, operation_id: str, **values: Any) -> list[Any]:
        """Every item of a list, page by page."""
        found: list[Any] = []
        cursor: dict[str, str] = {}
        while True:
            page = await self.call(operation_id, **values, **cursor)
            found += page["items"]
            if page["next_cursor"] is None:
                return found
            cursor = {"cursor": page["next_cursor"]}

    @asynccontextmanager
    async def follow(self, group_id: str, last: str | None = None) -> AsyncIterator[Events]:
        """The live events of a group, from the last one that was seen on."""
        _, path, _ = self._operations["stream_events"]
        headers = {} if last is None else {"Last-Event-ID": last}
        address = "/api" + path.format(group_id=group_id)
        async with self._http.stream("GET", address, headers=headers, timeout=30) as answer:
            assert answer.status_code == 200
            yield Events(self, answer.aiter_lines())

    def check(self, name: str, value: Any) -> None:
        """Hold a value against a schema of the document."""
        self._check({"$ref": f"#/components/schemas/{name}"}, value, name)

    def _properties(self, operation: Mapping[str, Any]) -> dict[str, Any]:
        content = operation.get("requestBody", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema", {})
        for each in schema.get("anyOf", [schema]):
            if "$ref" in each:
                return self._resolved(each).get("properties", {})
        return {}

    def _answered(self, operation: Mapping[str, Any], status: int) -> Mapping[str, Any]:
        content = operation["responses"][str(status)].get("content", {})
        return content.get("application/json", {}).get("schema", {})

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        while "$ref" in schema:
            schema = self._document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
        return schema

    def _check(self, schema: Mapping[str, Any], value: Any, where: str, *, optional: bool = False) -> None:
        schema = self._resolved(schema)
        if "anyOf" in schema:
            assert any(self._fits(each, value) for each in schema["anyOf"]), f"{where}: {value!r}"
            return
        if "enum" in schema:
            assert value in schema["enum"], f"{where}: {value!r}"
        assert isinstance(value, TYPES[schema["type"]]), f"{where}: {value!r} is no {schema['type']}"
        match schema["type"]:
            case "object":
                fields = cast("dict[str, Any]", schema.get("properties", {}))
                free = schema.get("additionalProperties")
                if free is None:
                    odd = value.keys() ^ fields.keys()
                    assert value.keys() <= fields.keys(), f"{where}: {odd}"
                    assert optional or not odd, f"{where}: {odd}"
                for name, each in value.items():
                    if name in fields:
                        assert fields[name].get("description") or "$ref" in fields[name], f"{where}.{name}"
                        self._check(fields[name], each, f"{where}.{name}", optional=optional)
            case "array":
                for each in value:
                    self._check(schema["items"], each, where)
            case "string" if schema.get("format") == "date-time":
                assert datetime.fromisoformat(value).tzinfo is not None, f"{where}: {value} has no offset"
            case "string" if schema.get("format") == "date":
                date.fromisoformat(value)
            case _:
                pass

    def _fits(self, schema: Mapping[str, Any], value: Any) -> bool:
        try:
            self._check(schema, value, "")
        except AssertionError:
            return False
        return True


class Events:
    """The events of a stream, one after the other."""

    def __init__(self, client: Client, lines: AsyncIterator[str]) -> None:
        self._client = client
        self._lines = lines
        self.last: str | None = None

    async def next(self, *kinds: str) -> dict[str, Any]:
        """The next event of one of these kinds."""
        async with asyncio.timeout(15):
            async for line in self._lines:
                if not line.startswith("data: "):
                    continue
                event = json.loads(line.removeprefix("data: "))
                self._client.check("Event", event)
                self.last = event["id"]
                if event["kind"] in kinds:
                    return event
        raise AssertionError("the stream ended")


class Home:
    """A group with two members, and the client's own person in it."""

    def __init__(self, client: Client, room: Chat, me: Member, other: Member) -> None:
        self.client = client
        self.group_id = room.id
        self.me = str(me.user_id)
        self.other = str(other.user_id)

    async def call(self, operation_id: str, **values: Any) -> Any:
        """An operation on the group."""
        return await self.client.call(operation_id, group_id=self.group_id, **values)


@pytest_asyncio.fixture(loop_scope="session")
async def home(room: Chat, api: Api) -> Home:
    me, other = room.members("小明", "小雅")
    await room.say(me, "大家好")
    await room.say(other, "周六九点集合")
    client = await Client.of(api.http)
    found = Home(client, room, me, other)

    async def known() -> set[str]:
        try:
            return {each["id"] for each in await client.all("list_members", group_id=room.id)}
        except Refused:
            return set()

    await api.poll(known, lambda seen: {found.me, found.other} <= seen, "both members")
    return found


def day(ahead: int, hour: int = 0) -> datetime:
    """A moment in some days."""
    today = datetime.now(ZONE).replace(hour=0, minute=0, second=0, microsecond=0)
    return today + timedelta(days=ahead, hours=hour)


async def refused(asked: Awaitable[Any], status: int) -> dict[str, str]:
    """What an operation refuses."""
    with pytest.raises(Refused) as why:
        await asked
    assert why.value.status == status, str(why.value)
    return why.value.error


async def test_a_calendar(home: Home) -> None:
    first, last = day(30), day(33)
    trip = await home.call(
        "create_schedule",
        as_user=home.me,
        description="去杭州",
        all_day=True,
        starts_at=first.isoformat(),
        ends_at=last.isoformat(),
    )
    # What is given back can be sent as it is.
    assert datetime.fromisoformat(trip["starts_at"]) == first
    assert datetime.fromisoformat(trip["ends_at"]) == last
    for each in range(3):
        span = {"from_": day(30 + each).isoformat(), "to": day(31 + each).isoformat(), "expand": True}
        assert [
            one["id"] for one in await home.client.all("list_schedules", group_id=home.group_id, **span)
        ] == [trip["id"]]
    behind = {"from_": last.isoformat(), "to": day(34).isoformat(), "expand": True}
    assert await home.client.all("list_schedules", group_id=home.group_id, **behind) == []

    weekly = await home.call(
        "create_schedule",
        as_user=home.me,
        description="例会",
        starts_at=day(40, 10).isoformat(),
        ends_at=day(40, 11).isoformat(),
        recurrence={"freq": "daily", "interval": 7},
    )
    span = {"from_": day(40).isoformat(), "to": day(56).isoformat(), "expand": True, "limit": 2}
    times = await home.client.all("list_schedules", group_id=home.group_id, **span)
    assert [one["id"] for one in times] == [weekly["id"]] * 3
    second = {"schedule_id": weekly["id"], "occurrence": times[1]["occurrence"]}
    moved = await home.call("update_schedule", **second, as_user=home.me, starts_at=day(48, 14).isoformat())
    assert (moved["id"], moved["exception"], moved["occurrence"]) == (
        weekly["id"],
        "moved",
        times[1]["occurrence"],
    )
    assert moved["recurrence"] == weekly["recurrence"]
    assert await home.call("get_schedule", **second) == moved
    # The same name goes on to mean that time.
    assert (await home.call("update_schedule", **second, as_user=home.me, place="楼上"))["place"] == "楼上"
    plain = [each["id"] for each in await home.client.all("list_schedules", group_id=home.group_id)]
    assert sorted(plain) == sorted({trip["id"], weekly["id"]}), "each schedule once"
    asked = await refused(home.call("delete_schedule", **second, as_user=home.me), 409)
    assert "吗？" in asked["question"]
    await home.call("delete_schedule", **second, as_user=home.me, confirm=True)
    times = await home.client.all("list_schedules", group_id=home.group_id, **span)
    assert [one["exception"] for one in times] == [None, "cancelled", None]
    await home.call("undo", as_user=home.me)
    assert (await home.call("get_schedule", **second))["exception"] == "moved"

    wrong = await refused(home.call("create_schedule", as_user=home.me, description="x"), 422)
    assert wrong["field"] == "starts_at"
    body = {"description": "x", "starts_at": day(9).isoformat()}
    assert (await refused(home.call("create_schedule", **body), 422))["field"] == "as_user"
    assert (await refused(home.call("create_schedule", **body, as_user="1"), 422))["field"] == "as_user"
    await home.call("delete_schedule", schedule_id=trip["id"], as_user=home.me, confirm=True)
    await refused(home.call("get_schedule", schedule_id=trip["id"]), 404)


async def test_tasks(home: Home) -> None:
    client = home.client
    report = await client.call(
        "create_task",
        user_id=home.me,
        group_id=home.group_id,
        title="交报告",
        starts_at=day(3, 14).isoformat(),
        ends_at=day(3, 15).isoformat(),
    )
    assert (report["due_date"], report["recurrence"]) == (day(3).date().isoformat(), None)
    water = await client.call(
        "create_task",
        user_id=home.me,
        group_id=home.group_id,
        title="喝水",
        due_date=day(3).date().isoformat(),
        recurrence={"freq": "daily"},
    )
    assert water["recurrence"]["freq"] == "daily"
    mine = await client.all("list_tasks", user_id=home.me, group_id=home.group_id, limit=1)
    assert [each["id"] for each in mine] == [report["id"], water["id"]]
    assert await client.call("get_task", task_id=report["id"]) == report
    later = await client.call("update_task", task_id=report["id"], starts_at=day(4, 9).isoformat())
    assert datetime.fromisoformat(later["ends_at"]) == day(4, 10), "a new beginning keeps the length"
    assert later["due_date"] == day(4).date().isoformat()
    whole = await client.call("update_task", task_id=report["id"], starts_at=None, priority="high")
    assert (whole["starts_at"], whole["priority"]) == (None, "high")
    done = await client.call("complete_task", task_id=report["id"])
    assert done["status"] == "completed"
    await home.call("undo", as_user=home.me)
    assert (await client.call("get_task", task_id=report["id"]))["status"] == "pending"
    asked = await refused(client.call("delete_task", task_id=water["id"]), 409)
    assert "喝水" in asked["question"]
    await client.call("delete_task", task_id=water["id"], confirm=True)
    left = await client.all("list_tasks", user_id=home.me, group_id=home.group_id, status="pending")
    assert [each["id"] for each in left] == [report["id"]]
    wrong = {"starts_at": day(5, 9).isoformat(), "ends_at": day(5, 8).isoformat()}
    never = await refused(client.call("update_task", task_id=report["id"], **wrong), 422)
    assert never["field"] == "ends_at"
    help_ = {"title": "帮忙", "group_id": home.group_id, "due_date": day(3).date().isoformat()}
    stranger = client.call("create_task", **help_, user_id="1", as_user=home.me)
    assert (await refused(stranger, 422))["field"] == "user_id"
    assert (await refused(client.call("create_task", **help_), 422))["field"] == "user_id"
    given = await client.call("create_task", **help_, user_id=home.other, as_user=home.me)
    assert (given["user_id"], given["created_by"]) == (home.other, home.me)


async def test_money(home: Home) -> None:
    dinner = await home.call(
        "create_transaction",
        as_user=home.me,
        amount="100.00",
        category="餐饮",
        description="聚餐",
        participants=[{"user_id": home.me}, {"user_id": home.other}],
        idempotency_key=f"dinner-{home.group_id}",
    )
    again = await home.call(
        "create_transaction",
        as_user=home.me,
        amount="100.00",
        category="餐饮",
        description="聚餐",
        participants=[{"user_id": home.me}, {"user_id": home.other}],
        idempotency_key=f"dinner-{home.group_id}",
    )
    assert again == dinner
    lunch = await home.call("create_transaction", as_user=home.me, amount="35", description="午饭")
    assert (dinner["scope"], lunch["scope"]) == ("shared", "personal")
    listed = {
        scope: [
            each["id"]
            for each in await home.client.all("list_transactions", group_id=home.group_id, scope=scope)
        ]
        for scope in ("shared", "personal")
    }
    assert listed == {"shared": [dinner["id"]], "personal": [lunch["id"]]}
    shared = await home.call("get_totals")
    own = await home.call("get_totals", user_id=home.me)
    assert [each["amount"] for each in shared["sums"]] == ["100.00"]
    assert [each["amount"] for each in own["sums"]] == ["35.00"]
    changed = await home.call(
        "update_transaction", transaction_id=dinner["id"], as_user=home.me, amount="120.50"
    )
    assert [each["share"] for each in changed["participants"]] == ["60.25", "60.25"]
    assert await home.call("get_transaction", transaction_id=dinner["id"]) == changed
    [debt] = await home.client.all("list_debts", group_id=home.group_id)
    assert (debt["from_user_id"], debt["to_user_id"], debt["amount"]) == (home.other, home.me, "60.25")
    assert await home.call("get_debt", debt_id=debt["id"]) == debt
    paid = await home.call(
        "create_settlement",
        as_user=home.other,
        from_user_id=home.other,
        to_user_id=home.me,
        amount=debt["amount"],
    )
    assert paid["type"] == "TRANSFER"
    assert await home.client.all("list_debts", group_id=home.group_id) == []
    await home.call("undo", as_user=home.other)
    assert await home.client.all("list_debts", group_id=home.group_id) == [debt]
    month = lunch["date"][:7]
    budget = await home.call("put_budget", budget_id=f"{month}:餐饮", as_user=home.me, amount="1000")
    assert (budget["amount"], budget["spent"]) == ("1000.00", "60.25"), "their own half of the dinner"
    assert await home.client.all("list_budgets", group_id=home.group_id, month=month, user_id=home.me) == [
        budget
    ]
    await home.call("delete_budget", budget_id=budget["id"], as_user=home.me)
    await refused(home.call("get_budget", budget_id=budget["id"], user_id=home.me), 404)
    asked = await refused(home.call("delete_transaction", transaction_id=lunch["id"], as_user=home.me), 409)
    assert "午饭" in asked["question"]
    await home.call("delete_transaction", transaction_id=lunch["id"], as_user=home.me, confirm=True)
    await refused(home.call("get_transaction", transaction_id=lunch["id"]), 404)
    stranger = [{"user_id": home.me}, {"user_id": "1"}]
    wrong = home.call("create_transaction", as_user=home.me, amount="9", participants=stranger)
    assert (await refused(wrong, 422))["field"] == "participants"


async def test_the_group_its_settings_and_its_record(home: Home) -> None:
    group, whole = await home.client.ask("get_group", group_id=home.group_id)
    assert (group["id"], group["enabled"]) == (home.group_id, True)
    _, same = await home.client.ask("get_group", group_id=home.group_id, if_none_match=whole.headers["ETag"])
    assert same.status_code == 304
    me = await home.call("get_member", user_id=home.me)
    assert me["name"] == "小明"
    changed = await home.call("update_settings", digest_time="07:30")
    assert changed["digest_time"] == "07:30"
    assert await home.call("get_settings") == changed
    [change, *_] = await home.client.all("list_setting_changes", group_id=home.group_id)
    assert (change["name"], change["value"]) == ("digest_time", "07:30")
    lines = await home.client.all("list_record", group_id=home.group_id, limit=1)
    assert [each["text"] for each in lines] == ["周六九点集合", "大家好"]
    [found] = await home.client.all("list_record", group_id=home.group_id, q="集合")
    assert await home.call("get_line", line_id=found["id"]) == found
    await home.client.all("list_usage", group_id=home.group_id)


async def test_the_stream_tells_what_happened_and_what_was_missed(home: Home) -> None:
    async with home.client.follow(home.group_id) as events:
        await events.next("ready")
        made = await home.call("create_transaction", as_user=home.me, amount="3", description="水")
        told = await events.next("transaction")
        assert (told["action"], told["thing_id"], told["user_id"]) == ("added", made["id"], home.me)
        assert await home.call("get_event", event_id=told["id"]) == told
        last = events.last
    await home.call("put_budget", budget_id="2099-01", as_user=home.me, amount="5")
    await home.call("delete_transaction", transaction_id=made["id"], as_user=home.me, confirm=True)
    async with home.client.follow(home.group_id, last) as events:
        budget = await events.next("budget", "transaction")
        gone = await events.next("transaction")
        assert (budget["kind"], budget["thing_id"]) == ("budget", None)
        assert (gone["action"], gone["thing_id"]) == ("deleted", made["id"])
        await events.next("ready")
    async with home.client.follow(home.group_id, "0badc0de-7") as events:
        await events.next("reset")
