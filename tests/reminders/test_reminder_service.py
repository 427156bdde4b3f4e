"""The service with a real database and a clock of the test's: every look is called for, nothing sleeps."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents import NotAnnounced
from nonebot_plugin_mishu.agents.api.quiet_times import is_unasked
from nonebot_plugin_mishu.clock import Clock
from nonebot_plugin_mishu.reminders import ReminderService, SchedulerAlarm
from nonebot_plugin_mishu.storage import Conversation, Storage, StorageError
from nonebot_plugin_mishu.storage.reminders.rows import HELD_BACK
from reminder_support import GROUP, keep, reminder, rows_of, states

OTHER = Conversation("10000", "group", "20001")


class Announcer:
    """A front desk that does as it is told."""

    def __init__(self, wall: list[float]) -> None:
        self.wall = wall
        self.said: list[tuple[str, str]] = []
        self.mentions: list[tuple[list[str], bool]] = []
        self.away = False
        self.silent: dict[Conversation, float] = {}
        self.off: set[str] = set()
        self.next: list[BaseException | str] = []
        """What happens to the next sends: an error is raised, `hang` says it and never returns."""

    async def announce(
        self, conversation, text, *, mentions=(), everybody=False, timeout=30.0, buttons=()
    ) -> str:
        then = self.next.pop(0) if self.next else "ok"
        if isinstance(then, BaseException):
            if isinstance(then, NotAnnounced) and then.perhaps and "arrived" in str(then):
                self.said.append((conversation.peer, text))
            raise then
        if then == "hang unsaid":
            await asyncio.Event().wait()
        self.said.append((conversation.peer, text))
        self.mentions.append((list(mentions), everybody))
        if then == "hang":
            await asyncio.Event().wait()
        return f"m{len(self.said)}"

    def silent_until(self, conversation: Conversation) -> float | None:
        return self.silent.get(conversation)

    def connected(self, conversation: Conversation) -> bool:
        return not self.away

    async def allows(self, conversation: Conversation, feature: str) -> bool:
        return feature not in self.off

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        return True


class Office:
    """A process: its service, its clock, its platform."""

    def __init__(self, storage: Storage, **options: Any) -> None:
        self.storage = storage
        self.wall = [900.0]
        self.announcer = Announcer(self.wall)
        self.reports: list[str] = []
        self.options = options
        self.restart()

    def restart(self) -> None:
        self.service = ReminderService(
            self.storage.reminders, self.announcer, lambda: self.wall[0], self.reports.append, **self.options
        )
        self.service._began = self.wall[0]
        self.first = True

    async def look(self, at: float | None = None) -> list[str]:
        """Look until nothing more can be said; what was said."""
        self.wall[0] = self.wall[0] if at is None else at
        before = len(self.announcer.said)
        while True:
            await self.service.send_due(first=self.first)
            self.first = False
            speaking = list(self.service._speaking.values())
            if not speaking:
                return [text for _, text in self.announcer.said[before:]]
            await asyncio.wait(speaking)
            await asyncio.sleep(0)

    async def look_and_die(self, at: float) -> None:
        """A send hangs; the process is killed."""
        self.wall[0] = at
        await self.service.send_due(first=self.first)
        async with asyncio.timeout(10):
            while self.announcer.next:  # noqa: ASYNC110 - until the send that hangs has been reached
                await asyncio.sleep(0.002)
        tasks = list(self.service._speaking.values())
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        self.restart()


@pytest.fixture
def office(storage: Storage) -> Office:
    return Office(storage)


async def test_in_the_order_they_are_due_and_not_before(office: Office):
    await keep(office.storage, *(reminder(due_at=at, text=f"{at:.0f}") for at in (1003.0, 1001.0, 1002.0)))
    assert await office.look(1000.0) == []
    assert await office.look(1002.0) == ["1001", "1002"]
    assert await office.look(1002.5) == []
    assert await office.look(1003.0) == ["1003"]
    assert await states(office.storage) == ["sent"] * 3
    assert office.announcer.mentions[0] == (["1"], False)


async def test_everybody_only_where_the_row_says_so(office: Office):
    await keep(office.storage, reminder(everybody=True, user_ids=[]))
    await office.look(1000.0)
    assert office.announcer.mentions == [([], True)]


async def test_pitfall_28_silence_beats_what_is_due(office: Office):
    await keep(office.storage, reminder(due_at=1000.0), reminder(due_at=1000.0, conversation=OTHER))
    office.announcer.silent[GROUP] = 1010.0
    assert await office.look(1000.0) == ["提醒：交周报"]
    assert await office.look(1009.0) == []
    assert await office.look(1012.0) == ["【迟到 12 秒】提醒：交周报"]


async def test_not_connected_waits_and_is_no_failure(office: Office):
    await keep(office.storage, reminder())
    office.announcer.away = True
    for at in range(1000, 1600, 60):
        assert await office.look(float(at)) == []
    office.announcer.away = False
    assert await office.look(1600.0) == ["【迟到 10 分钟】提醒：交周报"]
    assert [row.failures for row in await rows_of(office.storage)] == [0]


async def test_switched_off_it_waits(office: Office):
    await keep(office.storage, reminder())
    office.announcer.off.add("提醒")
    assert await office.look(1000.0) == []
    office.announcer.off.clear()
    assert await office.look(1005.0) == ["【迟到 5 秒】提醒：交周报"]


async def test_a_digest_is_made_when_it_is_due_and_has_its_own_switch(storage: Storage):
    async def compose(record, now) -> str | None:
        return f"今天 {now:.0f}" if now < 2000 else None

    office = Office(storage, compose={"digest": compose})
    daily = reminder(agent_code="digest", recurrence={"freq": "hourly", "interval": 1})
    await keep(storage, daily, reminder())
    office.announcer.off.add("提醒")
    assert await office.look(1000.0) == ["今天 1000"]
    assert await office.look(9000.0) == []
    assert await states(storage) == ["sent", "waiting", "sent", "waiting"]


async def test_after_a_start_what_was_due_before_is_late(office: Office):
    await keep(office.storage, reminder(due_at=899.0))
    assert await office.look(901.0) == ["【迟到 2 秒】提醒：交周报"]


@pytest.mark.exhaustive
async def test_ten_thousand_after_two_days_off_are_one_message(office: Office):
    two_days = 2 * 86400.0
    await keep(office.storage, *(reminder(item_id=n, text=f"第{n}件") for n in range(2000)))
    said = await office.look(1000.0 + two_days)
    assert len(said) == 1
    assert said[0].startswith("【迟到】有 2000 条提醒没能按时发出：\n1. ")
    assert said[0].endswith("\n……还有 1990 条。")
    assert set(await states(office.storage)) == {"sent"}
    assert await office.look() == []


async def test_many_at_the_same_moment_are_few_messages(office: Office):
    await keep(office.storage, *(reminder(item_id=n, text=f"第{n}件", user_ids=[str(n)]) for n in range(45)))
    said = await office.look(1000.0)
    assert [text.splitlines()[0] for text in said] == [
        "有 10 件事到时间了：",
        "有 10 件事到时间了：",
        "有 25 件事到时间了：",
    ]
    assert office.announcer.mentions[0] == ([str(n) for n in range(10)], False)


async def test_an_outage_of_what_recurs_is_one_late_line(office: Office):
    await keep(
        office.storage,
        reminder(due_at=1000.0, wall="1970-01-01 08:16", recurrence={"freq": "minutely", "interval": 10}),
    )
    assert await office.look(1000.0 + 3600) == ["【迟到 1 小时，其间还错过 6 次】提醒：交周报"]
    assert await states(office.storage) == ["sent", "waiting"]
    assert (await rows_of(office.storage))[1].due_at > 4600.0


async def test_pitfall_45_a_failed_send_is_tried_five_times_and_others_go_on(office: Office):
    await keep(office.storage, reminder(text="坏"), reminder(text="好", due_at=1001.0))
    office.announcer.next = [NotAnnounced("风控")]
    assert await office.look(1001.0) == []
    assert await office.look(1031.0) == ["【迟到 31 秒】坏", "【迟到 30 秒】好"]
    await keep(office.storage, reminder(text="总是坏", due_at=2000.0))
    tries, at = 0, 2000.0
    while at < 2000.0 + 86400:
        office.announcer.next = [NotAnnounced("风控")]
        await office.look(at)
        tries += not office.announcer.next
        office.announcer.next = []
        at += 30.0
        if (await states(office.storage))[-1] == "dropped":
            break
    assert tries == 5
    assert office.reports == ["有 1 条提醒多次发送失败，不再重试：风控"]


@pytest.mark.parametrize("arrived", [True, False])
async def test_pitfall_45_an_unclear_send_is_repeated_once_marked(office: Office, arrived: bool):
    await keep(office.storage, reminder())
    unclear = "arrived" if arrived else "lost"
    office.announcer.next = [NotAnnounced(unclear, perhaps=True), NotAnnounced(unclear, perhaps=True)]
    said = [*await office.look(1000.0), *await office.look(1029.0), *await office.look(1030.0)]
    assert said == (["提醒：交周报", "【补发】提醒：交周报"] if arrived else [])
    assert await office.look(5000.0) == []
    assert await states(office.storage) == ["sent"]


@pytest.mark.parametrize("point", ["hang", "hang unsaid"])
async def test_killed_between_claim_and_sent_it_comes_once_more_marked(office: Office, point: str):
    await keep(office.storage, reminder())
    office.announcer.next = [point]
    await office.look_and_die(1000.0)
    assert await states(office.storage) == ["claimed"]
    assert await office.look(1003.0) == ["【补发，迟到 3 秒】提醒：交周报"]
    assert await office.look(9000.0) == []
    assert len(office.announcer.said) == (2 if point == "hang" else 1)


async def test_a_silence_that_begins_while_it_waits_to_be_sent_is_no_failure(office: Office):
    await keep(office.storage, reminder())

    class Silenced(NotAnnounced):
        def __init__(self) -> None:
            super().__init__("安静中")
            office.announcer.silent[GROUP] = 1500.0

    async def announce(*args: Any, **options: Any) -> str:
        raise Silenced

    kept, office.announcer.announce = office.announcer.announce, announce
    assert await office.look(1000.0) == []
    office.announcer.announce = kept
    assert await office.look(1500.0) == ["【迟到 8 分钟】提醒：交周报"]
    assert [(row.failures, row.unclear) for row in await rows_of(office.storage)] == [(0, 0)]


async def test_what_became_of_it_is_written_though_the_database_was_away(office: Office, monkeypatch):
    await keep(office.storage, reminder())
    rows = office.storage.reminders.rows
    real, broken = rows.sent, [3]

    async def sent(*args: Any, **known: Any) -> None:
        if broken[0]:
            broken[0] -= 1
            raise StorageError("磁盘满了")
        await real(*args, **known)

    async def no_pause(seconds: float) -> None:
        return None

    monkeypatch.setattr(rows, "sent", sent)
    monkeypatch.setattr("nonebot_plugin_mishu.reminders.service.asyncio.sleep", no_pause)
    task = asyncio.ensure_future(office.look(1000.0))
    await asyncio.wait({task}, timeout=10)
    monkeypatch.undo()
    assert await task == ["提醒：交周报"]
    assert await states(office.storage) == ["sent"]


async def test_conversations_do_not_wait_for_one_another(office: Office):
    await keep(office.storage, reminder(due_at=999.0), reminder(due_at=1000.0, conversation=OTHER))
    office.announcer.next = ["hang"]
    office.wall[0] = 1000.0
    await office.service.send_due()
    async with asyncio.timeout(10):
        while len(office.announcer.said) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.002)
    assert {peer for peer, _ in office.announcer.said} == {"20000", "20001"}
    await office.look_and_die(1000.0)


class AwayClock(Clock):
    """A clock that stands somewhere else than the machine's."""

    def __init__(self, wall: list[float]) -> None:
        super().__init__(ZoneInfo("Asia/Shanghai"))
        self._wall = wall

    def wall(self) -> float:
        return self._wall[0]


