"""Pages for who sees little, who works by keys, and who hears a page: axe, focus, names of dialogs, contrast.

Every page and every dialog at a phone's width and at a desk's, in light and in dark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from default_run import first

from bot.pictures.example import ME

from .conftest import World
from .pages import CELLS, Pages

PAGES = (
    *(
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
    ),
    "playground",
)
SCREENS = [(wide, dark) for wide in (390, 1440) for dark in (False, True)]
Act = Callable[[Pages], None]
DIALOGS: dict[str, tuple[str, Act]] = {
    "more pages": ("", lambda pages: pages.press("更多")),
    "why": ("decisions", lambda pages: pages.named("为什么这样")),
    "limits": ("usage", lambda pages: pages.press("改上限")),
    "a schedule": ("calendar", lambda pages: pages.click("button[title^='改：']")),
    "once or all": ("calendar", lambda pages: pages.click("button[title='删：早会']")),
    "a new schedule": ("calendar", lambda pages: pages.click("[data-mishu=add]")),
    "a task": ("tasks", lambda pages: pages.click("button[title^='改：']")),
    "a task put off": ("tasks", lambda pages: pages.click("button[title^='推迟：']")),
    "a new record": ("ledger", lambda pages: pages.named("记一笔账")),
    "a record": ("ledger", lambda pages: pages.click("button[title^='改：']")),
    "a debt": ("ledger", lambda pages: pages.press("还")),
    "a budget": ("ledger", lambda pages: pages.named("改预算")),
    "a memory": ("memory", lambda pages: pages.click("button[title^='改：']")),
    "forgetting": ("memory", lambda pages: pages.click("button[title^='忘掉：']")),
}
"""Where each is opened, and how."""
OPEN = ".q-dialog .mi-dialog"


@pytest.fixture
def pages(chromium: Any, world: World) -> Iterator[Pages]:
    browser = Pages(chromium, world)
    browser.owner(ME)
    yield browser
    chromium.get("about:blank")


@first(1)
@pytest.mark.parametrize("name", PAGES)
def test_nobody_is_kept_out_of_a_page(pages: Pages, name: str) -> None:
    pages.width(390)
    if name == "playground":
        pages.playground()
    else:
        pages.go(name)
    for wide, dark in SCREENS:
        pages.width(wide)
        pages.dark(dark)
        pages.until(lambda wide=wide: pages.js("return innerWidth") == wide, f"not {wide} wide")
        pages.shot(f"{name or 'today'}-{wide}-{'dark' if dark else 'light'}")
        assert pages.barriers() == [], (wide, dark)
        assert min(pages.js(CELLS), default=21) >= 4.5, "a table is hard to read"


@first(1)
@pytest.mark.parametrize("name", DIALOGS)
def test_nobody_is_kept_out_of_a_dialog(pages: Pages, name: str) -> None:
    where, opens = DIALOGS[name]
    for wide in (390, 1440):
        if name == "more pages" and wide > 390:
            continue
        pages.width(wide)
        pages.go(where)
        opens(pages)
        pages.until(lambda: pages.all(OPEN), "no dialog")
        pages.until(
            lambda: pages.js("return !!document.activeElement.closest('.q-dialog')"), "the focus is elsewhere"
        )
        called = pages.js(
            "return document.querySelector('.q-dialog[role=dialog]').getAttribute('aria-label')"
        )
        assert called, "a dialog without a name"
        for dark in (False, True):
            pages.dark(dark)
            pages.shot(f"dialog-{name.replace(' ', '-')}-{wide}-{'dark' if dark else 'light'}")
            assert pages.barriers(".q-dialog") == [], (wide, dark)
        pages.escape()
        pages.until(lambda: not pages.all(OPEN), "does not close")


@first(1)
@pytest.mark.parametrize("name", DIALOGS)
def test_the_focus_comes_back_from_a_dialog(pages: Pages, name: str) -> None:
    where, opens = DIALOGS[name]
    pages.width(390)
    pages.go(where)
    opens(pages)
    pages.until(lambda: pages.js("return !!document.activeElement.closest('.q-dialog')"), "not in it")
    pages.escape()
    pages.until(lambda: not pages.all(".q-dialog"), "does not close")
    pages.until(lambda: pages.js("return !!document.activeElement.closest('.mi button')"), pages.focused())
    opened = pages.focused()
    pages.enter_key()
    pages.until(lambda: pages.all(OPEN), f"not where it was opened: {opened}")
    pages.escape()
    pages.until(lambda: not pages.all(".q-dialog"), "does not close")


@pytest.mark.exhaustive
def test_the_focus_stays_where_a_part_is_drawn_anew(pages: Pages) -> None:
    pages.width(1440)
    pages.go("decisions")
    pages.press("每一句")
    pages.until(lambda: [e.text for e in pages.all("button.mi-on")] == ["每一句"], "not shown")
    pages.until(lambda: "每一句" in pages.focused(), "lost")
    pages.go()
    pages.js("document.querySelector('[aria-label=\"完成：买爬山的水和面包\"]').focus()")
    pages.enter_key()
    pages.until(lambda: not pages.all("[aria-label='完成：买爬山的水和面包']"), "not done")
    pages.until(lambda: pages.js("return !!document.activeElement.closest('.mi-main')"), "at the top again")


@pytest.mark.exhaustive
def test_what_is_told_covers_no_box_on_a_phone(pages: Pages) -> None:
    pages.width(390)
    pages.go()
    pages.keep("提醒我下周三十点交表")
    pages.until(lambda: pages.all(".mi-undo:not(.mi-hidden)"), "not told")
    pages.settled()
    told = pages.all(".mi-undo")[0].rect
    for selector in ("[data-mishu=sentence]", ".mi-top", ".mi-below"):
        box = pages.all(selector)[0].rect
        assert told["y"] >= box["y"] + box["height"] or told["y"] + told["height"] <= box["y"], selector
    assert pages.barriers(".mi-undo") == []


@first(1)
@pytest.mark.parametrize("dark", [False, True])
def test_the_doors_let_everybody_read(pages: Pages, dark: bool) -> None:
    """The page for who has no session, and the playground's login: HTML without our frame."""
    from nonebot_plugin_mishu.web.console.shell.login_page import door

    from bot.playground.look import login_page

    scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    pages.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
    try:
        for html in (door("/console/login", "口令不对"), login_page("/login", "口令不对")):
            pages.browser.get(f"{pages.world.bot.url}/favicon.ico")
            pages.js("document.open(); document.write(arguments[0]); document.close()", html)
            assert pages.barriers() == []
    finally:
        pages.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.exhaustive
