"""M3 on disk: tasks with their slots and questions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from nonebot_plugin_mishu.storage import Conversation, Storage
from nonebot_plugin_mishu.storage.records import FrameRecord
from storage_support import GROUP

OTHER = Conversation(GROUP.self_id, "private", "9")


def frame(task_id: str = "t1", **changed: Any) -> FrameRecord:
    values: dict[str, Any] = {
        "task_id": task_id,
        "conversation": GROUP,
        "user_id": "30001",
        "agent_code": "triage",
        "intent": "register",
        "text": "头痛\x00挂号",
        "status": "awaiting_user",
        "priority": 2,
        "focus": True,
        "origin": f"10000/m1/{task_id}",
        "message_id": "m1",
        "place": 0,
        "slots": {"症状": "头痛", "_own": [1, {"a": None}], "\x00": "\ud800"},
        "missing_slots": ["duration"],
        "question": "持续多久了？",
        "question_ids": ["s1", "s2"],
        "created_at": 5.0,
        "updated_at": 6.5,
        "expires_at": 606.5,
    }
    return FrameRecord(**{**values, **changed})


async def test_what_is_put_is_open_again_after_a_restart(opened: Callable[..., Awaitable[Storage]]) -> None:
    first = await opened()
    held = frame("t2", status="queued", place=1, parent_task_id="t1", expires_at=None, question=None)
    ended = frame("t3", status="completed"), frame("t4", status="canceled")
    await first.frames.put(frame(text="头痛"), held, *ended)
    await first.close()
    second = await opened()
    assert await second.frames.open() == [frame(text="头痛"), replace(held, text="头痛\ufffd挂号")]


async def test_a_task_is_overwritten_and_never_there_twice(storage: Storage) -> None:
    await storage.frames.put(frame(), frame())
    done = frame(
        text="x", status="completed", question=None, expires_at=None, handoff="queue", updated_at=9.0
    )
    await storage.frames.put(done)
    assert await storage.frames.open() == []
    assert await storage.frames.latest(GROUP, 5) == [done]
    await storage.frames.put()


async def test_the_latest_come_first_and_of_one_conversation_only(storage: Storage) -> None:
    tasks = [frame(f"t{number}", text="x", updated_at=float(number)) for number in range(4)]
    await storage.frames.put(*tasks, frame("other", conversation=OTHER))
    assert await storage.frames.latest(GROUP, 2) == [tasks[3], tasks[2]]
    assert [one.task_id for one in await storage.frames.latest(OTHER, 9)] == ["other"]


async def test_a_members_tasks_are_shown_and_forgotten(storage: Storage) -> None:
    await storage.frames.put(frame("a"), frame("b", user_id="2"), frame("c", conversation=OTHER))
    assert [one.task_id for one in await storage.frames.of_member(GROUP, "30001")] == ["a"]
    assert await storage.frames.forget(GROUP, "30001") == 1
    assert sorted(one.task_id for one in await storage.frames.open()) == ["b", "c"]


async def test_old_tasks_are_pruned(storage: Storage) -> None:
    await storage.frames.put(frame("old", updated_at=1.0), frame("new", updated_at=50 * 86400.0))
    await storage.prune(51 * 86400.0, 30)
    assert [one.task_id for one in await storage.frames.open()] == ["new"]
