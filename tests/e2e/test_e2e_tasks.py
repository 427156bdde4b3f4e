"""Tasks without a model, over the wire: seed 1's rules of time as dialogues at a time of our choosing.

The bot's clock stands where a test puts it, and messages carry that time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from default_run import first

from .harness import Api, BotProcess, Chat, Member, Said, instant
from .harness.segments import Segment

OFFLINE = True
SHANGHAI = ZoneInfo("Asia/Shanghai")
TODAY = "2027-02-05"  # a Friday
CLOCK = f"{TODAY}T10:00"
TOMORROW = "2027-02-06"
FIELDS = {
    *("id", "title", "dueDate", "startTime", "endTime", "timeSegment", "remindAt", "priority", "status"),
    *("description", "groupId", "owner", "creator"),
}


@dataclass
class Talk:
    """What members say in one group to a bot whose clock is set, and what it answers."""

    room: Chat
    bot: BotProcess
    api: Api
    zone: ZoneInfo = SHANGHAI

    def at(self, when: str, seconds: float = 0.0) -> None:
        """Put the clock of the bot, and of the messages, to a wall time of its zone."""
        self.bot.clock.set(instant(when, self.zone) + seconds)

    async def order(self, who: Member, *words: Segment | str) -> str:
        """Call the bot; what it answers."""
        said = await self.room.call(who, *words)
        return (await self.room.expect(quoting=said)).text.strip()

    async def answer(self, who: Member, *words: Segment | str) -> str:
        """Say something without calling the bot; what it answers."""
        said = await self.say(who, *words)
        return (await self.room.expect(quoting=said)).text.strip()

    async def say(self, who: Member, *words: Segment | str) -> Said:
        """Say something without calling the bot."""
        return await self.room.say(who, *words)

    async def tasks(self, who: Member, **query: Any) -> list[dict[str, Any]]:
        """The member's tasks of this group, over HTTP."""
        return await self.api.get(
            f"/api/users/{who.user_id}/tasks",
            **{"self_id": self.room.client.self_id, "group_id": self.room.id, **query},
        )

    async def only(self, who: Member) -> dict[str, Any]:
        """The member's only task of this group."""
        found = await self.tasks(who)
        assert len(found) == 1, found
        return found[0]

    async def settle(self) -> None:
        """Wait until everything said is done with."""
        await self.api.settle(self.room)


@pytest.fixture
def talk(room: Chat, bot: BotProcess, api: Api) -> Iterator[Talk]:
    """A talk on a Friday at 10:00."""
    one = Talk(room, bot, api)
    one.at(f"{TODAY}T10:00")
    yield one
    bot.clock.reset()


def when(task: dict[str, Any]) -> tuple[Any, ...]:
    """Day, start, end and segment."""
    return task["dueDate"], task["startTime"], task["endTime"], task["timeSegment"]


# -- created without a question --------------------------------------------------------------------------

