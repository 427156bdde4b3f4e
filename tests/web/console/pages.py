"""What a person does with the console's pages in a browser, and what no page may have."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

selenium = pytest.importorskip("selenium")
pytest.importorskip("selenium_axe_python")

from selenium.common.exceptions import (  # noqa: E402
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
    TimeoutException,
)
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

from bot.pictures.browser import shot, sized  # noqa: E402
from bot.pictures.example import GROUP  # noqa: E402

from .conftest import World  # noqa: E402

SHOTS = os.environ.get("MISHU_TEST_SCREENSHOTS")
"""A directory for screenshots, where somebody wants to look at them."""
PATIENCE = float(os.environ.get("MISHU_TEST_PATIENCE", "15"))
HEIGHTS = {390: 844, 768: 1024, 1440: 900}
NOT_YET = (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
AXE = (files("selenium_axe_python") / "axe-core" / "axe.min.js").read_text("utf-8")
FINDINGS = """
const [within, done] = arguments;
axe.run({include: [[within]], exclude: [['.ag-root-wrapper']]}).then(found => done([
  ...found.incomplete.filter(each => !each.nodes.length).map(each => `broken: ${each.id} ${each.error}`),
  ...found.violations.filter(each => ['serious', 'critical'].includes(each.impact)).flatMap(each =>
    each.nodes.map(node => {
      const ratio = node.any[0] && node.any[0].data && node.any[0].data.contrastRatio;
      return `${each.impact} ${each.id}${ratio ? ' ' + ratio : ''}: ${node.html.slice(0, 160)}`;
    })),
]), error => done(['axe: ' + error]));
"""
"""Runs axe on a part of the page and lists what is serious; a rule that broke is a finding too.

Its geometry breaks on columns that a table keeps beyond its edge: `CELLS` looks at tables."""
CELLS = """
const channels = colour => colour.match(/[\\d.]+/g).map(Number);
const light = colour => channels(colour).slice(0, 3).map(c => c / 255)
  .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, n) => sum + c * [0.2126, 0.7152, 0.0722][n], 0);
