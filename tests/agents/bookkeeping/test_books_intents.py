"""What a clause about the books asks for: undone, asked after, recorded."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.config import loading
from task_contexts import NOW, ZONE

from bot.explain import explain

CONFIG = loading.read({}, {})


@pytest.mark.parametrize(
    ("said", "intent"),
    [
        ("撤销", "undo"),
        ("撤销我刚记的账", "undo"),
        ("刚记的那笔撤回", "undo"),
        ("把前面那笔账撤回", "undo"),
        ("收回刚才那笔账", "undo"),
        ("手滑记重了，撤销最近那笔账", "undo"),
        ("撤销打车那笔", "correct"),
        ("查一下我的记账", "query"),
        ("看看记账", "query"),
        ("今天都花了哪些钱", "query"),
        ("这个月支出了些什么", "query"),
        ("本月支出多少", "query"),
        ("这个月给餐饮定1000的预算", "record"),
        ("账号收回来了", None),
        ("预算的事以后再说", None),
    ],
)
def test_clauses(said: str, intent: str | None) -> None:
    frames = explain(said, NOW, ZONE, CONFIG, [])["frames"]
    found = [frame["intent"] for frame in frames if frame["agent_code"] == "bookkeeping"]
    assert found == ([] if intent is None else [intent])
