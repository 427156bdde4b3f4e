"""Prompts of models, a document for each call (`<name of the call>.md`), read once. Pure.

A document is sent as it stands, line by line. One with several parts has headings of the form `# part`; what
stands before the first is the part "". `{name}` is filled in by who sends it. docs/prompts.md shows them all,
with their tokens; what changes from call to call is never in here, so that a call begins as the last one did
and the endpoint's cache serves it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from ..patterns import Pattern

__all__ = ["FOLDER", "names", "parts", "prompt"]

FOLDER: Final = Path(__file__).parent
_HEADING: Final = Pattern(r"(?m)^# (\w+)\n")


@cache
def parts(name: str) -> Mapping[str, str]:
    """The parts of a document by their headings, in order. Raises `FileNotFoundError`."""
    written = (FOLDER / f"{name}.md").read_text("utf-8")
    first, *rest = _HEADING.split(written)
    found = dict(zip(rest[::2], rest[1::2], strict=True))
    whole = {"": first, **found} if first.strip() else found
    return MappingProxyType({part: text.strip("\n") for part, text in whole.items()})


def prompt(name: str) -> str:
    """A document of one part."""
    [text] = parts(name).values()
    return text


def names() -> list[str]:
    """Every document there is."""
    return sorted(file.stem for file in FOLDER.glob("*.md"))
