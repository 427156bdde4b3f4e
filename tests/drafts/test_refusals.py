"""No word of refusal ever consents, in whatever dialect or slip, and no filler hides one."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from nonebot_plugin_mishu.language.answers.answer_words import VOCABULARY, Word, by_word
from nonebot_plugin_mishu.language.cards.grammar import Kind
from nonebot_plugin_mishu.language.cards.triage import triage
from nonebot_plugin_mishu.language.text.fold import normalise

DATA: dict[str, str] = yaml.safe_load(
    (Path(__file__).parent / "data" / "refusals.yaml").read_text(encoding="utf-8")
)
NEGATIONS, CONSENTS = DATA["negations"].split(), DATA["consents"].split()
ALL_NEGATIONS = [*NEGATIONS, *DATA["further_negations"].split()]
FILLERS = [*VOCABULARY[Word.FILLER], *VOCABULARY[Word.PRONOUN]]
WORDS = by_word()
CONSENTING = frozenset({Kind.CONFIRM, Kind.CONFIRM_ITEM})


def consents(line: str, items: int = 10) -> bool:
    read = triage(line, items)
    return read.kind in CONSENTING or any(order.kind in CONSENTING for order in read.orders)


@pytest.mark.parametrize("filler", FILLERS)
def test_no_filler_hides_a_negation(filler: str) -> None:
    hidden = [
        line
        for negation in NEGATIONS
        for word in CONSENTS
        for line in (f"{negation}{filler}{word}", f"{filler}{negation}{filler}{word}")
        if not {f"{negation}{filler}", f"{filler}{negation}"} & WORDS.keys() and consents(line)  # 别的要
    ]
    assert hidden == []


@pytest.mark.parametrize("filler", FILLERS)
def test_a_filler_alone_or_doubled_makes_no_refusal_of_a_consent(filler: str) -> None:
    refusing = frozenset({Kind.CANCEL, Kind.CANCEL_ITEM})
    lines = [f"{filler * times}{word}" for times in (1, 2) for word in CONSENTS]
    assert [line for line in lines if triage(line, 10).kind in refusing] == []


def test_what_may_negate_is_no_filler_and_no_nod() -> None:
    known = set(DATA["consenting_with_one"].split()) | set(DATA["harmless_fillers"].split())
    tables = (Word.FILLER, Word.PRONOUN, Word.CONFIRM, Word.SAVE, Word.ASSENT)
    words = {word for table in tables for word in VOCABULARY[table]} - known
    assert {word for word in words if set(word) & set(DATA["characters"])} == set()
    negations = {normalise(word).lower() for word in ALL_NEGATIONS}
    assert not negations & {word for table in tables for word in VOCABULARY[table]}


@pytest.mark.parametrize("line", DATA["refuses"].split())
def test_a_refusal_in_any_dialect_cancels(line: str) -> None:
    for said in (line, f"{line}哈", f"{line}！", f"哎，{line}", " ".join(line)):
        assert not consents(said), said
    assert triage(line, 10).kind is Kind.CANCEL
    assert triage(f"第二笔{line}", 10).kind in (Kind.CANCEL_ITEM, Kind.CORRECTION)
    assert not consents(f"第二笔{line}")


@pytest.mark.parametrize("line", [each.strip('"') for each in DATA["not_consents"].split()])
def test_a_no_that_leaves_open_to_what_decides_nothing(line: str) -> None:
    kinds = {triage(said, items).kind for said in (line, f"{line}嘛", f"{line}。") for items in (1, 3, 10)}
    assert not kinds & CONSENTING


@pytest.mark.parametrize(
    "word", [*VOCABULARY[Word.CONFIRM], *VOCABULARY[Word.SAVE], *VOCABULARY[Word.ASSENT]]
)
def test_every_word_of_consent_is_turned_by_every_negation(word: str) -> None:
    assert [f"{no}{word}" for no in ALL_NEGATIONS if consents(f"{no}{word}")] == []
