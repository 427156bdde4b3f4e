"""Two accounts of ours in one group, in one process: one answers, and what is kept is kept once
(docs/scale.md)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest_asyncio

from .harness import Api, BotProcess, OneBotClient
from .harness.both import Both
from .harness.segments import at, reply

OFFLINE = True
BOT = {"MISHU__SCALE__LEASE": 14}


@pytest_asyncio.fixture
async def other(bot: BotProcess) -> AsyncIterator[OneBotClient]:
    """The second account."""
    async with OneBotClient(bot.onebot_url, 10_777, name="小秘二号") as account:
        yield account


async def settled(api: Api, both: Both) -> None:
    """Nothing is being done in the group."""
    await api.until_free(both.rooms[0])


async def tasks(api: Api, both: Both, user_id: int) -> list[str]:
    """A member's tasks in the group."""
    return [each["title"] for each in await api.get(f"/api/users/{user_id}/tasks", group_id=both.id)]


async def test_every_line_is_answered_and_kept_once(client: OneBotClient, other: OneBotClient, api: Api):
    both = Both(client, other)
    ming = both.rooms[0].member("阿明")
    by = set[int]()
    for number in range(6):
        said = await both.say(ming, f"小秘 提醒我明天下午{number + 1}点去寄第{number}个包裹")
        by.add((await both.answered(said))[0])
    await settled(api, both)
    assert (len(both.sent()), len(by)) == (6, 1)
    assert len(await tasks(api, both, ming.user_id)) == 6
    for account in (client.self_id, other.self_id):
        seen = await api.get(f"/api/groups/{both.id}/messages", self_id=account)
        assert sum("包裹" in row["text"] and not row["is_bot"] for row in seen) == 6


async def test_who_only_listens_is_called_quoted_and_poked_all_the_same(
    client: OneBotClient, other: OneBotClient, api: Api
):
    both = Both(client, other)
    ming = both.rooms[0].member("阿明")
    for account in (client, other):
        said = await both.say(ming, at(account.self_id), " 在吗")
        duty, first = await both.answered(said)
    quoting = await both.say(ming, reply(first.message_id), "记一下打车30元")
    await both.answered(quoting)
    for account in (client, other):
        seen = len(both.sent())
        for room in both.rooms:
            await room.poke(ming, int(account.self_id))
        await api.poll(lambda: counted(both), lambda count, seen=seen: count > seen, "an answer to a poke")
    await settled(api, both)
    assert {number for number, _ in both.sent()} == {duty}
    assert len(both.sent()) == 5


async def counted(both: Both) -> int:
    """How much was said in the group."""
    return len(both.sent())


async def test_what_the_other_account_says_is_no_talk(client: OneBotClient, other: OneBotClient, api: Api):
    both = Both(client, other)
    ming = both.rooms[0].member("阿明")
    duty, _ = await both.answered(await both.say(ming, "小秘 在吗"))
    here, there = both.rooms[duty], both.rooms[1 - duty]
    ours = here.member("小秘二号", user_id=int(there.client.self_id))
    await both.say(ours, "小秘 提醒我明天下午三点开会", heard_by=[duty])
    await both.say(ours, "小秘 在吗", heard_by=[duty])
    await here.sentinel()
    assert len(both.sent()) == 2
    assert not any("开会" in row["text"] for row in await api.messages(here))


async def test_the_other_takes_over_when_one_goes(client: OneBotClient, other: OneBotClient, api: Api):
    both = Both(client, other)
    ming = both.rooms[0].member("阿明")
    duty, _ = await both.answered(await both.say(ming, "小秘 帮我建个任务写周报"))
    gone = both.rooms[duty].client
    await gone.disconnect()
    try:
        said = await both.say(ming, "小秘 我有哪些任务", heard_by=[1 - duty])
        now, answer = await both.answered(said)
        assert (now, "周报" in answer.text) == (1 - duty, True)
    finally:
        await gone.connect()
    now, _ = await both.answered(await both.say(ming, "小秘 帮我建个任务买牛奶"))
    assert now == 1 - duty  # who took over stays
    await settled(api, both)
    assert len(both.sent()) == 3
    assert sorted(await tasks(api, both, ming.user_id)) == ["买牛奶", "写周报"]


async def test_a_muted_account_hands_over(client: OneBotClient, other: OneBotClient, api: Api):
    both = Both(client, other)
    ming = both.rooms[0].member("阿明")
    duty, _ = await both.answered(await both.say(ming, "小秘 在吗"))
    for room in both.rooms:
        await room.mute(600, int(both.rooms[duty].client.self_id))
    now, _ = await both.answered(await both.say(ming, "小秘 提醒我明天下午三点开会"))
    assert (now, len(both.sent())) == (1 - duty, 2)
    assert (await api.presence(both.rooms[now]))["silenced_until"] is None


async def test_an_account_that_was_removed_hands_over_its_open_card(
    client: OneBotClient, other: OneBotClient, api: Api
):
    both = Both(client, other)
    ming = both.rooms[0].member("阿明")
    duty, _ = await both.answered(await both.say(ming, "小秘 打车30元"))
    kicked = int(both.rooms[duty].client.self_id)
    await both.rooms[duty].notice("group_decrease", sub_type="kick_me", user_id=kicked, operator_id=9)
    now, _ = await both.answered(await both.say(ming, "确认", heard_by=[1 - duty]))
    assert now == 1 - duty
    await api.until_free(both.rooms[now])
    for account in (client.self_id, other.self_id):
        [row] = await api.get(f"/api/groups/{both.id}/transactions", self_id=account)
        assert (row["amount"], row["description"]) == ("30.00", "打车")


async def test_a_reminder_is_told_through_the_one_that_is_there(
    client: OneBotClient, other: OneBotClient, api: Api, bot: BotProcess
):
    both = Both(client, other)
    ming = both.rooms[0].member("阿明")
    duty, _ = await both.answered(await both.say(ming, "小秘 提醒我明天下午三点开会"))
    gone = both.rooms[duty].client
    await gone.disconnect()
    try:
        bot.clock.set("2026-11-19T14:59:58")
        await both.say(ming, "好的好的", heard_by=[1 - duty])
        told = await both.rooms[1 - duty].expect("开会", within=70)
        assert str(ming.user_id) in told.ats
    finally:
        bot.clock.reset()
        await gone.connect()
    assert len(both.sent()) == 2


async def test_the_group_has_one_calendar(client: OneBotClient, other: OneBotClient, api: Api):
    """Whichever of our accounts is asked, and whichever something was made through."""
    both = Both(client, other)
    ming = both.rooms[0].member("阿明")
    said = await both.say(ming, "小秘 记到日程 明天下午三点开评审会")
    await both.answered(said)
    await settled(api, both)
    day = (datetime.now().astimezone() + timedelta(days=20)).isoformat()
    path = f"/api/groups/{both.id}/schedules"
    for number, account in enumerate((client.self_id, other.self_id)):
        body = {
            "description": f"第{number}场",
            "starts_at": day,
            "user_id": str(ming.user_id),
            "confirm": True,
        }
        made = await api.http.post(path, json=body, params={"self_id": account}, timeout=30)
        assert made.status_code == 201, made.text
    seen = [
        [each["description"] for each in await api.get(path, **query)]
        for query in ({}, {"self_id": client.self_id}, {"self_id": other.self_id})
    ]
    assert seen == [["开评审会", "第0场", "第1场"]] * 3
