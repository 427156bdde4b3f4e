"""Which messages go out, how they are marked, when to look next: tables of pure values."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nonebot_plugin_mishu.reminders import plan as planning
from nonebot_plugin_mishu.reminders.plan import (
    GATHER_AFTER,
    LOOK,
    Gathered,
    MaySpeak,
    ReminderMessage,
    late,
    plan,
)
from nonebot_plugin_mishu.reminders.recurring import following, missed
from nonebot_plugin_mishu.reminders.wording import gathered, joint, lateness, noticed, single
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.storage.reminders.records import NOTICE, WALL, ReminderRecord

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 23, 9, 0, tzinfo=SHANGHAI).timestamp()


def row(number: int = 1, ago: float = 0.0, **changed: Any) -> ReminderRecord:
    due = NOW - ago
    wall = datetime.fromtimestamp(due, SHANGHAI).strftime(WALL)
    values: dict[str, Any] = {
        "id": number,
        "conversation": Conversation("10000", "group", "20000"),
        "agent_code": "tasks",
        "item_id": number,
        "user_ids": (f"u{number}",),
        "everybody": False,
        "text": f"提醒：第{number}件事",
        "note": None,
        "due_at": due,
        "wall": wall,
        "anchor": wall,
        "zone": "Asia/Shanghai",
        "recurrence": None,
        "until": None,
        "lead_minutes": 0,
        "state": "waiting",
    }
    return ReminderRecord(**{**values, **changed})


def due_of(wall: str, zone: str, lead_minutes: int) -> float:
    return datetime.strptime(wall, WALL).replace(tzinfo=ZoneInfo(zone)).timestamp() - lead_minutes * 60.0


def rows(*ago: float) -> list[ReminderRecord]:
    return [row(number, each) for number, each in enumerate(ago, 1)]


HOURS = 3600.0
PLANS = [
    ("nothing", [], []),
    ("one by one", rows(5, 4, 0), [ReminderMessage((1,)), ReminderMessage((2,)), ReminderMessage((3,))]),
    (
        "two overdue are still said one by one",
        rows(2 * HOURS, HOURS),
        [ReminderMessage((1,)), ReminderMessage((2,))],
    ),
    ("three overdue are gathered", rows(3 * HOURS, 2 * HOURS, HOURS), [Gathered(NOW - GATHER_AFTER)]),
    (
        "what is due now comes behind what is gathered",
        rows(3 * HOURS, 2 * HOURS, HOURS, 10, 0),
        [Gathered(NOW - GATHER_AFTER), ReminderMessage((4,)), ReminderMessage((5,))],
    ),
    (
        "at the limit nothing is overdue",
        rows(*[GATHER_AFTER] * 3),
        [ReminderMessage((1,)), ReminderMessage((2,)), ReminderMessage((3,))],
    ),
    ("six are joined", rows(*[0.0] * 6), [ReminderMessage((1, 2, 3, 4, 5, 6))]),
    (
        "thirty are three messages",
        rows(*[0.0] * 30),
        [
            ReminderMessage(tuple(range(1, 11))),
            ReminderMessage(tuple(range(11, 21))),
            ReminderMessage(tuple(range(21, 31))),
        ],
    ),
    (
        "more than thirty are counted",
        rows(*[0.0] * LOOK),
        [ReminderMessage(tuple(range(1, 11))), ReminderMessage(tuple(range(11, 21))), Gathered(NOW)],
    ),
    ("a long queue is gathered first", rows(*[HOURS] * LOOK), [Gathered(NOW - GATHER_AFTER)]),
    (
        "a digest is a message of its own",
        [*rows(*[0.0] * 6), row(7, agent_code="digest")],
        [ReminderMessage((1, 2, 3, 4, 5, 6)), ReminderMessage((7,))],
    ),
]


@pytest.mark.parametrize(("due", "expected"), [each[1:] for each in PLANS], ids=[each[0] for each in PLANS])
def test_plans(due: list[ReminderRecord], expected: list[Any]):
    assert list(plan(due, NOW)) == expected


@given(st.lists(st.floats(0, 5 * HOURS), max_size=LOOK))
@example([1800.0, 1801.0, 1801.0, 1801.0])
def test_every_row_is_in_a_plan_in_order_and_a_few_messages_hold_it(ago: list[float]):
    due = rows(*sorted(ago, reverse=True))
    batches = plan(due, NOW)
    assert len(batches) <= planning.MESSAGES + planning.SINGLES
    covered: list[int] = []
    for batch in batches:
        if isinstance(batch, ReminderMessage):
            covered.extend(batch.ids)
        else:
            covered.extend(each.id for each in due if each.due_at <= batch.due_by and each.id not in covered)
    expected = [each.id for each in due]
    assert covered == expected[: len(covered)]
    assert covered == expected or (len(due) == LOOK and covered)


@pytest.mark.parametrize(
    ("ago", "hindered_ago", "expected"),
    [
        (0, 100, False),
        (30, 100, False),
        (31, 100, True),
        (3, 2, True),
        (3, 3, True),
        (3, 4, False),
        (0, 0, False),
    ],
)
def test_late_is_what_waited_or_is_half_a_minute_over(ago: float, hindered_ago: float, expected: bool):
    assert late(row(ago=ago), NOW, NOW - hindered_ago) == expected


@pytest.mark.parametrize(
    ("standing", "opened", "wait"),
    [
        (MaySpeak(), True, None),
        (MaySpeak(connected=False), False, None),
        (MaySpeak(silent_until=NOW + 5), False, NOW + 5),
        (MaySpeak(silent_until=NOW), True, None),
        (MaySpeak(silent_until=NOW + 5, paused_until=NOW + 9), False, NOW + 9),
    ],
)
def test_standing(standing: MaySpeak, opened: bool, wait: float | None):
    assert (standing.open(NOW), standing.wait_until(NOW)) == (opened, wait)


@pytest.mark.parametrize(
    ("due", "waits", "expected"),
    [(None, [], 60), (5, [], 5), (500, [], 60), (500, [30], 30), (-5, [], 0), (7, [3, 90], 3)],
)
def test_next_look(due: float | None, waits: list[float], expected: float):
    assert planning.next_look(0.0, due, waits, 60.0) == expected


def test_pitfall_45_tries_are_few_and_spaced():
    assert [planning.retry_after(number) for number in range(6)] == [30, 120, 600, 1800, 1800, 1800]
    assert planning.MOST_FAILURES == 5


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 秒"),
        (59, "59 秒"),
        (60, "1 分钟"),
        (3600, "1 小时"),
        (3660, "1 小时 1 分钟"),
        (86400, "1 天"),
        (2 * 86400 + 7200, "2 天 2 小时"),
    ],
)
def test_by_how_much(seconds: float, text: str):
    assert lateness(seconds) == text


WORDS = [
    (row(), "提醒：第1件事"),
    (row(note="放假安排未公布"), "提醒：第1件事（放假安排未公布）"),
    (row(ago=720), "【迟到 12 分钟】提醒：第1件事"),
    (row(unclear=1), "【补发】提醒：第1件事"),
    (row(unclear=1, ago=90), "【补发，迟到 1 分钟】提醒：第1件事"),
    (row(ago=2 * 86400), "【迟到 2 天，原定 11月21日（周六）09:00】提醒：第1件事"),
    (
        row(ago=2 * 86400, recurrence={"freq": "daily", "interval": 1}),
        "【迟到 2 天，原定 11月21日（周六）09:00，其间还错过 2 次】提醒：第1件事",
    ),
]


@pytest.mark.parametrize(("record", "text"), WORDS, ids=[text for _, text in WORDS])
def test_words_of_one(record: ReminderRecord, text: str):
    assert single(record, NOW, 0.0) == text


def test_words_of_several():
    names = {"u1": "小明"}
    assert joint(rows(40, 0), NOW, 0.0, names.get) == (
        "有 2 件事到时间了：\n1. 小明：【迟到 40 秒】提醒：第1件事\n2. 提醒：第2件事"
    )
    many = rows(*[7200.0] * 10)
    said = gathered(many, 10_000, NOW, 0.0, names.get).splitlines()
    assert (len(said), said[0]) == (12, "【迟到】有 10000 条提醒没能按时发出：")
    assert said[1] == "1. 小明：【迟到 2 小时】提醒：第1件事"
    assert said[-1] == "……还有 9990 条。"


def test_a_long_text_is_cut_in_a_list_only():
    long = row(text="字" * 100)
    assert single(long, NOW, 0.0) == "字" * 100
    assert joint([long, long], NOW, 0.0, lambda user: None).splitlines()[1] == "1. " + "字" * 59 + "…"


def recurring(wall: str, zone: str, lead: int = 0, until: str | None = None, **recurrence: Any):
    return row(
        wall=wall,
        anchor=wall,
        zone=zone,
        until=until,
        lead_minutes=lead,
        due_at=due_of(wall, zone, lead),
        recurrence={"interval": 1, **recurrence},
    )


NEXT = [
    ("daily, kept at the wall over a change of the clock",
     recurring("2026-03-28 02:30", "Europe/Berlin", freq="daily"), 0,
     ["2026-03-29 03:30", "2026-03-30 02:30"]),
    ("pitfall 47: the 31st of short months",
     recurring("2026-01-31 09:00", "Asia/Shanghai", freq="monthly"), 0,
     ["2026-02-28 09:00", "2026-03-31 09:00", "2026-04-30 09:00"]),
    ("29 February",
     recurring("2024-02-29 09:00", "Asia/Shanghai", freq="yearly"), 0,
     ["2025-02-28 09:00", "2026-02-28 09:00"]),
    ("a lead over midnight stays with its day",
     recurring("2026-11-23 00:05", "Asia/Shanghai", lead=10, freq="weekly", byday=["MO"]), 0,
     ["2026-11-30 00:05", "2026-12-07 00:05"]),
    ("the last day ends it",
     recurring("2026-11-23 09:00", "Asia/Shanghai", until="2026-11-24", freq="daily"), 0,
     ["2026-11-24 09:00", None]),
    ("what was missed is passed over",
     recurring("2026-11-23 09:00", "Asia/Shanghai", freq="daily"), 3 * 86400 + 60, ["2026-11-27 09:00"]),
]  # fmt: skip


@pytest.mark.parametrize(("first", "late_by", "walls"), [e[1:] for e in NEXT], ids=[e[0] for e in NEXT])
def test_what_follows(first: ReminderRecord, late_by: float, walls: list[str | None]):
    record, found = first, []
    for _ in walls:
        after = following(record, record.due_at + late_by)
        found.append(after.wall if after else None)
        if after is not None:
            assert after.due_at > record.due_at + late_by
            assert after.due_at == due_of(after.wall, record.zone, record.lead_minutes)
            record = row(
                wall=after.wall, anchor=record.anchor, zone=record.zone, due_at=after.due_at,
                until=record.until, lead_minutes=record.lead_minutes, recurrence=record.recurrence,
            )  # fmt: skip
    assert found == walls


def test_pitfall_47_past_the_holiday_table_it_says_so():
    workday = recurring("2035-01-01 09:00", "Asia/Shanghai", freq="workday")
    after = following(workday, workday.due_at)
    assert after is not None
    assert after.note is not None
    assert "放假安排" in after.note


def test_missed_are_counted_up_to_a_limit():
    often = recurring("2026-11-20 09:00", "Asia/Shanghai", freq="minutely", interval=10)
    assert missed(often, often.due_at) == 0
    assert missed(often, often.due_at + 1800) == 3
    assert missed(often, often.due_at + 1e6) == 99
    assert missed(row(), NOW + 1e6) == 0


def test_notices_go_out_together_and_with_no_reminder():
    due = [row(1), row(2, agent_code=NOTICE), row(3, 90_000, agent_code=NOTICE)]
    assert list(plan(due, NOW)) == [ReminderMessage((1,)), ReminderMessage((2, 3))]
    assert noticed(due[1:]).count("\n") == 2
