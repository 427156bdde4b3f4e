"""The playground inside the console: for the owner alone, on a phone, with its history."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from bot.pictures.example import ME
from bot.playground import history
from bot.playground.group import Notice, first_world

from .conftest import World
from .pages import Pages


@pytest.mark.exhaustive
def test_it_is_played_on_a_phone(chromium: Any, world: World) -> None:
    pages = Pages(chromium, world)
    pages.width(390)
    pages.owner()
    chromium.get(f"{world.bot.url}/playground/")
    pages.until(lambda: chromium.current_url.endswith("/console/playground"), "not led into the console")
    pages.until(lambda: pages.js("return window.did_handshake === true"), "no page")
    pages.until(lambda: pages.all(".pg-example"), "no examples")
    pages.shot("playground-390")
    assert pages.faults() == []
    assert len(pages.all(".pg-people button.pg-member")) == 6, "the bot and five members"
    pages.click("button.pg-example", "记账")
    pages.until(lambda: [e for e in pages.all(".pg-row.bot") if "35" in e.text], "not answered")
    pages.click("[data-mark=file]")
    pages.until(lambda: "[文件]" in pages.text(), "no file")
    pages.shot("playground-390-said")
    assert pages.faults() == []
    pages.click("[data-mark=desk]")
    pages.until(lambda: pages.all(".pg-decision"), "no decisions")
    assert pages.faults() == []

    told = httpx.get(f"{world.bot.url}/metrics", trust_env=False, timeout=10).text
    assert "mishu_accounts_connected 1.0" in told, "the playground's is no account"

    def is_kept() -> bool:
        return any("午饭35" in file.read_text("utf-8") for file in world.bot.home.rglob(history.NAME))

    pages.until(is_kept, "not kept")
    pages.go()
    pages.press("更多")
    pages.until(lambda: pages.all("a[href='/console/playground']"), "no way to it")
    chromium.get("about:blank")


def test_members_do_not_get_in(world: World) -> None:
    link = world.link(ME)
    with httpx.Client(trust_env=False, timeout=20, follow_redirects=True) as browser:
        assert browser.get(link).status_code == 200
        for path in ("", "/x", "/_nicegui_ws/socket.io/?EIO=4&transport=polling"):
            answer = browser.get(f"{world.bot.url}/console/playground{path}")
            assert answer.status_code == 403, path
            assert "秘书试用群" not in answer.text


def test_what_was_said_is_there_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "below" / history.NAME
    world = first_world("小秘")
    group = next(iter(world.groups.values()))
    said = world.say(group, 20001, [{"type": "text", "data": {"text": "在吗"}}])
    world.recall(said, 20001)
    history.write(file, history.kept(world))
    again = first_world("小秘")
    assert history.restore(again, file) is None
    assert again.groups == world.groups
    assert isinstance(next(iter(again.groups.values())).lines[-1], Notice)
    newcomer = again.join(next(iter(again.groups.values())))
    assert newcomer.user_id not in next(iter(world.groups.values())).members
    file.write_text('{"groups": [{"group_id": 1}]}', "utf-8")
    trouble = history.restore(fresh := first_world("小秘"), file)
    assert trouble is not None
    assert "读不出来" in trouble
    assert len(fresh.groups) == 2
