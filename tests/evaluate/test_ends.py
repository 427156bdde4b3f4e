"""What is compared at the end of a dialogue, and what comes of the figures."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from nonebot_plugin_mishu.storage import ModelUsage

from bot.evaluate import Dialogue
from bot.evaluate.end import fits, value_fits
from bot.evaluate.play import Played
from bot.evaluate.report import as_json, percentile, table
from bot.replay import BadSample, read_samples

ROOT = Path(__file__).resolve().parent.parent.parent
DIALOGUES = [each for _, each in read_samples([ROOT / "samples" / "evaluate"], Dialogue)]


@pytest.mark.parametrize(
    ("wanted", "value", "right"),
    [
        ("交周报", "交周报", True),
        ("交周报", "交周报表", False),
        ({"has": "周报"}, "交周报", True),
        ({"has": ["报告", "周报"]}, "交周报", True),
        ({"has": "周报"}, "交月报", False),
        ({"has": "周报"}, None, False),
        ({"has": "周报", "without": ["记一下"]}, "交周报 记一下", False),
        ({"without": "记"}, "交周报", True),
        ({"any": ["a", None]}, None, True),
        ({"any": ["a", "b"]}, "c", False),
        (["30001"], ["30001"], True),
        (None, None, True),
    ],
)
def test_a_value_may_leave_a_choice(wanted: Any, value: Any, right: bool) -> None:
    assert value_fits(wanted, value) is right


def test_a_choice_that_is_none_is_told() -> None:
    with pytest.raises(ValueError, match="contains"):
        value_fits({"contains": "x"}, "x")


@pytest.mark.parametrize(
    ("wanted", "right"),
    [
        ([{"a": 2}, {"a": 1}], True),
        ([{"a": {"any": [1, 2]}}, {"a": 1}], True),
        ([{"a": 1}, {"a": 1}], False),
        ([{"a": 1}], False),
        ([], False),
    ],
)
def test_rows_stand_in_any_order_each_for_one(wanted: list[dict[str, Any]], right: bool) -> None:
    assert fits(wanted, [{"a": 1, "b": 5}, {"a": 2, "b": 6}]) is right


def test_no_rows_are_no_rows() -> None:
    assert fits([], [])


@pytest.mark.parametrize(("share", "value"), [(0.5, 2.0), (0.95, 4.0), (0.25, 1.0), (1.0, 4.0)])
def test_a_percentile_is_a_value_that_was_there(share: float, value: float) -> None:
    assert percentile([3.0, 1.0, 4.0, 2.0], share) == value
    assert percentile([], share) is None


def used(**given: Any) -> ModelUsage:
    values = {"model": "m", "calls": 2, "failures": 0, "prompt_tokens": 1000, "cached_tokens": 400}
    return ModelUsage(**{**values, "completion_tokens": 50, "call": "chat_reply", **given})


def test_figures_of_one_and_of_all() -> None:
    played = [
        Played("好", usage=[used()], seconds=[0.5, 1.5], talk=[("小周", "在吗", ["在"])]),
        Played("说了假话", claims=1, caught=2, usage=[used(failures=1)]),
        Played("不同", differences=["最后的 tasks：应是 []"]),
    ]
    prices = {"m": (Decimal(10), Decimal(1), Decimal(20))}
    found = as_json(played, prices)
    assert [one["right"] for one in found["samples"]] == [True, False, False]
    assert found["samples"][0] == {
        "name": "好",
        "right": True,
        "differences": [],
        "claims": 0,
        "caught": 0,
        "calls": 2,
        "failed_calls": 0,
        "tokens_in": 1000,
        "cached": 400,
        "tokens_out": 50,
        "yuan": 0.0074,
        "p50": 0.5,
        "p95": 1.5,
        "talk": [{"who": "小周", "say": "在吗", "replies": ["在"]}],
    }
    assert found["sum"]["right"] == 1
    assert found["sum"]["of"] == 3
    assert (found["sum"]["calls"], found["sum"]["claims"], found["sum"]["caught"]) == (4, 1, 2)
    assert found["sum"]["yuan"] == pytest.approx(0.0148)
    shown = table(played, prices)
    assert "合计" in shown
    assert "1/3" in shown
    assert "    最后的 tasks：应是 []" in shown
    assert "有 1 次模型调用没有成功" in shown


def test_without_all_prices_nothing_is_added_up() -> None:
    found = as_json([Played("x", usage=[used(), used(model="other")])], {"m": (Decimal(1),) * 3})
    assert found["sum"]["yuan"] is None


def test_there_are_thirty_dialogues_of_their_own_names() -> None:
    assert len({each.name for each in DIALOGUES}) == len(DIALOGUES) == 30


def test_they_are_no_part_of_the_replay() -> None:
    names = {sample.name for _, sample in read_samples([ROOT / "samples"])}
    assert names.isdisjoint(each.name for each in DIALOGUES)


@pytest.mark.parametrize(
    ("line", "where"), [("{who: 小明, say: 你好, model: {}}", "talk.0.model"), ("{who: 小明}", "talk.0.say")]
)
def test_a_wrong_dialogue_is_told(line: str, where: str, tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(f"- {{name: x, now: 2026-03-12T10:00:00, talk: [{line}]}}", "utf-8")
    with pytest.raises(BadSample, match=where):
        list(read_samples([file], Dialogue))
