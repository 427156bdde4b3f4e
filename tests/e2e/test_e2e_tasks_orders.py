"""Tasks that are there: deleted after a yes, picked by number, given away, changed by who may; no model."""

from __future__ import annotations

import re

import pytest

from .conftest import StartBot
from .harness import Chat, Member, OneBotClient
from .harness.segments import at
from .test_e2e_restart import running
from .test_e2e_tasks import CLOCK as CLOCK
from .test_e2e_tasks import OFFLINE as OFFLINE
from .test_e2e_tasks import TODAY, TOMORROW, Talk, when
from .test_e2e_tasks import talk as talk

pytestmark = pytest.mark.exhaustive


async def titles(talk: Talk, who: Member, status: str = "pending") -> list[str]:
    return sorted(task["title"] for task in await talk.tasks(who, status=status))


# -- deleting --------------------------------------------------------------------------------------------


async def test_deleting_waits_for_the_members_own_yes(talk: Talk) -> None:
    ming, hong = talk.room.members("小明", "小红")
    await talk.order(ming, "创建任务：明天下午买菜")
    said = await talk.room.call(ming, "删除买菜的任务")
    asked = await talk.room.expect(quoting=said)
    assert "要删掉这个任务吗" in asked.text
    assert "2月6日（周六）下午" in asked.text
    for words in ("好的", "确认", "删吧"):
        await talk.say(hong, words)
    await talk.room.quote(hong, asked, "好的")
    await talk.say(ming, "刚才那部电影真好看")
    await talk.settle()
    assert await titles(talk, ming) == ["买菜"]
    answer = await talk.room.quote(ming, asked, "好的")
    assert "删掉了：「买菜」" in (await talk.room.expect(quoting=answer)).text
    assert await talk.tasks(ming) == []


async def test_a_no_keeps_it(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "创建任务：明天下午买菜")
    for refusal in ("不用了", "别删", "算了"):
        await talk.order(ming, "把买菜删掉")
        await talk.answer(ming, refusal)
    await talk.say(ming, "好的")
    await talk.settle()
    assert await titles(talk, ming) == ["买菜"]


async def test_several_hits_are_picked_by_number(talk: Talk) -> None:
    ming = talk.room.member("小明")
    for words in ("明天早上买菜", "明天下午买菜", "后天晚上买菜给妈妈"):
        await talk.order(ming, f"创建任务：{words}")
    asked = await talk.order(ming, "买菜的任务完成了")
    assert "第几个" in asked
    assert "1. " in asked
    assert "（周六）早上" in asked
    assert "打勾了" in await talk.answer(ming, "第二个")
    assert [when(task)[3] for task in await talk.tasks(ming, status="completed")] == ["afternoon"]
    assert len(await talk.tasks(ming, status="pending")) == 2


async def test_numbers_mean_the_list_that_was_shown(talk: Talk) -> None:
    ming = talk.room.member("小明")
    for words in ("明天早上买菜", "明天上午洗车", "明天下午写信"):
        await talk.order(ming, f"创建任务：{words}")
    await talk.order(ming, "我有哪些任务")
    await talk.order(ming, "买菜的任务完成了")
    # 洗车 is the first of what is left, and still the second of what was shown.
    assert "洗车" in await talk.order(ming, "第二个任务完成了")
    assert await titles(talk, ming) == ["写信"]


@pytest.mark.exhaustive
async def test_deleting_survives_kill_9(start_bot: StartBot) -> None:
    bot = start_bot(offline=True)
    account = OneBotClient(bot.onebot_url, 10_078)
    room = Chat.group(account)
    ming, hong = room.members("小明", "小红")
    async with running(bot, account) as api:
        talk = Talk(room, bot, api)
        await talk.order(ming, "创建任务：明天下午买菜")
        assert "要删" in await talk.order(ming, "删除买菜的任务")
        before = await talk.only(ming)
        await bot.kill()
    async with running(bot, account) as api:
        talk = Talk(room, bot, api)
        assert await talk.only(ming) == before
        await talk.say(hong, "好的")
        await talk.settle()
        assert await talk.only(ming) == before
        assert "删掉了：「买菜」" in await talk.answer(ming, "好的")
        assert await talk.tasks(ming) == []
        await talk.order(ming, "创建任务：明天下午洗车")
        assert (await talk.only(ming))["id"] > before["id"]
        once = [sent for sent in room.sends if not sent.text.startswith("【补发】")]
        assert len(once) == len({sent.quotes for sent in once}), "something was said twice"


