"""Whole conversations by rules alone: what is asked, what the answers do, what is on disk then."""

from __future__ import annotations

from typing import Any

import pytest

from .tasks_support import ADMIN, HONG, MING, NOW, PRIVATE, Office, at, clause_of

# Lines of one member, each with what the reply holds; at the end what is kept (title, day, time, status).
DIALOGUES: dict[str, tuple[list[tuple[str, str]], list[str]]] = {
    "seed 1, example 1": (
        [("今天下午去买东西", "记下了：去买东西，2月5日（周四）下午")],
        ["去买东西 2026-02-05 afternoon pending"],
    ),
    "seed 1, example 2": (
        [("明天下午4点到5点去买东西", "记下了：去买东西，2月6日（周五）16:00–17:00")],
        ["去买东西 2026-02-06 16:00-17:00 pending"],
    ),
    "seed 1, example 3": (
        [("明天下午4点去买东西", "请问结束时间是几点？"), ("五点", "2月6日（周五）16:00–17:00")],
        ["去买东西 2026-02-06 16:00-17:00 pending"],
    ),
    "a clock of a later day is no end but another beginning": (
        [
            ("明天下午3点写报告", "请问结束时间是几点？"),
            ("后天下午3点", "2月7日（周六） 15:00提醒"),
        ],
        ["写报告 2026-02-07 afternoon pending"],
    ),
    "over midnight it may end on the next day": (
        [("明天晚上11点值班", "请问结束时间是几点？"), ("后天凌晨1点", "23:00–")],
        ["值班 2026-02-06 23:00-01:00 pending"],
    ),
    "two days are two tasks": (
        [("周五周日下午五点到六点提醒我健身", "2月8日（周日）17:00–18:00")],
        ["健身 2026-02-06 17:00-18:00 pending", "健身 2026-02-08 17:00-18:00 pending"],
    ),
    "two days, the end asked once": (
        [
            ("周五周日下午五点加班", "请问结束时间是几点？"),
            ("六点", "2月8日（周日）17:00–18:00"),
        ],
        ["加班 2026-02-06 17:00-18:00 pending", "加班 2026-02-08 17:00-18:00 pending"],
    ),
    "two days, one of them taken": (
        [
            ("周日下午五点到六点去银行", "记下了"),
            ("周五周日下午五点到六点去健身", "去银行"),
            ("好", "2月8日（周日）17:00–18:00"),
        ],
        [
            "去健身 2026-02-06 17:00-18:00 pending",
            "去银行 2026-02-08 17:00-18:00 pending",
            "去健身 2026-02-08 17:00-18:00 pending",
        ],
    ),
    "the end as so long": (
        [("明天下午4点去买东西", "请问结束时间是几点？"), ("一个半小时", "16:00–17:30")],
        ["去买东西 2026-02-06 16:00-17:30 pending"],
    ),
    "the end as a range": (
        [("明天下午4点去买东西", "请问结束时间是几点？"), ("4点到6点", "16:00–18:00")],
        ["去买东西 2026-02-06 16:00-18:00 pending"],
    ),
    "no end is known": (
        [("明天下午4点去买东西", "请问结束时间是几点？"), ("不知道", "2月6日（周五） 16:00提醒")],
        ["去买东西 2026-02-06 afternoon pending"],
    ),
    "an end that is none": (
        [
            ("明天下午4点去买东西", "请问结束时间是几点？"),
            ("下午3点", "请问结束时间是几点"),
            ("算了", "不记"),
        ],
        [],
    ),
    "past segment, the offer taken": (
        [("今天早上去银行", "今天早上已经过了"), ("好的", "2月6日（周五）早上")],
        ["去银行 2026-02-06 morning pending"],
    ),
    "past segment, another time": (
        [("今天早上去银行", "今天早上已经过了"), ("今天下午吧", "2月5日（周四）下午")],
        ["去银行 2026-02-05 afternoon pending"],
    ),
    "past segment, no": (
        [("今天早上去银行", "已经过了"), ("不要", "什么时候"), ("后天", "2月7日（周六）早上")],
        ["去银行 2026-02-07 morning pending"],
    ),
    "am or pm": (
        [("3点到4点去买菜", "下午（15:00）"), ("下午", "15:00–16:00")],
        ["去买菜 2026-02-05 15:00-16:00 pending"],
    ),
    "am, that is past by now": (
        [("3点到4点去买菜", "下午（15:00）"), ("凌晨", "已经过了"), ("好", "2月6日（周五）03:00–04:00")],
        ["去买菜 2026-02-06 03:00-04:00 pending"],
    ),
    "a day that is none": (
        [("2月30号交房租", "2月没有30日"), ("2月28号", "2月28日（周六）")],
        ["交房租 2026-02-28 all_day pending"],
    ),
    "a conflict confirmed": (
        [
            ("明天下午4点到5点买菜", "记下了"),
            ("明天下午4点半到6点跑步", "还要记吗"),
            ("是", "记下了：跑步"),
        ],
        ["买菜 2026-02-06 16:00-17:00 pending", "跑步 2026-02-06 16:30-18:00 pending"],
    ),
    "a conflict refused": (
        [("明天下午4点到5点买菜", "记下了"), ("明天下午4点半到6点跑步", "还要记吗"), ("不建了", "不记")],
        ["买菜 2026-02-06 16:00-17:00 pending"],
    ),
    "a conflict moved": (
        [
            ("明天下午4点到5点买菜", "记下了"),
            ("明天下午4点半到5点半跑步", "还要记吗"),
            ("改到五点到六点", "2月6日（周五）17:00–18:00"),
        ],
        ["买菜 2026-02-06 16:00-17:00 pending", "跑步 2026-02-06 17:00-18:00 pending"],
    ),
    "a conflict moved into the next": (
        [
            ("明天下午4点到5点买菜", "记下了"),
            ("明天下午4点半到5点半跑步", "还要记吗"),
            ("改到四点到六点", "还要记吗"),
            ("算了", "不记"),
        ],
        ["买菜 2026-02-06 16:00-17:00 pending"],
    ),
    "the same thing twice": (
        [("明天下午买菜", "记下了"), ("明天下午买菜", "还要再记一个吗"), ("不用", "不记")],
        ["买菜 2026-02-06 afternoon pending"],
    ),
    "a deletion is confirmed": (
        [("明天下午买菜", "记下了"), ("删掉买菜", "要删掉这个任务吗"), ("好的", "删掉了：「买菜」")],
        [],
    ),
    "a deletion is not confirmed": (
        [("明天下午买菜", "记下了"), ("删掉买菜", "要删掉这个任务吗"), ("不", "没删")],
        ["买菜 2026-02-06 afternoon pending"],
    ),
    "several hits": (
        [
            ("明天下午买菜", "记下了"),
            ("后天下午买菜", "记下了"),
            ("删掉买菜", "2. 买菜，2月7日（周六）下午"),
            ("第二个", "2月7日（周六）下午"),
            ("删吧", "删掉了"),
        ],
        ["买菜 2026-02-06 afternoon pending"],
    ),
    "a number": (
        [("明天下午买菜", "记下了"), ("后天下午买菜", "记下了"), ("完成买菜", "1. "), ("2", "打勾了")],
        ["买菜 2026-02-06 afternoon pending", "买菜 2026-02-07 afternoon completed"],
    ),
    "names beyond today": (
        [("3月20号交税", "记下了"), ("把交税改到3月21号", "改好了：交税，3月21日（周六）全天")],
        ["交税 2026-03-21 all_day pending"],
    ),
    "moved into a conflict": (
        [
            ("明天下午4点到5点买菜", "记下了"),
            ("后天下午4点到5点跑步", "记下了"),
            ("把跑步改到明天", "还要改吗"),
            ("不", "没改"),
        ],
        ["买菜 2026-02-06 16:00-17:00 pending", "跑步 2026-02-07 16:00-17:00 pending"],
    ),
    "moved, its length kept": (
        [("明天下午4点到5点半买菜", "记下了"), ("把买菜改到五点", "2月6日（周五）17:00–18:30")],
        ["买菜 2026-02-06 17:00-18:30 pending"],
    ),
    "a deletion is confirmed in other words": (
        [("明天下午买菜", "记下了"), ("删掉买菜", "要删掉这个任务吗"), ("确认删除", "删掉了")],
        [],
    ),
    "a deletion is confirmed by its verb": (
        [("明天下午买菜", "记下了"), ("不用买菜了", "要删掉这个任务吗"), ("好的，删了吧", "删掉了")],
        [],
    ),
    "done, said of the task": (
        [("明天下午买菜", "记下了"), ("完成买菜的任务", "打勾了")],
        ["买菜 2026-02-06 afternoon completed"],
    ),
    "done, said as an order": (
        [("明天下午交房租", "记下了"), ("完成交房租", "打勾了")],
        ["交房租 2026-02-06 afternoon completed"],
    ),
    "done, said in other words": (
        [("提醒我明天下午交房租", "提醒你"), ("周五给妈妈打电话", "记下了"), ("房租已经交了", "打勾了")],
        ["交房租 2026-02-06 afternoon completed", "给妈妈打电话 2026-02-06 all_day pending"],
    ),
    "all of them, though one was shown last": (
        [
            ("创建任务：买菜", "记下了"),
            ("创建任务：洗车", "记下了"),
            ("把任务都删了", "买菜"),
            ("确定", "删掉了"),
        ],
        [],
    ),
    "what is done is cleared away": (
        [
            ("明天下午买菜", "记下了"),
            ("明天上午洗车", "记下了"),
            ("买菜做完了", "打勾了"),
            ("把已完成的任务删了", "买菜"),
            ("是的", "删掉了"),
        ],
        ["洗车 2026-02-06 forenoon pending"],
    ),
    "changed, the verb before the thing": (
        [("明天下午买菜", "记下了"), ("更改买菜到后天", "2月7日"), ("改一下买菜的时间，后天上午", "上午")],
        ["买菜 2026-02-07 forenoon pending"],
    ),
    "put off": (
        [("明天下午买菜", "记下了"), ("买菜先放到后天", "2月7日"), ("买菜往后推一天", "2月8日")],
        ["买菜 2026-02-08 afternoon pending"],
    ),
    "a longer time is no later one": (
        [("明天下午3点到4点买菜", "记下了"), ("买菜延长半小时", "改成什么"), ("三点到四点半", "15:00–16:30")],
        ["买菜 2026-02-06 15:00-16:30 pending"],
    ),
    "renamed, noted, ranked": (
        [
            ("明天下午买菜", "记下了"),
            ("降低买菜的优先级", "低优先级"),
            ("买菜这个任务备注一下：要两斤肉", "备注：要两斤肉"),
            ("买菜标题改成给全家买菜", "给全家买菜"),
        ],
        ["给全家买菜 2026-02-06 afternoon pending"],
    ),
    "moved by an hour": (
        [("明天下午4点到5点买菜", "记下了"), ("买菜推迟一小时", "17:00–18:00")],
        ["买菜 2026-02-06 17:00-18:00 pending"],
    ),
    "a segment made a range": (
        [("明天下午买菜", "记下了"), ("把买菜改到明天下午5点到6点", "17:00–18:00")],
        ["买菜 2026-02-06 17:00-18:00 pending"],
    ),
    "a range made a segment": (
        [("明天下午5点到6点买菜", "记下了"), ("把买菜改到后天上午", "2月7日（周六）上午")],
        ["买菜 2026-02-07 forenoon pending"],
    ),
    "moved into the past": (
        [("明天下午买菜", "记下了"), ("把买菜改到今天早上", "已经过了"), ("算了", "没改")],
        ["买菜 2026-02-06 afternoon pending"],
    ),
    "a lone clock for a segment": (
        [("明天下午买菜", "记下了"), ("把买菜改到下午5点", "2月6日（周五） 17:00提醒")],
        ["买菜 2026-02-06 afternoon pending"],
    ),
    "renamed": (
        [("明天下午买菜", "记下了"), ("把买菜改成买水果", "改好了：买水果")],
        ["买水果 2026-02-06 afternoon pending"],
    ),
    "nothing like it": (
        [("明天下午买菜", "记下了"), ("删掉去月球", "没找到「去月球」"), ("算了", "没删")],
        ["买菜 2026-02-06 afternoon pending"],
    ),
    "nothing at all": ([("删掉去月球", "没找到「去月球」")], []),
    "a reminder without a time": (
        [("提醒我喝水", "什么时候提醒你"), ("下午3点", "15:00提醒")],
        ["喝水 2026-02-05 afternoon pending"],
    ),
    "a reminder moved, which says 提醒": (
        [
            ("提醒我今天下午3点吃药", "提醒你"),
            ("把提醒吃药的时间改成晚上9点", "改好了：吃药，2月5日（周四） 21:00提醒"),
        ],
        ["吃药 2026-02-05 evening pending"],
    ),
    "a new task with a word of changing beside it": (
        [
            ("明天下午买菜", "记下了"),
            ("明天上午9点到11点写代码，提前半小时提醒我", "9:00–11:00 08:30提醒"),
            ("后天写周报，优先级高", "记下了：写周报"),
        ],
        [
            "买菜 2026-02-06 afternoon pending",
            "写代码 2026-02-06 09:00-11:00 pending",
            "写周报 2026-02-07 all_day pending",
        ],
    ),
    "all of a day": (
        [
            ("明天上午洗车", "记下了"),
            ("明天下午买菜", "记下了"),
            ("明天的任务都完成了", "「洗车」、「买菜」"),
        ],
        ["洗车 2026-02-06 forenoon completed", "买菜 2026-02-06 afternoon completed"],
    ),
}  # fmt: skip


