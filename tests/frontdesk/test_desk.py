"""The front desk as a whole: the order of checks, early messages, resuming, memory."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from nonebot_plugin_mishu.frontdesk import Interest, QuotedMessage, Segment
from nonebot_plugin_mishu.secretary import PresenceEvent, PresenceState, SendFailed
from nonebot_plugin_mishu.storage.records import PRESSED
from office import office
from stand_ins import BOT, FRIEND, GROUP, OTHER, FakeModel
from virtual_time import settle, virtual


@virtual
async def test_a_summons_is_answered_and_everything_is_on_disk() -> None:
    async with office() as made:
        said = await made.call("a", "在吗")
        conversation, speech = made.platform.sent[0]
        assert (conversation, speech.text, speech.quote) == (GROUP, "好的", said)
        assert made.storage.row(said).processed
        assert made.storage.row(said).addressed
        own = made.storage.row("sent-1")
        assert (own.is_bot, own.processed, own.text) == (True, True, "好的")
        assert made.storage.claimed[BOT, said] == "sent-1"
        assert [record.trigger for record in made.audience.decisions] == ["summon"]
        assert made.storage.records[0].user_id == "a"
        assert made.room.seat.presence.state is PresenceState.OBSERVING


@virtual
async def test_pitfall_16_own_lines_never_trigger_nor_count() -> None:
    async with office() as made:
        assert not made.desk.hear(made.heard(BOT, "小秘 在吗", at=True))
        made.room.seat.apply(PresenceEvent.QUESTION_ASKED)
        assert not made.desk.hear(made.heard(BOT, "嗯"))
        assert len(made.room.ledger) == 0


@virtual
async def test_pitfall_27_a_group_that_is_not_enabled_is_not_touched() -> None:
    async with office(groups={"mode": "deny", "ids": [OTHER.peer]}) as made:
        before = list(made.storage.log)
        await made.call("a", "在吗", conversation=OTHER)
        await made.say("a", "/秘书 状态", conversation=OTHER)
        made.desk.take_poke(made.heard("a", segments=[Segment("other", "[戳一戳]")], conversation=OTHER))
        await made.desk.notices.recalled(OTHER, "m1")
        await made.desk.notices.muted(OTHER, 60)
        await made.desk.notices.joined(OTHER)
        await settle()
        assert made.desk.rooms.find(OTHER) is None
        assert made.platform.sent == []
        assert made.storage.log == before


@virtual
async def test_pitfall_58_the_same_event_three_times() -> None:
    async with office() as made:
        first = made.heard("a", "在吗", at=True)
        for _ in range(3):
            made.hear(replace(first, receipt=made.clock.receipt()))
            await settle()
        assert len(made.platform.sent) == 1
        assert len(made.room.ledger) == 2


@virtual
async def test_empty_messages_are_not_stored() -> None:
    async with office() as made:
        assert not made.desk.hear(made.heard("a", "  \n "))
        assert len(made.room.ledger) == 0
        assert made.desk.hear(made.heard("a", at=True))


@virtual
async def test_a_silenced_group_stores_and_answers_nothing_but_commands_and_speak_words() -> None:
    async with office() as made:
        await made.say("a", "闭嘴", at=True)
        said = [
            await made.call("b", "在吗"),
            await made.say("b", "小秘"),
            await made.say("b", "随便"),
            await made.say("b", "闭嘴"),
        ]
        made.desk.take_poke(made.heard("b", segments=[Segment("other", "[戳一戳]")]))
        await settle()
        assert made.platform.sent == []
        assert all(made.storage.row(one).processed for one in said)
        await made.say("b", "/秘书 状态")
        assert "安静到" in made.platform.texts[-1]
        await made.say("b", "张嘴！")
        assert len(made.platform.sent) == 2
        await made.call("b", "在吗")
        assert made.platform.texts[-1] == "好的"


@virtual
async def test_a_speak_word_where_there_is_no_silence_is_talk() -> None:
    async with office() as made:
        await made.say("a", "张嘴")
        assert made.platform.sent == []


@virtual
async def test_pitfall_14_hearing_awaits_nothing() -> None:
    async with office() as made:
        made.storage.slow = 1000
        heard = made.heard("a", "在吗", at=True)
        assert made.desk.hear(heard)  # not a coroutine: stored when it returns
        assert heard.message_id in made.room.ledger
        assert f"append {heard.message_id}" in made.storage.log


@virtual
async def test_what_another_plugin_took_is_stored_and_not_answered() -> None:
    async with office() as made:
        heard = made.heard("a", "在吗", at=True)
        assert made.desk.hear(heard)  # and `act` is never called
        await made.pass_time(100)
        assert made.platform.sent == []
        assert heard.message_id in made.room.ledger
        assert not made.room.seat.lock.busy


@pytest.mark.parametrize(("seconds", "answered"), [(59, True), (61, False)])
@virtual
async def test_a_bare_call_makes_the_next_line_a_summons_for_a_minute(seconds: float, answered: bool) -> None:
    config = {"secretary": {"observing_timeout": 5}}
    async with office(**config) as made:
        await made.say("a", at=True)
        assert made.platform.texts == ["在呢"]
        await made.say("b", "别人说的话")
        await made.pass_time(seconds)
        await made.say("a", "今天怎么样")
        assert (made.platform.texts[1:] == ["好的"]) is answered
        await made.say("a", "再说一句")
        assert len(made.platform.sent) == 1 + answered


@virtual
async def test_a_poke_is_answered_and_the_next_line_is_a_summons() -> None:
    async with office() as made:
        await made.say("a", "早")
        made.desk.take_poke(made.heard("a", segments=[Segment("other", "[戳一戳]")]))
        await settle()
        assert made.platform.texts == ["在呢"]
        assert made.platform.sent[0][1].quote is None
        await made.say("a", "今天怎么样")
        assert made.platform.texts == ["在呢", "好的"]


@virtual
async def test_a_poke_and_calls_held_together_are_one_reply() -> None:
    async with office() as made:
        made.model.gate = asyncio.Event()
        await made.say("p", "早")
        await made.call("a", "一")
        made.desk.take_poke(made.heard("p", segments=[Segment("other", "[戳一戳]")]))
        await made.call("b", "二")
        made.model.gate.set()
        await made.pass_time(1)
        prompt = made.model.of("chat_reply")[-1].prompt
        assert "None" not in prompt
        assert "戳了戳你" in prompt
        assert "名p" in made.platform.texts[-1]
        assert "名b" in made.platform.texts[-1]
        assert len(made.platform.sent) == 2


@virtual
async def test_private_talk_is_always_answered_without_a_quote() -> None:
    async with office() as made:
        for text in ("在吗", "哈", "哈", "哈"):
            await made.say(FRIEND.peer, text, conversation=FRIEND)
        assert made.platform.texts == ["好的"] * 4
        assert all(speech.quote is None for _, speech in made.platform.sent)
        assert {record.trigger for record in made.storage.records} == {"summon"}


@virtual
async def test_nothing_is_heard_or_sent_after_close() -> None:
    async with office() as made:
        await made.desk.close()
        assert not made.desk.hear(made.heard("a", "在吗", at=True))
        made.desk.take_poke(made.heard("a", segments=[Segment("other", "[戳一戳]")]))
        await settle()
        assert made.platform.sent == []


@virtual
async def test_a_send_that_fails_is_not_tried_again_and_frees_everything() -> None:
    async with office() as made:
        made.platform.fail = SendFailed("平台拒绝了")
        first = await made.call("a", "在吗")
        assert made.room.seat.presence.state is PresenceState.ABSENT
        assert made.storage.row(first).processed
        made.platform.fail = ValueError("an adapter's fault")
        await made.call("a", "在吗")
        assert made.room.seat.presence.state is PresenceState.ABSENT
        made.platform.fail = None
        await made.call("a", "在吗")
        assert made.platform.texts == ["好的"]


@virtual
async def test_chatter_in_a_cooldown_is_passed_over_without_a_turn_and_taken_at_its_end() -> None:
    async with office() as made:
        await made.call("a", "在吗")  # answered: a cooldown runs
        for number in range(5):
            heard = made.heard("b", f"今天天气真好{number}")
            assert made.desk.hear(heard) is Interest.CHATTER
            assert made.desk.passes_over(heard)
            assert len(made.desk._tasks) == 0
        assert made.room.seat.presence.skipped == heard.message_id
        assert not made.storage.row(heard.message_id).processed
        await made.pass_time(8)
        assert [record.trigger for record in made.audience.decisions] == ["summon", "chat"]
        assert made.audience.decisions[-1].message_id == heard.message_id
        assert made.storage.row(heard.message_id).processed


@virtual
async def test_what_needs_a_turn_is_not_passed_over() -> None:
    async with office() as made:
        first = made.heard("b", "今天天气真好")
        made.desk.hear(first)
        assert not made.desk.passes_over(first)  # not observing
        await made.call("a", "在吗")
        assert not made.desk.passes_over(made.heard("b", "没听见过"))
        for heard in (
            made.heard("b", "在吗", at=True),
            made.heard("b", "闭嘴"),
            made.heard("b", "/秘书 状态"),
        ):
            assert made.desk.hear(heard) is Interest.MATTERS
        chatter = made.heard("a", "今天天气真好")
        assert made.desk.hear(chatter) is Interest.CHATTER
        assert not made.desk.passes_over(chatter)  # we just replied to them: it may be an order
        gone = made.heard("b", "撤回的话")
        made.desk.hear(gone)
        await made.desk.notices.recalled(GROUP, gone.message_id)
        assert not made.desk.passes_over(gone)
        later = made.heard("b", "又一句")
        made.desk.hear(later)
        await made.pass_time(8)
        assert not made.desk.passes_over(later)  # the cooldown is over


@virtual
async def test_chatter_is_not_passed_over_while_somebody_is_answered() -> None:
    async with office() as made:
        await made.call("a", "在吗")
        lock = made.room.seat.lock
        token = lock.acquire(made.clock.monotonic(), 60)
        heard = made.heard("b", "今天天气真好")
        assert made.desk.hear(heard) is Interest.CHATTER
        assert not made.desk.passes_over(heard)
        made.desk.act(heard)
        await settle()
        assert [item.id for item in made.room.hold.items] == [heard.message_id]
        lock.release(token)


@virtual
async def test_who_joins_in_answers_nobody() -> None:
    """The next line of whoever spoke last is no order for it: a number in it opened account book cards."""
    async with office() as made:
        for user in ("a", "b", "c"):
            await made.say(user, "加一")
        assert [speech.text for _, speech in made.platform.sent] == ["加一"]
        assert made.room.seat.presence.state is PresenceState.OBSERVING
        assert not made.room.replied
        await made.call("d", "在吗")
        assert list(made.room.replied) == ["d"]


@virtual
async def test_talk_that_is_only_looked_at_does_not_wait_for_the_disk() -> None:
    async with office(model=FakeModel(online=False)) as made:
        made.room.seat.apply(PresenceEvent.REPLY_SENT)
        await asyncio.sleep(made.config.secretary.cooldown + 1)
        made.storage.slow = 30.0
        said = await made.say("a", "今天天气真好")
        assert not made.room.seat.lock.busy
        assert made.room.ledger.get(said).processed
        assert made.audience.decisions == []
        await asyncio.sleep(31)
        assert [record.message_id for record in made.audience.decisions] == [said], "it is kept all the same"


@virtual
async def test_a_press_waits_for_the_message_above_it_to_be_sent() -> None:
    """Members see a message before the platform has told us that it is there."""
    async with office() as made:
        made.platform.delay = 1.0
        await made.call("a", "在吗")
        above = QuotedMessage("sent-1", BOT, "小秘", "好的")
        press = made.heard("a", "再说说", quote="sent-1", quoted=above, message_id=f"{PRESSED}1")
        made.hear(press)
        await made.pass_time(0.9)
        assert f"claim {press.message_id}" not in made.storage.log
        await made.pass_time(0.2)
        assert f"claim {press.message_id}" in made.storage.log
        await made.pass_time(1.5)
        assert [speech.quote for _, speech in made.platform.sent][1:] == [press.message_id]
