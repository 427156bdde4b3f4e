"""What memory loses with a recalled message, and what it keeps (pitfall 24)."""

from __future__ import annotations

from nonebot_plugin_mishu.memory import terms
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.records import Digest, FrameRecord, Summary
from storage_support import GROUP, OTHER, message

ME, YOU = "30000", "30001"


def opened_by(message_id: str, task_id: str) -> FrameRecord:
    return FrameRecord(
        task_id=task_id,
        conversation=GROUP,
        user_id=ME,
        agent_code="tasks",
        intent="create_task",
        text="提醒我复诊",
        status="awaiting_user",
        priority=4,
        focus=False,
        origin=task_id,
        message_id=message_id,
        place=0,
        slots={},
        question="几点？",
    )


async def summarise(storage: Storage, task_id: str) -> None:
    words = f"{task_id}：复诊，还在等回答"
    made = Summary(GROUP, ME, task_id, "tasks", words, tuple(terms(words)), 100.0)
    await storage.summaries.store_summary(made)


async def test_pitfall_24_recalled_words_leave_memory(storage: Storage) -> None:
    storage.ledger.append(message(100, text="@小秘 提醒我复诊"))
    storage.ledger.append(message(101, text="@小秘 我有哪些任务"))
    await storage.turns.add(GROUP, ME, "早上好", "早", 90.0)
    await storage.turns.add(GROUP, ME, "提醒我复诊", "几点？", 100.5)
    last = await storage.turns.add(GROUP, ME, "我有哪些任务", "没有任务。", 101.5)
    await storage.turns.add(GROUP, YOU, "提醒我复诊", "几点？", 100.5)
    await storage.turns.add(OTHER, ME, "提醒我复诊", "几点？", 100.5)
    assert await storage.turns.digested(GROUP, ME, Digest("说过复诊", last, 102.0))
    await storage.frames.put(opened_by("100", "t1"), opened_by("101", "t2"))
    for task_id in ("t1", "t2"):
        await summarise(storage, task_id)

    await storage.ledger.mark_recalled(GROUP, ["100"])
    digest, turns = await storage.turns.recent(GROUP, ME, 10)
    assert digest is None
    assert [each.content for each in turns] == ["早上好", "早", "我有哪些任务", "没有任务。"]
    assert [each.task_id for each in await storage.summaries.latest(GROUP, ME, 10)] == ["t2"]
    assert len(await storage.turns.page(GROUP, YOU, 10)) == 2
    assert len(await storage.turns.page(OTHER, ME, 10)) == 2


async def test_a_round_of_the_same_words_on_another_day_is_kept(storage: Storage) -> None:
    storage.ledger.append(message(5_000, text="@小秘 提醒我复诊"))
    await storage.turns.add(GROUP, ME, "提醒我复诊", "几点？", 100.5)
    await storage.ledger.mark_recalled(GROUP, ["5000"])
    assert len(await storage.turns.page(GROUP, ME, 10)) == 2
