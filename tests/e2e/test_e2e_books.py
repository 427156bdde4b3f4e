"""Seed 4 over the wire, with a scripted model: cards, layer 1 and layer 2, who is heard, what is on disk."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from default_run import first
from model_server import ModelServer

from .harness import Api, Chat, Held, Member, Said, Sent, summon

WAITING = "好的，正在修改..."
UNCLEAR = "没听清要改什么，请再说一次"
TWO = "午饭35，打车20"
THREE = "午饭35，打车20，奶茶15"


async def card(room: Chat, who: Member, words: str = TWO) -> Sent:
    """Have a card opened."""
    _, shown = await summon(room, who, words)
    assert "要记这" in shown.text, shown
    return shown


async def tell(room: Chat, who: Member, words: str) -> Sent:
    """Say something without an @ and take the reply to it, waiting lines aside."""
    said = await room.say(who, words)
    return await answer(room, said)


async def answer(room: Chat, said: Said, within: float = 12) -> Sent:
    """The reply to a line, waiting lines aside."""
    return await room.expect(lambda sent: sent.text != WAITING, quoting=said, within=within)


async def waiting(room: Chat) -> Sent:
    """Take the waiting line."""
    return await room.expect(WAITING)


async def books(api: Api, room: Chat, **span: Any) -> list[dict[str, Any]]:
    """What is saved of a group."""
    return await api.get(f"/api/groups/{room.id}/transactions", self_id=room.client.self_id, **span)


async def saved(api: Api, room: Chat) -> list[tuple[str, str, str]]:
    """(type, amount, description) of what is saved, in order of saving."""
    rows = await books(api, room)
    return [
        (row["type"], row["amount"], row["description"]) for row in sorted(rows, key=lambda row: row["id"])
    ]


def corrected(
    *changes: tuple[int, dict[str, Any]], intent: str = "correction", **more: Any
) -> dict[str, Any]:
    """An answer of `correct_transaction`, sure unless told."""
    made = [{"index": index, "updatedFields": fields} for index, fields in changes]
    return {"corrections": made, "intent": intent, "confidence": 0.92, **more}


# Layer 1: no model


async def test_confirming_saves_both_and_asks_no_model(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    shown = await card(room, ming)
    assert "1. 午饭 35元（餐饮）" in shown.text
    assert "合计：支出55元" in shown.text
    assert await books(api, room) == []
    before = len(model.names)
    done = await tell(room, ming, "确认")
    assert "第1、2笔记下了，支出55元" in done.text
    assert "correct_transaction" not in model.names[before:]
    rows = await books(api, room)
    assert [set(row) for row in rows] == [
        {
            *("id", "type", "amount", "category", "description", "date", "user"),
            *("scope", "payer", "participants"),
        }
    ] * 2
    assert [row["amount"] for row in rows] == ["35.00", "20.00"]
    assert {row["user"] for row in rows} == {str(ming.user_id)}
    assert await books(api, room, **{"from": "2001-01-01", "to": "2001-12-31"}) == []
    room.nothing_else()


@pytest.mark.parametrize("words", ["不要了", "取消", "算了"])
async def test_cancelling_saves_nothing(room: Chat, api: Api, model: ModelServer, words: str) -> None:
    ming = room.member("小明")
    await card(room, ming)
    assert "好，不记了" in (await tell(room, ming, words)).text
    assert await books(api, room) == []
    assert "correct_transaction" not in model.names


async def test_single_items_are_saved_and_cancelled_by_number(
    room: Chat, api: Api, model: ModelServer
) -> None:
    ming = room.member("小明")
    await card(room, ming, THREE)
    assert "第2笔记下了" in (await tell(room, ming, "确认第二笔")).text
    assert await saved(api, room) == [("EXPENSE", "20.00", "打车")]
    gone = await tell(room, ming, "删掉第三笔")
    assert "第3笔不记了" in gone.text
    assert "2. 打车 20元（交通）" in gone.text  # numbers never shift
    assert "第2笔已经记下了" in (await tell(room, ming, "确认第2笔")).text
    assert "第2笔" in (await tell(room, ming, "删掉第2笔")).text  # too late
    await tell(room, ming, "确认")
    assert await saved(api, room) == [("EXPENSE", "20.00", "打车"), ("EXPENSE", "35.00", "午饭")]
    assert "correct_transaction" not in model.names


async def test_leaving_asks_once_and_continuing_takes_more(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    await card(room, ming)
    assert "这2笔要保存吗" in (await tell(room, ming, "退出")).text
    assert "接着说" in (await tell(room, ming, "继续记")).text
    more = await tell(room, ming, "奶茶15")
    assert "第3笔加上了" in more.text
    assert "要保存吗" not in more.text
    assert "没记" in (await tell(room, ming, "退出")).text
    assert await books(api, room) == []
    assert "correct_transaction" not in model.names


@pytest.mark.parametrize("words", ["绝对不行", "不用确认了", "他说确认"])
async def test_what_only_sounds_like_a_yes_saves_nothing(
    room: Chat, api: Api, model: ModelServer, words: str
) -> None:
    ming = room.member("小明")
    await card(room, ming)
    await room.say(ming, words)
    await api.settle(room)
    assert await books(api, room) == []


# Layer 2: a model within three seconds


async def test_the_waiting_line_comes_before_the_models_answer(
    room: Chat, api: Api, model: ModelServer
) -> None:
    ming = room.member("小明")
    await card(room, ming)
    model.always("correct_transaction", held := Held(corrected((0, {"amount": 50.0}))))
    said = await room.say(ming, "午饭那里其实花了五十")
    await waiting(room)
    asked = await held.entered()
    assert [item["index"] for item in asked.data["currentBatch"]] == [0, 1]
    assert asked.data["currentBatch"][0] == {
        "index": 0,
        "amount": "35.00",
        "type": "EXPENSE",
        "category": "餐饮",
        "description": "午饭",
        "date": asked.data["currentBatch"][0]["date"],
    }
    assert asked.data["correctionText"] == "午饭那里其实花了五十"
    held.release()
    done = await answer(room, said)
    assert "已将第1笔修改为50元，午饭。还需要修改吗？" in done.text
    assert await books(api, room) == []
    await tell(room, ming, "确认")
    assert await saved(api, room) == [("EXPENSE", "50.00", "午饭"), ("EXPENSE", "20.00", "打车")]


async def test_corrections_accumulate(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    await card(room, ming, "红包60")
    model.answer("correct_transaction", corrected((0, {"type": "INCOME"})))
    first = await tell(room, ming, "那个应该是收入不是支出啊")
    assert "已将第1笔修改为收入60元，红包。还需要修改吗？" in first.text
    model.answer("correct_transaction", corrected((0, {"amount": 100.0})))
    await tell(room, ming, "金额改成100")
    assert model.last("correct_transaction").data["currentBatch"][0]["type"] == "INCOME"
    await tell(room, ming, "确认")
    assert await saved(api, room) == [("INCOME", "100.00", "红包")]


async def test_several_fields_and_several_items_at_once(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    await card(room, ming)
    both = corrected((0, {"type": "INCOME", "amount": 100.0}), (1, {"category": "旅行", "amount": 12.5}))
    model.answer("correct_transaction", both)
    await tell(room, ming, "第一笔改为收入100块，打车是旅行路上花的12块5")
    await tell(room, ming, "就这样")
    assert await saved(api, room) == [("INCOME", "100.00", "午饭"), ("EXPENSE", "12.50", "打车")]
    assert (await books(api, room))[1]["category"] == "旅行"


async def test_only_pending_items_are_shown_and_mapped_back(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    await card(room, ming, THREE)
    await tell(room, ming, "确认第一笔")
    model.answer("correct_transaction", corrected((0, {"amount": 22.0})))
    done = await tell(room, ming, "打车那里搞错了，是22")
    shown = model.last("correct_transaction").data["currentBatch"]
    assert [(each["index"], each["description"]) for each in shown] == [(0, "打车"), (1, "奶茶")]
    assert "已将第2笔修改为22元" in done.text


async def test_the_model_may_confirm_and_cancel(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    await card(room, ming)
    model.answer("correct_transaction", corrected(intent="confirm", confidence=0.85))
    assert "记下了" in (await tell(room, ming, "这两笔的金额我看没啥毛病")).text
    assert len(await books(api, room)) == 2
    await card(room, ming)
    model.answer("correct_transaction", corrected(intent="cancel"))
    assert "不记了" in (await tell(room, ming, "这两笔账我不打算留着")).text
    assert len(await books(api, room)) == 2


async def test_appending_fills_the_card_and_says_what_did_not_fit(
    room: Chat, api: Api, model: ModelServer
) -> None:
    ming = room.member("小明")
    await card(room, ming)
    new = {"amount": 15.0, "category": "饮品", "type": "EXPENSE", "description": "奶茶"}
    model.answer("correct_transaction", corrected((-1, new), intent="append"))
    assert "第3笔加上了：奶茶 15元" in (await tell(room, ming, "还有一笔奶茶15")).text
    many = [(-1, {**new, "amount": float(n)}) for n in range(1, 10)]
    model.answer("correct_transaction", corrected(*many, intent="append"))
    full = await tell(room, ming, "还有九笔零食从1块到9块")
    assert "一次最多10笔" in full.text
    assert "10. " in full.text
    assert "11. " not in full.text
    await tell(room, ming, "确认")
    assert len(await books(api, room)) == 10


@first(3)
@pytest.mark.parametrize(
    "given",
    [
        corrected((0, {"amount": 1.0}), confidence=0.55),
        corrected((7, {"amount": 1.0})),
        corrected((-1, {"amount": 1.0})),
        corrected((0, {"amount": -5.0})),
        corrected((0, {"amount": 1.0}), (1, {"type": "GIFT"})),
        corrected(intent="unclear", confidence=0.3),
        {"corrections": [], "intent": "confirm"},
        corrected(intent="dance"),
        corrected(intent="correction"),
    ],
    ids=["0.55", "index 7", "index -1", "negative", "type", "unclear", "no confidence", "intent", "empty"],
)
async def test_what_is_not_sure_and_right_changes_nothing(
    room: Chat, api: Api, model: ModelServer, given: dict[str, Any]
) -> None:
    ming = room.member("小明")
    await card(room, ming)
    model.always("correct_transaction", given)
    assert UNCLEAR in (await tell(room, ming, "第一笔的金额好像有点问题")).text
    model.always("correct_transaction", corrected(intent="unclear"))
    await tell(room, ming, "确认")
    assert await saved(api, room) == [("EXPENSE", "35.00", "午饭"), ("EXPENSE", "20.00", "打车")]


async def test_a_correction_without_a_confidence_counts(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    await card(room, ming)
    given = corrected((1, {"amount": 21.5}))
    del given["confidence"]
    model.answer("correct_transaction", given)
    assert "已将第2笔修改为21.50元，打车" in (await tell(room, ming, "打车那里是21块5")).text


async def test_lines_during_a_correction_wait_in_order(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    await card(room, ming)
    model.always("correct_transaction", held := Held(corrected((0, {"amount": 50.0}))))
    first = await room.say(ming, "午饭那里其实花了五十")
    await held.entered()
    second = await room.say(ming, "删掉第二笔")
    third = await room.say(ming, "确认")
    await api.until_held(room, 2)
    held.release()
    replies = [await answer(room, said) for said in (first, second, third)]
    assert [reply.text.split("第")[0] for reply in replies[:2]] == ["已将", "好，"]
    assert [room.sends.index(reply) for reply in replies] == sorted(
        room.sends.index(reply) for reply in replies
    )
    assert await saved(api, room) == [("EXPENSE", "50.00", "午饭")]


# Who is heard


async def test_another_members_words_never_touch_a_card(room: Chat, api: Api, model: ModelServer) -> None:
    ming, hong = room.members("小明", "小红")
    shown = await card(room, ming)
    before = len(room.sends)
    for words in ("确认", "不要了", "第一笔改成50", "删掉第二笔"):
        await room.say(hong, words)
    await room.quote(hong, shown, "确认")
    await api.settle(room)
    assert "correct_transaction" not in model.names
    assert await books(api, room) == []
    assert not [sent for sent in room.sends[before:] if "已" in sent.text]
    await tell(room, ming, "确认")
    assert len(await books(api, room)) == 2


async def test_two_members_keep_their_cards_apart(room: Chat, api: Api) -> None:
    ming, hong = room.members("小明", "小红")
    await card(room, ming, TWO)
    await card(room, hong, "电影票45")
    assert "好，不记了" in (await tell(room, hong, "取消")).text
    assert "第1、2笔记下了" in (await tell(room, ming, "确认")).text
    assert {row["user"] for row in await books(api, room)} == {str(ming.user_id)}


async def test_talk_beside_a_card_is_answered_once_and_leaves_it(
    room: Chat, api: Api, model: ModelServer
) -> None:
    ming = room.member("小明")
    await card(room, ming)
    await room.say(ming, "今天天气真不错呀大家")
    await room.say(ming, "周末有人去爬山吗")
    await api.settle(room)
    assert sum(UNCLEAR in text for text in room.texts()) <= 1
    assert "correct_transaction" not in model.names
    assert "记下了" in (await tell(room, ming, "确认")).text


async def test_one_message_with_a_task_and_an_expense_ends_in_both(
    room: Chat, api: Api, model: ModelServer
) -> None:
    ming = room.member("小明")
    _, shown = await summon(room, ming, "午饭35，另外提醒我后天下午三点交报告")
    assert "要记这笔吗" in shown.text
    assert "交报告" in shown.text
    await tell(room, ming, "确认")
    assert [row["amount"] for row in await books(api, room)] == ["35.00"]
    tasks = await api.get(f"/api/users/{ming.user_id}/tasks", self_id=room.client.self_id)
    assert [task["title"] for task in tasks] == ["交报告"]


# The end of a card


async def test_a_recall_ends_the_card_without_a_word(room: Chat, api: Api) -> None:
    ming, hong = room.members("小明", "小红")
    said, _ = await summon(room, ming, TWO)
    await card(room, hong, "电影票45")
    before = len(room.sends)
    await room.recall(said)
    await until_frames(api, room, ["canceled", "awaiting_user"])
    assert len(room.sends) == before
    await room.say(ming, "确认")
    await api.settle(room)
    assert await books(api, room) == []
    assert "记下了" in (await tell(room, hong, "确认")).text


async def test_a_silence_ends_every_card_without_a_word(room: Chat, api: Api) -> None:
    ming, hong = room.members("小明", "小红")
    await card(room, ming)
    before = len(room.sends)
    await room.say(hong, "闭嘴")
    await until_frames(api, room, ["canceled"])
    await room.say(ming, "确认")
    await room.say(hong, "张嘴")
    await room.expect("我回来了")
    await room.say(ming, "确认")
    await api.settle(room)
    assert await books(api, room) == []
    assert not [sent for sent in room.sends[before:] if "保存" in sent.text]


async def test_an_emergency_ends_its_speakers_card(room: Chat, api: Api) -> None:
    ming, hong = room.members("小明", "小红")
    await card(room, ming)
    await card(room, hong, "电影票45")
    _, help_ = await summon(room, ming, "我不想活了")
    assert "12356" in help_.text
    await until_frames(api, room, ["canceled", "awaiting_user"])
    await room.say(ming, "确认")
    await api.settle(room)
    assert await books(api, room) == []


async def until_frames(api: Api, room: Chat, statuses: list[str]) -> None:
    """Wait until the tasks of the group, in order of their beginning, stand so."""

    async def look() -> list[str]:
        rows = await api.get(f"/api/groups/{room.id}/frames", self_id=room.client.self_id)
        own = [row for row in rows if row["agent_code"] == "bookkeeping"]
        return [row["status"] for row in sorted(own, key=lambda row: row["status"] != "canceled")]

    await api.poll(look, lambda seen: seen == statuses, f"tasks {statuses}")


# For programs


async def test_every_change_is_an_event_on_the_stream(room: Chat, api: Api, model: ModelServer) -> None:
    ming = room.member("小明")
    async with api.events(room) as events:
        await card(room, ming)
        opened = await draft(events)
        assert opened["phase"] == "confirming"
        assert [(item["number"], item["amount"], item["state"]) for item in opened["items"]] == [
            (1, "35.00", "pending"),
            (2, "20.00", "pending"),
        ]
        assert opened["user"] == str(ming.user_id)
        model.answer("correct_transaction", corrected((0, {"amount": 50.0})))
        await tell(room, ming, "午饭那里其实花了五十")
        assert (await draft(events))["items"][0]["amount"] == "50.00"
        await tell(room, ming, "确认")
        done = await draft(events)
        assert {item["state"] for item in done["items"]} == {"saved"}
        assert done["id"] == opened["id"]


async def draft(events: asyncio.Queue[dict[str, Any]]) -> dict[str, Any]:
    """The next `draft` event's card."""
    async with asyncio.timeout(10):
        while True:
            found = await events.get()
            if found["event"] == "draft":
                return found["data"]


