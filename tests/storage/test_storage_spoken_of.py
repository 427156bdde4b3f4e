"""What was spoken of last, by member and conversation."""

from __future__ import annotations

from nonebot_plugin_mishu.storage import Conversation, Storage
from storage_support import GROUP

OTHER = Conversation(GROUP.self_id, "private", "9")


async def test_the_last_one_stands_and_nothing_before_it(storage: Storage) -> None:
    await storage.spoken_of.note(GROUP, "30001", "tasks", ["1", "2"], 10.0)
    await storage.spoken_of.note(GROUP, "30001", "schedule", ["7"], 20.0)
    found = await storage.spoken_of.last(GROUP, "30001", 0.0)
    assert found is not None
    assert (found.agent_code, found.ids, found.at) == ("schedule", ("7",), 20.0)


async def test_it_is_of_one_member_in_one_conversation_and_of_its_time(storage: Storage) -> None:
    await storage.spoken_of.note(GROUP, "30001", "tasks", ["1"], 10.0)
    assert await storage.spoken_of.last(GROUP, "30002", 0.0) is None
    assert await storage.spoken_of.last(OTHER, "30001", 0.0) is None
    assert await storage.spoken_of.last(GROUP, "30001", 10.5) is None


async def test_what_was_spoken_of_in_a_group_with_anybody(storage: Storage) -> None:
    await storage.spoken_of.note(GROUP, "30001", "schedule", ["1"], 10.0)
    await storage.spoken_of.note(GROUP, "30002", "schedule", ["2"], 20.0)
    await storage.spoken_of.note(GROUP, "30003", "tasks", ["3"], 30.0)
    found = await storage.spoken_of.here(GROUP, "schedule", 0.0)
    assert found is not None
    assert found.ids == ("2",)
    assert await storage.spoken_of.here(OTHER, "schedule", 0.0) is None


async def test_a_member_who_is_forgotten_left_nothing(storage: Storage) -> None:
    await storage.spoken_of.note(GROUP, "30001", "tasks", ["1"], 10.0)
    await storage.members.delete_member(GROUP, "30001")
    assert await storage.spoken_of.last(GROUP, "30001", 0.0) is None


async def test_it_is_pruned_with_the_rest(storage: Storage) -> None:
    await storage.spoken_of.note(GROUP, "30001", "tasks", ["1"], 10.0)
    await storage.prune(40 * 86400.0, 30)
    assert await storage.spoken_of.last(GROUP, "30001", 0.0) is None
