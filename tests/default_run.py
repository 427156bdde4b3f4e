"""What the default run tries of many cases that are alike: the first of them; the exhaustive part tries the
others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from _pytest.mark import ParameterSet

Test = TypeVar("Test", bound=Callable[..., Any])


def first(count: int) -> Callable[[Test], Test]:
    """Of the cases of the `pytest.mark.parametrize` below it those behind the first few are exhaustive."""

    def decorate(test: Test) -> Test:
        marks: list[pytest.Mark] = test.pytestmark  # type: ignore[attr-defined]
        assert marks[-1].name == "parametrize", "it stands right above the cases"
        names, cases = marks[-1].args
        several = not isinstance(names, str) or "," in names
        told = [case if at < count else _exhaustive(case, several) for at, case in enumerate(cases)]
        marks[-1] = pytest.mark.parametrize(names, told, **marks[-1].kwargs).mark
        return test

    return decorate


def _exhaustive(case: Any, several: bool) -> ParameterSet:
    if isinstance(case, ParameterSet):
        return pytest.param(*case.values, id=case.id, marks=[*case.marks, pytest.mark.exhaustive])
    return pytest.param(*(case if several else (case,)), marks=pytest.mark.exhaustive)
