"""The front desk's memory: loading, recalls, bounds, what a restart brings back."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from nonebot_plugin_mishu.frontdesk import QuotedMessage
from nonebot_plugin_mishu.frontdesk.resuming import GAVE_UP
from nonebot_plugin_mishu.frontdesk.rooms.rooms import LOADS
from nonebot_plugin_mishu.storage.core_tasks.finished import Finished
from nonebot_plugin_mishu.storage.ledger.claims import UnsentReply
from nonebot_plugin_mishu.storage.records import Conversation, ConversationSettings, Silence
from office import Office, office
from stand_ins import BOT, FRIEND, GROUP, OTHER, FakeModel, FakeStorage, line
from virtual_time import BEGAN, settle, virtual


@pytest.mark.parametrize("already", ["processed", "recalled"])
@virtual
async def test_early_messages_that_are_known_count_as_they_are_stored(already: str) -> None:
    storage = FakeStorage()
    storage.append(line("old", "在吗", time=BEGAN, user_id="a", **{already: True}))
    made = Office(storage=storage)
    made.hear(made.heard("a", "在吗", at=True, message_id="old", time=BEGAN))
    fresh = made.hear(made.heard("b", "在吗", at=True))
    await settle()
    assert [speech.quote for _, speech in made.platform.sent] == [fresh]
    known = made.room.ledger.get("old")
    assert known is not None
    assert getattr(known, already)
    assert fresh in {one for _, one in storage.rows}
    await made.desk.close()


@virtual
async def test_early_messages_wait_for_the_silence_that_is_stored() -> None:
    storage = FakeStorage()
    storage.kept[GROUP] = ConversationSettings(silence=Silence(BEGAN + 600, by_command=True))
    made = Office(storage=storage)
    said = made.hear(made.heard("b", "在吗", at=True))
    await settle()
    assert made.platform.sent == []
    assert storage.row(said).processed
    await made.desk.close()


@virtual
async def test_a_conversation_that_cannot_be_loaded_still_answers() -> None:
    storage = FakeStorage()
    storage.broken = True
    made = Office(storage=storage)
    said = made.hear(made.heard("b", "在吗", at=True))
    await made.pass_time(10)
    assert [speech.quote for _, speech in made.platform.sent] == [said]
    assert "会话没有读出来" in [what for what, _ in made.reports]
    await made.desk.close()


@virtual
async def test_an_unforeseen_error_while_loading_leaves_the_room_usable() -> None:
    storage = FakeStorage()

    async def broken(*_: object) -> None:
        raise KeyError("a row of another shape")

    storage.load = broken  # type: ignore[method-assign,assignment]
    made = Office(storage=storage)
    said = made.hear(made.heard("b", "在吗", at=True))
    await made.pass_time(30)
    assert [speech.quote for _, speech in made.platform.sent] == [said]
    assert said in {one for _, one in storage.rows}
    assert not made.room.early
    await made.desk.close()


@virtual
async def test_a_database_that_hangs_while_loading_delays_an_answer_by_its_limit_only() -> None:
    storage = FakeStorage()
    storage.slow = 3600
    made = Office(storage=storage)
    made.hear(made.heard("b", "在吗", at=True))
    await made.pass_time(20)
    assert made.platform.texts == ["好的"]
    assert made.platform.at[0] - 5000 < 12
    await made.desk.close()


@virtual
async def test_when_many_conversations_wake_together_few_load_at_once() -> None:
    """An answer that is being made reads the database too."""
    storage = FakeStorage()
    storage.slow = 0.1
    most = 0
    loading = 0
    load = storage.load

    async def counted(*asked: Any) -> Any:
        nonlocal most, loading
        loading += 1
        most = max(most, loading)
        try:
            return await load(*asked)
        finally:
            loading -= 1

    storage.load = counted  # type: ignore[method-assign]
    made = Office(storage=storage)
    for number in range(10):
        made.hear(made.heard("b", "早", conversation=Conversation(BOT, "group", str(number))))
    await made.pass_time(5)
    assert most == LOADS
    assert all(room.loaded.is_set() for room in made.desk.rooms)
    await made.desk.close()


@virtual
async def test_where_somebody_calls_is_loaded_before_those_who_only_talk() -> None:
    storage = FakeStorage()
    storage.slow = 0.5
    made = Office(storage=storage)
    for number in range(20):
        made.hear(made.heard("b", "早", conversation=Conversation(BOT, "group", str(number))))
    made.hear(made.heard("c", "在吗", conversation=FRIEND))
    made.hear(made.heard("a", "在吗", at=True))
    await made.pass_time(4)
    assert {conversation for conversation, _ in made.platform.sent} == {FRIEND, GROUP}
    assert sum(room.loaded.is_set() for room in made.desk.rooms) < 15
    await made.pass_time(10)
    assert all(room.loaded.is_set() for room in made.desk.rooms)
    await made.desk.close()


@virtual
async def test_an_error_nobody_foresaw_does_not_keep_the_others_from_loading() -> None:
    storage = FakeStorage()
    load = storage.load

    async def broken_for_some(conversation: Conversation, limit: int | None = None) -> Any:
        if conversation.peer in ("0", "1", "2"):
            raise KeyError("a row of another shape")
        return await load(conversation, limit)

    storage.load = broken_for_some  # type: ignore[method-assign,assignment]
    made = Office(storage=storage)
    for number in range(10):
        made.hear(made.heard("b", "早", conversation=Conversation(BOT, "group", str(number))))
    await made.pass_time(5)
    assert all(room.loaded.is_set() for room in made.desk.rooms)
    assert [type(error) for _, error in made.reports] == [KeyError] * 3
    await made.desk.close()


@virtual
async def test_a_database_that_hangs_holds_up_many_conversations_only_a_little_longer() -> None:
    storage = FakeStorage()
    storage.slow = 3600
    made = Office(storage=storage)
    for number in range(20):
        made.hear(made.heard("b", "早", conversation=Conversation(BOT, "group", str(number))))
    await made.pass_time(5 + 20 / LOADS + 1)
    assert all(room.loaded.is_set() for room in made.desk.rooms)
    await made.desk.close()


@virtual
async def test_pitfall_24_recalled_between_hearing_and_acting() -> None:
    async with office() as made:
        heard = made.heard("a", "在吗", at=True)
        assert made.desk.hear(heard)
        await made.desk.notices.recalled(GROUP, heard.message_id)
        made.desk.act(heard)
        await settle()
        assert made.platform.sent == []


@virtual
async def test_pitfall_24_recalled_before_it_was_heard() -> None:
    """A message with a quote waits for the quoted one: its recall may come first (pitfall 59)."""
    async with office() as made:
        heard = made.heard("a", "在吗", at=True)
        await made.desk.notices.recalled(GROUP, heard.message_id)
        made.hear(heard)
        await made.call("b", "早")
        assert len(made.platform.sent) == 1
        assert "在吗" not in made.model.of("chat_reply")[0].prompt
        assert made.storage.row(heard.message_id).recalled
        for number in range(1000):
            await made.desk.notices.recalled(GROUP, f"x{number}")
        assert len(made.room.unheard) <= 200


@virtual
async def test_pitfall_24_a_recalled_quote_is_in_no_prompt() -> None:
    async with office() as made:
        quoted = await made.say("a", "我的秘密")
        await made.desk.notices.recalled(GROUP, quoted)
        await made.call("b", "他说啥", quote=quoted, quoted=QuotedMessage(quoted, "a", "名a", "我的秘密"))
        assert all("我的秘密" not in call.prompt for call in made.model.asked)
        assert len(made.platform.sent) == 1


@virtual
async def test_a_summons_that_left_a_small_memory_is_answered_all_the_same() -> None:
    config = {"frontdesk": {"ledger_size": 10}, "secretary": {"dense_count": 2}}
    async with office(**config) as made:
        heard = made.heard("a", "在吗", at=True)
        assert made.desk.hear(heard)
        for number in range(20):
            made.desk.hear(made.heard(f"b{number}", f"话{number}"))
        assert heard.message_id not in made.room.ledger
        made.desk.act(heard)
        await settle()
        assert [speech.quote for _, speech in made.platform.sent] == [heard.message_id]
        assert "在吗" in made.model.of("chat_reply")[0].prompt


@virtual
async def test_pitfall_20_a_message_older_than_the_memory_is_not_taken_up_again() -> None:
    async with office(
        frontdesk={"ledger_size": 10}, secretary={"dense_count": 2, "dense_people": 1000}
    ) as made:
        for number in range(20):
            await made.say(f"b{number}", f"话{number}")
        old = made.heard("a", "在吗", at=True, time=made.clock.wall() - 3600)
        made.hear(old)
        await settle()
        assert made.platform.sent == []


@virtual
async def test_pitfall_21_dense_talk_is_seen_though_memory_is_small() -> None:
    async with office(frontdesk={"ledger_size": 10}) as made:
        for number in range(30):
            await made.say(f"b{number % 6}", f"话{number}")
        assert len(made.platform.sent) == 1


@virtual
async def test_pitfall_23_idle_groups_leave_memory() -> None:
    async with office() as made:
        for number in range(1000):
            await made.say("a", "早", conversation=Conversation(BOT, "group", str(number)))
        await made.desk.notices.muted(Conversation(BOT, "group", "5"), 60)
        assert len(made.desk.rooms) == 1001
        await made.desk.prune()
        assert len(made.desk.rooms) == 1001
        await made.pass_time(1801)
        await made.desk.prune()
        assert len(made.desk.rooms) == 0
        await made.say("a", "又来了")
        assert made.room.ledger.name_of("a") == "名a"


@virtual
async def test_busy_muted_and_watched_rooms_stay_in_memory() -> None:
    async with office() as made:
        made.model.gate = asyncio.Event()
        await made.call("a", "在吗")
        await made.desk.notices.muted(OTHER, 7200)
        await made.say("a", "早", conversation=FRIEND)
        await made.pass_time(200)
        made.room.used_at -= 7200
        made.desk.rooms.enter(OTHER).used_at -= 7200
        assert made.desk.rooms.sweep() == 0
        made.model.gate.set()


@virtual
async def test_members_that_are_remembered_are_bounded() -> None:
    async with office() as made:
        for number in range(400):
            await made.say(f"u{number}", at=True)
        assert len(made.platform.sent) == 400
        assert len(made.room.expects) <= 200
        assert len(made.room.replied) <= 200
        await made.pass_time(61)
        await made.say("later", at=True)
        assert len(made.room.expects) == 1


@virtual
async def test_resumed_once_and_only_what_is_young() -> None:
    storage = FakeStorage()
    for number, age in enumerate([30, 59, 179, 181, 500]):
        storage.append(
            line(
                f"old{number}", "在吗", time=BEGAN - age, receipt=number, user_id=str(number), addressed=True
            )
        )
    storage.append(line("claimed", time=BEGAN - 5, addressed=True))
    storage.claimed[BOT, "claimed"] = ""
    storage.append(line("elsewhere", time=BEGAN - 5, addressed=True, conversation=OTHER))
    async with office(storage=storage, groups={"mode": "deny", "ids": [OTHER.peer]}) as made:
        for _ in range(3):
            await made.desk.resume(BOT)
            await settle()
        answered = {one for key, one in storage.claimed if key == BOT}
        assert answered == {"claimed", "old0", "old1", "old2"}
        assert storage.row("old3").processed
        assert made.desk.rooms.find(OTHER) is None


@virtual
async def test_after_a_minute_of_which_nothing_is_known_nobody_waits() -> None:
    storage = FakeStorage()
    storage.append(line("old", "在吗", time=BEGAN - 61, addressed=True))
    async with office(storage=storage) as made:
        await made.desk.resume(BOT)
        await settle()
        assert made.platform.sent == []
        assert storage.row("old").processed


@virtual
async def test_a_reply_that_was_cut_off_is_said_once_more_and_marked() -> None:
    storage = FakeStorage()
    said = line("said", "在吗", time=BEGAN - 5, addressed=True)
    storage.append(said)
    storage.append(line("behind", "在吗", time=BEGAN - 4, receipt=1, addressed=True, user_id="2"))
    storage.claimed[BOT, "said"] = ""
    storage.cut_off.append(UnsentReply(said, "记下了：交报告", ("said",)))
    async with office(storage=storage) as made:
        for _ in range(2):
            await made.desk.resume(BOT)
            await settle()
        (_, first), (_, second) = made.platform.sent
        assert (first.text, first.quote, first.answers) == ("【补发】记下了：交报告", "said", ("said",))
        assert second.quote == "behind", "in the order in which they were owed"
        assert storage.claimed[BOT, "said"] != ""
        assert storage.row("said").processed


@virtual
async def test_a_reply_that_was_cut_off_is_not_said_in_a_silence() -> None:
    storage = FakeStorage()
    said = line("said", "在吗", time=BEGAN - 5, addressed=True)
    storage.append(said)
    storage.cut_off.append(UnsentReply(said, "记下了：交报告", ("said",)))
    await storage.set_silence(said.conversation, Silence(until=BEGAN + 600, by_command=True))
    async with office(storage=storage) as made:
        await made.desk.resume(BOT)
        await settle()
        assert made.platform.sent == []
        assert storage.row("said").processed


@virtual
async def test_what_an_outage_stranded_is_taken_up_when_it_is_over() -> None:
    storage = FakeStorage()
    async with office(storage=storage) as made:
        await made.desk.resume(BOT)
        await made.say("1", "在吗", at=True, message_id="answered")
        assert len(made.platform.sent) == 1
        storage.append(line("stranded", "在吗", time=BEGAN, receipt=2**62, addressed=True, user_id="2"))
        del storage.claimed[BOT, "answered"]  # what memory knows was not written
        storage.rows[BOT, "answered"] = replace(storage.row("answered"), addressed=True, processed=False)
        for _ in range(2):
            storage.recovered()
            await settle()
        assert [one.quote for _, one in made.platform.sent[1:]] == ["stranded"]
        assert storage.row("answered").processed


@virtual
async def test_what_is_in_hand_is_not_taken_up_beside() -> None:
    storage = FakeStorage()
    async with office(storage=storage) as made:
        await made.desk.resume(BOT)
        storage.slow = 0.5
        asking = asyncio.ensure_future(made.say("1", "在吗", at=True, message_id="waits"))
        await asyncio.sleep(0.2)
        storage.recovered()
        await asyncio.sleep(5)
        storage.slow = 0.0
        await asking
        await settle()
        assert [one.quote for _, one in made.platform.sent] == ["waits"]


@virtual
async def test_what_was_answered_in_an_outage_is_claimed_when_it_is_over() -> None:
    storage = FakeStorage()
    async with office(storage=storage) as made:
        await made.desk.resume(BOT)
        await settle()
        storage.broken = True
        await made.say("1", "在吗", at=True, message_id="asked")
        await made.pass_time(10)
        assert len(made.platform.sent) == 1
        assert (BOT, "asked") not in storage.claimed
        storage.broken = False
        storage.recovered()
        await settle()
        assert (BOT, "asked") in storage.claimed
        assert len(made.platform.sent) == 1
        made.reports.clear()


@virtual
async def test_lines_are_only_taken_down_until_reading_is_prepared() -> None:
    prepared = asyncio.Event()
    async with office(prepared=prepared) as made:
        await made.say("1", "在吗", at=True, message_id="early")
        await made.pass_time(3)
        assert made.platform.sent == []
        assert made.storage.row("early").addressed
        prepared.set()
        await made.pass_time(3)
        assert [one.quote for _, one in made.platform.sent] == ["early"]


@virtual
async def test_what_is_too_old_says_why_in_the_trace() -> None:
    storage = FakeStorage()
    storage.append(line("old", "在吗", time=BEGAN - 300, addressed=True))
    async with office(storage=storage) as made:
        await made.desk.resume(BOT)
        await settle()
        assert made.platform.sent == []
        assert [(one.message_id, one.reason) for one in storage.records] == [
            ("old", "重启以后才看到，已经过了5分钟，没有补答")
        ]


@virtual
async def test_what_was_left_is_read_until_it_was_read_once() -> None:
    storage = FakeStorage()
    storage.append(line("left", "在吗", time=BEGAN - 59, addressed=True))
    async with office(storage=storage) as made:
        storage.broken = True
        await made.desk.resume(BOT)
        await made.desk.resume(BOT)  # the account went and came
        await made.pass_time(20)
        assert len(made.reports) == 1, "told once"
        made.reports.clear()
        storage.broken = False
        await made.pass_time(40)
        assert len(made.platform.sent) == 1, "old by now, and young when this run began"
        await made.desk.resume(BOT)
        await made.pass_time(60)
        assert len(made.platform.sent) == 1


@virtual
async def test_the_platform_is_told_of_each_line_that_is_taken_up() -> None:
    """Where an answer has to name a line that was said lately, this run would know none to name."""
    storage = FakeStorage()
    storage.append(line("left", "在吗", time=BEGAN - 5, addressed=True))
    async with office(storage=storage) as made:
        await made.desk.resume(BOT)
        await settle()
        assert made.platform.answerable == ["left"]
        assert len(made.platform.sent) == 1


@virtual
async def test_reading_what_was_left_ends_with_the_desk() -> None:
    storage = FakeStorage()
    async with office(storage=storage) as made:
        storage.broken = True
        await made.desk.resume(BOT)
        made.reports.clear()
        await made.desk.close()
        assert not [task for task in asyncio.all_tasks() if task.get_name() == "mishu resume"]


@virtual
async def test_what_was_taken_up_once_is_not_taken_up_again() -> None:
    storage = FakeStorage()
    storage.append(line("poison", "提醒我明天八点开会", time=BEGAN - 5, addressed=True, tries=1))
    storage.append(line("behind", "在吗", time=BEGAN - 4, receipt=1, addressed=True))
    async with office(storage=storage) as made:
        await made.desk.resume(BOT)
        await made.pass_time(10)
        assert made.platform.texts[0] == GAVE_UP
        assert made.platform.sent[0][1].quote == "poison"
        assert len(made.platform.sent) == 2
        assert storage.row("poison").processed
        told = {one.message_id: one.reason for one in storage.records}
        assert told["poison"] == "处理它的时候重启了，接着处理时又重启了，不再试"
        assert set(told) == {"poison", "behind"}


@pytest.mark.parametrize(
    ("done", "told"),
    [
        (Finished(("交报告",), whole=True), "重启前就记下了，只是没来得及说：交报告"),
        (Finished(("交报告",)), "我中途重启了，这些记下了，没提到的再说一遍：交报告"),
    ],
)
@virtual
async def test_what_was_done_before_the_kill_is_told_and_not_done_again(done: Finished, told: str) -> None:
    storage = FakeStorage()
    storage.append(line("order", "提醒我明天八点交报告", time=BEGAN - 5, addressed=True))
    storage.done["order"] = done
    async with office(storage=storage) as made:
        await made.desk.resume(BOT)
        await made.pass_time(10)
        assert made.platform.texts == [told]
        assert storage.row("order").processed
        assert storage.row("order").tries == 0


@virtual
async def test_a_try_is_on_disk_before_it_begins_and_those_behind_it_are_not_tried_yet() -> None:
    storage = FakeStorage()
    for number in range(2):
        storage.append(line(f"m{number}", "聊聊天吧", time=BEGAN - 5, receipt=number, addressed=True))
    model = FakeModel()
    model.gate = asyncio.Event()
    async with office(storage=storage, model=model) as made:
        await made.desk.resume(BOT)
        await made.pass_time(1)
        assert (storage.row("m0").tries, storage.row("m1").tries) == (1, 0)
        model.gate.set()
        await made.pass_time(10)
        assert len(made.platform.sent) == 2


@virtual
async def test_the_first_lines_wait_for_no_room() -> None:
    """Handed to the database when heard, those said to us marked as such: a kill comes at any time."""
    storage = FakeStorage()
    storage.slow = 3.0
    made = Office(storage=storage)
    made.hear(made.heard("a", "在吗", at=True, message_id="called"))
    made.hear(made.heard("a", "小秘 在吗", message_id="named"))
    made.hear(made.heard("a", "小秘 /秘书 帮助", message_id="command"))
    made.hear(made.heard("b", "吃了吗", message_id="talk"))
    marks = {one: storage.row(one).addressed for one in ("called", "named", "talk")}
    assert marks == {"called": True, "named": True, "talk": False}
    await made.pass_time(60)
    assert made.room.duplicates == set()
    assert {one for _, one in storage.claimed} >= {"called", "named"}
    assert not await storage.pending(BOT, 0.0)
    await made.desk.close()


@virtual
async def test_what_comes_while_resuming_is_not_taken_twice() -> None:
    storage = FakeStorage()
    async with office(storage=storage) as made:
        storage.slow = 0.5
        resuming = asyncio.create_task(made.desk.resume(BOT))
        await made.call("a", "在吗")
        await resuming
        await made.pass_time(10)
        assert len(made.platform.sent) == 1


@virtual
async def test_no_resumed_answer_in_a_silence() -> None:
    storage = FakeStorage()
    storage.append(line("old", "在吗", time=BEGAN - 5, addressed=True))
    storage.kept[GROUP] = ConversationSettings(silence=Silence(BEGAN + 600, by_command=False))
    async with office(storage=storage) as made:
        await made.desk.resume(BOT)
        await settle()
        assert made.platform.sent == []
        assert storage.row("old").processed
