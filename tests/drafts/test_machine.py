"""The machine, state by state: each test is a dialogue."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from nonebot_plugin_mishu.drafts import (
    AskModel,
    BatchPhase,
    CancelModelCall,
    Closed,
    Commit,
    CommitFailed,
    Committed,
    Dropped,
    End,
    Limits,
    LineReceived,
    Mode,
    ModelAnswered,
    ModelFailed,
    OwnerNotice,
    PassOn,
    Say,
    Ticked,
    Updated,
    dump,
    load,
    open_batch,
    speak,
)
from nonebot_plugin_mishu.drafts.machine import RESULTS, TABLE, Input, table_markdown
from nonebot_plugin_mishu.language.cards.grammar import Kind

from .ledger_model import LIMITS, MODEL, OTHER, OWNER, Desk, Entry, at, hear, new, one, said, save


class TestOrders:
    def test_confirm_saves_everything_only_when_it_is_on_disk(self) -> None:
        desk = Desk()
        effects = hear(desk, "确认")
        assert [number for number, _ in one(effects, Commit).items] == [0, 1, 2]
        assert desk.states == "ppp"
        effects = save(desk, effects)
        assert desk.states == "sss"
        assert effects == [Updated(), Say(OwnerNotice.SAVED, (0, 1, 2)), Closed(End.SAVED)]

    def test_confirm_item_saves_at_once_and_the_rest_stays_with_its_numbers(self) -> None:
        desk = Desk()
        save(desk, hear(desk, "确认第二笔"))
        assert desk.states == "psp"
        assert desk.batch.phase is BatchPhase.CONFIRMING
        hear(desk, "删掉第三笔")
        assert desk.states == "psc"

    def test_cancel_drops_what_is_pending_and_never_what_is_saved(self) -> None:
        desk = Desk()
        save(desk, hear(desk, "确认第一笔"))
        effects = hear(desk, "不要了")
        assert desk.states == "scc"
        assert said(effects) == [OwnerNotice.CANCELLED]
        assert one(effects, Closed).end is End.CANCELLED

    def test_exit_asks_once_and_the_second_time_drops_and_says_so(self) -> None:
        desk = Desk()
        effects = hear(desk, "退出")
        assert effects == [Say(OwnerNotice.SAVE_THESE, (0, 1, 2), 3)]
        assert speak(OwnerNotice.SAVE_THESE, count=3) == "这3笔要保存吗？"
        effects = hear(desk, "退出")
        assert (desk.states, said(effects), one(effects, Closed).end) == ("ccc", [OwnerNotice.LEFT], End.LEFT)

    @pytest.mark.parametrize("yes", ["要", "好", "保存", "嗯"])
    def test_yes_to_the_question_saves(self, yes: str) -> None:
        desk = Desk()
        hear(desk, "退出")
        save(desk, hear(desk, yes))
        assert desk.states == "sss"

    @pytest.mark.parametrize("no", ["不要", "不用了", "不", "算了"])
    def test_no_to_the_question_drops(self, no: str) -> None:
        desk = Desk()
        hear(desk, "退出")
        hear(desk, no)
        assert desk.states == "ccc"

    def test_continue_takes_more_items(self) -> None:
        desk = Desk()
        assert said(hear(desk, "继续")) == [OwnerNotice.RECORDING]
        effects = hear(desk, "水果18")
        ask = one(effects, AskModel)
        assert (ask.mode, said(effects)) == (Mode.RECORD, [])
        desk.on(ModelAnswered(ask.ticket, {"intent": "append", "corrections": [new(amount=18)]}))
        assert desk.states == "pppp"
        assert desk.batch.phase is BatchPhase.RECORDING

    def test_several_orders_in_one_line_are_done_in_order(self) -> None:
        desk = Desk()
        effects = hear(desk, "第二笔不要，其他的都确认")
        assert [number for number, _ in one(effects, Commit).items] == [0, 2]
        save(desk, effects)
        assert desk.states == "scs"

    def test_all_but_one_means_those_still_pending(self) -> None:
        desk = Desk()
        hear(desk, "删掉第三笔")
        effects = hear(desk, "除了第二笔都确认")
        assert [number for number, _ in one(effects, Commit).items] == [0]

    @pytest.mark.parametrize(
        ("text", "line"), [("确认第四笔", OwnerNotice.NO_SUCH), ("删掉第三到第五笔", OwnerNotice.NO_SUCH)]
    )
    def test_a_number_that_is_not_on_the_card_refuses_the_whole_order(
        self, text: str, line: OwnerNotice
    ) -> None:
        desk = Desk()
        effects = hear(desk, text)
        assert (desk.states, said(effects)) == ("ppp", [line])
        assert not [effect for effect in effects if isinstance(effect, Commit)]

    def test_a_saved_item_cannot_be_cancelled_nor_a_cancelled_one_saved(self) -> None:
        desk = Desk()
        save(desk, hear(desk, "确认第一笔"))
        assert said(hear(desk, "删掉第一笔")) == [OwnerNotice.TOO_LATE]
        hear(desk, "删掉第二笔")
        assert said(hear(desk, "确认第二笔")) == [OwnerNotice.ALREADY_CANCELLED]
        assert said(hear(desk, "确认第一笔")) == [OwnerNotice.ALREADY_SAVED]
        assert desk.states == "scp"


class TestCommitFails:
    def test_nothing_is_saved_and_a_second_confirm_tries_again(self) -> None:
        desk = Desk()
        first = one(hear(desk, "确认"), Commit)
        effects = desk.on(CommitFailed(first.ticket))
        assert (desk.states, said(effects), desk.batch.phase) == (
            "ppp",
            [OwnerNotice.NOT_SAVED],
            BatchPhase.CONFIRMING,
        )
        again = one(hear(desk, "确认"), Commit)
        assert again.ticket != first.ticket
        assert desk.on(Committed(first.ticket)) == []
        desk.on(Committed(again.ticket))
        assert desk.states == "sss"


class TestTime:
    def test_an_expired_draft_is_dropped_and_that_is_said(self) -> None:
        desk = Desk()
        desk.now += LIMITS.timeout
        effects = desk.on(Ticked())
        assert (desk.states, said(effects), one(effects, Closed).end) == (
            "ccc",
            [OwnerNotice.EXPIRED],
            End.EXPIRED,
        )

    def test_a_line_that_comes_after_the_end_is_not_applied_even_without_a_tick(self) -> None:
        desk = Desk()
        desk.now += LIMITS.timeout
        effects = hear(desk, "确认")
        assert desk.states == "ccc"
        assert effects[-1] == PassOn("确认")

    def test_words_about_the_draft_keep_it_alive_and_talk_does_not(self) -> None:
        desk = Desk()
        desk.now += LIMITS.timeout - 1
        hear(desk, "今天天气真好")
        assert desk.batch.wake_at == 1_000 + LIMITS.timeout
        hear(desk, "删掉第三笔")
        assert desk.batch.wake_at == desk.now + LIMITS.timeout

    def test_a_commit_on_its_way_outlives_the_expiry(self) -> None:
        desk = Desk()
        effects = hear(desk, "确认")
        desk.now += 10 * LIMITS.timeout
        assert desk.on(Ticked()) == []
        save(desk, effects)
        assert desk.states == "sss"

    def test_a_confirm_that_waited_past_the_expiry_still_counts(self) -> None:
        desk = Desk()
        hear(desk, "第一笔改成50")
        hear(desk, "确认")
        desk.now += 10 * LIMITS.timeout
        save(desk, desk.on(Ticked()))
        assert desk.states == "sss"


class TestEnds:
    def test_dropped_ends_without_a_word_and_calls_off_the_model(self) -> None:
        desk = Desk()
        ask = one(hear(desk, "第一笔改成50"), AskModel)
        effects = desk.on(Dropped())
        assert effects == [CancelModelCall(ask.ticket), Updated(), Closed(End.DROPPED)]
        assert desk.states == "ccc"

    def test_dropped_while_committing_waits_for_the_truth(self) -> None:
        desk = Desk()
        effects = hear(desk, "确认第一笔")
        assert desk.on(Dropped()) == []
        desk.on(Committed(one(effects, Commit).ticket))
        assert (desk.states, desk.batch.phase) == ("scc", BatchPhase.CLOSED)

    def test_a_closed_batch_does_nothing_more(self) -> None:
        desk = Desk()
        hear(desk, "取消")
        closed = desk.batch
        assert hear(desk, "确认") == [PassOn("确认")]
        for event in (
            Ticked(),
            Dropped(),
            ModelAnswered(1, {}),
            ModelFailed(1),
            Committed(1),
            CommitFailed(1),
        ):
            assert desk.on(event) == []
        assert (desk.batch, desk.batch.wake_at) == (closed, None)


class TestWhoseLineItIs:
    def test_pitfall_43_another_members_yes_never_touches_the_batch(self) -> None:
        desk = Desk()
        before = desk.batch
        for text in ("好的", "确认", "取消", "第一笔改成50"):
            assert desk.on(LineReceived(OTHER, text)) == [PassOn(text)]
        assert desk.batch == before

    @pytest.mark.parametrize(
        "text",
        [
            *("今天天气真好", "晚上吃什么", "老师改了作业", "不对吧 他说的是周三", "我不是很懂"),
            *("公司又改规定了", "他重新找了个工作", "这个月工资发了5000吗"),
        ],
    )
    @pytest.mark.parametrize("online", [True, False])
    def test_pitfall_43_an_unrelated_line_is_passed_on(self, text: str, online: bool) -> None:
        desk = Desk()
        effects = desk.on(LineReceived(OWNER, text, online=online))
        assert OwnerNotice.UNCLEAR not in said(effects)
        assert online or PassOn(text) in effects
        assert desk.states == "ppp"


class TestScheduleUse:
    """Seed 0: the same machine asks `check_intent` about every line that layer 1 does not decide."""

    MODEL = replace(MODEL, waiting_line=False, ask_about_talk=True)

    def desk(self) -> Desk:
        return Desk(Entry("周六爬山", 0), model=self.MODEL, limits=Limits(timeout=300))

    @pytest.mark.parametrize("yes", ["好的", "确认第一个"])
    def test_confirm_and_confirm_item_confirm(self, yes: str) -> None:
        desk = self.desk()
        save(desk, hear(desk, yes))
        assert desk.states == "s"

    @pytest.mark.parametrize("no", ["不用了", "第一个不要", "取消"])
    def test_cancel_and_cancel_item_deny(self, no: str) -> None:
        desk = self.desk()
        hear(desk, no)
        assert desk.states == "c"

    def test_edit_carries_what_was_said_before_and_confirms(self) -> None:
        desk = self.desk()
        ask = one(hear(desk, "是周日下午"), AskModel)
        assert (ask.said, ask.text) == ("记账", "是周日下午")
        raw = {"intent": "edit", "corrections": [at(0, description="周日下午爬山")]}
        effects = desk.on(ModelAnswered(ask.ticket, raw))
        assert one(effects, Commit).items == ((0, Entry("周日下午爬山", 0)),)
        assert desk.batch.said == "记账\n是周日下午"

    def test_irrelevant_is_passed_on_and_the_question_stays_open(self) -> None:
        desk = self.desk()
        ask = one(hear(desk, "今天天气真好"), AskModel)
        assert desk.on(ModelAnswered(ask.ticket, {"intent": "irrelevant"})) == [PassOn("今天天气真好")]
        assert (desk.states, desk.batch.phase) == ("p", BatchPhase.CONFIRMING)


class TestTheTable:
    def test_every_phase_knows_every_input(self) -> None:
        assert set(TABLE) == set(BatchPhase)
        assert all(set(row) == set(Input) for row in TABLE.values())
        assert {kind.value for kind in Kind} < {input.value for input in Input}

    def test_every_action_says_what_it_does(self) -> None:
        actions = [*RESULTS.values(), *(action for row in TABLE.values() for action in row.values())]
        assert all(action.__doc__ for action in actions)

    def test_the_documentation_prints_the_table_of_the_code(self) -> None:
        page = Path(__file__).parents[2] / "docs" / "drafts.md"
        assert table_markdown() in page.read_text(encoding="utf-8")


class TestOpening:
    def test_no_more_than_the_card_holds(self) -> None:
        batch, effects = open_batch("b", OWNER, "g", [Entry(str(n), n) for n in range(12)], 0, LIMITS)
        assert len(batch.items) == 10
        assert effects == (Updated(), Say(OwnerNotice.FULL, count=10))

    def test_a_batch_without_items_is_none(self) -> None:
        with pytest.raises(ValueError, match="at least one"):
            open_batch("b", OWNER, "g", [], 0, LIMITS)


def test_a_batch_survives_being_written_down() -> None:
    desk = Desk()
    hear(desk, "第一笔改成50")
    hear(desk, "第二笔不要，其他的都确认")
    plain = json.loads(json.dumps(dump(desk.batch, lambda entry: vars(entry))))
    assert load(plain, lambda value: Entry(**value)) == desk.batch
    desk.now += 3
    desk.on(Ticked())
    plain = json.loads(json.dumps(dump(desk.batch, lambda entry: vars(entry))))
    assert load(plain, lambda value: Entry(**value)) == desk.batch
