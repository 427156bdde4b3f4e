"""What `explain` says would be written: records as data, and talk that only looks like them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from books_support import without_names
from nonebot_plugin_mishu.config import loading
from rows import each_row
from task_contexts import NOW, ZONE

from bot.explain import explain

DATA = Path(__file__).parent / "data"
SENTENCES: list[dict[str, Any]] = [
    known
    for name in ("graded", "everyday", "spoken")
    for known in yaml.safe_load((DATA / f"{name}.yaml").read_text(encoding="utf-8"))
]
CONFIG = loading.read({}, {})


def written(item: dict[str, str]) -> str:
    day = item["date"].removeprefix("2026-")
    said = (item["amount"], item["type"], item["category"], day, item["description"])
    return " ".join(part for part in said if part)


@each_row("known", SENTENCES, ids=lambda known: known["say"])
def test_sentences_as_explain_reads_them(known: dict[str, Any]) -> None:
    read = explain(known["say"], NOW, ZONE, CONFIG, [])
    assert without_names([written(item) for item in read["transactions"]]) == without_names(known["is"])
    if not known["is"]:
        recorded = [frame for frame in read["frames"] if frame["intent"] == "record"]
        assert not recorded