# -- changing, completing --------------------------------------------------------------------------------


async def test_what_was_not_said_stays(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "创建任务：明天下午4点到5点半买菜，备注：带袋子")
    assert "17:00–18:30" in await talk.order(ming, "把买菜改到五点")
    assert "2月7日（周日）17:00–18:30" in await talk.order(ming, "买菜改到后天")
    task = await talk.only(ming)
    assert when(task) == ("2027-02-07", "17:00", "18:30", None)
    assert task["description"] == "带袋子"
    await talk.order(ming, "把买菜设为高优先级")
    await talk.order(ming, "把买菜改成买菜和水果")
    task = await talk.only(ming)
    assert (task["priority"], task["title"]) == ("high", "买菜和水果")
    assert "周六" in await talk.order(ming, "把买菜和水果改到明天下午")
    assert when(await talk.only(ming)) == (TOMORROW, None, None, "afternoon")


async def test_what_is_meant_may_stand_behind_the_verb(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "创建任务：明天下午4点到5点买菜")
    await talk.order(ming, "创建任务：明天上午洗车")
    for words in ("推迟买菜到后天", "推迟买菜一小时", "修改任务买菜到2月9号"):
        assert "改好了：买菜" in await talk.order(ming, words), words
    found = {task["title"]: when(task) for task in await talk.tasks(ming)}
    assert found["买菜"] == ("2027-02-09", "17:00", "18:00", None)
    assert found["洗车"] == (TOMORROW, None, None, "forenoon")


async def test_moving_into_the_past_is_asked(talk: Talk) -> None:
    ming = talk.room.member("小明")
    talk.at(f"{TODAY}T15:00")
    await talk.order(ming, "创建任务：明天下午买菜")
    assert "改好了" not in await talk.order(ming, "把买菜改到今天早上")
    assert when(await talk.only(ming)) == (TOMORROW, None, None, "afternoon")


async def test_what_is_not_there_is_said(talk: Talk) -> None:
    ming = talk.room.member("小明")
    for words in ("删除买菜的任务", "买菜的任务完成了", "把买菜的任务改到明天"):
        told = await talk.order(ming, words)
        assert "没有" in told, told
    assert await talk.tasks(ming) == []


# -- given to others, permissions ------------------------------------------------------------------------


async def test_a_member_who_is_mentioned_gets_the_task(talk: Talk) -> None:
    ming, hong = talk.room.members("小明", "小红")
    await talk.room.say(hong, "大家好")
    told = await talk.order(ming, "给", at(hong.user_id), " 建个任务：明天下午交周报")
    assert "小红" in told
    task = await talk.only(hong)
    assert task["title"] == "交周报"
    assert (task["owner"], task["creator"]) == (str(hong.user_id), str(ming.user_id))
    assert await talk.tasks(ming) == []
    # The owner and the creator may both change it.
    assert "改好了：交周报" in await talk.order(hong, "把交周报改到后天下午")
    assert "打勾了" in await talk.order(ming, at(hong.user_id), " 的交周报完成了")


async def test_a_member_who_is_named_gets_the_task_and_is_named_in_the_reply(talk: Talk) -> None:
    ming, hong = talk.room.members("小明", "小红")
    await talk.room.say(hong, "大家好")
    await talk.settle()
    assert "交给小红了：交周报" in await talk.order(ming, "给小红建个任务：明天下午交周报")
    task = await talk.only(hong)
    assert (task["owner"], task["creator"]) == (str(hong.user_id), str(ming.user_id))
    assert await talk.tasks(ming) == []


