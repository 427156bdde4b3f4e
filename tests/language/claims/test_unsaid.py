"""What of a model's words is a reply at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from nonebot_plugin_mishu.language.claims.no_reply import (
    in_another_language,
    is_data,
    is_no_reply,
    names_nobody,
    spoken,
    without_model_talk,
)

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


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("作为一个AI语言模型，我没有味觉。不过听起来很香。", "不过听起来很香。"),
        ("As an AI language model, I cannot eat.", ""),
        ("## 建议\n- **早点睡**\n- 多喝`水`", "建议\n早点睡\n多喝水"),
        ("我只是个小秘书，吃不了火锅", "我只是个小秘书，吃不了火锅"),
        ("1. 先焯水\n2. 再炖", "1. 先焯水\n2. 再炖"),
    ],
)
def test_a_model_does_not_speak_of_itself_nor_in_markdown(said: str, left: str) -> None:
    assert without_model_talk(said) == left


@pytest.mark.parametrize(
    ("said", "asked", "other"),
    [
        ("Sure, I think hotpot is a great idea!", "晚上吃火锅吗", True),
        ("OK, see you then", "晚上吃火锅吗", False),
        ("The quick brown fox jumps over the dog", "帮我翻译成英文", False),
        ("Sure, sounds like a great plan to me", "shall we go", False),
        ("好的 see you at the gate tomorrow morning", "明天门口见", False),
    ],
)
def test_who_asks_in_chinese_is_answered_in_chinese(said: str, asked: str, other: bool) -> None:
    assert in_another_language(said, asked) is other