# What the rules leave to the order of the agents; here they are said to this one.
INTENTS = {"完成买菜": "complete_task", "明天的任务都完成了": "complete_task"}


async def kept(office: Office) -> list[str]:
    found: list[str] = []
    for one in await office.all():
        time = f"{one['startTime']}-{one['endTime']}" if one["startTime"] else one["timeSegment"]
        found.append(f"{one['title']} {one['dueDate']} {time} {one['status']}")
    return found


@pytest.mark.parametrize("name", DIALOGUES)
async def test_dialogue(name: str, office: Office) -> None:
    lines, rows = DIALOGUES[name]
    for text, expected in lines:
        said = await office.say(text, intent=INTENTS.get(text))
        assert expected in said.text, (text, said.text)
        assert (said.status == "awaiting_user") is bool(said.result.missing_slots)
    assert await kept(office) == rows


async def test_what_is_said_is_noted_as_done(office: Office) -> None:
    """Every executed tool is an action with its arguments, and only those."""
    assert (await office.say("明天下午4点去买东西")).context.actions == []
    made = (await office.say("五点")).context.actions
    assert [action.tool for action in made] == ["create_task"]
    assert made[0].arguments == {
        "title": "去买东西",
        "dueDate": "2026-02-06",
        "startTime": "16:00",
        "endTime": "17:00",
        "priority": "medium",
    }
    assert made[0].result == (await office.all())[0]


