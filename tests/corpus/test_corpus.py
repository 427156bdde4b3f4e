"""The corpus of messy language: what is held out is only scored, and never gets worse.

The default run reads a third of what is held out; the exhaustive part reads all of it, and the rest.
"""

from __future__ import annotations

from functools import cache

import pytest
from default_run import first

from benchmarks.corpus import read_corpus
from benchmarks.understanding import Verdict, read_all

FEWEST = 7500
"""Rows, so that the figures mean something."""
RIGHT = {"a third": 0.75, "open": 0.81, "held out": 0.75}
WRONG_AND_SURE = {"a third": 0.065, "open": 0.031, "held out": 0.05}
"""Bounds of the shares among orders and talk, close to what stands now; a third is a small sample."""


@cache
def verdicts(part: str) -> list[Verdict]:
    rows = [row for row in read_corpus() if row.held_out is (part != "open")]
    return read_all(rows[::3] if part == "a third" else rows)


def test_there_are_enough_rows() -> None:
    assert len(read_corpus()) >= FEWEST  # none twice: `read_corpus` raises


@first(1)
@pytest.mark.parametrize("part", RIGHT)
def test_what_was_said_to_us(part: str) -> None:
    found = [one for one in verdicts(part) if one.row.overheard is None]
    right = sum(one.kind == "right" for one in found) / len(found)
    wrong = [one for one in found if one.kind == "wrong and sure"]
    assert right >= RIGHT[part]
    assert len(wrong) / len(found) <= WRONG_AND_SURE[part]


@first(1)
@pytest.mark.parametrize("part", RIGHT)
def test_what_was_overheard(part: str) -> None:
    """At least seven plans in ten are heard, and at most one question in five is about no plan."""
    found = [one for one in verdicts(part) if one.row.overheard is not None]
    plans = [one for one in found if one.row.overheard]
    heard = [one for one in found if one.sure]
    assert sum(one.sure for one in plans) / len(plans) >= 0.7
    assert sum(not one.row.overheard for one in heard) / len(heard) <= 0.2
