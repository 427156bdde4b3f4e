"""Shapes, defaults, bounds and errors of every route (`contracts.md`, HTTP API)."""

from __future__ import annotations

import subprocess
import sys
from zoneinfo import ZoneInfo

import pytest
from default_run import first
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.web import BackendUnavailable, PresenceView
from nonebot_plugin_mishu.web.mounting import mount

from .conftest import AT, HERE, FakeBackend, a_decision, a_message, client_of

ELSEWHERE = Conversation("11", "group", "900")


async def test_health(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        answer = await client.get("/api/health")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ok",
        "llm": "off",
        "database": "ok",
        "version": "0.1.0",
        "bots": ["11", "10"],
    }


async def test_presence_has_times_with_the_offset_of_the_zone(backend: FakeBackend) -> None:
    backend.presences[HERE] = PresenceView(
        "observing", since=AT, busy=True, held=2, silenced_until=None, cooldown_until=AT + 7
    )
    async with client_of(backend) as client:
        answer = await client.get("/api/groups/900/presence")
    assert answer.json() == {
        "state": "observing",
        "since": "2026-11-02T08:00:00.500+08:00",
        "busy": True,
        "held": 2,
        "silenced_until": None,
        "cooldown_until": "2026-11-02T08:00:07.500+08:00",
    }


async def test_times_follow_the_configured_zone(backend: FakeBackend) -> None:
    backend.zone = ZoneInfo("America/St_Johns")
    backend.presences[HERE] = PresenceView(since=AT)
    async with client_of(backend) as client:
        answer = await client.get("/api/groups/900/presence")
    assert answer.json()["since"] == "2026-11-01T20:30:00.500-03:30"


async def test_group_never_seen_is_absent_and_empty(backend: FakeBackend) -> None:
    backend.failure = AssertionError("must not be asked")
    async with client_of(backend) as client:
        presence = await client.get("/api/groups/404404/presence")
        decisions = await client.get("/api/groups/404404/decisions")
        messages = await client.get("/api/groups/404404/messages")
    assert presence.json() == {
        "state": "absent",
        "since": None,
        "busy": False,
        "held": 0,
        "silenced_until": None,
        "cooldown_until": None,
    }
    assert decisions.json() == []
    assert messages.json() == []


async def test_decisions_are_a_bare_array_with_text_ids(backend: FakeBackend) -> None:
    backend.records = [a_decision(2), a_decision(1)]
    async with client_of(backend) as client:
        answer = await client.get("/api/groups/900/decisions?limit=1")
    assert answer.json() == [
        {
            "id": "2",
            "message_id": "2",
            "trigger": "summon",
            "state_before": "absent",
            "state_after": "observing",
            "should_reply": True,
            "strategy": "被呼唤",
            "reason": "有人@我",
            "timings": {"decide": 0.25},
            "calls": ["chat_reply"],
            "tokens": 12,
            "at": "2026-11-02T08:00:00.500+08:00",
        }
    ]


async def test_messages_oldest_first_and_after(backend: FakeBackend) -> None:
    backend.ledger = [a_message(number) for number in range(1, 6)]
    async with client_of(backend) as client:
        newest = (await client.get("/api/groups/900/messages?limit=2")).json()
        behind = (await client.get("/api/groups/900/messages?after=2&limit=2")).json()
        unknown = (await client.get("/api/groups/900/messages?after=77")).json()
    assert [message["id"] for message in newest] == ["4", "5"]
    assert [message["id"] for message in behind] == ["3", "4"]
    assert unknown == []
    assert newest[0] == {
        "id": "4",
        "user": "7",
        "name": "小明",
        "time": "2026-11-02T08:00:04.500+08:00",
        "text": "第4句",
        "processed": False,
        "is_bot": False,
    }


async def test_self_id_picks_the_bot(backend: FakeBackend) -> None:
    backend.ledger = [a_message(1), a_message(2, ELSEWHERE)]
    async with client_of(backend) as client:
        default = (await client.get("/api/groups/900/messages")).json()
        picked = (await client.get("/api/groups/900/messages?self_id=11")).json()
        unknown = (await client.get("/api/groups/900/messages?self_id=12")).json()
        empty = (await client.get("/api/groups/900/messages?self_id=")).json()
    assert [message["id"] for message in default] == ["1"]
    assert [message["id"] for message in picked] == ["2"]
    assert unknown == []
    assert empty == default


