"""Every route of the OpenAPI document, asked for what is another's: a new route has to be entered here.

Each request is first made by the bot's owner, so that what refuses a member is their rights and nothing else.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio
from default_run import first
from nonebot_plugin_mishu.services.access.actor import Actor
from nonebot_plugin_mishu.storage.records import Conversation, DecisionRecord, LedgerMessage, Summary

from .conftest import BOT, GROUP, MING, NOW, PLACE, WANG, YA, Running

FAR = "777002"
"""Another group, in which `HIM` is."""
HIM = "901"
SECRET = "天机7f3a"
MEMBER = Actor("member", MING, GROUP, "小明")
ADMIN = Actor("admin", YA, GROUP, "小雅")
REFUSED = (403, 404)
V1 = "/v1/"
"""Routes with these paths are walked over in `test_v1.py`."""
AT = "2026-11-20T15:00:00+08:00"
MONEY = {
    "type": "EXPENSE",
    "amount": "42.42",
    "category": "餐饮",
    "description": SECRET,
    "date": "2026-11-18",
}
VOTE = {"kind": "vote", "question": "去哪", "options": ["山上", "海边"]}
ROWS = {"sid": "schedule", "tid": "task", "pid": "poll"}


@dataclass(frozen=True)
class Way:
    """How a route is asked: beside the ids of its path."""

    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: Mapping[str, Any] | None = None
    streams: bool = False


def writing(**body: Any) -> Way:
    return Way({"confirm": "true", "user_id": HIM}, {**body, "confirm": True, "user_id": HIM})


WAYS: Mapping[tuple[str, str], Way] = {
    ("GET", "/health"): Way(),
    ("GET", "/groups"): Way(),
    ("GET", "/groups/{id}/presence"): Way(),
    ("GET", "/groups/{id}/decisions"): Way(),
    ("GET", "/groups/{id}/messages"): Way(),
    ("GET", "/groups/{id}/events"): Way(streams=True),
    ("GET", "/groups/{id}/frames"): Way(),
    ("GET", "/groups/{id}/record"): Way({"q": SECRET}),
    ("GET", "/groups/{id}/members"): Way(),
    ("GET", "/groups/{id}/schedules"): Way({"expand": "true"}),
    ("GET", "/groups/{id}/free"): Way(),
    ("POST", "/groups/{id}/schedules"): writing(description="例会", starts_at=AT),
    ("GET", "/groups/{id}/schedules/{sid}"): Way(),
    ("PATCH", "/groups/{id}/schedules/{sid}"): writing(place="楼上"),
    ("DELETE", "/groups/{id}/schedules/{sid}"): writing(),
    ("GET", "/groups/{id}/transactions"): Way({"user_id": HIM}),
    ("POST", "/groups/{id}/transactions"): writing(**MONEY),
    ("GET", "/groups/{id}/transactions/{tid}"): Way(),
    ("PATCH", "/groups/{id}/transactions/{tid}"): writing(amount="1"),
    ("DELETE", "/groups/{id}/transactions/{tid}"): writing(),
    ("GET", "/groups/{id}/balances"): Way(),
    ("POST", "/groups/{id}/settlements"): writing(**{"from": HIM, "to": "902", "amount": "1"}),
    ("GET", "/groups/{id}/budgets"): Way({"user_id": HIM}),
    ("PUT", "/groups/{id}/budgets"): writing(total="1"),
    ("GET", "/groups/{id}/polls"): Way(),
    ("POST", "/groups/{id}/polls"): Way({}, {**VOTE, "user_id": HIM}),
    ("GET", "/groups/{id}/polls/{pid}"): Way(),
    ("PATCH", "/groups/{id}/polls/{pid}"): Way({}, {"question": "去哪玩", "user_id": HIM}),
    ("POST", "/groups/{id}/polls/{pid}/answers"): Way({}, {"choice": 1, "user_id": HIM}),
    ("DELETE", "/groups/{id}/polls/{pid}"): Way({"confirm": "true", "user_id": HIM}),
    ("GET", "/groups/{id}/settings"): Way(),
    ("PUT", "/groups/{id}/settings"): Way({"user_id": HIM}, {"persona": "话少", "user_id": HIM}),
    ("GET", "/groups/{id}/settings/changes"): Way(),
    ("GET", "/users/{id}/tasks"): Way(),
    ("POST", "/users/{id}/tasks"): writing(title="交表", dueDate="2026-11-25", groupId=FAR),
    ("GET", "/users/{id}/tasks/{tid}"): Way(),
    ("PATCH", "/users/{id}/tasks/{tid}"): writing(title="交表"),
    ("DELETE", "/users/{id}/tasks/{tid}"): writing(),
    ("POST", "/users/{id}/tasks/{tid}/complete"): writing(),
    ("GET", "/users/{id}/memory"): Way(),
    ("DELETE", "/users/{id}/memory"): Way({"confirm": "true", "group_id": FAR}),
    ("GET", "/usage"): Way({"group_id": FAR}),
    ("POST", "/ai/chat"): Way(body={"message": "在吗", "user_id": HIM, "group_id": FAR, "nickname": "他"}),
    ("GET", "/ai/messages"): Way({"user_id": HIM, "group_id": FAR}),
    ("POST", "/v1/llm/correct-transaction"): Way(body={"currentBatch": [], "correctionText": "好"}),
}
NOBODYS = {("GET", "/health"), ("GET", "/groups"), ("POST", "/v1/llm/correct-transaction")}
"""What names nobody and no group: everybody may ask, and is told of their own group only."""


@dataclass
class World:
    """The running plugin with another group in it; `rows` are ids of what is there."""

    running: Running
    rows: dict[str, int]

    async def ask(self, actor: Actor | None, key: tuple[str, str], ids: dict[str, Any], **more: Any) -> Any:
        method, path = key
        way = WAYS[key]
        async with self.running.client(actor) as client:
            query = {**way.query, **more}
            address = path.lstrip("/").format(**ids)
            return await client.request(method, address, params=query, json=way.body)

    def ids(self, path: str, group: str = FAR, person: str = HIM) -> dict[str, Any]:
        named: dict[str, Any] = {"id": group if path.startswith("/groups") else person}
        for name in ("sid", "tid", "pid"):
            if f"{{{name}}}" in path:
                kind = "transaction" if "transactions" in path else ROWS[name]
                named[name] = self.rows[kind]
        return named

    async def kept(self) -> list[str]:
        """What is kept of the other group, as its owner sees it."""
        found: list[str] = []
        for key, way in WAYS.items():
            if key[0] == "GET" and not way.streams and key[1] not in ("/health", "/groups/{id}/presence"):
                found.append((await self.ask(None, key, self.ids(key[1]))).text)
        return found


@pytest_asyncio.fixture(loop_scope="session")
async def world(running: Running) -> AsyncIterator[World]:
    storage = running.runtime.storage
    assert storage is not None
    far = Conversation(BOT, "group", FAR)
    for place, user in ((far, HIM), (far, "902")):
        receipt = running.clock.receipt()
        storage.ledger.append(
            LedgerMessage(place, f"far{receipt}", NOW.timestamp(), receipt, user, SECRET, "member", SECRET)
        )
    await storage.turns.add(far, HIM, SECRET, SECRET, NOW.timestamp())
    await storage.summaries.store_summary(
        Summary(far, HIM, "t1", "tasks", SECRET, (SECRET,), NOW.timestamp())
    )
    await storage.turns.add(PLACE, WANG, SECRET, SECRET, NOW.timestamp())
    await storage.summaries.store_summary(
        Summary(PLACE, WANG, "t2", "tasks", SECRET, (SECRET,), NOW.timestamp())
    )
    await storage.decisions.add(
        DecisionRecord(
            far, "1", "summon", "absent", "observing", True, "", SECRET, {}, [], 0, NOW.timestamp()
        )
    )
    rows: dict[str, int] = {}
    async with running.client() as owner:
        for kind, path, body in (
            ("schedule", f"groups/{FAR}/schedules", {"description": SECRET, "starts_at": AT}),
            ("task", f"users/{HIM}/tasks", {"title": SECRET, "dueDate": "2026-11-20", "groupId": FAR}),
            ("transaction", f"groups/{FAR}/transactions", MONEY),
            ("poll", f"groups/{FAR}/polls", {"kind": "vote", "question": SECRET, "options": ["山", "海"]}),
            ("budget", f"groups/{FAR}/budgets", {"total": "4242"}),
            ("settings", f"groups/{FAR}/settings", {"persona": SECRET}),
            ("theirs", f"groups/{GROUP}/transactions", {**MONEY, "user_id": WANG}),
            ("private", f"users/{WANG}/tasks", {"title": SECRET, "dueDate": "2026-11-20", "user_id": WANG}),
            ("plan", f"groups/{GROUP}/schedules", {"description": "例会", "starts_at": AT, "user_id": WANG}),
            ("work", f"users/{WANG}/tasks", {"title": "交报告", "dueDate": "2026-11-21", "groupId": GROUP}),
            ("shared", f"groups/{GROUP}/transactions", {**MONEY, "description": "饭", "scope": "shared"}),
            ("vote", f"groups/{GROUP}/polls", {**VOTE, "user_id": WANG}),
        ):
            verb = "PUT" if kind in ("budget", "settings") else "POST"
            whose = WANG if kind in ("work", "shared") else HIM
            answer = await owner.request(verb, path, json={"user_id": whose, **body})
            assert answer.status_code in (200, 201), answer.text
            rows[kind] = answer.json().get("id", 0)
    yield World(running, rows)


def written(running: Running) -> set[tuple[str, str]]:
    paths = running.app.openapi()["paths"]
    found = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    return {each for each in found if not each[1].startswith(V1)} | (found & set(WAYS))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"], indirect=True)
async def test_every_route_of_the_document_is_walked_over(running: Running) -> None:
    assert written(running) == set(WAYS)


@first(1)
@pytest.mark.parametrize("actor", [MEMBER, ADMIN], ids=["member", "admin"])
async def test_another_groups_ids_open_nothing(world: World, actor: Actor) -> None:
    before = await world.kept()
    assert sum(SECRET in each for each in before) > 8, "there is something to be found"
    asked = 0
    for key in WAYS:
        path = key[1]
        ids = world.ids(path)
        attempts: list[tuple[dict[str, Any], dict[str, Any]]] = [(ids, {})]
        if path.startswith("/groups/"):
            attempts.append((ids, {"self_id": BOT}))
            if len(ids) > 1:
                attempts.append(({**ids, "id": GROUP}, {}))
        elif path.startswith("/users/"):
            attempts += [(ids, {"group_id": FAR}), (ids, {"group_id": GROUP})]
            if len(ids) > 1:
                attempts += [({**ids, "id": actor.user_id}, {}), ({**ids, "id": WANG}, {})]
            elif key[0] == "GET":
                attempts.append(({**ids, "id": actor.user_id}, {"group_id": FAR}))
        for named, more in attempts:
            answer = await world.ask(actor, key, named, **more)
            told = f"{key} {named} {more} -> {answer.status_code} {answer.text[:200]}"
            assert SECRET not in answer.text, told
            assert FAR not in answer.text, told
            mine = key == ("GET", "/users/{id}/tasks") and actor is ADMIN and more.get("group_id") != FAR
            if key in NOBODYS or mine:  # an admin lists whose tasks they like, of their own group
                assert answer.status_code == 200, told
            else:
                assert answer.status_code in REFUSED, told
            asked += 1
    assert asked > len(WAYS)
    assert await world.kept() == before


async def test_it_is_rights_and_nothing_else_that_refuses(world: World) -> None:
    """The same requests by the owner: reading ones first, deleting ones last."""
    order = ("GET", "PUT", "PATCH", "POST", "DELETE")
    for key in sorted(WAYS, key=lambda each: order.index(each[0])):
        if not WAYS[key].streams:
            answer = await world.ask(None, key, world.ids(key[1]))
            assert 200 <= answer.status_code < 300, f"{key} -> {answer.status_code} {answer.text}"


@first(1)
@pytest.mark.parametrize("actor", [MEMBER, ADMIN], ids=["member", "admin"])
async def test_an_account_that_is_not_in_the_group_shows_nothing(world: World, actor: Actor) -> None:
    for key in WAYS:
        if key[1].startswith("/groups/") and not WAYS[key].streams:
            answer = await world.ask(actor, key, world.ids(key[1], GROUP), self_id="99999")
            assert (
                answer.status_code == 404
                or answer.json() in ([], {"sentences": []}, {"spans": [], "busy": []})
                or "state" in answer.text
            )
            assert SECRET not in answer.text


AS_IF: Mapping[tuple[str, str], tuple[str, Mapping[str, Any], tuple[int, ...]]] = {
    # What a member tries with somebody else's things in their own group, naming that person; and the answer.
    ("POST", "/groups/{id}/schedules"): (
        "",
        {"description": "x", "starts_at": AT, "everybody": True},
        (403,),
    ),
    ("PATCH", "/groups/{id}/schedules/{sid}"): ("plan", {"place": "x"}, (403,)),
    ("DELETE", "/groups/{id}/schedules/{sid}"): ("plan", {}, (403,)),
    ("POST", "/groups/{id}/transactions"): ("", {**MONEY, "description": "x"}, (201,)),
    ("PATCH", "/groups/{id}/transactions/{tid}"): ("theirs", {"amount": "1"}, (404,)),
    ("DELETE", "/groups/{id}/transactions/{tid}"): ("shared", {}, (403,)),
    ("POST", "/groups/{id}/settlements"): ("", {"from": WANG, "to": YA, "amount": "1"}, (403,)),
    ("PUT", "/groups/{id}/budgets"): ("", {"total": "1"}, (200,)),
    ("POST", "/groups/{id}/polls"): ("", {"kind": "vote", "question": "x", "options": ["a", "b"]}, (201,)),
    ("PATCH", "/groups/{id}/polls/{pid}"): ("vote", {"question": "x"}, (403,)),
    ("POST", "/groups/{id}/polls/{pid}/answers"): ("vote", {"choice": 1}, (422,)),
    ("DELETE", "/groups/{id}/polls/{pid}"): ("vote", {}, (403,)),
    ("PUT", "/groups/{id}/settings"): ("", {"persona": "x"}, (403,)),
    ("POST", "/users/{id}/tasks"): ("", {"title": "x", "dueDate": "2026-11-25", "groupId": GROUP}, (403,)),
    ("PATCH", "/users/{id}/tasks/{tid}"): ("work", {"title": "x"}, (403,)),
    ("DELETE", "/users/{id}/tasks/{tid}"): ("work", {}, (403,)),
    ("POST", "/users/{id}/tasks/{tid}/complete"): ("work", {}, (403,)),
    ("DELETE", "/users/{id}/memory"): ("", {}, (403,)),
    ("POST", "/ai/chat"): ("", {"message": "在吗", "group_id": GROUP}, (403,)),
    ("POST", "/v1/llm/correct-transaction"): ("", {"currentBatch": [], "correctionText": "好"}, (200,)),
}


async def test_a_member_who_names_another_stays_a_member(world: World) -> None:
    assert {key for key in WAYS if key[0] != "GET"} == set(AS_IF)
    theirs = [("GET", f"/groups/{GROUP}/budgets?user_id={WANG}"), ("GET", f"/groups/{GROUP}/settings")]
    theirs += [("GET", f"/users/{WANG}/{what}") for what in ("tasks", "memory")]

    async def kept() -> list[Any]:
        async with world.running.client() as owner:
            return [(await owner.request(method, path)).json() for method, path in theirs]

    before = await kept()
    for (method, path), (row, body, statuses) in AS_IF.items():
        ids = {"id": GROUP if path.startswith("/groups") else WANG}
        ids |= {name: str(world.rows.get(row, 0)) for name in ("sid", "tid", "pid")}
        given = {**body, "user_id": WANG, **({} if "settings" in path else {"confirm": True})}
        async with world.running.client(MEMBER) as client:
            query = {"user_id": WANG, "confirm": "true"}
            answer = await client.request(method, path.format(**ids), params=query, json=given)
        assert answer.status_code in statuses, f"{method} {path} -> {answer.status_code} {answer.text}"
        if answer.status_code == 201:
            made = answer.json()
            assert made.get("user", made.get("created_by")) == MING
    assert await kept() == before


async def test_what_is_one_persons_alone_is_not_the_groups(world: World) -> None:
    for key in WAYS:
        method, path = key
        if method != "GET" or WAYS[key].streams:
            continue
        row = "plan" if "schedules" in path else "theirs" if "transactions" in path else "private"
        named = {"id": GROUP if path.startswith("/groups") else WANG, "sid": world.rows[row]}
        named["tid"] = named["sid"]
        named["pid"] = world.rows["vote"]
        query = {"user_id": WANG, "group_id": GROUP}
        for actor in (MEMBER, ADMIN):
            async with world.running.client(actor) as client:
                answer = await client.get(path.format(**named), params=query)
            assert SECRET not in answer.text, f"{path} {actor.role} {answer.text[:300]}"


ODD = """<script>alert(1)</script><img src=x onerror=1>'); DROP TABLE mishu_schedule; --"""


