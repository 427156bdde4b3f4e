"""The one reader of answers, by its table and by what it must never take for a consent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from nonebot_plugin_mishu.language import Answer, Question, answer, decides

DATA = Path(__file__).parent / "data"
ROWS: list[dict[str, Any]] = yaml.safe_load((DATA / "answers.yaml").read_text("utf-8"))
CASES = [(row, str(line)) for row in ROWS for line in row["say"]]


def asked(row: dict[str, Any]) -> Question:
    names, about = tuple(row.get("names", ())), tuple(row.get("about", ()))
    said, value = row.get("said", ""), row.get("value", False)
    return Question(row["act"], row.get("options", 0), names, said, about=about, value=value)


@pytest.mark.parametrize(("row", "line"), CASES, ids=[f"{row['act']}: {line}" for row, line in CASES])
def test_a_line_is_read_as_its_row_says(row: dict[str, Any], line: str) -> None:
    found = answer(line, asked(row))
    wanted = Answer(
        row["is"], tuple(row.get("values", ())), half=row.get("half", False), exact=row.get("exact", True)
    )
    assert found == wanted


@pytest.mark.parametrize("line", ["同意", "批了", "好，批准", "不批", "驳回", "不同意", "确认", "准了吧"])
def test_words_that_decide(line: str) -> None:
    assert decides(line)


@pytest.mark.parametrize(
    "line", ["嗯", "好的", "可以", "不行", "行", "算了", "不用了", "同意吗", "今天吃啥", "", "准确"]
)
def test_words_that_members_give_each_other_decide_nothing(line: str) -> None:
    assert not decides(line)
