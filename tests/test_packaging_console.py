"""The extra `console` of the wheel in a foreign instance: pages where NiceGUI is, else one line."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from e2e.harness import OneBotClient
from model_server import ModelServer
from test_packaging_instance import Instance, python

pytestmark = pytest.mark.exhaustive
__all__ = ["python"]
PAGES = ("", "/calendar", "/ledger", "/decisions", "/record", "/memory", "/settings", "/usage", "/bot")


async def test_the_pages_are_there_and_a_member_gets_in(python: Path, tmp_path: Path) -> None:
    async with ModelServer() as model:
        instance = Instance(tmp_path, python, model.url)
        address = f"http://127.0.0.1:{instance.port}"
        async with instance.running(), OneBotClient(instance.onebot_url, 10_092) as account:
            room = account.room()
            ming = room.member("阿明")
            await room.say(ming, "/秘书 网页")
            sent = await account.until(
                lambda: next((each for each in account.sends if "console/enter" in each.text), None),
                20,
                "a link",
            )
            link = re.findall(r"https?://\S+", sent.text)[0]
            assert link.startswith(f"{address}/console/enter?code=")
            async with httpx.AsyncClient(trust_env=False, timeout=30, follow_redirects=True) as browser:
                shown = await browser.get(link)
                assert shown.status_code == 200
                assert "阿明" in shown.text
                for page in PAGES[:-1]:
                    assert (await browser.get(f"{address}/console{page}")).status_code == 200, page
                for part in re.findall(r'(?:src|href)="(/[^"]*\.(?:js|css))"', shown.text)[:4]:
                    assert (await browser.get(f"{address}{part}")).status_code == 200, part
            async with httpx.AsyncClient(trust_env=False, timeout=30) as owner:
                for page in PAGES:
                    assert (await owner.get(f"{address}/console{page}")).status_code == 200, page
                assert (await owner.get(f"{address}/console/playground")).status_code == 404, "the bot's own"
            assert await instance.stop() == 0
        for sign in ("Traceback", "ERROR", "was never awaited", "Task was destroyed"):
            assert sign not in instance.log, instance.log


async def test_without_nicegui_one_line_says_so(python: Path, tmp_path: Path) -> None:
    async with ModelServer() as model:
        instance = Instance(tmp_path, python, model.url)
        program = tmp_path / "bot.py"
        hidden = 'import sys\n\nsys.modules["nicegui"] = None\n'
        program.write_text(hidden + program.read_text("utf-8"), "utf-8")
        async with instance.running(), OneBotClient(instance.onebot_url, 10_093) as account:
            async with httpx.AsyncClient(trust_env=False, timeout=30) as browser:
                answer = await browser.get(f"http://127.0.0.1:{instance.port}/console")
                assert answer.status_code == 404
            room = account.room()
            await room.say(room.member("阿明"), "/秘书 网页")
            await room.expect(re.compile("没开网页"))
            assert await instance.stop() == 0
        told = [line for line in instance.log.splitlines() if "网页：" in line]
        assert len(told) == 1, instance.log
        assert "nonebot-plugin-mishu[console]" in told[0]
        assert "Traceback" not in instance.log