CREATED = [
    ("10:00", "今天下午去买东西", "去买东西", (TODAY, None, None, "afternoon"), "2月5日（周五）下午"),
    (
        "10:00",
        "明天下午4点到5点去买东西",
        "去买东西",
        (TOMORROW, "16:00", "17:00", None),
        "（周六）16:00–17:00",
    ),
    ("10:00", "提醒我明天交作业", "交作业", (TOMORROW, None, None, "forenoon"), "09:00提醒"),
    ("10:00", "创建任务：明天早上背单词", "背单词", (TOMORROW, None, None, "morning"), "（周六）早上"),
    ("10:00", "添加任务 明天上午洗车", "洗车", (TOMORROW, None, None, "forenoon"), "（周六）上午"),
    ("10:00", "新建任务 明天中午取快递", "取快递", (TOMORROW, None, None, "noon"), "（周六）中午"),
    ("10:00", "我明天晚上要写报告，帮我记个任务", "写报告", (TOMORROW, None, None, "evening"), "晚上"),
    ("10:00", "明天下午写报告，帮我记一下", "写报告", (TOMORROW, None, None, "afternoon"), "下午"),
    ("10:00", "明天要去银行办卡，记个任务", "去银行办卡", (TOMORROW, None, None, "all_day"), "周六"),
    ("10:00", "新建任务「写周报」，明天下午", "写周报", (TOMORROW, None, None, "afternoon"), "下午"),
    ("10:00", "创建任务，标题是写周报，时间明天下午", "写周报", (TOMORROW, None, None, "afternoon"), "下午"),
    ("10:00", "创建任务：明天凌晨看比赛直播", None, (TOMORROW, None, None, "early_morning"), "凌晨"),
    ("10:00", "创建任务：明天全天整理房间", "整理房间", (TOMORROW, None, None, "all_day"), "全天"),
    ("10:00", "创建任务 买牛奶", "买牛奶", (TODAY, None, None, "all_day"), "2月5日（周五）"),
    ("20:30", "创建任务 买牛奶", "买牛奶", (TODAY, None, None, "evening"), "晚上"),
    ("10:00", "创建任务：下午寄快递", "寄快递", (TODAY, None, None, "afternoon"), "下午"),
    ("10:00", "创建任务：下周三下午去体检中心拿报告", None, ("2027-02-10", None, None, "afternoon"), "周三"),
    (
        "10:00",
        "创建任务：3月1号上午九点半到十一点看牙",
        "看牙",
        ("2027-03-01", "09:30", "11:00", None),
        "周一",
    ),
    (
        "10:00",
        "创建任务：今晚11点到明天凌晨1点写代码",
        "写代码",
        (TODAY, "23:00", "01:00", None),
        "次日01:00",
    ),
]


@first(6)
@pytest.mark.parametrize(("clock", "words", "title", "expected", "shown"), CREATED, ids=lambda v: str(v)[:24])
async def test_a_clear_order_is_done_at_once(
    talk: Talk, clock: str, words: str, title: str | None, expected: tuple[Any, ...], shown: str
) -> None:
    ming = talk.room.member("小明")
    talk.at(f"{TODAY}T{clock}")
    told = await talk.order(ming, words)
    task = await talk.only(ming)
    assert when(task) == expected, told
    assert title is None or task["title"] == title
    assert told.startswith(("好，", "记下了："))
    assert shown in told
    assert set(task) == FIELDS
    assert task["status"] == "pending"
    assert task["owner"] == task["creator"] == str(ming.user_id)
    assert task["groupId"] == talk.room.id
    assert (task["startTime"] is None) or task["timeSegment"] is None


# -- asked first -----------------------------------------------------------------------------------------

ASKED = [
    ("10:00", "明天下午4点去买东西", "请问结束时间是几点", "五点半", (TOMORROW, "16:00", "17:30", None)),
    ("10:00", "明天下午4点去买东西", "请问结束时间是几点", "半小时", (TOMORROW, "16:00", "16:30", None)),
    ("10:00", "明天下午4点去买东西", "请问结束时间是几点", "不知道", (TOMORROW, None, None, "afternoon")),
    ("10:00", "明天下午4点去买东西", "请问结束时间是几点", "晚上吧", (TOMORROW, None, None, "evening")),
    ("10:00", "明天下午4点去买东西", "请问结束时间是几点", "5点到6点", (TOMORROW, "17:00", "18:00", None)),
    ("15:00", "今天早上去买菜", "已经过了", "好的", (TOMORROW, None, None, "morning")),
    ("15:00", "今天早上去买菜", "已经过了", "那就下午吧", (TODAY, None, None, "afternoon")),
    ("15:00", "今天上午9点到10点去买菜", "已经过了", "好的", (TOMORROW, "09:00", "10:00", None)),
    ("15:00", "早上8点到9点去买菜", "已经过了", "好的", (TOMORROW, "08:00", "09:00", None)),
    ("19:00", "创建任务：今天全天打扫", "放今天晚上可以吗", "可以", (TODAY, None, None, "evening")),
    ("19:00", "创建任务：今天下午打扫", "放今天晚上可以吗", "明天下午", (TOMORROW, None, None, "afternoon")),
    ("10:00", "创建任务：2月30号交房租", "2月", "3月2号", ("2027-03-02", None, None, "all_day")),
    ("10:00", "提醒我交房租", "什么时候提醒你", "明天上午九点", (TOMORROW, None, None, "forenoon")),
]


