"""Alignment: which lines answer an open question, and which stand by themselves."""

from __future__ import annotations

import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from core_support import Bench, bound_by, days, triage
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents import AgentSpec, AnswerMatch, Clause, Intent, Slot
from nonebot_plugin_mishu.core.answers.alignment import (
    CLARIFIES,
    CancelAll,
    Quote,
    SureRules,
    TaskAnswer,
    align,
    may_answer,
)
from nonebot_plugin_mishu.core.situation import situation, whole
from nonebot_plugin_mishu.language.answers.cancellations import cancels, cancels_all
from nonebot_plugin_mishu.storage.records import FrameRecord
from stand_ins import GROUP, FakeModel
from test_orchestrator import task
from virtual_time import virtual

WHERE = situation(1_800_000_000.0, ZoneInfo("Asia/Shanghai"))


async def never(dispatch: Any, context: Any) -> Any:
    raise AssertionError


def spec(code: str = "triage", **changed: Any) -> AgentSpec:
    values: dict[str, Any] = {
        "code": code,
        "name": code,
        "intents": (Intent("do", "事"),),
        "boundary": "",
        "handler": never,
        "rules": lambda clause: None,
        "slots": (Slot("duration", "多久？", read=days), Slot("note", "备注？")),
    }
    return AgentSpec(**{**values, **changed})


def waiting(number: int = 1, code: str = "triage", **changed: Any) -> FrameRecord:
    values: dict[str, Any] = {
        "status": "awaiting_user",
        "question": f"问题{number}？",
        "missing_slots": ["duration"],
        "question_ids": [f"q{number}"],
    }
    return task(code, number, 0, **{**values, **changed})


def looked(
    text: str,
    *tasks: FrameRecord,
    quote: Quote | None = None,
    new: bool = False,
    called: bool = True,
    **specs: AgentSpec,
) -> TaskAnswer | CancelAll | None:
    known = {"triage": spec(), **specs}
    return align(
        whole(text, WHERE), quote, tasks, known.get, SureRules(is_new_request=lambda: new), called=called
    )


def relation(found: TaskAnswer | CancelAll | None) -> str | None:
    return found.bound.relation if isinstance(found, TaskAnswer) else None


@pytest.mark.parametrize(
    "text",
    [
        "算了", "算了吧", "取消", "取消吧", "不用了", "不要了", "不挂了", "不办了", "那算了",
        "算了，不订了", "不订了", "不去了", "算了，别寄过去了",
        "嗯，不用了谢谢", "算了，不用了", "不需要了", "别办了", "没事了", "当我没说", "取消这个", "不用了！",
        "不弄了", "不记了",
    ],
)  # fmt: skip
def test_whole_lines_that_call_it_off(text: str) -> None:
    assert cancels(text)
    assert relation(looked(text, waiting())) == "cancel"


@pytest.mark.parametrize(
    "text",
    [
        "别取消", "不要取消", "怎么取消", "取消会议怎么办", "不用了解", "算了一下一共三百", "不要香菜",
        "不疼了", "算了，不贵就订", "算了不如改天",
        "取消昨天的那个会议", "不", "不是", "好的", "是的", "对", "不能算了", "先别取消", "不取消",
        "不用担心", "要不要取消", "三天", "",
    ],
)  # fmt: skip
def test_lines_that_do_not(text: str) -> None:
    assert not cancels(text)


@pytest.mark.parametrize(
    "text", ["都不用了", "全部取消", "都算了", "全都不要了", "取消全部", "所有的都取消", "都取消吧"]
)
def test_calling_off_all(text: str) -> None:
    assert cancels_all(text)
    assert not cancels_all(f"不是说{text}")
    assert isinstance(looked(text, waiting()), CancelAll)
    assert looked(text) is None


@pytest.mark.parametrize("text", ["都可以", "全部要", "别全部取消", "都不错", "算了"])
def test_not_calling_off_all(text: str) -> None:
    assert not cancels_all(text)


@pytest.mark.parametrize("text", ["三天", "大概两天了吧", "三天了"])
def test_a_missing_slots_reader_binds(text: str) -> None:
    found = looked(text, waiting())
    assert isinstance(found, TaskAnswer)
    assert found.bound == AnswerMatch("fills", {"duration": days(whole(text, WHERE))})
    assert not found.by_agent


