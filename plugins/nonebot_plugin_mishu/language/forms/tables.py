"""Lexicons and grammars of a room of their own, read from its data files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..grammar import THINGS, read_forms
from ..lexicon import Lexicon, build
from .forms import Grammar


def read_lexicon(file: Path) -> Lexicon:
    """Words by class; a word stands once, its further classes behind strokes."""
    table = tomllib.loads(file.read_text("utf-8"))
    return build((name, name, listed) for name, listed in table.items())


def read_grammar(
    file: Path,
    lexicon: Lexicon,
    *,
    things: Iterable[frozenset[str]] = (),
    borders: Sequence[str] = (),
    hard_borders: Sequence[str] = (),
) -> Grammar:
    """Forms of whole lines over a lexicon. `things`: classes recognised beside the usual."""
    return Grammar(
        read_forms(file.read_text("utf-8")),
        lexicon,
        things=(*THINGS, *things),
        passes=("mark", "sign"),
        borders=borders,
        hard_borders=hard_borders,
    )
