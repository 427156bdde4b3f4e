"""The lexicon: what its files must be, and what a word is where it stands in several classes."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.language import LexiconError, lexicon
from nonebot_plugin_mishu.language.lexicon import NEGATION, NEVER_NEGATION, build
from nonebot_plugin_mishu.language.text.fold import normalise

REFUSALS = ("不", "别", "没", "唔", "莫", "勿", "甭", "冇")


def test_a_word_has_the_class_of_its_file_and_those_behind_its_strokes() -> None:
    built = build([("make", "makes", "约/occasion 建"), ("occasion", "meets", "聚餐")])
    assert built.words["约"] == {"make", "occasion"}
    assert built.of("occasion") == ("约", "聚餐")
    assert built.starts["约"] == (1,)


@pytest.mark.parametrize(
    ("tables", "told"),
    [
        ([("make", "", "建 建")], "建"),
        ([("make", "", "建"), ("change", "", "建")], "建"),
        ([("make", "", "建/nothing")], "nothing"),
        ([("negation", "", "唔/filler"), ("filler", "", "嗯")], "唔"),
    ],
    ids=["twice in a file", "in two files", "an unknown class", "a negation that is passed over"],
)
def test_what_is_wrong_is_named(tables: list[tuple[str, str, str]], told: str) -> None:
    with pytest.raises(LexiconError, match=told):
        build(tables)


def test_words_are_written_as_lines_are_read() -> None:
    assert [word for word in lexicon().words if normalise(word).lower() != word] == []


def test_every_class_is_explained_and_has_words() -> None:
    for name, about in lexicon().classes.items():
        assert about, name
        assert lexicon().of(name), name


def test_nothing_that_negates_is_passed_over() -> None:
    for word, classes in lexicon().words.items():
        if NEGATION in classes:
            assert classes.isdisjoint(NEVER_NEGATION), word
    for word in REFUSALS:
        assert NEGATION in lexicon().words[word], word
