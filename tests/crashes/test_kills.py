"""`kill -9` at random points under load: nothing promised is lost, nobody is answered twice."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from e2e.harness import Api, BotProcess, OneBotClient
from e2e.harness.bot_process import API_KEY
from model_server import Answer, ModelServer, Request

from .load import Load, Summons
from .remains import Remains, look, story

pytestmark = pytest.mark.exhaustive

KILLS = int(os.environ.get("MISHU_TEST_KILLS", "2"))
SEED = int(os.environ.get("MISHU_TEST_SEED", "1"))
SOONEST, LATEST = 0.2, 3.0
"""Seconds of load before a kill."""
AWAKE = 30.0
"""Seconds at the most until a started bot has acknowledged a change; three kills of four come after that."""
HEARD = 4.0
"""A summons sent so many seconds before the kill is heard, and on disk as one; a later one may be lost.
A row is written half a second after it was heard, but a machine busy with other tests hears late.
So may one that was sent before the bot first spoke: right after its start it still imports what it needs."""
CATCH_UP = 20.0
"""Seconds within which a restarted bot claims some more of what it owes. Not all of it: a slow machine hears
hundreds of summonses before a kill, and a conversation answers one after another."""
CAUGHT_UP = 180.0
"""Seconds a restarted bot has for all it owes."""


async def test_kill_at_random_points_under_load(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    chance = random.Random(SEED)

    async def reply(_: Request) -> Answer:
        await asyncio.sleep(chance.uniform(0.0, 0.4))
        return "在的"

    async with ModelServer() as model:
        model.always("chat_reply", reply)
        settings = {
            "LOG_LEVEL": "WARNING",
            "MISHU__LLM__BASE_URL": model.url,
            "MISHU__LLM__API_KEY": API_KEY,
            "MISHU__LLM__MODEL": "test-model",
            "MISHU__QQ__SEND_GAP": 0,
        }
        bot = BotProcess(tmp_path, settings)
        account = OneBotClient(bot.onebot_url, 10_077)
        load = Load(account, SEED)
        cut_off: set[str] = set()
        lost: set[str] = set()
        try:
            for _ in range(KILLS):
                await bot.start()
                await _connected(bot, account)
                earlier, said_before = len(load.summons), len(account.sends)
                working = asyncio.create_task(load.run())
                if chance.random() < 0.75:
                    await _a_change_is_acknowledged(load)
                await asyncio.sleep(chance.uniform(SOONEST, LATEST))
                await bot.kill()
                at = time.monotonic()
                await asyncio.wait_for(working, 30)
                await account.disconnect()
                left = look(bot.database)
                _nothing_promised_is_lost(load, left)
                cut_off |= {message for message, sent in left.claimed.items() if sent is None}
                dropped = [one for one in load.summons[earlier:] if _is_lost(one, left)]
                awake = min((sent.action.at for sent in account.sends[said_before:]), default=at)
                ages = {one.said.id: round(at - one.at, 2) for one in dropped if awake < one.at < at - HEARD}
                assert not ages, f"lost, though sent so long before: {ages}, known: {left.known & set(ages)}"
                lost |= {one.said.id for one in dropped}
                await _owed_is_answered(bot, account, load, left)
            _nobody_is_answered_twice(load)
            assert load.acknowledged(), "nothing was promised: the kills say nothing about promises"
            unanswered = {one.said.id for one in load.summons} - set(look(bot.database).claimed) - lost
            assert not unanswered, f"nobody will ever answer: {story(bot.database, unanswered)}"
            for name, number in {
                "kills": KILLS,
                "summonses": len(load.summons),
                "quoted answers": sum(load.answered()[one.said.id] for one in load.summons),
                "changes acknowledged": load.acknowledged(),
                "claimed at a kill without a known reply": len(cut_off),
                "not on disk as a summons at the kill": len(lost),
            }.items():
                record_property(name, number)
                print(f"{name}: {number}")  # noqa: T201
        finally:
            await bot.close()


async def _a_change_is_acknowledged(load: Load) -> None:
    """A kill before says nothing about promises: on a slow machine a first answer alone takes seconds."""
    before = load.acknowledged()
    with suppress(TimeoutError):
        async with asyncio.timeout(AWAKE):
            while load.acknowledged() == before:  # noqa: ASYNC110 - what was sent is a list, not an event
                await asyncio.sleep(0.05)


async def _connected(bot: BotProcess, account: OneBotClient) -> None:
    await account.connect()
    api = Api(bot.url)
    try:
        await api.poll(api.health, lambda seen: account.self_id in map(str, seen["bots"]), "connected")
    finally:
        await api.close()


async def _owed_is_answered(bot: BotProcess, account: OneBotClient, load: Load, left: Remains) -> None:
    """Start again; what stands on disk as owed is claimed soon. What was answered is reported once more."""
    answered = load.answered()
    again = [one for one in load.summons[-40:] if answered[one.said.id] and one.said.id in left.known]
    await bot.start()
    await _connected(bot, account)
    for one in again[-5:]:
        await one.room.deliver(one.said)
    began = claimed_at = time.monotonic()
    owed = left.owed
    while still := left.owed - set(look(bot.database).claimed):
        now = time.monotonic()
        claimed_at = now if len(still) < len(owed) else claimed_at
        owed = still
        assert now < claimed_at + CATCH_UP, f"nothing owed is answered for {CATCH_UP:g} s: {sorted(owed)[:5]}"
        assert now < began + CAUGHT_UP, f"owed and not answered after {CAUGHT_UP:g} s: {sorted(owed)[:5]}"
        await asyncio.sleep(0.1)
    for room in {one.room.id: one.room for one in again[-5:]}.values():
        await room.sentinel()
    await account.disconnect()
    await bot.stop(within=60)
    _nobody_is_answered_twice(load)


def _nothing_promised_is_lost(load: Load, left: Remains) -> None:
    assert left.sound
    own = {one.said.id for one in load.summons}
    unclaimed = {message for message in load.answered() if message in own and message not in left.claimed}
    assert not unclaimed, "answered without a claim"
    for governed in load.governed:
        group = governed.room.id
        assert governed.words <= left.words.get(group, set())
        assert left.personas.get(group) in governed.persona.allowed
        assert left.echo.get(group) in governed.echo.allowed
        assert ("silent" if group in left.silent else None) in governed.silent.allowed


def _is_lost(one: Summons, left: Remains) -> bool:
    """Not on disk as a summons: it was on the wire, or in the half second in which rows wait."""
    return one.said.id not in left.marked and one.said.id not in left.claimed


def _nobody_is_answered_twice(load: Load) -> None:
    own = {one.said.id for one in load.summons}
    twice = {message: number for message, number in load.answered().items() if number > 1 and message in own}
    assert not twice
