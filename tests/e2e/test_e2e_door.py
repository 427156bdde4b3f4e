"""No event without the token: forged POSTs by every path the adapter has, in our bot and in another's."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from websockets.exceptions import InvalidStatus

from .harness import Api, BotProcess, OneBotClient, summon
from .harness.bot_process import ENDED

TOKEN = "only-in-the-header-7f3a"
SECRET = "a-secret-of-signatures-9c1b"
ACCOUNT = 10_081
GROUP, OWNER = 778_001, 99_999
PATHS = (
    *("/onebot/v11/", "/onebot/v11", "/onebot/v11/http", "/onebot/v11/http/"),
    *("/onebot/v11/%68ttp", "//onebot/v11/http", "/onebot/v11/http?access_token=" + TOKEN, "/onebot/v11/ws"),
)
TOKENS: tuple[Mapping[str, str], ...] = (
    {},
    {"Authorization": "Bearer wrong"},
    {"Authorization": "Bearer"},
    {"Authorization": f"Bearer {TOKEN}"},
)
SENDERS: tuple[Mapping[str, str], ...] = (
    {},
    {"Host": "evil.example", "Origin": "http://evil.example"},
    {"Host": "localhost", "X-Forwarded-For": "127.0.0.1", "X-Signature": "sha1=0"},
)
INSTANCE = """
import nonebot
from nonebot.adapters.onebot.v11 import Adapter

nonebot.init()
nonebot.get_driver().register_adapter(Adapter)
nonebot.load_plugin("nonebot_plugin_mishu")
nonebot.load_plugin("neighbour")
nonebot.run()
"""
NEIGHBOUR = """
from pathlib import Path

from nonebot import on_message

matcher = on_message(priority=1, block=False)


@matcher.handle()
async def _(event) -> None:
    with Path("heard.txt").open("a") as file:
        file.write(event.get_plaintext() + "\\n")
"""
_ids = itertools.count(9_000_001)


def forged(text: str) -> dict[str, Any]:
    """The owner of the group and of the bot says something, as anybody could write it."""
    return {
        "post_type": "message",
        "message_type": "group",
        "sub_type": "normal",
        "message_id": next(_ids),
        "group_id": GROUP,
        "user_id": OWNER,
        "message": [{"type": "text", "data": {"text": text}}],
        "raw_message": text,
        "font": 0,
        "sender": {"user_id": OWNER, "nickname": "群主", "role": "owner"},
        "time": 1_795_500_000,
        "self_id": ACCOUNT,
    }


class Door:
    """A bot, and who knocks."""

    def __init__(self, bot: BotProcess, where: str) -> None:
        self.bot, self.where = bot, where
        self.api = Api(bot.url)
        self.answers: list[int] = []

    async def knock(self) -> None:
        """Forge orders by every path, with every token, from everywhere."""
        async with httpx.AsyncClient(base_url=self.bot.url, trust_env=False) as http:
            for path, token, sender in itertools.product(PATHS, TOKENS, SENDERS):
                for words in ("/秘书 闭嘴 10", "小秘，提醒我明天8点取件", "/秘书 忘记我"):
                    headers = {"X-Self-ID": str(ACCOUNT), **token, **sender}
                    answer = await http.post(path, json=forged(words), headers=headers)
                    self.answers.append(answer.status_code)

    async def nothing_happened(self) -> None:
        """Nobody was heard, nothing kept, nothing silenced."""
        assert await self.api.get(f"/api/groups/{GROUP}/messages") == []
        assert await self.api.get(f"/api/groups/{GROUP}/decisions") == []
        assert await self.api.get(f"/api/users/{OWNER}/tasks") == []
        presence = await self.api.get(f"/api/groups/{GROUP}/presence")
        assert (presence["state"], presence["silenced_until"]) == ("absent", None)

    async def connected(self) -> list[str]:
        return [str(each) for each in (await self.api.health())["bots"]]

    async def answers_the_real_one(self, account: OneBotClient) -> None:
        await self.api.poll(
            self.api.health, lambda seen: str(ACCOUNT) in map(str, seen["bots"]), "the real account"
        )
        room = account.room()
        await summon(room, room.member("阿明"), "在吗")


async def opened(home: Path, where: str, **settings: object) -> BotProcess:
    whole = {"ONEBOT_ACCESS_TOKEN": TOKEN, "SUPERUSERS": [str(OWNER)], **settings}
    module = "bot" if where == "standalone" else "instance"
    bot = BotProcess(home, whole, module=module)
    written(home)
    await bot.start()
    return bot


def written(home: Path) -> None:
    """Another person's instance, and a plugin of theirs."""
    home.mkdir(exist_ok=True)
    (home / "instance.py").write_text(INSTANCE, "utf-8")
    (home / "neighbour.py").write_text(NEIGHBOUR, "utf-8")


