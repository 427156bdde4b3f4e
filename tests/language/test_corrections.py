"""Lines that correct what was said or made before, and that take the last change back, by tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from nonebot_plugin_mishu.language.corrections import corrected
from nonebot_plugin_mishu.language.undoing import asks_what_was_done, says_not_done, says_undo

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
