"""Replies cut at a sentence's end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.truth.reply_length import LONGEST_REPLY, cut_reply


@given(st.text(max_size=300), st.integers(10, 200))
def test_never_longer_and_the_beginning_of_it(text: str, limit: int) -> None:
    shown = cut_reply(text, limit)
    assert len(shown) <= limit
    assert shown == text or text.startswith(shown.removesuffix("…"))
    assert shown == text or shown.endswith("…")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("好的。" * 10, "好的。" * 10),
        ("今天开会。明天休息。后天出发去爬山吃饭。", "今天开会。明天休息。…"),
        ("一二三四五六七八九十一二三四五六七八九十", "一二三四五六七八九十一…"),
        ("好。一二三四五六七八九十一二三四五六七八九十", "好。一二三四五六七八九…"),
    ],
)
def test_at_a_sentences_end_where_there_is_one(text: str, shown: str) -> None:
    assert cut_reply(text, 12 if len(text) != 30 else 30) == shown


def test_the_limit() -> None:
    assert cut_reply("长" * LONGEST_REPLY) == "长" * LONGEST_REPLY
    assert len(cut_reply("长" * 200_000)) == LONGEST_REPLY
