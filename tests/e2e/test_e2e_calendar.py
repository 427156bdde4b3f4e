"""Calendars: the file for the group, the address that programs subscribe to, and one's own in private."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import httpx
from icalendar import Calendar

from .conftest import StartBot
from .harness import Api, BotProcess, Chat, OneBotClient, Sent, summon
from .reminder_steps import SLEEPER

OFFLINE = True
BOT = SLEEPER


def address(told: Sent) -> str:
    """The path that an answer names."""
    [path] = re.findall(r"/calendar/[A-Za-z0-9_-]+\.ics", told.text)
    return path


def events(content: bytes) -> list[tuple[str, str]]:
    """Kind and title of everything in a calendar."""
    calendar: Any = Calendar.from_ical(content)
    return [(part.name, str(part["SUMMARY"])) for part in calendar.walk() if "SUMMARY" in part]


def uploaded(client: OneBotClient, group: str) -> tuple[str, bytes]:
    """Name and content of the file the bot uploaded to a group."""
    [call] = [
        action.params
        for action in client.actions
        if action.name == "upload_group_file" and str(action.params["group_id"]) == group
    ]
    file = str(call["file"])
    if file.startswith("base64://"):
        return call["name"], base64.b64decode(file.removeprefix("base64://"))
    return call["name"], Path(urlparse(file).path).read_bytes()


async def test_a_group_gets_its_file_and_its_address(room: Chat, api: Api, client: OneBotClient) -> None:
    ming = room.member("小明")
    await summon(room, ming, "记录日程：后天下午3点在会议室开会")
    await summon(room, ming, "提醒我后天下午3点交周报")
    _, told = await summon(room, ming, "导出日历")
    name, content = uploaded(client, room.id)
    assert name.endswith(".ics")
    assert [title for _, title in events(content)] == ["开会"], "the group's, not what one member must do"
    assert b"BEGIN:VCALENDAR" in content
    async with httpx.AsyncClient(base_url=api.base, trust_env=False) as stranger:
        found = await stranger.get(address(told))
        assert found.status_code == 200
        assert found.headers["content-type"].startswith("text/calendar")
        assert events(found.content) == events(content)
        await summon(room, ming, "记录日程：后天下午4点团建")
        later = await stranger.get(address(told))
        assert [title for _, title in events(later.content)] == ["开会", "团建"], "it is what is planned now"
        wrong = await stranger.get("/calendar/" + "A" * 32 + ".ics")
        assert wrong.status_code == 404
        assert "开会" not in wrong.text


async def test_one_s_own_is_given_in_private_only(room: Chat, api: Api, client: OneBotClient) -> None:
    ming = room.member("小明")
    _, refused = await summon(room, ming, "导出我的日历")
    assert "私聊" in refused.text
    assert not re.search(r"/calendar/", refused.text)
    friend = client.friend(ming.user_id, "小明")
    await friend.say(None, "提醒我后天下午3点交周报")
    await friend.expect("已创建任务")
    await friend.say(None, "导出我的日历")
    told = await friend.expect("/calendar/")
    found = await api.http.get(address(told))
    assert [title for _, title in events(found.content)] == ["交周报"]
    assert any(action.name == "upload_private_file" for action in client.actions)
    assert not any(
        str(action.params.get("group_id")) == room.id for action in client.actions if "file" in action.name
    )


async def test_the_address_needs_no_token_where_the_api_does(start_bot: StartBot) -> None:
    bot: BotProcess = start_bot(offline=True, MISHU__WEB__TOKEN="web-token-1234567890")
    account = OneBotClient(bot.onebot_url, 10_064)
    room = Chat.group(account)
    await bot.start()
    async with account, httpx.AsyncClient(base_url=bot.url, trust_env=False) as stranger:
        ming = room.member("小明")
        await summon(room, ming, "记录日程：后天下午3点开会")
        _, told = await summon(room, ming, "导出日历")
        assert (await stranger.get("/api/health")).status_code == 401
        found = await stranger.get(address(told))
        assert found.status_code == 200
        assert [title for _, title in events(found.content)] == ["开会"]
        proxied = await stranger.get(address(told), headers={"X-Forwarded-For": "203.0.113.9"})
        assert proxied.status_code == 200, "the address is the key"
        assert (await stranger.get("/calendar/wrong.ics")).status_code == 404
