"""`GET /api/users/{id}/tasks`: the contract's names, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.storage.task_records import TaskFields, TaskRecord
from nonebot_plugin_mishu.web.tasks_routes import routes

NAMES = [
    *("id", "title", "dueDate", "startTime", "endTime", "timeSegment", "remindAt"),
    *("priority", "status", "description", "groupId", "owner", "creator"),
]
GROUP = Conversation("10000", "group", "777001")
PRIVATE = Conversation("10000", "private", "30001")


def task(number: int, where: Conversation, **fields: Any) -> TaskRecord:
    kept = TaskFields(**{"title": "买菜", "due_date": "2026-02-06", "zone": "Asia/Shanghai", **fields})
    return TaskRecord(number, where, "30001", "小明", "30002", kept, "pending", 1.0, 1.0)


class Backend:
    def __init__(self) -> None:
        self.asked: list[tuple[str, str | None, str | None]] = []

    async def tasks(self, user_id: str, *, group_id: str | None, status: str | None) -> Sequence[TaskRecord]:
        self.asked.append((user_id, group_id, status))
        return [
            task(1, GROUP, start_time="16:00", end_time="17:00"),
            task(2, PRIVATE, time_segment="morning", remind_at="2026-02-06T08:00:00+08:00"),
        ]


@pytest.fixture
def backend() -> Backend:
    return Backend()


@pytest.fixture
def client(backend: Backend) -> TestClient:
    app = FastAPI()
    app.include_router(routes(backend))
    return TestClient(app)


def test_every_name_and_no_other(client: TestClient) -> None:
    in_group, private = client.get("/users/30001/tasks").json()
    assert list(in_group) == NAMES
    assert in_group["groupId"] == "777001"
    assert (in_group["startTime"], in_group["timeSegment"], in_group["remindAt"]) == ("16:00", None, None)
    assert (private["groupId"], private["timeSegment"], private["startTime"]) == (None, "morning", None)
    assert private["remindAt"] == "2026-02-06T08:00:00+08:00"


def test_filters_are_handed_on(client: TestClient, backend: Backend) -> None:
    client.get("/users/30001/tasks", params={"group_id": "777001", "status": "completed"})
    client.get("/users/30001/tasks", params={"group_id": ""})
    assert backend.asked == [("30001", "777001", "completed"), ("30001", None, None)]


def test_a_status_that_is_none(client: TestClient) -> None:
    assert client.get("/users/30001/tasks", params={"status": "deleted"}).status_code == 422
