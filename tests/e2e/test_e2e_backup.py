"""A second endpoint answers while the first is down, and what it costs can be seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from model_server import ModelServer, server_error

from .harness import Api, BotProcess, OneBotClient
from .harness.bot_process import API_KEY

pytestmark = pytest.mark.exhaustive

OTHER_KEY = "sk-the-backup-key-5f2e"
ONLINE = {"MISHU__LLM__API_KEY": API_KEY, "MISHU__LLM__MODEL": "first-model"}
PRICES = '{"First-Model": [100, 100, 100], "spare-model": [1000, 1000, 1000]}'
CALLS = ("analyze_conversation", "check_safety", "parse_intents", "chat_reply")


async def test_the_backup_answers_and_yuan_are_shown(tmp_path: Path):
    async with ModelServer() as first, ModelServer() as spare:
        for name in CALLS:
            first.always(name, server_error())
        spare.always("chat_reply", "我是备用的")
        settings = {
            **ONLINE,
            "MISHU__LLM__BASE_URL": first.url,
            "MISHU__LLM__BACKUP_BASE_URL": spare.url,
            "MISHU__LLM__BACKUP_API_KEY": OTHER_KEY,
            "MISHU__LLM__BACKUP_MODEL": "spare-model",
            "MISHU__LLM__PRICES": PRICES,
        }
        bot = BotProcess(tmp_path, settings)
        await bot.start()
        api = Api(bot.url)
        try:
            async with OneBotClient(bot.onebot_url, 10_053) as account:
                room = account.room()
                ming = room.member("阿明")
                replies: list[str] = []
                while "我是备用的" not in replies and len(replies) < 4:
                    sent = await room.expect(quoting=await room.call(ming, "讲个笑话"))
                    replies.append(sent.text)
                assert replies[-1] == "我是备用的"
                assert (await api.health())["llm"] == "ok"
                assert "元" in (await room.command(ming, "用量")).text
                rows = await api.get("/api/usage", group_id=room.id)
                by_model = {row["model"]: row for row in rows if row["call"] == "chat_reply"}
                spent = by_model["spare-model"]
                assert float(spent["yuan"]) == pytest.approx(
                    (spent["tokens_in"] + spent["tokens_out"]) / 1000, abs=1e-6
                )
        finally:
            await api.close()
            await bot.stop()
            await bot.close()
        assert "先用备用的" in bot.log
        assert OTHER_KEY not in bot.log
        assert {request.headers["authorization"] for request in spare.requests} == {f"Bearer {OTHER_KEY}"}


async def test_half_a_backup_is_told_once(tmp_path: Path):
    bot = BotProcess(tmp_path)
    bot.settings = {
        **ONLINE,
        "MISHU__LLM__BASE_URL": "http://127.0.0.1:9/v1",
        "MISHU__LLM__BACKUP_API_KEY": OTHER_KEY,
    }
    await bot.start()
    try:
        assert bot.log.count("备用模型只配了一半") == 1
        assert "缺 MISHU__LLM__BACKUP_BASE_URL、MISHU__LLM__BACKUP_MODEL" in bot.log
        assert OTHER_KEY not in bot.log
    finally:
        await bot.stop()
        await bot.close()
