"""Cards while everything happens at once: a correction runs, and a kill, a silence, a recall comes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from default_run import first
from model_server import ModelServer

from .conftest import StartBot
from .harness import Api, Chat, Held, Member, OneBotClient, summon
from .harness.segments import at
from .test_e2e_books import (
    UNCLEAR,
    WAITING,
    answer,
    books,
    card,
    corrected,
    saved,
    tell,
    until_frames,
    waiting,
)
from .test_e2e_restart import running

WORDS = "午饭那里其实花了五十"
"""A correction that layer 1 leaves to the model."""


async def in_correction(room: Chat, who: Member, model: ModelServer, words: str = WORDS) -> Held:
    """Have a correction run whose answer is held back."""
    model.always("correct_transaction", held := Held(corrected((0, {"amount": 50.0}))))
    await room.say(who, words)
    await waiting(room)
    await held.entered()
    return held


async def test_a_silence_during_a_correction_ends_the_card(room: Chat, api: Api, model: ModelServer) -> None:
    ming, hong = room.members("小明", "小红")
    await card(room, ming)
    held = await in_correction(room, ming, model)
    before = len(room.sends)
    await room.say(hong, "闭嘴")
    await until_frames(api, room, ["canceled"])
    held.release()
    await room.say(hong, "张嘴")
    await room.expect("我回来了")
    await room.say(ming, "确认")
    await api.settle(room)
    assert await books(api, room) == []
    assert not [sent for sent in room.sends[before:] if "第1笔" in sent.text]


async def test_a_recall_of_the_correction_leaves_the_card(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    await card(room, ming)
    model.always("correct_transaction", held := Held(corrected((0, {"amount": 999.0}))))
    said = await room.say(ming, WORDS)
    await waiting(room)
    await held.entered()
    await room.recall(said)
    await api.settle(room)
    held.release()
    model.always("correct_transaction", corrected(intent="unclear"))
    await tell(room, ming, "确认")
    assert await saved(api, room) == [("EXPENSE", "35.00", "午饭"), ("EXPENSE", "20.00", "打车")]


async def test_many_corrections_at_once_are_done_one_by_one(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    await card(room, ming)
    at_once = 0
    most = 0

    async def one_by_one(request: Any) -> Any:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0)
        at_once -= 1
        amount = request.data["currentBatch"][0]["amount"]
        return corrected((0, {"amount": f"{float(amount) + 1:.2f}"}))

    model.always("correct_transaction", one_by_one)
    said = [await room.say(ming, f"午饭那里其实又多了一块，第{number}次说") for number in range(5)]
    done = [await answer(room, line, within=20) for line in said]
    changed = [f"已将第1笔修改为{36 + number}元，午饭" for number in range(5)]
    assert [reply.text.split("。")[0] for reply in done] == changed
    assert most == 1
    await tell(room, ming, "确认")
    assert (await saved(api, room))[0] == ("EXPENSE", "40.00", "午饭")


async def test_two_members_correct_at_once_and_neither_touches_the_other(
    room: Chat, api: Api, model: ModelServer
) -> None:
    ming, hong = room.members("小明", "小红")
    await card(room, ming, "午饭35，打车20")
    await card(room, hong, "电影票45，爆米花30")

    def by_batch(request: Any) -> Any:
        mine = request.data["currentBatch"][0]["description"] == "午饭"
        return corrected((0, {"amount": 11.0 if mine else 22.0}))

    model.always("correct_transaction", by_batch)
    first = await room.say(ming, "头一个的价钱搞错了，应该是11块")
    second = await room.say(hong, "头一个的价钱搞错了，应该是22块")
    assert "已将第1笔修改为11元，午饭" in (await answer(room, first)).text
    assert "已将第1笔修改为22元，电影票" in (await answer(room, second)).text
    await tell(room, hong, "确认")
    assert await saved(api, room) == [("EXPENSE", "22.00", "电影票"), ("EXPENSE", "30.00", "爆米花")]
    await tell(room, ming, "确认")
    assert {row["user"] for row in await books(api, room)} == {str(ming.user_id), str(hong.user_id)}


@first(3)
@pytest.mark.parametrize(
    "given",
    [
        corrected((0, {"amount": True})),
        corrected((0, {"amount": 999}), confidence="0.92"),
        corrected((0, {"amount": 999}), confidence=1.5),
        corrected((0, {"amount": 999}), (0, {"amount": 998})),
        corrected((0, {"amount": 1e15})),
        corrected((0, {"amount": 9.999})),
        corrected((2, {"amount": 999})),
        {"corrections": [{"index": "0", "updatedFields": {"amount": 999}}], "intent": "correction"},
        {"corrections": {"index": 0}, "intent": "correction", "confidence": 0.9},
        {"corrections": [{"index": 0}], "intent": "correction", "confidence": 0.9},
        [1, 2],
        "改成 999 就好了",
    ],
    ids=[
        "true",
        "word",
        "1.5",
        "twice",
        "huge",
        "parts",
        "index",
        "text index",
        "object",
        "bare",
        "list",
        "prose",
    ],
)
async def test_nothing_of_an_impossible_answer_is_applied(
    room: Chat, api: Api, model: ModelServer, given: Any
) -> None:
    ming = room.member("小明")
    await card(room, ming)
    model.always("correct_transaction", given)
    done = await tell(room, ming, "第一笔改成50")
    assert UNCLEAR in done.text or "已将第1笔修改为50元，午饭" in done.text
    assert "999" not in done.text
    model.always("correct_transaction", corrected(intent="unclear"))
    await tell(room, ming, "确认")
    first, second = await saved(api, room)
    assert first[1] in ("35.00", "50.00")
    assert second == ("EXPENSE", "20.00", "打车")


async def test_saved_items_cannot_be_reached_by_a_model(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    await card(room, ming)
    await tell(room, ming, "确认第一笔")
    model.always("correct_transaction", corrected((1, {"amount": 999.0})))
    assert UNCLEAR in (await tell(room, ming, "午饭那里其实花了五十")).text
    assert await saved(api, room) == [("EXPENSE", "35.00", "午饭")]


@pytest.mark.exhaustive
async def test_killed_in_a_correction_and_in_a_commit_the_card_is_as_on_disk(
    start_bot: StartBot, model: ModelServer
) -> None:
    """The correction is still owed after the kill: it is made then, by the rules where no model reads it."""
    bot = start_bot()
    account = OneBotClient(bot.onebot_url, 10_077)
    room = account.room()
    ming = room.member("小明")
    async with running(bot, account):
        await card(room, ming)
        await tell(room, ming, "确认第一笔")
        held = await in_correction(room, ming, model, "打车那里其实花了二十五")
        await bot.kill()
        held.release()
    model.reset()
    async with running(bot, account) as api:
        assert await saved(api, room) == [("EXPENSE", "35.00", "午饭")]
        assert "第1笔已经记下了" in (await tell(room, ming, "确认第一笔")).text
        done = await tell(room, ming, "确认")
        assert "第2笔记下了" in done.text
        assert await saved(api, room) == [("EXPENSE", "35.00", "午饭"), ("EXPENSE", "25.00", "打车")]
        assert await bot.stop() is not None


@pytest.mark.exhaustive
async def test_time_passes_on_a_card_with_and_without_words_on_it(
    start_bot: StartBot, model: ModelServer
) -> None:
    bot = start_bot(offline=True, MISHU__BOOKKEEPING__SESSION_TIMEOUT=2.5)
    account = OneBotClient(bot.onebot_url, 10_078)
    room = account.room()
    ming, hong = room.member("小明"), room.member("小红")
    async with running(bot, account) as api:
        await card(room, hong, "电影票45")
        await card(room, ming)
        await tell(room, ming, "确认第一笔")
        gone = [await room.expect("没记", within=15) for _ in range(2)]
        assert sorted("第2笔" in sent.text for sent in gone) == [False, True]
        await room.say(ming, "确认")
        await api.settle(room)
        assert await saved(api, room) == [("EXPENSE", "35.00", "午饭")]


async def test_shared_expenses_over_the_wire_come_out_even(room: Chat, api: Api) -> None:
    ming, hong = room.members("小明", "小红")
    shown = await answer(room, await room.call(ming, "火锅100 AA ", at(hong.user_id)))
    assert "每人50元" in shown.text
    await tell(room, ming, "确认")
    _, owed = await summon(room, hong, "谁欠谁")
    assert "小红 给 小明 50元" in owed.text
    await summon(room, hong, "我还小明50")
    await tell(room, hong, "确认")
    _, even = await summon(room, ming, "谁欠谁")
    assert "都平了" in even.text


ITEM = {"index": 0, "amount": "35", "type": "EXPENSE"}


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({}, "currentBatch"),
        ({"currentBatch": [ITEM]}, "correctionText"),
        ({"currentBatch": [ITEM], "correctionText": ""}, "correctionText"),
        ({"currentBatch": [{**ITEM, "index": -1}], "correctionText": "改"}, "index"),
        ({"currentBatch": [{**ITEM, "type": "GIFT"}], "correctionText": "改"}, "type"),
        ({"currentBatch": [{"index": 0, "amount": "35"}], "correctionText": "改"}, "type"),
        ({"currentBatch": [ITEM] * 101, "correctionText": "改"}, "currentBatch"),
        ([1], ""),
    ],
)
async def test_the_route_says_what_is_wrong_with_a_body(
    room: Chat, api: Api, model: ModelServer, body: Any, names: str
) -> None:
    given = await api.http.post("/api/v1/llm/correct-transaction", json=body)
    assert given.status_code in (400, 422), given.text
    assert names in given.json()["error"]["message"]
    assert "correct_transaction" not in model.names


@pytest.mark.parametrize("name", ["from", "to"])
@pytest.mark.parametrize("day", ["gestern", "2026-02-30", "2026-13-01"])
async def test_the_list_says_what_is_wrong_with_a_day(room: Chat, api: Api, name: str, day: str) -> None:
    given = await api.http.get(f"/api/groups/{room.id}/transactions", params={name: day})
    assert given.status_code in (400, 422), given.text
    assert name in given.json()["error"]["message"]


async def test_the_waiting_line_is_said_once_for_a_correction(
    room: Chat, api: Api, model: ModelServer
) -> None:
    ming = room.member("小明")
    await card(room, ming)
    model.always("correct_transaction", corrected((0, {"amount": 50.0})))
    await tell(room, ming, WORDS)
    assert room.texts().count(WAITING) == 1