class Scheduler:
    """Keeps what it was given."""

    def __init__(self) -> None:
        self.jobs: dict[str, dict[str, Any]] = {}

    def add_job(self, func: Any, trigger: str, **options: Any) -> None:
        self.jobs[options["id"]] = {"func": func, **options}

    def get_job(self, job_id: str) -> Any:
        return self.jobs.get(job_id)

    def remove_job(self, job_id: str) -> None:
        del self.jobs[job_id]


async def test_the_service_runs_by_itself_and_stops_clean(office: Office):
    scheduler = Scheduler()
    office.wall[0] = 1000.0
    await keep(office.storage, reminder(due_at=1000.0), reminder(due_at=1042.0, text="后来"))
    await office.service.start(SchedulerAlarm(scheduler, AwayClock(office.wall), office.service.wake))
    async with asyncio.timeout(10):
        while await states(office.storage) != ["sent", "waiting"]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        while "mishu-reminders" not in scheduler.jobs:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        job = scheduler.jobs["mishu-reminders"]
        ahead = job["run_date"].timestamp() - time.time()
        assert 30 < ahead <= 42.001, "42 seconds of a scheduler that knows the machine's clock alone"
        assert job["misfire_grace_time"] is None
        office.wall[0] = 1042.0
        await job["func"]()
        while len(office.announcer.said) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await keep(office.storage, reminder(due_at=1000.0, text="刚加的"))
        office.storage.reminders.changed()
        while len(office.announcer.said) < 3:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await office.service.idle()
    before = asyncio.all_tasks()
    await office.service.stop()
    assert not scheduler.jobs
    assert office.service._runner not in asyncio.all_tasks()
    assert len(asyncio.all_tasks()) < len(before)


