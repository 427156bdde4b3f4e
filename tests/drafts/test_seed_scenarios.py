"""Seed 4, scenario by scenario, at the level of the machine."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.drafts import (
    AskModel,
    BatchPhase,
    Commit,
    LineReceived,
    ModelAnswered,
    ModelFailed,
    OwnerNotice,
    Say,
    Ticked,
    Updated,
    speak,
)
from nonebot_plugin_mishu.language.cards.grammar import Kind
from nonebot_plugin_mishu.language.cards.triage import triage

from .ledger_model import OWNER, Desk, Entry

RED = Entry("红包", 6000)
LUNCH = Entry("午饭", 3500)


def asked(desk: Desk, text: str) -> AskModel[Entry]:
    effects = desk.on(LineReceived(OWNER, text))
    return next(effect for effect in effects if isinstance(effect, AskModel))


def answer(desk: Desk, text: str, **raw: Any) -> list[OwnerNotice]:
    ask = asked(desk, text)
    effects = desk.on(ModelAnswered(ask.ticket, raw))
    return [effect.line for effect in effects if isinstance(effect, Say)]


@pytest.mark.parametrize(
    ("text", "kind", "items"),
    [
        ("确认", Kind.CONFIRM, ()),
        ("不要了", Kind.CANCEL, ()),
        ("确认第二笔", Kind.CONFIRM_ITEM, (1,)),
        ("删掉第三笔", Kind.CANCEL_ITEM, (2,)),
    ],
)
def test_certain_intents_are_decided_locally_without_a_model(
    text: str, kind: Kind, items: tuple[int, ...]
) -> None:
    read = triage(text, 3)
    assert (read.kind, read.items) == (kind, items)
    assert not [effect for effect in Desk().on(LineReceived(OWNER, text)) if isinstance(effect, AskModel)]


@pytest.mark.parametrize("text", ["修改为收入", "那个应该是收入不是支出啊"])
def test_corrections_go_to_the_model(text: str) -> None:
    assert triage(text, 3).kind is Kind.CORRECTION
    assert asked(Desk(), text).text == text


def test_a_correction_at_its_place() -> None:
    desk = Desk(LUNCH, RED)
    entry = {"index": 0, "updatedFields": {"amount": 50.0}}
    lines = answer(desk, "第一笔改成50", intent="correction", corrections=[entry], confidence=0.92)
    assert (lines, desk.batch.items[0].value.fen) == ([OwnerNotice.CHANGED], 5000)


def test_a_correction_by_description() -> None:
    desk = Desk(LUNCH, RED)
    entry = {"index": 1, "updatedFields": {"type": "INCOME"}}
    answer(desk, "红包那笔改为收入", intent="correction", corrections=[entry])
    assert [item.value.type for item in desk.batch.items] == ["EXPENSE", "INCOME"]


def test_the_model_recognises_a_confirmation() -> None:
    desk = Desk(LUNCH, RED)
    ask = asked(desk, "这些金额就照着这样来")
    effects = desk.on(ModelAnswered(ask.ticket, {"corrections": [], "intent": "confirm", "confidence": 0.85}))
    assert [effect for effect in effects if isinstance(effect, Commit)]


def test_the_model_recognises_a_further_item() -> None:
    desk = Desk(LUNCH)
    entry = {"index": -1, "updatedFields": {"amount": 15.0, "type": "EXPENSE", "description": "奶茶"}}
    assert answer(desk, "还有一笔奶茶15", intent="append", corrections=[entry]) == [OwnerNotice.ADDED]
    assert desk.batch.items[1].value == Entry("奶茶", 1500)


def test_what_the_model_cannot_understand_changes_nothing() -> None:
    desk = Desk(LUNCH, RED)
    before = desk.batch.items
    lines = answer(desk, "金额弄成那个样子", intent="unclear", corrections=[], confidence=0.3)
    assert (lines, desk.batch.items) == ([OwnerNotice.UNCLEAR], before)


def test_several_fields_at_once() -> None:
    desk = Desk(RED)
    entry = {"index": 0, "updatedFields": {"type": "INCOME", "amount": 100.0}}
    answer(desk, "改为收入100块", intent="correction", corrections=[entry])
    assert desk.batch.items[0].value == Entry("红包", 10000, "INCOME")


def test_the_waiting_line_is_said_before_the_request() -> None:
    effects = Desk().on(LineReceived(OWNER, "修改为收入"))
    assert [type(effect) for effect in effects] == [Say, AskModel]
    assert isinstance(effects[0], Say)
    assert speak(effects[0].line) == "好的，正在修改..."


def test_after_three_seconds_local_rules_correct_and_say_so() -> None:
    desk = Desk(RED)
    asked(desk, "改为收入")
    desk.now += 3
    effects = desk.on(Ticked())
    assert Say(OwnerNotice.CHANGED, (0,)) in effects
    assert desk.batch.items[0].value.type == "INCOME"


def test_low_confidence_falls_back_to_unclear() -> None:
    desk = Desk(LUNCH, RED)
    entry = {"index": 0, "updatedFields": {"amount": 1}}
    lines = answer(desk, "第一笔改成1", intent="correction", corrections=[entry], confidence=0.55)
    assert [speak(line) for line in lines] == ["没听清要改什么，请再说一次"]
    assert desk.batch.items[0].value == LUNCH


@pytest.mark.parametrize("text", ["改为收入", "那个应该是收入不是支出"])
def test_without_a_network_local_rules_correct_the_type(text: str) -> None:
    desk = Desk(RED)
    ask = asked(desk, text)
    effects = desk.on(ModelFailed(ask.ticket, offline=True))
    assert [effect.line for effect in effects if isinstance(effect, Say)] == [
        OwnerNotice.CHANGED,
        OwnerNotice.OFFLINE,
    ]
    assert desk.batch.items[0].value.type == "INCOME"


def test_a_change_is_shown_and_told_and_the_batch_stays_open() -> None:
    desk = Desk(RED)
    ask = asked(desk, "改为收入")
    entry = {"index": 0, "updatedFields": {"type": "INCOME"}}
    effects = desk.on(ModelAnswered(ask.ticket, {"intent": "correction", "corrections": [entry]}))
    assert effects == [Say(OwnerNotice.CHANGED, (0,)), Updated()]
    assert desk.batch.phase is BatchPhase.CONFIRMING


def test_a_change_that_cannot_be_found_changes_nothing_and_says_so() -> None:
    desk = Desk(RED)
    effects = desk.on(LineReceived(OWNER, "金额不太对劲", online=False))
    assert Say(OwnerNotice.UNCLEAR, (0,)) in effects
    assert Updated() not in effects


def test_corrections_add_up() -> None:
    desk = Desk(RED)
    for text, fields in (("改为收入", {"type": "INCOME"}), ("金额改成100", {"amount": 100})):
        answer(desk, text, intent="correction", corrections=[{"index": 0, "updatedFields": fields}])
    assert desk.batch.items[0].value == Entry("红包", 10000, "INCOME")
