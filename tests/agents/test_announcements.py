"""Announcements at a desk: who may, what is meant, asked once and published once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from nonebot_plugin_mishu.agents import NotAnnounced
from nonebot_plugin_mishu.agents.announcements.agent import (
    DONE,
    FAILED,
    LEFT,
    LONGEST,
    NO_WAY,
    NOT_YOURS,
    UNCLEAR,
    WHICH,
)
from nonebot_plugin_mishu.testing import Desk


@pytest_asyncio.fixture
async def desk() -> AsyncIterator[Desk]:
    async with Desk.open() as opened:
        opened.member("小明", role="admin")
        yield opened


async def test_an_admins_words_are_published_after_a_yes(desk: Desk) -> None:
    asked = await desk.call("小明", "发个群公告：明天 9:00 停水，《接水通知》见群文件")
    assert asked.text is not None
    assert asked.text.endswith("明天 9:00 停水，《接水通知》见群文件")
    assert desk.voice.published == []
    assert (await desk.say("小明", "确认")).text == DONE
    assert desk.voice.published == ["明天 9:00 停水，《接水通知》见群文件"]
    assert await desk.questions() == ()


async def test_members_may_not(desk: Desk) -> None:
    assert (await desk.call("小红", "发个群公告：明天停课")).text == NOT_YOURS
    await desk.call("小明", "发个群公告：明天停水")
    await desk.say("小红", "确认")
    assert desk.voice.published == []


async def test_who_is_no_admin_any_more_publishes_nothing(desk: Desk) -> None:
    await desk.call("小明", "发个群公告：明天停水")
    desk.member("小明", role="member")
    assert (await desk.say("小明", "确认")).text == NOT_YOURS
    assert desk.voice.published == []


async def test_what_is_quoted_is_meant_else_what_we_said_last(desk: Desk) -> None:
    await desk.say("小红", "周五晚上 7 点读书会在图书馆")
    asked = await desk.call("小明", "设为群公告", quote=desk.said("小红"))
    assert asked.text is not None
    assert asked.text.endswith("\n周五晚上 7 点读书会在图书馆")
    await desk.say("小明", "不用")
    card = await desk.call("小明", "投个票 周六还是周日去爬山")
    asked = await desk.call("小明", "把这个发群公告")
    assert asked.text is not None
    assert card.text is not None
    assert card.text in asked.text
    await desk.say("小明", "确认")
    assert desk.voice.published == [card.text]
    await desk.later(hours=1)
    assert (await desk.call("小明", "把这个发群公告")).text == WHICH


async def test_without_a_text_it_is_asked_for(desk: Desk) -> None:
    await desk.call("小明", "明天有什么日程")
    assert (await desk.call("小明", "发个群公告")).text == WHICH
    said = (await desk.call("小明", "发个群公告：" + "长" * (LONGEST + 1))).text
    assert said is not None
    assert str(LONGEST + 1) in said


@pytest.mark.parametrize(
    ("error", "said"),
    [(NotAnnounced("平台拒绝了"), FAILED), (NotAnnounced("平台没有回应", perhaps=True), UNCLEAR)],
    ids=["refused", "unclear"],
)
async def test_a_failure_is_said(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, error: NotAnnounced, said: str
) -> None:
    async def publish(*_: Any) -> None:
        raise error

    monkeypatch.setattr(desk.voice, "publish", publish)
    await desk.call("小明", "发个群公告：明天停水")
    assert (await desk.say("小明", "确认")).text == said


async def test_where_there_is_no_way(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk.voice, "publishes_as", lambda where: None)
    assert (await desk.call("小明", "发个群公告：明天停水")).text == NO_WAY


@pytest.mark.parametrize(
    "words", ["别发群公告", "不要把这个设为群公告", "群公告先别发", "别发公告了", "别发群公告，发群里就行"]
)
async def test_an_order_not_to_publish_does_nothing_and_deletes_nothing(desk: Desk, words: str) -> None:
    await desk.call("小红", "提醒我明天上午9点发海报")
    assert (await desk.call("小红", words)).text == LEFT
    assert await desk.questions() == ()
    kept = (await desk.call("小红", "我有哪些任务")).text
    assert kept is not None
    assert "发海报" in kept
    await desk.call("小明", "发个群公告：明天停水")
    assert (await desk.call("小明", words)).text == LEFT
    await desk.say("小明", "确认")
    assert desk.voice.published == []


async def test_another_order_beside_it_is_done(desk: Desk) -> None:
    said = (await desk.call("小明", "先别发公告，提醒我明天上午九点交表")).text
    assert said is not None
    assert LEFT in said
    assert "交表" in said
    assert desk.voice.published == []
