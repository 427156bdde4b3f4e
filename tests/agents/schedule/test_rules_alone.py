"""Everything without a model: add, query, edit, delete, join, leave, and the questions in between."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.schedules.records import Participant

from .schedule_support import BOSS, GROUP, HONG, MING, NOW, Office, at


async def test_an_order_is_noted_at_once_with_date_and_weekday(office: Office):
    said = await office.say("明天下午三点在会议室开会")
    assert said.status == "completed"
    assert said.text == "日程记下了：11月19日 周四 15:00 开会，会议室"
    (kept,) = await office.live()
    assert (kept.plan.start, kept.plan.zone, kept.plan.place) == (
        "2026-11-19 15:00:00",
        "Asia/Shanghai",
        "会议室",
    )
    assert (kept.created_by, kept.creator) == (MING.user_id, MING.name)
    (action,) = said.context.actions
    assert (action.tool, action.result) == ("add", {"id": kept.id})


async def test_without_a_clock_the_part_of_the_day_is_kept_and_shown(office: Office):
    said = await office.say("周六下午团建")
    assert "11月21日 周六下午 团建" in said.text
    (kept,) = await office.live()
    assert (kept.plan.start, kept.plan.segment) == ("2026-11-21 14:00:00", "afternoon")


async def test_ranges_end(office: Office):
    assert "11月19日 周四 15:00–17:00" in (await office.say("明天下午三点到五点评审会")).text
    assert "12月3日 周四至12月5日 周六" in (await office.say("3号到5号团建")).text
    assert "11月18日 周三 23:00–11月19日 周四 01:00" in (await office.say("晚上11点到1点打副本")).text


async def test_several_times_are_several_schedules(office: Office):
    said = await office.say("周一周三下午三点开会")
    assert said.text.startswith("记下了2个日程")
    assert len(await office.live()) == 2


async def test_what_repeats_says_its_rule_and_its_next_time(office: Office):
    said = await office.say("每周三下午三点开例会")
    assert said.text == "日程记下了：每周三 15:00，下次 11月18日 周三 15:00 开例会"
    until = await office.say("12月1号到5号每天早上8点晨跑")
    assert "每天 08:00，下次 12月1日 周二 08:00，到12月5日 周六为止" in until.text
    lasts = await office.say("每月10号到15号盘点")
    assert "每月10日起6天" in lasts.text


@pytest.mark.parametrize(
    ("text", "asked", "answer", "start"),
    [
        ("明天七点聚会", "是指哪个", "晚上", "2026-11-19 19:00:00"),
        ("明天七点聚会", "是指哪个", "第一个", "2026-11-19 07:00:00"),
        ("明天七点聚会", "是指哪个", "晚上七点半", "2026-11-19 19:30:00"),
        ("2月30号开会", "2月没有30日", "12月2号下午2点", "2026-12-02 14:00:00"),
        ("明天25点开会", "没有25点", "明天下午五点", "2026-11-19 17:00:00"),
        ("昨天下午开会", "已经过了", "明天下午三点", "2026-11-19 15:00:00"),
        ("加个日程开会", "什么时候", "后天晚上七点", "2026-11-20 19:00:00"),
    ],
)
async def test_pitfall_48_what_is_unclear_is_asked_and_nothing_is_written(
    office: Office, text: str, asked: str, answer: str, start: str
):
    first = await office.say(text, intent="add")
    assert first.status == "awaiting_user"
    assert asked in first.text
    assert await office.live() == []
    second = await office.say(answer)
    assert second.status == "completed"
    assert [each.plan.start for each in await office.live()] == [start]


async def test_next_wednesday_on_a_sunday_asks(office: Office):
    office.now = at("2026-11-22T10:00")
    said = await office.say("下周三下午三点开会")
    assert "11月25日 周三 15:00" in said.text
    assert "12月2日 周三 15:00" in said.text
    await office.say("第一个")
    assert await office.plans() == [("2026-11-25 15:00:00", "开会")]


async def test_a_clock_that_is_past_asks_for_the_day(office: Office):
    office.now = at("2026-11-18T16:00")
    said = await office.say("下午三点开会")
    assert said.text == "「下午三点」是指11月19日 周四 15:00吗？"
    await office.say("对")
    assert await office.plans() == [("2026-11-19 15:00:00", "开会")]


async def test_a_missing_description_is_asked(office: Office):
    said = await office.say("加个日程：后天晚上7点", intent="add")
    assert "什么事" in said.text
    await office.say("聚餐，在海底捞")
    (kept,) = await office.live()
    assert (kept.plan.start, kept.plan.description) == ("2026-11-20 19:00:00", "聚餐")


async def test_a_question_can_be_called_off(office: Office):
    await office.say("明天七点聚会")
    assert (await office.say("算了")).status == "canceled"
    assert await office.live() == []


async def test_an_unrelated_line_is_no_answer(office: Office):
    await office.say("明天七点聚会")
    frame = office.frames[MING.user_id, GROUP]
    from nonebot_plugin_mishu.agents import Situation
    from nonebot_plugin_mishu.agents.schedule.candidates.reading import clause_of

    assert office.spec.answers is not None
    assert office.spec.answers(frame, clause_of("今天天气真好", Situation(NOW))) is None


async def test_lists(office: Office):
    await office.have(("2026-11-19 15:00:00", "开会"), ("2026-11-21 14:00:00", "爬山"))
    await office.have(("2026-12-02 09:00:00", "答辩"))
    week = (await office.say("本周日程", intent="query")).text
    assert week.startswith("11月16日 周一至11月22日 周日的日程：")
    assert "11月19日 周四\n  15:00 开会" in week
    assert "爬山" in week
    assert "答辩" not in week
    month = (await office.say("12月有什么日程", intent="query")).text
    assert "答辩" in month
    assert "开会" not in month
    day = (await office.say("明天有什么安排", intent="query")).text
    assert day == "11月19日 周四的日程：\n  15:00 开会"
    assert (await office.say("后天有什么安排", intent="query")).text == "11月20日 周五没有日程"
    assert "答辩" in (await office.say("日程", intent="query")).text
    assert (await office.say("爬山是什么时候", intent="query")).text == "11月21日 周六 14:00 爬山"
    assert "没找到" in (await office.say("聚餐是什么时候", intent="query")).text


async def test_what_repeats_is_in_every_week(office: Office):
    await office.say("每周三下午三点开例会")
    month = (await office.say("12月有什么日程", intent="query")).text
    assert month.count("开例会") == 5


async def test_long_lists_are_counted(office: Office):
    await office.have(
        *[
            (f"2026-11-19 {hour:02}:{minute:02}:00", "事")
            for hour in range(8)
            for minute in (0, 9, 20, 30, 40)
        ]
    )
    assert "还有10个没有列出" in (await office.say("明天有什么安排", intent="query")).text


@pytest.mark.parametrize(
    ("text", "start", "description", "place"),
    [
        ("把明天下午三点的会改到四点", "2026-11-19 16:00:00", "项目会议", None),
        ("明天的会改到后天上午10点在302", "2026-11-20 10:00:00", "项目会议", "302"),
        ("会议推迟半小时", "2026-11-19 15:30:00", "项目会议", None),
        ("会议提前一小时", "2026-11-19 14:00:00", "项目会议", None),
        ("会议改到周六", "2026-11-21 15:00:00", "项目会议", None),
        ("会议改到下午五点", "2026-11-19 17:00:00", "项目会议", None),
        ("把项目会议改名叫评审会", "2026-11-19 15:00:00", "评审会", None),
        ("项目会议的地点改成三楼", "2026-11-19 15:00:00", "项目会议", "三楼"),
    ],
)
async def test_edits(office: Office, text: str, start: str, description: str, place: str | None):
    await office.have(("2026-11-19 15:00:00", "项目会议"), end="2026-11-19 16:00:00")
    await office.have(("2026-11-19 19:00:00", "聚餐"))
    said = await office.say(text, intent="edit")
    assert said.text.startswith("日程改好了："), said.text
    assert "周" in said.text
    meeting = next(each for each in await office.live() if each.description != "聚餐")
    assert (meeting.plan.start, meeting.description, meeting.plan.place) == (start, description, place)
    assert meeting.plan.ends is not None
    assert meeting.plan.ends - meeting.plan.begins == timedelta(hours=1)


async def test_an_edit_of_a_part_of_the_day(office: Office):
    await office.say("周六下午团建")
    await office.say("团建改到周日", intent="edit")
    (kept,) = await office.live()
    assert (kept.plan.start, kept.plan.segment) == ("2026-11-22 14:00:00", "afternoon")
    await office.say("团建改到周日晚上七点", intent="edit")
    (kept,) = await office.live()
    assert (kept.plan.start, kept.plan.segment) == ("2026-11-22 19:00:00", None)


async def test_an_edit_to_a_weekday_stays_in_its_week(office: Office):
    await office.have(("2026-11-25 10:00:00", "周会"))
    assert "11月26日 周四" in (await office.say("周会改到周四", intent="edit")).text


async def test_a_series_keeps_its_rule(office: Office):
    await office.say("每周三下午三点开例会")
    await office.say("例会推迟半小时", intent="edit")
    (kept,) = await office.live()
    assert kept.plan.recurrence == {"freq": "weekly", "interval": 1, "byday": ["WE"]}
    assert kept.plan.start == "2026-11-18 15:30:00"
    refused = await office.say("例会改到周四", intent="edit")
    assert "是重复的" in refused.text
    await office.say("例会改到每周四下午三点", intent="edit")
    (kept,) = await office.live()
    assert kept.plan.recurrence == {"freq": "weekly", "interval": 1, "byday": ["TH"]}


async def test_an_edit_into_the_past_is_refused(office: Office):
    await office.have(("2026-11-18 15:00:00", "开会"))
    said = await office.say("会议提前8小时", intent="edit")
    assert "已经过了" in said.text
    assert await office.plans() == [("2026-11-18 15:00:00", "开会")]


async def test_an_edit_without_anything_new_asks_what(office: Office):
    await office.have(("2026-11-19 15:00:00", "聚餐"))
    said = await office.say("修改聚餐", intent="edit")
    assert (said.status, "要改成什么" in said.text) == ("awaiting_user", True)
    await office.say("后天晚上七点")
    assert await office.plans() == [("2026-11-20 19:00:00", "聚餐")]


async def test_pitfall_50_several_hits_are_listed_and_picked_by_number(office: Office):
    kept = await office.have(("2026-11-19 09:00:00", "周会"), ("2026-11-19 15:00:00", "评审会"))
    said = await office.say("删掉明天的会", intent="delete")
    assert said.status == "awaiting_user"
    assert "1. 11月19日 周四 09:00 周会\n2. 11月19日 周四 15:00 评审会" in said.text
    await office.have(("2026-11-19 08:00:00", "晨会"))  # positions would shift, ids do not
    done = await office.say("第二个")
    assert "日程删掉了：11月19日 周四 15:00 评审会" in done.text
    assert [each.id for each in await office.live()] != [each.id for each in kept]
    assert sorted(each.description for each in await office.live()) == ["周会", "晨会"]


async def test_a_pick_of_something_gone_changes_nothing(office: Office):
    kept = await office.have(("2026-11-19 09:00:00", "周会"), ("2026-11-19 15:00:00", "评审会"))
    await office.say("删掉明天的会", intent="delete")
    from nonebot_plugin_mishu.storage.schedules.queries import Delete

    me = Participant(BOSS.user_id, BOSS.name)
    gone = [Delete(kept[1].id, "elsewhere")]
    await office.storage.schedules.apply(GROUP, me, gone, at=1.0, summary="x", remind=lambda _: None)
    assert "刚刚变过" in (await office.say("第二个")).text
    assert await office.plans() == [("2026-11-19 09:00:00", "周会")]


async def test_deleting_by_words_and_by_time_needs_both(office: Office):
    await office.have(("2026-11-19 15:00:00", "开会"), ("2026-11-20 18:00:00", "聚餐"))
    said = await office.say("取消明天的聚餐", intent="delete")
    assert "没找到" in said.text
    assert len(await office.live()) == 2
    await office.say("取消周五的聚餐", intent="delete")
    assert await office.plans() == [("2026-11-19 15:00:00", "开会")]


async def test_deleting_without_a_name_asks_even_if_there_is_one(office: Office):
    await office.have(("2026-11-19 15:00:00", "开会"))
    assert (await office.say("删除日程", intent="delete")).status == "awaiting_user"
    assert len(await office.live()) == 1


async def test_where_nobody_is_sure_deleting_is_asked_first(office: Office):
    await office.have(("2026-11-19 15:00:00", "聚餐"))
    said = await office.say("明天的聚餐黄了", intent="delete", sure=False)
    assert said.text == "要删掉这个日程吗？\n11月19日 周四 15:00 聚餐"
    assert len(await office.live()) == 1
    assert "删掉了" in (await office.say("对")).text


async def test_joining_what_was_mentioned_last(office: Office):
    await office.have(("2026-11-19 15:00:00", "开会"))
    await office.say("周六下午团建")
    said = await office.say("+1", HONG)
    assert said.text == "小红参加：11月21日 周六下午 团建（共1人）"
    assert "已经参加了" in (await office.say("我也去", HONG)).text
    assert "小红不参加了" in (await office.say("我不去了", HONG)).text
    assert "没参加" in (await office.say("退出团建", HONG)).text


async def test_joining_by_quoting_our_line(office: Office):
    await office.have(("2026-11-19 15:00:00", "开会"), ("2026-11-20 18:00:00", "聚餐"))
    said = await office.say("参加", HONG, quoted="日程记下了：11月20日 周五 18:00 聚餐")
    assert "聚餐" in said.text
    joined = {each.description: [one.name for one in each.joined] for each in await office.live()}
    assert joined == {"开会": [], "聚餐": ["小红"]}


async def test_joining_where_several_may_be_meant_asks(office: Office):
    await office.have(("2026-11-19 15:00:00", "开会"), ("2026-11-20 18:00:00", "聚餐"))
    said = await office.say("+1", HONG)
    assert said.text.startswith("要参加哪个？")
    assert "小红参加：11月20日 周五 18:00 聚餐" in (await office.say("第二个", HONG)).text


async def test_joining_by_name_and_without_anything(office: Office):
    assert "没找到" in (await office.say("参加", HONG)).text
    await office.have(("2026-11-19 15:00:00", "开会"), ("2026-11-20 18:00:00", "聚餐"))
    assert "聚餐" in (await office.say("报名聚餐", HONG)).text


async def test_coincidences_are_mentioned_and_not_refused(office: Office):
    await office.say("明天下午三点到五点评审会")
    said = await office.say("明天下午四点面试")
    assert "同一时间还有：11月19日 周四 15:00–17:00 评审会" in said.text
    assert len(await office.live()) == 2
    assert "同一时间" not in (await office.say("明天下午五点喝茶")).text


async def test_a_repeated_message_makes_nothing_twice(office: Office):
    await office.say("明天下午三点开会", origin="m-same")
    office.frames.clear()
    await office.say("明天下午三点开会", origin="m-same")
    assert len(await office.live()) == 1
    await office.say("会议推迟半小时", intent="edit", origin="m-move")
    office.frames.clear()
    await office.say("会议推迟半小时", intent="edit", origin="m-move")
    assert await office.plans() == [("2026-11-19 15:30:00", "开会")]


# -- reminders ----------------------------------------------------------------------------------------------


async def reminders(office: Office) -> list[tuple[str, tuple[str, ...], bool]]:
    found = [
        one
        for each in await office.live()
        for one in await office.storage.reminders.of_item("schedule", each.id)
    ]
    return [
        (
            datetime.fromtimestamp(each.due_at, NOW.tzinfo).strftime("%m-%d %H:%M"),
            each.user_ids,
            each.everybody,
        )
        for each in found
    ]


async def test_reminders_go_to_who_made_it_and_who_joined(office: Office):
    await office.say("明天下午三点开会")
    assert await reminders(office) == [("11-19 14:50", (MING.user_id,), False)]
    await office.say("+1", HONG)
    assert await reminders(office) == [("11-19 14:50", (MING.user_id, HONG.user_id), False)]
    await office.say("会议推迟半小时", intent="edit")
    assert await reminders(office) == [("11-19 15:20", (MING.user_id, HONG.user_id), False)]
    await office.say("取消会议", intent="delete")
    assert await reminders(office) == []


async def test_a_lead_that_was_said_counts(office: Office):
    await office.say("明天下午三点开会，提前半小时提醒我", intent="add")
    assert await reminders(office) == [("11-19 14:30", (MING.user_id,), False)]


async def test_several_leads_are_several_reminders(office: Office):
    await office.say("明天下午三点开会，提前一小时和提前十分钟都提醒我", intent="add")
    assert [due for due, _, _ in await reminders(office)] == ["11-19 14:00", "11-19 14:50"]


@pytest.mark.parametrize(
    "text",
    [
        "提醒大家 18点写日报",
        "18点提醒大家写日报",
        "晚上六点通知各位写日报",
        "今天18点提醒一下大家写日报",
        "18:00 叫大家写日报",
    ],
)
async def test_the_group_is_reminded_then_and_nobody_alone(office: Office, text: str):
    await office.say(text, intent="add")
    assert await reminders(office) == [("11-18 18:00", (), False)]


async def test_the_group_is_called_by_an_at_of_all_where_an_admin_asks(office: Office):
    await office.say("提醒大家 18点写日报", BOSS, intent="add")
    assert await reminders(office) == [("11-18 18:00", (), True)]


async def test_what_is_said_to_the_group_in_a_minute_is_said_then(office: Office):
    await office.say("一分钟后提醒大家交作业", intent="add")
    assert await reminders(office) == [("11-18 10:01", (), False)]


async def test_what_is_nearer_than_its_lead_is_reminded_of_when_it_begins(office: Office):
    await office.say("5分钟后开会")
    assert await reminders(office) == [("11-18 10:05", (MING.user_id,), False)]


async def test_a_whole_day_is_reminded_of_in_the_morning(office: Office):
    await office.say("明天团建")
    assert await reminders(office) == [("11-19 08:50", (MING.user_id,), False)]


async def test_a_series_is_reminded_of_from_its_next_time(office: Office):
    office.now = at("2026-11-18T14:55")
    await office.say("每周三下午三点开例会")
    assert await reminders(office) == [("11-25 14:50", (MING.user_id,), False)]


async def test_everybody_is_reminded_only_where_an_admin_asks(office: Office):
    await office.say("明天下午三点开会，提醒全体成员", intent="add")
    await office.say("后天下午三点聚餐，提醒全体成员", BOSS, intent="add")
    assert [flag for _, _, flag in await reminders(office)] == [False, True]


async def test_remind_before_is_configured(storage: Storage):
    office = Office(storage, schedule={"remind_before": 60})
    await office.say("明天下午三点开会")
    assert await reminders(office) == [("11-19 14:00", (MING.user_id,), False)]


async def test_pitfall_46_reminders_in_a_zone_that_is_not_ours(storage: Storage):
    zone = ZoneInfo("America/New_York")
    office = Office(storage, timezone="America/New_York")
    office.now = datetime(2026, 11, 18, 10, 0, tzinfo=zone)
    await office.say("明天下午三点开会")
    (kept,) = await office.live()
    assert (kept.plan.start, kept.plan.zone) == ("2026-11-19 15:00:00", "America/New_York")
    (due,) = await office.storage.reminders.of_item("schedule", kept.id)
    assert due.due_at == datetime(2026, 11, 19, 14, 50, tzinfo=zone).timestamp()


async def test_undo(office: Office):
    await office.say("明天下午三点开会")
    undone = await office.storage.changes.undo(GROUP, MING.user_id, NOW.timestamp())
    assert undone is not None
    assert "开会" in undone.summary
    assert await office.live() == []
    await office.say("周六下午团建")
    await office.say("取消团建", intent="delete")
    await office.storage.changes.undo(GROUP, MING.user_id, NOW.timestamp())
    assert await office.plans() == [("2026-11-21 14:00:00", "团建")]
    assert len(await reminders(office)) == 1


@pytest.mark.parametrize(
    ("kept", "text", "start"),
    [
        ("2026-11-19 15:00:00", "把明天的会改到四点", "2026-11-19 16:00:00"),
        ("2026-11-19 15:00:00", "明天的会改到九点", "2026-11-19 09:00:00"),
        ("2026-11-19 09:00:00", "明天的会改到八点半", "2026-11-19 08:30:00"),
        ("2026-11-19 19:00:00", "明天的会推迟到八点", "2026-11-19 20:00:00"),
        # 09:30 is past today (it is ten), not on the day of what is moved.
        ("2026-11-19 10:00:00", "把会提前到九点半", "2026-11-19 09:30:00"),
    ],
)
async def test_a_new_clock_is_the_one_nearest_to_the_old(office: Office, kept: str, text: str, start: str):
    await office.have((kept, "开会"))
    said = await office.say(text, intent="edit")
    assert said.status == "completed", said.text
    assert [each.plan.start for each in await office.live()] == [start]


async def test_a_new_clock_is_asked_where_nothing_tells_which(office: Office):
    await office.have(("2026-11-19 00:00:00", "开会"), segment="all_day")
    said = await office.say("把明天的会改到四点", intent="edit")
    assert said.status == "awaiting_user"
    assert "16:00" in said.text


async def test_leaving_what_is_named_by_its_time(office: Office):
    one, other = await office.have(("2026-11-19 15:00:00", "开会"), ("2026-11-20 15:00:00", "开会"))
    for text in ("参加明天的会", "参加周五的会"):
        assert (await office.say(text, HONG, intent="edit")).status == "completed"
    assert (await office.say("退出明天的会", HONG, intent="edit")).status == "completed"
    joined = {each.id: [member.user_id for member in each.joined] for each in await office.live()}
    assert joined == {one.id: [], other.id: [HONG.user_id]}


@pytest.mark.parametrize("text", ["篮球赛不打了，删了吧", "打球那个活动不要了", "周六的打球取消"])
async def test_what_other_words_name_is_found_and_asked_about(office: Office, text: str):
    await office.have(("2026-11-19 15:00:00", "开会"), ("2026-11-21 15:00:00", "周六打篮球"))
    said = await office.say(text, intent="delete")
    assert said.status == "awaiting_user", said.text
    assert "周六打篮球" in said.text
    await office.say("是的")
    assert [each.description for each in await office.live()] == ["开会"]


async def test_what_is_named_by_its_words_is_deleted_at_once(office: Office):
    await office.have(("2026-11-19 15:00:00", "开会"), ("2026-11-21 15:00:00", "周六打篮球"))
    assert (await office.say("删了明天那个会", intent="delete")).status == "completed"
    assert [each.description for each in await office.live()] == ["周六打篮球"]


@pytest.mark.parametrize(
    ("text", "place"),
    [("复盘会换到201", "201"), ("把复盘会改在操场", "操场"), ("复盘会地点改成线上", "线上")],
)
async def test_where_no_time_stands_behind_it_is_the_place_that_changes(
    office: Office, text: str, place: str
):
    await office.have(("2026-11-19 15:00:00", "复盘会"))
    assert (await office.say(text, intent="edit")).status == "completed"
    (kept,) = await office.live()
    assert (kept.description, kept.plan.place) == ("复盘会", place)


async def test_all_of_them_is_asked(office: Office):
    await office.have(("2026-11-19 15:00:00", "开会"), ("2026-11-20 15:00:00", "聚餐"))
    said = await office.say("取消所有日程", intent="delete")
    assert said.status == "awaiting_user"
    assert "开会" in said.text
    assert "聚餐" in said.text
    assert len(await office.live()) == 2


@pytest.mark.parametrize(
    ("text", "start"),
    [("例会推迟半小时", "2026-11-19 15:30:00"), ("把周四的例会改到五点", "2026-11-19 17:00:00")],
)
async def test_all_of_what_repeats_is_moved(office: Office, text: str, start: str):
    await office.say("每周四下午三点开例会")
    assert (await office.say(text, intent="edit")).status == "completed"
    assert [each.plan.start for each in await office.live()] == [start]