@pytest.mark.parametrize(
    "line",
    [
        "明天五点我要去机场",
        "今天好累",
        "哈哈哈",
        "第二个笑话不好笑",
        "他说的是五点吗",
        "中午吃什么",
        "五点三十块钱",
        "我要睡到五点再起床",
    ],
)
@pytest.mark.parametrize("order", ["明天下午4点去买东西", "今天早上去银行", "删掉买菜"])
async def test_pitfall_43_another_line_is_no_answer(office: Office, order: str, line: str) -> None:
    from nonebot_plugin_mishu.agents.tasks.answering import answers

    await office.say("后天下午买菜")
    assert (await office.say(order)).status == "awaiting_user"
    (frame,) = office.frames.values()
    assert answers(frame, clause_of(line)) is None


async def test_a_repeated_order_makes_nothing_twice(office: Office) -> None:
    first = await office.say("明天下午买菜", origin="g:1:0")
    again = await office.say("明天下午买菜", origin="g:1:0")
    assert first.text == again.text
    assert len(await office.all()) == 1


async def test_pitfall_50_numbers_stand_for_what_was_shown(office: Office) -> None:
    for text in ("明天上午洗车", "明天下午买菜", "后天写周报"):
        await office.say(text)
    listed = await office.say("我的任务有哪些")
    assert "1. 洗车" in listed.text
    assert "3. 写周报" in listed.text
    await office.say("今天下午取快递", by=HONG)
    assert "「洗车」" in (await office.say("完成第一个")).text
    # The list has not been shown again: the second is what stood there second.
    assert "「买菜」" in (await office.say("完成第二个")).text
    assert "没有这个编号" in (await office.say("完成第九个")).text


