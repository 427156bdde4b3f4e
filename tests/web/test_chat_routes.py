"""`POST /api/ai/chat` and `GET /api/groups/{id}/frames`: shapes, bounds, errors."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.storage.records import FrameRecord
from nonebot_plugin_mishu.web import BackendUnavailable, HttpAnswer

from .conftest import HERE, FakeBackend, client_of


def a_task(task_id: str, **changed: Any) -> FrameRecord:
    values: dict[str, Any] = {
        "task_id": task_id,
        "conversation": HERE,
        "user_id": "7",
        "agent_code": "triage",
        "intent": "register",
        "text": "头痛",
        "status": "awaiting_user",
        "priority": 2,
        "focus": True,
        "origin": f"1:{task_id}",
        "message_id": "1",
        "place": 0,
        "slots": {"symptom": "头痛", "_note": "own"},
        "missing_slots": ["duration"],
    }
    return FrameRecord(**{**values, **changed})


async def test_chat_gives_the_pinned_shape(backend: FakeBackend) -> None:
    action = ("create_task", {"title": "买菜"}, {"id": 1})
    backend.answer = HttpAnswer("已创建", "completed", "t1", [action])
    async with client_of(backend) as client:
        answer = await client.post(
            "/api/ai/chat",
            json={"message": "明天买菜", "user_id": "7", "group_id": "900", "nickname": "小明"},
        )
    assert answer.status_code == 200
    assert answer.json() == {
        "reply": "已创建",
        "status": "completed",
        "task_id": "t1",
        "actions": [{"tool": "create_task", "arguments": {"title": "买菜"}, "result": {"id": 1}}],
    }
    assert backend.asked == [("900", "7", "小明", "明天买菜")]


async def test_ids_may_be_numbers_and_the_group_may_be_missing(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        answer = await client.post("/api/ai/chat", json={"message": "在吗", "user_id": 7})
    assert answer.status_code == 200
    assert backend.asked == [(None, "7", "用户", "在吗")]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"user_id": "7"}, 422, "message"),
        ({"message": "在吗"}, 422, "user_id"),
        ({"message": "  ", "user_id": "7"}, 422, "message"),
        ({"message": "\u200b\ufeff\u3000", "user_id": "7"}, 422, "message"),
        ({"message": 5, "user_id": "7"}, 422, "message"),
        ({"message": "在吗", "user_id": " "}, 422, "user_id"),
        ({"message": "在吗", "user_id": ""}, 422, "user_id"),
        ({"message": "在吗", "user_id": True}, 422, "user_id"),
        ({"message": "在吗", "user_id": "7", "group_id": "a\nb"}, 422, "group_id"),
        ({"message": "字" * 20_001, "user_id": "7"}, 413, "20001"),
        ([], 422, ""),
    ],
)
async def test_a_bad_request_says_what_is_wrong(
    backend: FakeBackend, body: Any, status: int, words: str
) -> None:
    async with client_of(backend) as client:
        answer = await client.post("/api/ai/chat", json=body)
    assert answer.status_code == status
    assert words in answer.json()["error"]["message"]
    assert backend.asked == []


async def test_what_is_no_json_is_400(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        answer = await client.post("/api/ai/chat", content=b"{", headers={"content-type": "application/json"})
    assert answer.status_code == 400


async def test_a_group_that_is_not_enabled_is_refused(backend: FakeBackend) -> None:
    backend.disabled = {"900"}
    async with client_of(backend) as client:
        answer = await client.post(
            "/api/ai/chat", json={"message": "在吗", "user_id": "7", "group_id": "900"}
        )
    assert answer.status_code == 403
    assert backend.asked == []


async def test_frames_show_open_tasks_first_and_no_notes(backend: FakeBackend) -> None:
    done = a_task("t2", status="completed", missing_slots=[], slots={})
    backend.tasks = [done, a_task("t1")]
    async with client_of(backend) as client:
        answer = await client.get("/api/groups/900/frames")
    assert answer.json() == [
        {
            "task_id": "t1",
            "agent_code": "triage",
            "status": "awaiting_user",
            "priority": 2,
            "user": "7",
            "slots": {"symptom": "头痛"},
            "missing_slots": ["duration"],
        },
        {
            "task_id": "t2",
            "agent_code": "triage",
            "status": "completed",
            "priority": 2,
            "user": "7",
            "slots": {},
            "missing_slots": [],
        },
    ]


async def test_frames_of_a_group_never_seen_are_none(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        assert (await client.get("/api/groups/404404/frames")).json() == []


async def test_trouble_with_the_database_is_503(backend: FakeBackend) -> None:
    backend.failure = BackendUnavailable()
    async with client_of(backend) as client:
        chat = await client.post("/api/ai/chat", json={"message": "在吗", "user_id": "7"})
        frames = await client.get("/api/groups/900/frames")
    assert (chat.status_code, frames.status_code) == (503, 503)
