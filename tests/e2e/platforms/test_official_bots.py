"""What only QQ's official bots meet: messages not allowed unasked, windows that end, keyboards refused."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing

import pytest
import pytest_asyncio
from nonebot_plugin_mishu.frontdesk.resuming import AGAIN
from nonebot_plugin_mishu.storage.ledger.claims import WAITS
from nonebot_plugin_mishu.storage.reminders.rows import HELD_BACK

from ..harness import Api, BotProcess
from ..harness.answers import Gate
from ..harness.disk import until_noted
from .chat import settled
from .qq_fake import QqChat, QqFake

NOTHING_WRONG = {40054005, 40034128, 40034005}
"""Refusals that must never be met: a number used twice, a message answered too often, or too late."""
GROUPS, EACH = 20, 10


@pytest_asyncio.fixture
async def fake(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[QqFake]:
    """A QQ of this test's own."""
    async with QqFake() as made:
        yield made
        assert not NOTHING_WRONG & made.refusals.keys(), made.refusals


@pytest_asyncio.fixture
async def bot(fake: QqFake, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[BotProcess]:
    """A bot of this test's own."""
    made = BotProcess(tmp_path_factory.mktemp("bot"), fake.settings)
    fake.now = made.clock.now
    await made.start()
    await fake.until(lambda: fake.connected, 20, "the bot at the gateway")
    yield made
    await made.close()


def _thing(number: int) -> str:
    return f"第{number:03}号事"


def _multiply(bot: BotProcess) -> None:
    """Of each reminder as many as a group shall have: what nobody would type in a test."""
    with closing(sqlite3.connect(bot.database)) as database, database:
        database.row_factory = sqlite3.Row
        rows = [dict(row) for row in database.execute("SELECT * FROM mishu_reminder WHERE state = 'waiting'")]
        assert len(rows) == GROUPS
        for row in rows:
            number = next(each for each in range(0, GROUPS * EACH, EACH) if _thing(each) in row["text"])
            first = row.pop("id")
            for more in range(1, EACH):
                text = row["text"].replace(_thing(number), _thing(number + more))
                values = {**row, "text": text, "origin": f"test {first} {more}"}
                names = ", ".join(f'"{name}"' for name in values)
                marks = ", ".join("?" * len(values))
                database.execute(
                    f"INSERT INTO mishu_reminder ({names}) VALUES ({marks})", list(values.values())
                )


def _held_back(bot: BotProcess) -> int:
    with closing(sqlite3.connect(bot.database)) as database:
        marked = "SELECT count(*) FROM mishu_reminder WHERE state = 'waiting' AND trouble LIKE ?"
        return int(database.execute(marked, [f"{HELD_BACK}%"]).fetchone()[0])


@pytest.mark.exhaustive
async def test_no_reminder_is_lost_where_nothing_may_be_said_unasked(fake: QqFake, bot: BotProcess) -> None:
    fake.all_active_refused = True
    chats = [QqChat(fake) for _ in range(GROUPS)]
    people = [chat.member("阿明") for chat in chats]

    async def ask(number: int) -> None:
        await chats[number].call(people[number], f"提醒我明天上午9点去办{_thing(number * EACH)}")
        await chats[number].expect(_thing(number * EACH), within=60)

    for start in range(0, GROUPS, 5):
        await asyncio.gather(*(ask(number) for number in range(start, start + 5)))
    await bot.stop(within=30)
    _multiply(bot)
    bot.clock.set("2026-11-19T09:00:20")
    await bot.restart()
    await fake.until(lambda: fake.refusals[40034102] >= GROUPS, 90, "a refusal in each group")
    assert not any(chat.left() for chat in chats)
    await fake.until(lambda: _held_back(bot) == GROUPS * EACH, 60, "all held back")

    await bot.stop(within=30)  # what is held back is on disk
    await bot.restart()
    await fake.until(lambda: fake.refusals[40034102] >= 2 * GROUPS, 90, "refused in each group again")
    for chat, who in zip(chats, people, strict=True):
        await chat.say(who, "早")
    for chat in chats:
        await chat.expect("号事", within=60)
    for chat, who in zip(chats, people, strict=True):
        await chat.say(who, "好的好的")
    for chat, who in zip(chats, people, strict=True):
        await settled(chat, who)
    told = Counter[str]()
    for number, chat in enumerate(chats):
        for seen in fake.sent[chat.id][1:]:
            for line in seen.text.splitlines():
                for each in range(number * EACH, (number + 1) * EACH):
                    if _thing(each) in line:
                        told[f"{each:03}"] += 1
                        assert "补发" in line, line
    assert told == Counter({f"{each:03}": 1 for each in range(GROUPS * EACH)})


def _withheld(bot: BotProcess) -> int:
    with closing(sqlite3.connect(bot.database)) as database:
        waits = "SELECT count(*) FROM mishu_claim WHERE reply IS NOT NULL AND sent_message_id = ?"
        return int(database.execute(waits, [WAITS]).fetchone()[0])


@pytest.mark.parametrize("restarted", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
async def test_replies_that_found_no_way_are_told_once_at_the_next_chance(
    fake: QqFake, bot: BotProcess, restarted: bool
) -> None:
    chat = QqChat(fake)
    ming, hong = chat.member("阿明"), chat.member("小红", role="admin")
    fake.active_refused.add(chat.id)
    fake.gates.append(gate := Gate())
    await chat.say(hong, "/秘书 状态")
    await asyncio.wait_for(gate.entered.wait(), 12)
    await chat.call(ming, "提醒我明天上午9点交表")
    await chat.say(hong, "/秘书 开关 复读 关")
    for words in ("交表", "「复读」"):
        await fake.until(lambda words=words: _ready(bot, words), 12, f"an answer is ready: {words}")
    fake.expire()
    gate.open()
    await fake.until(lambda: _withheld(bot) == 2, 20, "both wait")
    chat.take_all()
    assert "主动消息" in bot.log
    if restarted:
        refusals = fake.refusals[40034105]
        await bot.kill()
        await bot.restart()
        await fake.until(lambda: fake.connected, 20, "the bot at the gateway again")
        await fake.until(lambda: fake.refusals[40034105] > refusals, 20, "tried once more")
    assert chat.left() == []
    await chat.say(hong, "早")
    told = await chat.expect("交表")
    assert told.text.startswith(AGAIN)
    assert told.ats == [ming.id]
    other = await chat.expect("「复读」关掉了")
    assert other.text.startswith(AGAIN)
    assert other.ats == [hong.id]
    await chat.say(ming, "早啊")
    await settled(chat, ming)
    assert chat.left() == []
    assert _withheld(bot) == 0


def _ready(bot: BotProcess, words: str) -> bool:
    with closing(sqlite3.connect(bot.database)) as database:
        found = database.execute("SELECT count(*) FROM mishu_claim WHERE reply LIKE ?", [f"%{words}%"])
        return bool(found.fetchone()[0])


@pytest.mark.exhaustive
async def test_the_status_says_that_nothing_may_be_said_unasked(fake: QqFake, bot: BotProcess) -> None:
    chat = QqChat(fake)
    ming = chat.member("阿明")
    assert "主动消息" not in (await settled(chat, ming)).text
    fake.active_refused.add(chat.id)
    await chat.call(ming, "3秒后提醒我喝水")
    await chat.expect("喝水")
    fake.expire()
    await fake.until(lambda: "不允许主动消息" in bot.log, 20, "a refusal")
    said = await settled(chat, ming)
    assert said.text.count("主动消息：不允许") == 1
    assert "补发" in (await chat.expect("喝水")).text
    fake.active_refused.discard(chat.id)
    await fake.emit(
        "GROUP_MSG_RECEIVE",
        {"group_openid": chat.id, "op_member_openid": ming.id, "timestamp": "2026-11-18T10:00:00+08:00"},
    )
    await fake.until(lambda: fake.connected, 5, "still there")
    assert "主动消息" not in (await settled(chat, ming)).text


async def test_keyboards_that_are_refused_are_said_as_text(fake: QqFake, bot: BotProcess) -> None:
    fake.keyboards = False
    chat = QqChat(fake)
    ming = chat.member("阿明")
    await chat.call(ming, "午饭35")
    card = await chat.expect("要记这笔吗")
    assert card.buttons == []
    await chat.call(ming, "确认")
    await chat.expect("记下了")
    tries = fake.refusals[40034029]
    await chat.call(ming, "晚饭20")
    await chat.expect("要记这笔吗")
    assert fake.refusals[40034029] == tries == 1


async def test_members_are_listed_once_an_hour(fake: QqFake, bot: BotProcess) -> None:
    chat = QqChat(fake)
    ming, hong = chat.member("阿明"), chat.member("小红")
    await chat.call(ming, "在吗")
    await chat.expect()
    api = Api(bot.url)
    for _ in range(3):
        await chat.call(ming, f"<@{hong.id}> 记一下")
        await settled(chat, ming)
    await api.close()
    assert fake.member_calls <= 1


@pytest.mark.exhaustive
async def test_a_line_that_was_cut_comes_back(fake: QqFake, bot: BotProcess) -> None:
    chat = QqChat(fake)
    ming = chat.member("阿明")
    await chat.call(ming, "提醒我明天上午8点吃药")
    await chat.expect("吃药")
    await fake.drop()
    await fake.until(lambda: fake.connected, 20, "the bot at the gateway again")
    await chat.call(ming, "我有什么任务")
    await chat.expect("吃药")


async def test_presses_that_answer_nothing_are_told_so(fake: QqFake, bot: BotProcess) -> None:
    chat = QqChat(fake)
    ming, hong = chat.member("阿明"), chat.member("小红")
    await chat.say(ming, "早")
    await chat.call(ming, "午饭35")
    card = await chat.expect("要记这笔吗")
    await settled(chat, hong)  # until the bot knows under which message its question stands
    for label in ("确认", "不用"):
        await chat.press(hong, card, label)
        await chat.expect("这个等阿明来答。")
    await chat.press(ming, card, "确认")
    await chat.expect("记下了")
    await chat.press(ming, card, "不用")
    await chat.expect("现在没有等你确认的事。")
    await settled(chat, hong)
    assert chat.left() == []


async def test_a_double_click_is_one_press(fake: QqFake, bot: BotProcess) -> None:
    chat = QqChat(fake)
    ming = chat.member("阿明")
    for words in ("提醒我明天上午8点交周报给张总", "提醒我明天上午9点交周报给李总"):
        await chat.call(ming, words)
        await chat.expect("交周报")
    await chat.call(ming, "删掉交周报那个任务")
    asked = await chat.expect("要删第几个")
    await asyncio.gather(chat.press(ming, asked, "2"), chat.press(ming, asked, "2"))
    gone = await chat.expect("要删掉这个任务吗")
    await settled(chat, ming)
    assert chat.left() == []
    await chat.press(ming, gone, "确认")
    await chat.expect("李总")


async def _amounts(bot: BotProcess, chat: QqChat) -> list[str]:
    api = Api(bot.url)
    kept = await api.get(f"/api/groups/{chat.id}/transactions")
    await api.close()
    return sorted(row["amount"] for row in kept)


async def test_a_button_of_before_a_restart_answers_its_own_question(fake: QqFake, bot: BotProcess) -> None:
    chat = QqChat(fake)
    ming, hong = chat.member("阿明"), chat.member("小红", role="admin")
    await chat.call(hong, "打车20")
    hers = await chat.expect("要记这笔吗")
    await chat.call(ming, "提醒我明天上午8点交周报")
    await chat.expect("交周报")
    await chat.call(ming, "午饭35")
    card = await chat.expect("要记这笔吗")
    await chat.call(ming, "删掉交周报那个任务")
    deletion = await chat.expect("要删掉这个任务吗")
    await settled(chat, ming)  # until the bot knows under which message its question stands
    await until_noted(bot.database)
    await bot.kill()
    await bot.restart()
    await fake.until(lambda: fake.connected, 20, "the bot at the gateway again")
    await chat.press(hong, card, "确认")
    await chat.expect("这个等阿明来答。")
    await chat.quote(hong, card, "确认")  # known by its words, from the ledger
    await chat.expect("这个等阿明来答。")
    await chat.press(ming, card, "确认")
    assert "35" in (await chat.expect("记下了")).text
    await chat.press(ming, deletion, "不用")
    await chat.expect("好，没删。")
    await chat.press(hong, hers, "确认")
    assert "20" in (await chat.expect("记下了")).text
    await settled(chat, ming)
    assert chat.left() == []
    assert await _amounts(bot, chat) == ["20.00", "35.00"]
    api = Api(bot.url)
    said = await api.get(f"/api/groups/{chat.id}/messages", limit=100)
    await api.close()
    assert {row["name"] for row in said if not row["is_bot"]} == {"阿明", "小红"}


async def test_a_button_nobody_knows_any_more_is_answered_and_answers_nothing_else(
    fake: QqFake, bot: BotProcess
) -> None:
    chat = QqChat(fake)
    ming = chat.member("阿明")
    await chat.call(ming, "午饭35")
    card = await chat.expect("要记这笔吗")
    await chat.press(ming, fake.lost_button("确认"), "确认")
    assert "要记这笔吗" in (await chat.expect()).text, "what is open is asked again"
    assert await _amounts(bot, chat) == []
    await chat.press(ming, card, "确认")
    await chat.expect("记下了")
    await chat.press(ming, fake.lost_button("确认"), "确认")
    await chat.expect("现在没有等你确认的事。")
    await settled(chat, ming)
    assert chat.left() == []
    assert await _amounts(bot, chat) == ["35.00"]