async def test_ids_are_never_used_again(office: Office) -> None:
    await office.say("明天下午买菜")
    await office.say("删掉买菜")
    await office.say("好的")
    await office.say("明天下午买菜")
    assert [one["id"] for one in await office.all()] == [2]


async def test_a_list_of_one_segment(office: Office) -> None:
    await office.say("今天下午买菜")
    await office.say("后天写周报，优先级高")
    assert "未完成的任务（2个）" in (await office.say("我的任务有哪些", intent="query_tasks")).text
    assert "写周报" not in (await office.say("今天有什么任务", intent="query_tasks")).text
    high = await office.say("高优先级的任务", intent="query_tasks")
    assert "写周报" in high.text
    assert "买菜" not in high.text
    assert "你没有已完成的任务" in (await office.say("已完成的任务", intent="query_tasks")).text


async def test_one_that_repeats_goes_on(office: Office) -> None:
    await office.say("每天晚上8点到9点跑步")
    assert "下一次是2月6日（周五）" in (await office.say("跑步完成了")).text
    (row,) = await office.all()
    assert (row["status"], row["dueDate"]) == ("pending", "2026-02-06")


async def test_what_is_private_shows_in_no_group(office: Office) -> None:
    await office.say("明天下午4点到5点看医生", where=PRIVATE)
    assert "看医生" not in (await office.say("我的任务有哪些")).text
    conflict = await office.say("明天下午4点到5点买菜")
    assert "冲突" in conflict.text
    assert "看医生" not in conflict.text


