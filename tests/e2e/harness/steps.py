"""Steps that many tests take: hold the model back, bring a group into a state."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

from model_server import Answer, Request

from .api import Api
from .room import WITHIN, Chat, Member, Said
from .sent import Sent


class Held:
    """A model's answer that comes when the test says so.

    As a script of the model server: `model.always("chat_reply", held := Held("好的"))`. Every request
    waits until `release`; after it they are answered at once.
    """

    def __init__(self, then: Answer = "好的") -> None:
        self.then = then
        self.asked: list[Request] = []
        self._entered = asyncio.Event()
        self._released = asyncio.Event()

    async def __call__(self, request: Request) -> Answer:
        self.asked.append(request)
        self._entered.set()
        await self._released.wait()
        return self.then

    async def entered(self) -> Request:
        """Wait until a request waits here; the first one."""
        async with asyncio.timeout(WITHIN):
            await self._entered.wait()
        return self.asked[0]

    def release(self) -> None:
        """Let the answers go."""
        self._released.set()


QUIET = {
    "should_reply": False,
    "is_questioned": False,
    "is_interesting": False,
    "reply_strategy": "",
    "topic": "",
    "reply_target": "",
    "plan": None,
}
"""An analysis that finds nothing to answer."""


def analysis(**changes: Any) -> dict[str, Any]:
    """An analysis that differs from `QUIET` in these."""
    return {**QUIET, **changes}


async def summon(room: Chat, who: Member, words: str) -> tuple[Said, Sent]:
    """Call the bot and take its answer."""
    said = await room.call(who, words)
    return said, await room.expect(quoting=said)


async def observing(room: Chat, api: Api, who: Member | None = None) -> Member:
    """Bring a group into 观测中 with its cooldown over; whoever called the bot."""
    who = who or room.member("开场人")
    await summon(room, who, "开场")
    await api.until_state(room, "observing")
    await cooled(room, api)
    return who


async def cooled(room: Chat, api: Api) -> None:
    """Wait until no cooldown runs."""
    await api.until(room, lambda seen: seconds_left(room, seen["cooldown_until"]) <= 0, "cooldown over")


def seconds_left(room: Chat, until: str | None) -> float:
    """Seconds until an instant as the API writes it, by the bot's clock; 0 where there is none."""
    if until is None:
        return 0.0
    instant = datetime.fromisoformat(until)
    assert instant.tzinfo is not None, f"an instant without an offset: {until}"
    return instant.timestamp() - room.now()
