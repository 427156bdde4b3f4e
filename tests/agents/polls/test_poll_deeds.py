"""Polls beside the desk: everybody's answer ends one, calls are few and not at night, due rows tell once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio
from nonebot_plugin_mishu.agents import Asker, Mention
from nonebot_plugin_mishu.agents.api.quiet_times import QuietTimes
from nonebot_plugin_mishu.agents.polls import PollBoard, PollExecutor, PollNews, PollRefused
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.polls.records import PollFields, PollRecord, VoiceGiven
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.storage.reminders.records import POLL, ReminderRecord
from ready_database import ready_url

ZONE = ZoneInfo("Asia/Shanghai")
GROUP = Conversation("10000", "group", "20000")
MING, HONG = Asker("1", "小明"), Asker("2", "小红")
VOTE = PollFields("vote", "周六还是周日", ("周六", "周日"))


@dataclass
class Around:
    """Polls of one group with a known list of members, and a clock that is set."""

    storage: Storage
    now: float = datetime(2026, 11, 18, 10, tzinfo=ZONE).timestamp()
    people: list[Mention] = field(default_factory=list[Mention])

    def __post_init__(self) -> None:
        self.board = PollBoard(self.storage, lambda: self.now)
        quiet = QuietTimes(self.storage, ZONE)
        self.polls = PollExecutor(self.storage, self.board, ZONE, lambda: self.now, self.members, quiet)
        self.news = PollNews(self.storage, self.board)

    async def members(self, conversation: Conversation) -> Sequence[Mention]:
        return self.people

    async def answer(
        self, poll: PollRecord, user: str, choice: int | None = None, *, taken: bool = True
    ) -> PollRecord:
        name = f"成员{user}"
        voice = VoiceGiven(
            user, name, taken, choice, 1, user, name, "line", "", f"{user}:{self.now}", self.now
        )
        self.now += 1
        return (await self.polls.answer(poll.id, [voice]))[-1].poll

    async def due(self, poll: PollRecord) -> list[ReminderRecord]:
        return await self.storage.reminders.of_item(POLL, poll.id)


@pytest_asyncio.fixture(loop_scope="session")
async def around(tmp_path: Path) -> AsyncIterator[Around]:
    storage = await Storage.open(await ready_url(tmp_path), on_trouble=lambda sentence: None)
    yield Around(storage)
    await storage.close()


async def test_everybodys_answer_ends_a_vote_once_where_the_members_are_known(around: Around) -> None:
    poll = await around.polls.make(GROUP, MING, VOTE, "o")
    poll = await around.answer(poll, "1", 0)
    assert not await around.polls.all_answered(poll), "nobody is known"
    around.people = [Mention("1", "小明"), Mention("2", "小红"), Mention("10000", "秘书")]
    assert not await around.polls.all_answered(poll)
    assert [one.name for one in (await around.polls.missing(poll)).members] == ["小红"]
    poll = await around.answer(poll, "2", taken=False)
    assert await around.polls.all_answered(poll)
    assert (await around.polls.close_complete(poll)) is not None
    assert (await around.polls.close_complete(poll)) is None
    signup = await around.polls.make(GROUP, MING, PollFields("signup", "羽毛球"), "o2")
    for user in ("1", "2"):
        signup = await around.answer(signup, user)
    assert not await around.polls.all_answered(signup)


async def test_only_those_without_a_voice_are_called_twice_at_most_and_not_at_night(around: Around) -> None:
    around.people = [Mention(str(number), f"成员{number}") for number in range(1, 25)]
    poll = await around.polls.make(GROUP, MING, VOTE, "o")
    await around.answer(poll, "3", 0)
    with pytest.raises(PollRefused, match="只有发起人"):
        await around.polls.chase(HONG, poll.id)
    missing, first = await around.polls.chase(MING, poll.id)
    assert (len(missing.members), first) == (22, 1)  # without who calls
    rows = await around.due(poll)
    assert [len(row.user_ids) for row in rows] == [20, 2]
    assert "3" not in {user for row in rows for user in row.user_ids}
    text = await around.news.compose(rows[0], around.now)
    assert text is not None
    assert "还没回的" in text
    begun = around.now
    for hour, quiet in ((23, True), (3, True), (7, True), (8, False)):
        around.now = datetime(2026, 11, 19, hour, 30, tzinfo=ZONE).timestamp()
        if quiet:
            with pytest.raises(PollRefused, match="安静时段"):
                await around.polls.chase(MING, poll.id)
    assert around.now > begun
    assert (await around.polls.chase(MING, poll.id))[1] == 2
    with pytest.raises(PollRefused, match="已经催过 2 次"):
        await around.polls.chase(MING, poll.id)


async def test_of_an_anonymous_one_nobody_is_called_by_name(around: Around) -> None:
    around.people = [Mention("1", "小明"), Mention("2", "小红")]
    anonymous = PollFields("vote", "换不换", ("换", "不换"), anonymous=True)
    poll = await around.polls.make(GROUP, MING, anonymous, "o")
    await around.polls.chase(MING, poll.id)
    assert [row.user_ids for row in await around.due(poll)] == [()]
    poll = await around.answer(poll, "2", 0)
    closed = await around.polls.close(MING, poll.id)
    assert "成员2" not in str(
        await around.news.compose((await around.due(poll) or [_row(poll)])[0], around.now)
    )
    assert closed.status == "closed"


async def test_the_end_by_time_tells_the_result_and_again_after_a_kill(around: Around) -> None:
    ends = around.now + 3600
    poll = await around.polls.make(
        GROUP, MING, PollFields("vote", "周六还是周日", ("周六", "周日"), closes_at=ends), "o"
    )
    await around.answer(poll, "2", 1)
    (row,) = await around.due(poll)
    assert (row.text, row.due_at) == ("end", ends)
    assert await around.news.compose(row, ends - 1) is None
    told = [await around.news.compose(row, ends) for _ in range(2)]
    assert told[0] == told[1]
    assert "周日 最多，1 票。" in str(told[0])
    with pytest.raises(PollRefused, match="已经截止"):
        await around.answer(poll, "3", 0)
    assert [each.closed for each in around.board.of(GROUP)] == [True]
    assert around.board.strictly(GROUP) == ()


async def test_a_place_that_came_free_is_told_while_it_is_theirs(around: Around) -> None:
    poll = await around.polls.make(GROUP, MING, PollFields("signup", "羽毛球", places=1), "o")
    for user in ("1", "2"):
        await around.answer(poll, user)
    await around.answer(poll, "1", taken=False)
    (row,) = await around.due(poll)
    assert (row.text, row.user_ids) == ("in:2", ("2",))
    assert "成员2补上了" in str(await around.news.compose(row, around.now))
    await around.answer(poll, "2", taken=False)
    assert await around.news.compose(row, around.now) is None


def _row(poll: PollRecord) -> ReminderRecord:
    return ReminderRecord(
        0,
        poll.conversation,
        POLL,
        poll.id,
        (),
        False,
        "call",
        None,
        0.0,
        "",
        "",
        "UTC",
        None,
        None,
        0,
        "waiting",
    )
