"""Talks as they are typed: without a model everything that matters is told, in whole short lines."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from nonebot_plugin_mishu.language.lines.line import RecordLine
from nonebot_plugin_mishu.language.lines.shared import files_named
from nonebot_plugin_mishu.language.text.fold import normalise
from nonebot_plugin_mishu.record import LONGEST, gather, plain_form

TALKS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parents[1] / "data" / "record_talks.yaml").read_text("utf-8")
)
START = datetime(2026, 11, 23, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


UNDER = {"time": "定了", "todo": "要做的", "question": "有人问，没看到答复", "link": "链接", "file": "文件"}


def lines_of(rows: Sequence[str]) -> list[RecordLine]:
    """The lines of a talk, twenty seconds apart where no pause stands before them."""
    at = START
    made: list[RecordLine] = []
    for number, row in enumerate(rows, start=1):
        head, _, words = row.partition(": ")
        pause, _, who = head.rpartition(" ")
        at += timedelta(minutes=int(pause)) if pause.isdecimal() else timedelta(seconds=20)
        text = normalise(words)
        made.append(RecordLine(f"m{number}", at, f"u-{who}", who, text, files=files_named(text)))
    return made


@pytest.mark.parametrize("talk", TALKS, ids=[each["name"] for each in TALKS])
def test_what_matters_of_a_talk_is_told(talk: dict[str, Any]) -> None:
    lines = lines_of(talk["lines"])
    assert len(lines) == talk.get("length", 30)
    told = plain_form(gather(lines[1:], f"u-{talk['asker']}"))
    assert len(told) <= LONGEST
    for what, words in talk["tells"].items():
        section = told.partition(f"\n{UNDER[what]}：\n")[2].partition("：\n")[0]
        assert words in section, f"{what}: {words}\n{told}"


@pytest.mark.parametrize("talk", TALKS, ids=[each["name"] for each in TALKS])
def test_whole_short_lines_are_quoted(talk: dict[str, Any]) -> None:
    lines = lines_of(talk["lines"])
    told = plain_form(gather(lines[1:], f"u-{talk['asker']}"))
    texts = [line.text for line in lines]
    for part in told.split("「")[1:]:
        words = part.partition("」")[0]
        assert any(words == text or (words.endswith("…") and len(words) >= 28) for text in texts), words
