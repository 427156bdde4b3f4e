"""Windows of official bots: never the same number twice, never past QQ's own limits, the youngest first."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.adapter.qq import reply_windows as windows
from nonebot_plugin_mishu.adapter.qq.reply_windows import IN_GROUP, IN_PRIVATE, TIMES, Answerable, Window

QQ_GROUP, QQ_TIMES = 300.0, 5


def heard(*said: tuple[str, float]) -> Window:
    window: Window = ()
    for name, at in said:
        window = windows.heard(window, Answerable(name, at), at, IN_GROUP)
    return window


def test_the_youngest_is_answered_and_its_numbers_grow() -> None:
    window = heard(("a", 0.0), ("b", 10.0))
    told = []
    while True:
        passive, window = windows.choose(window, 20.0, IN_GROUP)
        if passive is None:
            break
        told.append((passive.id, passive.seq))
    assert told == [("b", 1), ("b", 2), ("b", 3), ("b", 4), ("a", 1), ("a", 2), ("a", 3), ("a", 4)]


def test_a_reminder_leaves_two_answers_of_each_message_to_whoever_asked() -> None:
    window = heard(("a", 0.0))
    for _ in range(2):
        passive, window = windows.choose(window, 1.0, IN_GROUP, spare=2)
        assert passive is not None
    assert windows.choose(window, 1.0, IN_GROUP, spare=2)[0] is None
    assert windows.chances(window, 1.0, IN_GROUP) == 2
    assert windows.choose(window, 1.0, IN_GROUP)[0] is not None


def test_windows_end_before_qq_ends_them() -> None:
    window = heard(("a", 0.0))
    assert windows.choose(window, IN_GROUP - 0.1, IN_GROUP)[0] is not None
    assert windows.choose(window, IN_GROUP, IN_GROUP)[0] is None
    assert windows.choose(window, 3000.0, IN_PRIVATE)[0] is not None
    assert IN_GROUP < QQ_GROUP
    assert IN_PRIVATE < 3600
    assert (windows.lasting(group=True), windows.lasting(group=False)) == (IN_GROUP, IN_PRIVATE)


def test_a_clock_before_the_message_answers_nothing() -> None:
    assert windows.choose(heard(("a", 5.0)), 4.0, IN_GROUP)[0] is None


def test_what_was_refused_is_not_tried_again() -> None:
    window = windows.refused(heard(("a", 0.0), ("b", 1.0)), "b")
    passive, _ = windows.choose(window, 2.0, IN_GROUP)
    assert passive is not None
    assert passive.id == "a"


def test_a_message_heard_twice_keeps_its_number() -> None:
    _, window = windows.choose(heard(("a", 0.0)), 1.0, IN_GROUP)
    window = windows.heard(window, Answerable("a", 2.0), 2.0, IN_GROUP)
    passive, _ = windows.choose(window, 3.0, IN_GROUP)
    assert passive is not None
    assert passive.seq == 2


def test_what_a_former_run_heard_is_answered_once_under_a_number_it_never_used() -> None:
    window = windows.heard((), windows.of_former_run("a", 0.0, event=False), 100.0, IN_GROUP)
    assert windows.choose(window, 100.0, IN_GROUP, spare=2)[0] is None, "no reminder takes it"
    passive, window = windows.choose(window, 100.0, IN_GROUP)
    assert passive is not None
    assert TIMES < passive.seq <= QQ_TIMES
    assert windows.choose(window, 101.0, IN_GROUP)[0] is None
    late = windows.heard((), windows.of_former_run("a", 0.0, event=False), IN_GROUP, IN_GROUP)
    assert windows.choose(late, IN_GROUP, IN_GROUP)[0] is None


def test_what_a_former_run_heard_stands_behind_what_was_said_since() -> None:
    window = windows.heard(heard(("b", 10.0)), windows.of_former_run("a", 5.0, event=False), 11.0, IN_GROUP)
    passive, _ = windows.choose(window, 12.0, IN_GROUP)
    assert passive is not None
    assert passive.id == "b"


def test_an_event_is_named_as_one() -> None:
    window = windows.heard((), Answerable("e", 0.0, event=True), 0.0, IN_GROUP)
    passive, _ = windows.choose(window, 1.0, IN_GROUP)
    assert passive is not None
    assert passive.event


@given(st.lists(st.tuples(st.sampled_from("hsr"), st.floats(0, 200), st.integers(0, 3)), max_size=60))
def test_whatever_happens_qq_refuses_no_number_age_or_count(steps: list[tuple[str, float, int]]) -> None:
    now, window, said = 0.0, (), dict[str, float]()
    used: set[tuple[str, int]] = set()
    count: Counter[str] = Counter()
    closed: set[str] = set()
    for number, (kind, wait, spare) in enumerate(steps):
        now += wait
        if kind == "h":
            said[f"m{number}"] = now
            window = windows.heard(window, Answerable(f"m{number}", now), now, IN_GROUP)
        elif kind == "s":
            passive, window = windows.choose(window, now, IN_GROUP, spare=spare)
            if passive is not None:
                assert (passive.id, passive.seq) not in used
                used.add((passive.id, passive.seq))
                count[passive.id] += 1
                assert count[passive.id] <= TIMES < QQ_TIMES
                assert now - said[passive.id] < QQ_GROUP
                assert passive.id not in closed
        elif window:
            closed.add(window[0].id)
            window = windows.refused(window, window[0].id)
    assert len(window) <= windows.KEPT
