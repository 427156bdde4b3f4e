"""Rows of ratios, held against one another: by tables. What is on disk is whole."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks import history
from benchmarks.history import (
    FIGURES,
    Row,
    figures_of,
    last_of,
    machine_class,
    read_rows,
    unmeasured,
    verdict,
    written,
)

BEFORE = Row("2026-11-20", "aaaaaaaaaa", "2 cores x86_64 python 3.11", {"start": 2.0, "messages_busy": 3.0})


def now(machine: str = BEFORE.machine, **figures: float) -> Row:
    return Row("2026-11-27", "bbbbbbbbbb", machine, figures)


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({"start": 2.0, "messages_busy": 3.0}, []),
        ({"start": 2.45, "messages_busy": 2.45}, []),
        ({"start": 1.0, "messages_busy": 9.0}, []),
        ({"start": 2.6}, ["start: 2 -> 2.6, worse by 23%, in aaaaaaaaaa..bbbbbbbbbb"]),
        ({"messages_busy": 2.3}, ["messages_busy: 3 -> 2.3, worse by 23%, in aaaaaaaaaa..bbbbbbbbbb"]),
        (
            {"start": 4.0, "messages_busy": 1.5},
            [
                "start: 2 -> 4, worse by 50%, in aaaaaaaaaa..bbbbbbbbbb",
                "messages_busy: 3 -> 1.5, worse by 50%, in aaaaaaaaaa..bbbbbbbbbb",
            ],
        ),
        ({"reading": 900.0}, []),
        ({}, []),
    ],
)
def test_what_fell_is_said_with_the_commits_between(figures: dict[str, float], said: list[str]) -> None:
    assert verdict(BEFORE, now(**figures)) == said


def test_the_newest_row_of_the_same_class_of_machine_counts() -> None:
    other = now("8 cores aarch64 python 3.13", start=1.0)
    newer = now(start=2.2)
    assert last_of([BEFORE, newer, other], BEFORE.machine) is newer
    assert last_of([other], BEFORE.machine) is None
    assert verdict(None, newer) == []
    assert machine_class(2, "x86_64", ("3", "11", "7")) == BEFORE.machine


def test_rows_are_written_as_they_are_read() -> None:
    rows = [BEFORE, now(reading=7.5481)]
    assert read_rows(written(rows)) == rows
    with pytest.raises(ValueError, match="not whole"):
        read_rows(written(rows) + "2026-11-28,cccccccccc\n")


def test_figures_are_found_among_measurements() -> None:
    def measured(name: str, value: float, ratio: float | None) -> dict[str, object]:
        return {"name": name, "value": value, "unit": "", "ratio": ratio}

    assert figures_of(
        [
            measured("start: to ready (1.0-2.0)", 1.5, 7.5),
            measured("start: CPU until ready", 1.4, 2.5),
            measured("flood of talk: an answer in another group, median of 12, 20000 in 9 s", 900.0, None),
            measured("messages: CPU of one, busy groups", 0.5, 2.8),
            measured("messages: CPU of one, busy groups", 0.5, 2.4),
            measured("remembered: bytes of a message", 850.0, None),
        ]
    ) == {"start": 2.5, "messages_busy": 2.8, "message_bytes": 850.0}


def test_every_figure_is_a_benchmarks() -> None:
    folder = Path(history.__file__).parent
    for figure in FIGURES:
        assert (folder / f"{figure.benchmark}.py").is_file()


def test_a_whole_run_that_lacks_a_figure_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(history, "FILE", tmp_path / "history.csv")
    monkeypatch.setattr(history, "_commit", lambda: "bbbbbbbbbb")
    whole = [{"name": figure.begins, "value": 1.0, "ratio": 1.0} for figure in FIGURES]
    monkeypatch.setattr(history, "_measured", lambda files: whole[1:])
    assert history.main([]) == 1
    assert f"not measured: {FIGURES[0].name}" in capsys.readouterr().err
    assert not history.FILE.exists()
    monkeypatch.setattr(history, "_measured", lambda files: whole)
    assert history.main([]) == 0


def test_the_command_keeps_a_row_unless_something_fell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(history, "FILE", tmp_path / "history.csv")
    monkeypatch.setattr(history, "_commit", lambda: "bbbbbbbbbb")
    file = tmp_path / "now.jsonl"

    def measured(ratio: float) -> list[str]:
        line = json.dumps({"name": "start: CPU until ready", "value": 1.0, "ratio": ratio})
        file.write_text(f"start …\n{line}\n", "utf-8")
        return [str(file)]

    assert history.main(measured(2.0)) == 0
    assert history.main(measured(2.2)) == 0
    assert history.main(measured(4.0)) == 1
    assert "FALL start: 2.2 -> 4, worse by 45%, in bbbbbbbbbb..bbbbbbbbbb" in capsys.readouterr().out
    assert history.main([*measured(4.0), "--accept"]) == 0
    kept = read_rows(history.FILE.read_text("utf-8"))
    assert [row.figures["start"] for row in kept] == [2.0, 2.2, 4.0]
    file.write_text("", "utf-8")
    assert history.main([str(file)]) == 1


def test_what_is_on_disk_is_whole() -> None:
    rows = read_rows(history.FILE.read_text("utf-8"))
    assert rows
    assert history.FILE.read_text("utf-8") == written(rows)
    assert unmeasured(rows[-1].figures) == []
    for row in rows:
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", row.day)
        assert re.fullmatch(r"[0-9a-f]{10}", row.commit)
