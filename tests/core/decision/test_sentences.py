"""Every sentence of `data/`: which agent, which intent, and where it matters which words."""

from __future__ import annotations

import pytest

from .support import AGENTS, DATA, Case, cases, named, read

_FILES = sorted(path.name for path in DATA.glob("*.yaml"))
_CASES = [(name, case) for name in _FILES for case in cases(name)]


@pytest.mark.parametrize(("name", "case"), _CASES, ids=[f"{name}:{case}" for name, case in _CASES])
def test_sentence(name: str, case: Case) -> None:
    found = read(case.said, case.situation, AGENTS)
    assert named(found) == [wanted for wanted, _ in case.frames]
    for frame, (_, text) in zip(found.frames, case.frames, strict=True):
        assert text is None or frame.text == text


def test_there_are_sentences_enough() -> None:
    assert len(_CASES) >= 800
    assert len({(name, str(case)) for name, case in _CASES}) == len(_CASES)
