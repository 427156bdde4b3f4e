"""What a person does with the page, in a real browser."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import Running

selenium = pytest.importorskip("selenium")

from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

SHOTS = os.environ.get("MISHU_TEST_SCREENSHOTS")
"""A directory for screenshots, where somebody wants to look at them."""


class Page:
    """What a person does with the page."""

    def __init__(self, browser: Any, bot: Running) -> None:
        self.browser = browser
        self.bot = bot

    def open(self) -> None:
        self.browser.get(f"{self.bot.address}/playground/")
        self.until(lambda: "已连接机器人" in self.text("[data-mark=link]"), "no connection")

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        def holds(_: Any) -> Any:
            try:
                return condition()
            except (StaleElementReferenceException, NoSuchElementException):
                return False

        return WebDriverWait(self.browser, 20, 0.1).until(
            holds, f"{what}\n{self.bot.log.read_text()[-3000:]}"
        )

    def find(self, selector: str) -> Any:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[Any]:
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        return self.find(selector).text

    def click(self, selector: str) -> None:
        def clicked() -> bool:
            self.find(selector).click()
            return True

        self.until(clicked, f"cannot click {selector}")

    def mark(self, name: str) -> None:
        self.click(f"[data-mark={name}]")

    def become(self, name: str) -> None:
        self.click(f"[data-member='{name}']")
        self.until(lambda: "on" in self.find(f"[data-member='{name}']").get_attribute("class").split(), name)

    def say(self, words: str) -> None:
        before = len(self.all(".pg-row"))
        box = self.find("[data-mark=input]")
        box.send_keys(words)
        box.send_keys(Keys.ENTER)
        self.until(lambda: len(self.all(".pg-row")) > before, f"not said: {words}")

    def bot_says(self, words: str) -> None:
        def said() -> bool:
            return any(words in row.text for row in self.all(".pg-row.bot .pg-bubble"))

        self.until(said, f"the bot did not say {words}")

    def shot(self, name: str) -> None:
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.browser.save_screenshot(str(Path(SHOTS) / f"{name}.png"))

    def requests(self) -> list[str]:
        """Addresses the page asked for since the log was last read."""
        asked: list[str] = []
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated"):
                parameters = message["params"]
                asked.append(parameters.get("url") or parameters["request"]["url"])
        return asked
