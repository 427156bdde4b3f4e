"""Nothing is said to be done that is not on disk: the database fails at each write."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.storage import DatabaseLocked, Storage

from .tasks_support import Office, ScriptedModel

ORDERS = [
    ("明天下午写字", "create_task"),
    ("把买菜改到后天上午", "update_task"),
    ("买菜做完了", "complete_task"),
]


def broken(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(work: Any) -> Any:
        raise DatabaseLocked

    monkeypatch.setattr(storage.tasks._writer, "run", run)


@pytest.mark.parametrize(("text", "intent"), ORDERS)
@pytest.mark.parametrize("online", [False, True])
async def test_a_write_that_fails_is_no_write(
    storage: Storage, monkeypatch: pytest.MonkeyPatch, text: str, intent: str, online: bool
) -> None:
    office = Office(storage)
    await office.say("明天下午买菜")
    before = await office.all()
    arguments = {"create_task": {"title": "写字"}, "update_task": {"taskId": 1, "dueDate": "2026-02-07"}}
    call = (intent, arguments.get(intent, {"taskId": 1}))
    model = ScriptedModel([("query_tasks", {})], [call], "已完成", online=online)
    office = Office(storage, model)
    broken(storage, monkeypatch)
    with pytest.raises(DatabaseLocked):
        await office.say(text, intent=intent, sure=not online)
    monkeypatch.undo()
    assert await office.all() == before


async def test_a_confirmed_deletion_that_fails_can_be_said_again(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = Office(storage)
    await office.say("明天下午买菜")
    await office.say("删掉买菜")
    broken(storage, monkeypatch)
    with pytest.raises(DatabaseLocked):
        await office.say("好的")
    monkeypatch.undo()
    assert "删掉了" in (await office.say("好的")).text
    assert await office.all() == []


async def test_what_was_done_before_the_trouble_is_said(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two changes by one message, the database fails between them."""
    real = storage.tasks._writer.run
    runs: list[Any] = []

    async def run(work: Any) -> Any:
        runs.append(work)
        if len(runs) > 1:
            raise DatabaseLocked
        return await real(work)

    monkeypatch.setattr(storage.tasks._writer, "run", run)
    calls = [("create_task", {"title": "买菜"}), ("create_task", {"title": "洗车"})]
    office = Office(storage, ScriptedModel(calls, "都建好了"))
    said = await office.say("明天下午买菜和洗车", sure=False)
    assert "记下了：买菜" in said.text
    assert "别的没办成" in said.text
    assert "洗车" not in said.text
    assert [row["title"] for row in await office.all()] == ["买菜"]
