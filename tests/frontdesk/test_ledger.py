"""The ledger in memory: order, duplicates, bounds, marks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.frontdesk.lines.ledger import KEPT_TEXT, LedgerWindow
from stand_ins import BOT, line

EVERYTHING = (float("inf"), 0)


def ids(ledger: LedgerWindow) -> list[str]:
    return [said.message_id for said in ledger.context(EVERYTHING)]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 40)), max_size=60), st.integers(1, 10))
def test_order_uniqueness_and_bound(arrivals: list[tuple[int, int]], size: int) -> None:
    ledger = LedgerWindow(size)
    everything: dict[str, tuple[float, int]] = {}
    for receipt, (time, number) in enumerate(arrivals):
        fresh = str(number) not in ledger
        assert ledger.append(line(number, time=float(time), receipt=receipt)) is fresh
        if fresh:
            everything[str(number)] = (float(time), receipt)
        said = ledger.context(EVERYTHING)
        assert [one.order for one in said] == sorted(one.order for one in said)
        assert len({one.message_id for one in said}) == len(said) == len(ledger) <= size
        for one in said:
            assert ledger.get(one.message_id) is one
            ledger.update([one.message_id], processed=True)
        assert all(one.processed for one in ledger.context(EVERYTHING))


def test_pitfall_20_the_same_second_loses_nothing_and_nothing_comes_twice() -> None:
    ledger = LedgerWindow(100)
    for number in range(10):
        assert ledger.append(line(number, time=7.0, receipt=number))
    for number in range(10):
        assert not ledger.append(line(number, time=7.0, receipt=100 + number))
    assert ids(ledger) == [str(number) for number in range(10)]
    ledger.update(["4", "9", "none"], recalled=True)
    assert ids(ledger) == [str(number) for number in range(10) if number not in (4, 9)]


def test_pitfall_20_messages_of_one_moment_are_told_apart() -> None:
    ledger = LedgerWindow(10)
    for number in range(5):
        ledger.append(line(number, time=7.0, receipt=1))
    ledger.update(["3"], processed=True)
    assert [said.message_id for said in ledger.context(EVERYTHING) if said.processed] == ["3"]
    assert sorted(ids(ledger)) == ["0", "1", "2", "3", "4"]
    ledger.replace(line(2, time=7.0, receipt=1, processed=True))
    assert len(ledger) == 5


def test_a_message_may_come_in_behind_newer_ones() -> None:
    ledger = LedgerWindow(3)
    for number in (5, 6, 4):
        ledger.append(line(number))
    assert ids(ledger) == ["4", "5", "6"]
    ledger.append(line(3))
    assert ids(ledger) == ["4", "5", "6"]
    ledger.append(line(7))
    assert ids(ledger) == ["5", "6", "7"]


def test_pitfall_18_a_context_ends_with_its_message_and_stays_as_it_was() -> None:
    ledger = LedgerWindow(10)
    for number in range(5):
        ledger.append(line(number))
    frozen = ledger.context(line(3).order)
    ledger.append(line(2, message_id="late", receipt=9))
    ledger.update(["1"], processed=True)
    assert [said.message_id for said in frozen] == ["0", "1", "2", "3"]
    assert not frozen[1].processed


def test_pitfall_24_what_is_recalled_leaves_the_context() -> None:
    ledger = LedgerWindow(10)
    for number in range(3):
        ledger.append(line(number))
    ledger.update(["1"], recalled=True)
    assert ids(ledger) == ["0", "2"]
    assert ledger.get("1") is not None


def test_who_was_introduced_is_a_member_behind_those_who_spoke() -> None:
    ledger = LedgerWindow(10)
    ledger.introduce("7", "文文")
    ledger.append(line(1, user_id="1", name="小明"))
    assert ledger.members(10) == [("1", "小明"), ("7", "文文")]
    assert ledger.members(1) == [("1", "小明")]
    ledger.append(line(2, user_id="7", name="文文文"))
    assert ledger.members(10) == [("7", "文文文"), ("1", "小明")]
    ledger.forget_member("7")
    assert ledger.members(10) == [("1", "小明")]


def test_names_are_the_latest_and_bounded() -> None:
    ledger = LedgerWindow(5)
    for number in range(100):
        ledger.append(line(number, user_id=str(number), name=f"名{number}"))
    assert ledger.name_of("99") == "名99"
    assert sum(ledger.name_of(str(number)) is not None for number in range(100)) <= 11
    ledger.append(line(100, user_id="99", name="新名"))
    ledger.append(line(99, message_id="late", user_id="99", name="旧名"))
    assert ledger.name_of("99") == "新名"
    ledger.append(line(101, user_id=BOT, name="秘书", is_bot=True))
    assert ledger.name_of(BOT) is None


def test_members_come_by_who_spoke_last_under_the_name_used_then() -> None:
    ledger = LedgerWindow(5)
    for number, (who, name) in enumerate([("1", "老王"), ("2", "小雅"), ("1", "王哥"), ("3", "阿凯")]):
        ledger.append(line(number, user_id=who, name=name))
    ledger.append(line(1, message_id="late", user_id="4", name="迟到的"))
    ledger.append(line(9, user_id=BOT, name="秘书", is_bot=True))
    assert ledger.members(3) == [("3", "阿凯"), ("1", "王哥"), ("4", "迟到的")]


def test_pitfall_57_a_huge_message_is_cut_in_memory() -> None:
    ledger = LedgerWindow(5)
    ledger.append(line(1, "巨" * 300_000))
    said = ledger.get("1")
    assert said is not None
    assert len(said.text) < KEPT_TEXT + 30
    assert "300000" in said.text
    assert said.segments == []


def test_replace_and_forget() -> None:
    ledger = LedgerWindow(5)
    for number in range(4):
        ledger.append(line(number, user_id=str(number % 2)))
    ledger.replace(line(2, "改", user_id="0", time=0.5, processed=True))
    assert ids(ledger) == ["0", "2", "1", "3"]
    ledger.replace(line(9, user_id="0"))
    assert ids(ledger)[-1] == "9"
    ledger.forget_member("0")
    assert ids(ledger) == ["1", "3"]
    assert ledger.name_of("0") is None
    assert ledger.name_of("1") is not None


@pytest.mark.parametrize(
    ("since", "count", "people", "expected"),
    [(0, 4, 2, True), (0, 5, 2, False), (0, 4, 3, False), (3, 2, 2, False), (2, 2, 2, True)],
)
def test_a_quick_look_at_how_lively_it_is(since: float, count: int, people: int, expected: bool) -> None:
    ledger = LedgerWindow(10)
    for number in (0, 3, 1, 2):
        ledger.append(line(number, user_id=str(number % 2)))
    assert ledger.may_be_dense(since, count, people, ()) is expected
    assert not ledger.may_be_dense(since, 1, 2, {"0"})