@pytest.mark.parametrize("text", ["好的", "是的", "不是", "哈哈", "吃了吗", "今天天气不错"])
def test_yes_and_no_mean_nothing_unless_the_agent_says_so(text: str) -> None:
    assert looked(text, waiting()) is None


def test_an_agents_own_rules_go_first() -> None:
    yes = spec("book", answers=bound_by("confirm", "好的"), slots=())
    found = looked("好的", waiting(1, "book"), book=yes)
    assert found == TaskAnswer(waiting(1, "book"), AnswerMatch("confirm"), by_agent=True)
    assert relation(looked("算了", waiting(1, "book"), book=yes)) == "cancel"
    own = spec("book", answers=bound_by("deny", "算了"))
    assert relation(looked("算了", waiting(1, "book"), book=own)) == "deny"


def test_the_newest_question_first_and_an_older_one_where_the_newest_does_not_fit() -> None:
    old, new = waiting(1), waiting(2)
    found = looked("三天", old, new)
    assert isinstance(found, TaskAnswer)
    assert found.task == new
    found = looked("三天", old, waiting(2, "book"), book=spec("book", slots=()))
    assert isinstance(found, TaskAnswer)
    assert found.task == old


def test_only_what_awaits_is_answered() -> None:
    assert looked("三天", waiting(status="queued")) is None
    assert looked("算了", waiting(status="completed")) is None
    assert looked("三天", waiting(missing_slots=["note"])) is None


@pytest.mark.parametrize(
    ("text", "binds"),
    [("三天", True), ("三天了吧", False), ("提醒我三天后开会", False), ("明天下午三点", False)],
)
def test_a_new_request_is_not_swallowed_unless_it_is_all_value(text: str, binds: bool) -> None:
    assert (looked(text, waiting(), new=True) is not None) == binds


def test_a_line_that_is_all_time_answers_a_question_for_a_time() -> None:
    when = Slot("when", "什么时候？", read=lambda clause: clause.times[0].as_json() if clause.times else None)
    timed = spec("book", slots=(when,))
    open_ = waiting(1, "book", missing_slots=["when"])
    assert relation(looked("明天下午三点", open_, new=True, book=timed)) == "fills"
    assert looked("明天下午三点开会", open_, new=True, book=timed) is None


@pytest.mark.parametrize("quote", [Quote("q1", "别的", True), Quote("x", "小明：问题1？", True)])
def test_a_quote_of_the_question_always_binds(quote: Quote) -> None:
    found = looked("随便什么", waiting(1), waiting(2), quote=quote, new=True)
    assert isinstance(found, TaskAnswer)
    assert found.task.task_id == "1.0"
    assert found.bound == AnswerMatch("fills", {})
    found = looked("放后门", waiting(1, missing_slots=["note"]), quote=quote)
    assert isinstance(found, TaskAnswer)
    assert found.bound == AnswerMatch("fills", {"note": "放后门"})


SAME = "请问结束时间是几点？"


@pytest.mark.parametrize("number", [1, 2])
def test_a_quote_tells_questions_in_the_same_words_apart(number: int) -> None:
    quote = Quote(f"q{number}", SAME, True)
    found = looked("随便什么", waiting(1, question=SAME), waiting(2, question=SAME), quote=quote)
    assert isinstance(found, TaskAnswer)
    assert found.task.task_id == f"{number}.0"


def test_a_quote_of_two_questions_answers_the_one_that_fits() -> None:
    says_yes = spec(
        "book", answers=lambda task, clause: AnswerMatch("confirm") if clause.text == "确认" else None
    )
    both = (waiting(1, "book", question_ids=["q"]), waiting(2, question_ids=["q"]))
    quote = Quote("q", "要吗？\n多久？", True)
    for text, number, relation_ in (("确认", 1, "confirm"), ("三天", 2, "fills"), ("随便什么", 2, "fills")):
        found = looked(text, *both, quote=quote, book=says_yes)
        assert isinstance(found, TaskAnswer)
        assert (found.task.task_id, found.bound.relation) == (f"{number}.0", relation_)


