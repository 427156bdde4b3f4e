"""Plans that were overheard, over the wire, without a model: what is asked about, and whose yes counts."""

from __future__ import annotations

import pytest
from default_run import first

from .conftest import StartBot
from .harness import Chat, Member, OneBotClient, Sent
from .harness.segments import at
from .test_e2e_restart import running
from .test_e2e_schedules import schedules, single
from .test_e2e_tasks import CLOCK as CLOCK
from .test_e2e_tasks import TODAY, Talk
from .test_e2e_tasks import talk as talk

OFFLINE = True
BOT = {"MISHU__SCHEDULE__LISTEN": "always"}

PLAN = "周六晚上7点大家一起吃火锅"


async def question(talk: Talk, who: Member, words: str = PLAN) -> Sent:
    """The question about a plan."""
    await talk.say(who, words)
    return await talk.room.expect("日程吗")


async def test_a_plan_is_asked_about_and_only_its_speakers_yes_counts(talk: Talk) -> None:
    ming, hong = talk.room.members("小明", "小红")
    assert await talk.api.state(talk.room) == "absent"
    asked = await question(talk, ming)
    assert "2月6日 周六 19:00" in asked.text
    assert "火锅" in asked.text
    await talk.api.until_state(talk.room, "observing")
    assert await schedules(talk) == []
    for words in ("好的", "确认"):
        await talk.say(hong, words)
    await talk.room.quote(hong, asked, "确认")
    await talk.settle()
    assert await schedules(talk) == []
    assert "记下了" in await talk.answer(ming, "确认")
    kept = await single(talk)
    assert (kept["time"], kept["created_by"]) == ("2027-02-06 19:00:00", str(ming.user_id))


@first(2)
@pytest.mark.parametrize("words", ["不用", "算了", "取消", "退出"])
async def test_a_no_keeps_nothing(talk: Talk, words: str) -> None:
    ming = talk.room.member("小明")
    await question(talk, ming)
    await talk.answer(ming, words)
    await talk.say(ming, "确认")
    await talk.settle()
    assert await schedules(talk) == []


async def test_another_time_is_a_yes_with_a_change(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await question(talk, ming)
    assert "2月6日 周六 20:00" in await talk.answer(ming, "改到晚上八点")
    assert (await single(talk))["time"] == "2027-02-06 20:00:00"


async def test_a_quote_of_the_question_answers_it(talk: Talk) -> None:
    ming = talk.room.member("小明")
    asked = await question(talk, ming)
    said = await talk.room.quote(ming, asked, "好的")
    assert "记下了" in (await talk.room.expect(quoting=said)).text
    assert len(await schedules(talk)) == 1


async def test_several_in_one_line_are_one_batch(talk: Talk) -> None:
    ming = talk.room.member("小明")
    asked = await question(talk, ming, "周六晚上7点大家一起吃火锅，周日下午两点大家一起爬山")
    assert "1. 2月6日 周六 19:00" in asked.text
    assert "2. 2月7日 周日 14:00" in asked.text
    assert "记下了" in await talk.answer(ming, "确认第二个")
    assert (await single(talk))["time"] == "2027-02-07 14:00:00"
    await talk.answer(ming, "剩下的不要了")
    await talk.settle()
    assert len(await schedules(talk)) == 1


NOT_ASKED = [
    "周六晚上7点谁去吃火锅",
    "周六晚上7点一起吃火锅吗",
    "周六晚上7点要不要一起吃火锅",
    "老师说周六晚上7点一起吃火锅",
    "听说周六晚上大家一起聚餐",
    "「周六晚上7点大家一起吃火锅」",
    "周六晚上7点",
    "大家一起吃火锅",
    "昨天晚上大家一起吃火锅了",
    "如果周六晚上7点一起吃火锅就好了",
    "我周六晚上7点要去考试",
    "我有三点建议，开会再讨论",
    "3号楼聚餐",
]


async def test_what_is_no_plan_is_not_asked_about(talk: Talk) -> None:
    for words in NOT_ASKED:
        await talk.say(talk.room.member("路人"), words)
    ming, hong = talk.room.members("小明", "小红")
    quoted = await talk.say(hong, "周六有空")
    await talk.room.quote(ming, quoted, PLAN)
    await talk.settle()
    assert talk.room.left() == []
    assert await schedules(talk) == []


async def test_a_speaker_is_asked_once_in_ten_minutes(talk: Talk) -> None:
    ming, hong = talk.room.members("小明", "小红")
    await question(talk, ming)
    await talk.answer(ming, "不用")
    await talk.say(ming, "周日下午两点大家一起爬山")
    await talk.settle()
    assert talk.room.left() == []
    await question(talk, hong, "周日下午三点大家一起打羽毛球")
    talk.at(f"{TODAY}T10:11")
    await question(talk, ming, "周日下午两点大家一起爬山")


async def test_a_question_expires(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await question(talk, ming)
    talk.at(f"{TODAY}T10:06")
    await talk.say(ming, "确认")
    await talk.settle()
    assert await schedules(talk) == []
    assert talk.room.left() == []


async def test_a_group_may_switch_it_off(talk: Talk) -> None:
    admin = talk.room.member("管理员", role="admin")
    await talk.room.command(admin, "开关 日程监听 关")
    await talk.say(talk.room.member("小明"), PLAN)
    await talk.settle()
    assert talk.room.left() == []
    await talk.room.command(admin, "开关 日程监听 开")
    await question(talk, talk.room.member("小红"))


async def test_a_call_by_name_is_an_order_and_needs_no_yes(talk: Talk) -> None:
    ming = talk.room.member("小明")
    assert "记下了" in await talk.order(ming, PLAN)
    assert len(await schedules(talk)) == 1
    hong = talk.room.member("小红")
    await talk.say(hong, at(ming.user_id), " 早")
    await talk.settle()
    assert talk.room.left() == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("listen", ["off", "present"])
async def test_how_much_is_listened_to(start_bot: StartBot, listen: str) -> None:
    bot = start_bot(offline=True, MISHU__SCHEDULE__LISTEN=listen)
    account = OneBotClient(bot.onebot_url, 10_080)
    room = Chat.group(account)
    ming, hong = room.members("小明", "小红")
    plan = "后天晚上7点大家一起吃火锅"
    async with running(bot, account) as api:
        talk = Talk(room, bot, api)
        await talk.say(ming, plan)
        await talk.settle()
        assert room.left() == []
        assert await api.state(room) == "absent"
        await talk.order(hong, "有哪些日程")
        await api.until_state(room, "observing")
        await talk.say(ming, plan)
        if listen == "off":
            await talk.settle()
            assert room.left() == []
        else:
            await room.expect("日程吗")
            assert "记下了" in await talk.answer(ming, "确认")