async def test_pitfall_44_the_real_scheduler_wakes_us_after_a_blocked_loop(office: Office):
    """With the scheduler's default a job that is a second late is dropped."""
    from apscheduler.schedulers.asyncio import AsyncIOScheduler

    scheduler: Any = AsyncIOScheduler()
    scheduler.start()
    rung: list[float] = []
    clock = AwayClock([1000.0])
    alarm = SchedulerAlarm(scheduler, clock, lambda: rung.append(time.monotonic()))
    alarm.at(clock.wall() + 0.05)
    time.sleep(1.3)  # noqa: ASYNC251 - the loop is blocked, that is the point
    async with asyncio.timeout(5):
        while not rung:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    alarm.off()
    scheduler.shutdown(wait=False)


async def test_what_may_not_be_said_unasked_waits_for_somebody_to_speak_and_is_marked(office: Office):
    told = [f"第{number}件" for number in range(7)]
    await keep(office.storage, *(reminder(due_at=1000.0, text=text) for text in told))
    refusal = NotAnnounced("这里不允许主动消息", not_now=True)
    office.announcer.next = [refusal]
    assert await office.look(1001.0) == []
    assert await office.look(1002.0) == []
    assert [(row.failures, row.trouble) for row in await rows_of(office.storage)] == [
        (0, f"{HELD_BACK}这里不允许主动消息")
    ] * 7
    office.restart()
    office.announcer.next = [refusal]
    assert await office.look(1003.0) == []
    office.service.chance(GROUP)
    [said] = await office.look(1004.0)
    assert [said.count(text) for text in told] == [1] * 7
    assert said.count("补发") == 7
    assert await office.look(1005.0) == []


