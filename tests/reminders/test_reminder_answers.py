"""Answers to reminders, and the morning's digest, carried out on a real database."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.agents import (
    Asker,
    Clause,
    Match,
    Registry,
    Request,
    Situation,
    TaskContext,
    Utterance,
)
from nonebot_plugin_mishu.llm import CallLog, Deadline
from nonebot_plugin_mishu.reminders import Agenda, DailyDigest, ReminderAnswers
from nonebot_plugin_mishu.reminders.agent import rules
from nonebot_plugin_mishu.reminders.calendars.agenda import happens_on
from nonebot_plugin_mishu.reminders.calendars.entries import DayEntry
from nonebot_plugin_mishu.reminders.digest import digest
from nonebot_plugin_mishu.reminders.sent_reminders import SentReminders
from nonebot_plugin_mishu.storage import Conversation, Storage
from reminder_support import GROUP, keep, reminder, rows_of, states
from stand_ins import line
from test_reminder_service import Announcer

ZONE = ZoneInfo("Asia/Shanghai")
AT = datetime(2026, 11, 22, 9, 0, tzinfo=ZONE)
NOW = AT.timestamp()


def context(
    text: str, quoted: str | None = "m1", user: str = "1", role: Any = "member", **changed: Any
) -> TaskContext:
    message = line("q", text, conversation=GROUP, user_id=user, role=role)
    told = line(quoted, "提醒：交周报", conversation=GROUP, is_bot=True) if quoted is not None else None
    utterance = Utterance(message, text, told)
    request = Request(
        GROUP,
        (utterance,),
        (),
        "core",
        None,
        (),
        None,
        NOW,
        Deadline(60.0),
        CallLog(),  # type: ignore[arg-type]
    )
    clause = Clause(text, Situation(AT, reminded="quoted" if quoted else "recent"))
    return TaskContext(request, utterance, Asker(user, "小明", role), "later", clause, "message q", **changed)


async def told(storage: Storage, *new: Any, message: str = "m1") -> list[int]:
    """Reminders that were sent in one message."""
    rows = storage.reminders.rows
    ids = await keep(storage, *new)
    await rows.claim(ids, message, NOW - 60, 60.0)
    await rows.sent(message, message, NOW - 60, lambda record, at: None)
    return ids


def answers(storage: Storage, done: list[int] | None = None) -> ReminderAnswers:
    async def complete(context: TaskContext, item_id: int) -> str | None:
        if done is None:
            return None
        done.append(item_id)
        return "「交周报」完成了。"

    return ReminderAnswers(storage.reminders, ZONE, {"tasks": complete})


async def test_later_is_a_new_row_and_can_be_undone(storage: Storage):
    await told(storage, reminder(recurrence={"freq": "daily", "interval": 1}))
    for _ in range(2):
        said = await answers(storage).answer(context("推迟20分钟"))
        assert said == "好，11月22日（周日）09:20再提醒。"
    old, new = await rows_of(storage)
    assert (old.state, new.state, new.due_at, new.text) == ("sent", "waiting", NOW + 1200, old.text)
    assert (new.recurrence, new.wall, new.user_ids) == (None, "2026-11-22 09:20", ["1"])
    undone = await storage.changes.undo(GROUP, "1", NOW + 5)
    assert undone is not None
    assert undone.summary == "推迟提醒到11月22日（周日）09:20"
    assert await states(storage) == ["sent"]


async def test_put_off_once_more_is_to_the_new_time_only(storage: Storage):
    daily = reminder(recurrence={"freq": "daily", "interval": 1})
    [first] = await told(storage, daily)
    await keep(storage, reminder(due_at=NOW + 86400))  # its next day, which nobody put off
    for number, words in enumerate(("推迟20分钟", "推迟2小时", "晚点")):
        assert await answers(storage).answer(replace(context(words), origin=f"message {number}")) is not None
    rows = {row.due_at: row.state for row in await rows_of(storage) if row.id != first}
    assert rows == {
        NOW + 86400: "waiting",
        NOW + 1200: "dropped",
        NOW + 7200: "dropped",
        NOW + 600: "waiting",
    }
    assert await storage.changes.undo(GROUP, "1", NOW + 5) is not None
    rows = {row.due_at: row.state for row in await rows_of(storage) if row.id != first}
    assert rows == {NOW + 86400: "waiting", NOW + 1200: "dropped", NOW + 7200: "waiting"}


async def test_who_puts_a_common_reminder_off_is_reminded_alone(storage: Storage):
    await told(storage, reminder(user_ids=["1", "2"]))
    await answers(storage).answer(context("推迟20分钟"))
    await answers(storage).answer(replace(context("推迟2小时", user="2"), origin="message r"))
    waiting = [(row.user_ids, row.due_at) for row in await rows_of(storage) if row.state == "waiting"]
    assert waiting == [(["1"], NOW + 1200), (["2"], NOW + 7200)]


@pytest.mark.parametrize("words", ["知道了", "马上", "在写了"])
async def test_a_nudge_that_was_heard_stays_open(storage: Storage, words: str):
    await told(storage, reminder(agent_code="nudges"))
    assert rules(context(words).clause) is not None
    assert await answers(storage).answer(context(words)) == "好，做完了说一声「完成」。"
    assert await states(storage) == ["sent"]
    assert await answers(storage).answer(context("我不交")) == "好，没有打勾。不想再被催就说「别催我了」。"
    assert await states(storage) == ["sent"]
    assert await answers(storage).answer(context("做完了")) == "好，打勾了。"


async def test_done_completes_the_task_by_its_own_agent(storage: Storage):
    await told(storage, reminder(item_id=7), reminder(item_id=7), reminder(item_id=8, agent_code="schedule"))
    done: list[int] = []
    assert await answers(storage, done).answer(context("做完了")) == "「交周报」完成了。"
    assert (done, await states(storage)) == ([7], ["done"] * 3)


async def test_done_without_a_task_behind_it(storage: Storage):
    await told(storage, reminder(agent_code="schedule"))
    assert await answers(storage).answer(context("完成")) == "好，打勾了。"
    assert await states(storage) == ["done"]


async def test_pitfall_42_others_cannot_admins_can(storage: Storage):
    await told(storage, reminder())
    refused = await answers(storage).answer(context("完成", user="2"))
    assert refused == "这条提醒是给别人的，只有TA和管理员能改。"
    assert await states(storage) == ["sent"]
    assert await answers(storage).answer(context("推迟10分钟", user="2", role="admin")) is not None
    assert (await rows_of(storage))[1].user_ids == ["1"]


async def test_of_a_joint_message_only_ones_own(storage: Storage):
    await told(storage, reminder(item_id=1), reminder(item_id=2, user_ids=["2"]))
    await answers(storage).answer(context("完成", user="2"))
    assert await states(storage) == ["sent", "done"]
    said = await answers(storage).answer(context("完成", user="3", role="owner"))
    assert said == "这里有好几件别人的事，回复单独那一条提醒就行。"
    assert await states(storage) == ["sent", "done"]


async def test_the_next_line_of_who_was_reminded(storage: Storage):
    await told(storage, reminder())
    assert await answers(storage).answer(context("完成了", quoted=None, user="2")) is None
    assert await answers(storage).answer(context("10分钟后再提醒", quoted=None)) is not None
    assert await states(storage) == ["sent", "waiting"]


@pytest.mark.parametrize(
    ("text", "said"), [("推迟到今天早上7点", "已经过了"), ("推迟到2月30号", "没有这个时间")]
)
async def test_times_that_cannot_be_are_asked_about(storage: Storage, text: str, said: str):
    await told(storage, reminder())
    answer = await answers(storage).answer(context(text))
    assert answer is not None
    assert said in answer
    assert await states(storage) == ["sent"]


@pytest.mark.parametrize(
    ("text", "reminded", "expected"),
    [
        ("完成", None, None),
        ("完成", "recent", Match("done", 4)),
        ("推迟20分钟", "quoted", Match("later", 4)),
        ("好了", "recent", None),
        ("好了", "quoted", Match("done", 4)),
        ("会议推迟20分钟", "quoted", None),
    ],
)
def test_rules_take_a_line_only_where_a_reminder_is_answered(text: str, reminded: Any, expected: Any):
    assert rules(Clause(text, Situation(AT, reminded=reminded))) == expected


async def test_it_is_an_agent(storage: Storage):
    spec = answers(storage).spec()
    assert Registry([spec]).get("reminders") is spec


async def test_who_was_told_is_known_for_a_while_and_bounded(monkeypatch):
    monkeypatch.setattr("nonebot_plugin_mishu.reminders.sent_reminders.REMEMBERED", 3)
    notes = SentReminders()
    from test_reminder_plan import row

    notes.note_sent(GROUP, "m1", [row(1)], NOW)
    assert notes.reminded(GROUP, "u1", None, NOW + 600) == "recent"
    assert notes.reminded(GROUP, "u1", None, NOW + 601) is None
    assert notes.reminded(GROUP, "u2", "m1", NOW) == "quoted"
    assert notes.reminded(GROUP, "u1", "m2", NOW) is None
    notes.answered(GROUP, "u1")
    assert notes.reminded(GROUP, "u1", None, NOW) is None
    for number in range(9):
        notes.note_sent(GROUP, f"n{number}", [row(number)], NOW)
    assert len(notes._messages) == len(notes._members) == 3


async def test_the_digest_is_switched_per_group_and_once(storage: Storage):
    other = Conversation("10000", "group", "20001")
    announcer = Announcer([NOW])
    desk = DailyDigest(storage.reminders, Agenda(storage, 10), announcer, ZONE, lambda: NOW)
    for _ in range(2):
        await desk.switch(GROUP, True)
    await desk.switch(other, True)
    waiting = [row for row in await rows_of(storage) if row.state == "waiting"]
    assert [(row.peer, row.wall) for row in waiting] == [
        ("20000", "2026-11-23 08:00"),
        ("20001", "2026-11-23 08:00"),
    ]
    await desk.switch(GROUP, False)
    left = [row.peer for row in await rows_of(storage) if row.state == "waiting"]
    assert left == ["20001"]
    [record] = await storage.reminders.rows.due(other, NOW + 1e6, 1)
    assert await desk.compose(record, NOW) is None


def entry(kind: Any, title: str, start: datetime, **changed: Any) -> DayEntry:
    return DayEntry(kind, 1, title, start, "Asia/Shanghai", **changed)


def test_what_the_digest_says():
    entries = [
        entry("schedule", "团建", datetime(2026, 11, 22), all_day=True, part=True),
        entry("schedule", "爬山", datetime(2026, 11, 22, 14), part=True, place="香山"),
        entry("schedule", "周会", datetime(2026, 11, 22, 15), end=datetime(2026, 11, 22, 16)),
        entry("task", "交周报", datetime(2026, 11, 22, 18), part=True, who="小明"),
    ]
    assert digest(entries, AT) == (
        "今天是11月22日（周日）。\n群里的日程：\n1. 团建\n2. 下午 爬山（香山）\n3. 15:00–16:00 周会\n"
        "今天到期的任务：\n1. 小明：晚上 交周报"
    )
    assert digest([], AT) is None


@pytest.mark.parametrize(
    ("changed", "day", "expected"),
    [
        ({}, date(2026, 11, 22), True),
        ({}, date(2026, 11, 23), False),
        ({"end": datetime(2026, 11, 24, 12)}, date(2026, 11, 23), True),
        ({"end": datetime(2026, 11, 23, 0)}, date(2026, 11, 23), False),
        ({"recurrence": {"freq": "weekly"}}, date(2026, 11, 29), True),
        ({"recurrence": {"freq": "weekly"}}, date(2026, 11, 28), False),
        ({"recurrence": {"freq": "daily"}, "until": date(2026, 11, 25)}, date(2026, 11, 26), False),
        ({"recurrence": {"freq": "daily"}}, date(2026, 11, 21), False),
    ],
)
def test_what_is_on_a_day(changed: dict, day: date, expected: bool):
    assert happens_on(entry("schedule", "x", datetime(2026, 11, 22, 9), **changed), day) == expected


async def test_the_agenda_reads_what_the_agents_keep(storage: Storage):
    """Through the agents' own storage, so that a change of theirs is seen here."""
    from nonebot_plugin_mishu.storage.tasks.records import TaskChanges, TaskDraft

    fields = TaskChanges("交周报", "2026-11-22", "Asia/Shanghai", time_segment="evening")
    new = TaskDraft(GROUP, "1", "小明", "1", fields, "m:1")
    await storage.tasks.create(
        new, summary="添加", at=NOW, remind=lambda task: None, objects=lambda tasks: None
    )
    agenda = Agenda(storage, 10)
    [of_day] = await agenda.day(GROUP, date(2026, 11, 22))
    assert (of_day.title, of_day.who, of_day.part) == ("交周报", "小明", True)
    assert await agenda.day(GROUP, date(2026, 11, 23)) == []
    assert [each.title for each in await agenda.calendar(GROUP, "1")] == ["交周报"]
    assert list(await agenda.calendar(GROUP, "2")) == list(await agenda.calendar(GROUP, "")) == []


async def test_a_reminder_that_was_said_a_moment_ago_is_found_when_it_is_on_disk(storage: Storage):
    """Its button can be pressed before the row knows under which message it was said."""
    [first] = await keep(storage, reminder(agent_code="schedule"))
    await storage.reminders.rows.claim([first], "m1", NOW - 60, 60.0)
    answering = asyncio.create_task(answers(storage).answer(context("完成", quoted="m1")))
    await asyncio.sleep(0.15)
    assert not answering.done()
    await storage.reminders.rows.sent("m1", "m1", NOW - 60, lambda record, at: None)
    assert await answering == "好，打勾了。"
