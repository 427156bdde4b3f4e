"""`/mcp` by the SDK's own client: every tool with an owner's and a member's token; everybody else refused."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from typing import Any

import httpx
import pytest
import pytest_asyncio
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from .harness import Api, BotProcess, Chat, Member, OneBotClient

OFFLINE = True
OWNER = "an-owner-of-32-characters-4f1c9a"
READING = {
    "today",
    "read_line",
    "list_schedules",
    "list_tasks",
    "ledger_summary",
    "catch_up",
    "search_record",
}
TOOLS = READING | {"say"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


def give_token(bot: BotProcess, room: Chat, who: Member, *, asked: bool = True) -> str:
    """A token of a member, put where the console puts it; with `asked` false its role has to be asked for."""
    token = "mishu_" + hashlib.sha256(f"{room.id} {who.user_id}".encode()).hexdigest()[:43]
    digest = hashlib.sha256(token.encode()).hexdigest()
    now = bot.clock.now()
    row = (
        room.client.self_id,
        "group",
        str(room.id),
        str(who.user_id),
        who.nickname,
        "member",
        "测试",
        digest,
    )
    names = "self_id, kind, peer, user_id, name, role, label, digest, created_at, checked_at"
    with closing(sqlite3.connect(bot.database, timeout=10)) as connection, connection:
        connection.execute(
            f"INSERT INTO mishu_member_token ({names}) VALUES (?,?,?,?,?,?,?,?,?,?)",
            (*row, now, now if asked else 0.0),
        )
    return token


@asynccontextmanager
async def speaking(bot: BotProcess, token: str | None, mode: str = "auto") -> AsyncIterator[Client]:
    """The SDK's client, as somebody with this token."""
    import httpx2

    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, timeout=30) as http,
        Client(streamable_http_client(f"{bot.url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


def told(result: CallToolResult) -> dict[str, Any]:
    """The object of a result that is no failure; its text says the same."""
    assert not result.is_error, result.content
    content = result.structured_content
    assert isinstance(content, dict)
    text = result.content[0].text  # type: ignore[union-attr]
    assert text == content.get("reply") or json.loads(text) == content
    return content


async def refusal(client: Client, tool: str, given: Mapping[str, Any]) -> str:
    """The sentence with which a tool refuses."""
    result = await client.call_tool(tool, dict(given))
    assert result.is_error, result.structured_content
    said = result.content[0].text  # type: ignore[union-attr]
    assert said
    assert "Traceback" not in said
    assert "Error" not in said
    return said


async def use_every_tool(client: Client, room: Chat, me: Member, other: Member, *, owner: bool) -> None:
    """Each tool once, and what it says held against what is on disk."""
    who: dict[str, Any] = {"group_id": str(room.id), "user_id": str(me.user_id)} if owner else {}
    group: dict[str, Any] = {"group_id": str(room.id)} if owner else {}
    listed = {each.name: each for each in (await client.list_tools()).tools}
    # With the schemas at hand the SDK's client refuses each result below that does not fit.
    assert all(each.output_schema and each.output_schema["properties"] for each in listed.values())
    assert listed.keys() == TOOLS
    for name, each in listed.items():
        assert each.annotations is not None
        assert each.annotations.read_only_hint is (name in READING), name
        assert each.annotations.destructive_hint is (name not in READING), name

    read = told(await client.call_tool("read_line", {**who, "text": "明天下午三点开评审会"}))
    assert [each["agent"] for each in read["intents"]] == ["schedule"]
    assert "评审会" in read["would_add"][0]["what"]
    assert told(await client.call_tool("list_schedules", group))["items"] == [], "reading does nothing"

    done = told(await client.call_tool("say", {**who, "text": "每天下午三点开评审会"}))
    while done["needs_answer"]:
        done = told(await client.call_tool("say", {**who, "text": "确认"}))
    assert done["status"] == "completed", done
    plans = told(await client.call_tool("list_schedules", {**group, "limit": 2}))
    assert [each["description"] for each in plans["items"]] == ["开评审会"] * 2
    assert plans["next_cursor"]
    assert plans["names"][str(me.user_id)] == me.nickname

    told(await client.call_tool("say", {**who, "text": "提醒我今天晚上八点交水电费"}))
    mine = told(await client.call_tool("list_tasks", who))["items"]
    assert [each["title"] for each in mine] == ["交水电费"]
    today = told(await client.call_tool("today", who))
    assert [each["title"] for each in today["tasks"]] == ["交水电费"]
    assert today["user_id"] == str(me.user_id)

    asked = told(await client.call_tool("say", {**who, "text": "提醒我开会"}))
    assert asked["needs_answer"], asked
    assert [each["question"] for each in told(await client.call_tool("today", who))["questions"]]
    told(await client.call_tool("say", {**who, "text": "不要了"}))

    told(await client.call_tool("say", {**who, "text": "午饭35"}))
    ledger = told(await client.call_tool("ledger_summary", who))
    if not ledger["own"]:
        told(await client.call_tool("say", {**who, "text": "确认"}))
        ledger = told(await client.call_tool("ledger_summary", who))
    assert [(each["type"], each["amount"]) for each in ledger["own"]] == [("EXPENSE", "35.00")]

    found = told(await client.call_tool("search_record", {**group, "words": "集合"}))["items"]
    assert [each["text"] for each in found] == ["周六九点集合"]
    assert "sentences" in told(await client.call_tool("catch_up", group))

    assert await refusal(client, "say", {**who, "text": ""}) == "text：应不少于 1 个字符"
    assert await refusal(client, "list_tasks", {**who, "status": "odd"}) != ""
    assert await refusal(client, "today", {**who, "more": 1}) == "more：没有这一项"
    assert "since" in await refusal(client, "list_schedules", {**group, "since": "soon"})
    assert "没有这个工具" in await refusal(client, "delete_everything", {})


async def gathered(room: Chat, api: Api) -> tuple[Member, Member]:
    """Two members of whom the group heard."""
    me, other = room.members("小明", "小雅")
    await room.say(me, "大家好")
    await room.say(other, "周六九点集合")
    await api.until_stored(room, "周六九点集合")
    return me, other


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_member_has_their_rights_in_their_group(
    bot: BotProcess, api: Api, room: Chat, mode: str
) -> None:
    me, other = await gathered(room, api)
    token = give_token(bot, room, me)
    async with speaking(bot, token, mode) as client:
        await use_every_tool(client, room, me, other, owner=False)
        # Nobody else, and nowhere else, whatever the request says.
        for tool in ("today", "list_tasks", "ledger_summary", "read_line", "say"):
            more = {"text": "午饭35"} if tool in ("read_line", "say") else {}
            assert await refusal(client, tool, {"user_id": str(other.user_id), **more}) == "只能是自己"
        for tool in TOOLS:
            more = {"text": "午饭35"} if tool in ("read_line", "say") else {}
            assert await refusal(client, tool, {"group_id": "777999", **more}) == "这不是你所在的群"
    # The same token opens the API, with the same rights.
    async with httpx.AsyncClient(
        base_url=bot.url, headers={"Authorization": f"Bearer {token}"}, trust_env=False, timeout=10
    ) as http:
        assert [each["id"] for each in (await http.get("/api/v1/groups")).json()["items"]] == [str(room.id)]
        assert (await http.get("/api/v1/groups/777999/schedules")).status_code == 403
        assert (await http.get("/api/v1/tasks", params={"user_id": str(other.user_id)})).status_code == 403


async def test_this_machine_is_the_owner_where_no_token_is_set(bot: BotProcess, api: Api, room: Chat) -> None:
    me, other = await gathered(room, api)
    async with speaking(bot, None) as client:
        await use_every_tool(client, room, me, other, owner=True)
        assert "group_id" in await refusal(client, "list_schedules", {})
        assert "user_id" in await refusal(client, "say", {"group_id": str(room.id), "text": "午饭35"})
        assert "没有这个群" in await refusal(client, "today", {"group_id": "777999"})
    async with httpx.AsyncClient(base_url=bot.url, headers=ACCEPT, trust_env=False, timeout=10) as http:
        for headers in (
            {"Host": "evil.example"},
            {"Origin": "http://evil.example"},
            {"X-Forwarded-For": "127.0.0.1"},
            {"Authorization": "Bearer mishu_" + "x" * 43},
        ):
            answer = await http.post("/mcp", json=INITIALIZE, headers=headers)
            assert answer.status_code == 403, headers
            assert answer.json()["error"]["message"]
        for method in ("GET", "DELETE"):
            assert (await http.request(method, "/mcp")).status_code == 405
        assert (await http.post("/mcp", json=INITIALIZE)).status_code == 200
        assert (await http.post("/mcp", content=b"x" * (2 << 20))).status_code == 413


@pytest_asyncio.fixture
async def closed(start_bot: Any) -> AsyncIterator[tuple[BotProcess, Api, Chat]]:
    """A bot with an owner's token, an account in a group of its own."""
    bot = start_bot(offline=True, MISHU__WEB__TOKEN=OWNER)
    await bot.start()
    api = Api(bot.url, OWNER)
    async with OneBotClient(bot.onebot_url, 10_093) as account:
        await api.poll(api.health, lambda seen: account.self_id in map(str, seen["bots"]), "connected")
        yield bot, api, account.room()
    await api.close()


async def test_with_a_token_the_owner_and_members_get_in_and_nobody_else(
    closed: tuple[BotProcess, Api, Chat],
) -> None:
    bot, api, room = closed
    assert "StreamableHTTP" not in bot.log
    me, other = await gathered(room, api)
    async with speaking(bot, OWNER) as client:
        await use_every_tool(client, room, me, other, owner=True)
    ya = give_token(bot, room, other, asked=False)
    room.client.platform.members[str(room.id), str(other.user_id)] = {
        "group_id": room.group_id,
        "user_id": other.user_id,
        "nickname": other.nickname,
        "card": "",
        "role": "member",
    }
    async with speaking(bot, ya) as client:
        assert told(await client.call_tool("today", {}))["user_id"] == str(other.user_id)
        assert await refusal(client, "list_tasks", {"user_id": str(me.user_id)}) == "只能是自己"
    async with httpx.AsyncClient(base_url=bot.url, headers=ACCEPT, trust_env=False, timeout=10) as http:
        for token, status in (
            (None, 401),
            ("wrong", 403),
            (ya[:-1], 403),
            (ya + "x", 403),
            (OWNER + "x", 403),
        ):
            headers = {} if token is None else {"Authorization": f"Bearer {token}"}
            answer = await http.post("/mcp", json=INITIALIZE, headers=headers)
            assert answer.status_code == status, token
            assert answer.json()["error"]["message"]
        # Who is removed from the group is out at once, and their token is gone.
        await room.notice("group_decrease", sub_type="kick", user_id=other.user_id, operator_id=9)
        answer = await api.poll(
            lambda: http.post("/mcp", json=INITIALIZE, headers={"Authorization": f"Bearer {ya}"}),
            lambda seen: seen.status_code == 403,
            "the token ended",
        )
        assert "停用" in answer.json()["error"]["message"]