async def test_a_chance_that_comes_while_it_is_refused_is_taken(office: Office):
    await keep(office.storage, reminder(due_at=1000.0, text="交周报"))

    async def announce(*args: Any, **options: Any) -> str:
        office.service.chance(GROUP)
        office.announcer.announce = kept
        raise NotAnnounced("这里不允许主动消息", not_now=True)

    kept, office.announcer.announce = office.announcer.announce, announce
    assert await office.look(1001.0) == ["【补发，迟到 1 秒】交周报"]


async def test_a_place_where_nothing_was_refused_needs_no_chance(office: Office):
    await keep(office.storage, *(reminder(due_at=1000.0, text=f"{number}") for number in range(2)))
    office.service.chance(GROUP)
    assert await office.look(1000.0) == ["0", "1"]


async def test_in_quiet_hours_what_is_unasked_waits_and_what_has_a_clock_does_not(storage: Storage):
    async def waits(row: Any, now: float) -> float | None:
        return 5000.0 if now < 5000.0 and is_unasked(row) else None

    async def compose(row: Any, now: float) -> str:
        return f"{row.agent_code} {row.text}"

    office = Office(storage, waits=waits, compose={"digest": compose, "polls": compose, "nudges": compose})
    await keep(
        storage,
        reminder(text="提醒"),
        reminder(agent_code="digest", text="日报", recurrence={"freq": "daily", "interval": 1}),
        reminder(agent_code="polls", text="end"),
        reminder(agent_code="polls", text="call"),
        reminder(agent_code="nudges", text="催"),
    )
    assert sorted(await office.look(1000.0)) == ["polls end", "提醒"]
    office.restart()
    assert await office.look(4000.0) == []
    assert sorted(await office.look(5000.0)) == ["digest 日报", "nudges 催", "polls call"]
    assert [row.wall for row in await rows_of(storage) if row.state == "waiting"] == ["1970-01-02 08:16"]
