"""Corrections, and what arrives while something runs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from nonebot_plugin_mishu.drafts import (
    AskModel,
    BatchPhase,
    CancelModelCall,
    Commit,
    Committed,
    ModelAnswered,
    OwnerNotice,
    PassOn,
    Say,
    Ticked,
    Updated,
    speak,
)

from .ledger_model import LIMITS, Desk, Entry, at, hear, new, one, said, save


class TestCorrections:
    def test_the_waiting_line_comes_before_the_call(self) -> None:
        effects = hear(Desk(), "第一笔改成50")
        assert [type(effect) for effect in effects] == [Say, AskModel]
        assert effects[0] == Say(OwnerNotice.WAITING)
        assert speak(OwnerNotice.WAITING) == "好的，正在修改..."

    def test_only_pending_items_are_shown_and_indices_are_mapped_back(self) -> None:
        desk = Desk()
        save(desk, hear(desk, "确认第一笔"))
        ask = one(hear(desk, "奶茶那笔改成18"), AskModel)
        assert [number for number, _ in ask.pending] == [1, 2]
        effects = desk.on(
            ModelAnswered(ask.ticket, {"intent": "correction", "corrections": [at(1, amount=18)]})
        )
        assert desk.batch.items[2].value.fen == 1800
        assert said(effects) == [OwnerNotice.CHANGED]
        assert Updated() in effects
        assert desk.batch.phase is BatchPhase.CONFIRMING

    @pytest.mark.parametrize(
        "corrections",
        [
            [at(3, amount=1)],
            [at(0, amount=1), at(7, amount=2)],
            [at(0, amount=-1)],
            [at(0, colour="red")],
            [at(-2, amount=1)],
            [at(0, amount=1), at(0, amount=2)],
            [],
            [new(amount=5)],
        ],
    )
    def test_a_correction_is_refused_whole(self, corrections: list[dict[str, object]]) -> None:
        desk = Desk()
        before = desk.batch.items
        ask = one(hear(desk, "第一笔改成1"), AskModel)
        effects = desk.on(ModelAnswered(ask.ticket, {"intent": "correction", "corrections": corrections}))
        assert desk.batch.items == before
        assert said(effects) == [OwnerNotice.UNCLEAR]

    @pytest.mark.parametrize("corrections", [[], [at(7, amount=1)]])
    def test_a_confirm_of_what_corrects_is_what_the_rules_read(
        self, corrections: list[dict[str, object]]
    ) -> None:
        desk = Desk()
        ask = one(hear(desk, "第一笔改成1"), AskModel)
        raw = {"intent": "confirm", "corrections": corrections, "confidence": 0.9}
        effects = desk.on(ModelAnswered(ask.ticket, raw))
        assert desk.batch.items[0].value.fen == 100
        assert said(effects) == [OwnerNotice.CHANGED]
        assert desk.batch.phase is BatchPhase.CONFIRMING

    def test_appended_items_fill_the_card_and_what_is_too_much_is_said(self) -> None:
        desk = Desk(limits=replace(LIMITS, max_items=4))
        ask = one(hear(desk, "还有奶茶15和水果20"), AskModel)
        effects = desk.on(
            ModelAnswered(ask.ticket, {"intent": "append", "corrections": [new(amount=15), new(amount=20)]})
        )
        assert desk.states == "pppp"
        assert said(effects) == [OwnerNotice.ADDED, OwnerNotice.FULL]

    def test_the_models_confirm_and_cancel_are_carried_out(self) -> None:
        desk = Desk()
        ask = one(hear(desk, "打车那笔也没什么要改的"), AskModel)
        effects = desk.on(
            ModelAnswered(ask.ticket, {"intent": "confirm", "corrections": [], "confidence": 0.85})
        )
        save(desk, effects)
        assert desk.states == "sss"
        desk = Desk()
        ask = one(hear(desk, "打车那笔和别的我都不想留"), AskModel)
        desk.on(ModelAnswered(ask.ticket, {"intent": "cancel", "corrections": [], "confidence": 0.9}))
        assert desk.states == "ccc"

    def test_local_rules_ask_for_the_item_and_take_the_answer(self) -> None:
        desk = Desk()
        assert said(hear(desk, "改为收入", online=False)) == [OwnerNotice.WHICH, OwnerNotice.OFFLINE]
        assert said(hear(desk, "第二笔", online=False)) == [OwnerNotice.CHANGED]
        assert [item.value.type for item in desk.batch.items] == ["EXPENSE", "INCOME", "EXPENSE"]

    def test_offline_is_said_once_per_batch(self) -> None:
        desk = Desk(Entry("红包", 6000))
        assert said(hear(desk, "改为收入", online=False)) == [OwnerNotice.CHANGED, OwnerNotice.OFFLINE]
        assert said(hear(desk, "金额改成100", online=False)) == [OwnerNotice.CHANGED]
        assert desk.batch.items[0].value == Entry("红包", 10000, "INCOME")

    def test_the_time_of_a_correction_is_three_seconds_in_all(self) -> None:
        desk = Desk(Entry("红包", 6000))
        ask = one(hear(desk, "改为收入"), AskModel)
        assert (ask.deadline, desk.batch.wake_at) == (desk.now + 3, desk.now + 3)
        desk.now += 2.9
        assert desk.on(Ticked()) == []
        desk.now += 0.1
        effects = desk.on(Ticked())
        assert effects[0] == CancelModelCall(ask.ticket)
        assert said(effects) == [OwnerNotice.CHANGED]
        late = {"intent": "correction", "corrections": [at(0, type="EXPENSE", amount=1)]}
        assert desk.on(ModelAnswered(ask.ticket, late)) == []
        assert desk.batch.items[0].value == Entry("红包", 6000, "INCOME")


class TestOrderOfArrival:
    def test_pitfall_53_a_confirm_that_races_a_running_correction_waits_for_it(self) -> None:
        desk = Desk()
        ask = one(hear(desk, "第一笔改成50"), AskModel)
        assert hear(desk, "确认") == []
        effects = desk.on(
            ModelAnswered(ask.ticket, {"intent": "correction", "corrections": [at(0, amount=50)]})
        )
        commit = one(effects, Commit)
        assert commit.items[0] == (0, Entry("午饭", 5000))

    def test_what_waits_is_taken_in_the_order_of_arrival_one_correction_at_a_time(self) -> None:
        desk = Desk()
        first = one(hear(desk, "第一笔改成50"), AskModel)
        for text in ("第二笔改成60", "删掉第三笔", "确认"):
            assert hear(desk, text) == []
        effects = desk.on(
            ModelAnswered(first.ticket, {"intent": "correction", "corrections": [at(0, amount=50)]})
        )
        second = one(effects, AskModel)
        assert second.text == "第二笔改成60"
        effects = desk.on(
            ModelAnswered(second.ticket, {"intent": "correction", "corrections": [at(1, amount=60)]})
        )
        assert [(number, entry.fen) for number, entry in one(effects, Commit).items] == [(0, 5000), (1, 6000)]

    def test_a_late_answer_to_an_earlier_correction_never_meets_the_next_one(self) -> None:
        desk = Desk()
        first = one(hear(desk, "第一笔改成50"), AskModel)
        hear(desk, "第二笔改成60")
        desk.now += 3
        second = one(desk.on(Ticked()), AskModel)
        assert desk.on(ModelAnswered(first.ticket, {"intent": "cancel", "confidence": 1})) == []
        assert desk.batch.work is not None
        assert desk.batch.work.ticket == second.ticket

    def test_a_second_confirm_while_committing_commits_nothing_twice(self) -> None:
        desk = Desk()
        effects = hear(desk, "确认")
        assert hear(desk, "确认") == []
        assert [e for e in save(desk, effects) if isinstance(e, Commit)] == []
        assert desk.on(Committed(one(effects, Commit).ticket)) == []

    def test_a_cancel_while_committing_comes_too_late_and_is_told(self) -> None:
        desk = Desk()
        effects = hear(desk, "确认")
        hear(desk, "取消")
        effects = save(desk, effects)
        assert desk.states == "sss"
        assert said(effects) == [OwnerNotice.SAVED, OwnerNotice.TOO_LATE]

    def test_a_new_thing_said_while_the_last_is_saved_is_passed_on(self) -> None:
        desk = Desk()
        effects = hear(desk, "确认")
        hear(desk, "还有奶茶15")
        assert PassOn("还有奶茶15") in save(desk, effects)

    def test_too_many_waiting_lines_are_passed_on(self) -> None:
        desk = Desk(limits=replace(LIMITS, max_waiting=2))
        hear(desk, "第一笔改成50")
        assert [hear(desk, "第二笔改成60") for _ in range(3)] == [[], [], [PassOn("第二笔改成60")]]
