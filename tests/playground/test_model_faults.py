"""A slow and a failing model, switched on in the page: people are held, answered, and nothing stays."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.llm import ModelSimulator

from .conftest import StartBot

selenium = pytest.importorskip("selenium")
pytest.importorskip("nicegui")

from bot.playground.model import choices, summary  # noqa: E402
from bot.playground.session import Session  # noqa: E402
from bot.playground.settings import Settings  # noqa: E402

from .browsing import Page  # noqa: E402


def choose(page: Page, model: str) -> None:
    page.mark("model")
    page.click(f"[data-model='{model}']")


def model_is(page: Page, words: str) -> None:
    page.until(lambda: words in page.text("[data-mark=model]"), f"the model is not: {words}")


def answers(page: Page) -> list[str]:
    return [row.text for row in page.all(".pg-row.bot .pg-bubble") if "练习模型" in row.text]


@pytest.mark.exhaustive
def test_two_people_are_held_by_a_slow_model_and_both_answered(browser: Any, start_bot: StartBot) -> None:
    bot = start_bot()
    page = Page(browser, bot)
    page.open()
    model_is(page, "没有模型")
    choose(page, "slow3")
    model_is(page, "练习模型：慢 3 秒")
    page.become("小雅")
    page.say("@秘书 讲个冷笑话")
    page.until(lambda: page.text("[data-mark=busy]") == "是", "not busy")
    page.become("阿凯")
    page.say("@秘书 也给我讲一个")
    page.until(lambda: page.text("[data-mark=held]") == "1 条", "nobody is held")
    assert "1 条在等" in page.text(".pg-busy")
    page.shot("held")
    page.until(lambda: len(answers(page)) == 2, "not both answered")
    page.until(lambda: page.text("[data-mark=held]") == "没有", "still held")
    page.until(lambda: len(page.all(".pg-decision")) == 2, "not two decisions")
    assert "等着" in page.text(".pg-decision"), "the newest decision does not tell how long it was held"
    choose(page, "failing")
    model_is(page, "练习模型：出错")
    page.say("@秘书 再讲一个")
    page.until(lambda: "连不上" in page.text(".pg-decision"), "the fault is not told")
    choose(page, "off")
    model_is(page, "没有模型")
    page.say("@秘书 最后一个")
    page.until(lambda: "没有配置模型" in page.text(".pg-decision"), "not as before")
    assert len(answers(page)) == 2
    page.shot("failed")
    assert bot.stop() < 12
    assert "Traceback" not in bot.log.read_text()


async def test_faults_end_with_the_last_page() -> None:
    practice = ModelSimulator(configured=False)
    session = Session(Settings("127.0.0.1", 1), practice=practice, linger=0.0)
    refreshed: list[str] = []
    leave = session.enter(lambda: refreshed.append(practice.mode))
    session.practise("slow", 8.0)
    assert (practice.mode, practice.seconds) == ("slow", 8.0)
    assert refreshed == ["slow"], "other pages are not told"
    leave()
    assert session._running is not None
    await session._running
    assert practice.mode == "off"


@pytest.mark.parametrize("configured", [True, False])
def test_every_fault_on_offer_is_shown_when_it_is_on(configured: bool) -> None:
    offered = [choice for choice, _, _ in choices(configured=configured)]
    assert len(offered) == len(set(offered))
    shown = [summary(choice, configured=configured) for choice in offered if choice[0] != "off"]
    assert None not in shown
    assert summary(("off", 0), configured=configured) is None
    assert ("normal", 0) not in offered or not configured, "a model that is there needs no practice"