@first(3)
@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("groups/900/decisions?limit=0", "limit"),
        ("groups/900/decisions?limit=201", "limit"),
        ("groups/900/messages?limit=-1", "limit"),
        ("groups/900/messages?limit=1001", "limit"),
        ("groups/900/messages?limit=many", "limit"),
        ("groups/900/messages?limit=99999999999999999999999", "limit"),
        ("groups/900/messages?after=%00", "after"),
        ("groups/%00/presence", "id"),
        (f"groups/{'9' * 65}/presence", "id"),
        (f"groups/900/presence?self_id={'9' * 65}", "self_id"),
    ],
)
async def test_parameters_outside_their_bounds_are_422_and_named(
    backend: FakeBackend, path: str, named: str
) -> None:
    async with client_of(backend) as client:
        answer = await client.get(f"/api/{path}")
    assert answer.status_code == 422
    body = answer.json()
    assert list(body) == ["error"]
    assert body["error"]["code"] == "invalid"
    assert body["error"]["message"].startswith(f"{named}：")


@pytest.mark.parametrize("path", ["/api/nothing", "/api/", "/api/health/", "/api/groups/900"])
async def test_unknown_routes_are_404_in_the_pinned_shape(backend: FakeBackend, path: str) -> None:
    async with client_of(backend) as client:
        answer = await client.get(path)
    assert answer.status_code == 404
    assert answer.json() == {"error": {"code": "not_found", "message": "没有这个接口"}}


async def test_wrong_method_is_405_in_the_pinned_shape(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        answer = await client.post("/api/health")
    assert answer.status_code == 405
    assert answer.json()["error"]["code"] == "method_not_allowed"
    assert answer.headers["allow"] == "GET"


async def test_storage_trouble_is_503_with_clean_words(backend: FakeBackend) -> None:
    backend.failure = BackendUnavailable()
    async with client_of(backend) as client:
        for route in ("presence", "decisions", "messages", "events"):
            answer = await client.get(f"/api/groups/900/{route}")
            assert answer.status_code == 503, route
            assert answer.json() == {
                "error": {"code": "unavailable", "message": "数据库暂时不可用，请稍后再试"}
            }
    assert backend.open_listeners == 0


async def test_pitfall_33_no_failure_shows_its_insides(backend: FakeBackend) -> None:
    backend.failure = RuntimeError("password=hunter2 at /srv/secret.py line 3")
    async with client_of(backend) as client:
        answer = await client.get("/api/groups/900/decisions")
    assert answer.status_code == 503
    assert answer.json() == {"error": {"code": "unavailable", "message": "服务暂时不可用，请稍后再试"}}


async def test_openapi_is_right_when_mounted(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        document = (await client.get("/api/openapi.json")).json()
    assert document["servers"] == [{"url": "../api"}], "from the document, wherever it stands"
    assert set(document["paths"]) == {
        "/health",
        "/groups/{id}/presence",
        "/groups/{id}/decisions",
        "/groups/{id}/messages",
        "/groups/{id}/events",
        "/groups/{id}/frames",
        "/ai/chat",
        "/ai/messages",
        "/v1/llm/correct-transaction",
        "/usage",
        "/groups/{id}/record",
    }
    route = document["paths"]["/groups/{id}/messages"]["get"]
    assert {parameter["name"] for parameter in route["parameters"]} == {"id", "self_id", "limit", "after"}
    assert route["responses"]["422"]["content"]["application/json"]["schema"]["$ref"].endswith("/ErrorBody")
    assert "HTTPValidationError" not in document["components"]["schemas"]
    assert document["components"]["securitySchemes"]["HTTPBearer"]["scheme"] == "bearer"
    events = document["paths"]["/groups/{id}/events"]["get"]["responses"]["200"]["content"]
    assert set(events) == {"text/event-stream"}


def test_mount_refuses_what_is_no_fastapi_application(backend: FakeBackend) -> None:
    assert mount(object(), backend, token=None) is False


def test_pitfall_64_importing_the_room_imports_no_web_framework() -> None:
    code = (
        "import nonebot; nonebot.init(driver='~none'); import sys, nonebot_plugin_mishu.web;"
        "print([m for m in ('fastapi', 'starlette', 'uvicorn') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
