"""The bot over Milky, alone and beside an account over OneBot in the same group."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass

import pytest
import pytest_asyncio

from ..conftest import StartBot
from ..harness import Api, BotProcess, OneBotClient
from ..harness.both import Both
from ..harness.disk import rows
from ..harness.room import Member, Said
from ..harness.segments import at, record, reply
from .milky_fake import TOKEN, MilkyFake

LINES = int(os.environ.get("MISHU_TEST_LINES", "200"))
"""Lines of the exhaustive part; a thousand take nine minutes and more (MISHU_TEST_LINES=1000)."""


@dataclass
class Pair:
    """A bot with two accounts: one over OneBot, one over Milky."""

    bot: BotProcess
    api: Api
    onebot: OneBotClient
    milky: MilkyFake


@pytest_asyncio.fixture
async def pair(start_bot: StartBot) -> AsyncIterator[Pair]:
    """A bot of the test's own: whatever dies in it is nobody else's."""
    async with MilkyFake(10_777, name="小秘二号") as milky:
        bot = start_bot(
            offline=True,
            MISHU__BOT__ADAPTERS=["onebot_v11", "milky"],
            MILKY_CLIENTS=[milky.settings],
            MISHU__SCALE__LEASE=14,
        )
        await bot.start()
        milky.url = bot.url
        await milky.connect()
        api = Api(bot.url)
        async with OneBotClient(bot.onebot_url, 10_001) as onebot:
            both = {onebot.self_id, milky.self_id}
            await api.poll(api.health, lambda seen: both <= set(map(str, seen["bots"])), "both connected")
            yield Pair(bot, api, onebot, milky)
        await api.close()
        await bot.stop()
        assert TOKEN not in bot.log
        assert "包裹" not in bot.log


async def texts_of(api: Api, both: Both) -> list[str]:
    """What the members said, as it is kept."""
    found = await api.get(f"/api/groups/{both.id}/messages", limit=1000)
    return [row["text"] for row in found if not row["is_bot"]]


async def dials(milky: MilkyFake) -> int:
    """How often the bot came."""
    return milky.dials


async def test_a_group_and_a_friend_over_milky(pair: Pair):
    milky, api = pair.milky, pair.api
    room = milky.room()
    ming = room.member("阿明")
    said = await room.call(ming, "提醒我明天下午三点开会")
    first = await room.expect("开会", quoting=said)
    await room.quote(ming, first, "在吗")
    await room.expect()
    await room.say(ming, at(20_002), " 你好")
    await room.poke(ming)
    await room.expect()
    other = milky.room()  # where the numbers begin anew
    said = await other.call(ming, "记一下打车30元")
    await other.expect("30", quoting=said)
    friend = milky.friend()
    said = await friend.say(None, "提醒我明天下午四点吃药")
    await friend.expect("吃药")
    await friend.sentinel()
    for chat in (room, other, friend):
        chat.nothing_else()
    assert len(await api.get(f"/api/users/{ming.user_id}/tasks", group_id=room.id)) == 1


async def test_recalls_files_and_mutes_over_milky(pair: Pair):
    milky, api = pair.milky, pair.api
    room = milky.room()
    ming = room.member("阿明")
    gone = await room.say(ming, "这句我收回")
    await room.recall(gone)
    await room.notice("group_upload", user_id=ming.user_id, file={"name": "报名表.xlsx"})
    await room.say(ming, record("a.amr"))
    await api.poll(
        lambda: api.get(f"/api/groups/{room.id}/messages"),
        lambda rows: any(row["text"] == "[文件]" for row in rows),
        "the file in the record",
    )
    said = await room.call(ming, "谁发了什么文件")
    await room.expect("报名表.xlsx", quoting=said)
    kept = rows(pair.bot.database, "mishu_ledger", peer=room.id, text="这句我收回")
    assert kept == rows(pair.bot.database, "mishu_ledger", peer=room.id, text="这句我收回", recalled="1")
    assert len(kept) == 1
    await room.mute(600)
    await api.poll(lambda: api.presence(room), lambda seen: seen["silenced_until"], "the mute")
    await room.mute(0)
    await api.poll(lambda: api.presence(room), lambda seen: not seen["silenced_until"], "the mute's end")
    await room.sentinel()
    room.nothing_else()


@pytest.mark.exhaustive
async def test_a_card_that_is_confirmed_as_it_stands_gets_a_sign_where_the_group_wants_it(pair: Pair):
    milky = pair.milky
    room = milky.room()
    ming, admin = room.member("阿明"), room.member("管理员", role="admin")
    await room.call(ming, "午饭35，打车20")
    card = await room.expect("35")
    await room.quote(ming, card, "确认")
    await room.expect("记下了")
    assert not milky.reactions
    await room.command(admin, "开关 表情 开")
    await room.call(ming, "晚饭45，打车30")
    card = await room.expect("45")
    said = await room.quote(ming, card, "确认")
    await milky.until(lambda: milky.reactions, 12, "the sign")
    assert [(each["message_id"], each["reaction"]) for each in milky.reactions] == [(said.id, "9989")]
    await room.call(ming, "早饭5，打车10")
    card = await room.expect("打车")
    await room.quote(ming, card, "确认第一笔")
    await room.expect("记下了")  # one is still open: words say which
    await room.quote(ming, card, "不用了")
    await room.expect()
    milky.refuses_reactions = True
    await room.call(ming, "买菜25，买水果15")
    card = await room.expect("25")
    await room.quote(ming, card, "确认")
    await room.expect("记下了")
    await room.sentinel()
    room.nothing_else()
    rows_kept = await pair.api.get(f"/api/groups/{room.id}/transactions")
    assert sorted(row["amount"] for row in rows_kept) == sorted(
        ["35.00", "20.00", "45.00", "30.00", "5.00", "25.00", "15.00"]
    )


@pytest.mark.exhaustive
async def test_a_wrong_token_is_told_and_lets_nobody_in(start_bot: StartBot):
    async with MilkyFake(10_777) as milky:
        bot = start_bot(
            offline=True,
            MISHU__BOT__ADAPTERS=["milky"],
            MILKY_CLIENTS=[{**milky.settings, "access_token": "another-0a1b2c"}],
        )
        await bot.start()
        api = Api(bot.url)
        await api.poll(lambda: dials(milky), lambda count: count > 0, "a dial")
        await api.poll(lambda: dials(milky), lambda count: count > 1, "another dial, after a while")
        assert (await api.health())["bots"] == []
        await api.close()
        await bot.stop()
        assert "another-0a1b2c" not in bot.log


async def test_both_ways_in_one_group_are_one_conversation(pair: Pair):
    both = Both(pair.onebot, pair.milky)
    ming = both.rooms[0].member("阿明")
    by = set[int]()
    for number in range(4):
        said = await both.say(ming, f"小秘 提醒我明天下午{number + 1}点去寄第{number}个包裹")
        by.add((await both.answered(said))[0])
    first = None
    for room in both.rooms:
        said = await both.say(ming, at(room.client.self_id), " 在吗")
        duty, first = await both.answered(said)
        by.add(duty)
    assert first is not None
    await both.answered(await both.say(ming, reply(first.message_id), "记一下打车30元"))
    await pair.api.until_free(both.rooms[0])
    assert (len(both.sent()), len(by)) == (7, 1)
    found = await pair.api.get(f"/api/users/{ming.user_id}/tasks", group_id=both.id)
    assert len(found) == 4
    assert sum("包裹" in text for text in await texts_of(pair.api, both)) == 4


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(0, id="onebot on duty"),
        pytest.param(1, id="milky on duty", marks=pytest.mark.exhaustive),
    ],
)
async def test_either_may_die(pair: Pair, first: int):
    accounts = (pair.onebot, pair.milky) if first == 0 else (pair.milky, pair.onebot)
    await accounts[1].disconnect()
    await pair.api.poll(
        pair.api.health,
        lambda seen: accounts[1].self_id not in map(str, seen["bots"]),
        "one gone",
    )
    both = Both(*accounts)
    ming = both.rooms[0].member("阿明")
    duty, _ = await both.answered(await both.say(ming, "小秘 帮我建个任务写周报", heard_by=[0]))
    assert duty == 0
    await accounts[1].connect()
    await both.answered(await both.say(ming, "小秘 我有哪些任务"))
    await accounts[0].disconnect()
    said = await both.say(ming, "小秘 帮我建个任务买牛奶", heard_by=[1])
    now, _ = await both.answered(said, within=30)
    assert now == 1
    await accounts[0].connect()
    await both.answered(await both.say(ming, "小秘 我有哪些任务"), within=30)
    await pair.api.until_free(both.rooms[1])
    found = await pair.api.get(f"/api/users/{ming.user_id}/tasks", group_id=both.id)
    assert sorted(each["title"] for each in found) == ["买牛奶", "写周报"]
    assert len(both.sent()) == 4


@dataclass
class Counts:
    """Figures of a flood, as it prints them."""

    lines: int
    once: int
    twice: int
    never: int
    by: tuple[int, int]
    """Answers of the first account and of the second."""
    kept_twice: int
    written: int
    """Tasks that were written down, each of which a line asked for."""
    written_twice: int
    deaths: tuple[int, int]
    slowest: float
    slowest_after_a_death: float

    def table(self) -> str:
        """For people."""
        rows = {
            "lines": self.lines,
            "answered once": self.once,
            "answered twice": self.twice,
            "answered never": self.never,
            "of them by OneBot, by Milky": f"{self.by[0]}, {self.by[1]}",
            "written once, twice": f"{self.written}, {self.written_twice}",
            "kept twice": self.kept_twice,
            "deaths of OneBot, of Milky": f"{self.deaths[0]}, {self.deaths[1]}",
            "slowest answer, after a death": f"{self.slowest:.1f} s, {self.slowest_after_a_death:.1f} s",
        }
        return "\n".join(f"| {name} | {value} |" for name, value in rows.items())


async def flood(pair: Pair, lines: int, *, deaths: bool) -> Counts:
    """So many lines in one group, each to be answered once; `deaths`: each account goes now and then."""
    both = Both(pair.onebot, pair.milky)
    members: list[Member] = [both.rooms[0].member(f"成员{number}") for number in range(20)]
    await both.answered(await both.say(members[0], "小秘 在吗"))
    greeted = len(both.sent())
    asked: list[tuple[Said, ...]] = []
    died, gone, slowest, slowest_after = [0, 0], None, 0.0, 0.0
    for number in range(lines):
        if deaths and number % 50 == 25:
            gone = (number // 50) % 2
            died[gone] += 1
            await both.rooms[gone].client.disconnect()
        if gone is not None and number % 50 == 35:
            await both.rooms[gone].client.connect()
            gone = None
        heard_by = [0, 1] if gone is None else [1 - gone]
        who = members[number % len(members)]
        began = time.monotonic()
        asked.append(await both.say(who, f"小秘 帮我建个任务写第{number}份报告", heard_by=heard_by))
        with suppress(AssertionError):  # counted below
            await both.answered(asked[-1], within=40)
        slowest = max(slowest, lasted := time.monotonic() - began)
        slowest_after = max(slowest_after, lasted if gone is not None else 0.0)
    await pair.api.until_free(both.rooms[0])
    quoted = Counter((number, sent.quotes) for number, sent in both.sent()[greeted:])
    answers = [sum(quoted[number, one.id] for number, one in enumerate(said)) for said in asked]
    kept = Counter(await texts_of(pair.api, both))
    titles = Counter[str]()
    for who in members:
        written = await pair.api.get(f"/api/users/{who.user_id}/tasks", group_id=both.id)
        titles.update(each["title"] for each in written)
    by = Counter(number for number, _ in both.sent()[greeted:])
    return Counts(
        lines,
        sum(count == 1 for count in answers),
        sum(count > 1 for count in answers),
        sum(count == 0 for count in answers),
        (by[0], by[1]),
        sum(count > 1 for text, count in kept.items() if "报告" in text),
        sum(count == 1 for count in titles.values()),
        sum(count > 1 for count in titles.values()),
        (died[0], died[1]),
        slowest,
        slowest_after,
    )


@pytest.mark.exhaustive
@pytest.mark.parametrize("lines", [60, pytest.param(LINES, id="many")])
async def test_no_line_is_answered_twice(pair: Pair, lines: int, capsys: pytest.CaptureFixture[str]):
    counts = await flood(pair, lines, deaths=True)
    with capsys.disabled():
        print(f"\n{counts.table()}")  # noqa: T201 - the figures
    assert (counts.once, counts.twice, counts.never) == (lines, 0, 0)
    assert (counts.written, counts.written_twice, counts.kept_twice) == (lines, 0, 0)
    assert sum(counts.by) == lines
