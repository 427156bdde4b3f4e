"""What is said to the desk in plain words, line by line."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.frontdesk.lines.word_guard import refusal
from nonebot_plugin_mishu.frontdesk.silencing import lasting
from nonebot_plugin_mishu.language.addressing import spoken_commands

DATA = yaml.safe_load((Path(__file__).parent / "data" / "spoken.yaml").read_text("utf-8"))
ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, tzinfo=ZONE)
NAMES = ("小秘", "秘书")
READERS = {
    "speak": spoken_commands.speak_again,
    "forget": spoken_commands.forget_me,
    "confirm": spoken_commands.confirms_forgetting,
    "leave": spoken_commands.leaves_it,
    "export": spoken_commands.export_mine,
}


@pytest.mark.parametrize(("said", "seconds"), DATA["quiet"].items())
def test_a_wish_for_silence(said: str, seconds: float | None) -> None:
    wish = spoken_commands.quiet(said, NAMES, NOW, ZONE)
    assert wish is not None
    assert wish.seconds == seconds


@pytest.mark.parametrize(("kind", "said"), [(kind, said) for kind in READERS for said in DATA[kind]])
def test_plain_words(kind: str, said: str) -> None:
    assert READERS[kind](said, NAMES)


@pytest.mark.parametrize("said", DATA["talk"])
def test_pitfall_29_what_is_about_something_else_is_none(said: str) -> None:
    assert spoken_commands.quiet(said, NAMES, NOW, ZONE) is None
    assert [kind for kind, reads in READERS.items() if reads(said, NAMES)] == []


@pytest.mark.parametrize("said", ["好", "确认", "不是这个", "好的", "忘记", "忘了"])
def test_only_the_whole_words_confirm(said: str) -> None:
    assert not spoken_commands.confirms_forgetting(said, NAMES)


@given(st.text(max_size=80))
def test_never_raises(text: str) -> None:
    spoken_commands.quiet(text, NAMES, NOW, ZONE)
    for reads in READERS.values():
        assert reads(text, NAMES) in (True, False)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (600, "10分钟"),
        (5400, "1小时30分钟"),
        (30, "30秒"),
        (90, "1分钟30秒"),
        (0.2, "1秒"),
        (90000, "1天1小时"),
        (604800, "7天"),
    ],
)
def test_how_long(seconds: float, words: str) -> None:
    assert lasting(seconds) == words


@pytest.mark.parametrize(
    "word",
    [
        "的",
        "我",
        "好",
        "一",
        "吃",
        "喵",
        "a",
        "!!",
        "…",
        "123",
        "１２",
        "嗯嗯",
        "今天",
        "我们",
        "什么",
        "ok",
        "提醒",
        "吃饭",
        "长" * 13,
    ],
)
def test_a_wake_word_that_everybody_says_is_refused(word: str) -> None:
    reason = refusal("wake", word)
    assert reason
    assert reason.endswith("。")


@pytest.mark.parametrize(
    "word", ["好的", "嗯", "嗯…", "好", "好的吧", "收到", "OK", "666", "？？", "哈哈", "谢谢啦", "长" * 21]
)
def test_a_silence_word_that_everybody_answers_with_is_refused(word: str) -> None:
    assert refusal("silence", word)


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        ("wake", "小蜜"),
        ("wake", "管家"),
        ("wake", "阿福"),
        ("wake", "jarvis"),
        ("wake", "小助手"),
        ("wake", "贾维斯"),
        ("silence", "安静"),
        ("silence", "肃静"),
        ("silence", "嘘"),
        ("silence", "别吵了"),
        ("silence", "shut up"),
    ],
)
def test_other_words_are_taken(kind: str, word: str) -> None:
    assert refusal(kind, word) is None  # type: ignore[arg-type]
