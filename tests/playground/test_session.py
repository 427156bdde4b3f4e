"""The playground's life: begins with the first page, ends after the last, leaves nothing behind."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from stand_ins import until

from bot.playground import session as module
from bot.playground.desk import Desk, DeskView, read_events
from bot.playground.group import SELF_ID
from bot.playground.onebot import Link
from bot.playground.panel import clock_of, numbers, remaining
from bot.playground.session import Session
from bot.playground.settings import Settings

NOWHERE = Settings("127.0.0.1", 1)


def a_session(linger: float = 0.02) -> Session:
    return Session(NOWHERE, linger=linger)


async def test_runs_from_the_first_page_to_some_time_after_the_last() -> None:
    before = asyncio.all_tasks()
    session = a_session()
    assert not session.running
    first, second = session.enter(lambda: None), session.enter(lambda: None)
    assert session.running
    first()
    first()
    await asyncio.sleep(0.05)
    assert session.running, "the other page is still open"
    second()
    await until(lambda: not session.running)
    await until(lambda: asyncio.all_tasks() <= before)


async def test_a_reload_does_not_end_it() -> None:
    session = a_session(linger=30)
    session.enter(lambda: None)()
    await asyncio.sleep(0)
    leave = session.enter(lambda: None)
    await asyncio.sleep(0.02)
    assert session.running
    leave()
    await session.close()


async def test_opens_again_after_it_ended() -> None:
    session = a_session(linger=0.001)
    session.enter(lambda: None)()
    await until(lambda: not session.running)
    leave = session.enter(lambda: None)
    assert session.running
    leave()
    await until(lambda: not session.running)


async def test_close_ends_everything_at_once() -> None:
    before = asyncio.all_tasks()
    session = a_session(linger=30)
    session.enter(lambda: None)
    await asyncio.sleep(0.02)
    await session.found_group("又一个群")
    await session.close()
    assert asyncio.all_tasks() <= before


async def test_says_so_when_the_bot_could_not_be_told() -> None:
    session = a_session()
    group = session.world.groups[10001]
    message = await session.say(group, next(iter(group.members)), [{"type": "text", "data": {"text": "喂"}}])
    assert not message.delivered


@pytest.fixture
def emitted(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def emit(_: Link, event: dict[str, Any]) -> bool:
        sent.append(event)
        return True

    monkeypatch.setattr(Link, "emit", emit)
    return sent


async def test_each_act_is_one_event(emitted: list[dict[str, Any]]) -> None:
    session = a_session()
    group = session.world.groups[10001]
    owner, _, member, *_ = group.members
    message = await session.say(group, member, [{"type": "text", "data": {"text": "喂"}}])
    await session.recall(message, owner)
    await session.poke(group, member)
    newcomer = await session.join(group, owner)
    await session.leave(group, newcomer)
    await session.mute_bot(group, owner, 60)
    await session.mute_bot(group, owner, 0)
    await session.promote_bot(group)
    await session.promote(group, member)
    await session.promote(group, member)
    await session.remove_bot(group, owner)
    assert group.bot_role == "member"
    await session.invite_bot(group, owner)
    await session.found_group("新群")
    told = [(event.get("notice_type") or event["post_type"], event.get("sub_type")) for event in emitted]
    assert told == [
        ("message", "normal"),
        ("group_recall", None),
        ("notify", "poke"),
        ("group_increase", "approve"),
        ("group_decrease", "leave"),
        ("group_ban", "ban"),
        ("group_ban", "lift_ban"),
        ("group_admin", "set"),
        ("group_admin", "set"),
        ("group_admin", "unset"),
        ("group_decrease", "kick_me"),
        ("group_increase", "invite"),
        ("group_increase", "invite"),
    ]
    assert message.delivered
    assert all(event["self_id"] == SELF_ID for event in emitted)


async def test_a_bot_that_is_not_in_the_group_hears_nothing(emitted: list[dict[str, Any]]) -> None:
    session = a_session()
    group = session.world.groups[10001]
    owner = next(iter(group.members))
    await session.remove_bot(group, owner)
    emitted.clear()
    message = await session.say(group, owner, [])
    await session.recall(message, owner)
    newcomer = await session.join(group, owner)
    await session.promote(group, newcomer)
    await session.poke(group, newcomer)
    await session.leave(group, newcomer)
    assert emitted == []
    assert message.delivered


async def lines(*given: str) -> Any:
    for line in given:
        yield line


async def test_events_are_read_whole_and_broken_ones_passed_over() -> None:
    told = 'event: presence\ndata: {"state": "absent"}\n\ndata: {\n\ndata: [1]\n\n'
    cut = 'event: draft\ndata: {"a":\ndata: 1}\n\nevent: cut\ndata: {"b": 1}'
    stream = lines(*f"retry: 2000\n\n: heartbeat\n\n{told}{cut}".split("\n"))
    assert [event async for event in read_events(stream)] == [
        ("presence", {"state": "absent"}),
        ("draft", {"a": 1}),
    ]


def test_a_decision_told_twice_stands_once_and_old_ones_go() -> None:
    view = DeskView()
    for number in range(80):
        view.decided({"id": str(number), "reason": "旧"})
    view.decided({"id": "79", "reason": "新"})
    assert len(view.decisions) == 50
    assert view.decisions[0] == {"id": "79", "reason": "新"}
    assert view.decisions[1]["id"] == "78"


async def test_a_desk_nobody_answers_says_so() -> None:
    told = asyncio.Event()
    desk = Desk("http://127.0.0.1:1", token=None, on_change=lambda _: told.set())
    watching = asyncio.create_task(desk.watch(10001))
    async with asyncio.timeout(10):
        await told.wait()
    assert desk.view(10001).trouble == "看不到前台：HTTP 接口没有回答"
    watching.cancel()
    await asyncio.wait({watching})


async def test_health_is_asked_again_after_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that just failed is shown as failing at once, not half a minute later."""
    deciding, asked = asyncio.Event(), 0

    async def stream() -> Any:
        await deciding.wait()
        yield b'event: decision\ndata: {"id": "1"}\n\n'
        await asyncio.Event().wait()

    def answer(request: httpx.Request) -> httpx.Response:
        nonlocal asked
        if request.url.path == "/api/health":
            asked += 1
            return httpx.Response(200, json={"llm": "down"})
        if request.url.path.endswith("/events"):
            return httpx.Response(200, content=stream())
        return httpx.Response(200, json=[])

    def client(_: Desk) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url="http://desk", transport=httpx.MockTransport(answer))

    monkeypatch.setattr(Desk, "_client", client)
    desk = Desk("http://desk", token=None, on_change=lambda _: None)
    tasks = {asyncio.create_task(desk.watch(10001)), asyncio.create_task(desk.check())}
    await until(lambda: asked == 1 and desk.health is not None)
    deciding.set()
    await until(lambda: asked == 2)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


def test_a_decisions_numbers_in_words() -> None:
    decision = {
        "timings": {"held": 0.04, "reply": 1.234, "odd": 2, "total": 0.01},
        "calls": ["chat_reply", "new"],
        "tokens": 9,
    }
    words = numbers(decision).replace("\u00a0", " ").split("\u2003 ")
    assert words == ["想怎么说 1.23 秒", "odd 2.00 秒", "一共 0.01 秒", "问模型 聊天、别的", "9 token"]
    assert numbers({}) == ""
    at = "2026-11-02T08:00:00.000+08:00"
    assert clock_of(at) == "08:00:00"
    assert remaining(at, 1_793_577_590.0) == "还有 10 秒"
    assert remaining(at, 1_793_577_000.0) == "还有 10 分钟"
    assert remaining(at, 1_793_577_601.0) is None
    assert remaining(None, 0) is remaining("soon", 0) is None


def test_authority_of_each_kind_of_host() -> None:
    assert Settings("127.0.0.1", 8080).authority == "127.0.0.1:8080"
    assert Settings("::1", 8080).authority == "[::1]:8080"
    assert module.LINGER > 0