@first(4)
@pytest.mark.parametrize(("clock", "words", "asked", "answer", "expected"), ASKED, ids=lambda v: str(v)[:20])
async def test_what_is_open_is_asked_and_the_answer_completes_it(
    talk: Talk, clock: str, words: str, asked: str, answer: str, expected: tuple[Any, ...]
) -> None:
    ming, hong = talk.room.members("小明", "小红")
    talk.at(f"{TODAY}T{clock}")
    assert asked in await talk.order(ming, words)
    assert await talk.tasks(ming) == [], "nothing may be written before the answer"
    for line in ("好的", answer):
        await talk.say(hong, line)
    await talk.settle()
    assert await talk.tasks(ming) == [], "another member's words are no answer"
    assert await talk.tasks(hong) == []
    told = await talk.answer(ming, answer)
    assert told.startswith(("好，", "记下了："))
    assert when(await talk.only(ming)) == expected, told


async def test_a_question_can_be_called_off_and_unrelated_talk_does_not_answer_it(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "明天下午4点去买东西")
    await talk.say(ming, "刚才那部电影真好看啊")
    await talk.settle()
    talk.room.nothing_else()
    await talk.answer(ming, "算了")
    await talk.say(ming, "五点半")
    await talk.settle()
    assert await talk.tasks(ming) == []


UNANSWERED = [
    ("明天下午三点写月报", "写月报", f"{TOMORROW}T15:00"),
    ("后天上午九点备课", "备课", "2027-02-07T09:00"),
    ("明晚八点值班", "值班", f"{TOMORROW}T20:00"),
    ("周日下午一点打扫卫生", "打扫卫生", "2027-02-07T13:00"),
    ("下周一上午十点核对名单", "核对名单", "2027-02-08T10:00"),
]


@first(1)
@pytest.mark.parametrize(("words", "title", "begins"), UNANSWERED, ids=lambda each: str(each)[:12])
async def test_an_end_that_nobody_tells_is_over_after_two_minutes(
    talk: Talk, words: str, title: str, begins: str
) -> None:
    ming, hong = talk.room.members("小明", "小红")
    assert "请问结束时间是几点" in await talk.order(ming, words)
    other = Talk(talk.room.client.room(), talk.bot, talk.api)
    talk.at(f"{TODAY}T10:01", 30)
    await other.order(hong, "明天下午4点去买东西")  # whatever is asked has the others' time looked at
    await talk.settle()
    assert await talk.tasks(ming) == [], "it waits"
    talk.at(f"{TODAY}T10:02", 10)
    await other.order(hong, "后天下午4点去买东西")
    over = await talk.room.expect("没等到结束时间")
    assert title in over.text
    assert over.ats == [str(ming.user_id)]
    task = await talk.only(ming)
    assert (task["title"], (task["remindAt"] or "")[:16]) == (title, begins)
    await talk.say(ming, "五点")
    await talk.settle()
    talk.room.nothing_else()
    assert await talk.only(ming) == task


