"""What only a browser shows of tasks, schedules, money, the record: forms, bars, undo, the door."""

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
    running = World(tmp_path_factory.mktemp("console-tasks"))
    running.open()
    yield running
    running.close()


@pytest.fixture
def pages(chromium: Any, world: World) -> Iterator[Pages]:
    browser = Pages(chromium, world)
    browser.width(390)
    browser.owner(ME)
    yield browser
    chromium.get("about:blank")


def titles(world: World, user: str = ME, status: str = "pending") -> list[str]:
    rows = world.api("GET", f"users/{user}/tasks?group_id={GROUP}&status={status}")
    return [each["title"] for each in rows]


@pytest.mark.exhaustive
def test_tasks_are_put_off_edited_handed_over_and_deleted_with_undo(pages: Pages) -> None:
    pages.go("tasks")
    pages.sees("过期了", "回客户的电话", "买爬山的水和面包")
    pages.named("推迟：回客户的电话")
    pages.sees("推到哪天")
    assert pages.faults() == []
    pages.press("明天")
    pages.sees("推到明天：回客户的电话")
    rows = pages.world.api("GET", f"users/{ME}/tasks?group_id={GROUP}&status=pending")
    moved = next(each for each in rows if each["title"] == "回客户的电话")
    assert (moved["dueDate"], moved["startTime"]) == ("2026-11-19", "14:00")
    pages.click("[data-mishu=undo]")
    pages.sees("撤销了")
    pages.named("改：订周五聚餐的位子")
    pages.type("[data-mishu=title]", "订周五的位子")
    assert pages.faults() == []
    pages.click("[data-mishu=owner]")
    pages.click(".q-item", "小雅")
    pages.click(".q-dialog [data-mishu=yes]")
    pages.sees("交给小雅了")
    assert "订周五的位子" in titles(pages.world, "1003")
    pages.press("我交代的")
    pages.sees("订周五的位子", "给小雅")
    pages.press("我的")
    pages.named("改：买爬山的水和面包")
    pages.click("[data-mishu=drop]")
    pages.click(".q-dialog [data-mishu=yes]")
    pages.sees("删掉了：买爬山的水和面包")
    pages.until(lambda: "买爬山的水和面包" not in titles(pages.world), "not deleted")
    pages.click("[data-mishu=undo]")
    pages.until(lambda: "买爬山的水和面包" in titles(pages.world), "not back")
    pages.named("完成：回客户的电话")
    pages.sees("完成了")
    pages.press("做完的")
    pages.sees("回客户的电话")


@pytest.mark.exhaustive
def test_a_tap_on_a_day_adds_and_several_days_are_a_bar(pages: Pages) -> None:
    pages.width(1440)
    pages.go("calendar")
    pages.click("[aria-label^='11月23日']")
    pages.opens_day("2026-11-23")
    pages.click("[aria-label^='11月23日']")
    pages.sees("添日程：11月23日")
    pages.type("[data-mishu=description]", "去杭州")
    pages.fill("[data-mishu=last]", "2026-11-25")
    assert pages.faults() == []
    pages.click(".q-dialog [data-mishu=yes]")
    pages.sees("记下了：去杭州", "第 1/3 天")
    card = "return [...document.querySelectorAll('[data-day]')].map(e => e.dataset.day)"
    pages.until(lambda: "2026-11-23" in pages.js(card), "the saved day is not shown")
    bars = "return document.querySelectorAll('.mi-day .mi-bar').length"
    pages.until(lambda: pages.js(bars) == 3, "no bar on each day")
    chips = pages.js("return [...document.querySelectorAll('.mi-day .mi-chip')].map(e => e.innerText)")
    assert "09:30 早会" in chips
    pages.js(
        """
        const bar = document.querySelector('.mi-day .mi-bar.first');
        const cell = document.querySelector("[aria-label^='11月26日']");
        const data = new DataTransfer();
        const go = (e, kind) => e.dispatchEvent(
          new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: data}));
        go(bar, 'dragstart'); go(cell, 'dragover'); go(cell, 'drop'); go(bar, 'dragend');
        """
    )
    pages.sees("改好了：去杭州")

    def begins() -> list[str]:
        rows = pages.world.api("GET", f"groups/{GROUP}/schedules")
        return [each["time"][:10] for each in rows if each["description"] == "去杭州"]

    pages.until(lambda: begins() == ["2026-11-26"], "not moved")
    pages.click("[data-mishu=undo]")
    pages.until(lambda: begins() == ["2026-11-23"], "not back")


@pytest.mark.exhaustive
def test_a_debt_is_paid_in_part_and_a_budget_shows_how_far_it_is(pages: Pages) -> None:
    pages.go("ledger")
    before = pages.world.api("GET", f"groups/{GROUP}/balances")
    pages.press("还钱")
    pages.type("[data-mishu=paid]", "10")
    pages.click(".q-dialog [data-mishu=yes]")
    pages.sees("记下了：")

    def owed() -> float:
        return sum(float(each["amount"]) for each in pages.world.api("GET", f"groups/{GROUP}/balances"))

    whole = sum(float(each["amount"]) for each in before)
    pages.until(lambda: owed() == whole - 10, "not paid")
    pages.click("[data-mishu=undo]")
    pages.until(lambda: owed() == whole, "not back")
    pages.named("改预算")
    pages.type("[data-mishu=budget-餐饮]", "300")
    assert pages.faults() == []
    pages.click(".q-dialog [data-mishu=yes]")
    pages.sees("预算改好了", "/ 300.00 元", "还剩")
    pages.press("群账")
    pages.sees("聚餐", "林晓付的", "4 人各 80.00")
    pages.misses("登山杖")


