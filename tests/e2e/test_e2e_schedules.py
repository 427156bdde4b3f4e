"""Schedules without a model, over the wire: added, asked for, moved, deleted, joined by rules alone."""

from __future__ import annotations

from typing import Any

import pytest
from default_run import first

from .conftest import StartBot
from .harness import Chat, OneBotClient
from .test_e2e_restart import running
from .test_e2e_tasks import CLOCK as CLOCK
from .test_e2e_tasks import OFFLINE as OFFLINE
from .test_e2e_tasks import Talk
from .test_e2e_tasks import talk as talk

FIELDS = {"id", "time", "end", "segment", "description", "place", "recurrence", "created_by", "joined"}


async def schedules(talk: Talk) -> list[dict[str, Any]]:
    """The group's schedules, over HTTP."""
    return await talk.api.get(f"/api/groups/{talk.room.id}/schedules", self_id=talk.room.client.self_id)


async def single(talk: Talk) -> dict[str, Any]:
    """The group's only schedule."""
    found = await schedules(talk)
    assert len(found) == 1, found
    return found[0]


async def times(talk: Talk) -> dict[str, str]:
    return {each["description"]: each["time"] for each in await schedules(talk)}


ADDED = [
    ("大家明天下午三点开会", "开会", "2027-02-06 15:00:00", None, "2月6日 周六 15:00"),
    ("添加日程：周日上午10点到12点打羽毛球", "打羽毛球", "2027-02-07 10:00:00", None, "周日 10:00–12:00"),
    ("添加日程：后天晚上聚餐", "聚餐", "2027-02-07 18:00:00", "evening", "周日晚上"),
    ("添加日程：2月14号全天团建", "团建", "2027-02-14 00:00:00", "all_day", "2月14日 周日全天"),
    ("添加日程：下周三下午两点开组会", "组会", "2027-02-10 14:00:00", None, "2月10日 周三 14:00"),
]


@first(2)
@pytest.mark.parametrize(("words", "what", "start", "segment", "shown"), ADDED, ids=lambda v: str(v)[:16])
async def test_an_order_is_noted_at_once(
    talk: Talk, words: str, what: str, start: str, segment: str | None, shown: str
) -> None:
    ming = talk.room.member("小明")
    told = await talk.order(ming, words)
    kept = await single(talk)
    assert set(kept) == FIELDS
    assert (kept["time"], kept["segment"]) == (start, segment), told
    assert what in kept["description"]
    assert kept["created_by"] == str(ming.user_id)
    assert kept["joined"] == []
    assert kept["recurrence"] is None
    assert told.startswith("日程记下了")
    assert shown in told


async def test_a_place_and_a_recurrence_are_kept(talk: Talk) -> None:
    ming = talk.room.member("小明")
    told = await talk.order(ming, "添加日程：每周三下午三点在302开组会")
    kept = await single(talk)
    assert kept["recurrence"] == {"freq": "weekly", "interval": 1, "byday": ["WE"]}
    assert kept["time"] == "2027-02-10 15:00:00"
    assert kept["place"] == "302"
    assert "每周三 15:00，下次 2月10日 周三" in told


ASKED = [
    ("添加日程：开会", "什么时候", "明天下午三点", "2027-02-06 15:00:00"),
    ("添加日程：今天早上八点开会", "已经过了", "明天早上八点", "2027-02-06 08:00:00"),
    ("添加日程：2月30号下午三点开会", "不对", "3月1号下午三点", "2027-03-01 15:00:00"),
]


@pytest.mark.parametrize(("words", "asked", "answer", "start"), ASKED)
async def test_what_is_open_is_asked(talk: Talk, words: str, asked: str, answer: str, start: str) -> None:
    ming, hong = talk.room.members("小明", "小红")
    assert asked in await talk.order(ming, words)
    await talk.say(hong, answer)
    await talk.settle()
    assert await schedules(talk) == []
    assert "记下了" in await talk.answer(ming, answer)
    assert (await single(talk))["time"] == start


async def test_questions_are_answered_with_weekdays(talk: Talk) -> None:
    ming, hong = talk.room.members("小明", "小红")
    await talk.order(ming, "添加日程：明天下午三点开会")
    await talk.order(ming, "添加日程：下周三晚上7点聚餐")
    listed = await talk.order(hong, "这周有什么日程")
    assert "开会" in listed
    assert "2月6日 周六" in listed
    assert "聚餐" not in listed
    everything = await talk.order(hong, "有哪些日程")
    assert "聚餐" in everything
    assert "周三" in everything