def test_dark_is_kept_from_page_to_page_and_in_the_playground(pages: Pages) -> None:
    pages.width(1440)
    pages.go()
    pages.dark(False)
    pages.named("深色或浅色")
    pages.until(lambda: pages.js("return document.body.classList.contains('body--dark')"), "not dark")
    pages.until(lambda: pages.browser.get_cookie("mishu_dark"), "not kept")
    pages.go("ledger")
    assert pages.js("return document.body.classList.contains('body--dark')")
    pages.playground()
    assert pages.js("return document.body.classList.contains('body--dark')")
    pages.named("深色或浅色")
    pages.until(lambda: pages.browser.get_cookie("mishu_dark")["value"] == "0", "not kept")


def test_a_barrier_is_found(pages: Pages) -> None:
    """The judge of the tests above, on a page that was spoiled."""
    pages.width(390)
    pages.go("usage")
    pages.dark(False)
    assert pages.barriers() == []
    pages.js(
        "document.querySelector('.mi-main').insertAdjacentHTML('afterbegin', arguments[0])",
        '<p style="color:#aaa;background:#fff">hard to read</p><button></button>'
        '<div role="dialog" aria-modal="true">no name</div>',
    )
    found = " ".join(pages.barriers())
    for rule in ("color-contrast", "button-name", "aria-dialog-name"):
        assert rule in found
