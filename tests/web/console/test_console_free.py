"""The part 空闲 of the page 日历 in a browser: spans of all, who is busy when, never with what."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from bot.pictures.example import GROUP, ME

from .conftest import World
from .pages import Pages

OTHER = "1004"
CARD = "return document.querySelector('[data-mishu=free]')?.innerText || ''"
DENTIST = "\r\n".join(
    (
        *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//", "BEGIN:VEVENT", "UID:tooth"),
        *("DTSTAMP:20260101T000000Z", "DTSTART:{day:%Y%m%d}T110000", "DTEND:{day:%Y%m%d}T123000"),
        *("SUMMARY:看牙", "END:VEVENT", "END:VCALENDAR", ""),
    )
)


@pytest.fixture
def pages(chromium: Any, world: World) -> Iterator[Pages]:
    browser = Pages(chromium, world)
    browser.width(390)
    browser.owner(OTHER)
    yield browser
    chromium.get("about:blank")


@pytest.mark.exhaustive
def test_others_are_busy_and_never_with_what(pages: Pages, world: World) -> None:
    day = world.bot.clock.local() + timedelta(days=2)
    made = world.api(
        "POST",
        f"v1/calendars/file?name=a.ics&as_user={ME}",
        content=DENTIST.format(day=day).encode(),
    )["calendar"]
    try:
        pages.go("calendar")
        card = pages.until(lambda: pages.js(CARD), "no free times")
        spans = world.api("GET", f"v1/groups/{GROUP}/free")["spans"]
        assert spans
        assert "七天内大家都有空" in card
        assert "11:00–12:30" in card
        assert "陈默" in card
        assert "有事" in card
        for told in ("看牙", "早会", "评审"):
            assert told not in card, told
        assert "不知道有没有空" in card
        assert pages.faults() == []
        pages.width(1440)
        assert pages.faults() == []
    finally:
        world.api("DELETE", f"v1/calendars/{made['id']}?as_user={ME}&confirm=true")