BATCH = [
    {
        "index": 0,
        "amount": 35,
        "type": "EXPENSE",
        "category": "餐饮",
        "description": "午饭",
        "date": "2026-11-20",
    },
    {
        "index": 4,
        "amount": 60,
        "type": "EXPENSE",
        "category": "红包",
        "description": "红包",
        "date": "2026-11-20",
    },
]


async def post(api: Api, body: Any) -> tuple[int, Any]:
    given = await api.http.post("/api/v1/llm/correct-transaction", json=body)
    return given.status_code, given.json()


async def test_the_route_answers_in_the_seeds_shape(api: Api, model: ModelServer, room: Chat) -> None:
    model.answer("correct_transaction", corrected((0, {"amount": 50.0})))
    status, found = await post(api, {"currentBatch": BATCH, "correctionText": "第一笔改成50"})
    assert status == 200
    assert set(found) == {"corrections", "intent", "confidence"}
    assert found["corrections"] == [{"index": 0, "updatedFields": {"amount": 50.0}}]
    assert found["intent"] == "correction"
    model.answer("correct_transaction", corrected((1, {"type": "INCOME"})))
    _, found = await post(api, {"currentBatch": BATCH, "correctionText": "红包那笔改为收入"})
    assert found["corrections"] == [{"index": 4, "updatedFields": {"type": "INCOME"}}]
    model.answer("correct_transaction", corrected((0, {"amount": 1.0}), confidence=0.55))
    _, found = await post(api, {"currentBatch": BATCH, "correctionText": "那个什么"})
    assert (found["corrections"], found["intent"]) == ([], "unclear")
    model.answer("correct_transaction", corrected(intent="confirm", confidence=0.85))
    _, found = await post(api, {"currentBatch": BATCH, "correctionText": "嗯对就这样"})
    assert found == {"corrections": [], "intent": "confirm", "confidence": 0.85}


@pytest.mark.parametrize(
    "body", [{}, {"currentBatch": BATCH}, {"currentBatch": "x", "correctionText": "改"}, [1], "x"]
)
async def test_the_route_names_what_is_wrong(api: Api, room: Chat, body: Any) -> None:
    status, found = await post(api, body)
    assert status == 422
    assert {"code", "message"} <= set(found["error"]) <= {"code", "message", "field"}


async def test_books_of_a_group_nobody_knows_are_empty(api: Api, room: Chat) -> None:
    assert await api.get("/api/groups/987654/transactions") == []
    answer = await api.http.get("/api/groups/987654/transactions", params={"from": "yesterday"})
    assert answer.status_code == 422
