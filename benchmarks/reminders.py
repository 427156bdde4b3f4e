"""10,000 reminders due in one minute: how long until all are said and written down, and how late they are."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nonebot

from .measurement import Measurement

if TYPE_CHECKING:
    from nonebot_plugin_mishu.agents.api.ports import Handed

REMINDERS = 10_000
GROUPS = 2_000
GOAL_SECONDS = 15.0


def run() -> Iterable[Measurement]:
    """Seconds for all of them over many groups, per second, and messages where one group has them all."""
    nonebot.init(driver="~none", log_level="ERROR")
    nonebot.load_plugin("nonebot_plugin_mishu")
    spread, said = asyncio.run(_send(GROUPS))
    yield Measurement(
        f"{REMINDERS} reminders of {GROUPS} groups due in one minute, all sent",
        round(spread, 2),
        "s",
        goal=f"≤ {GOAL_SECONDS:.0f} s",
        met=spread <= GOAL_SECONDS,
    )
    yield Measurement("reminders a second", round(REMINDERS / spread, 1), "1/s")
    together, messages = asyncio.run(_send(1))
    yield Measurement(f"{REMINDERS} reminders of one group, all sent", round(together, 2), "s")
    yield Measurement(
        "messages they are said in", messages, "messages", against=f"{said} over {GROUPS} groups",
        goal="≤ 3", met=messages <= 3,
    )  # fmt: skip


class _Voice:
    """A platform that takes a message at once."""

    def __init__(self) -> None:
        self.said = 0

    async def announce(
        self,
        conversation: Any,
        text: str,
        *,
        mentions: Sequence[str] = (),
        everybody: bool = False,
        timeout: float = 30.0,
        buttons: Sequence[tuple[str, str]] = (),
    ) -> str:
        self.said += 1
        return str(self.said)

    async def give_file(self, conversation: Any, name: str, content: bytes) -> bool:
        return True

    async def hand_over(
        self,
        conversation: Any,
        user_id: str,
        told: Callable[[bool], str],
        file: tuple[str, bytes] | None = None,
    ) -> Handed:
        raise NotImplementedError("nothing here is anybody's alone")

    def publishes_as(self, conversation: Any) -> str | None:
        return None

    async def publish(self, conversation: Any, text: str) -> None:
        raise NotImplementedError("nothing here is an announcement")

    def silent_until(self, conversation: Any) -> float | None:
        return None

    def connected(self, conversation: Any) -> bool:
        return True

    async def allows(self, conversation: Any, feature: str) -> bool:
        return True


async def _send(groups: int) -> tuple[float, int]:
    from nonebot_plugin_mishu.reminders import ReminderService
    from nonebot_plugin_mishu.storage import Conversation, Storage, default_url
    from nonebot_plugin_mishu.storage.reminders.queries import NewReminder, put

    with tempfile.TemporaryDirectory() as files:
        storage = await Storage.open(default_url(Path(files)), on_trouble=print)
        now = time.time()
        for start in range(0, REMINDERS, 50):

            async def insert_reminders(connection: Any, start: int = start) -> None:
                for number in range(start, start + 50):
                    where = Conversation("10000", "group", str(number % groups))
                    due = now - 60 * (number / REMINDERS)
                    new = NewReminder(
                        where,
                        "tasks",
                        number,
                        ["1"],
                        "提醒：交周报",
                        due,
                        "2026-11-23 09:00",
                        "Asia/Shanghai",
                    )
                    await put(connection, new)

            await storage.reminders.write(insert_reminders)
        voice = _Voice()
        service = ReminderService(storage.reminders, voice, time.time, print)
        began = time.perf_counter()
        await service.start()
        while service.busy or await storage.reminders.rows.backlog(now):  # noqa: ASYNC110
            await asyncio.sleep(0.2)
        seconds = time.perf_counter() - began
        await service.stop()
        await storage.close()
        return seconds, voice.said
