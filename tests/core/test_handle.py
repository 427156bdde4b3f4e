"""One request through the core: order of tasks, answers, faults, the one reply."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from core_support import (
    Agent,
    Bench,
    Store,
    ask_duration,
    bound_by,
    ours,
    parking,
    queue,
    remembers,
    talk,
    triage,
)
from nonebot_plugin_mishu.agents import (
    AnswerMatch,
    Clause,
    FrameRecord,
    SlotFrame,
    TaskContext,
    TaskDispatch,
    TaskResult,
)
from nonebot_plugin_mishu.core.decision import Frame, MessageReading
from nonebot_plugin_mishu.core.protocols import KnownThings
from nonebot_plugin_mishu.core.situation import situation, whole
from nonebot_plugin_mishu.core.tasks.tasks_of_message import continued
from nonebot_plugin_mishu.storage import DatabaseLocked
from stand_ins import GROUP, OTHER
from virtual_time import virtual

THREE = "我头痛想挂号，顺便问停车怎么收费，前面还有几个人？"
TWO = "我头痛想挂号，顺便问停车怎么收费"


@virtual
async def test_the_focus_first_and_the_rest_waits_for_its_user() -> None:
    bench = Bench(triage(), parking(), queue())
    first = await bench.say("1", THREE)
    assert first.status == "awaiting_user"
    assert "持续多久了？" in (first.text or "")
    assert bench.open("1") == ["triage awaiting_user", "smartCS queued", "queue queued"]
    assert not bench.seen("smartCS")
    assert not bench.seen("queue")
    second = await bench.say("1", "三天", reply_mode="core")
    assert second.status == "completed"
    text = second.text or ""
    assert text.index("挂好了（三天）") < text.index("停车") < text.index("几个人")
    assert text.startswith("1. ")
    assert bench.open("1") == []


@virtual
async def test_a_question_is_on_disk_before_it_is_said() -> None:
    bench = Bench(triage(), parking())
    outcome = await bench.say("1", TWO)
    assert bench.store.log == [("triage", "awaiting_user"), ("smartCS", "queued")]
    assert outcome.asked == (outcome.task_id,)
    assert bench.store.frames[outcome.asked[0]].question == "持续多久了？"


@virtual
async def test_a_question_that_cannot_be_kept_is_not_asked() -> None:
    bench = Bench(triage())
    bench.store.broken = True
    outcome = await bench.say("1", "挂号")
    assert "持续多久" not in (outcome.text or "")
    assert "存不进去" in (outcome.text or "")
    assert outcome.asked == ()
    assert bench.open("1") == []


@virtual
async def test_work_that_is_done_is_told_though_its_bookkeeping_fails() -> None:
    bench = Bench(parking())
    bench.store.broken = True
    assert (await bench.say("1", "停车")).text == "好：停车"
    assert bench.reports


@virtual
async def test_a_later_message_while_the_focus_waits() -> None:
    bench = Bench(triage(), parking(), queue())
    asked = await bench.say("1", "头痛想挂号")
    assert ((await bench.say("1", "前面还有几个人")).text or "").startswith("好：")
    held = await bench.say("1", "停车怎么收费")
    assert "先把" in (held.text or "")
    assert "持续多久了？" in (held.text or "")
    assert held.asked == asked.asked
    second = await bench.say("1", "我还要挂号")
    assert "先把" in (second.text or "")
    assert len(bench.agents["triage"].seen) == 1
    waiting = [task for task in bench.core._tasks.of(GROUP, "1") if task.status == "queued"]
    assert {task.parent_task_id for task in waiting} == {asked.task_id}
    done = await bench.say("1", "两天")
    assert "挂好了" in (done.text or "")
    assert "好：停车怎么收费" in (done.text or "")
    assert bench.open("1") == ["triage awaiting_user"]


@virtual
async def test_talk_never_waits() -> None:
    bench = Bench(triage())
    await bench.say("1", "头痛想挂号")
    assert (await bench.say("1", "你觉得今天的天气怎么样")).text == "嗯嗯"
    assert bench.open("1") == ["triage awaiting_user"]


@pytest.mark.parametrize("word", ["算了", "不挂了", "取消", "不用了", "算了吧！"])
@virtual
async def test_calling_it_off_lets_the_rest_go_on(word: str) -> None:
    bench = Bench(triage(), parking())
    await bench.say("1", TWO)
    outcome = await bench.say("1", word, reply_mode="core")
    assert "不办了" in (outcome.text or "")
    assert "好：" in (outcome.text or "")
    assert bench.open("1") == []
    assert [frame.status for frame in bench.store.frames.values()] == ["canceled", "completed"]


@virtual
async def test_calling_off_everything() -> None:
    bench = Bench(triage(), parking())
    await bench.say("1", TWO)
    assert (await bench.say("1", "都不用了")).text == "好，都不办了：「我头痛想挂号」「停车怎么收费」。"
    assert bench.open("1") == []
    assert not bench.seen("smartCS")


@virtual
async def test_an_agent_that_reads_the_word_itself_hears_of_it() -> None:
    def does(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        if context.bound is not None:
            return TaskResult(dispatch.task_id, "canceled", user_response=f"{context.bound.relation}了")
        return TaskResult(dispatch.task_id, "awaiting_user", user_response="要吗？")

    bench = Bench(Agent("book", "记", does, answers=bound_by("cancel", "算了")))
    await bench.say("1", "记一下")
    assert (await bench.say("1", "算了")).text == "cancel了"
    assert bench.open("1") == []


@virtual
async def test_pitfall_43_another_member_and_an_unrelated_line() -> None:
    bench = Bench(triage())
    await bench.say("1", "挂号")
    assert not bench.core.awaits(GROUP, "2", "三天")
    assert not bench.core.awaits(OTHER, "1", "三天")
    assert (await bench.say("2", "三天")).text == "嗯嗯"
    silent = await bench.say("1", "今天天气真好啊哈哈", reply_mode="core")
    assert (silent.text, silent.silent) == (None, True)
    assert bench.open("1") == ["triage awaiting_user"]


@virtual
async def test_an_answer_with_something_else_beside_it_is_both() -> None:
    bench = Bench(triage(), parking())
    await bench.say("1", "挂号")
    outcome = await bench.say("1", "三天，停车怎么收费")
    assert [context.text for _, context in bench.agents["triage"].seen][-1] == "三天"
    assert bench.seen("smartCS") == ["停车怎么收费"]
    assert outcome.status == "completed"
    assert bench.open("1") == []


@pytest.mark.parametrize(
    ("slots", "new", "added"),
    [
        ({"symptom": "头痛"}, False, {}),
        ({"symptom": "头痛", "duration": "三天"}, False, {"duration": "三天"}),
        ({"symptom": "牙疼"}, True, {}),
        ({}, True, {}),
    ],
)
def test_a_focus_said_once_more_goes_on_and_another_is_new(
    slots: dict[str, Any], new: bool, added: dict[str, Any]
) -> None:
    where = situation(0.0, ZoneInfo("Asia/Shanghai"))
    frame = Frame("triage", "register", whole("我头痛想挂号", where), SlotFrame(slots))
    waits = FrameRecord(
        "t1", GROUP, "1", "triage", "register", "我头痛想挂号", "awaiting_user", 2, True, "o", "m", 0,
        slots={"symptom": "头痛"},
    )  # fmt: skip
    found = continued([frame], [waits])
    assert found == ({} if new else {0: ("t1", AnswerMatch("fills", added))})
    assert continued([frame], [replace(waits, focus=False)]) == {}
    assert continued([frame], [replace(waits, status="queued")]) == {}


@virtual
async def test_two_members_have_each_their_own_focus() -> None:
    bench = Bench(triage())
    await bench.say("1", "挂号")
    await bench.say("2", "挂号")
    assert (await bench.say("2", "两天")).text == "挂好了（两天）"
    assert bench.open("1") == ["triage awaiting_user"]


@virtual
async def test_a_quote_of_the_question_binds_and_of_anything_else_does_not() -> None:
    bench = Bench(triage())
    asked = await bench.say("1", "挂号")
    await bench.core.delivered(GROUP, asked, "sent-1")
    assert bench.store.frames[asked.asked[0]].question_ids == ["sent-1"]
    assert (await bench.say("1", "三天", quoted=ours("你好", "sent-9"))).text == "嗯嗯"
    assert (await bench.say("1", "三天", quoted=ours("什么", "sent-1"))).text == "挂好了（三天）"


@virtual
async def test_a_handler_that_raises_spoils_nothing_else() -> None:
    def breaks(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        raise RuntimeError("secret")

    bench = Bench(Agent("bad", "坏", breaks), parking())
    outcome = await bench.say("1", "坏一下，停车怎么收费")
    assert "没办成" in (outcome.text or "")
    assert "好：停车怎么收费" in (outcome.text or "")
    assert "secret" not in (outcome.text or "")
    assert bench.reports == ["智能体 bad 出错"]
    assert bench.open("1") == []


@virtual
async def test_a_database_fault_is_told_in_plain_words() -> None:
    def breaks(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        raise DatabaseLocked

    outcome = await Bench(Agent("bad", "坏", breaks)).say("1", "坏一下")
    assert "存不进去" in (outcome.text or "")
    assert outcome.status == "canceled"


@virtual
async def test_a_handler_over_its_time_ends_with_an_honest_line() -> None:
    async def hangs(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        await asyncio.sleep(1000)
        raise AssertionError

    bench = Bench(Agent("slow", "慢", hangs))
    outcome = await bench.say("1", "慢一点")
    assert outcome.status == "canceled"
    assert outcome.text
    assert bench.open("1") == []


@virtual
async def test_what_was_done_before_the_time_was_over_is_told() -> None:
    async def waits(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        context.acted("create_task", {}, {"id": 1})
        await asyncio.sleep(context.deadline.remaining())
        return TaskResult(dispatch.task_id, "completed", user_response="建好了一件")

    async def hangs(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        context.acted("create_task", {}, {"id": 1})
        await asyncio.sleep(1000)
        raise AssertionError

    async def breaks(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        context.acted("create_task", {}, {"id": 1})
        raise ValueError("an agent's fault")

    for does, told in ((waits, "建好了一件"), (hangs, "办了的都在"), (breaks, "办了的都在")):
        bench = Bench(Agent("slow", "慢", does))
        outcome = await bench.say("1", "慢一点")
        assert told in (outcome.text or "")
        assert [action.tool for action in outcome.actions] == ["create_task"]


@virtual
async def test_a_line_that_is_passed_on_is_read_anew() -> None:
    def does(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        if context.bound is None:
            return TaskResult(dispatch.task_id, "awaiting_user", user_response="要吗？")
        context.passed_on = True
        return TaskResult(dispatch.task_id, "awaiting_user", {"_told": 1})

    bench = Bench(
        Agent("book", "记", does, answers=lambda task, clause: bound_by("fills", clause.text)(task, clause)),
        parking(),
    )
    asked = await bench.say("1", "记一下")
    outcome = await bench.say("1", "停车怎么收费", reply_mode="core")
    assert outcome.text == "好：停车怎么收费"
    # What a caller is told of is what was done, not the question that stands as it stood.
    assert outcome.status == "completed"
    assert bench.store.frames[outcome.task_id or ""].agent_code == "smartCS"
    assert bench.open("1") == ["book awaiting_user"]
    kept = bench.store.frames[asked.asked[0]]
    assert kept.question == "要吗？"
    assert kept.slots["_told"] == 1
    assert (await bench.say("1", "随便说说今天的事情吧", reply_mode="core")).silent


@virtual
async def test_questions_of_one_reply_name_what_they_are_about() -> None:
    def asks(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        return TaskResult(dispatch.task_id, "awaiting_user", user_response="几点结束？")

    bench = Bench(Agent("book", "订", asks), parking())
    assert (await bench.say("1", "订座位")).text == "几点结束？"
    outcome = await bench.say("2", "订座位，订车票，停车怎么收费")
    assert outcome.text is not None
    assert "「订座位」几点结束？" in outcome.text
    assert "「订车票」几点结束？" in outcome.text
    assert len(outcome.asked) == 2


@virtual
async def test_one_at_a_time_in_a_conversation_and_side_by_side_elsewhere() -> None:
    running: list[str] = []

    async def does(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        running.append("begin")
        await asyncio.sleep(1)
        running.append("end")
        return TaskResult(dispatch.task_id, "completed", user_response="好")

    bench = Bench(Agent("slow", "慢", does))
    await asyncio.gather(bench.say("1", "慢"), bench.say("2", "慢"))
    assert running == ["begin", "end", "begin", "end"]
    running.clear()
    await asyncio.gather(bench.say("1", "慢"), bench.say("2", "慢", conversation=OTHER))
    assert running == ["begin", "begin", "end", "end"]
    assert not bench.core._locks.busy(GROUP)


@virtual
async def test_a_restart_in_the_middle_of_a_question() -> None:
    store = Store()
    first = Bench(triage(), parking(), store=store)
    await first.say("1", TWO)
    second = Bench(triage(), parking(), store=store)
    await second.core.start()
    assert second.open("1") == ["triage awaiting_user", "smartCS queued"]
    outcome = await second.say("1", "三天", message_id="later")
    assert "挂好了（三天）" in (outcome.text or "")
    assert "好：" in (outcome.text or "")
    assert second.open("1") == []
    await second.core.close()


@virtual
async def test_a_message_handled_again_is_the_same_task() -> None:
    store = Store()
    first = Bench(triage(), parking(), store=store)
    one = await first.say("1", TWO, message_id="m")
    second = Bench(triage(), parking(), store=store)
    await second.core.start()
    two = await second.say("1", TWO, message_id="m")
    assert one.task_id == two.task_id
    assert second.open("1") == ["triage awaiting_user", "smartCS queued"]
    origins = [seen[1].origin for agent in (first, second) for seen in agent.agents["triage"].seen]
    assert len(set(origins)) == 1
    await second.core.close()


@virtual
async def test_killed_between_an_answers_work_and_its_reply() -> None:
    """The reply of 三天 never went out; after the restart it is handled again, and its work is not."""
    store = Store()
    first = Bench(triage(), parking(), store=store)
    await first.say("1", TWO)
    lost = await first.say("1", "三天", message_id="answer")
    second = Bench(triage(), parking(), store=store)
    await second.core.start()
    again = await second.say("1", "三天", message_id="answer")
    assert "挂好了（三天）" in (again.text or "")
    assert "挂好了（三天）" in (lost.text or "")
    assert not second.agents["triage"].seen
    assert again.status == "completed"
    assert (await second.say("1", "三天", message_id="another")).text == "嗯嗯"
    await second.core.close()


@pytest.mark.parametrize("writes", [0, 1, 2, 3])
@virtual
async def test_killed_at_any_write_of_an_answer_nothing_is_lost_and_nothing_done_twice(writes: int) -> None:
    made: set[str] = set()

    def once(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        made.add(context.origin)  # as a row with a unique origin
        return TaskResult(dispatch.task_id, "completed", user_response=f"好：{context.text}")

    store = Store()
    first = Bench(triage(), Agent("smartCS", "停车", once), store=store)
    await first.say("1", TWO)
    began = len(store.log)

    async def dies(*frames: Any) -> None:
        if len(store.log) - began >= writes:
            await asyncio.sleep(1000)
        await Store.put(store, *frames)

    store.put = dies  # type: ignore[method-assign]
    answering = asyncio.create_task(first.say("1", "三天", message_id="answer"))
    await asyncio.sleep(1)
    answering.cancel()
    await asyncio.wait([answering])
    del store.put  # type: ignore[method-assign]
    second = Bench(triage(), Agent("smartCS", "停车", once), store=store)
    await second.core.start()
    again = await second.say("1", "三天", message_id="answer")
    assert "挂好了（三天）" in (again.text or "")
    assert second.open("1") == []
    assert len(made) == 1
    await second.core.close()


@virtual
async def test_cancelled_in_the_middle_leaves_the_question_open() -> None:
    async def does(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        if context.bound is not None:
            await asyncio.sleep(100)
        return ask_duration(dispatch, context)

    agent = triage()
    agent.does = does
    bench = Bench(agent)
    await bench.say("1", "挂号")
    answering = asyncio.create_task(bench.say("1", "三天"))
    await asyncio.sleep(1)
    answering.cancel()
    await asyncio.wait([answering])
    assert bench.open("1") == ["triage awaiting_user"]


@virtual
async def test_what_was_said_is_remembered_and_shown_as_far_as_the_policy_allows() -> None:
    bench = Bench(Agent("knows", "记得", memory=remembers(2)), parking())
    await bench.say("1", "停车怎么收费")
    await bench.say("1", "你记得吗")
    assert [said.text for said in bench.agents["knows"].seen[0][1].history] == [
        "停车怎么收费",
        "好：停车怎么收费",
    ]
    assert bench.memory.kept == [("smartCS", "completed"), ("knows", "completed")]
    await bench.say("1", "停车")
    assert bench.agents["smartCS"].seen[1][1].history == ()


@virtual
async def test_a_feature_that_is_off_gets_one_line_and_no_handler() -> None:
    async def allows(conversation: Any, feature: str) -> bool:
        return feature != "挂号"

    bench = Bench(triage(feature="挂号"), allows=allows)
    outcome = await bench.say("1", "挂号")
    assert "把「挂号」关了" in (outcome.text or "")
    assert not bench.agents["triage"].seen
    assert bench.open("1") == []


@virtual
async def test_overheard_lines_go_to_who_listens_and_are_quiet_unless_something_is_asked() -> None:
    listening = triage(overhears=lambda clause: "头痛" in clause.text)
    bench = Bench(listening, parking())
    assert bench.core.overhears(GROUP, "1", "我头痛", bench.clock.wall())
    assert not bench.core.overhears(GROUP, "1", "停车", bench.clock.wall())
    quiet = await bench.say("1", "停车怎么收费", reply_mode="overheard")
    assert (quiet.text, quiet.silent) == (None, True)
    assert not bench.seen("smartCS")
    asked = await bench.say("1", "我头痛", reply_mode="overheard")
    assert asked.text == "持续多久了？"
    assert not bench.agents["triage"].seen[0][1].clause.situation.addressed
    assert not bench.core.overhears(GROUP, "1", "我头痛", bench.clock.wall())


@virtual
async def test_who_listens_for_words_is_asked_about_no_other_line() -> None:
    asked: list[str] = []

    def overhears(clause: Clause) -> bool:
        asked.append(clause.text)
        return "头痛" in clause.text

    bench = Bench(triage(overhears=overhears, listens=lambda line: "我" in line), parking())
    now = bench.clock.wall()
    assert not bench.core.overhears(GROUP, "1", "头痛三天了", now)
    assert not bench.core.overhears(GROUP, "1", "我好了", now)
    assert bench.core.overhears(GROUP, "1", "我頭痛三天了", now), "as it is normalised"
    assert asked == ["我好了", "我头痛三天了"]


@virtual
async def test_talk_that_nobody_asked_for_leaves_nothing() -> None:
    bench = Bench(triage())
    outcome = await bench.say("1", "我头痛想挂号", reply_mode="questioned")
    assert outcome.text == "嗯嗯"
    assert not bench.agents["triage"].seen
    assert bench.store.frames == {}


@virtual
async def test_what_may_not_be_said_is_not_said() -> None:
    bench = Bench(
        Agent(
            "bad",
            "坏",
            lambda dispatch, context: TaskResult(dispatch.task_id, "completed", user_response="你去死吧"),
        ),
        parking(),
    )
    outcome = await bench.say("1", "坏一下，停车怎么收费")
    assert "去死" not in (outcome.text or "")
    assert "好：停车怎么收费" in (outcome.text or "")


@virtual
async def test_several_summons_are_one_answer_of_the_chat_agent() -> None:
    bench = Bench(triage())
    one, two = bench.request("1", "在吗"), bench.request("2", "挂号")
    joint = replace(one, utterances=(*one.utterances, *two.utterances))
    outcome = await bench.core.handle(joint)
    assert outcome.text == "嗯嗯"
    assert not bench.agents["triage"].seen
    assert [len(context.request.utterances) for _, context in bench.agents["chat"].seen] == [2]
    assert [said[:2] for said in bench.memory.rounds] == [("1", "在吗"), ("2", "挂号")]


@virtual
async def test_the_rules_are_told_of_open_tasks() -> None:
    async def knows(conversation: Any, user_id: str, now: float) -> KnownThings:
        if user_id == "3":
            raise DatabaseLocked
        return KnownThings(open_tasks=user_id == "1")

    bench = Bench(parking(), knows=knows)
    for user in ("1", "2", "3"):
        await bench.say(user, "停车")
    told = [context.clause.situation.open_tasks for _, context in bench.agents["smartCS"].seen]
    assert told == [True, False, False]


@virtual
async def test_chat_comes_last_knows_what_was_done_and_stands_where_it_was_spoken() -> None:
    told: list[tuple[tuple[str, ...], tuple[str, ...]]] = []

    def chats(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        told.append((context.beside, context.told))
        return TaskResult(dispatch.task_id, "completed", user_response="嗯嗯")

    def parks(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        context.acted("park", {}, {})
        return TaskResult(dispatch.task_id, "completed", user_response="停好了")

    chat = talk()
    chat.does = chats

    def both(text: str, where: Any, agents: Any) -> MessageReading:
        line = whole(text, where)
        return MessageReading((Frame("chat", "chitchat", line), Frame("smartCS", "smartCS", line)), True)

    bench = Bench(Agent("smartCS", "停车", parks), chat, read=both)
    outcome = await bench.say("1", "今天真累，帮我停车")
    assert told == [(("park",), ("停好了",))]
    assert outcome.text == "嗯嗯\n停好了"
