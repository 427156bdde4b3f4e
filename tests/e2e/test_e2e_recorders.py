"""Beside plugins that write down all talk: they listen to what the bot sends (pitfall 80)."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer

from .conftest import assert_clean, bot_settings
from .harness import Api, BotProcess, Chat, OneBotClient, Sent, summon
from .harness.bot_process import ENDED
from .test_e2e_restart import running

STORY = "".join(f"这是故事的第{number}句话。" for number in range(120))
PUBLISHED = ("nonebot_plugin_chatrecorder", "nonebot_plugin_wordcloud")


def recorders_python() -> str:
    """The Python that has the published recorders: `MISHU_TEST_RECORDERS`, else our own. Skips without."""
    python = os.environ.get("MISHU_TEST_RECORDERS")
    if not python and not all(map(find_spec, PUBLISHED)):
        pytest.skip("not installed: set MISHU_TEST_RECORDERS to a Python with the group `recorders`")
    return python or sys.executable


def made(kind: str, home: Path, settings: dict[str, object | None]) -> BotProcess:
    """The standalone bot with a recorder of ours, or somebody's NoneBot with the published ones."""
    if kind == "ours":
        return BotProcess(home, {**settings, "MISHU__BOT__PLUGINS": ["foreign_recorder"]})
    theirs = {
        "SQLALCHEMY_DATABASE_URL": f"sqlite+aiosqlite:///{home / 'recorded.db'}",
        "ALEMBIC_STARTUP_CHECK": False,  # it would ask on the terminal before it makes its tables
    }
    python = recorders_python()
    return BotProcess(home, {**settings, **theirs}, module="foreign_recorders", python=python)


def recorded(home: Path) -> dict[str, str]:
    """What was written down of the bot's messages: words by message id."""
    if not (home / "recorded.db").exists():
        lines = home / "recorded.jsonl"
        found = lines.read_text("utf-8").splitlines() if lines.exists() else []
        return {line["id"]: line["words"] for line in map(json.loads, found)}
    with closing(sqlite3.connect(home / "recorded.db")) as connection:
        table = "nonebot_plugin_chatrecorder_messagerecord_v2"
        rows = connection.execute(f"SELECT message_id, plain_text FROM {table} WHERE type = 'message_sent'")
        return dict(rows.fetchall())


async def talk(room: Chat, friend: Chat, model: ModelServer) -> list[Sent]:
    """Everything that is sent in ways of its own: quotes, mentions, folded texts, private ones, commands."""
    ming, hong = room.members("小明", "小红")
    said: list[Sent] = []
    for words in ("午饭35，打车20", "确认", "明天下午三点在会议室开会", "[CQ:at,qq=all] 在吗"):
        said.append((await summon(room, ming, words))[1])
    said.append(await room.command(hong, "状态"))
    await friend.say(None, "提醒我明天8点吃药")
    said.append(await friend.expect())
    model.always("chat_reply", STORY)
    await room.call(hong, "讲个长故事")
    said.append(await room.expect("第0句"))
    await friend.say(None, "讲个长故事")
    said.append(await friend.expect("第0句"))
    for who in room.members("甲", "乙", "丙"):
        await room.say(who, "哈哈哈")
    said.append(await room.expect("哈哈哈"))
    return said


@pytest.mark.parametrize("kind", ["ours", "published"])
async def test_pitfall_80_recorders_read_whatever_is_sent(
    kind: str, tmp_path: Path, model: ModelServer
) -> None:
    bot = made(kind, tmp_path, bot_settings(object(), model))
    account = OneBotClient(bot.onebot_url, 10_091)
    room, friend = Chat.group(account), Chat.private(account)
    try:
        async with running(bot, account) as api:
            said = await talk(room, friend, model)
            assert any(sent.nodes for sent in said)
            kept = await kept_of(api, tmp_path, [sent for sent in said if kind == "ours" or not sent.nodes])
        for sent in said:
            if str(sent.message_id) in kept:
                assert "".join(kept[str(sent.message_id)].split()) == "".join(sent.text.split())
        for words in ("Traceback", "Error when", "TypeError"):
            assert words not in bot.log, bot.tail()
    finally:
        assert await bot.stop() in ENDED
        await bot.close()
    assert_clean(bot)


async def kept_of(api: Api, home: Path, said: list[Sent]) -> dict[str, str]:
    """What was written down, once it holds all of these."""
    wanted = {str(sent.message_id) for sent in said}

    async def look() -> dict[str, Any]:
        return recorded(home)

    return await api.poll(look, lambda kept: wanted <= set(kept), "everything is written down")
