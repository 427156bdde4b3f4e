"""Every action of the pages, by a real pointer: done, on disk, and shown.

On a phone's screen; on wider ones too with `-m exhaustive`, each with a bot of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from bot.pictures.example import GROUP, ME

from .conftest import World
from .pages import Pages

WIDTHS = [390, *(pytest.param(wide, marks=pytest.mark.exhaustive) for wide in (768, 1440))]


@pytest.fixture(scope="module", params=WIDTHS)
def wide(request: pytest.FixtureRequest) -> int:
    """The screen that is acted on."""
    return request.param


@pytest.fixture(scope="module")
def world(wide: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A bot for each screen: what is done on one is done."""
    running = World(tmp_path_factory.mktemp(f"console-{wide}"))
    running.open()
    yield running
    running.close()


@pytest.fixture(scope="module")
def downloads(chromium: Any, world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("downloads")
    wanted = {"behavior": "allow", "downloadPath": str(folder)}
    chromium.execute_cdp_cmd("Browser.setDownloadBehavior", wanted)
    return folder


@pytest.fixture(scope="module")
def session(chromium: Any, world: World, wide: int) -> Pages:
    """An admin who came by a link."""
    pages = Pages(chromium, world)
    pages.width(wide)
    pages.owner()
    pages.enter(ME)
    return pages


@pytest.fixture
def pages(session: Pages, wide: int) -> Iterator[Pages]:
    session.width(wide)
    yield session
    session.browser.get("about:blank")


def schedules(world: World, day: str) -> list[dict[str, Any]]:
    span = f"from={day}T00:00:00%2B08:00&to={day}T23:59:59%2B08:00"
    return world.api("GET", f"groups/{GROUP}/schedules?expand=true&{span}")


def arrived(pages: Pages, folder: Path, ending: str) -> str:
    found = pages.until(lambda: next(folder.glob(f"*{ending}"), None), "nothing came down")
    return pages.until(lambda: found.read_text("utf-8"), "an empty file")


def test_a_sentence_is_shown_before_it_is_kept(pages: Pages) -> None:
    pages.go()
    pages.type("[data-mishu=sentence]", "周四下午三点开复盘会", enter=True)
    pages.sees("11月19日 周四 15:00 开复盘会")
    assert schedules(pages.world, "2026-11-19")[-1]["description"] != "开复盘会"
    assert pages.faults() == []
    pages.click("[data-mishu=keep]")
    pages.sees("记下了", "往后七天")
    pages.until(lambda: pages.text().count("复盘会") >= 1, "not shown")
    assert "开复盘会" in [each["description"] for each in schedules(pages.world, "2026-11-19")]
    pages.type("[data-mishu=sentence]", "吃什么好呢", enter=True)
    pages.sees("没听出要记什么")
    assert not pages.all("[data-mishu=keep]")


def test_a_task_is_completed_and_a_double_tap_is_one(pages: Pages) -> None:
    pages.go()
    pages.js("document.querySelector('[aria-label=\"完成：回客户的电话\"]').scrollIntoView()")
    pages.js("const b = document.querySelector('[aria-label=\"完成：回客户的电话\"]'); b.click(); b.click()")
    pages.until(lambda: not pages.all("[aria-label='完成：回客户的电话']"), "still to be done")
    done = pages.world.api("GET", f"users/{ME}/tasks?group_id={GROUP}&status=completed")
    assert [each["title"] for each in done] == ["回客户的电话"]


def test_an_open_question_is_answered(pages: Pages) -> None:
    pages.go()
    pages.world.say(ME, "@小秘 夜宵45")
    pages.world.say(ME, "小秘 夜宵45")
    pages.sees("等你回答")
    pages.js("document.querySelector('[aria-label=回答]').focus()")
    pages.js("document.querySelector('[aria-label=回答]').scrollIntoView()")
    pages.press("确认")
    pages.misses("等你回答")
    rows = pages.world.api("GET", f"groups/{GROUP}/transactions?from=2026-11-18&to=2026-11-19")
    assert "夜宵" in [each["description"] for each in rows]


@pytest.mark.exhaustive
def test_the_calendar_moves_one_time_or_all(pages: Pages) -> None:
    pages.go("calendar")
    pages.named("11月23日，1 个日程")
    pages.opens_day("2026-11-23")
    pages.named("改：早会")
    pages.fill("[data-mishu=time]", "11:00")
    assert pages.faults() == []
    pages.click("[data-mishu=yes]")
    assert pages.faults() == []
    pages.click("[data-mishu=once]")
    pages.sees("改过时间", "11:00")
    assert [each["exception"] for each in schedules(pages.world, "2026-11-23")] == ["moved"]
    assert [each["exception"] for each in schedules(pages.world, "2026-11-24")] == [None]
    pages.named("11月24日，1 个日程")
    pages.opens_day("2026-11-24")
    pages.named("改：早会")
    pages.type("[data-mishu=place]", "二号会议室")
    pages.click("[data-mishu=yes]")
    pages.click("[data-mishu=all]")
    pages.sees("二号会议室")
    assert schedules(pages.world, "2026-11-25")[0]["place"] == "二号会议室"
    pages.named("11月26日，2 个日程")
    pages.named("删：发布")
    pages.click("[data-mishu=yes]")
    pages.sees("删掉了")
    assert [each["description"] for each in schedules(pages.world, "2026-11-26")] == ["早会"]
    for view in ("周", "列表", "月"):
        pages.press(view)
        pages.until(lambda view=view: [e.text for e in pages.all("button.mi-on")] == [view], view)
        assert pages.faults() == []


@pytest.mark.exhaustive
def test_a_schedule_is_dragged_to_another_day(pages: Pages) -> None:
    pages.width(1440)
    pages.go("calendar")
    pages.js(
        """
        const chip = [...document.querySelectorAll('.mi-chip')].find(e => e.innerText.includes('爬山'));
        const cell = document.querySelector("[aria-label^='11月28日']");
        const data = new DataTransfer();
        const go = (e, kind) => e.dispatchEvent(
          new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: data}));
        go(chip, 'dragstart'); go(cell, 'dragover'); go(cell, 'drop'); go(chip, 'dragend');
        """
    )
    pages.sees("改好了")
    assert "爬山" in [each["description"] for each in schedules(pages.world, "2026-11-28")]
    assert "爬山" not in [each["description"] for each in schedules(pages.world, "2026-11-21")]


@pytest.mark.exhaustive
def test_a_schedule_is_dragged_to_another_hour(pages: Pages) -> None:
    made = pages.world.api(
        "POST",
        f"groups/{GROUP}/schedules",
        json={"description": "练琴", "starts_at": "2026-11-19T13:30:00+08:00", "user_id": ME},
    )
    pages.width(1440)
    pages.go("calendar")
    pages.press("周")
    pages.until(lambda: [e for e in pages.all(".mi-week .mi-chip") if "练琴" in e.text], "not in the week")
    pages.shot("calendar-week-1440")
    assert pages.faults() == []
    pages.js(
        """
        const chips = [...document.querySelectorAll('.mi-week .mi-chip')];
        const chip = chips.find(e => e.innerText.includes('练琴'));
        const rows = [...document.querySelectorAll('.mi-hour')];
        const hour = rows.find(e => e.innerText == '17:00');
        let slot = hour;
        for (let day = 0; day <= 4; day++) slot = slot.nextElementSibling;
        const data = new DataTransfer();
        const go = (e, kind) => e.dispatchEvent(
          new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: data}));
        go(chip, 'dragstart'); go(slot, 'dragover'); go(slot, 'drop'); go(chip, 'dragend');
        """
    )
    pages.sees("改好了")
    times = {each["id"]: each["starts_at"] for each in schedules(pages.world, "2026-11-20")}
    assert times[made["id"]] == "2026-11-20T17:30:00.000+08:00", "its minutes stay"


@pytest.mark.exhaustive
def test_an_expense_is_shared_by_a_sentence(pages: Pages) -> None:
    pages.go("ledger")
    pages.type("[data-mishu=sentence]", "麻辣烫96 我和小雅、阿凯 AA", enter=True)
    pages.sees("3人AA，每人32元：陈默、小雅、阿凯")
    pages.click("[data-mishu=keep]")
    pages.sees("记下了")
    rows = pages.world.api("GET", f"groups/{GROUP}/transactions?user_id={ME}&limit=200")
    found = [each for each in rows if each["description"] == "麻辣烫"]
    assert len(found) == 1, found
    (row,) = found
    assert {each["user"]: each["share"] for each in row["participants"]} == dict.fromkeys(
        (ME, "1003", "1004"), "32.00"
    )
    pages.type("[data-mishu=sentence]", "打车23", enter=True)
    pages.sees("打车 23元（交通）")


@pytest.mark.exhaustive
def test_the_ledger_filters_corrects_settles_and_exports(pages: Pages, downloads: Path) -> None:
    pages.go("ledger")
    pages.sees("群账支出")  # an admin comes for the group
    pages.press("我的")
    pages.sees("我的支出")
    pages.keep("宵夜88")
    pages.sees("记下了", "宵夜")
    pages.named("改：宵夜")
    pages.type("[data-mishu=amount]", "八十")
    assert pages.faults() == []
    pages.click("[data-mishu=yes]")
    pages.sees("应是数")
    pages.until(lambda: pages.all("[data-mishu=amount]"), "what was typed is lost")
    assert pages.all("[data-mishu=amount]")[0].get_attribute("value") == "八十"
    pages.type("[data-mishu=amount]", "66.60")
    pages.click("[data-mishu=yes]")
    pages.sees("66.60")
    pages.press("居住")
    pages.sees("明细 · 居住")
    pages.misses("登山杖")
    pages.press("CSV")
    rows = arrived(pages, downloads, ".csv").splitlines()
    assert rows[0].endswith("日期,类型,金额,分类,说明,谁记的,群账,谁付的,怎么分,外币金额,币种,汇率")
    assert [row.split(",")[2:5] for row in rows[1:]] == [["210.00", "居住", "电费"]]
    pages.press("居住")
    pages.sees("登山杖")
    debts = pages.world.api("GET", f"groups/{GROUP}/balances")
    pages.press("还钱")
    pages.sees("账上欠")
    pages.click("[data-mishu=yes]")
    pages.sees("记下了：")
    left = pages.until(
        lambda: len(now := pages.world.api("GET", f"groups/{GROUP}/balances")) < len(debts) and [now],
        "nothing is settled",
    )
    assert len(left[0]) == len(debts) - 1
    pages.named("改预算")
    pages.type(".mi-dialog input", "1500")
    pages.click("[data-mishu=yes]")
    pages.sees("1,500.00 元")
    budgets = f"groups/{GROUP}/budgets?user_id={ME}&month=2026-11"
    pages.until(lambda: pages.world.api("GET", budgets)["total"] == "1500.00", "the budget is as it was")
    pages.press("群账")
    pages.sees("桌游店")
    pages.named("上个月")
    pages.sees("这个月没有账")


def test_why_a_line_was_answered_and_a_sample_of_it(pages: Pages, downloads: Path) -> None:
    pages.go("decisions")
    pages.sees("群友在聊天，没有在问我")
    pages.click("[aria-label=为什么这样]", number=2)
    pages.sees("怎么触发", "问模型", "现在的规则读成")
    assert pages.faults() == []
    pages.press("标成错的")
    sample = json.loads(arrived(pages, downloads, ".json"))
    assert sample["text"]
    assert sample["wanted"]["should_reply"] is not sample["decided"]["should_reply"]
    assert "1003" not in json.dumps(sample)
    pages.press("关上")
    pages.until(lambda: not pages.all(".q-dialog .mi-dialog"), "does not close")


@pytest.mark.exhaustive
def test_every_line_is_there_decided_upon_or_not(pages: Pages) -> None:
    pages.go("decisions")
    pages.sees("现在")
    pages.misses("去不去爬山")
    pages.press("每一句")
    pages.sees("去不去爬山")
    pages.click("[aria-label=为什么这样]", number=-1)
    pages.sees("没有叫我", "现在的规则读成")
    pages.press("关上")
    pages.until(lambda: not pages.all(".q-dialog .mi-dialog"), "does not close")


@pytest.mark.exhaustive
def test_the_record_is_searched_and_summed_up(pages: Pages) -> None:
    pages.go("record")
    pages.type("[aria-label=找什么]", "集合", enter=True)
    pages.sees("找到的", "北门集合")
    pages.misses("人均八十")
    pages.type("[aria-label=找什么]", "恐龙")
    pages.press("找")
    pages.sees("没有找到")
    pages.press("七天")
    pages.sees("出自")


def test_what_is_remembered_is_forgotten_after_asking(pages: Pages) -> None:
    pages.go("memory")
    pages.named("忘掉：十一月的总预算定为 2000 元")
    pages.click("[data-mishu=yes]")
    pages.misses("十一月的总预算定为")
    kept = pages.world.api("GET", f"users/{ME}/memory?group_id={GROUP}")
    assert "十一月的总预算定为 2000 元" not in [each["text"] for each in kept]
    assert len(kept) >= 3
    pages.sees("WiFi密码是 mishu-2026")


@pytest.mark.exhaustive
def test_what_is_remembered_is_corrected(pages: Pages) -> None:
    pages.go("memory")
    pages.click("button[title^='改：WiFi密码']")
    pages.type(".q-dialog textarea", "WiFi密码是 mishu-2027")
    pages.click("[data-mishu=yes]")
    pages.sees("WiFi密码是 mishu-2027")
    pages.misses("mishu-2026")
    kept = pages.world.api("GET", f"users/{ME}/memory?group_id={GROUP}")
    mine = next(each["text"] for each in kept if each["id"].startswith("summary"))
    pages.click(f"button[title='改：{mine[:20]}']")
    pages.type(".q-dialog textarea", "其实是周六上午十点爬山")
    pages.click("[data-mishu=yes]")
    pages.sees("其实是周六上午十点爬山")
    again = [each["text"] for each in pages.world.api("GET", f"users/{ME}/memory?group_id={GROUP}")]
    assert "其实是周六上午十点爬山" in again
    assert mine not in again
    pages.click("button[title^='忘掉：WiFi密码']")
    pages.sees("也不再翻得出来")
    pages.click("[data-mishu=yes]")
    pages.misses("mishu-2027")


@pytest.mark.exhaustive
def test_settings_are_saved_and_the_log_says_who(pages: Pages) -> None:
    pages.go("settings")
    pages.type("[aria-label='加一个叫我的名字（唤醒词）']", "的", enter=True)
    pages.sees("「的」只有一个字")
    assert "wake_words" not in pages.text(), "what a request calls it is nobody's business here"
    pages.type("[aria-label=人设]", "活泼一点")
    pages.named("日报")
    pages.sees("日报：开")
    assert pages.js("return document.querySelector('[aria-label=人设]').value") == "活泼一点", (
        "typed, not saved"
    )
    pages.press("保存人设")
    pages.sees("人设：活泼一点", "陈默")
    pages.type("[aria-label='加一个叫我的名字（唤醒词）']", "的", enter=True)
    pages.until(lambda: pages.all(".q-notification.bg-negative"), "not refused")
    pages.type("[aria-label='加一个叫我的名字（唤醒词）']", "阿秘", enter=True)
    pages.named("去掉 阿秘")
    pages.until(lambda: not pages.all("[aria-label='去掉 阿秘']"), "still there")
    kept = pages.world.api("GET", f"groups/{GROUP}/settings")
    assert (kept["persona"], kept["features"]["日报"]) == ("活泼一点", True)
    assert "阿秘" not in kept["wake_words"]


@pytest.mark.exhaustive
def test_a_token_is_made_shown_once_and_revoked(pages: Pages) -> None:
    def ask(path: str) -> int:
        headers = {"Authorization": f"Bearer {secret}"}
        with httpx.Client(trust_env=False, timeout=20, headers=headers) as http:
            return http.get(f"{pages.world.bot.url}/api/v1/{path}").status_code

    pages.go("settings")
    pages.press("新建令牌")
    pages.until(lambda: pages.all(".q-dialog [data-mishu=label]"), "no form")
    pages.click("[data-mishu=yes]")
    pages.sees("写上给谁用")
    pages.type("[data-mishu=label]", "我的助手")
    pages.click("[data-mishu=yes]")
    shown = pages.until(lambda: pages.all(".q-dialog [data-mishu=token]"), "not shown")
    secret = shown[0].text.strip()
    assert secret.startswith("mishu_")
    pages.press("复制好了")
    pages.until(lambda: not pages.all(".q-dialog"), "does not close")
    pages.go("settings")
    pages.sees("我的助手")
    assert secret not in pages.text(), "shown once"
    assert ask(f"groups/{GROUP}/schedules") == 200
    assert ask("groups/1/schedules") == 403
    pages.named("停用：我的助手")
    pages.click("[data-mishu=yes]")
    pages.misses("我的助手")
    assert ask(f"groups/{GROUP}/schedules") == 403


def test_an_admin_sets_the_time_of_the_digest_in_the_group(pages: Pages) -> None:
    def kept() -> tuple[str, bool]:
        found = pages.world.api("GET", f"groups/{GROUP}/settings")
        return found["digest_time"], found["features"]["日报"]

    pages.world.say("1003", "/秘书 日报 6:00")
    pages.world.say(ME, "/秘书 日报 7:40")
    pages.until(lambda: kept() == ("07:40", True), "not set")


@pytest.mark.exhaustive
def test_a_press_is_not_lost_when_the_part_is_drawn_anew(pages: Pages) -> None:
    pages.go("settings")
    pages.js("document.querySelector('.mi-panel button').dataset.pressed = '1'")
    where = "document.querySelector('[data-pressed]')"
    pages.js(f"{where}.scrollIntoView({{block: 'center'}}); window.hit = 0;")
    pages.js(f"{where}.addEventListener('click', () => window.hit++)")
    press = (
        "const b = arguments[0], r = b.getBoundingClientRect(), at = {bubbles: true, clientX: r.left + 5,"
        " clientY: r.top + 5}; b.dispatchEvent(new PointerEvent('pointerdown', at));"
        " b.closest('.mi-panel').classList.add('mi-hidden');"
        " document.body.dispatchEvent(new PointerEvent('pointerup', at)); return window.hit"
    )
    assert pages.js(press, pages.all("[data-pressed]")[0]) == 1


@pytest.mark.exhaustive
def test_what_is_being_typed_stays_while_news_come(pages: Pages) -> None:
    pages.go()
    pages.world.say(ME, "小秘 夜宵46")
    pages.sees("等你回答")
    pages.type("[aria-label=回答]", "改成五十")
    pages.world.say("1003", "小秘 打车18")
    pages.world.say(ME, "小秘 提醒我明天十点浇花")
    pages.sees("浇花")
    assert pages.all("[aria-label=回答]")[0].get_attribute("value") == "改成五十"
    pages.press("不要了")
    pages.misses("等你回答")


@pytest.mark.exhaustive
def test_the_owner_switches_groups_limits_and_backs_up(pages: Pages) -> None:
    pages.go("usage")
    kept = pages.browser.get_cookies()
    pages.owner()
    try:
        pages.go("bot")
        pages.named("启用 30002")
        pages.sees("停用了")
        enabled = {each["id"]: each["enabled"] for each in pages.world.api("GET", "groups")}
        assert enabled == {GROUP: True, "30002": False}
        pages.named("启用 30002")
        pages.sees("启用了")
        pages.press("现在备份")
        pages.sees("备份好了")
        assert list(pages.world.bot.home.rglob("mishu-*.backup"))
        pages.go("usage")
        pages.press("改上限")
        pages.type("[data-mishu=group-limit]", "很多")
        assert pages.faults() == []
        pages.click("[data-mishu=yes]")
        pages.sees("应是整数")
        pages.type("[data-mishu=group-limit]", "200,000")
        pages.click("[data-mishu=yes]")
        pages.sees("200,000 token")
    finally:
        pages.owner()
        for each in kept:
            pages.browser.add_cookie(each)


@pytest.mark.exhaustive
def test_who_was_demoted_reads_and_changes_no_more(pages: Pages) -> None:
    pages.go("settings")
    pages.world.set_roles(u1002="member")
    try:
        notice = pages.world.room.notice("group_admin", sub_type="unset", user_id=int(ME))
        pages.world.run(notice)
        pages.world.link("1003")  # asked and answered behind the notice: that has been heard
        pages.named("复读")
        pages.until(lambda: pages.all(".q-notification.bg-negative"), "not refused")
        assert pages.world.api("GET", f"groups/{GROUP}/settings")["features"]["复读"] is False
        pages.go("settings")
        pages.sees("只有群主和管理员能改", "成员")
    finally:
        pages.world.set_roles()


def test_who_left_is_shown_the_door(pages: Pages) -> None:
    pages.go("ledger")
    pages.press("退出")
    pages.sees("主人")  # on this machine, without a session
    assert not pages.browser.get_cookie("mishu_session")
