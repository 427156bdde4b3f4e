"""Nudges on disk: what is open between two members, few a day, not in quiet hours, never of what is done."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio
from nonebot_plugin_mishu.agents import Asker, Mention
from nonebot_plugin_mishu.agents.api.quiet_times import QuietTimes
from nonebot_plugin_mishu.agents.nudges import NudgeExecutor, NudgeNews, NudgeRefused
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.quiet.records import QuietHours
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.storage.reminders.records import ReminderRecord
from nonebot_plugin_mishu.storage.tasks.records import TaskChanges, TaskDraft, TaskRecord
from nonebot_plugin_mishu.storage.transactions.queries import NewTransactions, TransactionChanges
from ready_database import ready_url

ZONE = ZoneInfo("Asia/Shanghai")
GROUP = Conversation("10000", "group", "20000")
PRIVATE = Conversation("10000", "private", "1")
MO, KAI, YA = Asker("1", "陈默"), Mention("2", "阿凯"), Mention("3", "小雅")
DAILY = {"freq": "daily", "interval": 1, "count": 8}


@dataclass
class Around:
    """Nudges of one group and a clock that is set."""

    storage: Storage
    now: float = datetime(2026, 11, 18, 10, tzinfo=ZONE).timestamp()

    def __post_init__(self) -> None:
        self.nudges = NudgeExecutor(self.storage, QuietTimes(self.storage, ZONE), ZONE, lambda: self.now)
        self.news = NudgeNews(self.storage)
        self.origins = iter(range(100))

    async def nudge(self, what: str = "", member: Mention = KAI, **more: Any) -> str:
        origin = more.pop("origin", f"o{next(self.origins)}")
        asker = more.pop("asker", MO)
        return (await self.nudges.nudge(GROUP, asker, member, what, origin=origin, **more)).text

    async def rows(self, member: Mention = KAI) -> list[ReminderRecord]:
        return [row for row, _ in await self.storage.reminders.nudges_to(GROUP, member.user_id)]

    async def task(self, title: str, *, where: Conversation = GROUP, creator: str = "1") -> int:
        fields = TaskChanges(title, "2026-11-20", ZONE.key)
        made = await self.storage.tasks.create(
            TaskDraft(where, "2", "阿凯", creator, fields, title),
            summary="",
            at=self.now,
            remind=lambda _: None,
            objects=lambda _: None,
        )
        assert isinstance(made, TaskRecord)
        return made.id


@pytest_asyncio.fixture(loop_scope="session")
async def around(tmp_path: Path) -> AsyncIterator[Around]:
    storage = await Storage.open(await ready_url(tmp_path), on_trouble=lambda sentence: None)
    yield Around(storage)
    await storage.close()


async def test_the_sentence_is_the_askers_and_tells_what_is_open_between_the_two(around: Around) -> None:
    await around.task("交方案")
    await around.task("体检", where=PRIVATE)
    await around.task("买花", creator="3")
    assert await around.nudge("方案") == "陈默想问问：「交方案」怎么样了？（定的是11月20日（周五））"
    assert await around.nudge() == "陈默想问问：「交方案」怎么样了？（定的是11月20日（周五））"
    free = await around.nudge("把表发我", YA)
    assert free == "陈默想问问：「把表发给陈默」怎么样了？方便的时候回一声。"
    assert await around.nudge("", YA) == free, "再催一下小雅 is about what they were nudged about last"
    with pytest.raises(NudgeRefused, match="没有记着没办完的事"):
        await around.nudge("", Mention("4", "老周"))


async def test_money_is_what_the_books_of_the_group_say_of_the_two(around: Around) -> None:
    shares = [["1", "陈默", 10000], ["2", "阿凯", 10000], ["3", "小雅", 10000]]
    fields = TransactionChanges("expense", 30000, "餐饮", "聚餐", "2026-11-17", True, shares)
    new = NewTransactions(GROUP, "1", "陈默", "b1", 1, [(0, fields)], "")
    await around.storage.transactions.commit(new, around.now)
    assert await around.nudge("还钱", money=True) == (
        "陈默想问问：一起花的账里还有 100 元没给TA，方便的时候转一下吧。"
    )
    assert "100" not in await around.nudge("还钱", YA, money=True, rule=DAILY)
    with pytest.raises(NudgeRefused, match="倒是你还该给陈默100元"):
        await around.nudge("还钱", Mention("1", "陈默"), money=True, asker=Asker("3", "小雅"))
    with pytest.raises(NudgeRefused, match="没有欠你的钱"):  # nothing between the two
        await around.nudge("还钱", money=True, asker=Asker("3", "小雅"))


async def test_a_debt_that_is_even_by_then_is_not_chased(around: Around) -> None:
    owed = TransactionChanges(
        "expense", 20000, "餐饮", "聚餐", "2026-11-17", True, [["1", "陈默", 10000], ["2", "阿凯", 10000]]
    )
    await around.storage.transactions.commit(
        NewTransactions(GROUP, "1", "陈默", "b1", 1, [(0, owed)], ""), around.now
    )
    await around.nudge("还钱", money=True, rule=DAILY)
    [row] = await around.rows()
    news = NudgeNews(around.storage)
    assert await news.compose(row, around.now) == row.text
    back = TransactionChanges(
        "TRANSFER", 10000, "转账", "阿凯还陈默", "2026-11-18", True, [["2", "阿凯", 0], ["1", "陈默", 10000]]
    )
    await around.storage.transactions.commit(
        NewTransactions(GROUP, "2", "阿凯", "b2", 1, [(0, back)], ""), around.now
    )
    assert await news.compose(row, around.now) is None


async def test_twice_a_day_by_one_and_the_same_line_again_is_one(around: Around) -> None:
    for _ in range(2):
        await around.nudge("交表", origin="same")
    assert len(await around.rows()) == 1
    await around.nudge("交表")
    with pytest.raises(NudgeRefused, match="2 次"):
        await around.nudge("交表")
    await around.nudge("交表", asker=Asker("3", "小雅"))
    around.now += 86400
    await around.nudge("交表")


@pytest.mark.parametrize(
    ("member", "why"), [(Mention("10000", "秘书"), "不用催"), (Mention("1", "陈默"), "自己的事")]
)
async def test_neither_the_bot_nor_oneself(around: Around, member: Mention, why: str) -> None:
    with pytest.raises(NudgeRefused, match=why):
        await around.nudge("交表", member)
    with pytest.raises(NudgeRefused, match="在群里"):
        await around.nudges.nudge(PRIVATE, MO, KAI, "交表", origin="p")


async def test_quiet_hours_of_member_group_and_the_usual_ones_are_waited_for(around: Around) -> None:
    quiet = around.storage.member_quiet
    await quiet.set_member(PRIVATE, "2", QuietHours.kept("09:00-14:30"))
    done = await around.nudges.nudge(GROUP, MO, KAI, "交表", origin="a")
    assert datetime.fromtimestamp(done.at, ZONE) == datetime(2026, 11, 18, 14, 30, tzinfo=ZONE)
    await quiet.set_member(GROUP, "2", None)
    around.now = datetime(2026, 11, 18, 23, 30, tzinfo=ZONE).timestamp()
    done = await around.nudges.nudge(GROUP, MO, KAI, "交表", origin="b")
    assert datetime.fromtimestamp(done.at, ZONE) == datetime(2026, 11, 19, 8, tzinfo=ZONE)
    await around.storage.settings.set_times(GROUP, quiet_hours="13:00-14:00")
    done = await around.nudges.nudge(GROUP, MO, KAI, "交表", origin="c")
    assert (done.at, done.hours) == (around.now, None)


async def test_what_is_done_is_not_said_and_again_ends(around: Around) -> None:
    task_id = await around.task("交方案")
    await around.nudge("方案", rule=DAILY)
    (row,) = await around.rows()
    assert row.recurrence == DAILY
    assert await around.news.compose(row, around.now) == row.text
    await around.storage.tasks.change(
        task_id, conversation=GROUP, user_id="2", summary="", at=around.now, status="completed"
    )
    assert await around.news.compose(row, around.now) is None
    assert not await around.nudges.stop(GROUP, Asker("3", "小雅"), KAI)
    assert await around.nudges.stop(GROUP, MO, KAI)
    assert await around.rows() == []


async def test_more_often_than_daily_is_daily(around: Around) -> None:
    every = {"freq": "minutely", "interval": 30, "count": 8}
    done = await around.nudges.nudge(GROUP, MO, KAI, "交表", origin="o", rule=every)
    assert (done.slower, done.rule) == (True, DAILY)


async def test_the_speakers_own_nudges_and_those_they_ordered_stop(around: Around) -> None:
    await around.nudge("交表", KAI, at=around.now + 3600)
    await around.nudge("交表", YA, at=around.now + 3600)
    assert await around.nudges.last(GROUP, MO) == YA.user_id
    assert [row.user_ids for row in await around.nudges.waiting(GROUP, MO)] == [("2",), ("3",)]
    assert await around.nudges.stop_of(GROUP, Asker("2", "阿凯"), ordered=False) == ["2"]
    assert await around.nudges.stop_of(GROUP, Asker("2", "阿凯"), ordered=True) == []
    assert await around.nudges.stop_of(GROUP, MO, ordered=False) == []
    assert await around.nudges.stop_of(GROUP, MO, ordered=True) == ["3"]
