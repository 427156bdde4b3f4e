"""What is kept of a finished task is told again as a sentence with the words on which it rests."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.memory.task_lines import Remembered, kept_line, told_again


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            kept_line("周五三点开评审会", result="记下了：11月20日 15:00 评审会"),
            Remembered("记下了：11月20日 15:00 评审会", "周五三点开评审会"),
        ),
        (
            kept_line("八点叫我", waiting="早上还是晚上？"),
            Remembered("还等着回答：早上还是晚上？", "八点叫我"),
        ),
        (kept_line("打车20", canceled=True), Remembered("「打车20」后来取消了。")),
        (kept_line("在吗"), Remembered("说过「在吗」。")),
        ("他不吃香菜", Remembered("他不吃香菜")),
    ],
)
def test_a_kept_line_is_told_as_a_sentence(line: str, told: Remembered) -> None:
    assert told_again(line) == told


def test_a_question_that_is_over_does_not_wait_for_an_answer() -> None:
    line = kept_line("午饭35", waiting="要记这笔吗？")
    assert told_again(line, waits=False) == Remembered("问过，没有回答：要记这笔吗？", "午饭35")
