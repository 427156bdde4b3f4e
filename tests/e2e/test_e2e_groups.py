"""Which groups are enabled, and a bot set up strictly (contracts, Configuration; pitfalls 21, 27)."""

from __future__ import annotations

from model_server import ModelServer

from .conftest import SELF_ID
from .harness import Api, BotProcess, Chat, OneBotClient, summon
from .harness.disk import holds
from .harness.segments import reply

ALLOWED = 555_001
STRANGE = 555_002
LIVELY = 555_003

BOT = {
    "MISHU__GROUPS__MODE": "allow",
    "MISHU__GROUPS__IDS": [ALLOWED, LIVELY],
    "MISHU__FRONTDESK__SILENCE_BY": "admins",
    "MISHU__FRONTDESK__SILENCE_SECONDS": 1.2,
    "MISHU__FRONTDESK__LEDGER_SIZE": 10,
    "MISHU__SECRETARY__DENSE_COUNT": 16,
    "MISHU__SECRETARY__DENSE_PEOPLE": 4,
    "MISHU__SECRETARY__ECHO_COUNT": 4,
    "NICKNAME": [],
    "MISHU__FRONTDESK__WAKE_WORDS": ["管家"],
}


async def test_pitfall_27_a_group_that_is_not_enabled_is_not_touched(
    client: OneBotClient, bot: BotProcess, api: Api, model: ModelServer
):
    strange, ours = client.room(STRANGE), client.room(ALLOWED)
    ming = strange.member("阿明", role="owner")
    earlier = await strange.say(ming, "别处的悄悄话")
    await strange.call(ming, "别处的呼叫")
    await strange.say(ming, "管家在吗")
    await strange.say(ming, "/秘书 状态")
    await strange.say(ming, reply(earlier.id), "引用")
    await strange.say(ming, "闭嘴")
    await strange.poke(ming)
    for who in strange.members("甲", "乙", "丙", "丁"):
        await strange.say(who, "好耶")
    own = int(client.self_id)
    await strange.notice("group_increase", sub_type="invite", user_id=own, operator_id=9)
    await api.settle(ours)
    strange.nothing_else()
    assert model.requests == []
    assert await api.messages(strange) == []
    assert await api.decisions(strange) == []
    assert not holds(bot.database, "别处的")
    touched = [each for each in client.actions if str(each.params.get("group_id")) == strange.id]
    assert touched == []


async def test_an_enabled_group_is_answered(client: OneBotClient, model: ModelServer):
    ours = client.room(ALLOWED)
    await summon(ours, ours.member("阿明"), "在吗")


async def test_friends_are_no_groups(client: OneBotClient, model: ModelServer):
    friend = client.friend()
    await friend.say(None, "在吗")
    await friend.expect()


async def test_where_only_admins_silence_by_word(client: OneBotClient, api: Api, model: ModelServer):
    ours = client.room(ALLOWED)
    ming, admin = ours.member("阿明"), ours.member("管理员", role="admin")
    await ours.say(ming, "闭嘴")
    await api.settle(ours)
    assert (await api.presence(ours))["silenced_until"] is None
    await ours.say(admin, "闭嘴")
    await api.until(ours, lambda seen: seen["silenced_until"] is not None, "silenced")
    await ours.say(ming, "张嘴")
    await ours.sentinel()
    ours.nothing_else()


async def test_a_silence_ends_by_itself(client: OneBotClient, api: Api, model: ModelServer):
    ours = client.room(ALLOWED)
    await ours.say(ours.member("管理员", role="admin"), "闭嘴")
    await api.until(ours, lambda seen: seen["silenced_until"] is not None, "silenced")
    await ours.call(ours.member("阿明"), "在吗")
    await api.until(ours, lambda seen: seen["silenced_until"] is None, "silence over")
    await api.settle(ours)
    ours.nothing_else()
    await summon(ours, ours.member("阿明"), "现在呢")


async def test_echo_count_is_configured(client: OneBotClient, api: Api, model: ModelServer):
    ours = client.room(ALLOWED)
    await ours.say(ours.member("管理员", role="admin"), "/秘书 闭嘴")
    await ours.say(ours.member("管理员", role="admin"), "/秘书 说话")
    await ours.expect()
    await ours.expect()
    for who in ours.members("甲", "乙", "丙"):
        await ours.say(who, "四人才算")
    await ours.sentinel()
    ours.nothing_else()
    await ours.say(ours.member("丁"), "四人才算")
    await ours.expect("四人才算")


async def test_pitfall_21_dense_talk_is_seen_though_memory_is_small(
    client: OneBotClient, api: Api, model: ModelServer
):
    """LEDGER_SIZE below DENSE_COUNT: the detector has a memory of its own, or asks the database."""
    async with OneBotClient(client.url, SELF_ID + 500) as fresh:
        ours = fresh.room(LIVELY)
        model.always("chat_reply", "真热闹")
        talkers = ours.members("甲", "乙", "丙", "丁")
        for number in range(16):
            await ours.say(talkers[number % 4], f"第{number}句各说各的")
        await ours.expect("真热闹")


async def test_a_call_behind_everything_in_memory_is_answered(
    client: OneBotClient, api: Api, model: ModelServer
):
    """A clock set back, a message that comes late: all that memory holds is newer, it counts."""
    ours = client.room(ALLOWED)
    now = int(ours.now())
    for number in range(12):
        await ours.say(ours.member("小红"), f"更新的话{number}", time=now)
    await api.until_stored(ours, "更新的话11")
    said = await ours.call(ours.member("阿明"), "晚到的呼叫", time=now - 30)
    await ours.expect(quoting=said)
    await ours.call(ours.member("阿明"))
    await ours.expect("在呢")


async def test_pitfall_58_a_duplicate_older_than_the_memory(
    client: OneBotClient, api: Api, model: ModelServer
):
    """The message left memory long ago; reported again it is neither answered nor stored twice."""
    ours = client.room(ALLOWED)
    said, _ = await summon(ours, ours.member("阿明"), "只答一次")
    for number in range(15):
        await ours.say(ours.member("小红"), f"隔了很多句{number}")
    await api.until_stored(ours, "隔了很多句14")
    await ours.deliver(said)
    await api.settle(ours)
    ours.nothing_else()
    rows = [row for row in await api.messages(ours) if str(row["id"]) == said.id]
    assert len(rows) == 1


async def test_the_ledger_in_memory_is_bounded_the_one_on_disk_is_not(
    client: OneBotClient, bot: BotProcess, api: Api, model: ModelServer
):
    ours: Chat = client.room(ALLOWED)
    for number in range(30):
        await ours.say(ours.member("阿明"), f"编号{number:02}")
    await api.until_stored(ours, "编号29")
    await api.poll(
        lambda: api.messages(ours), lambda rows: "编号00" in str(rows) and "编号29" in str(rows), "all thirty"
    )
    await summon(ours, ours.member("小红"), "说到哪了")
    assert "编号29" in model.last("chat_reply").prompt
    assert "编号00" not in model.last("chat_reply").prompt
