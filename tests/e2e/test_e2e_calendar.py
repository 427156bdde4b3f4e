"""Calendars: the file for the group, the address that programs subscribe to, and one's own in private."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import httpx
import pytest
from default_run import first
from icalendar import Calendar

from .conftest import StartBot
from .harness import Api, BotProcess, Chat, Fail, Member, OneBotClient, Sent, summon
from .harness.sent import Action
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


async def handed(room: Chat, client: OneBotClient, who: Member, words: str) -> Sent:
    """Ask for a calendar in a group; what arrives at the member in private."""
    before = len(client.sends)
    _, said = await summon(room, who, words)
    assert "私聊" in said.text
    assert "/calendar/" not in said.text
    [told] = [sent for sent in client.sends[before:] if sent.is_private and sent.delivered]
    assert told.user_id == str(who.user_id)
    told.taken = True
    return told


def uploaded(client: OneBotClient, who: Member) -> tuple[str, bytes]:
    """Name and content of the file the bot gave a member last."""
    [*_, call] = [
        action.params
        for action in client.actions
        if action.name == "upload_private_file" and str(action.params["user_id"]) == str(who.user_id)
    ]
    file = str(call["file"])
    if file.startswith("base64://"):
        return call["name"], base64.b64decode(file.removeprefix("base64://"))
    return call["name"], Path(urlparse(file).path).read_bytes()


async def test_a_group_gets_its_file_and_its_address(room: Chat, api: Api, client: OneBotClient) -> None:
    ming = room.member("小明")
    await summon(room, ming, "记录日程：后天下午3点在会议室开会")
    await summon(room, ming, "提醒我后天下午3点交周报")
    told = await handed(room, client, ming, "导出日历")
    assert f"{api.base}/calendar/" in told.text, "the whole address"
    name, content = uploaded(client, ming)
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
    mine = await handed(room, client, ming, "导出我的日历")
    assert address(mine) != address(await handed(room, client, ming, "给我日历地址"))
    friend = client.friend(ming.user_id, "小明")
    await friend.say(None, "提醒我后天下午3点交周报")
    await friend.expect("提醒你")
    await friend.say(None, "导出我的日历")
    told = await friend.expect("/calendar/")
    found = await api.http.get(address(told))
    assert [title for _, title in events(found.content)] == ["交周报"]
    assert any(action.name == "upload_private_file" for action in client.actions)
    assert not any(
        str(action.params.get("group_id")) == room.id for action in client.actions if "file" in action.name
    )


async def test_pitfall_77_who_is_no_friend_gets_it_through_the_group(
    room: Chat, api: Api, client: OneBotClient
) -> None:
    ming = room.member("小明")
    await summon(room, ming, "记录日程：后天下午3点开会")

    def as_a_friend(action: Action) -> bool:
        return "group_id" not in action.params

    client.plan("upload_private_file", Fail(), times=2)
    client.plan("send_private_msg", Fail(), times=2, matching=as_a_friend)
    before = len(client.actions)
    told = await handed(room, client, ming, "订阅日历")
    [*_, through] = [each.params for each in client.actions[before:] if each.name == "send_private_msg"]
    assert str(through["group_id"]) == room.id
    assert "/calendar/" in told.text
    client.plan("send_private_msg", Fail(), times=2)
    _, said = await summon(room, ming, "给我日历的链接")
    assert "发不到" in said.text
    assert "/calendar/" not in said.text


async def test_addresses_end_with_membership(room: Chat, api: Api, client: OneBotClient) -> None:
    ming, hong = room.member("小明"), room.member("小红")
    await summon(room, ming, "记录日程：后天下午3点开会")
    kept = {
        (who.name, words): address(await handed(room, client, who, words))
        for who in (ming, hong)
        for words in ("导出日历", "导出我的日历")
    }
    assert len(set(kept.values())) == 4, "each has addresses of their own"

    async def opened() -> set[str]:
        return {path for path in kept.values() if (await api.http.get(path)).status_code == 200}

    assert await opened() == set(kept.values())
    await room.notice("group_decrease", sub_type="kick", user_id=ming.user_id, operator_id=9)
    hongs = {path for (who, _), path in kept.items() if who == "小红"}
    await api.poll(opened, lambda seen: seen == hongs, "小明 is out, 小红 is not")
    for path in set(kept.values()) - hongs:
        assert (await api.http.get(path)).status_code == 404
    await room.notice("group_decrease", sub_type="kick_me", user_id=int(client.self_id), operator_id=9)
    await api.poll(opened, lambda seen: not seen, "the bot is out")
    await room.notice("group_increase", sub_type="invite", user_id=int(client.self_id), operator_id=9)


@pytest.mark.exhaustive
async def test_the_address_needs_no_token_where_the_api_does(start_bot: StartBot) -> None:
    bot: BotProcess = start_bot(offline=True, MISHU__WEB__TOKEN="web-token-1234567890")
    account = OneBotClient(bot.onebot_url, 10_064)
    room = Chat.group(account)
    await bot.start()
    async with account, httpx.AsyncClient(base_url=bot.url, trust_env=False) as stranger:
        ming = room.member("小明")
        await summon(room, ming, "记录日程：后天下午3点开会")
        told = await handed(room, account, ming, "导出日历")
        assert (await stranger.get("/api/health")).status_code == 401
        found = await stranger.get(address(told))
        assert found.status_code == 200
        assert [title for _, title in events(found.content)] == ["开会"]
        proxied = await stranger.get(address(told), headers={"X-Forwarded-For": "203.0.113.9"})
        assert proxied.status_code == 200, "the address is the key"
        assert (await stranger.get("/calendar/wrong.ics")).status_code == 404


@first(2)
@pytest.mark.parametrize(
    ("words", "notice", "sub_type"),
    [
        ("导出我的日历", "group_decrease", "leave"),
        ("订阅日历", "group_decrease", "kick"),
        ("日历链接发我一下", "group_decrease", "leave"),
        ("给我个群日历的订阅地址", "group_decrease", "kick"),
        ("那个日历链接再给我一份", "group_decrease", "kick_me"),
    ],
)
async def test_an_address_opens_nothing_once_its_member_is_out(
    room: Chat, api: Api, client: OneBotClient, words: str, notice: str, sub_type: str
) -> None:
    ming = room.member("小明")
    await summon(room, ming, "记录日程：后天下午3点开会")
    path = address(await handed(room, client, ming, words))
    assert (await api.http.get(path)).status_code == 200
    who = int(client.self_id) if sub_type == "kick_me" else ming.user_id
    await room.notice(notice, sub_type=sub_type, user_id=who, operator_id=9)

    async def opened() -> int:
        return (await api.http.get(path)).status_code

    await api.poll(opened, lambda seen: seen == 404, "it opens nothing")
    if sub_type == "kick_me":
        await room.notice("group_increase", sub_type="invite", user_id=who, operator_id=9)
