"""`GET /api/ai/messages`: shape, bounds, whose they are."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.storage.records import Conversation, RoundSide, TurnRole
from nonebot_plugin_mishu.web import BackendUnavailable

from .conftest import AT, HERE, FakeBackend, client_of

PRIVATE = Conversation("10", "private", "500")


def turn(number: int, role: TurnRole = "user", where: Conversation = PRIVATE, user: str = "500") -> RoundSide:
    return RoundSide(number, where, user, role, f"第{number}句", AT + number)


@pytest.fixture
def talked(backend: FakeBackend) -> FakeBackend:
    backend.said = [turn(1), turn(2, "assistant"), turn(3, where=HERE), turn(4, where=HERE, user="501")]
    return backend


async def test_messages_are_in_an_object_oldest_first(talked: FakeBackend) -> None:
    async with client_of(talked) as client:
        answer = await client.get("/api/ai/messages?user_id=500")
    assert answer.json() == {
        "messages": [
            {"id": "1", "role": "user", "content": "第1句", "created_at": "2026-11-02T08:00:01.500+08:00"},
            {
                "id": "2",
                "role": "assistant",
                "content": "第2句",
                "created_at": "2026-11-02T08:00:02.500+08:00",
            },
        ]
    }


async def test_a_group_shows_what_was_said_there_and_only_that(talked: FakeBackend) -> None:
    async with client_of(talked) as client:
        in_group = await client.get("/api/ai/messages?user_id=500&group_id=900")
        others = await client.get("/api/ai/messages?user_id=501&group_id=900")
        unseen = await client.get("/api/ai/messages?user_id=nobody")
    assert [said["id"] for said in in_group.json()["messages"]] == ["3"]
    assert [said["id"] for said in others.json()["messages"]] == ["4"]
    assert unseen.json() == {"messages": []}


async def test_limit_and_before_page_backwards(talked: FakeBackend) -> None:
    async with client_of(talked) as client:
        newest = await client.get("/api/ai/messages?user_id=500&limit=1")
        older = await client.get("/api/ai/messages?user_id=500&limit=1&before=2")
    assert [said["id"] for said in newest.json()["messages"]] == ["2"]
    assert [said["id"] for said in older.json()["messages"]] == ["1"]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("", "user_id"),
        ("?user_id=", "user_id"),
        (f"?user_id={'9' * 65}", "user_id"),
        ("?user_id=5%0A", "user_id"),
        ("?user_id=5&group_id=", "group_id"),
        ("?user_id=5&limit=0", "limit"),
        ("?user_id=5&limit=1001", "limit"),
        ("?user_id=5&limit=x", "limit"),
        ("?user_id=5&before=x", "before"),
        ("?user_id=5&before=0", "before"),
        (f"?user_id=5&before={2**63}", "before"),
    ],
)
async def test_bad_parameters_are_named(talked: FakeBackend, query: str, named: str) -> None:
    async with client_of(talked) as client:
        answer = await client.get(f"/api/ai/messages{query}")
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "invalid"
    assert named in answer.json()["error"]["message"]


async def test_a_database_in_trouble_is_503(talked: FakeBackend) -> None:
    talked.failure = BackendUnavailable()
    async with client_of(talked) as client:
        answer = await client.get("/api/ai/messages?user_id=500")
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "unavailable"