# -- reminders -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "remind_at", "segment", "title"),
    [
        ("明天下午3点提醒我开会带电脑", f"{TOMORROW}T15:00:00+08:00", "afternoon", "开会带电脑"),
        ("10分钟后提醒我关火", f"{TODAY}T10:10:", "forenoon", "关火"),
        ("提醒我明天交作业", f"{TOMORROW}T09:00:00+08:00", None, "交作业"),
    ],
)
async def test_reminders_stand_at_exactly_their_time(
    talk: Talk, words: str, remind_at: str, segment: str | None, title: str
) -> None:
    ming = talk.room.member("小明")
    told = await talk.order(ming, words)
    task = await talk.only(ming)
    assert task["remindAt"].startswith(remind_at), (task, told)
    assert task["startTime"] is None
    assert task["endTime"] is None
    assert task["title"] == title
    assert segment is None or task["timeSegment"] == segment
    assert "提醒" in told


# -- conflicts and duplicates ----------------------------------------------------------------------------


async def test_overlapping_ranges_are_asked_about_and_adjacent_ones_are_not(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "创建任务：明天下午4点到5点买菜")
    assert "记下了：洗车" in await talk.order(ming, "创建任务：明天下午5点到6点洗车")
    assert "记下了：取快递" in await talk.order(ming, "创建任务：明天下午取快递")
    asked = await talk.order(ming, "创建任务：明天下午4点半到5点半开组会准备材料")
    assert "冲突" in asked
    assert "买菜" in asked
    assert len(await talk.tasks(ming)) == 3
    await talk.answer(ming, "不建了")
    assert len(await talk.tasks(ming)) == 3
    await talk.order(ming, "创建任务：明天下午4点半到4点45写信")
    assert "记下了：写信" in await talk.answer(ming, "还是要建")
    assert len(await talk.tasks(ming)) == 4


async def test_another_members_range_is_in_nobodys_way_and_moving_checks_too(talk: Talk) -> None:
    ming, hong = talk.room.members("小明", "小红")
    await talk.order(ming, "创建任务：明天下午4点到5点买菜")
    assert "记下了：写信" in await talk.order(hong, "创建任务：明天下午4点到5点写信")
    await talk.order(ming, "创建任务：明天上午10点到11点洗车")
    assert "冲突" in await talk.order(ming, "把洗车改到下午4点到5点")
    washing = next(task for task in await talk.tasks(ming) if task["title"] == "洗车")
    assert washing["startTime"] == "10:00"


async def test_the_same_again_is_asked_about(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "创建任务：明天下午买菜")
    asked = await talk.order(ming, "创建任务：明天下午买菜")
    assert "记下了" not in asked
    assert len(await talk.tasks(ming)) == 1
    await talk.answer(ming, "还要")
    assert len(await talk.tasks(ming)) == 2


# -- listing ---------------------------------------------------------------------------------------------


async def test_the_list_shows_weekdays_and_only_the_speakers_own(talk: Talk) -> None:
    ming, hong = talk.room.members("小明", "小红")
    assert "没有" in await talk.order(ming, "我有什么任务")
    await talk.order(ming, "创建任务：明天下午买菜")
    await talk.order(hong, "创建任务：明天下午写信")
    await talk.order(ming, "创建任务：下周三上午洗车")
    listed = await talk.order(ming, "我有哪些任务")
    assert "写信" not in listed
    assert re.search(r"1\. 买菜，2月6日（周六）下午", listed)
    assert re.search(r"2\. 洗车，2月10日（周三）上午", listed)
    only = await talk.order(ming, "明天有什么任务")
    assert "买菜" in only
    assert "洗车" not in only


async def test_status_is_filtered_and_wrong_queries_named(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "创建任务：明天下午买菜")
    await talk.order(ming, "创建任务：明天上午洗车")
    assert "打勾了" in await talk.order(ming, "买菜完成了")
    assert [task["title"] for task in await talk.tasks(ming, status="completed")] == ["买菜"]
    assert [task["title"] for task in await talk.tasks(ming, status="pending")] == ["洗车"]
    refused = await talk.api.http.get(f"/api/users/{ming.user_id}/tasks", params={"status": "odd"})
    assert refused.status_code in (400, 422)
    assert refused.json()["error"]["message"]
    assert await talk.api.get("/api/users/424242/tasks") == []