def test_a_shared_expense_is_entered_with_who_paid_and_who_bears_it(pages: Pages) -> None:
    pages.go("ledger")
    pages.named("记一笔账")
    pages.type("[data-mishu=amount]", "90")
    pages.type("[data-mishu=description]", "奶茶大家喝")
    pages.click("[data-mishu=bearing]")
    for name in ("小雅", "阿凯", "陈默"):
        pages.click(".q-menu .q-item", name)
    pages.js("document.activeElement.blur(); document.body.click()")
    pages.type("[data-mishu=description]", "奶茶大家喝")
    pages.click(".q-dialog [data-mishu=yes]")
    pages.sees("记下了")
    rows = pages.world.api("GET", f"groups/{GROUP}/transactions?user_id={ME}&limit=200")
    (row,) = [each for each in rows if each["description"] == "奶茶大家喝"]
    assert {each["user"]: each["share"] for each in row["participants"]} == dict.fromkeys(
        (ME, "1003", "1004"), "30.00"
    )


@pytest.mark.exhaustive
def test_the_record_is_filtered_by_person_and_shown_in_context(pages: Pages) -> None:
    pages.go("record")
    pages.click("[data-mishu=who]")
    pages.click(".q-menu .q-item", "林晓")
    pages.sees("找到的", "北门集合")
    pages.misses("多穿点")
    pages.named("前后文：那就周六上午九点，北门集合")
    pages.sees("周六上午行，下午要加班")
    assert pages.faults() == []


@pytest.mark.exhaustive
def test_an_owner_says_whose_it_is_where_it_is_typed(pages: Pages) -> None:
    pages.owner()
    pages.go("tasks")
    named = "return document.querySelector('input[data-mishu=as]').value"
    pages.until(lambda: pages.js(named) == "主人 99999", "no superuser")  # SUPERUSERS of this bot
    pages.keep("提醒我明早九点浇花")
    pages.sees("记下了：")
    assert "浇花" in titles(pages.world, "99999")
    pages.click("[data-mishu=as]")
    pages.click(".q-menu .q-item", "阿凯")
    listed = "return document.querySelector('.mi-panel').innerText"
    pages.until(lambda: "浇花" not in pages.js(listed), "another's tasks")
    pages.keep("提醒我明早九点喂猫")
    pages.sees("09:00", "喂猫")
    assert "喂猫" in titles(pages.world, "1004")


@pytest.mark.exhaustive
def test_a_tapped_day_is_brought_into_view_and_a_saved_day_is_shown(pages: Pages) -> None:
    pages.go("calendar")
    pages.click("[aria-label^='11月24日']")
    pages.opens_day("2026-11-24")

    def seen(day: str) -> bool:
        found = f"""
        const card = [...document.querySelectorAll('[data-day="{day}"]')].find(e => e.checkVisibility());
        const box = card.getBoundingClientRect(), foot = document.querySelector('.mi-below').offsetTop;
        return box.top >= 0 && box.top + 60 < foot;
        """
        return pages.js(found)

    pages.until(lambda: seen("2026-11-24"), "not in view")
    pages.click("[data-mishu=add]")
    pages.type("[data-mishu=description]", "看牙")
    pages.fill("[data-mishu=date]", "2026-11-26")
    pages.click(".q-dialog [data-mishu=yes]")
    pages.sees("记下了：看牙", "11月26日 周四")
    pages.until(lambda: seen("2026-11-26"), "the saved day is not in view")
    pages.keep("12月2日下午三点看展")
    pages.sees("2026年12月", "12月2日 周三")
    pages.until(lambda: seen("2026-12-02"), "the day of the sentence is not in view")


def test_a_page_whose_session_ended_keeps_nothing_and_shows_the_door(pages: Pages) -> None:
    pages.enter("1004")
    pages.go("tasks")
    pages.type("[data-mishu=sentence]", "提醒我明早九点浇水", enter=True)
    pages.sees("浇水")
    pages.until(lambda: pages.all("[data-mishu=keep]"), "not read")
    before = len(pages.world.client.sends)
    pages.world.say("1004", "/秘书 网页 退出")
    pages.until(lambda: len(pages.world.client.sends) > before, "the session does not end")
    pages.click("[data-mishu=keep]")
    pages.sees("会话结束了")
    assert "浇水" not in titles(pages.world, "1004")


@pytest.mark.exhaustive
def test_an_open_page_leads_to_the_door_when_its_session_is_over(pages: Pages) -> None:
    pages.enter("1003")
    pages.go("calendar")
    pages.world.say("1003", "/秘书 网页 退出")
    pages.until(lambda: not pages.js("return document.querySelector('.mi-trouble')"), "trouble")

    def at_the_door() -> bool:
        pages.js("[...document.querySelectorAll('button')].find(e => e.innerText == '周')?.click()")
        return "会话结束了" in pages.text()

    pages.until(at_the_door, "not at the door")
    assert pages.browser.current_url.startswith(f"{pages.address}/calendar?over=1")


@pytest.mark.exhaustive
def test_a_change_made_while_the_account_is_away_says_so_and_is_told_later(pages: Pages) -> None:
    world = pages.world
    pages.go("calendar")
    world.run(world.client.disconnect())
    pages.until(lambda: not world.api("GET", "health")["bots"], "still connected")
    pages.keep("12月3日下午三点开复盘会")
    pages.sees("账号不在线，群里还没说，连上就说")
    pages.settled()
    assert pages.faults() == []
    names = {each["id"]: each["name"] for each in world.api("GET", "groups")}
    assert names[GROUP] == "产品小组", "the last known name"
    before = len(world.client.sends)
    world.run(world.client.connect())

    def told() -> bool:
        said = [each.text for each in world.client.sends[before:]]
        return any("刚才说不了话" in each and "复盘会" in each for each in said)

    pages.until(told, "not told")
