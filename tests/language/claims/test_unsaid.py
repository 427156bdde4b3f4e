"""What of a model's words is a reply at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from nonebot_plugin_mishu.language.claims.unsaid import is_data, is_no_reply, names_nobody, spoken

ROWS: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "data" / "unsaid.yaml").read_text("utf-8"))
NAMES = ("小秘",)


@pytest.mark.parametrize("text", ROWS["nothing"])
def test_what_says_that_there_is_nothing_to_say_is_not_said(text: str) -> None:
    assert is_no_reply(spoken(text, NAMES))


@pytest.mark.parametrize("text", ROWS["replies"])
def test_short_replies_are_replies(text: str) -> None:
    assert not is_no_reply(spoken(text, NAMES))


@pytest.mark.parametrize(("text", "left"), ROWS["spoken"])
def test_frames_and_prefixes_are_taken_off(text: str, left: str) -> None:
    assert spoken(text, NAMES) == left


@pytest.mark.parametrize(
    "text", ['{"a": 1}', "<html>", "```json\n{}", '[{"a": 1}]', "钥匙是 sk-abcdefghijklmnop1234"]
)
def test_data_and_keys(text: str) -> None:
    assert is_data(text)


def test_aliases_that_nobody_bears() -> None:
    assert names_nobody("u9 说得对", "早上好")
    assert names_nobody("成员A 说得对", "早上好")
    assert not names_nobody("u2 乐队真好听", "u2 乐队出新歌了")
    assert not names_nobody("M1 芯片不错，U盘也行", "早上好")
