"""Any order of reminders, looks, kills, silences, outages and clocks that are set: none lost, none spammed.

One database for all runs, emptied between them; the loop and the clock are the test's.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections import Counter
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from nonebot_plugin_mishu.agents import NotAnnounced
from nonebot_plugin_mishu.reminders.plan import FEW_OVERDUE, GATHER_AFTER, SINGLES
from nonebot_plugin_mishu.storage import Storage, default_url
from nonebot_plugin_mishu.storage.reminders.tables import reminder as table
from reminder_support import GROUP, keep, reminder, rows_of
from sqlalchemy import delete
from test_reminder_service import Office

T = TypeVar("T")
_NUMBER = re.compile(r"#(\d+)#")


class World:
    """The loop and the database all runs share."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.files = tempfile.TemporaryDirectory()
        opening = Storage.open(default_url(Path(self.files.name)), on_trouble=lambda sentence: None)
        self.storage = self.run(opening)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(asyncio.wait_for(work, 30))

    def close(self) -> None:
        self.run(self.storage.close())
        self.loop.close()
        self.files.cleanup()


WORLD: list[World] = []


@pytest.fixture(autouse=True, scope="module")
def world() -> Iterator[None]:
    WORLD.append(World())
    yield
    WORLD.pop().close()


class Machine(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.world = WORLD[0]

        async def empty(connection: Any) -> None:
            await connection.execute(delete(table))

        self.world.run(self.world.storage._writer.run(empty))
        self.office = Office(self.world.storage)
        self.office.wall[0] = 100_000.0
        self.office.restart()
        self.due: dict[int, float] = {}
        self.unclear: Counter[int] = Counter()
        """How often nobody could know whether a reminder was said: kills and lost answers."""

    @property
    def now(self) -> float:
        return self.office.wall[0]

    @rule(in_seconds=st.sampled_from([-5.0, 0.0, 1.0, 20.0, 600.0]), many=st.sampled_from([1, 1, 1, 7]))
    def put(self, in_seconds: float, many: int) -> None:
        numbers = [len(self.due) + n for n in range(many)]
        for number in numbers:
            self.due[number] = self.now + in_seconds
        new = [
            reminder(item_id=number, text=f"#{number}#", due_at=self.due[number], user_ids=[str(number)])
            for number in numbers
        ]
        self.world.run(keep(self.world.storage, *new))

    @rule(seconds=st.sampled_from([1.0, 31.0, 130.0, 2000.0]))
    def time_passes(self, seconds: float) -> None:
        self.office.wall[0] += seconds

    @rule(seconds=st.sampled_from([-86400.0, -3600.0, -40.0, 40.0, 3600.0]))
    def clock_is_set(self, seconds: float) -> None:
        self.office.wall[0] += seconds

    @rule()
    def look(self) -> None:
        self.world.run(self.office.look())

    @rule(seconds=st.sampled_from([5.0, 600.0]))
    def silence(self, seconds: float) -> None:
        self.office.announcer.silent[GROUP] = self.now + seconds

    @rule(away=st.booleans())
    def connection(self, away: bool) -> None:
        self.office.announcer.away = away

    def _something_to_say(self) -> None:
        """We may speak, and something is due."""
        self.office.announcer.away = False
        self.office.announcer.silent.clear()
        self.office.service._paused.clear()
        if not self._ripe():
            self.put(0.0, 1)

    def _ripe(self) -> list[Any]:
        rows = self.world.run(rows_of(self.world.storage))
        return [
            row
            for row in rows
            if row.state == "waiting"
            and row.due_at <= self.now
            and not self.now < row.not_before <= self.now + 7200
        ]

    @rule(point=st.sampled_from(["hang", "hang unsaid"]))
    def killed_while_sending(self, point: str) -> None:
        self._something_to_say()
        self.office.announcer.next = [point]
        self.world.run(self.office.look_and_die(self.now))
        rows = self.world.run(rows_of(self.world.storage))
        self.unclear.update(row.item_id for row in rows if row.state == "claimed")

    @rule(arrived=st.booleans())
    def answer_lost(self, arrived: bool) -> None:
        self._something_to_say()
        before = {row.item_id: row.unclear for row in self.world.run(rows_of(self.world.storage))}
        said = "arrived" if arrived else "lost"
        self.office.announcer.next = [NotAnnounced(said, perhaps=True)]
        self.world.run(self.office.look())
        self.office.announcer.next = []
        for row in self.world.run(rows_of(self.world.storage)):
            self.unclear[row.item_id] += row.unclear - before[row.item_id]

    @rule()
    def send_refused(self) -> None:
        self._something_to_say()
        if any(row.failures >= 3 for row in self._ripe()):
            return  # Given up after five is another test's business.
        self.office.announcer.next = [NotAnnounced("风控")]
        self.world.run(self.office.look())
        self.office.announcer.next = []

    @rule()
    def restarted(self) -> None:
        self.office.restart()

    def _said(self) -> Counter[int]:
        texts = [text for _, text in self.office.announcer.said]
        return Counter(int(number) for text in texts for number in _NUMBER.findall(text))

    @invariant()
    def never_more_than_once_and_once_marked(self) -> None:
        if not hasattr(self, "office"):
            return
        for number, times in self._said().items():
            assert times <= 1 + min(1, self.unclear[number]), (number, self.office.announcer.said)

    @invariant()
    def a_second_time_is_marked(self) -> None:
        if not hasattr(self, "office"):
            return
        seen: set[str] = set()
        for _, text in self.office.announcer.said:
            for line in text.splitlines():
                for number in _NUMBER.findall(line):
                    assert number not in seen or "补发" in line
                    seen.add(number)

    def teardown(self) -> None:
        """Everything calms down: whatever was not said yet comes now, in order."""
        if not hasattr(self, "office"):
            return
        announcer = self.office.announcer
        announcer.away, announcer.next = False, []
        announcer.silent.clear()
        self.office.wall[0] = max([self.now, *self.due.values()]) + 10_000
        self.world.run(self.office.look())
        assert {row.state for row in self.world.run(rows_of(self.world.storage))} <= {"sent"}
        lost = {
            number for number in self.due if not self._said()[number] and self.unclear[number] < 2
        } - self._counted_only()
        assert not lost, (lost, announcer.said)

    def _counted_only(self) -> set[int]:
        """What a message that gathered many did not list, but counted."""
        counted = any("……还有" in text for _, text in self.office.announcer.said)
        return set(self.due) if counted and len(self.due) > 10 else set()


TestReminders = Machine.TestCase
TestReminders.settings = settings(
    max_examples=15,
    stateful_step_count=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def test_the_limits_this_machine_counts_on():
    assert (SINGLES, FEW_OVERDUE, GATHER_AFTER) == (5, 2, 1800.0)
