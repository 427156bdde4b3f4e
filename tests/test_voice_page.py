"""`docs/voice.md` holds every sentence that can be said: each constant with Chinese has its situation."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from bot.sentences import Sentence, modules, sentences_of
from bot.voice_page import PLUGIN, places, said

ROOT = Path(__file__).resolve().parent.parent


@cache
def code() -> list[Sentence]:
    return [one for path in modules(PLUGIN) for one in sentences_of(path, PLUGIN)]


def test_every_sentence_has_a_situation_or_is_said_to_nobody() -> None:
    where = places()
    for one in code():
        where.of(one.module, one.name)


def test_every_place_is_there() -> None:
    """A place that names nothing hides what has moved."""
    names: dict[str, set[str]] = {}
    for one in code():
        parts = one.name.split(".")
        names.setdefault(one.module, set()).update([one.name, *parts])
        names[one.module].update(".".join(parts[:many]) for many in range(1, len(parts)))
    for place in places().by_place:
        module, _, name = place.partition(":")
        assert (PLUGIN / module).exists(), place
        if name:
            assert name in names.get(module, set()), place


def test_no_sentence_hides_among_the_words_that_are_read() -> None:
    where = places()
    for one in code():
        if (
            one.module.startswith("language/")
            and where.of(one.module, one.name) is None
            and one.kind == "said"
        ):
            plain = not any(letter in one.text for letter in "[(|?\\-")
            assert not (plain and any(letter in one.text for letter in "。？！")), one


def test_every_situation_says_something() -> None:
    assert all(said().values())


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('def f():\n    """文档"""\n    return f"改好了：{words.line(task)}"', ["改好了：{line}"]),
        ('A = "在呢"', ["在呢"]),
        ('log.warning("没写成")\nself._report("没写成")', []),
        ('re.compile("[今明]天")\nx.startswith("今")\nx == "今"', []),
        ('Pattern("[今明]天")', []),
        ("y = f\"{'打开' if on else '关掉'}了\"", ["{打开/关掉}了"]),
        ("y = \"记下了\" + '、'.join(names)", ["记下了{names}"]),
        ('table = {"今": "今天"}\nx = table["昨"]', ["今天"]),
        ("y = f\"{'、'.join(f'「{a.title}」' for a in b)}都删掉了\"", ["{「{title}」}都删掉了"]),
    ],
)
def test_sentences_are_found_by_their_place_in_the_syntax(
    code: str, expected: list[str], tmp_path: Path
) -> None:
    ast.parse(code)
    (tmp_path / "one.py").write_text(code, "utf-8")
    assert [one.text for one in sentences_of(tmp_path / "one.py", tmp_path)] == expected


def test_a_reason_is_known() -> None:
    assert any(one.kind == "reason" and one.text == "成员取消了" for one in code())


def test_a_module_without_a_place_is_told() -> None:
    one = Sentence("在呢", "agents/new/words.py", "HERE")
    with pytest.raises(ValueError, match="agents/new/words"):
        places().of(one.module, one.name)
