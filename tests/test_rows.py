"""Tests over data tell of every row that fails."""

from __future__ import annotations

import pytest
import rows
from rows import each_row


def test_every_failing_row_is_told_with_its_reason() -> None:
    tried: list[int] = []

    @each_row("number, word", [(1, "一"), (2, "二"), (3, "三"), (4, "四")], ids=["a", "b", "c", "d"])
    def check(number: int, word: str) -> None:
        tried.append(number)
        if number == 4:
            raise ValueError(word)
        assert number % 2, f"{word} is even"

    with pytest.raises(pytest.fail.Exception) as failed:
        check()
    assert tried == [1, 2, 3, 4]
    told = str(failed.value)
    assert told.startswith("2 of 4 rows:\nb\n")
    assert "二 is even" in told
    assert "ValueError: 四" in told


def test_rows_that_hold_pass_and_fixtures_are_given(tmp_path_factory: pytest.TempPathFactory) -> None:
    @each_row("one", ["x", "y"])
    def check(one: str, extra: int) -> None:
        assert one in "xy"
        assert extra == 7

    check(extra=7)


@pytest.mark.parametrize(("asked", "expected"), [("二", [2]), ("", [1, 2]), ("五", [])])
def test_one_row_can_be_asked_for(monkeypatch: pytest.MonkeyPatch, asked: str, expected: list[int]) -> None:
    monkeypatch.setattr(rows, "wanted", asked)
    tried: list[int] = []

    @each_row(("number", "word"), [(1, "一"), (2, "二")])
    def check(number: int, word: str) -> None:
        tried.append(number)

    check()
    assert tried == expected


@each_row("word", ["a", "b"])
def test_as_a_decorator_fixtures_come_from_pytest(word: str, request: pytest.FixtureRequest) -> None:
    assert word in "ab"
    assert request.node.name == "test_as_a_decorator_fixtures_come_from_pytest"