async def test_a_name_nobody_has_gives_nobody_anything(talk: Talk) -> None:
    """It is asked about; what the speaker takes on is a reminder to tell them, and nothing is another's."""
    ming, hong = talk.room.members("小明", "小红")
    await talk.room.say(hong, "大家好")
    await talk.settle()
    for refusal in ("算了", "不用了"):
        assert "没找到叫「小雅」的" in await talk.order(ming, "给小雅建个任务：明天下午交周报")
        await talk.say(hong, "好的")
        await talk.settle()
        assert await talk.tasks(hong) == await talk.tasks(ming) == []
        await talk.answer(ming, refusal)
    assert await talk.tasks(hong) == await talk.tasks(ming) == []
    await talk.order(ming, "给小雅建个任务：明天下午交周报")
    await talk.answer(ming, "好的")
    assert (await talk.only(ming))["title"] == "叫小雅交周报"
    assert await talk.tasks(hong) == []


async def test_a_name_that_two_have_gives_nobody_anything_until_one_is_picked(talk: Talk) -> None:
    ming, one, other = talk.room.members("小明", "小红", "小红")
    for who in (one, other):
        await talk.room.say(who, "大家好")
    await talk.settle()
    assert "叫「小红」的有2位" in await talk.order(ming, "给小红建个任务：明天下午交周报")
    for who in (ming, one, other):
        assert await talk.tasks(who) == []
    assert "交给小红了：交周报" in await talk.answer(ming, "第二个")
    given = [await talk.tasks(who) for who in (ming, one, other)]
    assert sorted(map(len, given)) == [0, 0, 1]
    assert given[0] == []


async def test_another_members_task_is_out_of_reach(talk: Talk) -> None:
    ming, hong = talk.room.members("小明", "小红")
    await talk.order(ming, "创建任务：明天下午买菜")
    before = await talk.only(ming)
    for words in ("删除买菜的任务", "买菜的任务完成了", "把买菜的任务改到后天", "买菜做完了"):
        await talk.order(hong, words)
        await talk.order(hong, at(ming.user_id), " 的买菜做完了")
        await talk.order(hong, "把 ", at(ming.user_id), " 的买菜删掉")
        await talk.say(hong, "确认")
    await talk.settle()
    assert await talk.only(ming) == before


async def test_admins_and_superusers_may(talk: Talk) -> None:
    ming = talk.room.member("小明")
    admin = talk.room.member("管理员", role="admin")
    boss = talk.room.member("主人", user_id=99_999)
    for governor in (admin, boss):
        await talk.order(ming, "创建任务：明天下午买菜")
        assert "要删" in await talk.order(governor, "删除", at(ming.user_id), " 的买菜任务")
        await talk.answer(governor, "确认")
        assert await talk.tasks(ming) == []


async def test_a_private_conversation_has_its_own(talk: Talk, client: OneBotClient) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "创建任务：明天下午买菜")
    friend = client.friend(ming.user_id, "小明")
    await friend.say(None, "明天晚上7点到8点开家长会")
    assert re.match("好，|记下了：", (await friend.expect()).text)
    await friend.say(None, "我有哪些任务")
    listed = (await friend.expect()).text
    assert "家长会" in listed
    both = await talk.api.get(f"/api/users/{ming.user_id}/tasks", self_id=client.self_id)
    assert [task["groupId"] for task in sorted(both, key=lambda task: task["id"])] == [talk.room.id, None]
    # A range elsewhere is in the way, and its title is nobody else's business.
    asked = await talk.order(ming, "创建任务：明天晚上7点半到8点半写信")
    assert "冲突" in asked
    assert "家长会" not in asked


async def test_the_same_over_http(talk: Talk) -> None:
    user = "5550001"

    async def chat(message: str) -> dict[str, object]:
        answer = await talk.api.http.post(
            "/api/ai/chat", json={"message": message, "user_id": user, "nickname": "接口"}
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    made = await chat("明天下午4点到5点去买东西")
    assert made["status"] == "completed"
    assert [action["tool"] for action in made["actions"]] == ["create_task"]  # type: ignore[index, union-attr]
    arguments = made["actions"][0]["arguments"]  # type: ignore[index]
    assert (arguments["dueDate"], arguments["startTime"], arguments["endTime"]) == (
        TOMORROW,
        "16:00",
        "17:00",
    )
    asked = await chat("删除买东西的任务")
    assert asked["status"] == "awaiting_user"
    assert asked["actions"] == []
    done = await chat("确认")
    assert [action["tool"] for action in done["actions"]] == ["delete_task"]  # type: ignore[index, union-attr]
    assert await talk.api.get(f"/api/users/{user}/tasks") == []