async def test_authority(office: Office) -> None:
    await office.say("明天下午买菜", by=MING)
    assert "「买菜」是小明的任务" in (await office.say("删掉买菜", by=HONG)).text
    office.frames.clear()
    assert (await office.all())[0]["status"] == "pending"
    from nonebot_plugin_mishu.agents import Mention

    ming = (Mention(MING.user_id, "小明"),)
    # An admin who names the member changes it, anybody else does not.
    said = await office.say("把买菜改到后天上午", by=HONG, mentions=ming)
    assert said.tools == []
    office.frames.clear()
    said = await office.say("把买菜改到后天上午", by=ADMIN, mentions=ming)
    assert said.tools == ["update_task"]


async def test_only_who_is_mentioned_is_assigned(office: Office) -> None:
    from nonebot_plugin_mishu.agents import Mention

    said = await office.say("提醒 明天下午3点交报告", mentions=(Mention(HONG.user_id, "小红"),))
    assert said.text == "好，2月6日（周五） 15:00提醒小红交报告"
    (row,) = await office.all(HONG.user_id)
    assert (row["owner"], row["creator"]) == (HONG.user_id, MING.user_id)
    said = await office.say("提醒小红明天下午4点交报告")
    assert "没找到叫「小红」" in said.text, "a name that nobody here has is nobody's task"
    assert await office.all() == []
    assert (await office.say("好的")).text == "好，2月6日（周五） 16:00提醒你叫小红交报告"
    assert (await office.all())[0]["owner"] == MING.user_id
    # Who made it may change it, and so may its owner.
    assert (await office.say("交报告完成了", by=HONG)).tools == ["complete_task"]


async def test_reminders_are_put_and_dropped(office: Office) -> None:
    await office.say("提醒我下午3点喝水")
    due = await waiting(office)
    assert [(one.text, one.due_at, one.user_ids) for one in due] == [
        ("提醒：喝水", at("2026-02-05T15:00").timestamp(), ("30001",))
    ]
    await office.say("把喝水改到下午4点")
    assert [one.due_at for one in await waiting(office)] == [at("2026-02-05T16:00").timestamp()]
    await office.say("喝水完成了")
    assert await waiting(office) == []


async def waiting(office: Office) -> list[Any]:
    from nonebot_plugin_mishu.storage.reminders.tables import reminder
    from sqlalchemy import select

    async def look(connection: Any) -> list[Any]:
        rows = await connection.execute(select(reminder).where(reminder.c.state == "waiting"))
        return [row for row in rows]

    rows = await office.storage._database.read(look)
    for row in rows:
        assert row.zone == "Asia/Shanghai"
    return [_Row(row) for row in rows]


class _Row:
    def __init__(self, row: Any) -> None:
        self.text, self.due_at, self.user_ids = row.text, row.due_at, tuple(row.user_ids)


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("10分钟后提醒我关火", None),
        ("明天下午4点交材料，提前10分钟提醒我", "16:00开始"),
        ("下午4点前交报告", "16:00前"),
        ("周末大扫除", "2月7日（周六）到2月8日（周日）"),
        ("明天上午去银行，备注：带身份证", "带身份证"),
    ],
)
async def test_what_fits_no_field_stands_in_the_description(
    office: Office, text: str, description: str | None
) -> None:
    await office.say(text, intent="create_task")
    assert [row["description"] for row in await office.all()] == [description]


async def test_a_change_can_be_undone(office: Office) -> None:
    await office.say("明天下午买菜")
    await office.say("把买菜改到后天上午")
    undone = await office.storage.changes.undo(
        (await office.say("我的任务有哪些")).context.conversation, MING.user_id, NOW.timestamp()
    )
    assert undone is not None
    assert (await kept(office)) == ["买菜 2026-02-06 afternoon pending"]