const behind = e => {
  for (; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor, parts = channels(colour);
    if (parts.length < 4 || parts[3] === 1) return colour;
  }
  return 'rgb(255, 255, 255)';
};
return [...document.querySelectorAll('.ag-cell, .ag-header-cell-text')].map(e => {
  const [up, down] = [light(getComputedStyle(e).color), light(behind(e))].sort((a, b) => b - a);
  return (up + 0.05) / (down + 0.05);
});
"""
"""The contrast of what is written in the cells of a table with what is behind it."""
STILL = """
const moves = each => each.playState === 'running' && each.effect.getComputedTiming().endTime !== Infinity;
if (document.querySelector('[class*=-enter-active], [class*=-leave-active]')) return '';
if (document.getAnimations().some(moves)) return '';
const seen = [...document.querySelectorAll('button, input, a, .q-dialog__inner, .mi-undo, .q-notification')];
return 'still ' + seen.map(e => Object.values(e.getBoundingClientRect().toJSON()).map(Math.round)).join(';');
"""
"""Where everything lies, empty while something is being animated. What turns round for ever (a spinner) is
still; that a dialog is just about to move is seen when it lies elsewhere the next time."""
FAULTS = (Path(__file__).parent / "faults.js").read_text("utf-8")


class Pages:
    """One browser before the console."""

    def __init__(self, browser: Any, world: World) -> None:
        self.browser = browser
        self.world = world
        self.wide = 1440
        self.address = f"{world.bot.url}/console"

    # -- going about

    def enter(self, user: str) -> None:
        """Open the link the bot gave."""
        self.browser.get(self.world.link(user))
        self.ready()

    def owner(self, acts_for: str | None = None) -> None:
        """Be the owner, who needs no session on this machine."""
        self.browser.get(f"{self.world.bot.url}/favicon.ico")
        self.browser.delete_all_cookies()
        if acts_for is not None:
            self.browser.add_cookie({"name": "mishu_as", "value": acts_for, "path": "/"})
            # And not the playground's group, which is there once somebody played.
            self.browser.add_cookie({"name": "mishu_group", "value": GROUP, "path": "/"})

    def go(self, name: str = "", query: str = "") -> None:
        """Open a page by its address."""
        self.browser.get(f"{self.address}{f'/{name}' if name else ''}{query}")
        self.ready()

    def ready(self) -> None:
        """Wait until it hears what is done on it."""
        self.until(
            lambda: self.js("return window.did_handshake === true && !!document.querySelector('.mi-main')"),
            "no page",
        )

    def playground(self) -> None:
        """Open the playground, and say something there."""
        self.browser.get(f"{self.address}/playground")
        self.until(lambda: self.js("return window.did_handshake === true"), "no page")
        self.click("button.pg-example", "记账")
        self.until(lambda: self.all(".pg-row.bot"), "not answered")

    def width(self, wide: int) -> None:
        """As on a screen of that width."""
        self.wide = wide
        sized(self.browser, wide, HEIGHTS[wide])

    # -- seeing

    def js(self, code: str, *given: Any) -> Any:
        """What a piece of script says."""
        return self.browser.execute_script(code, *given)

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        """Wait for it."""

        def holds(_: Any) -> Any:
            try:
                return condition()
            except NOT_YET:
                return False

        try:
            return WebDriverWait(self.browser, PATIENCE, 0.05).until(holds)
        except TimeoutException:
            self.shot("failed")
            raise AssertionError(f"{what}\n{self.text()[:3000]}\n{self.world.bot.log[-1500:]}") from None

    def text(self) -> str:
        """All that is to be read."""
        return self.js("return document.body.innerText")

    def sees(self, *words: str) -> None:
        """Wait until all of it is to be read."""
        for each in words:
            self.until(lambda each=each: each in self.text(), f"not there: {each}")

    def opens_day(self, day: str) -> None:
        """Wait until the card of a day of the calendar is drawn; the day's name stands elsewhere as well."""
        self.until(lambda: self.all(f".mi-card[data-day='{day}']"), f"not opened: {day}")

    def misses(self, words: str) -> None:
        """Wait until it is not to be read any more."""
        self.until(lambda: words not in self.text(), f"still there: {words}")

    def all(self, selector: str) -> list[Any]:
        """Everything that fits and is to be seen."""
        return [e for e in self.browser.find_elements(By.CSS_SELECTOR, selector) if e.is_displayed()]

    def settled(self) -> None:
        """Wait until nothing moves: what is measured before that has not its size yet."""
        seen: list[str] = []

        def still() -> bool:
            seen.append(self.js(STILL))
            return bool(seen[-1]) and seen[-2:-1] == seen[-1:]

        self.until(still, "moves")

    def faults(self) -> list[str]:
        """What is wrong with the layout."""
        self.settled()
        return self.js(FAULTS, self.wide)

    def dark(self, on: bool) -> None:
        """Dark or light, as the button of the page does it."""
        self.js("Quasar.Dark.set(arguments[0]); document.body.getBoundingClientRect()", on)

    def barriers(self, within: str = "body") -> list[str]:
        """Serious and critical findings of axe-core: what keeps somebody out."""
        self.settled()
        if not self.js("return !!window.axe"):
            self.js(AXE)
        self.browser.set_script_timeout(PATIENCE * 4)
        return self.browser.execute_async_script(FINDINGS, within)

    def shot(self, name: str) -> None:
        """Keep a picture for somebody who wants to look."""
        if SHOTS:
            shot(self.browser, Path(SHOTS) / f"{name}.png")

    # -- doing

    def click(self, selector: str, words: str = "", number: int = 0) -> None:
        """Press what fits, by a real pointer, as soon as it is there."""

        def clicked() -> bool:
            found = [
                e for e in self.all(selector) if words in (e.text or e.get_attribute("aria-label") or "")
            ]
            self.js("arguments[0].scrollIntoView({block: 'center'})", found[number])
            found[number].click()
            return True

        def there() -> bool:
            try:
                return clicked()
            except IndexError:
                return False

        self.until(there, f"cannot press {selector} {words}")

    def press(self, words: str, number: int = 0) -> None:
        """Press a button by its words."""
        self.click("button", words, number)

    def escape(self) -> None:
        """The key that closes."""
        ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()

    def enter_key(self) -> None:
        """The key that presses what has the focus."""
        ActionChains(self.browser).send_keys(Keys.ENTER).perform()

    def focused(self) -> str:
        """What has the focus."""
        return self.js("return document.activeElement.outerHTML.slice(0, 200)")

    def named(self, label: str) -> None:
        """Press what is called so for who cannot see it."""
        self.click(f"[aria-label='{label}']")

    def type(self, selector: str, words: str, *, enter: bool = False) -> None:
        """Put words into a field, in the place of what it holds.

        In a dialog that still grows a click lands on the field that lies there by then.
        """
        self.settled()

        def typed() -> bool:
            field = self.all(selector)[0]
            self.js("arguments[0].scrollIntoView({block: 'center'})", field)
            field.click()
            field.send_keys(Keys.CONTROL, "a")
            field.send_keys(words + (Keys.ENTER if enter else ""))
            return True

        def there() -> bool:
            try:
                return typed()
            except IndexError:
                return False

        self.until(there, f"no field {selector}")

    def fill(self, selector: str, value: str) -> None:
        """Choose a day (2026-11-25) or a clock (11:00); keys change whatever part of it a click lands on."""
        field = self.until(lambda: (self.all(selector) or [None])[0], f"no field {selector}")
        given = "const [e, value] = arguments; e.value = value;"
        self.js(f"{given} e.dispatchEvent(new Event('input', {{bubbles: true}}))", field, value)

    def keep(self, sentence: str) -> None:
        """Say a sentence, read what is made of it, and keep it."""
        self.type("[data-mishu=sentence]", sentence, enter=True)
        self.click("[data-mishu=keep]")

    def requests(self) -> list[str]:
        """Addresses asked for since the log was last read."""
        asked: list[str] = []
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated"):
                parameters = message["params"]
                asked.append(parameters.get("url") or parameters["request"]["url"])
        return asked
