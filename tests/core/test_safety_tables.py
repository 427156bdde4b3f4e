"""The safety tables: every row is needed by a sentence, and what is malformed is refused by name."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from nonebot_plugin_mishu.core.safety.gate import local_verdict, may_say, normalise_text
from nonebot_plugin_mishu.language.safety import TABLES, Hint, Rule, TableError, load

_HERE = Path(__file__).parent / "data"
_DATA: dict[str, Any] = yaml.safe_load((_HERE / "gate.yaml").read_text("utf-8"))
_LINES: dict[str, Any] = yaml.safe_load((_HERE / "gate_lines.yaml").read_text("utf-8"))
_SENTENCES: list[str] = [
    *(text for texts in _DATA["EMERGENCY"].values() for text in texts),
    *_DATA["BLOCK"],
    *_DATA["SAFE"],
    *(line for runs in _LINES["EMERGENCY"].values() for lines in runs for line in lines),
]
_LOADED = load()
UNTRIED = 0.15
"""So much of the patterns at most may be found in no sentence. Lower it, never raise it."""


def _found() -> set[tuple[str, str]]:
    book, spoken = _LOADED.rulebook, _LOADED.spoken_rulebook
    heard = [found for text in _SENTENCES for found in book.patterns_in(normalise_text(text))]
    said = [found for text in _DATA["UNSAYABLE"] for found in spoken.patterns_in(normalise_text(text))]
    return {(row.name, pattern) for row, pattern in [*heard, *said]}


def test_every_row_is_needed_by_a_sentence() -> None:
    found = {name for name, _ in _found()}
    assert [row.name for row in [*_LOADED.heard, *_LOADED.spoken] if row.name not in found] == []


def test_most_patterns_are_found_in_a_sentence() -> None:
    found = _found()
    known = {(row.name, pattern) for row in [*_LOADED.heard, *_LOADED.spoken] for pattern in row.patterns}
    untried = sorted(known - found)
    assert len(untried) <= UNTRIED * len(known), untried


def test_every_frame_is_used() -> None:
    used = {name for row in [*_LOADED.heard, *_LOADED.spoken] for name in row.unless}
    assert set(_LOADED.frames) == used


def test_every_class_of_words_is_used() -> None:
    text = "".join(path.read_text("utf-8") for path in TABLES.glob("*.toml"))
    classes = [
        line[1:-1] for line in (TABLES / "words.toml").read_text("utf-8").split("\n") if line[:1] == "["
    ]
    asked_for_in_code = {"declines", "worry"}
    assert [name for name in classes if f"{{{name}}}" not in text and name not in asked_for_in_code] == []


def test_words_of_several_classes_near_each_other_are_found_in_any_order() -> None:
    for text in ("药我已经吃了一整瓶", "一整瓶药都吃下去了", "我吃掉了大半瓶安眠药"):
        assert local_verdict(text).verdict == "EMERGENCY", text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TABLES, tmp_path / "tables"))


def _add(folder: Path, file: str, text: str) -> None:
    path = folder / f"{file}.toml"
    path.write_text(path.read_text("utf-8") + text, "utf-8")


ROW = """
[[rule]]
name = "new"
verdict = "BLOCK"
category = "新"
says = ["新词"]
"""


def test_a_new_row_is_one_of_the_tables(folder: Path) -> None:
    _add(folder, "harm", ROW)
    assert [hit.rule for hit in load(folder).rulebook.hits("这里有新词")] == ["new"]


def test_a_new_word_is_known_to_every_row_of_its_class(folder: Path) -> None:
    path = folder / "words.toml"
    path.write_text(path.read_text("utf-8").replace("'百草枯', ", "'百草枯', '绿色魔水', ", 1), "utf-8")
    assert not _LOADED.rulebook.hits("我喝了绿色魔水")
    assert load(folder).rulebook.hits("我喝了绿色魔水")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (ROW.replace("新词", "{nobody}新"), "harm.toml, new: there is no class nobody"),
        (ROW.replace("新词", "新{page 3}词"), "harm.toml, new: there is no gap page"),
        (ROW.replace("新词", "新词)"), "harm.toml, new: unbalanced parenthesis"),
        (ROW.replace("新词", "(新)词"), "harm.toml, new: capturing group"),
        (ROW.replace("BLOCK", "MAYBE"), "harm.toml, new, .*verdict"),
        (ROW.replace("BLOCK", "EMERGENCY"), "harm.toml, new: replies.toml has no answer for 新"),
        (ROW.replace("says", "say"), "harm.toml, new, .*say"),
        (ROW.replace('says = ["新词"]', ""), "harm.toml, new: neither `says` nor `near`"),
        (ROW + 'unless = ["full moon"]', "harm.toml, new: there is no frame full moon"),
        (ROW + 'unless = ["@nobody"]', "harm.toml, new: there is no frame @nobody"),
        (ROW + "near = [{ within = 5, of = ['一'] }]", "harm.toml, new, .*near"),
        (ROW + ROW, "harm.toml, new: two rows have this name"),
        (ROW.replace("rule", "hint") + "weight = 9", "harm.toml, new, .*weight"),
        ("[[rule]]\nname = 3", "harm.toml, .*name"),
        ("[[rule", "harm.toml: "),
    ],
)
def test_a_malformed_row_is_refused_by_name(folder: Path, row: str, said: str) -> None:
    _add(folder, "harm", row)
    with pytest.raises(TableError, match=said):
        load(folder)


def test_a_class_made_of_itself_is_refused(folder: Path) -> None:
    _add(folder, "words", '\n[ring]\nabout = "x"\nwords = ["{ring}"]\n')
    with pytest.raises(TableError, match=r"words.toml, ring: it is made of itself"):
        load(folder).words("ring")


def test_a_missing_table_is_refused(folder: Path) -> None:
    (folder / "body.toml").unlink()
    with pytest.raises(TableError, match=r"body.toml"):
        load(folder)


def test_an_answer_with_an_unknown_number_is_refused(folder: Path) -> None:
    path = folder / "replies.toml"
    path.write_text(path.read_text("utf-8").replace("{ambulance}", "{amblance}", 1), "utf-8")
    with pytest.raises(TableError, match=r"replies.toml: there is no number 'amblance'"):
        load(folder)


def test_rows_and_hints_are_told_apart() -> None:
    assert any(isinstance(row, Hint) for row in _LOADED.heard)
    assert any(type(row) is Rule for row in _LOADED.heard)


@pytest.mark.parametrize("piece", ["死", "我想", "药吃了", "我爸胸口", "(((", "好的，", "不想活"])
def test_twenty_thousand_characters_take_bounded_time(piece: str) -> None:
    text = (piece * 20_000)[:20_000]
    local_verdict(text)  # compiles what it needs
    began = time.perf_counter()
    local_verdict(text)
    may_say(text)
    assert time.perf_counter() - began < 1.0
