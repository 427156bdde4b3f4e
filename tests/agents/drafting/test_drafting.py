"""The runner of drafts: effects in order, deadlines, commits of which nobody saw the end, restarts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from drafts.ledger_model import MODEL, Entry
from hypothesis import given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents import TaskResult
from nonebot_plugin_mishu.agents.drafting import (
    BATCH,
    CommitRefused,
    DraftAdapter,
    DraftRunner,
    DraftWording,
    concerns,
    on_draft_batch_updated,
)
from nonebot_plugin_mishu.drafts import AskModel, Batch, Commit, Limits, Mode
from nonebot_plugin_mishu.llm import ModelError
from nonebot_plugin_mishu.storage import DatabaseLocked, DatabaseTimeout
from nonebot_plugin_mishu.storage.records import FrameRecord
from task_contexts import context, dispatch, frame
from virtual_time import run_virtually, virtual

LUNCH, TAXI = Entry("午饭", 3500), Entry("打车", 2000)


class Office:
    """An agent with drafts, a disk, and a process that may die."""

    def __init__(self, *, online: bool = True, told_by_card: bool = False) -> None:
        self.disk: dict[str, dict[int, tuple[int, Entry]]] = {}
        self.answer: Any = {"intent": "unclear"}
        self.fault: Exception | None = None
        self.after_fault: Exception | None = None
        self.reading: Exception | None = None
        self.goes_blind = False
        self.asked: list[AskModel[Entry]] = []
        self.spoken: list[str] = []
        self.cards: list[dict[str, Any]] = []
        self.online = online
        self.task: FrameRecord | None = None
        self.passed = False
        self.number = 0
        self.wall = lambda: asyncio.get_running_loop().time() + 1000.0
        self.runner = DraftRunner(
            DraftAdapter(
                "books",
                MODEL,
                Limits(),
                lambda entry: [entry.what, entry.fen, entry.type],
                lambda plain: Entry(*plain),
                lambda entry: {"what": entry.what},
                DraftWording(lambda batch: f"记{len(batch.items)}笔", told_by_card=told_by_card),
                self.ask,
                self.commit,
                self.saved,
                lambda: self.online,
                lambda: self.wall(),
            )
        )

    async def ask(self, ask: AskModel[Entry], done: Any, deadline: Any) -> Mapping[str, object]:
        self.asked.append(ask)
        if isinstance(self.answer, float):
            await asyncio.sleep(self.answer)
            return {"intent": "cancel", "confidence": 1}
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    async def commit(self, batch: Batch[Entry], commit: Commit[Entry], done: Any) -> None:
        await asyncio.sleep(0)
        if self.goes_blind:
            self.reading = DatabaseTimeout()
        if self.fault is not None:
            raise self.fault
        mine = self.disk.setdefault(batch.id, {})
        for number, entry in commit.items:
            assert number not in mine, "saved twice"
            mine[number] = (commit.ticket, entry)
        if self.after_fault is not None:
            raise self.after_fault

    async def saved(self, batch_id: str) -> Mapping[int, int]:
        if self.reading is not None:
            raise self.reading
        return {number: ticket for number, (ticket, _) in self.disk.get(batch_id, {}).items()}

    async def open(self, *values: Entry) -> TaskResult:
        done = context("午饭35打车20", spoken=self.spoken)
        result = await self.runner.open(dispatch(done), done, list(values or (LUNCH, TAXI)))
        self.task = frame(done, result)
        return result

    async def hear(self, text: str, *, keep: bool = True, **more: Any) -> TaskResult:
        self.number += 1
        done = context(text, opened=self.task, origin=f"l{self.number}", spoken=self.spoken, **more)
        result = await self.runner.hear(dispatch(done), done)
        if keep:
            self.task = frame(done, result)
        self.passed = done.passed_on
        return result

    def kept(self) -> list[str]:
        return [entry.what for batch in self.disk.values() for _, entry in batch.values()]


@pytest.mark.parametrize(
    ("lines", "told_by_card", "sign"),
    [
        (("确认",), True, "第1、2笔记下了"),
        (("确认",), False, None),
        (("确认第一个",), True, None),
        (("第一个不要", "确认"), True, None),
        (("不用了",), True, None),
    ],
    ids=["as it stands", "the words say more", "in part", "what is left", "called off"],
)
@virtual
async def test_a_sign_says_only_that_a_card_was_saved_as_it_stood(
    lines: tuple[str, ...], told_by_card: bool, sign: str | None
) -> None:
    office = Office(told_by_card=told_by_card)
    opened = await office.open()
    assert opened.told_by_sign is None
    for text in lines:
        done = await office.hear(text)
    assert done.told_by_sign == sign


@virtual
async def test_a_batch_opens_with_its_card_and_ends_saved() -> None:
    office = Office()
    opened = await office.open()
    assert (opened.status, opened.user_response) == ("awaiting_user", "记2笔")
    assert office.task is not None
    assert office.task.expires_at == office.wall() + 300
    done = await office.hear("确认")
    assert (done.status, done.user_response) == ("completed", "第1、2笔记下了")
    assert office.kept() == ["午饭", "打车"]
    assert not office.asked


@virtual
async def test_the_waiting_line_comes_before_the_model() -> None:
    office = Office()
    await office.open()
    order: list[str] = []
    office.spoken = []
    office.answer = {"intent": "correction", "corrections": [{"index": 0, "updatedFields": {"amount": 60}}]}
    real = office.ask

    async def ask(*arguments: Any) -> Any:
        order.extend(office.spoken)
        return await real(*arguments)

    office.runner = DraftRunner(replace(office.runner._adapter, ask=ask))
    done = await office.hear("第一笔改成60")
    assert order == ["好的，正在修改..."]
    assert done.user_response == "第1笔改好了。还需要修改吗？"
    assert done.status == "awaiting_user"


@pytest.mark.parametrize("answer", [4.0, 1e9, ModelError("timeout", "x"), ModelError("invalid", "x")])
def test_a_model_that_does_not_answer_in_time_is_not_waited_for(answer: Any) -> None:
    async def scene() -> None:
        office = Office()
        await office.open(LUNCH)
        office.answer = answer
        began = asyncio.get_running_loop().time()
        done = await office.hear("改成60")
        assert asyncio.get_running_loop().time() - began <= 3.001
        assert done.user_response == "第1笔改好了。还需要修改吗？"
        await asyncio.sleep(10)  # the late answer would cancel everything
        assert (await office.hear("确认")).status == "completed"
        assert office.disk["m1#0"][0][1].fen == 6000

    run_virtually(scene())


@virtual
async def test_saying_the_waiting_line_takes_of_the_three_seconds() -> None:
    office = Office()
    await office.open(LUNCH)
    office.answer = 2.0
    began = asyncio.get_running_loop().time()
    done = await office.hear("改成60", delay=2.0)
    assert asyncio.get_running_loop().time() - began <= 3.001
    assert done.user_response == "第1笔改好了。还需要修改吗？"


@virtual
async def test_the_request_s_own_deadline_is_earlier() -> None:
    office = Office()
    await office.open(LUNCH)
    office.answer = 2.5
    began = asyncio.get_running_loop().time()
    await office.hear("改成60", budget=1.0)
    assert asyncio.get_running_loop().time() - began <= 1.001


@pytest.mark.parametrize("kind", ["offline", "budget", "unreachable", "breaker_open"])
def test_offline_is_said_once(kind: Any) -> None:
    async def scene() -> None:
        office = Office()
        await office.open(LUNCH)
        office.answer = ModelError(kind, "x")
        assert "现在只会改" in str((await office.hear("改成60")).user_response)
        assert "现在只会改" not in str((await office.hear("改成70")).user_response)

    run_virtually(scene())


@virtual
async def test_nothing_is_asked_without_a_model() -> None:
    office = Office(online=False)
    await office.open(LUNCH)
    await office.hear("改成60")
    assert office.spoken == []
    assert not office.asked


@virtual
async def test_a_refused_commit_leaves_all_pending() -> None:
    office = Office()
    await office.open()
    office.fault = CommitRefused("账本满了")
    done = await office.hear("确认")
    assert done.user_response == "账本满了\n第1、2笔没存上，再说一次「确认」吧"
    office.fault = None
    assert (await office.hear("确认")).status == "completed"


@virtual
async def test_a_commit_that_timed_out_but_happened_is_saved_once() -> None:
    office = Office()
    await office.open()
    office.after_fault = DatabaseTimeout()
    done = await office.hear("确认")
    assert (done.status, done.user_response) == ("completed", "第1、2笔记下了")


@pytest.mark.parametrize("happened", [True, False])
def test_a_commit_of_which_nobody_knows_is_looked_up_later(happened: bool) -> None:
    async def scene() -> None:
        office = Office()
        await office.open()
        fault = DatabaseTimeout()
        office.fault, office.after_fault = (None, fault) if happened else (fault, None)
        office.goes_blind = True
        done = await office.hear("确认")
        assert done.status == "awaiting_user"
        assert "不知道存上没有" in str(done.user_response)
        office.fault = office.after_fault = None
        office.goes_blind = False
        again = await office.hear("确认")  # still no answer: nothing is done
        assert again.status == "awaiting_user"
        office.reading = None
        last = await office.hear("确认")
        assert last.status == "completed"
        assert office.kept() == ["午饭", "打车"]

    run_virtually(scene())


@virtual
async def test_a_crash_between_commit_and_snapshot_is_found_on_disk() -> None:
    office = Office()
    await office.open()
    await office.hear("确认第一笔", keep=False)
    late = await office.hear("取消")
    assert "第1笔记下了" in str(late.user_response)
    assert "第2笔不记了" in str(late.user_response)
    assert late.status == "completed"
    assert office.kept() == ["午饭"]


@virtual
async def test_a_repeated_confirm_after_a_crash_saves_nothing_twice_and_is_nobody_else_s() -> None:
    office = Office()
    await office.open()
    await office.hear("确认", keep=False)
    again = await office.hear("确认")
    assert (again.status, again.user_response) == ("completed", "第1、2笔记下了")
    assert not office.passed


@virtual
async def test_expiry_says_what_was_dropped_and_what_was_saved_before_a_crash() -> None:
    office = Office()
    await office.open()
    await office.hear("确认第一笔", keep=False)
    assert office.task is not None
    assert await office.runner.expire(office.task) == "第1笔记下了\n等太久了，第2笔没记，要记就再说一遍"
    office.reading = DatabaseLocked()
    assert "存不了东西" in str(await office.runner.expire(office.task))


@virtual
async def test_expiry_without_anything_pending_is_silent() -> None:
    office = Office()
    await office.open()
    await office.hear("取消")
    assert office.task is not None
    assert await office.runner.expire(office.task) is None


@virtual
async def test_talk_is_passed_on() -> None:
    office = Office()
    await office.open()
    heard = await office.hear("你吃了吗")
    assert (heard.user_response, office.passed) == (None, True)
    assert heard.status == "awaiting_user"


@virtual
async def test_another_member_s_line_is_not_the_batch_s() -> None:
    office = Office()
    await office.open()
    await office.hear("确认", user="30002")
    assert office.passed
    assert office.kept() == []


@virtual
async def test_every_change_is_told_to_whoever_registered() -> None:
    office = Office()
    cards: list[dict[str, Any]] = []
    end = on_draft_batch_updated(lambda _, card: cards.append(card))
    try:
        await office.open()
        await office.hear("第二笔不要")
        await office.hear("确认")
        await asyncio.sleep(0)
    finally:
        end()
        end()
    states = [[item["state"] for item in card["items"]] for card in cards]
    assert states == [["pending", "pending"], ["pending", "cancelled"], ["saved", "cancelled"]]
    assert cards[0]["items"][0] == {"what": "午饭", "number": 1, "state": "pending"}
    assert [card["expires_at"] is None for card in cards] == [False, False, True]
    ends = datetime.fromisoformat(cards[0]["expires_at"])  # as all times of the API
    assert ends.timestamp() == pytest.approx(office.wall() + 300, abs=60)


@virtual
async def test_a_snapshot_that_cannot_be_read_ends_the_task_with_a_word() -> None:
    office = Office()
    await office.open()
    assert office.task is not None
    office.task.slots[BATCH] = {"items": "?"}
    done = await office.hear("确认")
    assert (done.status, done.user_response) == ("canceled", "那张单子过期了，再说一遍吧。")


@virtual
async def test_recording_asks_with_its_own_mode() -> None:
    office = Office()
    await office.open(LUNCH)
    await office.hear("继续")
    office.answer = {
        "intent": "append",
        "corrections": [{"index": -1, "updatedFields": {"amount": 15, "description": "奶茶"}}],
    }
    done = await office.hear("奶茶15")
    assert office.asked[-1].mode is Mode.RECORD
    assert done.user_response == "第2笔加上了"


@virtual
async def test_a_line_about_the_items_is_bound_while_the_batch_is_open_and_talk_is_not() -> None:
    office = Office()
    await office.open()
    assert office.task is not None
    for line in ("改成60", "奶茶15", "不对", "是晚饭", "前天的", "确认", "第二笔不要", "分类错了"):
        assert concerns(office.task, context(line).clause) is not None, line
    for line in ("明天下雨吗", "你晚上吃啥", "哈哈哈 笑死", "没听清你说啥", "他在开会"):
        assert concerns(office.task, context(line).clause) is None, line


LINES = [
    *("确认", "取消", "确认第一笔", "删掉第二笔", "退出"),
    *("继续", "改成60", "第一笔改成60", "奶茶15", "你好"),
]


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from(LINES), st.sampled_from(["", "die", "fail", "late", "blind", "silent"])),
        max_size=8,
    )
)
def test_what_is_on_disk_was_said_whatever_dies_or_fails(script: list[tuple[str, str]]) -> None:
    async def scene() -> None:
        office = Office()
        await office.open()
        for text, trouble in script:
            office.fault = DatabaseLocked() if trouble == "fail" else None
            office.after_fault = DatabaseTimeout() if trouble in ("late", "blind") else None
            office.goes_blind, office.reading = trouble == "blind", None
            office.answer = 1e9 if trouble == "silent" else {"intent": "unclear"}
            assert office.task is not None
            if not office.task.open:
                return
            await office.hear(text, keep=trouble != "die")
        office.fault = office.after_fault = office.reading = None
        office.goes_blind = False
        assert office.task is not None
        if office.task.open:
            await office.hear("取消")
        states = {item["number"]: item["state"] for item in office.task.slots[BATCH]["items"]}
        assert {number for number, state in states.items() if state == "saved"} == office.disk.get(
            "m1#0", {}
        ).keys()

    run_virtually(scene())
