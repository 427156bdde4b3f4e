"""What arrives on the wire: huge, strange, out of order, incomplete (pitfalls 57, 59, 60)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from default_run import first
from model_server import ModelServer

from .harness import Api, BotProcess, Chat, Gate, OneBotClient, summon
from .harness.segments import at, cq, reply, text
from .harness.sent import SENDS, Action

pytestmark = pytest.mark.exhaustive


async def test_pitfall_57_a_message_of_a_megabyte(room: Chat, api: Api, model: ModelServer):
    said = await room.call(room.member("阿明"), "巨" * 350_000)
    await room.expect(quoting=said)
    assert all(len(request.prompt) < 200_000 for request in model.requests)
    rows = await api.messages(room)
    assert any("巨巨" in row["text"] for row in rows)
    await summon(room, room.member("小红"), "还好吗")


async def test_pitfall_57_ten_thousand_segments(room: Chat, client: OneBotClient):
    pieces = [text("字") if number % 2 else at(1_000 + number) for number in range(10_000)]
    said = await room.say(room.member("阿明"), *pieces, at(client.self_id))
    await room.expect(quoting=said)
    await summon(room, room.member("小红"), "还好吗")


@first(3)
@pytest.mark.parametrize(
    "words",
    [
        "\u200b\u200d\ufeff几点了\u200b",
        "\u202e了点几\u202c",
        "a\u0000b",
        "👨\u200d👩\u200d👧\u200d👦" * 50,
        "z\u0301" * 500,
        "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
        "'; DROP TABLE ledger; --",
        "%s %d {0} {name} ${x} \\",
        "<script>alert(1)</script>",
    ],
)
async def test_pitfall_57_strange_text(room: Chat, api: Api, words: str):
    said = await room.call(room.member("阿明", card="卡\u202e片\u0000" + words[:20]), words)
    await room.expect(quoting=said)
    await api.messages(room)


async def test_pitfall_59_order_by_event_time_though_a_quote_is_looked_up(
    room: Chat, client: OneBotClient, api: Api
):
    """The adapter waits for get_msg before it hands a quote on: the ledger's order is the talk's."""
    ming, now = room.member("阿明"), int(room.now())
    earlier = await room.say(room.member("小红"), "起头", time=now - 20)
    await api.until_stored(room, "起头")
    gate = Gate()
    client.plan("get_msg", gate)
    await room.say(ming, reply(earlier.id), "第一", time=now - 6)
    await room.say(ming, "第二", time=now - 5)
    await room.say(ming, "第三", time=now - 4)
    await api.until_stored(room, "第三")
    gate.open()
    await api.until_stored(room, "第一")
    texts = [row["text"].strip() for row in await api.messages(room) if row["name"] == "阿明"]
    assert [each[-2:] for each in texts] == ["第一", "第二", "第三"]


async def test_pitfall_59_a_quote_whose_original_is_not_to_be_had(room: Chat, client: OneBotClient, api: Api):
    said = await room.say(room.member("阿明"), reply(123_456_789), at(client.self_id), " 这个呢")
    await room.expect(quoting=said)


async def test_pitfall_59_a_flood_in_one_group_delays_no_other(room: Chat, client: OneBotClient, api: Api):
    other, talker = client.room(), room.member("话多的人")
    for number in range(400):
        await room.say(talker, f"刷屏{number}")
    said = await other.call(other.member("小红"), "在吗")
    await other.expect(quoting=said)
    await api.until_stored(room, "刷屏399")
    rows = [row["text"] for row in await api.messages(room, limit=500) if "刷屏" in row["text"]]
    assert rows == [f"刷屏{number}" for number in range(400)]


async def test_events_out_of_order_and_three_times(room: Chat, api: Api, model: ModelServer):
    """Nothing lost, nothing twice, the ledger as it was said."""
    now = int(room.now())
    people = room.members("甲", "乙", "丙")
    events = [room.compose(people[n % 3], f"第{n:02}句", time=now - 40 + n) for n in range(20)]
    shuffled = [events[(n * 7) % 20] for n in range(20)]
    for _ in range(3):
        for said in shuffled:
            await room.deliver(said)
    await api.poll(
        lambda: api.messages(room), lambda rows: sum("句" in row["text"] for row in rows) >= 20, "all stored"
    )
    await api.settle(room)
    texts = [row["text"] for row in await api.messages(room) if "句" in row["text"]]
    assert texts == [f"第{n:02}句" for n in range(20)]
    room.nothing_else()


@pytest.mark.parametrize(
    "change",
    [
        {"font": None},
        {"sub_type": None},
        {"raw_message": None},
        {"level": 7},
        {"font": None, "sub_type": None},
    ],
    ids=["no font", "no sub_type", "no raw_message", "level is a number", "two of them"],
)
async def test_pitfall_60_events_that_lack_fields_are_heard(
    room: Chat, client: OneBotClient, api: Api, change: dict[str, Any]
):
    ming = room.member("阿明")
    changes = dict(change)
    if "level" in changes:
        level = changes.pop("level")
        sender = {"user_id": ming.user_id, "nickname": "阿明", "card": "", "role": "member", "level": level}
        changes["sender"] = sender
    said = await room.call(ming, "在吗", **changes)
    await room.expect(quoting=said)


async def test_pitfall_60_a_friends_event_that_lacks_fields_is_heard(client: OneBotClient):
    friend = client.friend()
    await friend.say(None, "在吗", font=None, raw_message=None)
    await friend.expect()


async def test_pitfall_60_it_is_said_once(room: Chat, bot: BotProcess, api: Api):
    """One line in the log, not one for each message."""
    ming = room.member("阿明")
    for number in range(5):
        await room.say(ming, f"缺字段{number}", font=None)
    await room.sentinel()
    lines = [line for line in bot.log.splitlines() if "字段" in line and "[WARNING]" in line]
    assert len(lines) == 1, lines


async def test_messages_in_string_form(room: Chat, client: OneBotClient, api: Api):
    """`messagePostFormat: string`: the message is one string with CQ codes."""
    ming = room.member("阿明")
    words = cq([at(client.self_id), text(" 几点了 [真的]")])
    said = await room.call(ming, "几点了", message=words, raw_message=words, message_format="string")
    await room.expect(quoting=said)
    assert "[真的]" in str(await api.messages(room))


@pytest.mark.parametrize(
    "frame",
    [
        '{"post_type": "message", "message_type": "group"}',
        '{"time": 1, "self_id": 10001, "post_type": "notice", "notice_type": "notify", "sub_type": "poke"}',
        '{"time": 1, "self_id": 10001, "post_type": "notice", "notice_type": "group_recall", "group_id": 1}',
        '{"time": 1, "self_id": 10001, "post_type": "brand_new", "what": [1, 2]}',
        '{"status": "ok", "retcode": 0, "data": null, "echo": "nobody asked"}',
        "{}",
    ],
)
async def test_frames_that_make_no_sense(room: Chat, client: OneBotClient, api: Api, frame: str):
    await client.emit_raw(frame)
    await api.health()
    await summon(room, room.member("阿明"), "还在吗")


async def test_a_recall_of_something_never_seen(room: Chat, api: Api):
    ming = room.member("阿明")
    await room.recall(room.compose(ming, "从没到过"))
    await summon(room, ming, "在吗")


async def test_pitfall_59_a_recall_that_overtakes_its_message(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer
):
    """A quote waits for get_msg, the recall does not: it comes before its message and counts all the same."""
    told = await room.say(room.member("小红"), "起头")
    await api.until_stored(room, "起头")
    gate = Gate()
    client.plan("get_msg", gate)
    words = [reply(told.id), at(client.self_id), " 说漏嘴的秘密"]
    gone = await room.say(room.member("阿明"), *words)
    await asyncio.wait_for(gate.entered.wait(), 10)
    await room.recall(gone)
    await room.sentinel()
    gate.open()
    await api.settle(room)
    assert all("说漏嘴的秘密" not in request.prompt for request in model.of("chat_reply"))
    room.nothing_else()


async def test_ids_that_are_text(room: Chat, client: OneBotClient, api: Api):
    """NapCat may send every number as text: who speaks, what is quoted and answered stays the same."""
    ming = room.member("阿明")
    text_ids = {"user_id": str(ming.user_id), "group_id": room.id, "self_id": client.self_id}
    sender = {"user_id": str(ming.user_id), "nickname": "阿明", "card": "", "role": "member"}
    said = await room.call(
        ming, "提醒我明早8点吃药", message_id="7012345678901234567", sender=sender, **text_ids
    )
    made = await room.expect(quoting=said)
    assert "吃药" in made.text
    said = await room.quote(ming, made, "改到9点", message_id="7012345678901234568", **text_ids)
    await room.expect(quoting=said)
    tasks = (await api.http.get(f"/api/users/{ming.user_id}/tasks", params={"group_id": room.id})).json()
    assert [(task["title"], task["remindAt"][11:16]) for task in tasks] == [("吃药", "09:00")]


@pytest.mark.parametrize("message_id", ["m-7f3a", "AAQkADhl==/7", "0x1f", "1.5"])
async def test_message_ids_that_are_no_numbers(room: Chat, client: OneBotClient, api: Api, message_id: str):
    ming = room.member("阿明")
    said = await room.call(ming, "在吗", message_id=message_id + room.id)
    assert (await room.expect(quoting=said)).quotes == message_id + room.id
    again = await room.say(ming, reply(message_id + room.id), at(client.self_id), " 还在吗")
    await room.expect(quoting=again)
    rows = [row for row in await api.messages(room) if row["text"] == "在吗"]
    assert [row["id"] for row in rows] in ([message_id + room.id], [])


@pytest.mark.parametrize("given", ["9001", "m-9001", 9001])
async def test_an_answer_whose_id_is_text_is_quoted_right(
    room: Chat, client: OneBotClient, api: Api, given: Any, monkeypatch: pytest.MonkeyPatch
):
    """The id that a send answers with is the one under which members quote it."""
    answered = client.platform.answer
    known = f"{given}{room.id}" if isinstance(given, str) else int(f"{given}{room.id}")

    def answer(action: Action, message_id: int) -> dict[str, Any]:
        found = answered(action, message_id)
        return {**found, "data": {"message_id": known}} if action.name in SENDS else found

    ming = room.member("阿明")
    monkeypatch.setattr(client.platform, "answer", answer)
    said = await room.call(ming, "提醒我明早8点吃药")
    made = await room.expect(quoting=said)
    await api.until_stored(room, made.text)  # under the answered id, which comes behind what members see
    monkeypatch.undo()
    hong = room.member("小红")  # nobody it just replied to: only the quote calls it
    said = await room.say(hong, reply(known), "在吗")
    await room.expect(quoting=said)