def test_what_plainly_answers_an_older_question_goes_before_what_may_concern_a_newer_one() -> None:
    card = spec("book", answers=lambda task, clause: AnswerMatch("corrects", weak=True))
    tasks = (waiting(1), waiting(2, "book"))
    for text, number in (("三天", 1), ("算了", 1), ("随便什么", 2)):
        found = looked(text, *tasks, book=card)
        assert isinstance(found, TaskAnswer)
        assert found.task.task_id == f"{number}.0", text


@pytest.mark.parametrize(
    ("text", "calls_off"),
    [
        ("不用了，改天吧", True),
        ("改天再说", True),
        ("算了下次吧", True),
        ("先不去了", True),
        ("那就以后再说吧", True),
        ("改天", False),
        ("下次什么时候", False),
        ("改到下次吧", False),
        ("以后", False),
        ("改天再说怎么走", False),
    ],
)
def test_another_day_calls_it_off(text: str, calls_off: bool) -> None:
    assert cancels(text) is calls_off


def test_a_quote_of_something_else_of_ours_is_about_that() -> None:
    assert looked("三天", waiting(), quote=Quote("x", "提醒：开会", True)) is None
    assert relation(looked("三天", waiting(), quote=Quote("x", "别人说的", False))) == "fills"
    assert relation(looked("三天", waiting(question_ids=[]), quote=Quote("q1", "问题1？", False))) == "fills"


def test_what_was_unclear_is_answered_by_a_short_line() -> None:
    unclear = waiting(slots={CLARIFIES: "那个"}, missing_slots=[])
    assert relation(looked("就是昨天那个", unclear)) == "fills"
    assert relation(looked("算了", unclear)) == "cancel"
    assert looked("提醒我开会", unclear, new=True) is None
    assert looked("这句话一口气说了很多很多别的事情，" * 3, unclear) is None


@pytest.mark.parametrize(
    "text", ["哈哈笑死", "今天吃什么？", "太热了", "他说他不来", "你们先去", "晚安", "好的"]
)
def test_talk_among_members_does_not_say_what_was_meant(text: str) -> None:
    unclear = waiting(slots={CLARIFIES: "那个"}, missing_slots=[])
    assert looked(text, unclear, called=False) is None
    assert relation(looked(text, unclear, called=True)) == "fills"
    assert relation(looked("就是昨天那个", unclear, called=False)) == "fills"


@pytest.mark.parametrize(("text", "may"), [("左边", True), ("", False), ("  ", False), ("长" * 30, False)])
def test_what_may_be_an_answer(text: str, may: bool) -> None:
    assert may_answer(text, lambda: False) == may
    assert not may_answer(text, lambda: True)


@given(st.text(max_size=40))
def test_any_line_is_looked_at_without_fault(text: str) -> None:
    looked(text, waiting(), waiting(2, slots={CLARIFIES: "x"}))


@virtual
async def test_the_front_desks_look() -> None:
    offline, online = Bench(triage()), Bench(triage(), model=FakeModel())
    for bench in (offline, online):
        assert not bench.core.awaits(GROUP, "1", "三天")
        await bench.say("1", "挂号")
        assert bench.core.awaits(GROUP, "1", "三天")
        assert bench.core.awaits(GROUP, "1", "算了")
        assert not bench.core.awaits(GROUP, "1", "帮我挂号")
        assert not bench.core.awaits(GROUP, "1", "这个故事说来话长了，" * 5)
    assert not offline.core.awaits(GROUP, "1", "左边那个")
    assert online.core.awaits(GROUP, "1", "左边那个")


@virtual
async def test_a_draft_takes_every_line_its_agent_takes() -> None:
    draft = triage(
        answers=lambda frame, clause: AnswerMatch("corrects") if re.search("改", clause.text) else None
    )
    bench = Bench(draft)
    await bench.say("1", "挂号")
    assert bench.core.awaits(GROUP, "1", "改成明天，" * 20)


def test_a_clause_is_what_is_looked_at() -> None:
    seen: list[Clause] = []

    def answers(frame: FrameRecord, clause: Clause) -> None:
        seen.append(clause)

    looked("　三天\u200b ", waiting(1, "book"), book=spec("book", answers=answers))
    assert seen[0].text == "三天"
