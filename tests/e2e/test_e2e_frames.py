"""Frames that nobody can read end neither the connection nor what stands behind them in the socket."""

from __future__ import annotations

import json

import pytest
from default_run import first

from .harness import BotProcess, Chat, OneBotClient, Said

OFFLINE = True

TALK = "千万别写进日志"


BROKEN: dict[str, str | bytes] = {
    "truncated": f'{{"post_type":"message","message_type":"group","raw_message":"{TALK}',
    "empty": "",
    "brackets": "[" * 100_000,
    "objects": '{"post_type":' * 100_000,
    "no UTF-8": b'{"post_type":"message","raw_message":"\xff\xfe"}',
    "digits": '{"post_type":"message","time":' + "9" * 6_000 + "}",
    "20 MB": json.dumps({"post_type": "message", "raw_message": "长" * 7_000_000}, ensure_ascii=False),
    "a list": f'["{TALK}"]',
    "no event": json.dumps({"post_type": "message", "raw_message": TALK}, ensure_ascii=False),
}


@first(3)
@pytest.mark.parametrize("kind", BROKEN)
async def test_lines_behind_a_broken_frame_are_answered(
    room: Chat, client: OneBotClient, bot: BotProcess, kind: str
) -> None:
    said: list[tuple[Chat, Said]] = []
    for place in (room, client.room(), client.room()):
        socket = client._socket  # pyright: ignore[reportPrivateUsage]
        assert socket is not None
        await socket.send(BROKEN[kind], text=True)
        said.append((place, await place.call(place.member("阿明"), "在吗")))
    for place, one in said:
        await place.expect(quoting=one)
    assert TALK not in bot.log
    assert "跳过了一个读不懂的 OneBot 消息帧" in bot.log


@first(2)
@pytest.mark.parametrize("times", [19, 20, 21, 330, 1_000, 20_000])
async def test_a_forward_in_a_forward_is_cut_and_the_rest_is_heard(
    room: Chat, client: OneBotClient, times: int
) -> None:
    who = room.member("转发的人")
    shallow = room.compose(who, "转发")
    parts = [{"type": "text", "data": {"text": "小秘 在吗"}}, "FORWARD"]
    event = {**shallow.event, "message": parts, "raw_message": "小秘 在吗"}
    event = {"time": int(client.now()), "self_id": int(client.self_id), **event}
    node, end = '{"type":"node","data":{"content":[', "]}}"
    frame = json.dumps(event).replace('"FORWARD"', node * times + end * times)
    await client.emit_raw(frame)
    behind = client.room()
    said = await behind.call(behind.member("后面的人"), "在吗")
    await room.expect(quoting=shallow)
    await behind.expect(quoting=said)
