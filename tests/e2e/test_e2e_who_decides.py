"""Who decides, row by row: the rules where they are sure, one call where they are not, and whatever the model
answers, nothing is stored or said that nobody said."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from default_run import first
from model_server import Completion, ModelServer, Request, failure, hang, html, tool_calls

from .harness import Held, Member, analysis, cooled, observing
from .test_e2e_decision import frame, parsed, written
from .test_e2e_schedules import schedules, single
from .test_e2e_tasks import CLOCK as CLOCK
from .test_e2e_tasks import Talk, when
from .test_e2e_tasks import talk as talk

pytestmark = pytest.mark.exhaustive

BOT = {"MISHU__LLM__TIMEOUT": 6, "MISHU__LLM__DECIDE_TIMEOUT": 1.5}

BESIDE = ("check_safety",)
"""Asked at the same time as the one call, not before or after it."""


def calls(model: ModelServer) -> list[str]:
    """The calls that stood between a line and its reply, one after the other."""
    return [name for name in model.names if name not in BESIDE]


def known(request: Request, kind: str, word: str) -> str:
    """The id of the thing of the world whose title holds a word, as the prompt gave it."""
    return next(row["id"] for row in request.data["world"][kind] if word in row["title"])


async def badminton(talk: Talk, who: Member) -> None:
    assert "记下了" in await talk.order(who, "添加日程：明天晚上七点羽毛球")


async def reviews(talk: Talk, who: Member) -> None:
    assert "记下了" in await talk.order(who, "添加日程：周一下午两点客户评审")
    assert "记下了" in await talk.order(who, "添加日程：周一下午四点内部评审")


async def call_mum(talk: Talk, who: Member) -> None:
    assert "给妈打电话" in await talk.order(who, "提醒我今天晚上七点给妈打电话")


# -- sure: done, no model --------------------------------------------------------------------------------

SURE = [
    ("添加日程：明天下午三点开会", "记下了"),
    ("提醒我明天早上8点吃药", "吃药"),
    ("午饭35，打车20", "35"),
    ("这周有什么日程", "日程"),
    ("我今天有什么任务", "任务"),
    ("这个月花了多少", "账"),
    ("谁说过报销", "没找到"),
    ("撤销", "撤销"),
]


@first(1)
@pytest.mark.parametrize(("order", "told"), SURE)
async def test_what_the_rules_are_sure_of_asks_no_model(
    talk: Talk, model: ModelServer, order: str, told: str
) -> None:
    model.always("*", hang())
    assert told in await talk.order(talk.room.member("小明"), order)
    await talk.settle()
    assert model.names == []


# -- not sure, a model there: one call with the line, the reading and the world ---------------------------


async def test_one_call_names_a_thing_by_its_id_and_the_grammar_gives_the_value(
    talk: Talk, model: ModelServer
) -> None:
    ming = talk.room.member("小明")
    await call_mum(talk, ming)
    model.requests.clear()
    line = "我妈那个电话整十点吧 她要追剧"

    def heard(request: Request) -> dict[str, Any]:
        ref = known(request, "tasks", "妈")
        return parsed(frame("tasks", "update_task", "整十点吧", ref=ref, startTime="十点"))

    model.always("parse_intents", heard)
    told = await talk.order(ming, line)
    assert "22:00" in told, told  # ten of an evening's task, and in the morning of a Friday at ten it is past
    assert calls(model) == ["parse_intents"]
    data = model.last("parse_intents").data
    assert data["text"] == line
    assert data["reading"]["frames"][0]["agent_code"] == "tasks"
    assert [row["title"] for row in data["world"]["tasks"]] == ["给妈打电话"]
    assert str(ming.user_id) not in json.dumps({**data, "user": ""}, ensure_ascii=False)
    assert "22:00" in str((await talk.only(ming))["remindAt"])


async def test_an_ambiguous_reference_costs_one_call_and_is_a_numbered_question(
    talk: Talk, model: ModelServer
) -> None:
    ming = talk.room.member("小明")
    await reviews(talk, ming)
    model.requests.clear()

    def several(request: Request) -> dict[str, Any]:
        ids = ",".join(row["id"] for row in request.data["world"]["schedules"])
        return parsed(frame("schedule", "edit", "评审", ref=ids, new_time="下周三上午十点"))

    model.always("parse_intents", several)
    asked = await talk.order(ming, "评审那茬整到下周三上午十点")
    assert "1. " in asked, asked
    assert "2. " in asked
    assert calls(model) == ["parse_intents"]
    model.always("*", hang())
    assert "客户评审" in await talk.answer(ming, "第一个")
    found = {row["description"]: row["time"] for row in await schedules(talk)}
    assert found == {"客户评审": "2027-02-10 10:00:00", "内部评审": "2027-02-08 16:00:00"}


async def test_a_model_that_asks_which_one_leaves_the_rules_their_list(
    talk: Talk, model: ModelServer
) -> None:
    ming = talk.room.member("小明")
    await reviews(talk, ming)
    ask = {"op": "clarify", "frame": None, "slot": None, "value": "客户的还是内部的呀？"}
    model.always("parse_intents", parsed(ops=[ask]))
    model.requests.clear()
    asked = await talk.order(ming, "评审那茬整到下周三上午十点")
    assert "1. " in asked, asked
    assert calls(model) == ["parse_intents"]


async def test_a_frame_that_lacks_something_costs_one_call_more(talk: Talk, model: ModelServer) -> None:
    """`extract_info` for the values that the frame leaves open, and nothing after it."""
    ming = talk.room.member("小明")
    model.always("parse_intents", parsed(frame("schedule", "add", "往日程旮旯里撂一条明天下午三点开会呐哈")))
    found = {"old_time": "", "old_description": "", "new_time": "2027-02-06 15:00:00"}
    candidate = {"intent": "add", "need_confirm": False, **found, "new_description": "开会"}
    model.always("extract_info", {"candidates": [candidate]})
    assert "记下了" in await talk.order(ming, "往日程旮旯里撂一条明天下午三点开会呐哈")
    assert calls(model) == ["parse_intents", "extract_info"]
    assert (await single(talk))["description"] == "开会"


# -- not sure, a model that lies --------------------------------------------------------------------------

UNSURE = "把羽毛球那茬嘎到八点"
BOSS = "总统府"


def lies(**slots: str) -> Callable[[Request], Any]:
    return lambda request: parsed(
        frame("schedule", "edit", UNSURE, **{"ref": known(request, "schedules", "羽毛球"), **slots})
    )


LIES: dict[str, Any] = {
    "an id": lies(ref="999", new_time="八点"),
    "an id of another agent": lambda request: parsed(frame("tasks", "delete_task", UNSURE, ref="1")),
    "a time": lies(new_time="2027-03-01 09:00:00"),
    "a name": lies(new_time="八点", new_description=f"{BOSS}开会"),
    "a member": lies(new_time="八点", member="李白"),
    "an agent": parsed(frame("root", "delete_everything", UNSURE)),
    "a consent": parsed(ops=[{"op": "confirm", "frame": "t999", "slot": None, "value": None}]),
    "another frame": parsed(frame("tasks", "create_task", f"给{BOSS}打电话", title=f"给{BOSS}打电话")),
    "nothing": parsed(),
    "an empty string": "",
    "prose": f"好的呀，羽毛球改到{BOSS}了，已经帮你办好。",
    "English": "Sure! I have moved badminton to 8 pm for you.",
    "a web page": html(),
    "an error": failure(500, "internal"),
    "too late": hang(),
}


@first(1)
@pytest.mark.parametrize("kind", LIES)
async def test_whatever_a_model_makes_up_the_reading_of_the_rules_is_asked_about(
    talk: Talk, model: ModelServer, kind: str
) -> None:
    """The badminton stays where it is or goes where its member said, after a question or by what was said;
    nothing else is written and nothing made up is said."""
    ming = talk.room.member("小明")
    await badminton(talk, ming)
    before = written(talk.room, talk.bot)
    model.always("parse_intents", LIES[kind])
    model.always("chat_reply", f"好的，已经把羽毛球改到{BOSS}了。")
    told = await talk.order(ming, UNSURE)
    assert BOSS not in told
    assert "moved" not in told
    row = await single(talk)
    assert row["description"] == "羽毛球"
    assert row["time"] in ("2027-02-06 19:00:00", "2027-02-06 20:00:00")
    assert ("改好了" in told) is (row["time"] == "2027-02-06 20:00:00"), told
    after = written(talk.room, talk.bot)
    assert after["mishu_task"] == before["mishu_task"] == []
    assert after["mishu_transaction"] == []
    if row["time"] == "2027-02-06 19:00:00":
        assert "吗？" in told, told
        assert "20:00" in told
        model.always("*", hang())
        assert "20:00" in await talk.answer(ming, "嗯")
        assert (await single(talk))["time"] == "2027-02-06 20:00:00"


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda text: f"```json\n{text}\n```",
        lambda text: f"好的，结果如下：\n```\n{text}\n```\n以上是解析结果。",
        lambda text: f"<think>羽毛球……</think>{text}",
    ],
    ids=["fence", "prose and fence", "thoughts"],
)
async def test_a_right_answer_in_a_wrapping_is_taken(
    talk: Talk, model: ModelServer, wrapped: Callable[[str], str]
) -> None:
    ming = talk.room.member("小明")
    await badminton(talk, ming)

    def heard(request: Request) -> Completion:
        ref = known(request, "schedules", "羽毛球")
        answer = parsed(frame("schedule", "edit", UNSURE, ref=ref, new_time="八点"))
        return Completion(wrapped(json.dumps(answer, ensure_ascii=False)))

    model.always("parse_intents", heard)
    assert "20:00" in await talk.order(ming, UNSURE)
    assert (await single(talk))["time"] == "2027-02-06 20:00:00"


async def test_what_belongs_to_somebody_else_is_not_touched(talk: Talk, model: ModelServer) -> None:
    """Another member's task is not in the world; its id, guessed, is refused; a plan of another's is shown
    but not changed."""
    ming, hong = talk.room.members("小明", "小红")
    await call_mum(talk, hong)
    [theirs] = await talk.tasks(hong)
    await badminton(talk, hong)

    def grasps(request: Request) -> dict[str, Any]:
        assert request.data["world"]["tasks"] == []
        return parsed(
            frame("tasks", "delete_task", "给妈打电话那茬嘎掉", ref=str(theirs["id"])),
            frame("schedule", "edit", UNSURE, ref=known(request, "schedules", "羽毛球"), new_time="八点"),
        )

    model.always("parse_intents", grasps)
    model.always("manage_tasks", tool_calls(("delete_task", {"taskId": theirs["id"]})))
    told = await talk.order(ming, f"给妈打电话那茬嘎掉，{UNSURE}")
    assert "小红" in told, told
    await talk.say(ming, "确认")
    await talk.settle()
    assert await talk.tasks(hong) == [theirs]
    assert (await single(talk))["time"] == "2027-02-06 19:00:00"


async def test_an_order_for_a_member_nobody_knows_is_nobodys(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    line = "遛狗的事儿整到明天下午五点到六点"
    slots = {"title": "遛狗", "dueDate": "明天", "startTime": "五点", "endTime": "六点"}
    model.always("parse_intents", parsed(frame("tasks", "create_task", line, member="李白", **slots)))
    told = await talk.order(ming, line)
    assert "李白" not in told
    model.always("*", hang())
    if "吗" in told:
        await talk.answer(ming, "对")
    task = await talk.only(ming)
    assert task["title"].startswith("遛狗")
    assert when(task) == ("2027-02-06", "17:00", "18:00", None)
    assert task["owner"] == task["creator"]


async def test_a_sum_that_nobody_named_is_not_booked(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    item = {"amount": 9999, "type": "INCOME", "category": "彩票", "description": "中奖", "date": "2027-01-01"}
    line = "午饭那啥嘎了俩 记上呗"
    model.always("parse_intents", parsed(frame("bookkeeping", "record", line, amount="9999")))
    model.always("parse_transactions", {"items": [item]})
    model.always("chat_reply", "好的，已经记了9999元。")
    told = await talk.order(ming, line)
    await talk.say(ming, "确认")
    await talk.settle()
    assert "9999" not in told
    assert written(talk.room, talk.bot)["mishu_transaction"] == []


# -- not sure, none good: talk -----------------------------------------------------------------------------


async def test_talk_costs_one_round_trip_and_its_decision_is_stored(talk: Talk, model: ModelServer) -> None:
    ming = talk.room.member("小明")
    judged = {"reply_strategy": "接话", "topic": "羊驼", "reply_target": "u1", "should_reply": True}
    flags = {"is_questioned": True, "is_interesting": False}
    model.always("chat_reply", json.dumps({**judged, **flags, "reply": "算骆驼。"}, ensure_ascii=False))
    said = await talk.room.call(ming, "你说羊驼算羊还是算骆驼")
    assert (await talk.room.expect(quoting=said)).text.strip() == "算骆驼。"
    assert calls(model) == ["chat_reply"]
    await talk.api.until_free(talk.room)
    decision = await talk.api.decision_of(talk.room, said.id)
    assert decision["should_reply"] is True
    assert decision["calls"] == ["chat_reply"]


@first(2)
@pytest.mark.parametrize(
    "answer", ["", "（无需回复）", "已经帮你记下了", "I've added it to your calendar.", html(), hang()]
)
async def test_talk_is_answered_whatever_the_model_says(talk: Talk, model: ModelServer, answer: Any) -> None:
    model.always("chat_reply", answer)
    told = await talk.order(talk.room.member("小明"), "你说羊驼算羊还是算骆驼")
    assert told
    assert "记好" not in told
    assert "calendar" not in told
    kept = written(talk.room, talk.bot)
    assert not any(rows for table, rows in kept.items() if table != "mishu_frame")  # that one is talk


async def test_work_and_talk_in_one_line_the_work_is_done_and_told_by_code(
    talk: Talk, model: ModelServer
) -> None:
    model.always("chat_reply", "好呀，药和会都帮你记下了，还通知了小红。")
    ming = talk.room.member("小明")
    told = await talk.order(ming, "提醒我明天早上8点吃药，另外讲个笑话")
    assert "吃药" in told
    assert "小红" not in told
    assert len(await talk.tasks(ming)) == 1


# -- not sure, no model to be had: asked back ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "time"),
    [
        ("嗯", "2027-02-06 20:00:00"),
        ("不用", "2027-02-06 19:00:00"),
        ("不是", "2027-02-06 19:00:00"),
        ("改九点", "2027-02-06 21:00:00"),
    ],
)
async def test_without_an_answer_of_a_model_one_question_is_asked(
    talk: Talk, model: ModelServer, answer: str, time: str
) -> None:
    ming = talk.room.member("小明")
    await badminton(talk, ming)
    model.always("*", failure(404, "no such model"))
    assert (await talk.order(ming, UNSURE)).startswith("要把「羽毛球」改到2月6日 周六 20:00吗？")
    assert (await single(talk))["time"] == "2027-02-06 19:00:00"
    await talk.answer(ming, answer)
    assert (await single(talk))["time"] == time


# -- what is heard while nobody is called -------------------------------------------------------------------


async def test_no_summons_waits_for_a_look_at_talk(talk: Talk, model: ModelServer) -> None:
    hong = talk.room.member("小红")
    ming = await observing(talk.room, talk.api)
    model.always("analyze_conversation", held := Held(parsed()))
    await talk.say(hong, "昨天那家火锅真不错，下次还去")
    await held.entered()
    model.always("chat_reply", "在的。")
    assert await talk.order(ming, "你觉得呢，说两句") == "在的。"
    held.release()


async def test_talk_beside_a_question_nobody_asked_for_costs_one_call(talk: Talk, model: ModelServer) -> None:
    """The rules hear all that its member goes on to say; a model hears one line of it."""
    ming = await observing(talk.room, talk.api)
    model.always("extract_info", {"candidates": []})
    model.always("check_intent", {"intent": "irrelevant"})
    assert "吗" in await talk.answer(ming, "周六晚上7点大家一起吃火锅")
    model.requests.clear()
    for words in ("加油鸭", "辞职信写好三个月了 还在草稿箱", "拉个会吧你俩", "今年过年没回家"):
        await talk.say(ming, words)
        await talk.settle()
    asked = [name for name in model.names if name != "analyze_conversation"]
    assert asked in (["check_intent"], []), asked
    assert "记下了" in await talk.answer(ming, "好 记吧")


async def test_what_an_analysis_hears_as_said_to_us_goes_the_way_of_an_order(
    talk: Talk, model: ModelServer
) -> None:
    """Unaddressed, just after our reply, and the rules are not sure: the look says that it is for us, one
    call says what it is."""
    ming = talk.room.member("小明")
    await call_mum(talk, ming)
    await cooled(talk.room, talk.api)
    model.requests.clear()
    model.always("analyze_conversation", analysis(should_reply=True, is_questioned=True))

    def heard(request: Request) -> dict[str, Any]:
        ref = known(request, "tasks", "妈")
        return parsed(frame("tasks", "update_task", "整10点吧", ref=ref, startTime="10点"))

    model.always("parse_intents", heard)
    model.always("chat_reply", "好的，已经改到十点了。")
    assert "22:00" in await talk.answer(ming, "刚才那个整10点吧 她要追剧")
    assert "22:00" in str((await talk.only(ming))["remindAt"])
    assert calls(model) == ["analyze_conversation", "parse_intents"]


async def test_an_analysis_that_hears_an_order_in_talk_has_nothing_done(
    talk: Talk, model: ModelServer
) -> None:
    ming = await observing(talk.room, talk.api)
    model.always("analyze_conversation", analysis(should_reply=True, is_questioned=True))
    model.always("chat_reply", "好的，已经帮你记下了。")
    await talk.say(ming, "昨天那家火锅真不错，下次还去")
    await talk.settle()
    assert not any(rows for table, rows in written(talk.room, talk.bot).items() if table != "mishu_frame")
    assert all("已经帮你" not in sent.text for sent in talk.room.left())


async def test_an_offer_in_a_reply_to_the_room_is_taken_up_by_its_member(
    talk: Talk, model: ModelServer
) -> None:
    """Nobody called us: a look says that somebody is to be answered, the reply offers, 好的 记吧 does it."""
    ming = await observing(talk.room, talk.api)
    hong = talk.room.member("小红")
    model.always("analyze_conversation", analysis(should_reply=True, is_questioned=True))
    model.answer("chat_reply", tool_calls(("offer", {"order": "明天早上八点提醒我复查"})))
    model.always("chat_reply", "要我明天早上八点提醒你复查吗？")
    asked = await talk.say(ming, "复查我老是忘 谁能喊我一声啊")
    assert "复查" in (await talk.room.expect(quoting=asked)).text
    await talk.say(hong, "好的")
    await talk.settle()
    assert await talk.tasks(hong) == []
    assert "08:00" in await talk.answer(ming, "好的 记吧")
    assert "08:00" in str((await talk.only(ming))["remindAt"])
