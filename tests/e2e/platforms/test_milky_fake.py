"""The fake Milky itself: its door, its numbers, its answers."""

from __future__ import annotations

import json

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from .milky_fake import TOKEN, MilkyFake


async def call(fake: MilkyFake, name: str, token: str | None = TOKEN, **data: object) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False) as http:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return await http.post(f"http://127.0.0.1:{fake.port}/api/{name}", json=data, headers=headers)


@pytest.mark.parametrize("token", [None, "another"])
async def test_nobody_gets_in_without_the_token(token: str | None):
    async with MilkyFake(10_001) as fake:
        assert (await call(fake, "get_login_info", token)).status_code == 401
        given = "" if token is None else f"?access_token={token}"
        with pytest.raises(InvalidStatus):
            async with connect(f"ws://127.0.0.1:{fake.port}/event{given}", proxy=None):
                pass
        assert fake._events is None


async def test_calls_are_answered_as_the_protocol_has_it():
    async with MilkyFake(10_001) as fake:
        told = (await call(fake, "get_login_info")).json()
        assert told == {"status": "ok", "retcode": 0, "data": {"uin": 10_001, "nickname": "小秘"}}
        assert (await call(fake, "no_such_call")).status_code == 404
        nobody = (await call(fake, "get_group_member_info", group_id=1, user_id=2)).json()
        assert (nobody["status"], nobody["retcode"]) == ("failed", -404)


async def test_numbers_count_within_a_conversation():
    async with MilkyFake(10_001) as fake:
        async with connect(f"ws://127.0.0.1:{fake.port}/event?access_token={TOKEN}", proxy=None) as events:
            await fake.connect()
            ming = fake.room().member("阿明")
            seen: list[int] = []
            for room in (fake.room(41), fake.room(42), fake.friend(43)):
                for _ in range(2):
                    await room.say(None if room.friend else ming, "好")
                    seen.append(json.loads(await events.recv())["data"]["message_seq"])
        assert seen == [1, 2, 1, 2, 1, 2]


async def test_a_send_is_seen_as_any_account_sees_it():
    async with MilkyFake(10_001) as fake:
        room = fake.room(41)
        parts = [
            {"type": "mention", "data": {"user_id": 7}},
            {"type": "text", "data": {"text": " 好"}},
        ]
        told = (await call(fake, "send_group_message", group_id=41, message=parts)).json()
        sent = await room.expect("好")
        assert (told["data"]["message_seq"], sent.ats, sent.text) == (1, ["7"], " 好")