async def test_odd_words_are_words(world: World) -> None:
    """Scripts and SQL in names and titles come back as they were given, as JSON; nothing else is changed."""
    before = await world.kept()
    async with world.running.client() as owner:
        plan = {"description": ODD, "place": ODD, "starts_at": "2026-11-22T15:00:00+08:00", "user_id": MING}
        made = await owner.post(f"groups/{GROUP}/schedules", json=plan)
        assert (made.status_code, made.json()["description"], made.json()["place"]) == (201, ODD, ODD)
        task = {"title": ODD, "description": ODD, "dueDate": "2026-11-26", "groupId": GROUP}
        made = await owner.post(f"users/{MING}/tasks", json=task)
        assert (made.status_code, made.json()["title"]) == (201, ODD)
        short = ODD[:54]
        made = await owner.post(
            f"groups/{GROUP}/transactions", json={**MONEY, "description": short, "user_id": MING}
        )
        assert (made.status_code, made.json()["description"]) == (201, short)
        for path in (
            f"groups/{GROUP}/transactions?category={ODD}",
            f"groups/{GROUP}/record?q={ODD}",
            f"groups/{GROUP}/messages?after={ODD}",
            f"users/{ODD}/tasks".replace("/script", "script"),
            f"groups/{GROUP}/schedules?self_id=' OR '1'='1",
        ):
            answer = await owner.get(path)
            assert answer.status_code in (200, 404, 422), f"{path} {answer.text}"
            assert answer.headers["content-type"].startswith("application/json")
            assert SECRET not in answer.text
        assert "<script" not in (await owner.get("docs")).text
    assert await world.kept() == before
