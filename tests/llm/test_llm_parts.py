"""The parts of the model client that need no socket: breaker, waits, deadline, tokens, vendors' words."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.llm import CallLog, Deadline, estimate_tokens
from nonebot_plugin_mishu.llm.failures import (
    TRIES,
    UNREACHABLE,
    Failure,
    failure_of,
    retry_after,
    wait_before,
)
from nonebot_plugin_mishu.llm.limits.breaker import Breaker, BreakerRules
from nonebot_plugin_mishu.llm.limits.tokens import Calibration
from nonebot_plugin_mishu.llm.transport.request import is_local
from nonebot_plugin_mishu.llm.transport.wire import image_address
from nonebot_plugin_mishu.storage.records import ModelCall

RULES = BreakerRules(failures=3, window=60, cool_down=5, longest=15)


def opened(at: float = 0.0) -> Breaker:
    breaker = Breaker(RULES)
    for _ in range(3):
        assert breaker.admit(at)
        breaker.failed(at)
    return breaker


def test_a_breaker_opens_after_failures_in_a_row() -> None:
    breaker = Breaker(RULES)
    for at in (0, 1):
        breaker.admit(at)
        breaker.failed(at)
    assert breaker.state(1) == "closed"
    breaker.admit(2)
    breaker.succeeded()
    for at in (3, 4):
        breaker.admit(at)
        breaker.failed(at)
    assert breaker.state(4) == "closed"
    breaker.admit(5)
    breaker.failed(5)
    assert breaker.state(5) == "open"
    assert not breaker.admit(9.9)


def test_failures_long_apart_open_nothing() -> None:
    breaker = Breaker(RULES)
    for at in (0, 61, 122, 183):
        breaker.admit(at)
        breaker.failed(at)
    assert breaker.state(183) == "closed"


def test_half_open_admits_one_trial() -> None:
    breaker = opened()
    assert breaker.state(5) == "half_open"
    assert breaker.admit(5)
    assert not breaker.admit(5)
    assert breaker.blocked(5)
    breaker.succeeded()
    assert breaker.state(5) == "closed"
    assert breaker.admit(5)
    assert breaker.admit(5)


def test_a_failed_trial_doubles_the_cool_down_up_to_a_bound() -> None:
    breaker, now, waits = opened(), 0.0, []
    for _ in range(4):
        since = now
        while not breaker.admit(now):
            now += 0.5
        waits.append(now - since)
        breaker.failed(now)
    assert waits == [5, 10, 15, 15]


def test_a_cancelled_trial_makes_room_for_the_next() -> None:
    breaker = opened()
    assert breaker.admit(5)
    breaker.released()
    assert breaker.admit(5)


def test_a_straggler_does_not_stretch_an_opening() -> None:
    breaker = opened()
    breaker.failed(4)
    assert breaker.state(5) == "half_open"


@given(st.floats(0, 0.999), st.floats(0, 0.999))
def test_waits_grow_whatever_the_chance(first: float, second: float) -> None:
    waits = [wait_before(UNREACHABLE, tries, 1000, first if tries == 1 else second) for tries in (1, 2)]
    assert None not in waits
    assert all(one * 1.1 < two for one, two in pairwise(w for w in waits if w is not None))
    assert wait_before(UNREACHABLE, TRIES, 1000, first) is None


@given(st.floats(0, 100), st.floats(0, 100), st.floats(0, 0.999))
def test_a_wait_is_what_was_asked_for_or_none(asked: float, remaining: float, chance: float) -> None:
    wait = wait_before(Failure("rate_limited", "later", wait=asked), 1, remaining, chance)
    assert wait is None or asked <= wait < remaining


def test_what_is_not_to_be_repeated_is_not_waited_for() -> None:
    assert wait_before(Failure("refused"), 1, 100, 0.5) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 40),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:10 GMT"}, 0),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after-ms": "x", "retry-after": "2"}, 2),
        ({}, None),
    ],
)
def test_retry_after_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, 60.0) == seconds


@pytest.mark.parametrize(
    ("status", "kind", "remedy", "outage"),
    [
        (400, "refused", "step_down", False),
        (401, "refused", "none", False),
        (404, "refused", "none", False),
        (408, "unreachable", "later", False),
        (418, "refused", "none", False),
        (422, "refused", "step_down", False),
        (429, "rate_limited", "later", False),
        (500, "unreachable", "later", True),
        (501, "refused", "step_down", False),
        (529, "unreachable", "later", True),
    ],
)
def test_what_a_status_means(status: int, kind: str, remedy: str, outage: bool) -> None:
    failure = failure_of(status, {}, "", 0)
    assert (failure.kind, failure.remedy, failure.outage) == (kind, remedy, outage)


def test_a_deadline_never_grows() -> None:
    now = [100.0]
    deadline = Deadline.after(5, lambda: now[0])
    assert deadline.remaining() == 5
    assert deadline.earlier(2).remaining() == 2
    assert deadline.earlier(9).remaining() == 5
    now[0] = 107
    assert deadline.remaining() == 0
    assert deadline.expired
    assert deadline.earlier(9).expired


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 4), ("你好", 6), ("12", 6), ("abc", 5), ("，。", 7), ("好" * 100, 79)]
)
def test_tokens_by_the_measured_formula(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_the_estimate_learns_from_usage_within_bounds() -> None:
    calibration = Calibration()
    for _ in range(100):
        calibration.learn(100, 150)
    assert calibration.correct(100) == 150
    for _ in range(100):
        calibration.learn(100, 100_000)
    assert calibration.correct(100) == 200
    calibration.learn(0, 5)
    calibration.learn(5, 0)
    assert calibration.correct(100) == 200


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://localhost/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://192.168.1.5/v1", True),
        ("http://ollama:11434/v1", True),
        ("https://api.deepseek.com", False),
        ("https://8.8.8.8/v1", False),
    ],
)
def test_proxies_are_for_public_addresses(url: str, local: bool) -> None:
    assert is_local(url) is local


def test_pictures_become_addresses() -> None:
    assert image_address("https://x/y.png") == "https://x/y.png"
    assert image_address(b"\x89PNG\r\n").startswith("data:image/png;base64,")
    assert image_address(b"\xff\xd8\xff").startswith("data:image/jpeg;base64,")


def test_a_call_log_sums_up() -> None:
    log = CallLog()
    for name in ("a", "b"):
        log.calls.append(ModelCall(name, "m", None, 10, 3, 0.1, "ok", 0.0))
    assert (log.names, log.tokens) == (["a", "b"], 26)
