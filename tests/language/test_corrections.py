"""Lines that correct what was said or made before, and that take the last change back, by tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from nonebot_plugin_mishu.language.changes.corrections import corrected
from nonebot_plugin_mishu.language.changes.undoing import (
    asks_what_was_done,
    asks_who_made,
    leaves_be,
    says_not_done,
    says_undo,
)

DATA = Path(__file__).parent / "data"
ROWS: list[dict[str, str]] = yaml.safe_load((DATA / "corrections.yaml").read_text("utf-8"))
UNDOING: list[dict[str, Any]] = yaml.safe_load((DATA / "undoing.yaml").read_text("utf-8"))
TAKEN_BACK = [(row["is"], str(line)) for row in UNDOING for line in row["say"]]


@pytest.mark.parametrize("row", ROWS, ids=[row["say"] for row in ROWS])
def test_a_correction_is_read_in_words_of_changing(row: dict[str, str]) -> None:
    line = row["say"].replace("，", ",")
    read = line
    for start, end, put in reversed(corrected(line)):
        read = f"{read[:start]}{put}{read[end:]}"
    assert read.strip() == (line if row["reads"] == "same" else row["reads"])


@pytest.mark.parametrize(("kind", "line"), TAKEN_BACK, ids=[line for _, line in TAKEN_BACK])
def test_what_takes_the_last_change_back(kind: str, line: str) -> None:
    assert says_undo(line) == (kind == "undo")
    assert says_not_done(line) == (kind == "not_done" or (kind == "undo" and "没弄完" in line))
    assert asks_what_was_done(line) == (kind == "asks")
    assert asks_what_was_done(line, of_late=True) == (kind in ("asks", "of_late"))


@pytest.mark.parametrize(
    "line", ["剧本杀谁定的", "是谁加的剧本杀", "剧本杀谁张罗的呀", "边个加嘅剧本杀", "谁让你记的剧本杀"]
)
def test_who_had_a_thing_kept_is_asked(line: str) -> None:
    assert asks_who_made(line, "剧本杀")


@pytest.mark.parametrize(
    "line", ["剧本杀谁去", "剧本杀定了吗", "谁说剧本杀取消了", "剧本杀", "谁定剧本杀的地方"]
)
def test_who_had_a_thing_kept_is_not_asked(line: str) -> None:
    assert not asks_who_made(line, "剧本杀")


@pytest.mark.parametrize(
    ("line", "leaves"),
    [
        ("又没说不去剧本杀", True),
        ("没说不要啊", True),
        ("不是不去", True),
        ("剧本杀别动", True),
        ("我可没说剧本杀不要了", True),
        ("没说不要吗", False),
        ("没说几点", False),
        ("没说周六开会要带电脑", False),
        ("剧本杀取消吧", False),
    ],
)
def test_a_denial_leaves_what_is_kept(line: str, leaves: bool) -> None:
    assert leaves_be(line, ["剧本杀"]) is leaves
