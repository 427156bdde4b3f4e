"""Tests over data: one test for all rows of a file, which tells of every row that fails.

A test of its own for each of ten thousand sentences costs more than reading them. `--row 半小时` tries only
the rows that have those words in them.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import pytest

MOST_SHOWN = 40
"""Failing rows told in full; of the others there is the name."""
wanted: str = ""
"""Words given by `--row`."""


def each_row(
    names: str | Sequence[str], rows: Iterable[Any], ids: Sequence[str] | Callable[[Any], str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test for each row, as `pytest.mark.parametrize` does, but as one test; the arguments are its.

    The test fails with every row that fails and why. Fixtures are shared by the rows.
    """
    known = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    given = [(row,) if len(known) == 1 else tuple(row) for row in rows]
    assert all(len(row) == len(known) for row in given), f"a row is not {known}"
    titles = _titles(given, ids)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(**fixtures: Any) -> None:
            tried, failed = 0, list[tuple[str, str]]()
            for title, row in zip(titles, given, strict=True):
                if wanted and wanted not in title and wanted not in repr(row):
                    continue
                tried += 1
                try:
                    test(**dict(zip(known, row, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - told below, whatever it is
                    failed.append((title, _told(error)))
            assert wanted or tried == len(given)
            if failed:
                told = [f"{title}\n{why}" for title, why in failed[:MOST_SHOWN]]
                told += [title for title, _ in failed[MOST_SHOWN:]]
                pytest.fail(f"{len(failed)} of {tried} rows:\n" + "\n".join(told), pytrace=False)

        signature = inspect.signature(test)
        kept = [each for name, each in signature.parameters.items() if name not in known]
        run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return run

    return decorate


def _titles(rows: Sequence[tuple[Any, ...]], ids: Sequence[str] | Callable[[Any], str] | None) -> list[str]:
    if ids is None:
        return [" | ".join(str(value) for value in row)[:200] for row in rows]
    if callable(ids):
        return [" | ".join(str(ids(value)) for value in row) for row in rows]
    assert len(ids) == len(rows)
    return list(ids)


def _told(error: BaseException) -> str:
    """Where it failed and why, indented."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    why = str(error) or type(error).__name__
    kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
    where = f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}: {frame.line}"
    return "\n".join(f"    {line}" for line in (where, *(kind + why).splitlines()))
