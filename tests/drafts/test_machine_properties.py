"""In any order of lines, answers, commits, failures, ticks and time, the machine keeps its promises."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from nonebot_plugin_mishu.drafts import (
    AskModel,
    BatchPhase,
    Closed,
    Commit,
    CommitFailed,
    Committed,
    Dropped,
    ItemState,
    Limits,
    LineReceived,
    ModelAnswered,
    ModelFailed,
    Ticked,
    dump,
    load,
)

from .ledger_model import OTHER, OWNER, Desk, Entry

REFUSALS = ("唔要", "莫存咯", "嫑记了", "都别记", "取消", "不要了")
NO_CONSENTS = ("唔对", "不是很确认", "不啦要", "第一笔唔确认", "删掉那个")
LINES = st.sampled_from(
    [
        *REFUSALS,
        *NO_CONSENTS,
        "确认",
        "取消",
        "退出",
        "继续",
        "好的",
        "不要了",
        "确认第一笔",
        "确认第二笔",
        "删掉第一笔",
        "删掉第三笔",
        "确认第九笔",
        "第二笔不要，其他的都确认",
        "除了第一笔都确认",
        "前两笔确认",
        "最后一笔不要",
        "第一笔改成50",
        "改为收入",
        "第二笔",
        "还有奶茶15",
        "今天天气真好",
        "确认吗？",
        "绝对不行",
        "一起吃饭30",
    ]
)
FIELDS = st.fixed_dictionaries({}, optional={"amount": st.integers(-1, 99), "type": st.just("INCOME")})
ANSWERS = st.fixed_dictionaries(
    {
        "intent": st.sampled_from(["correction", "append", "confirm", "cancel", "edit", "unclear", "?"]),
        "corrections": st.lists(
            st.fixed_dictionaries({"index": st.integers(-1, 4), "updatedFields": FIELDS}), max_size=3
        ),
    },
    optional={"confidence": st.sampled_from([0.3, 0.7, 1.0])},
)


class DraftMachine(RuleBasedStateMachine):
    """A disk beside the batch: what was asked to be committed, and what is on it."""

    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk(limits=Limits(max_items=5, max_waiting=4, timeout=20, correction_timeout=3))
        self.disk: dict[int, Entry] = {}
        self.asks: list[int] = []
        self.commits: list[Commit[Entry]] = []
        self.settled: set[int] = set()
        self.cancelled: set[int] = set()
        self.closed = 0

    def act(self, event: Any) -> None:
        before = self.desk.batch
        for effect in self.desk.on(event):
            match effect:
                case AskModel():
                    self.asks.append(effect.ticket)
                case Commit():
                    assert effect.items, "a commit saves something"
                    for number, value in effect.items:
                        item = self.desk.batch.items[number]
                        assert (item.state, item.value) == (ItemState.PENDING, value)
                    assert {number for number, _ in effect.items}.isdisjoint(self.disk), "never twice"
                    self.commits.append(effect)
                case Closed():
                    self.closed += 1
                case _:
                    pass
        for old, new in zip(before.items, self.desk.batch.items, strict=False):
            assert old.number == new.number, "numbers never shift"
            if old.state is not ItemState.PENDING:
                assert old == new, "saved and cancelled items never change"
        assert len(self.desk.batch.items) >= len(before.items)

    @rule(text=LINES, online=st.booleans())
    def owner_speaks(self, text: str, online: bool) -> None:
        idle = self.desk.batch.phase in (BatchPhase.CONFIRMING, BatchPhase.RECORDING, BatchPhase.ASKING)
        self.act(LineReceived(OWNER, text, online))
        if idle and text in REFUSALS:
            assert not self.desk.batch.pending, "what is refused is gone at once, whatever runs later"
            assert self.desk.batch.phase is BatchPhase.CLOSED

    @rule(text=LINES)
    def another_speaks(self, text: str) -> None:
        before = self.desk.batch
        self.desk.batch = before
        if before.wake_at is None or self.desk.now < before.wake_at:
            self.act(LineReceived(OTHER, text))
            assert self.desk.batch == before

    @precondition(lambda self: self.asks)
    @rule(data=st.data(), answer=ANSWERS)
    def model_answers(self, data: st.DataObject, answer: dict[str, object]) -> None:
        self.act(ModelAnswered(data.draw(st.sampled_from(self.asks)), answer))

    @precondition(lambda self: self.asks)
    @rule(data=st.data(), offline=st.booleans())
    def model_fails(self, data: st.DataObject, offline: bool) -> None:
        self.act(ModelFailed(data.draw(st.sampled_from(self.asks)), offline))

    @precondition(lambda self: self.commits)
    @rule(data=st.data(), works=st.booleans())
    def disk_answers(self, data: st.DataObject, works: bool) -> None:
        commit = data.draw(st.sampled_from(self.commits))
        if commit.ticket not in self.settled:
            self.settled.add(commit.ticket)
            if works:
                self.disk.update(commit.items)
            self.act(Committed(commit.ticket) if works else CommitFailed(commit.ticket))
        else:  # told a second time: nothing may come of it
            saved = commit.items[0][0] in self.disk
            self.act(Committed(commit.ticket) if saved else CommitFailed(commit.ticket))

    @rule(seconds=st.sampled_from([0.5, 3, 19, 25]))
    def time_passes(self, seconds: float) -> None:
        self.desk.now += seconds
        self.act(Ticked())

    @rule()
    def dropped(self) -> None:
        self.act(Dropped())

    @rule()
    def restarted(self) -> None:
        plain = dump(self.desk.batch, lambda entry: vars(entry))
        again = load(plain, lambda value: Entry(**value))
        assert again == self.desk.batch
        self.desk.batch = again

    @invariant()
    def saved_is_what_is_on_disk(self) -> None:
        saved = {item.number: item.value for item in self.desk.batch.items if item.state is ItemState.SAVED}
        assert saved == self.disk

    @invariant()
    def a_cancelled_item_is_never_saved(self) -> None:
        self.cancelled |= {item.number for item in self.desk.batch.items if item.state is ItemState.CANCELLED}
        assert self.cancelled.isdisjoint(self.disk)

    @invariant()
    def a_confirmed_item_is_pending_or_saved_while_its_commit_runs(self) -> None:
        for commit in self.commits:
            if commit.ticket not in self.settled:
                assert self.desk.batch.phase is BatchPhase.COMMITTING
                assert self.cancelled.isdisjoint(number for number, _ in commit.items)

    @invariant()
    def shape(self) -> None:
        batch = self.desk.batch
        assert len(batch.items) <= batch.limits.max_items
        assert len(batch.waiting) <= batch.limits.max_waiting + 2
        assert (batch.work is not None) == (batch.phase in (BatchPhase.CORRECTING, BatchPhase.COMMITTING))
        assert (batch.phase is BatchPhase.CLOSED) == (not batch.pending)
        assert self.closed == (batch.phase is BatchPhase.CLOSED)


DraftMachine.TestCase.settings = settings(max_examples=150, stateful_step_count=40)
TestDraftMachine = DraftMachine.TestCase
