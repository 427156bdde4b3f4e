"""The page in a real browser, before a bot of a few lines and before the real one."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Start, StartBot

selenium = pytest.importorskip("selenium")

from selenium.webdriver.common.keys import Keys  # noqa: E402

from .browsing import Page  # noqa: E402


def foreign(addresses: list[str], port: int) -> list[str]:
    own = (f"http://127.0.0.1:{port}/", f"ws://127.0.0.1:{port}/", "data:", "chrome:", "blob:", "about:")
    return [address for address in addresses if not address.startswith(own)]


@pytest.mark.exhaustive
def test_speak_as_a_member_and_be_answered(browser: Any, start: Start) -> None:
    bot = start()
    page = Page(browser, bot)
    browser.get_log("browser")
    page.open()
    page.become("阿凯")
    page.say("大家好")
    page.say("周六爬山 @秘书 记一下")
    page.bot_says("收到：周六爬山")
    page.until(lambda: page.text("[data-mark=state]") == "留意着", "presence is not shown")
    page.until(lambda: "有人@我" in page.text(".pg-decision"), "the decision is not shown")
    assert "有人叫" in page.text(".pg-decision")
    quote = page.find(".pg-row.bot .pg-quote").text
    assert quote == "阿凯：周六爬山 @秘书 记一下"
    page.shot("answered")
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
    assert foreign(page.requests(), bot.port) == []
    written = [file for file in bot.directory.iterdir() if file.name != "clock.txt"]  # the tests' own
    assert written == [], "the playground wrote files"
    # An open page does not keep the bot from stopping.
    assert bot.stop() < 10
    assert "Traceback" not in bot.log.read_text()


@pytest.mark.exhaustive
def test_everything_members_can_do(browser: Any, start: Start) -> None:
    page = Page(browser, start())
    page.open()
    page.become("小雅")
    page.mark("mention")
    page.mark("picture")
    page.bot_says("收到：")
    assert page.find(".pg-row.mine img").get_attribute("src").startswith("data:image/png;base64,")
    page.say("折叠")
    page.until(lambda: page.all(".pg-forward .head"), "no folded messages")
    assert not page.find(".pg-forward .node").is_displayed()
    page.click(".pg-forward .head")
    page.until(lambda: page.find(".pg-forward .node").is_displayed(), "does not unfold")
    page.mark("voice")
    page.mark("poke")
    page.mark("join")
    page.until(lambda: any("加入了本群" in each.text for each in page.all(".pg-notice")), "nobody came")
    page.say("说错了")
    row = page.all(".pg-row.mine")[-1]
    browser.execute_script(
        "arguments[0].querySelectorAll('.pg-act').forEach(e => e.textContent == '撤回' && e.click())", row
    )
    page.until(
        lambda: any("小雅 撤回了一条消息" in each.text for each in page.all(".pg-notice")), "not recalled"
    )
    assert any("已撤回" in each.text for each in page.all(".pg-bubble.gone"))
    page.shot("acts")
    page.mark("bot")
    muting = page.until(  # the menu comes up by and by: what is not to be seen yet has no text
        lambda: next((each for each in page.all(".q-menu .q-item") if "禁言" in each.text), None), "no menu"
    )
    page.shot("menu")
    muting.click()
    page.until(lambda: "禁言中" in page.text("[data-mark=bot]"), "not muted")
    page.mark("new-group")
    page.until(lambda: len(page.all("[data-group]")) == 3, "no new group")
    page.until(lambda: page.text(".pg-chathead b") == "新群 3", "not in the new group")
    page.until(lambda: "邀请进了本群" in page.text(".pg-notice"), "the invitation is not shown")
    page.mark("dark")
    page.until(lambda: "body--dark" in page.find("body").get_attribute("class"), "not dark")
    page.click("[data-group='10001']")
    page.shot("dark")


@pytest.mark.exhaustive
def test_text_of_members_is_never_markup(browser: Any, start: Start) -> None:
    page = Page(browser, start())
    page.open()
    nasty = "<img src=x onerror=document.title='broken'>@秘书 `${document.title='broken'}`</script>"
    page.say(nasty)
    page.bot_says("onerror")
    page.open()
    page.until(lambda: "onerror" in page.find(".pg-lines").text, "gone after a reload")
    assert browser.title == "Mishu 试用台"
    assert page.all(".pg-lines img") == []


@pytest.mark.exhaustive
def test_with_tokens_the_page_asks_once_and_the_real_path_is_authorised(browser: Any, start: Start) -> None:
    bot = start("--access", "entry-token", "--web", "s3cret")
    page = Page(browser, bot)
    browser.get(f"{bot.address}/playground/")
    page.find("input[name=token]").send_keys("wrong" + Keys.ENTER)
    page.until(lambda: "令牌不对" in page.text(".trouble"), "not refused")
    page.until(lambda: browser.execute_script("return document.readyState") == "complete", "still loading")
    page.shot("login")
    page.find("input[name=token]").send_keys("s3cret" + Keys.ENTER)
    page.until(lambda: "已连接机器人" in page.text("[data-mark=link]"), "not connected")
    page.say("@秘书 在吗")
    page.bot_says("收到：在吗")
    page.until(lambda: page.text("[data-mark=state]") == "留意着", "the API was not readable")
    assert "s3cret" not in bot.log.read_text()
    browser.delete_all_cookies()


@pytest.mark.exhaustive
def test_the_real_bot(browser: Any, start_bot: StartBot) -> None:
    bot = start_bot()
    page = Page(browser, bot)
    page.open()
    page.become("林晓")
    page.say("@秘书 在吗？")
    page.until(lambda: page.all(".pg-row.bot"), "the bot did not answer")
    page.until(lambda: page.text("[data-mark=state]") == "留意着", "presence is not shown")
    page.until(lambda: page.all(".pg-decision"), "no decision is shown")
    page.shot("real")
    assert bot.stop() < 12
    assert "Traceback" not in bot.log.read_text()
