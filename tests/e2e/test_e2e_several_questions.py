"""Several questions open to one member at once: which of them a line, or a quote, answers."""

from __future__ import annotations

import re

import pytest
from default_run import first

from .harness import Api, BotProcess, Chat, Member, Sent
from .harness.segments import at, reply
from .reminder_steps import tasks

OFFLINE = True

END = "请问结束时间是几点？"


async def ask(room: Chat, who: Member, words: str) -> Sent:
    """Say something that is asked about; the question."""
    said = await room.call(who, words)
    return await room.expect(quoting=said)


async def answer(room: Chat, who: Member, words: str) -> str:
    """Say something without an @; what the bot says to it."""
    said = await room.say(who, words)
    return (await room.expect(quoting=said)).text


def ranges(bot: BotProcess, room: Chat) -> dict[str, tuple[str, str]]:
    """The clock of every task, by title."""
    return {row["title"]: (row["start_time"], row["end_time"]) for row in tasks(bot, room)}


async def test_a_quote_tells_two_questions_in_the_same_words_apart(room: Chat, bot: BotProcess) -> None:
    ming = room.member("阿明")
    bank = await ask(room, ming, "明天下午3点写报告")
    checkup = await ask(room, ming, "后天上午9点做课件")
    assert bank.text == checkup.text == END
    await room.expect("写报告", quoting=await room.quote(ming, bank, "4点"))
    await room.expect("做课件", quoting=await room.quote(ming, checkup, "11点"))
    assert ranges(bot, room) == {"写报告": ("15:00", "16:00"), "做课件": ("09:00", "11:00")}


async def test_a_quote_of_an_answered_question_does_not_answer_another(room: Chat, bot: BotProcess) -> None:
    ming = room.member("阿明")
    bank = await ask(room, ming, "明天下午3点写报告")
    await room.expect("记下了：写报告", quoting=await room.quote(ming, bank, "4点"))
    await ask(room, ming, "后天上午9点做课件")
    await room.expect(quoting=await room.quote(ming, bank, "5点"))
    assert list(ranges(bot, room)) == ["写报告"]


async def test_a_clock_answers_the_question_for_one_though_a_card_is_newer(
    room: Chat, bot: BotProcess
) -> None:
    ming = room.member("阿明")
    await ask(room, ming, "明天下午3点写报告")
    await ask(room, ming, "午饭35，打车20")
    assert "写报告" in await answer(room, ming, "4点半")
    assert ranges(bot, room) == {"写报告": ("15:00", "16:30")}
    assert "22元" in await answer(room, ming, "第二笔改成22")
    assert "记下了" in await answer(room, ming, "确认")


async def test_each_question_of_one_reply_says_what_it_is_about(room: Chat, bot: BotProcess) -> None:
    ming = room.member("阿明")
    both = await ask(room, ming, "明天下午3点写报告，然后后天上午9点做课件")
    assert both.text.count(END) == 2, both.text
    assert re.search(f"「[^」]*写报告」{re.escape(END)}", both.text), both.text
    assert re.search(f"「[^」]*做课件」{re.escape(END)}", both.text), both.text


async def test_one_line_answers_both_questions_of_a_reply(room: Chat, bot: BotProcess) -> None:
    ming = room.member("阿明")
    for line in ("5点，确认", "确认，5点"):
        await ask(room, ming, "记账午饭25，然后明天下午3点写方案")
        said = await answer(room, ming, line)
        assert "写方案" in said, said
        assert "记下了" in said, said
        await ask(room, ming, "撤销")
        await ask(room, ming, "撤销")
    assert ranges(bot, room) == {}


async def test_a_quote_of_a_reply_with_two_questions_answers_the_one_that_fits(
    room: Chat, bot: BotProcess
) -> None:
    ming = room.member("阿明")
    both = await ask(room, ming, "记账午饭25，然后明天下午3点写方案")
    await room.expect("记下了", quoting=await room.quote(ming, both, "确认"))
    assert ranges(bot, room) == {}
    await room.expect("写方案", quoting=await room.quote(ming, both, "5点"))
    assert ranges(bot, room) == {"写方案": ("15:00", "17:00")}


async def test_another_day_calls_a_question_off(room: Chat, bot: BotProcess, api: Api) -> None:
    for words in ("不用了，改天吧", "改天再说", "算了下次吧", "先不去了"):
        ming = room.member("阿明")
        await ask(room, ming, "明天下午3点写报告")
        assert re.search("不办|不记", await answer(room, ming, words)), words
        said = await room.say(ming, "4点")
        await api.settle(room)
        assert not [sent for sent in room.left() if sent.quotes == said.id]
    assert ranges(bot, room) == {}


async def test_what_holds_instead_is_the_answer_and_calls_nothing_off(room: Chat, bot: BotProcess) -> None:
    ming = room.member("阿明")
    await ask(room, ming, "明天下午3点写报告")
    assert await answer(room, ming, "说错了，后天") == END
    assert "写报告" in await answer(room, ming, "不对，5点")
    assert ranges(bot, room) == {"写报告": ("15:00", "17:00")}


async def test_a_day_and_a_clock_that_hold_instead_are_no_end(room: Chat, bot: BotProcess) -> None:
    ming = room.member("阿明")
    await ask(room, ming, "明天下午3点写报告")
    await ask(room, ming, "不对，是后天下午3点")
    assert ranges(bot, room) in ({}, {"写报告": (None, None)})  # no end, wherever it is kept


async def test_what_is_ordered_instead_is_done(room: Chat, bot: BotProcess) -> None:
    ming = room.member("阿明")
    await ask(room, ming, "明天下午3点写报告")
    said = (await ask(room, ming, "算了，改成提醒我后天早上8点吃药")).text
    assert "不记" in said
    assert [row["title"] for row in tasks(bot, room)] == ["吃药"]


async def test_a_recalled_order_is_asked_about_no_more(room: Chat, bot: BotProcess, api: Api) -> None:
    ming = room.member("阿明")
    order = await room.call(ming, "明天下午3点写报告")
    await room.expect(END, quoting=order)
    await room.recall(order)
    await api.poll(
        lambda: api.get(f"/api/groups/{room.id}/frames", self_id=room.client.self_id),
        lambda frames: [frame["status"] for frame in frames] == ["canceled"],
        "the question is over",
    )
    await room.say(ming, "4点")
    await api.settle(room)
    room.nothing_else()
    assert ranges(bot, room) == {}


@first(2)
@pytest.mark.parametrize("words", ["记一下", "这个帮我记上", "记下来吧", "存一下这个", "麻烦记一笔"])
async def test_a_quote_of_anothers_words_confirms_no_card(
    room: Chat, bot: BotProcess, api: Api, words: str
) -> None:
    """What is quoted is meant, and not the repayment that waits for a yes."""
    ming, ya, kai = room.members("小明", "小雅", "阿凯")
    await room.say(ming, "路过")
    await api.until_stored(room, "路过")
    await ask(room, ya, "烤肉160 我和小明AA")
    await answer(room, ya, "确认")
    card = await ask(room, ming, "把钱还给小雅了")
    assert "80元" in card.text
    plan = await room.say(kai, "周六上午九点半北门集合")
    said = await room.say(ming, reply(plan.id), at(room.client.self_id), f" {words}")
    told = await room.expect(quoting=said)
    assert "记下了" not in told.text
    assert "80元" not in told.text
    await api.settle(room)
    rows = await api.get(f"/api/groups/{room.id}/transactions", self_id=room.client.self_id)
    assert [row["amount"] for row in rows] == ["160.00"]
