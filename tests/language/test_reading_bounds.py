"""A clause is compared with forms up to a length, and no line has the forms compiled again."""

from __future__ import annotations

import random
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.app.rehearsal import rehearse
from nonebot_plugin_mishu.language import read
from nonebot_plugin_mishu.language.forms.forms import MOST, Grammar
from nonebot_plugin_mishu.language.grammar import grammar
from nonebot_plugin_mishu.language.recognise.money import find_amounts
from nonebot_plugin_mishu.language.recognise.times import parse
from nonebot_plugin_mishu.language.text.fold import normalise

from benchmarks.instances.fragments import line, sentences

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, tzinfo=ZONE)


def test_a_clause_of_too_many_words_is_words_only() -> None:
    assert read("提醒我" + "买书" * 4).fits
    long = read("提醒我" + "买书" * MOST)
    assert long.tokens
    assert not long.fits


def test_orders_that_people_give_are_far_shorter() -> None:
    assert max(len(read(normalise(said)).tokens) for said in sentences()[::10]) < MOST * 3 // 4


def test_no_line_has_the_forms_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rehearse(NOW.timestamp(), ZONE)
    grammar().made_ready()

    def compiled(self: Grammar) -> None:
        raise AssertionError(
            "a set of word classes is new: it belongs into THINGS or VARIANTS of the grammar"
        )

    monkeypatch.setattr(Grammar, "_compile", compiled)
    chance = random.Random("forms")
    for said in [*sentences()[::25], *(line(chance, 32) for _ in range(300)), "固定周三开会", "换季收衣服"]:
        text = normalise(said)
        read(text, tuple(parse(text, NOW, ZONE)), tuple(find_amounts(text)))
