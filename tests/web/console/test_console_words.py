"""What stands on the pages: plain words, names of members, signs of one font, sums under one another."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from default_run import first
from e2e.harness.room import Member
from nonebot_plugin_mishu.frontdesk.commands import decisions
from nonebot_plugin_mishu.prompts import __file__ as prompts
from nonebot_plugin_mishu.secretary import PresenceState, Trigger
from nonebot_plugin_mishu.web.console.elements import wording

from bot.pictures.example import GROUP, ME

from .conftest import World
from .pages import Pages

PAGES = (
    *(
        "decisions",
        "usage",
        "bot",
        "",
        "calendar",
        "tasks",
        "ledger",
        "polls",
        "record",
        "memory",
        "settings",
    ),
    "playground",
)
SOURCES = [
    *Path(wording.__file__).parents[1].rglob("*.py"),
    *(Path(__file__).parents[3] / "bot" / "playground").glob("*.py"),
]
SIGNS = set("◐⋯‹›×☀▦⚙❖≡∑◉✎✕＋▾✓▸")
JARGON = {
    *wording.CALLS,
    *wording.PRESENCE,
    *wording.STRATEGIES,
    "观测中",
    "混脸熟",
    "被呼唤",
    "MISHU__",
    "LLM",
}


@pytest.fixture
def pages(chromium: Any, world: World) -> Iterator[Pages]:
    browser = Pages(chromium, world)
    browser.owner(ME)
    yield browser
    chromium.get("about:blank")


def test_a_state_and_a_trigger_are_called_as_in_the_group() -> None:
    assert {each.value: each.label for each in PresenceState} == wording.PRESENCE
    assert decisions._TRIGGERS == wording.TRIGGERS
    assert {each.value for each in Trigger} == set(wording.TRIGGERS)


def test_every_call_of_a_model_has_words() -> None:
    assert {each.stem for each in Path(prompts).parent.glob("*.md")} == set(wording.CALLS)
    assert wording.describe_call("an_agent_from_outside") == wording.OTHER_CALL


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_signs_are_of_the_icon_font(file: Path) -> None:
    said = [
        node.value for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Constant)
    ]
    assert [each for each in said if isinstance(each, str) and SIGNS & set(each)] == []


@first(1)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_speaks_plainly(pages: Pages, name: str) -> None:
    pages.width(1440)
    if name == "playground":
        pages.playground()
        pages.until(lambda: pages.all(".pg-decision"), "no decision")
    else:
        pages.go(name)
    words = pages.text()
    assert [each for each in JARGON if each in words] == []
    if name == "decisions":
        pages.click("[aria-label=为什么这样]", number=1)
        pages.sees("问模型")
        words = pages.text()
        assert [each for each in JARGON if each in words] == []


@first(1)
@pytest.mark.parametrize("name", PAGES)
def test_every_sign_is_in_the_font(pages: Pages, name: str) -> None:
    """A name that the font does not know is written out, and wider than one sign."""
    pages.width(1440)
    if name == "playground":
        pages.playground()
    else:
        pages.go(name)
    pages.browser.set_script_timeout(30)
    wide = pages.browser.execute_async_script(
        """
        const done = arguments[0], signs = [...document.querySelectorAll('[data-icon]')];
        const names = [...new Set(signs.map(e => e.dataset.icon))];
        document.fonts.load("24px 'Material Icons'", 'home').then(() => {
          const pen = document.createElement('canvas').getContext('2d');
          pen.font = "24px 'Material Icons'";
          done(names.map(name => [name, pen.measureText(name).width]));
        });
        """
    )
    assert len(wide) >= 3
    assert [name for name, width in wide if abs(width - 24) > 1] == []


def test_a_member_is_called_as_the_platform_says_where_an_event_tells_no_name(pages: Pages) -> None:
    """And not 群友, which stands in the line then."""
    world = pages.world
    world.run(world.room.say(Member(1005, ""), "路线图在群文件里"))
    world.set_roles()  # the platform knows the name all the time

    def shown() -> bool:
        pages.go("decisions")
        pages.press("每一句")
        pages.until(lambda: [e.text for e in pages.all("button.mi-on")] == ["每一句"], "not every line")
        return "路线图在群文件里" in pages.text()

    pages.until(shown, "not there")
    pages.sees("苏苏：路线图")
    names = {each["id"]: each["name"] for each in world.api("GET", f"groups/{GROUP}/members")}
    assert names["1005"] == "苏苏"


@pytest.mark.exhaustive
def test_sums_stand_under_one_another(pages: Pages) -> None:
    pages.width(1440)
    pages.go("ledger")
    pages.until(lambda: len(pages.all(".mi-list .mi-sum")) > 5, "no rows")
    style = (
        "return [...document.querySelectorAll('.mi-list .mi-sum')].map(e => [getComputedStyle(e).textAlign,"
    )
    style += " getComputedStyle(e).fontVariantNumeric])"
    assert {json.dumps(each) for each in pages.js(style)} == {'["right", "tabular-nums"]'}
    pages.go("usage")
    pages.until(lambda: pages.all(".ag-right-aligned-cell"), "numbers are not to the right")


@pytest.mark.exhaustive
def test_charts_say_their_sums(pages: Pages) -> None:
    for name, said in (("ledger", "917.90"), ("usage", "token"), ("decisions", "现在")):
        pages.go(name)
        pages.until(lambda: pages.all(".mi-chart svg"), "no chart")
        for each in pages.all(".mi-chart"):
            assert each.get_attribute("role") == "img"
            assert each.get_attribute("aria-label")
        heard = " ".join(each.get_attribute("aria-label") for each in pages.all(".mi-chart"))
        assert said in heard
    pages.go("ledger")
    written = "return [...document.querySelectorAll('.mi-chart svg text')].map(e => e.textContent)"
    for words in ("917.90", "逐天支出 917.90 元"):
        pages.until(lambda words=words: words in pages.js(written), f"no chart says {words}")


def test_the_first_screen_of_a_phone_shows_today(pages: Pages) -> None:
    pages.width(390)
    pages.go()
    pages.sees("和设计对一遍首页")
    assert pages.js("return scrollY") == 0
    pages.settled()
    row = next(e for e in pages.all(".mi-item") if "和设计对一遍首页" in e.text).rect
    assert row["y"] + row["height"] <= pages.all(".mi-below")[0].rect["y"]