@pytest_asyncio.fixture(params=["standalone", "instance"])
async def door(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Door]:
    bot = await opened(tmp_path / "bot", request.param)
    knocked = Door(bot, request.param)
    yield knocked
    await knocked.api.close()
    assert await bot.stop() in ENDED
    assert "Traceback" not in bot.log


async def test_forged_posts_are_nobodys(door: Door) -> None:
    await door.knock()
    assert await door.connected() == [], "nobody proved to be an account"
    await door.nothing_happened()
    async with OneBotClient(door.bot.onebot_url, ACCOUNT, token=TOKEN) as account:
        await door.answers_the_real_one(account)
        await door.knock()
        await door.answers_the_real_one(account)
        await door.nothing_happened()
    await door.api.poll(door.api.health, lambda seen: not seen["bots"], "away")
    await door.knock()
    assert await door.connected() == []
    async with OneBotClient(door.bot.onebot_url, ACCOUNT, token=TOKEN) as account:
        await door.answers_the_real_one(account)
        await door.nothing_happened()
        assert not [sent for sent in account.sends if sent.group_id == str(GROUP)]
    warned = door.bot.log.count("ONEBOT_SECRET=")
    if door.where == "standalone":
        assert set(door.answers) <= {404, 405}, "there is no such path"
        assert warned == 0
    else:
        heard = (door.bot.home / "heard.txt").read_text("utf-8")
        assert "取件" in heard, "what is not ours to refuse goes on to the others"
        assert warned == 1


async def test_a_socket_opens_with_the_token_in_its_header_only(door: Door) -> None:
    url = door.bot.onebot_url
    wrong: list[tuple[str, str | None]] = [
        (url, None),
        (url, ""),
        (url, "wrong"),
        (url, TOKEN[:-1]),
        (url, f"{TOKEN}x"),
        (url, TOKEN.upper()),
        (f"{url}?access_token={TOKEN}", None),
        (f"{url}?access_token={TOKEN}", "wrong"),
        (url.removesuffix("ws"), None),
        (f"{url}/", "wrong"),
    ]
    for address, token in wrong:
        with pytest.raises(InvalidStatus):
            await OneBotClient(address, ACCOUNT, token=token).connect()
    assert await door.connected() == []
    async with OneBotClient(url, ACCOUNT, token=TOKEN) as account:
        await door.answers_the_real_one(account)


@pytest.mark.exhaustive
async def test_a_signed_post_is_heard_in_anothers_instance(tmp_path: Path) -> None:
    """With ONEBOT_SECRET the adapter checks; what it lets pass is an event like any other."""
    bot = await opened(tmp_path / "bot", "instance", ONEBOT_SECRET=SECRET)
    door = Door(bot, "instance")
    try:
        await door.knock()
        assert set(door.answers) <= {401, 403, 404, 405, 307}
        await door.nothing_happened()
        body = json.dumps(forged("大家好"), ensure_ascii=False).encode()
        for wrong in _wrongly_signed(body):
            headers = {"X-Self-ID": str(ACCOUNT), "X-Signature": wrong, "Content-Type": "application/json"}
            async with httpx.AsyncClient(base_url=bot.url, trust_env=False) as http:
                assert (await http.post(PATHS[0], content=body, headers=headers)).status_code in (401, 403)
        await door.nothing_happened()
        signature = f"sha1={hmac.new(SECRET.encode(), body, hashlib.sha1).hexdigest()}"
        headers = {"X-Self-ID": str(ACCOUNT), "X-Signature": signature, "Content-Type": "application/json"}
        async with httpx.AsyncClient(base_url=bot.url, trust_env=False) as http:
            assert (await http.post(PATHS[0], content=body, headers=headers)).status_code == 204
        rows = await door.api.poll(
            lambda: door.api.get(f"/api/groups/{GROUP}/messages?self_id={ACCOUNT}"), bool, "heard"
        )
        assert [row["text"] for row in rows] == ["大家好"]
        assert "ONEBOT_SECRET=" not in bot.log
    finally:
        await door.api.close()
        await bot.close()


def _wrongly_signed(body: bytes) -> list[str]:
    """Signatures that are none of this body, or not by our secret."""
    right = hmac.new(SECRET.encode(), body, hashlib.sha1).hexdigest()
    return [
        "",
        "sha1=",
        right,
        f"sha1={right[:-1]}",
        f"sha1={hmac.new(TOKEN.encode(), body, hashlib.sha1).hexdigest()}",
        f"sha1={hmac.new(SECRET.encode(), body + b' ', hashlib.sha1).hexdigest()}",
        f"sha256={hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()}",
        f"sha1={hashlib.sha1(SECRET.encode() + body).hexdigest()}",
    ]
