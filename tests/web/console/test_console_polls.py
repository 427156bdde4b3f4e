"""The page 统计 in a browser: a vote is made by a sentence, answered, ended and deleted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.pictures.example import GROUP, ME

from .conftest import World
from .pages import Pages


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A bot of its own: what is done here is done."""
    running = World(tmp_path_factory.mktemp("console-polls"))
    running.open()
    for each in running.api("GET", f"groups/{GROUP}/polls"):  # the example's
        running.api("DELETE", f"groups/{GROUP}/polls/{each['id']}?user_id={ME}&confirm=true")
    yield running
    running.close()


@pytest.fixture
def pages(chromium: Any, world: World) -> Iterator[Pages]:
    browser = Pages(chromium, world)
    browser.width(390)
    browser.owner(ME)
    yield browser
    chromium.get("about:blank")


@pytest.mark.exhaustive
def test_a_vote_is_answered_ended_and_deleted(pages: Pages) -> None:
    body = {"kind": "vote", "question": "周六还是周日", "options": ["周六", "周日"], "user_id": ME}
    made = pages.world.api("POST", f"groups/{GROUP}/polls", json=body)

    def now() -> dict[str, Any]:
        return pages.world.api("GET", f"groups/{GROUP}/polls/{made['id']}")

    pages.go("polls")
    pages.sees("周六还是周日", "1. 周六：0 票")
    assert pages.faults() == []
    pages.press("投：周日")
    pages.sees("2. 周日：1 票", "已投：周日")
    pages.press("投：周六")
    pages.until(lambda: now()["counts"] == [1, 0], "not changed")
    pages.press("截止")
    pages.until(lambda: now()["status"] == "closed", "not ended")
    pages.sees("截止了的")
    pages.press("重开")
    pages.until(lambda: now()["status"] == "open", "not opened again")
    pages.sees("已投：周六")
    pages.named("删掉：周六还是周日")
    pages.click(".q-dialog [data-mishu=yes]")
    pages.sees("删掉了")
    assert pages.world.api("GET", f"groups/{GROUP}/polls") == []


@pytest.mark.exhaustive
def test_a_vote_and_a_sign_up_are_made_in_the_form(pages: Pages) -> None:
    def made() -> list[dict[str, Any]]:
        return pages.world.api("GET", f"groups/{GROUP}/polls")

    pages.go("polls")
    pages.click("[data-mishu=add]")
    pages.type("[data-mishu=question]", "吃什么")
    pages.type("[data-mishu=options]", "火锅")
    assert pages.faults() == []
    pages.click("[data-mishu=yes]")
    pages.sees("投票要有至少两个不同的选项")
    pages.type("[data-mishu=options]", "火锅\n烤肉")
    pages.fill("[data-mishu=date]", "2020-01-01")
    pages.click("[data-mishu=yes]")
    pages.sees("截止时间已经过了")
    pages.fill("[data-mishu=date]", "")
    pages.click("[data-mishu=yes]")
    pages.until(made, "not made")
    pages.sees("1. 火锅：0 票")
    [vote] = made()
    assert (vote["kind"], vote["options"], vote["created_by"]) == ("vote", ["火锅", "烤肉"], ME)
