"""日历来源 and 导入账单 on the page 设置, by a real browser: files sent, shown, written on a yes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.pictures.example import GROUP, ME

from .conftest import World
from .pages import Pages

OTHER = "1004"
IMPORTS = Path(__file__).parents[2] / "imports"
sys.path.insert(0, str(IMPORTS))

from bill_files import W_OCTOBER, wechat_csv  # noqa: E402


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    running = World(tmp_path_factory.mktemp("console-imports"))
    running.open()
    yield running
    running.close()


@pytest.fixture(scope="module")
def pages(chromium: Any, world: World) -> Pages:
    found = Pages(chromium, world)
    found.width(390)
    found.owner()
    found.enter(ME)
    return found


def send(pages: Pages, mark: str, path: Path) -> None:
    """Choose a file; the control itself is not to be seen."""

    def control() -> Any:
        found = pages.browser.find_elements("css selector", f"[data-mishu={mark}]")
        return found[0] if found else None

    pages.until(control, "no control for a file").send_keys(str(path))


DENTIST = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//test//
X-WR-CALNAME:自己的
BEGIN:VEVENT
UID:tooth
DTSTAMP:20260101T000000Z
DTSTART:{day:%Y%m%d}T150000
DTEND:{day:%Y%m%d}T163000
SUMMARY:看牙
LOCATION:中山路
END:VEVENT
END:VCALENDAR
""".replace("\n", "\r\n")


@pytest.mark.exhaustive
def test_entries_are_on_their_own_pages_and_on_others_where_shared(pages: Pages, world: World) -> None:
    url = f"v1/calendars/file?name=a.ics&as_user={ME}"
    made = world.api("POST", url, content=DENTIST.format(day=world.bot.clock.local()).encode())["calendar"]
    for page in ("", "calendar"):
        pages.go(page)
        pages.sees("看牙", "15:00–16:30", "中山路", "自己的")
        assert pages.faults() == []
    pages.press("周")
    pages.sees("看牙")
    pages.owner(OTHER)
    pages.go("calendar")
    pages.sees("添一个")
    assert "看牙" not in pages.text()
    shared = {"as_user": ME, "shared_with": [GROUP]}
    world.api("PATCH", f"v1/calendars/{made['id']}", json=shared)
    pages.go("calendar")
    pages.sees("看牙", "陈默的自己的")
    world.api("DELETE", f"v1/calendars/{made['id']}?as_user={ME}&confirm=true")
    pages.owner()
    pages.enter(ME)


@pytest.mark.exhaustive
def test_a_calendar_and_a_bill(pages: Pages, world: World, tmp_path: Path) -> None:
    pages.go("settings")
    pages.sees("日历来源", "还没有导入日历")
    send(pages, "calendars-file", IMPORTS / "data" / "google.ics")
    pages.sees("阿一的日历", "文件，3 个日程")
    found = world.api("GET", f"v1/calendars?user_id={ME}")["items"]
    assert [(each["name"], each["shared_with"]) for each in found] == [("阿一的日历", [])]

    pages.type("[data-mishu=address]", "http://192.168.1.1/a.ics")
    pages.click("[data-mishu=subscribe]")
    pages.sees("这个地址在内网或本机，不能订阅")

    bill = tmp_path / "微信支付账单.csv"
    bill.write_bytes(wechat_csv(W_OCTOBER))
    send(pages, "bills-file", bill)
    pages.sees("微信账单 6 笔，新 5，跳过 1（不计收支 1）")
    pages.click("[data-mishu=yes]")
    pages.sees("记好了")
    send(pages, "bills-file", bill)
    pages.sees("没有要记的")

    pages.press("删掉")
    pages.sees("要删掉「阿一的日历」吗")
    pages.click("[data-mishu=yes]")
    pages.sees("还没有导入日历")
    assert pages.faults() == []
