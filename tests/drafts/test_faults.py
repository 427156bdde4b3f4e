"""Which lines complain about what stands on an open card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from nonebot_plugin_mishu.language.cards.faults import finds_fault

ROWS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "faults.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["say"])
def test_a_complaint_is_heard_as_one(row: dict[str, Any]) -> None:
    assert finds_fault(row["say"]) is row["is"]