async def test_moving_keeps_what_was_not_said(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "添加日程：明天下午三点到四点半开会")
    assert "2月6日 周六 16:00–17:30" in await talk.order(ming, "把明天的会改到下午四点")
    kept = await single(talk)
    assert (kept["time"], kept["end"]) == ("2027-02-06 16:00:00", "2027-02-06 17:30:00")
    assert "2月8日 周一 16:00" in await talk.order(ming, "把开会的日程改到下周一")
    assert "已经过了" in await talk.order(ming, "把开会的日程改到今天早上八点")
    await talk.answer(ming, "算了")
    assert (await single(talk))["time"] == "2027-02-08 16:00:00"


async def test_several_are_picked_by_number_and_one_is_deleted(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "添加日程：明天下午三点开会")
    await talk.order(ming, "添加日程：后天下午三点开会")
    asked = await talk.order(ming, "删除开会的日程")
    assert "1. " in asked
    assert "2月7日 周日" in asked
    assert len(await schedules(talk)) == 2
    assert "日程删掉了：2月7日 周日 15:00 开会" in await talk.answer(ming, "第二个")
    assert (await single(talk))["time"] == "2027-02-06 15:00:00"
    assert "没找到" in await talk.order(ming, "删除爬山的日程")
    assert len(await schedules(talk)) == 1


async def test_everybody_reads_and_joins_only_who_may_changes(talk: Talk) -> None:
    ming, hong = talk.room.members("小明", "小红")
    admin = talk.room.member("管理员", role="admin")
    await talk.order(ming, "添加日程：明天下午三点开会")
    before = await single(talk)
    for words in ("删除明天的会", "把明天的会改到下午四点", "取消明天下午三点开会的日程"):
        told = await talk.order(hong, words)
        assert "小明" in told, told
        await talk.say(hong, "确认")
    await talk.settle()
    assert await single(talk) == before
    assert "参加" in await talk.order(hong, "参加")
    assert "参加" in await talk.order(admin, "+1")
    joined = (await single(talk))["joined"]
    assert len(joined) == 2
    assert str(hong.user_id) in str(joined)
    assert "不参加了" in await talk.order(hong, "我不去了")
    assert len((await single(talk))["joined"]) == 1
    assert "16:00" in await talk.order(admin, "把明天的会改到下午四点")
    assert "删掉了" in await talk.order(admin, "删除明天的会")
    assert await schedules(talk) == []


async def test_what_coincides_is_mentioned(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "添加日程：明天下午三点到五点开会")
    told = await talk.order(ming, "添加日程：明天下午四点到六点聚餐")
    assert "记下了" in told
    assert "同一时间" in told
    assert len(await schedules(talk)) == 2


async def test_another_group_sees_nothing_of_it(talk: Talk, client: OneBotClient) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "添加日程：明天下午三点开会")
    other = Talk(client.room(), talk.bot, talk.api)
    assert await schedules(other) == []
    assert "没找到" in await other.order(ming, "删除开会的日程")
    assert len(await schedules(talk)) == 1


async def test_a_recurrence_is_changed_as_a_whole(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "添加日程：每周三下午三点开组会")
    assert "每周四 15:00" in await talk.order(ming, "把组会改到每周四下午三点")
    assert (await single(talk))["recurrence"]["byday"] == ["TH"]
    assert "16:00" in await talk.order(ming, "把组会改到四点")
    assert (await single(talk))["recurrence"]["byday"] == ["TH"]
    refused = await talk.order(ming, "把组会改到下周二下午四点")
    assert "重复" in refused
    assert "以后都不再有" in await talk.order(ming, "删除组会的日程")
    assert len(await schedules(talk)) == 1
    assert "删掉了" in await talk.answer(ming, "确认")
    assert await schedules(talk) == []


@pytest.mark.exhaustive
async def test_ids_are_never_used_again(start_bot: StartBot) -> None:
    bot = start_bot(offline=True)
    account = OneBotClient(bot.onebot_url, 10_079)
    room = Chat.group(account)
    ming = room.member("小明")
    async with running(bot, account) as api:
        talk = Talk(room, bot, api)
        await talk.order(ming, "添加日程：后天下午三点开会")
        await talk.order(ming, "添加日程：后天下午五点爬山")
        last = max(each["id"] for each in await schedules(talk))
        assert "删掉了" in await talk.order(ming, "删除爬山的日程")
        await bot.kill()
    async with running(bot, account) as api:
        talk = Talk(room, bot, api)
        await talk.order(ming, "添加日程：后天下午六点聚餐")
        ids = {each["description"]: each["id"] for each in await schedules(talk)}
        assert ids["聚餐"] > last
        assert set(ids) == {"开会", "聚餐"}
