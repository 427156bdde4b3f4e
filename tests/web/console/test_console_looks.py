"""Every page at three widths: nothing cut off, nothing too small for a finger, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from default_run import first

from .conftest import World
from .pages import HEIGHTS, Pages

PAGES = (
    "",
    "calendar",
    "tasks",
    "ledger",
    "polls",
    "decisions",
    "record",
    "memory",
    "settings",
    "usage",
    "bot",
)


@pytest.fixture
def pages(chromium: Any, world: World) -> Iterator[Pages]:
    browser = Pages(chromium, world)
    browser.owner("1002")
    browser.requests()
    chromium.get_log("browser")
    yield browser
    chromium.get("about:blank")


@first(2)
@pytest.mark.parametrize("name", PAGES)
def test_page_fits_at_each_width(pages: Pages, name: str) -> None:
    pages.width(390)
    pages.go(name)
    for wide in HEIGHTS:
        pages.width(wide)
        pages.until(lambda wide=wide: pages.js("return innerWidth") == wide, f"not {wide} wide")
        pages.shot(f"{name or 'today'}-{wide}")
        assert pages.faults() == [], wide
    own = pages.world.bot.url.removeprefix("http")
    inside = (f"http{own}/", f"ws{own}/", "data:", "blob:", "about:", "chrome:")
    assert [each for each in pages.requests() if not each.startswith(inside)] == []
    said = pages.browser.get_log("browser")
    assert [each for each in said if each["level"] == "SEVERE" and "favicon" not in each["message"]] == []


def test_what_does_not_fit_is_found(pages: Pages) -> None:
    """The judge of the tests above, on a page that was spoiled."""
    pages.width(390)
    pages.go("usage")
    assert pages.faults() == []
    pages.js(
        "document.querySelector('.mi-main').insertAdjacentHTML('beforeend', arguments[0])",
        '<button style="width:20px;height:20px">a</button>'
        '<button style="position:absolute;left:380px;top:200px;width:60px;height:44px">b</button>',
    )
    found = pages.faults()
    assert any(each.startswith("small") for each in found)
    assert any(each.startswith("outside") for each in found)
