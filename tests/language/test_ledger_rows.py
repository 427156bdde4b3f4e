"""Money between people: who paid, who shares, what is said anew, over words and recognised sums."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language import amendment, asking, divided, givings, redone
from nonebot_plugin_mishu.language.ledger import (
    ANEW,
    ASKINGS,
    BILLS,
    GIVINGS,
    PIECES,
    Anew,
    PieceRow,
    anew,
    piece_rows,
    pieces,
)
from nonebot_plugin_mishu.language.ledger.pieces import words_in
from nonebot_plugin_mishu.language.recognise.money import find_amounts
from nonebot_plugin_mishu.language.text.fold import normalise
from rows import each_row

DATA = Path(__file__).parent / "data"
NAMES = {
    name: (str(at),)
    for at, name in enumerate(("林然", "苏苏", "陈晨", "老白", "石头", "阿笙", "小雅", "阿凯"))
}
DIVISIONS: list[dict[str, Any]] = yaml.safe_load((DATA / "divisions.yaml").read_text("utf-8"))
GIVEN: list[dict[str, Any]] = yaml.safe_load((DATA / "givings.yaml").read_text("utf-8"))
ASKED: list[dict[str, Any]] = yaml.safe_load((DATA / "askings.yaml").read_text("utf-8"))
ANEW_SAID: list[dict[str, Any]] = yaml.safe_load((DATA / "anew.yaml").read_text("utf-8"))
AMENDMENTS: list[dict[str, Any]] = yaml.safe_load((DATA / "amendments.yaml").read_text("utf-8"))
_FLAGS = ("split", "alone", "treat", "each", "several", "advanced", "group", "me")


@pytest.mark.parametrize(
    ("table", "row"),
    [(table, row) for table in (PIECES, GIVINGS, ASKINGS, ANEW, BILLS) for row in piece_rows(table)],
    ids=lambda each: each if isinstance(each, str) else each.say,
)
def test_every_row_reads_its_example(table: str, row: PieceRow) -> None:
    line = normalise(row.say).lower()
    found = pieces(words_in(line, find_amounts(line), NAMES), line, table)
    piece = next(each for each in found if each.reads == row.reads)
    said = {name: line[slot[0].start : slot[-1].end] for name, slot in piece.slots.items()}
    assert row.slots.items() <= said.items()


@each_row("row", DIVISIONS, ids=lambda row: row["say"])
def test_who_paid_and_who_bears_it(row: dict[str, Any]) -> None:
    line = normalise(row["say"])
    found = divided(line, find_amounts(line), NAMES)
    assert (found.payer.text if found.payer is not None else None) == row.get("payer")
    assert sorted(name.text for name in found.people) == sorted(row.get("people", []))
    assert found.count == row.get("count")
    assert {flag for flag in _FLAGS if getattr(found, flag)} == {flag for flag in _FLAGS if row.get(flag)}
    assert [f"{part.who.text} {part.kind} {part.value}" for part in found.parts] == row.get("parts", [])
    assert found.unclear == row.get("unclear", "")
    assert [name.text for name in found.without] == row.get("without", [])
    wages = [f"{wage.who.text} {wage.label} {wage.amount.yuan}" for wage in found.wages]
    assert wages == row.get("wages", [])
    assert found.divides is not row.get("not", False)


@each_row("row", AMENDMENTS, ids=lambda row: row["say"])
def test_what_is_said_anew(row: dict[str, Any]) -> None:
    line = normalise(row["say"])
    found = amendment(line, find_amounts(line), NAMES)
    if len(row) == 1:
        assert found is None
        return
    assert found is not None
    assert (found.old.text if found.old is not None else None) == row.get("old")
    assert (found.new.text if found.new is not None else None) == row.get("new")
    assert found.name == row.get("name", "")
    assert (found.waived.text if found.waived is not None else None) == row.get("waived")
    assert found.removed is row.get("removed", False)
    assert found.count == row.get("count")
    assert [name.text for name in found.filled] == row.get("filled", [])
    assert (found.payer.text if found.payer is not None else None) == row.get("payer")
    off = found.off
    assert (None if off is None else f"{off.fen} {off.zeros}") == row.get("by")


@each_row("row", GIVEN, ids=lambda row: row["say"])
def test_money_handed_over(row: dict[str, Any]) -> None:
    line = normalise(row["say"])
    found = givings(line, find_amounts(line), NAMES)
    if len(row) == 1:
        assert found == ()
        return
    (said,) = found
    assert (said.who.text, said.mine, said.back) == (row["who"], row["gave"], row["back"])
    assert said.amount is not None
    assert said.amount.text == row["sum"]


@each_row("row", ASKED, ids=lambda row: row["say"])
def test_what_the_books_are_asked(row: dict[str, Any]) -> None:
    assert asking(normalise(row["say"])) == row.get("asks")


@pytest.mark.parametrize(
    ("say", "old", "new"),
    [
        ("门票480撤了 重新记 门票480我垫的", "门票480", "门票480我垫的"),
        ("打车那笔删掉，重记：打车38", "打车那笔", "打车38"),
        ("重新记一下门票", None, None),
    ],
)
def test_taken_out_and_told_anew(say: str, old: str | None, new: str | None) -> None:
    line = normalise(say)
    found = redone(line, find_amounts(line))
    assert (None if found is None else found.old) == old
    assert (None if found is None else found.new) == new


@given(st.text(alphabet="我和小雅AA三个人的付垫请每人分不用那是12块 ，、@", max_size=60))
def test_any_line_is_read(text: str) -> None:
    line = normalise(text)
    found = divided(line, find_amounts(line), NAMES)
    assert all(0 <= start < end <= len(line) for start, end in found.spans)
    amendment(line, find_amounts(line), NAMES)


def told_anew(found: Anew | None) -> str | None:
    if found is None:
        return None
    if found.payer is not None:
        return f"payer {found.payer.text}"
    if found.old is not None and found.new is not None:
        return f"{found.old.text} > {found.new.text}"
    for kind, people in (("joins", found.joins), ("leaves", found.leaves), ("only", found.only)):
        if people:
            return f"{kind} {' '.join(each.text for each in people)}"
    return f"only {found.count}"


@each_row("row", ANEW_SAID, ids=lambda row: row["say"])
def test_who_paid_and_shares_is_said_anew(row: dict[str, Any]) -> None:
    assert told_anew(anew(row["say"], NAMES)) == row.get("is")
