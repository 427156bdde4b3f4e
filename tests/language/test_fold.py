"""One form for reading, and the way back to what was typed."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.text.fold import fold, normalise
from nonebot_plugin_mishu.language.text.script import simplified


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("提醒我明天下午三點去拿快遞", "提醒我明天下午三点去拿快递"),
        ("下週三晚上８：３０開會！", "下周三晚上8:30开会!"),
        ("這個禮拜天、農曆臘月廿三，閏六月", "这个礼拜天、农历腊月廿三,闰六月"),
        ("15\u200b点\u2060半", "15点半"),
        ("\u202e三点\u202c", "三点"),
        ("\ufeff  明天 \n\t 三点  ", "明天 三点"),
        ("①月②日", "1月2日"),
        ("㋉", "10月"),
        ("ⅶ", "vii"),
        ("明天\u3000三点", "明天 三点"),
        ("cafe\u0301", "café"),
        ("⼀⽉", "一月"),
        ("❤️", "❤"),
        ("", ""),
        ("   ", ""),
        ("\u200b", ""),
        ("著名 狼藉", "著名 狼藉"),
        ("裡裏 麼麽 鐘鍾", "里里 么么 钟钟"),
    ],
)
def test_reads_in_one_form(typed: str, read: str) -> None:
    assert normalise(typed) == read


def test_a_span_leads_back_to_what_was_typed() -> None:
    typed = "  \u200b明天 \u3000 三\u200b點④５分"
    folded = fold(typed)
    assert folded.text == "明天 三点45分"
    start = folded.text.index("三点")
    begin, end = folded.span(start, start + len("三点45分"))
    assert typed[begin:end] == "三\u200b點④５分"


def test_an_empty_span_leads_back_to_its_place() -> None:
    folded = fold(" 三點 ")
    assert folded.span(1, 1) == (2, 2)
    assert folded.span(2, 2) == (4, 4)


def test_every_pair_is_a_single_character_that_no_other_pair_changes_again() -> None:
    table = simplified()
    assert len(table) > 2000
    assert not set(table) & set(table.values())
    for simple in table.values():
        assert unicodedata.normalize("NFKC", chr(simple)) == chr(simple)


def test_a_long_run_of_combining_marks_is_normalised_in_short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Combining marks are sorted quadratically: 200,000 of them in one piece would take minutes."""
    pieces: list[int] = []
    real = unicodedata.normalize

    def measured(form: str, piece: str) -> str:
        pieces.append(len(piece))
        return real(form, piece)  # type: ignore[arg-type]

    monkeypatch.setattr(unicodedata, "normalize", measured)
    assert normalise("a" + "\u0300\u0316" * 5_000)
    assert pieces
    assert max(pieces) <= 30


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_every_character_knows_its_source(text: str) -> None:
    folded = fold(text)
    assert len(folded.origin) == len(folded.text)
    assert folded.length == len(text)
    assert all(0 <= at < len(text) for at in folded.origin)
    assert list(folded.origin) == sorted(folded.origin)
    assert folded.text == folded.text.strip()
    assert "  " not in folded.text


@given(st.text(alphabet="明天下午三點３０ \u200b\n提醒我①", max_size=40))
def test_the_whole_span_reads_as_the_whole_text(text: str) -> None:
    folded = fold(text)
    begin, end = folded.span(0, len(folded.text))
    assert normalise(text[begin:end]) == folded.text
